#include "sidestep/solvers/epibt.hpp"

#include "lease.hpp"
#include "planner.hpp"
#include "sidestep/model/agents.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Epibt, "Epibt")

namespace sidestep::bindings {

namespace {

constexpr std::int32_t kMostAsks = 1'000'000, kMostEffort = 1'000'000;

void require_facings(const Epibt& agents, const IntVector& positions, const IntVector& facings) {
    require_size(facings, static_cast<std::size_t>(agents.size()), "facings");
    for (AgentId agent = 0; agent < agents.size(); ++agent)
        require_within(view(facings)[agent], view(positions)[agent] == kNowhere ? kNoFacing : 0,
                       kFacings - 1, "a facing");
}

IntVectorOut turn(Epibt& agents, const IntVector& positions, const IntVector& facings,
                  WatchedBudget& budget) {
    require_size(positions, static_cast<std::size_t>(agents.size()), "positions");
    require_facings(agents, positions, facings);
    return next_moves(agents, positions, budget, [&](Budget& b, std::span<Vertex> moves) {
        agents.turn(view(positions), view(facings), b, moves);
    });
}

IntVectorOut distances_from(Epibt& agents, const IntVector& positions, const IntVector& facings,
                            WatchedBudget& budget) {
    require_size(positions, static_cast<std::size_t>(agents.size()), "positions");
    require_facings(agents, positions, facings);
    for (const Vertex v : view(positions)) require_vertex(agents.space(), v);
    return distances_of(agents.size(), budget, [&](AgentId agent, Budget& b) {
        return agents.distance(agent, view(positions)[agent], view(facings)[agent], b);
    });
}

}  // namespace

void bind_epibt(nb::module_& m) {
    nb::class_<Epibt> planner(m, "Epibt", "Agents that turn, a few actions ahead of each other.");
    planner
        .def(
            "__init__",
            [](Epibt* self, const Space& space, const Rules& rules, const Agents& agents,
               std::int32_t length, std::int32_t asks, std::int32_t effort, std::uint64_t seed) {
                require_unit_agents(space, agents);
                if (!space.is_four_connected())
                    throw std::invalid_argument("agents turn only on 4-connected grids");
                if (std::ranges::count(agents.facings, kNoFacing) > 0)
                    throw std::invalid_argument("every agent needs a facing");
                require_within(length, 1, Operations::kLongest, "a length");
                require_within(asks, 1, kMostAsks, "a number of asks");
                require_within(effort, 0, kMostEffort, "an effort");
                new (self) Epibt(space, agents, {rules, seed, length, asks, effort});
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(), nb::arg("length"),
            nb::arg("asks"), nb::arg("effort"), nb::arg("seed"))
        .def("turn", &turn, nb::arg("positions").noconvert(), nb::arg("facings").noconvert(),
             nb::arg("budget"), "What everybody does next: a vertex, -2 or -3.")
        .def("distances", &distances_from, nb::arg("positions").noconvert(),
             nb::arg("facings").noconvert(), nb::arg("budget"),
             "How far everybody is from its goal; empty if the budget ran out.")
        .def("__deepcopy__", [](const Epibt& agents, nb::handle) { return new Epibt(agents); });
    bind_changes(planner);
}

}  // namespace sidestep::bindings
