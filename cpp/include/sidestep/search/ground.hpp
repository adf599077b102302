// The shortest way to every vertex that a search has found so far. Words carry the number of their
// search, so that a new search forgets the one before without touching memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sidestep/model/space.hpp"
#include "sidestep/search/length.hpp"

namespace sidestep::search {

class Ground {
  public:
    explicit Ground(std::int32_t size) : words_(static_cast<std::size_t>(size), kOldest) {}

    // Stamps count down: whatever an earlier search has found counts for longer than any way.
    void forget() {
        if (stamp_ == 0) {
            std::fill(words_.begin(), words_.end(), kOldest);
            stamp_ = kFirstStamp;
        }
        --stamp_;
    }

    // Notes a way of this length. False: one at least as short is known.
    bool lower(Vertex v, Length g) {
        const std::uint64_t word = stamp_ << kLengthBits | g;
        if (word >= words_[v]) return false;
        words_[v] = word;
        return true;
    }

    bool seen(Vertex v) const { return words_[v] >> kLengthBits == stamp_; }
    Length at(Vertex v) const { return seen(v) ? words_[v] & kFar : kFar; }
    std::size_t bytes() const { return words_.size() * sizeof(std::uint64_t); }

  private:
    static constexpr std::uint64_t kOldest = ~std::uint64_t{0};
    static constexpr std::uint64_t kFirstStamp = 0xFFFF;
    std::vector<std::uint64_t> words_;
    std::uint64_t stamp_ = kFirstStamp;
};

}  // namespace sidestep::search
