// Queues: what has been found and not yet expanded. A shorter way to a vertex pushes it
// again; the entry of the longer one is recognised by its length when it is popped.
//
// Buckets are the fastest: lists by f, rounded down to a power of two, of which only those of a
// short range are kept apart. Within a bucket the last one found comes first, which heads straight
// for the goal; a vertex that is thereby expanded too early is expanded again. The binary heap and
// the unsorted list are those of the textbooks.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sidestep/model/space.hpp"
#include "sidestep/search/length.hpp"

namespace sidestep::search {

struct Open {
    Arrival arrival;
    std::uint32_t g;  // the low bits of the length, to tell whether it is still the shortest
    bool is_still(Length length) const { return static_cast<std::uint32_t>(length) == g; }
};

// A vector with a push so short that it is inlined where it counts.
class Stack {
  public:
    bool empty() const { return size_ == 0; }
    void clear() { size_ = 0; }
    void push(Open open) {
        if (size_ == entries_.size()) [[unlikely]]
            grow();
        entries_[size_++] = open;
    }
    Open pop() { return entries_[--size_]; }
    const Open* begin() const { return entries_.data(); }
    const Open* end() const { return begin() + size_; }

  private:
    void grow();
    std::vector<Open> entries_;  // more than are in use
    std::size_t size_ = 0;
};

class BucketQueue {
  public:
    // Buckets are 2**shift wide.
    void clear(Length lowest, int shift);
    void push(Arrival arrival, Length g, Length f) {
        push({arrival, static_cast<std::uint32_t>(g)}, f);
    }
    bool pop(Open& open) {
        while (buckets_[first_ % kBuckets].empty())
            if (!advance()) return false;
        open = buckets_[first_ % kBuckets].pop();
        return true;
    }
    // No entry has a lower f than this, if none was pushed with a lower one.
    Length lowest() const { return first_ << shift_; }
    template <class Visit>
    void each(Visit&& visit) const {
        for (const auto& bucket : buckets_)
            for (const Open& open : bucket) visit(open);
        for (const Beyond& far : beyond_) visit(far.open);
    }

  private:
    struct Beyond {
        Length f;
        Open open;
    };
    static constexpr std::size_t kBuckets = 256;
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    void push(Open open, Length f) {
        const std::uint64_t bucket = f >> shift_;
        if (bucket <= first_) {  // most often; the bucket that is being emptied needs no mark
            buckets_[first_ % kBuckets].push(open);
            return;
        }
        if (bucket >= first_ + kBuckets) {
            beyond_.push_back({f, open});
            nearest_beyond_ = std::min(nearest_beyond_, bucket);
            return;
        }
        const std::size_t slot = bucket % kBuckets;
        buckets_[slot].push(open);
        filled_[slot / 64] |= std::uint64_t{1} << slot % 64;
    }
    bool advance();
    std::uint64_t next_filled() const;
    void fetch_beyond();

    std::array<Stack, kBuckets> buckets_;
    std::array<std::uint64_t, kBuckets / 64> filled_{};
    std::uint64_t first_ = 0;  // the bucket that is being emptied
    int shift_ = 0;
    std::vector<Beyond> beyond_;  // too far ahead to have a bucket yet
    std::uint64_t nearest_beyond_ = kNone;
};

// Of equal f, the one nearer to the goal comes first: that with the longer way behind it.
struct Ranked {
    Length f, g;
    Arrival arrival;
    bool is_after(const Ranked& other) const {
        return f != other.f ? f > other.f : g != other.g ? g < other.g : arrival > other.arrival;
    }
};

class HeapQueue {
  public:
    void clear(Length, int) { entries_.clear(); }
    void push(Arrival arrival, Length g, Length f) {
        entries_.push_back({f, g, arrival});
        std::push_heap(entries_.begin(), entries_.end(), after);
    }
    bool pop(Open& open);
    Length lowest() const { return entries_.empty() ? 0 : entries_.front().f; }
    template <class Visit>
    void each(Visit&& visit) const {
        for (const Ranked& entry : entries_)
            visit(Open{entry.arrival, static_cast<std::uint32_t>(entry.g)});
    }

  protected:
    static bool after(const Ranked& a, const Ranked& b) { return a.is_after(b); }
    std::vector<Ranked> entries_;
};

class ListQueue : public HeapQueue {
  public:
    void push(Arrival arrival, Length g, Length f) { entries_.push_back({f, g, arrival}); }
    bool pop(Open& open);
    Length lowest() const { return 0; }  // nobody knows before looking
};

}  // namespace sidestep::search
