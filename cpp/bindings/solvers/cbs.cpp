#include "sidestep/solvers/cbs.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>

#include "answer.hpp"
#include "enums.hpp"
#include "paths.hpp"

namespace sidestep::bindings {

namespace {

cbs::Answer solve(const Space& space, const Rules& rules, const IntVector& starts,
                  const IntVector& goals, const cbs::Options& options,
                  std::optional<Cost> cost_limit, std::optional<std::int64_t> tree_limit,
                  const std::optional<IntMatrix>& illegal, const std::optional<IntMatrix>& avoid,
                  WatchedBudget& budget) {
    require_places(space, starts, goals);
    Others forbidden(space, rules), disliked(space, rules);
    cbs::Task task{view(starts), view(goals), nullptr, nullptr, {}};
    if (cost_limit) task.limits.cost = limit(cost_limit);
    if (tree_limit) task.limits.expanded = *tree_limit;
    return budget.run([&](Budget& b) {
        task.illegal = forbidden.read(illegal, b);
        task.avoid = disliked.read(avoid, b);
        cbs::Answer answer = cbs::solve(space, rules, task, options, b);
        forbidden.give_back(b);
        disliked.give_back(b);
        return answer;
    });
}

}  // namespace

void bind_cbs(nb::module_& m) {
    bind_enum<cbs::Heuristic>(m, "CbsHeuristic", "Lower bounds on what conflicts will cost.",
                              {{"none", cbs::Heuristic::none},
                               {"cg", cbs::Heuristic::cg},
                               {"dg", cbs::Heuristic::dg},
                               {"wdg", cbs::Heuristic::wdg}});

    nb::class_<cbs::Options>(m, "CbsOptions", "What is added to plain Conflict-Based Search.")
        .def(
            "__init__",
            [](cbs::Options* self, bool prioritise, bool bypass, bool disjoint,
               cbs::Heuristic heuristic, bool rectangle, bool corridor, bool target) {
                new (self) cbs::Options{prioritise, bypass,   disjoint, heuristic,
                                        rectangle,  corridor, target};
            },
            nb::kw_only(), nb::arg("prioritise"), nb::arg("bypass"), nb::arg("disjoint"),
            nb::arg("heuristic"), nb::arg("rectangle"), nb::arg("corridor"), nb::arg("target"));

    bind_answer<cbs::Answer>(m, "CbsAnswer")
        .def_ro("low_level_expanded", &cbs::Answer::low_level_expanded)
        .def_prop_ro("expanded", [](const cbs::Answer& a) { return a.statistics.expanded; })
        .def_prop_ro("generated", [](const cbs::Answer& a) { return a.statistics.generated; })
        .def_prop_ro("bypassed", [](const cbs::Answer& a) { return a.statistics.bypassed; })
        .def_prop_ro(
            "conflicts", [](const cbs::Answer& a) { return a.statistics.conflicts; },
            "How many were split: vertex, swap, crossing, following, stop, target, corridor, "
            "rectangle.");

    m.def("cbs", &solve, nb::arg("space"), nb::arg("rules"), nb::arg("starts").noconvert(),
          nb::arg("goals").noconvert(), nb::arg("options"), nb::kw_only(),
          nb::arg("cost_limit") = nb::none(), nb::arg("tree_limit") = nb::none(),
          nb::arg("illegal") = nb::none(), nb::arg("avoid") = nb::none(), nb::arg("budget"),
          "Optimal paths for all agents by Conflict-Based Search. `tree_limit` bounds the nodes of "
          "the constraint tree; `illegal` and `avoid` are paths of others, as columns.");
}

}  // namespace sidestep::bindings
