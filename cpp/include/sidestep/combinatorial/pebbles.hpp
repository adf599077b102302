// Agents that can never be served, found without a search: pebble motion on trees (Kornhauser,
// Miller and Spirakis 1984; Auletta, Monti, Parente and Persiano 1999), on rings, and where there
// is no room at all but around loops.
//
// On a tree nobody can go around anybody, so moves at the same time can as well be made one after
// another, and be taken back: what can be reached is an equivalence. Both the starts and the goals
// are therefore brought into one arrangement, all agents at the leaves. Agents that can change
// places there are one class, and there is a plan exactly if both arrangements have the same agents
// in every class.
#pragma once

#include <optional>
#include <span>

#include "sidestep/model/budget.hpp"
#include "sidestep/model/components.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

enum class Trap : std::uint8_t { full, ring, tree, bridge, odd };

struct Stuck {
    AgentId agent;
    Trap trap;  // what kind of place it cannot pass the others in
};

// An agent for which there is no plan together with the others around it. Nobody: there is a plan,
// or it is not as easy as that, or the budget ended. All components are known, every goal can be
// reached from its start, and agents stay there; a goal of kNowhere is none. Takes time only for
// components that have agents and are trees, rings or full.
std::optional<Stuck> find_stuck(const Components& components, const Rules& rules,
                                std::span<const Vertex> starts, std::span<const Vertex> goals,
                                Budget& budget);

}  // namespace sidestep
