// Conflicts between the paths of several agents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/model/collision.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

struct Conflict {
    Time time;  // of the vertex, or of the beginning of the step
    CollisionKind kind;
    AgentId first, second;  // first < second
    Vertex place;           // where `first` is at `time`
};

// All conflicts between paths that begin at the same time, ordered by time and agents. An agent
// stays at the end of its path, or is gone after it if agents disappear. If the budget ends, only
// those up to some time.
std::vector<Conflict> find_conflicts(const Space& space, const Rules& rules,
                                     std::span<const std::span<const Vertex>> paths,
                                     Budget& budget);
inline std::vector<Conflict> find_conflicts(const Space& space, const Rules& rules,
                                            std::span<const std::span<const Vertex>> paths) {
    Budget unlimited;
    return find_conflicts(space, rules, paths, unlimited);
}

}  // namespace sidestep
