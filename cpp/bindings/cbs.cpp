#include "sidestep/cbs.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "budget.hpp"

namespace sidestep::bindings {

namespace {

cbs::Answer solve(const Space& space, const Rules& rules, const IntVector& starts,
                  const IntVector& goals, const cbs::Options& options, WatchedBudget& budget) {
    require_size(goals, starts.size(), "goals");
    for (const Vertex v : view(starts)) require_vertex(space, v);
    for (const Vertex v : view(goals))
        if (v != kNowhere) require_vertex(space, v);
    return budget.run(
        [&](Budget& b) { return cbs::solve(space, rules, view(starts), view(goals), options, b); });
}

std::vector<IntVectorOut> paths(const cbs::Answer& answer) {
    std::vector<IntVectorOut> all;
    for (const auto& path : answer.paths) all.push_back(copy_out(path));
    return all;
}

}  // namespace

void bind_cbs(nb::module_& m) {
    nb::enum_<cbs::Heuristic>(m, "CbsHeuristic", "Lower bounds on what conflicts will cost.")
        .value("none", cbs::Heuristic::none)
        .value("cg", cbs::Heuristic::cg)
        .value("dg", cbs::Heuristic::dg)
        .value("wdg", cbs::Heuristic::wdg);

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

    nb::class_<cbs::Answer>(m, "CbsAnswer", "How a search ended, and what it found.")
        .def_ro("outcome", &cbs::Answer::outcome)
        .def_ro("lower_bound", &cbs::Answer::lower_bound)
        .def_ro("low_level_expanded", &cbs::Answer::low_level_expanded)
        .def_prop_ro("expanded", [](const cbs::Answer& a) { return a.statistics.expanded; })
        .def_prop_ro("generated", [](const cbs::Answer& a) { return a.statistics.generated; })
        .def_prop_ro("bypassed", [](const cbs::Answer& a) { return a.statistics.bypassed; })
        .def_prop_ro(
            "conflicts", [](const cbs::Answer& a) { return a.statistics.conflicts; },
            "How many were split: vertex, swap, crossing, following, stop, target, corridor, "
            "rectangle.")
        .def_prop_ro("paths", &paths, nb::rv_policy::move,
                     "One per agent; none unless a plan was found.");

    m.def("cbs", &solve, nb::arg("space"), nb::arg("rules"), nb::arg("starts").noconvert(),
          nb::arg("goals").noconvert(), nb::arg("options"), nb::arg("budget"),
          "Optimal paths for all agents by Conflict-Based Search.");
}

}  // namespace sidestep::bindings
