// Conflicts between the paths of several agents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/space.hpp"
#include "sidestep/spacetime/reservations.hpp"

namespace sidestep {

enum class ConflictKind : std::int32_t { vertex = 0, swap = 1, crossing = 2, following = 3 };

struct Conflict {
    Time time;  // of the vertex, or of the beginning of the step
    ConflictKind kind;
    AgentId first, second;  // first < second
    Vertex place;           // where `first` is at `time`
};

// All conflicts between paths that begin at the same time, ordered by time and agents. An agent
// stays at the end of its path, or is gone after it if agents disappear.
std::vector<Conflict> find_conflicts(const Space& space, const Rules& rules,
                                     std::span<const std::span<const Vertex>> paths);

}  // namespace sidestep
