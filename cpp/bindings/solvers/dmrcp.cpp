#include "sidestep/solvers/dmrcp.hpp"

#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "budget.hpp"

namespace sidestep::bindings {

namespace {

using Named = nb::typed<nb::dict, std::string, std::int64_t>;

IntVectorOut turn(Altruism& agents, Time now, const IntVector& positions, WatchedBudget& budget) {
    const auto count = static_cast<std::size_t>(agents.size());
    require_size(positions, count, "positions");
    auto moves = std::make_unique_for_overwrite<std::int32_t[]>(count);
    budget.run([&](Budget& b) {
        agents.turn(now, view(positions), b, {moves.get(), count});
        return 0;
    });
    return give<IntVectorOut>(std::move(moves), {count});
}

// The distances of all agents from these places to their goals, each by itself, -1 if there is no
// way; empty if the budget ran out.
IntVectorOut distances(Altruism& agents, const IntVector& positions, WatchedBudget& budget) {
    require_size(positions, static_cast<std::size_t>(agents.size()), "positions");
    std::vector<std::int32_t> costs(positions.size());
    budget.run([&](Budget& b) {
        for (AgentId a = 0; a < agents.size(); ++a) {
            costs[a] = agents.distance(a, view(positions)[a], b);
            if (costs[a] == kNotReady) return costs.clear(), 0;
            if (costs[a] >= kUnreachable) costs[a] = -1;
        }
        return 0;
    });
    return copy_out(costs);
}

}  // namespace

void bind_altruism(nb::module_& m) {
    nb::class_<Altruism>(m, "Altruism", "Agents that ask each other to make room.")
        .def(
            "__init__",
            [](Altruism* self, const Space& space, const Rules& rules, std::uint64_t seed,
               const IntVector& goals, const IntVector& priorities) {
                require_size(priorities, goals.size(), "priorities");
                new (self) Altruism(space, rules, seed, view(goals), view(priorities));
            },
            nb::arg("space"), nb::arg("rules"), nb::kw_only(), nb::arg("seed"),
            nb::arg("goals").noconvert(), nb::arg("priorities").noconvert())
        .def("turn", &turn, nb::arg("now"), nb::arg("positions").noconvert(), nb::arg("budget"),
             "One turn: returns where everybody goes next.")
        .def("distances", &distances, nb::arg("positions").noconvert(), nb::arg("budget"))
        .def("set_open", &Altruism::set_open, nb::arg("vertex"), nb::arg("open"))
        .def("set_goal", &Altruism::set_goal, nb::arg("agent"), nb::arg("goal"))
        .def("set_priority", &Altruism::set_priority, nb::arg("agent"), nb::arg("priority"))
        .def("add_agent", &Altruism::add_agent)
        .def("remove_agent", &Altruism::remove_agent, nb::arg("agent"))
        .def_prop_ro("fingerprint", &Altruism::fingerprint)
        .def_prop_ro("counts",
                     [](const Altruism& agents) {
                         const Altruism::Counts& counts = agents.counts();
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
        .def("__deepcopy__",
             [](const Altruism& agents, nb::handle) { return new Altruism(agents); });
}

}  // namespace sidestep::bindings
