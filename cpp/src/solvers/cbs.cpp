#include "sidestep/solvers/cbs.hpp"

#include <numeric>

namespace sidestep::cbs {

Answer solve(const Space& space, const Rules& rules, const Task& task, const Options& options,
             Budget& budget) {
    Instance instance(space, rules, task.starts, task.goals, task.illegal, task.avoid);
    SharedState shared(instance);
    std::vector<AgentId> agents(task.starts.size());
    std::iota(agents.begin(), agents.end(), 0);
    std::vector<SetId> sets;
    for (const AgentId agent : agents) {
        std::vector<Constraint> none;
        sets.push_back(shared.sets.intern(agent, none));
    }
    Search search(shared, options, agents, sets);
    Answer answer;
    answer.outcome = budget.look() ? search.run(budget, task.limits) : Outcome::out_of_budget;
    if (answer.outcome == Outcome::found)
        for (std::size_t k = 0; k < agents.size(); ++k) {
            const auto path = search.path(k);
            answer.paths.emplace_back(path.begin(), path.end());
        }
    answer.lower_bound = search.lower_bound();
    answer.low_level_expanded = shared.low_level.expanded();
    answer.statistics = search.statistics();
    return answer;
}

}  // namespace sidestep::cbs
