#include "sidestep/solvers/pbs.hpp"

#include <nanobind/stl/vector.h>

#include "agents.hpp"
#include "arrays.hpp"
#include "budget.hpp"

namespace sidestep::bindings {

namespace {

struct PbsAnswer {
    Outcome outcome = Outcome::no_path;
    std::vector<std::vector<Vertex>> paths;  // empty unless found
    std::int64_t lower_bound = 0;
    Pbs::Counts counts;
};

PbsAnswer solve(const Space& space, const Rules& rules, const Agents& agents,
                WatchedBudget& budget) {
    require_unit_agents(space, agents);
    require_apart(space, agents);
    return budget.run([&](Budget& b) {
        Pbs search(space, rules, agents.positions, agents.goals, agents.priorities);
        PbsAnswer answer;
        answer.outcome = search.run(b);
        if (answer.outcome == Outcome::found)
            for (std::size_t a = 0; a < agents.size(); ++a) {
                const auto path = search.path(a);
                answer.paths.emplace_back(path.begin(), path.end());
            }
        answer.lower_bound = search.lower_bound();
        answer.counts = search.counts();
        return answer;
    });
}

std::vector<IntVectorOut> paths(const PbsAnswer& answer) {
    std::vector<IntVectorOut> all;
    for (const auto& path : answer.paths) all.push_back(copy_out(path));
    return all;
}

}  // namespace

void bind_pbs(nb::module_& m) {
    nb::class_<PbsAnswer>(m, "PbsAnswer", "How a search ended, and what it found.")
        .def_ro("outcome", &PbsAnswer::outcome)
        .def_ro("lower_bound", &PbsAnswer::lower_bound)
        .def_prop_ro("expanded", [](const PbsAnswer& a) { return a.counts.expanded; })
        .def_prop_ro("generated", [](const PbsAnswer& a) { return a.counts.generated; })
        .def_prop_ro("replanned", [](const PbsAnswer& a) { return a.counts.replanned; })
        .def_prop_ro("duplicates", [](const PbsAnswer& a) { return a.counts.duplicates; })
        .def_prop_ro("low_level", [](const PbsAnswer& a) { return a.counts.low_level; })
        .def_prop_ro("orders", [](const PbsAnswer& a) { return a.counts.orders; })
        .def_prop_ro("paths", &paths, nb::rv_policy::move,
                     "One per agent; none unless a plan was found.");

    m.def("pbs", &solve, nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(),
          nb::arg("budget"), "Paths for all agents by Priority-Based Search.");
}

}  // namespace sidestep::bindings
