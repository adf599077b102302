// A small value per place and time, for searches that begin often and see little: all values go at
// once, by a new stamp, and memory is kept.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "sidestep/model/types.hpp"

namespace sidestep {

template <class Value>
class StampedTable {
  public:
    // Nothing has a value. There are at least this many slots, a power of two; once half of them
    // are used, there are more.
    void clear(std::size_t slots) {
        if (slots_.size() < slots) {
            slots_.assign(slots, Slot{});
            shift_ = 64 - std::countr_zero(slots);
            stamp_ = 0;
        }
        if (++stamp_ == 0) {  // wrapped: old stamps could be taken for new ones
            std::fill(slots_.begin(), slots_.end(), Slot{});
            stamp_ = 1;
        }
        used_ = 0;
    }

    // Its value, or `none`.
    Value get(std::int32_t place, Time t, Value none) const {
        const Slot& slot = slots_[probe(key(place, t))];
        return slot.stamp == stamp_ ? slot.value : none;
    }
    // Its value, which begins as `none`. The reference holds until the next call.
    Value& at(std::int32_t place, Time t, Value none) {
        if ((used_ + 1) * 2 > slots_.size()) grow();
        Slot& slot = slots_[probe(key(place, t))];
        if (slot.stamp != stamp_) {
            slot = {key(place, t), stamp_, none};
            ++used_;
        }
        return slot.value;
    }

    std::int64_t bytes() const { return static_cast<std::int64_t>(slots_.size() * sizeof(Slot)); }

  private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t stamp = 0;
        Value value{};
    };

    static std::uint64_t key(std::int32_t place, Time t) {
        return static_cast<std::uint64_t>(t) << 32 | static_cast<std::uint32_t>(place);
    }
    // The slot of a key, or the free one where it belongs.
    std::size_t probe(std::uint64_t key) const {
        std::size_t k = key * 0x9E3779B97F4A7C15u >> shift_;
        while (slots_[k].stamp == stamp_ && slots_[k].key != key) k = (k + 1) & (slots_.size() - 1);
        return k;
    }
    void grow() {
        std::vector<Slot> before(slots_.size() * 2);
        before.swap(slots_);
        --shift_;
        for (const Slot& slot : before)
            if (slot.stamp == stamp_) slots_[probe(slot.key)] = slot;
    }

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
    std::uint32_t stamp_ = 0;
    int shift_ = 0;
};

}  // namespace sidestep
