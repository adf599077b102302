#include "sidestep/solvers/eecbs.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <stdexcept>

#include "agents.hpp"
#include "arrays.hpp"
#include "budget.hpp"

namespace sidestep::bindings {

namespace {

struct EecbsAnswer {
    Outcome outcome = Outcome::no_path;
    std::vector<std::vector<Vertex>> paths;  // empty unless found
    std::int64_t lower_bound = 0;
    eecbs::Statistics statistics;
};

// Costs are 31 bits wide, also after they were multiplied.
constexpr std::int64_t kMostMillionths = 100 * eecbs::Factor::kOne;

EecbsAnswer solve(const Space& space, const Rules& rules, const Agents& agents,
                  std::int64_t millionths, const cbs::Options& options, WatchedBudget& budget) {
    require_unit_agents(space, agents);
    require_apart(space, agents);
    require_within(millionths, eecbs::Factor::kOne, kMostMillionths, "the factor in millionths");
    if (rules.free_goal_wait && !rules.disappear)
        throw std::invalid_argument("the cost must be the sum of costs");
    for (const Vertex goal : agents.goals)
        if (goal == kNowhere) throw std::invalid_argument("every agent must have a goal");
    return budget.run([&](Budget& b) {
        eecbs::Search search(space, rules, agents.positions, agents.goals,
                             eecbs::Factor(millionths), options);
        EecbsAnswer answer;
        answer.outcome = search.run(b);
        if (answer.outcome == Outcome::found)
            for (std::size_t a = 0; a < agents.size(); ++a) {
                const auto path = search.path(a);
                answer.paths.emplace_back(path.begin(), path.end());
            }
        answer.lower_bound = search.lower_bound();
        answer.statistics = search.statistics();
        return answer;
    });
}

std::vector<IntVectorOut> paths(const EecbsAnswer& answer) {
    std::vector<IntVectorOut> all;
    for (const auto& path : answer.paths) all.push_back(copy_out(path));
    return all;
}

}  // namespace

void bind_eecbs(nb::module_& m) {
    nb::class_<eecbs::Statistics>(m, "EecbsCounts", "What a search has counted.")
        .def_ro("expanded", &eecbs::Statistics::expanded)
        .def_ro("generated", &eecbs::Statistics::generated)
        .def_ro("bypassed", &eecbs::Statistics::bypassed)
        .def_ro("from_focal", &eecbs::Statistics::from_focal)
        .def_ro("from_open", &eecbs::Statistics::from_open)
        .def_ro("from_cleanup", &eecbs::Statistics::from_cleanup)
        .def_ro("low_level", &eecbs::Statistics::low_level)
        .def_ro("conflicts", &eecbs::Statistics::conflicts);

    nb::class_<EecbsAnswer>(m, "EecbsAnswer", "How a search ended, and what it found.")
        .def_ro("outcome", &EecbsAnswer::outcome)
        .def_ro("lower_bound", &EecbsAnswer::lower_bound)
        .def_ro("counts", &EecbsAnswer::statistics)
        .def_prop_ro("paths", &paths, nb::rv_policy::move,
                     "One per agent; none unless a plan was found.");

    m.def("eecbs", &solve, nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(),
          nb::arg("millionths"), nb::arg("options"), nb::arg("budget"),
          "Paths for all agents that cost at most this many millionths of the least.");
}

}  // namespace sidestep::bindings
