#include "sidestep/solvers/dmrcp.hpp"

#include <nanobind/stl/string.h>

#include "lease.hpp"
#include "planner.hpp"
#include "sidestep/model/agents.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Dmrcp, "Dmrcp")

namespace sidestep::bindings {

namespace {

using Named = nb::typed<nb::dict, std::string, std::int64_t>;

IntVectorOut turn(Dmrcp& agents, Time now, const IntVector& positions, WatchedBudget& budget) {
    require_time(now, "a time");
    return next_moves(agents, positions, budget, [&](Budget& b, std::span<Vertex> moves) {
        agents.turn(now, view(positions), b, moves);
    });
}

IntVectorOut distances_from(Dmrcp& agents, const IntVector& positions, WatchedBudget& budget) {
    require_positions(agents, positions);
    return distances_of(agents.size(), budget, [&](AgentId agent, Budget& b) {
        return agents.distance(agent, view(positions)[agent], b);
    });
}

}  // namespace

void bind_dmrcp(nb::module_& m) {
    nb::class_<Dmrcp> planner(m, "Dmrcp", "Agents that ask each other to make room.");
    planner
        .def(
            "__init__",
            [](Dmrcp* self, const Space& space, const Rules& rules, const Agents& agents,
               std::uint64_t seed) {
                require_unit_agents(space, agents);
                new (self) Dmrcp(space, rules, seed, agents.goals, agents.priorities);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(), nb::arg("seed"))
        .def("turn", &turn, nb::arg("now"), nb::arg("positions").noconvert(), nb::arg("budget"),
             "One turn: returns where everybody goes next.")
        .def("distances", &distances_from, nb::arg("positions").noconvert(), nb::arg("budget"))
        .def_prop_ro("fingerprint", &Dmrcp::fingerprint)
        .def_prop_ro("counts",
                     [](const Dmrcp& agents) {
                         const Dmrcp::Counts& counts = agents.counts();
                         Named named;
                         named["forwards"] = counts.forwards;
                         named["waits"] = counts.waits;
                         named["dodges"] = counts.dodges;
                         named["retreats"] = counts.retreats;
                         named["turned_heads"] = counts.turned_heads;
                         named["requests"] = counts.requests;
                         named["told"] = counts.told;
                         return named;
                     })
        .def("__deepcopy__", [](const Dmrcp& agents, nb::handle) { return new Dmrcp(agents); });
    bind_changes(planner);
}

}  // namespace sidestep::bindings
