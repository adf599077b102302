#include "sidestep/solvers/cooperation.hpp"

#include "arrays.hpp"
#include "bodies.hpp"
#include "budget.hpp"

namespace sidestep::bindings {

namespace {

void require_agent(const Cooperation& cooperation, AgentId agent) {
    if (agent < 0 || agent >= cooperation.size())
        throw std::invalid_argument("there is no agent " + std::to_string(agent));
}

IntVectorOut turn(Cooperation& cooperation, Time now, const IntVector& positions,
                  const IntVector& progress, const IntVector& due, WatchedBudget& budget) {
    const auto count = static_cast<std::size_t>(cooperation.size());
    require_size(positions, count, "positions");
    require_size(progress, count, "progress");
    for (const AgentId agent : view(due)) require_agent(cooperation, agent);
    auto moves = std::make_unique_for_overwrite<std::int32_t[]>(count);
    budget.run([&](Budget& b) {
        cooperation.turn(now, view(positions), view(due), b, {moves.get(), count}, view(progress));
        return 0;
    });
    return give<IntVectorOut>(std::move(moves), {count});
}

// The distances of all agents to their goals, each by itself, -1 if there is no way; empty if the
// budget ran out.
IntVectorOut distances(Cooperation& cooperation, WatchedBudget& budget) {
    std::vector<std::int32_t> costs(cooperation.size());
    budget.run([&](Budget& b) {
        for (AgentId a = 0; a < cooperation.size(); ++a) {
            costs[a] = cooperation.distance(a, b);
            if (costs[a] == kNotReady) return costs.clear(), 0;
            if (costs[a] >= kUnreachable) costs[a] = -1;
        }
        return 0;
    });
    return copy_out(costs);
}

}  // namespace

void bind_cooperation(nb::module_& m) {
    nb::class_<Cooperation>(m, "Cooperation",
                            "Agents that plan one after another around each other's reservations.")
        .def(
            "__init__",
            [](Cooperation* self, const Space& space, const Rules& rules,
               const IntVector& positions, const IntVector& goals, const IntVector& priorities,
               const IntVector& sizes, const IntVector& periods, Time window, bool exact,
               bool hold_goals) {
                require_size(goals, positions.size(), "goals");
                require_size(priorities, positions.size(), "priorities");
                new (self) Cooperation(space, rules, {window, exact, hold_goals}, view(positions),
                                       view(goals), view(priorities),
                                       bodies(space, sizes, periods, positions.size()));
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("positions").noconvert(),
            nb::arg("goals").noconvert(), nb::arg("priorities").noconvert(),
            nb::arg("sizes").noconvert(), nb::arg("periods").noconvert(), nb::kw_only(),
            nb::arg("window"), nb::arg("exact"), nb::arg("hold_goals"))
        .def(
            "plan",
            [](Cooperation& cooperation, AgentId agent, WatchedBudget& budget) {
                require_agent(cooperation, agent);
                return budget.run([&](Budget& b) { return cooperation.plan(agent, b); });
            },
            nb::arg("agent"), nb::arg("budget"), "Plans one agent and reserves its path.")
        .def(
            "plan_simply",
            [](Cooperation& cooperation, AgentId agent, WatchedBudget& budget) {
                require_agent(cooperation, agent);
                return budget.run([&](Budget& b) { return cooperation.plan_simply(agent, b); });
            },
            nb::arg("agent"), nb::arg("budget"),
            "The path it would take alone, or that with one wait, or else a search's.")
        .def("clear", &Cooperation::clear, "Forgets all paths.")
        .def("path",
             [](const Cooperation& cooperation, AgentId agent) {
                 require_agent(cooperation, agent);
                 return copy_out(cooperation.path(agent));
             })
        .def("turn", &turn, nb::arg("now"), nb::arg("positions").noconvert(),
             nb::arg("progress").noconvert(), nb::arg("due").noconvert(), nb::arg("budget"),
             "One turn: who is due or has lost its path plans; returns where everybody goes next.")
        .def("distances", &distances, nb::arg("budget"))
        .def("set_open", &Cooperation::set_open, nb::arg("vertex"), nb::arg("open"), nb::arg("now"))
        .def("set_goal", &Cooperation::set_goal, nb::arg("agent"), nb::arg("goal"))
        .def("set_priority", &Cooperation::set_priority, nb::arg("agent"), nb::arg("priority"))
        .def(
            "add_agent",
            [](Cooperation& cooperation, Vertex position, Vertex goal, std::int32_t priority,
               std::int32_t size, Time period) {
                return cooperation.add_agent(position, goal, priority,
                                             body(cooperation.space(), size, period));
            },
            nb::arg("position"), nb::arg("goal"), nb::arg("priority"), nb::arg("size"),
            nb::arg("period"))
        .def("remove_agent", &Cooperation::remove_agent, nb::arg("agent"))
        .def_prop_ro("distance_bytes", &Cooperation::distance_bytes)
        .def("__deepcopy__", [](const Cooperation& cooperation, nb::handle) {
            return new Cooperation(cooperation);
        });
}

}  // namespace sidestep::bindings
