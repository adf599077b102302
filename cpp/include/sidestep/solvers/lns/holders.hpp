// Who is where, when: time lines say only that somebody is. Asked when neighbours are looked for,
// not by searches.
//
// A hash table of (spot, time), as large as the paths and not as the map, and who is parked where.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/distance/roads.hpp"
#include "sidestep/model/random.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

class Holders {
  public:
    explicit Holders(std::int32_t spots) : parked_(static_cast<std::size_t>(spots)) {}

    // path[k] is held at time k; `parks`: the last spot from then on. No two hold the same.
    void put(AgentId agent, std::span<const Spot> path, bool parks);
    void take(std::span<const Spot> path, bool parks);

    AgentId at(Spot s, Time t) const {
        const Parked& parked = parked_[s];
        if (parked.agent != kNobody && t >= parked.since) return parked.agent;
        if (slots_.empty()) return kNobody;
        return slots_[probe(key(s, t))].agent;
    }
    AgentId parked(Spot s) const { return parked_[s].agent; }

    std::int64_t bytes() const {
        return static_cast<std::int64_t>(slots_.size() * sizeof(Slot) +
                                         parked_.size() * sizeof(Parked));
    }

  private:
    struct Slot {
        std::uint64_t key = 0;
        AgentId agent = kNobody;
    };
    struct Parked {
        AgentId agent = kNobody;
        Time since = 0;
    };

    static std::uint64_t key(Spot s, Time t) {
        return static_cast<std::uint64_t>(s) << 32 | static_cast<std::uint32_t>(t);
    }
    std::size_t probe(std::uint64_t key) const {
        const std::size_t mask = slots_.size() - 1;
        std::size_t at = mix(key) & mask;
        while (slots_[at].agent != kNobody && slots_[at].key != key) at = (at + 1) & mask;
        return at;
    }
    void erase(std::size_t at);
    void grow();

    std::vector<Slot> slots_;  // a power of two of them
    std::size_t used_ = 0;
    std::vector<Parked> parked_;
};

}  // namespace sidestep
