// What the bindings of all planners share that work turn by turn: how they are told of goals,
// walls, priorities, who comes and who goes, how they are asked for a turn, and for distances.
//
// All are told in the same words, whose agents and vertices are checked here; what a planner does
// not want to know (priorities, where a newcomer is) it is not told.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "agents.hpp"
#include "arrays.hpp"
#include "bodies.hpp"
#include "budget.hpp"
#include "saving.hpp"

namespace sidestep::bindings {

template <class Planner>
void set_open(Planner& planner, Vertex v, bool open, Time now) {
    require_vertex(planner.space(), v);
    require_time(now, "a time");
    if constexpr (requires { planner.set_open(v, open, now); })
        planner.set_open(v, open, now);
    else
        planner.set_open(v, open);
}

template <class Planner>
AgentId add_agent(Planner& planner, Vertex position, std::int32_t size, Time period) {
    const Body newcomer = body(planner.space(), size, period);
    if (position != kNowhere) require_place(planner.space(), position, newcomer);
    if constexpr (requires { planner.add_agent(position, newcomer); })
        return planner.add_agent(position, newcomer);
    if (!newcomer.is_unit())
        throw std::invalid_argument("this planner takes agents of one cell and turn");
    if constexpr (requires { planner.add_agent(position); })
        return planner.add_agent(position);
    else
        return planner.add_agent();
}

// Is any of these vertices named twice? Sorting would be a part of a turn that is felt, marks of a
// large map as well.
inline bool has_twice(std::vector<Vertex>& vertices, std::int32_t size) {
    if (static_cast<std::size_t>(size) / 64 > vertices.size()) {
        std::sort(vertices.begin(), vertices.end());
        return std::adjacent_find(vertices.begin(), vertices.end()) != vertices.end();
    }
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(size), 0);
    return std::any_of(vertices.begin(), vertices.end(), [&](Vertex v) { return seen[v]++ != 0; });
}

// Where everybody is, in places where nobody stands on anybody else.
template <class Planner>
void require_positions(const Planner& planner, const IntVector& positions) {
    require_size(positions, static_cast<std::size_t>(planner.size()), "positions");
    const auto body_of = [&](AgentId agent) {
        if constexpr (requires { planner.body(agent); }) return planner.body(agent);
        return Body{};
    };
    const std::span<const Vertex> all = view(positions);
    const Space& space = planner.space();
    std::vector<Vertex> covered;
    covered.reserve(all.size());
    for (AgentId agent = 0; agent < static_cast<AgentId>(all.size()); ++agent) {
        const Vertex here = all[agent];
        if (here == kNowhere) continue;
        const Body body = body_of(agent);
        require_place(space, here, body);
        body.each_cell(here, [&](Vertex v) { covered.push_back(v); });
    }
    if (has_twice(covered, planner.space().size()))
        throw std::invalid_argument("two agents are in the same place");
}

// Where everybody goes next: `take` has the planner fill in the moves.
template <class Planner, class Take>
IntVectorOut next_moves(Planner& planner, const IntVector& positions, WatchedBudget& budget,
                        Take&& take) {
    const auto count = static_cast<std::size_t>(planner.size());
    require_positions(planner, positions);
    auto moves = std::make_unique_for_overwrite<std::int32_t[]>(count);
    budget.run([&](Budget& b) {
        take(b, std::span<Vertex>(moves.get(), count));
        return 0;
    });
    return give<IntVectorOut>(std::move(moves), {count});
}

// Only these agents are left, which keep their order.
template <class Planner>
void forget_all_but(Planner& planner, const IntVector& kept) {
    AgentId before = -1;
    for (const AgentId agent : view(kept)) {
        require_agent(planner, agent);
        if (agent <= before) throw std::invalid_argument("agents are kept in their order");
        before = agent;
    }
    planner.forget_all_but(view(kept));
}

template <class Planner>
void bind_changes(nb::class_<Planner>& planner) {
    if constexpr (requires(const Planner& p, Writer& writer) { p.save(writer); })
        bind_saving(planner);
    if constexpr (requires(Planner p, std::span<const AgentId> kept) { p.forget_all_but(kept); })
        planner.def("forget_all_but", &forget_all_but<Planner>, nb::arg("kept").noconvert(),
                    "The others are gone for good: the kept ones have new numbers.");
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
