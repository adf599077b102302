// What the bindings of all planners share that work turn by turn: how they are told of goals,
// walls, priorities, who comes and who goes, how they are asked for a turn, and for distances.
//
// All are told in the same words, whose agents and vertices are checked here; what a planner does
// not want to know (priorities, where a newcomer is) it is not told.
#pragma once

#include <memory>
#include <span>

#include "agents.hpp"
#include "arrays.hpp"
#include "bodies.hpp"
#include "budget.hpp"

namespace sidestep::bindings {

template <class Planner>
void set_open(Planner& planner, Vertex v, bool open, Time now) {
    require_vertex(planner.space(), v);
    if constexpr (requires { planner.set_open(v, open, now); })
        planner.set_open(v, open, now);
    else
        planner.set_open(v, open);
}

template <class Planner>
AgentId add_agent(Planner& planner, Vertex position, std::int32_t size, Time period) {
    require_vertex_or_nowhere(planner.space(), position);
    const Body newcomer = body(planner.space(), size, period);
    if constexpr (requires { planner.add_agent(position, newcomer); })
        return planner.add_agent(position, newcomer);
    else if constexpr (requires { planner.add_agent(position); })
        return planner.add_agent(position);
    else
        return planner.add_agent();
}

// Where everybody goes next: `take` has the planner fill in the moves.
template <class Planner, class Take>
IntVectorOut next_moves(Planner& planner, const IntVector& positions, WatchedBudget& budget,
                        Take&& take) {
    const auto count = static_cast<std::size_t>(planner.size());
    require_size(positions, count, "positions");
    for (const Vertex v : view(positions)) require_vertex_or_nowhere(planner.space(), v);
    auto moves = std::make_unique_for_overwrite<std::int32_t[]>(count);
    budget.run([&](Budget& b) {
        take(b, std::span<Vertex>(moves.get(), count));
        return 0;
    });
    return give<IntVectorOut>(std::move(moves), {count});
}

template <class Planner>
void bind_changes(nb::class_<Planner>& planner) {
    planner
        .def(
            "set_goal",
            [](Planner& self, AgentId agent, Vertex goal) {
                require_agent(self, agent);
                require_vertex_or_nowhere(self.space(), goal);
                self.set_goal(agent, goal);
            },
            nb::arg("agent"), nb::arg("goal"))
        .def("set_open", &set_open<Planner>, nb::arg("vertex"), nb::arg("open"), nb::arg("now"))
        .def(
            "set_priority",
            [](Planner& self, AgentId agent, std::int32_t priority) {
                require_agent(self, agent);
                if constexpr (requires { self.set_priority(agent, priority); })
                    self.set_priority(agent, priority);
            },
            nb::arg("agent"), nb::arg("priority"))
        .def("add_agent", &add_agent<Planner>, nb::arg("position"), nb::arg("size"),
             nb::arg("period"), "An idle agent of priority 0.")
        .def(
            "remove_agent",
            [](Planner& self, AgentId agent) {
                require_agent(self, agent);
                if constexpr (requires { self.remove_agent(agent); }) self.remove_agent(agent);
            },
            nb::arg("agent"));
}

}  // namespace sidestep::bindings
