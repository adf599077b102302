// Paths that are planned already, for those who plan now: moves they may not make (the illegal move
// table of Standley 2010) or had better not make (the conflict avoidance table; Sharon et al.
// 2015).
//
// A bit per vertex and step answers the usual question; who is there, and where it goes next, is in
// a hash table. Unlike reservations, the paths may collide with each other, and collisions are
// counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/collision.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"
#include "sidestep/spacetime/stamped_table.hpp"
#include "sidestep/spacetime/zeroed_words.hpp"

namespace sidestep {

class Traffic {
  public:
    static constexpr AgentId kNobody = -1;

    Traffic(const Space& space, const Rules& rules)
        : space_(space),
          rules_(rules),
          words_((static_cast<std::size_t>(space.size()) + 63) / 64),
          bits_(words_) {
        clear();
    }

    // Nobody any more. Rows are kept, and only what was on them is erased: on a large map that is
    // little of them.
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

    // Of rows only what was written to takes memory, a page at least.
    std::int64_t bytes() const {
        const std::size_t rows = (static_cast<std::size_t>(last_) + 1) * words_;
        return static_cast<std::int64_t>(
                   std::min(rows * sizeof(std::uint64_t), touched_count_ * kPageBytes) +
                   touched_.capacity() * sizeof(touched_[0]) + steps_.size() * sizeof(Step)) +
               firsts_.bytes();
    }

  private:
    static constexpr std::int32_t kNone = -1;
    static constexpr std::size_t kFewSlots = 256, kPageBytes = 4096;
    template <class Steps>
    friend struct OthersInStep;
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

    void make_room(std::size_t sets);
    void set(Vertex v, Time t);
    void extend(Time last);
    // Does anybody but `self` who is on v at t satisfy wanted(other)?
    template <class Wanted>
    bool any(AgentId self, Vertex v, Time t, Wanted&& wanted) const;
    std::int32_t count(AgentId self, Move move, Time t) const;

    const Space& space_;
    Rules rules_;
    std::size_t words_;
    ZeroedWords bits_;                  // row last_ holds for ever; those after it are empty
    std::vector<std::size_t> touched_;  // the first `touched_count_`: which words of them are not 0
    std::size_t touched_count_ = 0;
    // The first of those that are there at the time, or of those that park there, at kForever.
    StampedTable<std::int32_t> firsts_;
    std::vector<Step> steps_;
    std::vector<Parked> parkings_;
    Time last_ = 0;
    bool careful_ = false;  // rules under which agents may collide without meeting
};

}  // namespace sidestep
