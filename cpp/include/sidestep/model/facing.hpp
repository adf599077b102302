// Which way an agent looks that has to turn before it goes another way, on a 4-connected grid.
//
// Such an agent goes straight ahead, or turns by a quarter where it stands, or waits. Whatever it
// does, it is in its place: who collides with it depends on places alone.
#pragma once

#include <array>
#include <cstdint>

#include "sidestep/model/archive.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

using Facing = std::int32_t;             // 0 up, 1 right, 2 down, 3 left
inline constexpr Facing kNoFacing = -1;  // of an agent that goes any way without turning
inline constexpr std::int32_t kFacings = 4;

// What is proposed instead of a vertex to turn an agent.
inline constexpr Vertex kTurnRight = -2, kTurnLeft = -3;

inline Facing to_the_right(Facing facing) { return (facing + 1) % kFacings; }
inline Facing to_the_left(Facing facing) { return (facing + kFacings - 1) % kFacings; }

// The place straight ahead; kNowhere if it cannot be entered.
inline Vertex ahead(const Space& space, Vertex v, Facing facing) {
    const std::array<std::int32_t, kFacings> offsets{-space.width(), 1, space.width(), -1};
    const Vertex target = v + offsets[facing];
    return space.connects(v, target) ? target : kNowhere;
}

inline void require_saved_facing(const Space& space, Facing facing) {
    require_saved(facing >= kNoFacing && facing < kFacings, "a facing");
    require_saved(facing == kNoFacing || space.is_four_connected(), "a facing");
}

}  // namespace sidestep
