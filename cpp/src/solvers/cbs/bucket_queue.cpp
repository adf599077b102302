#include "sidestep/solvers/cbs/bucket_queue.hpp"

#include <algorithm>
#include <bit>

namespace sidestep::cbs {

void BucketQueue::clear() {
    for (std::size_t first = 0; first < filled_.size(); ++first)
        for (; filled_[first] != 0; filled_[first] &= filled_[first] - 1)
            buckets_[first * kColumns + static_cast<std::size_t>(std::countr_zero(filled_[first]))]
                .clear();
    lowest_ = 0;
}

void BucketQueue::push(std::int32_t first, std::int32_t second, std::int32_t state) {
    if (first >= static_cast<std::int32_t>(filled_.size())) {
        filled_.resize(static_cast<std::size_t>(first) + 1);
        buckets_.resize(filled_.size() * kColumns);
    }
    second = std::min(second, kColumns - 1);
    auto& bucket = buckets_[static_cast<std::size_t>(first * kColumns + second)];
    const std::size_t before = bucket.capacity();
    bucket.push_back(state);
    capacity_ += bucket.capacity() - before;
    filled_[first] |= std::uint32_t{1} << second;
    lowest_ = std::min(lowest_, first);
}

std::int32_t BucketQueue::pop() {
    const auto rows = static_cast<std::int32_t>(filled_.size());
    while (lowest_ < rows && filled_[lowest_] == 0) ++lowest_;
    if (lowest_ == rows) return -1;
    const int second = std::countr_zero(filled_[lowest_]);
    auto& bucket = buckets_[static_cast<std::size_t>(lowest_ * kColumns + second)];
    const std::int32_t state = bucket.back();
    bucket.pop_back();
    if (bucket.empty()) filled_[lowest_] &= filled_[lowest_] - 1;
    return state;
}

}  // namespace sidestep::cbs
