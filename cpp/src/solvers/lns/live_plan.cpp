#include "sidestep/solvers/lns/live_plan.hpp"

#include <algorithm>

namespace sidestep {

LivePlan::LivePlan(const Space& space, Rules rules, const Roads& roads,
                   std::span<const PlannedAgent> planned_agents, Time margin)
    : planned_agents_(planned_agents),
      lines_(space, rules, roads, margin),
      holders_(roads.size()),
      paths_(planned_agents.size()),
      costs_(planned_agents.size()) {}

bool LivePlan::begin(std::vector<SpotPath> paths, Budget& budget) {
    std::size_t longest = 1;
    for (const SpotPath& path : paths) longest = std::max(longest, path.size());
    if (!lines_.make_room(static_cast<Time>(longest) - 1, budget)) return false;
    paths_ = std::move(paths);
    for (AgentId a = 0; a < size(); ++a) {
        lay(a);
        holders_.put(a, paths_[a], parks(a));
        costs_[a] = cost_of(a, paths_[a]);
        cost_ += costs_[a];
        steps_ += static_cast<std::int64_t>(paths_[a].size());
        if (!budget.tick(static_cast<std::int64_t>(paths_[a].size()))) return false;
    }
    return true;
}

Cost LivePlan::cost_of(AgentId agent, std::span<const Spot> path) const {
    const Spot goal = planned_agents_[agent].goal;
    if (goal == kNowhere) return 0;
    const auto steps = static_cast<Cost>(path.size()) - 1;
    if (!lines_.rules().free_goal_wait) return steps;
    Cost free = 0;
    for (Cost k = 0; k < steps; ++k) free += path[k] == goal && path[k + 1] == goal;
    return steps - free;
}

void LivePlan::replace(std::span<const AgentId> agents, std::span<SpotPath> paths) {
    for (const AgentId agent : agents) holders_.take(paths_[agent], parks(agent));
    for (std::size_t k = 0; k < agents.size(); ++k) {
        const AgentId agent = agents[k];
        std::swap(paths_[agent], paths[k]);
        holders_.put(agent, paths_[agent], parks(agent));
        steps_ += static_cast<std::int64_t>(paths_[agent].size()) -
                  static_cast<std::int64_t>(paths[k].size());
        const Cost cost = cost_of(agent, paths_[agent]);
        cost_ += cost - costs_[agent];
        costs_[agent] = cost;
    }
}

std::int64_t LivePlan::bytes() const {
    return lines_.bytes() + holders_.bytes() + steps_ * static_cast<std::int64_t>(sizeof(Spot)) +
           static_cast<std::int64_t>(paths_.size() * (sizeof(SpotPath) + sizeof(Cost)));
}

}  // namespace sidestep
