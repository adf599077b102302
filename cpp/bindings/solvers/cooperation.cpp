#include "sidestep/solvers/cooperation.hpp"

#include "lease.hpp"
#include "planner.hpp"
#include "sidestep/model/agents.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Cooperation, "Cooperation")

namespace sidestep::bindings {

namespace {

void require_present(const Cooperation& cooperation, AgentId agent) {
    require_agent(cooperation, agent);
    if (cooperation.position(agent) == kNowhere)
        throw std::invalid_argument("agent " + std::to_string(agent) + " is not there");
}

void require_turn(const Cooperation& cooperation, Time now, const IntVector& positions,
                  const IntVector& headings, const IntVector& progress, const IntVector& due,
                  const IntVector& order) {
    require_time(now, "a time");
    if (now < cooperation.reservations().now())
        throw std::invalid_argument("time does not go backwards");
    require_size(headings, positions.size(), "headings");
    require_all_within(view(headings), kNowhere, cooperation.reservations().vertices() - 1,
                       "a heading");
    require_size(progress, positions.size(), "progress");
    require_all_within(view(progress), 0, kLongestPeriod, "progress");
    for (const AgentId agent : view(due)) require_agent(cooperation, agent);
    for (const AgentId agent : view(order)) require_agent(cooperation, agent);
}

bool take(Cooperation& cooperation, AgentId agent, const IntVector& path, bool stays) {
    require_present(cooperation, agent);
    require_path(cooperation.space(), view(path));
    if (!cooperation.body(agent).is_unit())
        throw std::invalid_argument("only an agent of one cell and turn takes a path");
    if (path(0) != cooperation.position(agent))
        throw std::invalid_argument("a path begins where its agent is");
    return cooperation.take(agent, view(path), stays);
}

bool think(Cooperation& cooperation, Time now, const IntVector& positions,
           const IntVector& headings, const IntVector& progress, const IntVector& due,
           const IntVector& order, WatchedBudget& budget) {
    require_turn(cooperation, now, positions, headings, progress, due, order);
    require_positions(cooperation, positions);
    return budget.run([&](Budget& b) {
        return cooperation.think(now, view(positions), view(due), b,
                                 {view(headings), view(progress)}, view(order));
    });
}

IntVectorOut turn(Cooperation& cooperation, Time now, const IntVector& positions,
                  const IntVector& headings, const IntVector& progress, const IntVector& due,
                  const IntVector& order, WatchedBudget& budget) {
    require_turn(cooperation, now, positions, headings, progress, due, order);
    return next_moves(cooperation, positions, budget, [&](Budget& b, std::span<Vertex> moves) {
        cooperation.turn(now, view(positions), view(due), b, moves,
                         {view(headings), view(progress)}, view(order));
    });
}

}  // namespace

void bind_cooperation(nb::module_& m) {
    nb::class_<Cooperation> planner(
        m, "Cooperation", "Agents that plan one after another around each other's reservations.");
    planner
        .def(
            "__init__",
            [](Cooperation* self, const Space& space, const Rules& rules, const Agents& agents,
               Time window, bool exact, bool hold_goals) {
                require_agents(space, agents);
                require_time(window, "a window");
                new (self) Cooperation(space, rules, {window, exact, hold_goals}, agents.positions,
                                       agents.goals, agents.priorities, agents.bodies);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(), nb::arg("window"),
            nb::arg("exact"), nb::arg("hold_goals"))
        .def(
            "plan",
            [](Cooperation& cooperation, AgentId agent, WatchedBudget& budget) {
                require_present(cooperation, agent);
                return budget.run([&](Budget& b) { return cooperation.plan(agent, b); });
            },
            nb::arg("agent"), nb::arg("budget"), "Plans one agent and reserves its path.")
        .def(
            "plan_simply",
            [](Cooperation& cooperation, AgentId agent, WatchedBudget& budget) {
                require_present(cooperation, agent);
                if (!cooperation.body(agent).is_unit())
                    throw std::invalid_argument("only an agent of one cell and turn plans simply");
                return budget.run([&](Budget& b) { return cooperation.plan_simply(agent, b); });
            },
            nb::arg("agent"), nb::arg("budget"),
            "The path it would take alone, or that with one wait, or else a search's.")
        .def("take", &take, nb::arg("agent"), nb::arg("path").noconvert(), nb::arg("stays"),
             "Reserves a path that the agent found elsewhere; False: it collides with others.")
        .def("clear", &Cooperation::clear, "Forgets all paths.")
        .def("path", &path_of<Cooperation>)
        .def("turn", &turn, nb::arg("now"), nb::arg("positions").noconvert(),
             nb::arg("headings").noconvert(), nb::arg("progress").noconvert(),
             nb::arg("due").noconvert(), nb::arg("order").noconvert(), nb::arg("budget"),
             "One turn: who has lost its path plans, by `order`, then who is due; returns where "
             "everybody goes next.")
        .def("think", &think, nb::arg("now"), nb::arg("positions").noconvert(),
             nb::arg("headings").noconvert(), nb::arg("progress").noconvert(),
             nb::arg("due").noconvert(), nb::arg("order").noconvert(), nb::arg("budget"),
             "The same ahead of a turn, as far as the budget goes; whether nobody is left to plan.")
        .def("distances", &distances<Cooperation>, nb::arg("budget"))
        .def_prop_ro("distance_bytes", &Cooperation::distance_bytes)
        .def("__deepcopy__", [](const Cooperation& cooperation, nb::handle) {
            return new Cooperation(cooperation);
        });
    bind_changes(planner);
}

}  // namespace sidestep::bindings
