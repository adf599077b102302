// What can happen in a world, as rows of four numbers: time, kind, agent, value.
#pragma once

#include <array>
#include <cstdint>

#include "sidestep/model/event_kinds.hpp"

namespace sidestep {

using Event = std::array<std::int32_t, 4>;  // time, kind, agent, value

// Does it come from outside, so that planners must hear of it and a replay must apply it?
inline bool is_change(const Event& event) { return event[1] < kFirstSeenByWorld; }

}  // namespace sidestep
