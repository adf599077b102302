#include "sidestep/solvers/lra.hpp"

#include "arrays.hpp"
#include "budget.hpp"

namespace sidestep::bindings {

namespace {

IntVectorOut turn(LocalRepair& agents, const IntVector& positions, const IntVector& order,
                  WatchedBudget& budget) {
    auto moves = std::make_unique_for_overwrite<std::int32_t[]>(positions.size());
    budget.run([&](Budget& b) {
        agents.turn(view(positions), view(order), b, {moves.get(), positions.size()});
        return 0;
    });
    return give<IntVectorOut>(std::move(moves), {positions.size()});
}

}  // namespace

void bind_local_repair(nb::module_& m) {
    nb::class_<LocalRepair>(m, "LocalRepair", "Agents that replan when they bump into somebody.")
        .def(
            "__init__",
            [](LocalRepair* self, const Space& space, const Rules& rules, std::uint32_t noise,
               std::uint64_t seed, const IntVector& goals) {
                new (self) LocalRepair(space, rules, noise, seed, view(goals));
            },
            nb::arg("space"), nb::arg("rules"), nb::kw_only(), nb::arg("noise"), nb::arg("seed"),
            nb::arg("goals").noconvert())
        .def("turn", &turn, nb::arg("positions").noconvert(), nb::arg("order").noconvert(),
             nb::arg("budget"), "One turn: the agents move one after another in this order.")
        .def("set_open", &LocalRepair::set_open, nb::arg("vertex"), nb::arg("open"))
        .def("set_goal", &LocalRepair::set_goal, nb::arg("agent"), nb::arg("goal"))
        .def("add_agent", &LocalRepair::add_agent, nb::arg("goal"))
        .def_prop_ro("replans", &LocalRepair::replans)
        .def("__deepcopy__",
             [](const LocalRepair& agents, nb::handle) { return new LocalRepair(agents); });
}

}  // namespace sidestep::bindings
