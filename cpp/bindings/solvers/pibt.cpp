#include "sidestep/solvers/pibt.hpp"

#include "guidance.hpp"
#include "lease.hpp"
#include "planner.hpp"
#include "sidestep/model/agents.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Pibt, "Pibt")

namespace sidestep::bindings {

namespace {

constexpr std::int32_t kMostEffort = 1'000'000;  // nodes per agent and turn

// Lanes of opposite directions, if it costs more than 1 to go against them.
std::optional<StepCosts> lanes(const Space& space, std::int32_t against) {
    if (against == 1) return std::nullopt;
    if (!space.is_grid()) throw std::invalid_argument("only grids have lanes");
    return crisscross(space, against);
}

IntVectorOut turn(Pibt& agents, const IntVector& positions, WatchedBudget& budget) {
    return next_moves(agents, positions, budget, [&](Budget& b, std::span<Vertex> moves) {
        agents.turn(view(positions), b, moves);
    });
}

IntVectorOut distances_from(Pibt& agents, const IntVector& positions, WatchedBudget& budget) {
    require_size(positions, static_cast<std::size_t>(agents.size()), "positions");
    for (const Vertex v : view(positions)) require_vertex(agents.space(), v);
    return distances_of(agents.size(), budget, [&](AgentId agent, Budget& b) {
        return agents.distance(agent, view(positions)[agent], b);
    });
}

}  // namespace

void bind_pibt(nb::module_& m) {
    nb::class_<Pibt> planner(m, "Pibt", "Agents that make each other decide, one step at a time.");
    planner
        .def(
            "__init__",
            [](Pibt* self, const Space& space, const Rules& rules, const Agents& agents,
               bool hindrance, bool swap, std::int32_t guide, std::int32_t collision_cost,
               std::int32_t horizon, std::int32_t effort, std::int32_t crisscross,
               std::uint64_t seed) {
                require_unit_agents(space, agents);
                require_within(horizon, 0, kWidestWindow, "a horizon");
                require_within(effort, 0, kMostEffort, "an effort");
                require_within(crisscross, 1, StepCosts::kDearest, "a step against the others");
                new (self) Pibt(space, rules, agents, {hindrance, swap},
                                guidance_options(space, agents, guide, collision_cost),
                                {horizon, effort}, lanes(space, crisscross), seed);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(),
            nb::arg("hindrance"), nb::arg("swap"), nb::arg("guide"), nb::arg("collision_cost"),
            nb::arg("horizon"), nb::arg("effort"), nb::arg("crisscross"), nb::arg("seed"))
        .def("turn", &turn, nb::arg("positions").noconvert(), nb::arg("budget"),
             "Where everybody goes next.")
        .def("distances", &distances_from, nb::arg("positions").noconvert(), nb::arg("budget"),
             "How far everybody is from its goal; empty if the budget ran out.")
        .def("__deepcopy__", [](const Pibt& agents, nb::handle) { return new Pibt(agents); });
    bind_changes(planner);
}

}  // namespace sidestep::bindings
