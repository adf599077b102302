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

template <class Word, int kBits>
class GroundOf {
  public:
    static constexpr Word kMost = (Word{1} << kBits) - 1;  // every length is below this

    explicit GroundOf(std::int32_t size) : words_(static_cast<std::size_t>(size), kOldest) {}

    // Stamps count down: whatever an earlier search has found counts for longer than any way.
    void forget() {
        if (stamp_ == 0) {
            std::fill(words_.begin(), words_.end(), kOldest);
            stamp_ = kFirstStamp;
        }
        --stamp_;
    }

    // The words of this search. A loop that has them in a variable of its own need not look again
    // after every length that it writes.
    class Now {
      public:
        Now(Word* words, Word stamp) : words_(words), stamp_(stamp << kBits) {}
        // Is this the length of the shortest way so far?
        bool is_at(Vertex v, Word g) const { return words_[v] == (stamp_ | g); }
        // Notes a way of this length. False: one at least as short is known.
        bool lower(Vertex v, Word g) const {
            const Word word = stamp_ | g;
            if (word >= words_[v]) return false;
            words_[v] = word;
            return true;
        }

      private:
        Word* words_;
        Word stamp_;
    };
    Now now() { return {words_.data(), stamp_}; }

    bool lower(Vertex v, Length g) { return now().lower(v, static_cast<Word>(g)); }
    bool seen(Vertex v) const { return words_[v] >> kBits == stamp_; }
    Length at(Vertex v) const { return seen(v) ? Length{words_[v] & kMost} : kFar; }
    std::size_t bytes() const { return words_.size() * sizeof(Word); }

  private:
    static constexpr Word kOldest = ~Word{0};
    static constexpr Word kFirstStamp = kOldest >> kBits;
    std::vector<Word> words_;
    Word stamp_ = kFirstStamp;
};

using Ground = GroundOf<std::uint64_t, kLengthBits>;
// Half the memory where no way is longer than 2**24 - 2.
using ShortGround = GroundOf<std::uint32_t, 24>;

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
