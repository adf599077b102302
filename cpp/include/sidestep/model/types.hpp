// The numbers that everything else is said in: places, times, agents, and moves between places.
#pragma once

#include <cstdint>
#include <limits>

namespace sidestep {

using Vertex = std::int32_t;
inline constexpr Vertex kNowhere = -1;

using Time = std::int32_t;
inline constexpr Time kForever = std::numeric_limits<Time>::max();
// The latest time that may be named from outside: two such times can be added up.
inline constexpr Time kLatest = Time{1} << 29;

using AgentId = std::int32_t;
inline constexpr AgentId kNobody = -1;

struct Move {
    Vertex from;
    Vertex to;
    bool operator==(const Move&) const = default;
};

}  // namespace sidestep
