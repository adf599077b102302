// Sizes and periods of agents as bodies.
#pragma once

#include <stdexcept>
#include <vector>

#include "arrays.hpp"
#include "sidestep/model/body.hpp"

namespace sidestep::bindings {

inline Body body(const Space& space, std::int32_t size, std::int32_t period) {
    if (size < 1 || period < 1) throw std::invalid_argument("sizes and periods begin at 1");
    if (size > 1 && !space.is_grid())
        throw std::invalid_argument("only on a grid can an agent be larger than a vertex");
    return {size, period, space.is_grid() ? space.width() : 1};
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
