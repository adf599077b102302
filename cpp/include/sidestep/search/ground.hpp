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

// The same for one search of many that are under way at once: memory only where it has been, a page
// of 64 vertices at a time.
class PagedGround {
  public:
    explicit PagedGround(std::int32_t size)
        : pages_((static_cast<std::size_t>(size) + 63) / 64, 0) {}

    void forget() {
        std::fill(pages_.begin(), pages_.end(), 0);
        lengths_.clear();
    }
    bool lower(Vertex v, Length g) {
        std::uint32_t& page = pages_[static_cast<std::size_t>(v) >> 6];
        if (page == 0) {
            lengths_.resize(lengths_.size() + 64, kFar);
            page = static_cast<std::uint32_t>(lengths_.size() / 64);
        }
        Length& known = lengths_[(std::size_t{page} - 1) * 64 + (v & 63)];
        if (g >= known) return false;
        known = g;
        return true;
    }
    bool seen(Vertex v) const { return at(v) != kFar; }
    Length at(Vertex v) const {
        const std::uint32_t page = pages_[static_cast<std::size_t>(v) >> 6];
        return page == 0 ? kFar : lengths_[(std::size_t{page} - 1) * 64 + (v & 63)];
    }
    std::size_t bytes() const {
        return pages_.size() * sizeof(std::uint32_t) + lengths_.capacity() * sizeof(Length);
    }

  private:
    std::vector<std::uint32_t> pages_;  // their numbers, from 1 on; 0: not been there
    std::vector<Length> lengths_;
};

}  // namespace sidestep::search
