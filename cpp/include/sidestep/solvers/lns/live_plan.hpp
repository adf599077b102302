// A plan that large neighbourhood search changes: the paths of all agents, what they cost, and
// where they are in time.
//
// A path ends when its agent arrives for good. Who is taken out is out of the time lines, so that
// others can plan there, but still has its path and its cost until it gets a new one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/distance/fields.hpp"
#include "sidestep/distance/roads.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/solvers/lns/holders.hpp"
#include "sidestep/spacetime/timelines.hpp"

namespace sidestep {

// One agent of a plan.
struct PlannedAgent {
    Spot start = kNowhere;
    Spot goal = kNowhere;                  // kNowhere: idle
    const Fields::Field* field = nullptr;  // to its goal
    Cost distance = 0;                     // from its start: it cannot cost less
};

using SpotPath = std::vector<Spot>;

class LivePlan {
  public:
    LivePlan(const Space& space, Rules rules, const Roads& roads,
             std::span<const PlannedAgent> planned_agents, Time margin);

    // Everybody's first path. False: the budget ended.
    bool begin(std::vector<SpotPath> paths, Budget& budget);

    std::int32_t size() const { return static_cast<std::int32_t>(planned_agents_.size()); }
    const PlannedAgent& planned(AgentId agent) const { return planned_agents_[agent]; }
    const SpotPath& path(AgentId agent) const { return paths_[agent]; }
    std::span<const SpotPath> paths() const { return paths_; }
    Cost cost(AgentId agent) const { return costs_[agent]; }
    Cost delay(AgentId agent) const { return costs_[agent] - planned_agents_[agent].distance; }
    std::int64_t cost() const { return cost_; }
    // Does it stay at the end of its path, or is it gone then?
    bool parks(AgentId agent) const {
        return !lines_.rules().disappear || planned_agents_[agent].goal == kNowhere;
    }
    // What a path of this agent costs.
    Cost cost_of(AgentId agent, std::span<const Spot> path) const;

    // Out of the lines, and into them again: with its path, or one that was found since.
    void lift(AgentId agent) { lines_.take(paths_[agent], parks(agent)); }
    void lay(AgentId agent) { lines_.put(paths_[agent], parks(agent)); }
    // From now on these are their paths, which the lines know already. At once, because one may
    // take the place of another. `paths` gets the old ones.
    void replace(std::span<const AgentId> agents, std::span<SpotPath> paths);

    // Who is on s at t, as all paths have it; kNobody.
    AgentId holder(Spot s, Time t) const { return holders_.at(s, t); }
    AgentId parked(Spot s) const { return holders_.parked(s); }
    // Who goes along an edge in the step after t.
    AgentId mover(Spot from, Spot to, Time t) const {
        const AgentId agent = holders_.at(from, t);
        return agent != kNobody && agent == holders_.at(to, t + 1) ? agent : kNobody;
    }

    Timelines& lines() { return lines_; }
    const Timelines& lines() const { return lines_; }
    const Roads& roads() const { return lines_.roads(); }
    std::int64_t bytes() const;

  private:
    std::span<const PlannedAgent> planned_agents_;
    Timelines lines_;
    Holders holders_;
    std::vector<SpotPath> paths_;
    std::vector<Cost> costs_;
    std::int64_t cost_ = 0;
    std::int64_t steps_ = 0;
};

}  // namespace sidestep
