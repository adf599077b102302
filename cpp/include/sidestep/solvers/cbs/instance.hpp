// The problem as all parts of Conflict-Based Search see it: the space, the rules, who wants to go
// where, and exact distances to whichever vertex is asked for.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"
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

    // The distances of all vertices to `target`; empty if the budget ran out.
    std::span<const Cost> distances_to(Vertex target, Budget& budget) {
        const auto known = tables_.known(target);
        if (!known.empty()) return known;
        if (!budget.fits(bytes() + tables_.table_bytes())) return {};
        return tables_.to(target, budget);
    }
    std::int64_t bytes() const { return tables_.bytes(); }

    // Where an agent with this path is at time t.
    Vertex at(AgentId a, std::span<const Vertex> path, Time t) const {
        if (t < static_cast<Time>(path.size())) return path[t];
        return vanishes(a) ? kNowhere : path.back();
    }

  private:
    DistanceTables tables_{space};
};

}  // namespace sidestep::cbs
