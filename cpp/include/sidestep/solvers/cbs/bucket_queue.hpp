// The open states of a search in order of two small numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sidestep::cbs {

// The first number weighs more; of equals the newest comes first.
class BucketQueue {
  public:
    void clear();
    void push(std::int32_t first, std::int32_t second, std::int32_t state);
    // -1: it is empty.
    std::int32_t pop();
    std::size_t bytes() const {
        return capacity_ * sizeof(std::int32_t) + buckets_.size() * sizeof(buckets_[0]);
    }

  private:
    static constexpr std::int32_t kColumns = 32;  // greater second numbers count as the last
    std::vector<std::vector<std::int32_t>> buckets_;
    std::vector<std::uint32_t> filled_;  // per first number: its buckets that are not empty
    std::int32_t lowest_ = 0;
    std::size_t capacity_ = 0;
};

}  // namespace sidestep::cbs
