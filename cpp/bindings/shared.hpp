// Types that functions in several files take, and that serve one call at a time.
#pragma once

#include "agents.hpp"
#include "lease.hpp"
#include "sidestep/dialogue/channel.hpp"
#include "sidestep/dialogue/told_paths.hpp"
#include "sidestep/spacetime/reservations.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::ToldPaths, "ToldPaths")
SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Channel, "Channel")
SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Reservations, "Reservations")

namespace sidestep::bindings {

inline void require_told(const ToldPaths& told_paths, AgentId agent) {
    require_agent(told_paths, agent);
    if (told_paths.position(agent) == kNowhere || told_paths.path(agent).empty())
        throw std::invalid_argument("agent " + std::to_string(agent) + " has told no path");
}

}  // namespace sidestep::bindings
