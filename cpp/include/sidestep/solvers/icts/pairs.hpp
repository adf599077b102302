// What two agents leave each other: the nodes of their decision diagrams that take part in some
// way for both (the enhanced pairwise pruning of ICTS; Sharon, Stern, Goldenberg and Felner 2013).
#pragma once

#include <cstdint>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/solvers/icts/cost_diagram.hpp"
#include "sidestep/spacetime/search.hpp"

namespace sidestep::icts {

// 1 per node of each diagram that some collision-free pair of paths uses.
struct Survivors {
    std::vector<std::uint8_t> first, second;
};

// no_path: there is no such pair. The search visits all joint states of the two, both ways.
Outcome find_survivors(const Space& space, const Rules& rules, const CostDiagram& first,
                       const CostDiagram& second, Budget& budget, Survivors& survivors);

// The joint states that such a search may have to visit.
std::int64_t joint_states(const CostDiagram& first, const CostDiagram& second);

}  // namespace sidestep::icts
