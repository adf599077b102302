// Checks the parameters of guidance, for the bindings of all planners that are guided.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "sidestep/model/agents.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/solvers/guidance.hpp"

namespace sidestep::bindings {

// The widest window and the dearest collision; Python's parameters name the same.
inline constexpr std::int32_t kWidestWindow = 64, kDearestCollision = 16;

// -1 chooses what suits this space and these agents.
inline Guidance::Options guidance_options(const Space& space, const Agents& agents,
                                          std::int32_t window, std::int32_t collision) {
    if (window < Guidance::kAuto || window > kWidestWindow)
        throw std::invalid_argument("a window of guidance is from 0 to 64 steps long, or -1");
    if (collision < Guidance::kAuto || collision > kDearestCollision)
        throw std::invalid_argument("a collision costs from 0 to 16, or -1");
    const auto places = std::count(space.open().begin(), space.open().end(), 1);
    return Guidance::chosen({window, collision}, static_cast<std::int64_t>(agents.size()), places);
}

}  // namespace sidestep::bindings
