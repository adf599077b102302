// What bindings of many agents share: who there is, where everybody goes in a turn, the path of
// one, and how far all are from their goals. `Agents` has size(), and what a function asks of it.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "bodies.hpp"
#include "budget.hpp"
#include "sidestep/distance/distance.hpp"
#include "sidestep/model/agents.hpp"

namespace sidestep::bindings {

template <class Agents>
void require_agent(const Agents& agents, AgentId agent) {
    if (agent < 0 || agent >= static_cast<AgentId>(agents.size()))
        throw std::invalid_argument("there is no agent " + std::to_string(agent));
}

// Some of the agents, nobody twice.
template <class Agents>
void require_distinct(const Agents& agents, std::span<const AgentId> some) {
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(agents.size()), 0);
    for (const AgentId agent : some) {
        require_agent(agents, agent);
        if (seen[agent]++) throw std::invalid_argument("an agent is named twice");
    }
}

// A table of agents that was made for this space, or for one like it.
inline void require_agents(const Space& space, const Agents& agents) {
    for (std::size_t a = 0; a < agents.size(); ++a) {
        const Body& body = agents.bodies[a];
        if (body.size > 1 && (!space.is_grid() || body.width != space.width()))
            throw std::invalid_argument("the agents are of another space");
        if (agents.positions[a] != kNowhere) require_place(space, agents.positions[a], body);
        require_vertex_or_nowhere(space, agents.goals[a]);
        require_facing(space, body, agents.facings[a]);
    }
}

// The same for a planner that knows only agents of one cell that move every turn.
inline void require_unit_agents(const Space& space, const Agents& agents) {
    require_agents(space, agents);
    for (const Body& body : agents.bodies)
        if (!body.is_unit())
            throw std::invalid_argument("this planner takes agents of one cell and turn");
}

// Everybody begins in an open place of its own, and goes to an open one, if anywhere.
inline void require_apart(const Space& space, const Agents& agents) {
    std::vector<Vertex> starts = agents.positions;
    std::sort(starts.begin(), starts.end());
    if (std::adjacent_find(starts.begin(), starts.end()) != starts.end())
        throw std::invalid_argument("two agents are in the same place");
    const auto is_open = [&](Vertex v) { return v != kNowhere && space.is_open(v); };
    const auto may_be_goal = [&](Vertex v) { return v == kNowhere || space.is_open(v); };
    if (!std::ranges::all_of(starts, is_open) || !std::ranges::all_of(agents.goals, may_be_goal))
        throw std::invalid_argument("starts and goals must be open places");
}

// A start for every agent, and a goal or -1.
inline void require_places(const Space& space, const IntVector& starts, const IntVector& goals) {
    require_size(goals, starts.size(), "goals");
    for (const Vertex v : view(starts)) require_vertex(space, v);
    for (const Vertex v : view(goals)) require_vertex_or_nowhere(space, v);
}

template <class Agents>
IntVectorOut path_of(const Agents& agents, AgentId agent) {
    require_agent(agents, agent);
    return copy_out(agents.path(agent));
}

// The distances of all agents to their goals, each by itself, as distance(agent, budget) has them:
// -1 if there is no way; empty if the budget ran out.
template <class Distance>
IntVectorOut distances_of(std::int32_t agents, WatchedBudget& budget, Distance&& distance) {
    std::vector<std::int32_t> costs(static_cast<std::size_t>(agents));
    budget.run([&](Budget& b) {
        for (AgentId a = 0; a < agents; ++a) {
            costs[a] = distance(a, b);
            if (costs[a] == kNotReady) return costs.clear(), 0;
            if (costs[a] >= kUnreachable) costs[a] = -1;
        }
        return 0;
    });
    return copy_out(costs);
}

template <class Agents>
IntVectorOut distances(Agents& agents, WatchedBudget& budget) {
    return distances_of(agents.size(), budget,
                        [&](AgentId agent, Budget& b) { return agents.distance(agent, b); });
}

}  // namespace sidestep::bindings
