#include "sidestep/search/queues.hpp"

namespace sidestep::search {

void Stack::grow() { entries_.resize(std::max<std::size_t>(2 * size_, 64)); }

void BucketQueue::clear(Length lowest, int shift) {
    buckets_[first_ % kBuckets].clear();  // it may have no mark
    for (std::size_t word = 0; word < filled_.size(); ++word) {
        for (std::uint64_t left = filled_[word]; left != 0; left &= left - 1)
            buckets_[word * 64 + static_cast<std::size_t>(std::countr_zero(left))].clear();
        filled_[word] = 0;
    }
    beyond_.clear();
    nearest_beyond_ = kNone;
    shift_ = shift;
    first_ = lowest >> shift;
}

// Goes on to the next bucket that has something in it.
bool BucketQueue::advance() {
    const std::size_t here = first_ % kBuckets;
    filled_[here / 64] &= ~(std::uint64_t{1} << here % 64);
    const std::uint64_t next = std::min(next_filled(), nearest_beyond_);
    if (next == kNone) return false;
    first_ = next;
    if (next == nearest_beyond_) fetch_beyond();
    return true;
}

std::uint64_t BucketQueue::next_filled() const {
    constexpr std::size_t words = kBuckets / 64;
    const std::size_t here = first_ % kBuckets;
    const std::uint64_t from_here = ~std::uint64_t{0} << here % 64;
    for (std::size_t step = 0; step <= words; ++step) {  // the first word twice: its end, its begin
        const std::size_t word = (here / 64 + step) % words;
        std::uint64_t filled = filled_[word];
        if (step == 0) filled &= from_here;
        if (step == words) filled &= ~from_here;
        if (filled == 0) continue;
        const std::size_t slot = word * 64 + static_cast<std::size_t>(std::countr_zero(filled));
        return first_ + (slot + kBuckets - here) % kBuckets;
    }
    return kNone;
}

// Those that are near enough by now get their buckets. The others are kept in their order.
void BucketQueue::fetch_beyond() {
    nearest_beyond_ = kNone;
    std::size_t kept = 0;
    for (const Beyond far : beyond_) {
        const std::uint64_t bucket = far.f >> shift_;
        if (bucket < first_ + kBuckets) {
            push(far.open, far.f);
        } else {
            nearest_beyond_ = std::min(nearest_beyond_, bucket);
            beyond_[kept++] = far;
        }
    }
    beyond_.resize(kept);
}

bool HeapQueue::pop(Open& open) {
    if (entries_.empty()) return false;
    std::pop_heap(entries_.begin(), entries_.end(), after);
    open = {entries_.back().arrival, static_cast<std::uint32_t>(entries_.back().g)};
    entries_.pop_back();
    return true;
}

bool ListQueue::pop(Open& open) {
    if (entries_.empty()) return false;
    const auto best = std::max_element(entries_.begin(), entries_.end(), after);
    open = {best->arrival, static_cast<std::uint32_t>(best->g)};
    *best = entries_.back();
    entries_.pop_back();
    return true;
}

}  // namespace sidestep::search
