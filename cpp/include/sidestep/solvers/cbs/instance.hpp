// The problem as all parts of Conflict-Based Search see it: the space, the rules, who wants to go
// where, and exact distances to whichever vertex is asked for.
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/spacetime/reservations.hpp"
#include "sidestep/spacetime/traffic.hpp"

namespace sidestep::cbs {

class Instance {
  public:
    Instance(const Space& space, const Rules& rules, std::span<const Vertex> starts,
             std::span<const Vertex> goals, const Traffic* illegal = nullptr,
             const Traffic* avoid = nullptr)
        : space(space),
          rules(rules),
          starts(starts.begin(), starts.end()),
          goals(goals.begin(), goals.end()),
          illegal(illegal),
          avoid(avoid) {}
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    const Space& space;
    const Rules rules;
    const std::vector<Vertex> starts, goals;
    // Others, with fixed paths: nobody may collide with these, and nobody should with those.
    const Traffic *const illegal, *const avoid;

    bool is_idle(AgentId a) const { return goals[a] == kNowhere; }

    // Does the agent leave the space when its path ends?
    bool vanishes(AgentId a) const { return rules.disappear && !is_idle(a); }

    // Is the cost of a path its last arrival? Only where waits on the goal are free it is not; and
    // who disappears on arrival never waits there.
    bool counts_every_step() const { return !rules.free_goal_wait || rules.disappear; }

    bool checks_crossings() const { return !rules.crossing && space.has_crossings(); }

    // The distances of all vertices to `target`; empty if the budget ran out.
    std::span<const Cost> distances_to(Vertex target, Budget& budget) {
        auto& table = tables_[target];
        if (!table.empty()) return table;
        const auto size = static_cast<std::size_t>(space.size());
        table.resize(size);
        bytes_ += static_cast<std::int64_t>(size * sizeof(Cost));
        if (!budget.fits(bytes_) || !distance_table(space, target, budget, table)) table.clear();
        return table;
    }
    std::int64_t bytes() const { return bytes_; }

    // Where an agent with this path is at time t.
    Vertex at(AgentId a, std::span<const Vertex> path, Time t) const {
        if (t < static_cast<Time>(path.size())) return path[t];
        return vanishes(a) ? kNowhere : path.back();
    }

    // May two agents make these moves in the same step, from different vertices? kNowhere as a
    // target: it disappears; as both ends: it is gone.
    bool collide(Move a, Move b) const {
        if (a.from == kNowhere || b.from == kNowhere) return false;
        if (a.to == b.to && a.to != kNowhere) return true;
        const bool a_moves = a.to != kNowhere && a.to != a.from;
        const bool b_moves = b.to != kNowhere && b.to != b.from;
        const bool a_follows = a_moves && a.to == b.from, b_follows = b_moves && b.to == a.from;
        if (a_follows && b_follows) return true;
        if (!rules.following && (a_follows || b_follows)) return true;
        return a_moves && b_moves && checks_crossings() && cross(a, b);
    }
    bool cross(Move a, Move b) const {
        return space.any_crossing(
            a, [b](Move other) { return other.from == b.from && other.to == b.to; });
    }

  private:
    std::unordered_map<Vertex, std::vector<Cost>> tables_;
    std::int64_t bytes_ = 0;
};

}  // namespace sidestep::cbs
