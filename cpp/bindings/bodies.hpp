// Sizes and periods of agents as bodies.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "sidestep/model/body.hpp"
#include "sidestep/model/facing.hpp"

namespace sidestep::bindings {

inline Body body(const Space& space, std::int32_t size, std::int32_t period) {
    require_within(period, 1, kLongestPeriod, "a period");
    if (size > 1 && !space.is_grid())
        throw std::invalid_argument("only on a grid can an agent be larger than a vertex");
    const std::int32_t width = space.is_grid() ? space.width() : 1;
    require_within(size, 1, std::max(width, space.size() / width), "a size");
    return {size, period, width};
}

// A place where no part of the agent is outside of the grid.
inline void require_place(const Space& space, Vertex v, const Body& body) {
    require_vertex(space, v);
    if (body.size == 1) return;
    const std::int32_t height = space.size() / space.width();
    if (space.row(v) + body.size > height || space.col(v) + body.size > space.width())
        throw std::invalid_argument("an agent of this size at vertex " + std::to_string(v) +
                                    " leaves the grid");
}

// Agents turn only where there are four ways to look, and if they are of one cell and turn.
inline void require_facing(const Space& space, const Body& body, Facing facing) {
    require_within(facing, kNoFacing, kFacings - 1, "a facing");
    if (facing != kNoFacing && (!space.is_four_connected() || !body.is_unit()))
        throw std::invalid_argument(
            "agents of one cell and turn have a facing, on 4-connected grids");
}

inline std::vector<Body> bodies(const Space& space, const IntVector& sizes,
                                const IntVector& periods, std::size_t agents) {
    require_size(sizes, agents, "sizes");
    require_size(periods, agents, "periods");
    std::vector<Body> all;
    for (std::size_t a = 0; a < agents; ++a)
        all.push_back(body(space, view(sizes)[a], view(periods)[a]));
    return all;
}

}  // namespace sidestep::bindings
