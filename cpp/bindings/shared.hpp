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

template <class Values>
nb::tuple tuple_of(const Values& values) {
    nb::list list;
    for (const auto& value : values) list.append(value);
    return nb::tuple(list);
}

// Pairs of superior and inferior.
inline nb::tuple pairs_of(std::span<const Rank> order) {
    nb::list pairs;
    for (const Rank& rank : order) pairs.append(nb::make_tuple(rank.superior, rank.inferior));
    return nb::tuple(pairs);
}

}  // namespace sidestep::bindings
