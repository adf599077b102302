#include "sidestep/world/guard.hpp"

#include <algorithm>
#include <stdexcept>

#include "sidestep/model/collision.hpp"

namespace sidestep {

std::span<const AgentId> Guard::check(const Space& space, const Rules& rules,
                                      std::span<const Vertex> positions,
                                      std::span<const std::int32_t> priorities,
                                      std::span<Vertex> targets) {
    everybody_.clear();
    for (AgentId a = 0; a < static_cast<AgentId>(positions.size()); ++a) {
        if (positions[a] == kNowhere)
            targets[a] = kNowhere;  // who is not there goes nowhere, whatever was proposed
        else
            everybody_.push_back(a);
    }
    return check(space, rules, positions, priorities, targets, everybody_);
}

std::span<const AgentId> Guard::check(const Space& space, const Rules& rules,
                                      std::span<const Vertex> positions,
                                      std::span<const std::int32_t> priorities,
                                      std::span<Vertex> targets, std::span<const AgentId> present) {
    positions_ = positions;
    priorities_ = priorities;
    targets_ = targets;
    refused_.clear();
    occupant_.prepare(space.size());
    claimant_.prepare(space.size());
    bool apart = true;
    for (const AgentId a : present) {
        apart = apart && occupant_[positions[a]] == kNobody;
        occupant_.set(positions[a], a);
    }
    if (!apart) {
        for (const AgentId a : present) occupant_.set(positions[a], kNobody);
        throw std::invalid_argument("two agents are in the same place");
    }

    for (const AgentId a : present)
        if (!is_possible(space, rules, a)) refuse(a);
    for (const AgentId a : present) {
        AgentId b;  // one rival after another, until none is left or this one waits
        while ((b = collides_on_the_way(space, rules, a)) != kNobody)
            refuse(goes_first(a, b) ? b : a);
    }
    // Who stays has its place for certain; then the movers, who may lose theirs to each other.
    for (const AgentId a : present)
        if (targets[a] == positions[a]) claimant_.set(targets[a], a);
    for (const AgentId a : present)
        if (targets[a] != kNowhere && targets[a] != positions[a]) claim(a);

    for (const AgentId a : present) {
        if (targets[a] != kNowhere) claimant_.set(targets[a], kNobody);
        occupant_.set(positions[a], kNobody);
        claimant_.set(positions[a], kNobody);
    }
    return refused_;
}

bool Guard::goes_first(AgentId a, AgentId b) const {
    if (priorities_[a] != priorities_[b]) return priorities_[a] > priorities_[b];
    return a < b;
}

bool Guard::is_possible(const Space& space, const Rules& rules, AgentId agent) const {
    const Vertex from = positions_[agent], to = targets_[agent];
    if (from == kNowhere || to == kNowhere || from == to) return true;
    if (!space.contains(to) || !space.connects(from, to)) return false;
    return rules.following || occupant_[to] == kNobody;
}

// Where everybody wants to go, as things stand.
struct Guard::Wishes {
    const Guard& guard;
    struct Other {
        AgentId agent;
        Vertex target;
        bool goes(Vertex v) const { return target == v; }
    };
    template <class Wanted>
    bool any_before(Vertex v, Wanted&& wanted) const {
        const AgentId there = guard.occupant_[v];
        return there != kNobody && wanted(Other{there, guard.targets_[there]});
    }
};

// The first agent that `agent` would swap places with or cross, or kNobody. Who would follow where
// that is forbidden has been refused.
AgentId Guard::collides_on_the_way(const Space& space, const Rules& rules, AgentId agent) const {
    const Vertex from = positions_[agent], to = targets_[agent];
    if (from == kNowhere || to == kNowhere || from == to) return kNobody;
    AgentId found = kNobody;
    any_on_the_way(space, rules, {from, to}, Wishes{*this},
                   [&](CollisionKind, const Wishes::Other& other) {
                       found = other.agent;
                       return true;
                   });
    return found;
}

void Guard::claim(AgentId agent) {
    const AgentId rival = claimant_[targets_[agent]];
    if (rival == kNobody)
        claimant_.set(targets_[agent], agent);
    else if (targets_[rival] == positions_[rival] || goes_first(rival, agent))
        refuse(agent);
    else {
        claimant_.set(targets_[agent], agent);
        refuse(rival);
    }
}

// The agent stays, so the one that was to have its place stays too, and so on down the line.
void Guard::refuse(AgentId agent) {
    while (agent != kNobody) {
        refused_.push_back(agent);
        const Vertex here = targets_[agent] = positions_[agent];
        const AgentId behind = claimant_[here];
        claimant_.set(here, agent);
        agent = behind == agent ? kNobody : behind;
    }
}

}  // namespace sidestep
