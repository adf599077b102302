#include "sidestep/solvers/pbs.hpp"

#include "answer.hpp"

namespace sidestep::bindings {

namespace {

using PbsAnswer = Answer<Pbs::Counts>;

PbsAnswer solve(const Space& space, const Rules& rules, const Agents& agents,
                WatchedBudget& budget) {
    require_unit_agents(space, agents);
    require_apart(space, agents);
    return budget.run([&](Budget& b) {
        Pbs search(space, rules, agents.positions, agents.goals, agents.priorities);
        return answer_of(search, agents.size(), b);
    });
}

}  // namespace

void bind_pbs(nb::module_& m) {
    bind_answer<PbsAnswer>(m, "PbsAnswer")
        .def_prop_ro("expanded", [](const PbsAnswer& a) { return a.counts.expanded; })
        .def_prop_ro("generated", [](const PbsAnswer& a) { return a.counts.generated; })
        .def_prop_ro("replanned", [](const PbsAnswer& a) { return a.counts.replanned; })
        .def_prop_ro("duplicates", [](const PbsAnswer& a) { return a.counts.duplicates; })
        .def_prop_ro("low_level", [](const PbsAnswer& a) { return a.counts.low_level; })
        .def_prop_ro("orders", [](const PbsAnswer& a) { return a.counts.orders; });

    m.def("pbs", &solve, nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(),
          nb::arg("budget"), "Paths for all agents by Priority-Based Search.");
}

}  // namespace sidestep::bindings
