#include "sidestep/cbs/symmetry.hpp"

#include <algorithm>

namespace sidestep::cbs {

namespace {

bool has_arrived(const Instance& instance, Traveller traveller, Time t) {
    return !instance.is_idle(traveller.agent) && t >= static_cast<Time>(traveller.path.size()) - 1;
}

}  // namespace

bool is_target(const Instance& instance, const Conflict& conflict, Traveller a, Traveller b) {
    if (instance.rules.disappear || !instance.counts_every_step()) return false;
    if (conflict.reason != Reason::vertex && conflict.reason != Reason::stop) return false;
    return has_arrived(instance, a, conflict.time) || has_arrived(instance, b, conflict.time);
}

Split target_split(const Instance& instance, const Conflict& conflict, Traveller a, Traveller b) {
    const Time t = conflict.time;
    const bool is_first = has_arrived(instance, a, t);
    const Vertex goal = instance.goals[is_first ? a.agent : b.agent];
    Split split;
    (is_first ? split.first : split.second).push_back(Constraint::later(t));
    (is_first ? split.second : split.first).push_back(Constraint::avoid(goal, t, kForever));
    return split;
}

}  // namespace sidestep::cbs
