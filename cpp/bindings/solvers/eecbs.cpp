#include "sidestep/solvers/eecbs.hpp"

#include <nanobind/stl/array.h>

#include <stdexcept>

#include "answer.hpp"

namespace sidestep::bindings {

namespace {

// Costs are 31 bits wide, also after they were multiplied.
constexpr std::int64_t kMostMillionths = 100 * eecbs::Factor::kOne;

Answer<eecbs::Counts> solve(const Space& space, const Rules& rules, const Agents& agents,
                            std::int64_t millionths, const cbs::Options& options,
                            WatchedBudget& budget) {
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
        return answer_of(search, agents.size(), b);
    });
}

}  // namespace

void bind_eecbs(nb::module_& m) {
    nb::class_<eecbs::Counts>(m, "EecbsCounts", "What a search has counted.")
        .def_ro("expanded", &eecbs::Counts::expanded)
        .def_ro("generated", &eecbs::Counts::generated)
        .def_ro("bypassed", &eecbs::Counts::bypassed)
        .def_ro("from_focal", &eecbs::Counts::from_focal)
        .def_ro("from_open", &eecbs::Counts::from_open)
        .def_ro("from_cleanup", &eecbs::Counts::from_cleanup)
        .def_ro("low_level", &eecbs::Counts::low_level)
        .def_ro("conflicts", &eecbs::Counts::conflicts);

    bind_answer<Answer<eecbs::Counts>>(m, "EecbsAnswer")
        .def_ro("counts", &Answer<eecbs::Counts>::counts);

    m.def("eecbs", &solve, nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(),
          nb::arg("millionths"), nb::arg("options"), nb::arg("budget"),
          "Paths for all agents that cost at most this many millionths of the least.");
}

}  // namespace sidestep::bindings
