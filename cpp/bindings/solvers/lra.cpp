#include "sidestep/solvers/lra.hpp"

#include "lease.hpp"
#include "planner.hpp"
#include "sidestep/model/agents.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Lra, "Lra")

namespace sidestep::bindings {

namespace {

IntVectorOut turn(Lra& agents, const IntVector& positions, const IntVector& order,
                  WatchedBudget& budget) {
    require_distinct(agents, view(order));
    return next_moves(agents, positions, budget, [&](Budget& b, std::span<Vertex> moves) {
        agents.turn(view(positions), view(order), b, moves);
    });
}

}  // namespace

void bind_lra(nb::module_& m) {
    nb::class_<Lra> planner(m, "Lra", "Agents that replan when they bump into somebody.");
    planner
        .def(
            "__init__",
            [](Lra* self, const Space& space, const Rules& rules, const Agents& agents,
               std::uint32_t noise, bool moves_after_repair, bool agitated_when_boxed_in,
               std::uint64_t seed) {
                require_unit_agents(space, agents);
                new (self) Lra(space, rules, {noise, moves_after_repair, agitated_when_boxed_in},
                               seed, agents.goals);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(), nb::arg("noise"),
            nb::arg("moves_after_repair"), nb::arg("agitated_when_boxed_in"), nb::arg("seed"))
        .def("turn", &turn, nb::arg("positions").noconvert(), nb::arg("order").noconvert(),
             nb::arg("budget"), "One turn: the agents move one after another in this order.")
        .def_prop_ro("replans", &Lra::replans)
        .def("__deepcopy__", [](const Lra& agents, nb::handle) { return new Lra(agents); });
    bind_changes(planner);
}

}  // namespace sidestep::bindings
