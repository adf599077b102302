// Paths that are planned already, for those who plan now: moves they may not make (the illegal move
// table of Standley 2010) or had better not make (the conflict avoidance table; Sharon et al.
// 2015).
//
// A bit per vertex and step answers the usual question; who is there, and where it goes next, is in
// a hash table. Unlike reservations, the paths may collide with each other, and collisions are
// counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/collision.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

class Traffic {
  public:
    static constexpr AgentId kNobody = -1;

    Traffic(const Space& space, const Rules& rules)
        : space_(space), rules_(rules), words_((static_cast<std::size_t>(space.size()) + 63) / 64) {
        clear();
    }

    void clear();
    // A path from time 0 on. Its agent stays at the end of it, or is gone after it.
    void add(AgentId agent, std::span<const Vertex> path, bool stays);

    // Is anybody there?
    bool taken(Vertex v, Time t) const {
        const std::uint64_t* row =
            bits_.data() + static_cast<std::size_t>(t < last_ ? t : last_) * words_;
        return row[v >> 6] >> (v & 63) & 1;
    }

    // From this time on nobody moves any more.
    Time settled() const { return last_; }

    // How many collisions would somebody have who goes from `move.from` at t to `move.to` at t + 1?
    // An agent that is collided with in two ways counts twice; `self` is not counted.
    std::int32_t conflicts(Move move, Time t, AgentId self = kNobody) const {
        const bool moves = move.from != move.to;
        if (!taken(move.to, t + 1) && (!moves || !taken(move.to, t)) && !careful_) return 0;
        return count(self, move, t);
    }
    // May somebody who is on v at t be gone after it? Not if it is followed and that is forbidden.
    bool lets_leave(Vertex v, Time t) const {
        return may_disappear(rules_, [&] { return taken(v, t + 1); });
    }
    // From this time on nobody is on the vertex; kForever: somebody stays there.
    Time free_from(Vertex v) const {
        if (taken(v, last_)) return kForever;
        Time t = last_;
        while (t > 0 && !taken(v, t - 1)) --t;
        return t;
    }
    // Is anybody on the vertex at the time or later?
    bool comes(Vertex v, Time t) const { return free_from(v) > t; }
    // Is somebody there for good?
    bool is_parked_on(AgentId self, Vertex v) const;

    std::int64_t bytes() const {
        return static_cast<std::int64_t>(bits_.size() * sizeof(bits_[0]) +
                                         slots_.size() * sizeof(Slot) +
                                         steps_.size() * sizeof(Step));
    }

  private:
    static constexpr std::int32_t kNone = -1;
    static constexpr std::size_t kFewSlots = 256;
    // Where somebody goes next; kNowhere: it disappears.
    struct Next {
        Vertex vertex;
        bool goes(Vertex v) const { return vertex == v; }
    };
    class Others;
    struct Step {
        AgentId agent;
        Vertex next;  // kNowhere: it disappears
        std::int32_t other;
    };
    struct Parked {
        AgentId agent;
        Time since;
        Vertex vertex;
        std::int32_t other;
    };
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t stamp = 0;
        std::int32_t first = kNone;
    };

    static std::uint64_t key(Vertex v, Time t) {
        return static_cast<std::uint64_t>(t) << 32 | static_cast<std::uint32_t>(v);
    }
    std::size_t probe(std::uint64_t key) const {
        std::size_t k = key * 0x9E3779B97F4A7C15u >> shift_;
        while (slots_[k].stamp == stamp_ && slots_[k].key != key) k = (k + 1) & (slots_.size() - 1);
        return k;
    }
    // The first of those that are there at the time, or of those that park there, at kForever.
    std::int32_t first(Vertex v, Time t) const {
        const Slot& slot = slots_[probe(key(v, t))];
        return slot.stamp == stamp_ ? slot.first : kNone;
    }
    // The same, to be changed.
    std::int32_t& first_of(Vertex v, Time t) {
        Slot& slot = slots_[probe(key(v, t))];
        if (slot.stamp != stamp_) slot = {key(v, t), stamp_, kNone};
        return slot.first;
    }
    void extend(Time last);
    void grow();
    // Does anybody but `self` who is on v at t satisfy wanted(next)?
    template <class Wanted>
    bool any(AgentId self, Vertex v, Time t, Wanted&& wanted) const;
    std::int32_t count(AgentId self, Move move, Time t) const;

    const Space& space_;
    Rules rules_;
    std::size_t words_;
    std::vector<std::uint64_t> bits_;  // rows 0 to last_; the last one holds for ever
    std::vector<Slot> slots_;
    int shift_ = 0;
    std::uint32_t stamp_ = 0;
    std::vector<Step> steps_;
    std::vector<Parked> parkings_;
    Time last_ = 0;
    bool careful_ = false;  // rules under which agents may collide without meeting
};

}  // namespace sidestep
