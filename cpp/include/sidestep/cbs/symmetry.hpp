// Symmetries of two agents (Li, Harabor, Stuckey, Ma and Koenig 2021): conflicts that a split by
// one place and one time would leave standing a step later or beside it, settled at once.
#pragma once

#include "sidestep/cbs/conflicts.hpp"
#include "sidestep/cbs/instance.hpp"

namespace sidestep::cbs {

// Target: one agent passes the goal of another that has arrived there for good. Either the other
// arrives later than that, or nobody passes its goal from then on. Only where agents stay on their
// goals and every step counts: else an agent may step off its goal at little cost and come back.
bool is_target(const Instance& instance, const Conflict& conflict, Traveller a, Traveller b);
// The side of the agent whose goal it is has a `later`, that of the other is to avoid the goal.
Split target_split(const Instance& instance, const Conflict& conflict, Traveller a, Traveller b);

}  // namespace sidestep::cbs
