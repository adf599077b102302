#include "sidestep/world.hpp"

#include <algorithm>

namespace sidestep {

World::World(Space space, Rules rules, Time time, std::span<const Vertex> positions,
             std::span<const Vertex> goals, std::span<const std::int32_t> priorities, Time keep)
    : space_(std::move(space)), rules_(rules), finished_(positions.size(), 1), keep_(keep) {
    state_.time = time;
    state_.positions.assign(positions.begin(), positions.end());
    state_.goals.assign(goals.begin(), goals.end());
    state_.priorities.assign(priorities.begin(), priorities.end());
    for (Vertex v = 0; v < space_.size(); ++v) state_.open.push_back(space_.is_open(v));
    first_ = state_;
    for (AgentId a = 0; a < static_cast<AgentId>(state_.positions.size()); ++a) count(a);
}

// Brings up to date whether an agent still has somewhere to go.
void World::count(AgentId agent) {
    const bool finished =
        state_.positions[agent] == kNowhere || state_.goals[agent] == kNowhere || on_goal(agent);
    unfinished_ += (finished_[agent] != 0) - finished;
    finished_[agent] = finished;
}

// The same, and reports an agent in a closed place.
void World::notice(AgentId agent) {
    count(agent);
    const Vertex here = state_.positions[agent];
    if (here != kNowhere && !space_.is_open(here)) record(EventKind::trapped, agent, here);
}

std::int32_t World::advance(std::span<const Vertex> targets) {
    const auto count = static_cast<AgentId>(state_.positions.size());
    if (targets.empty()) targets = state_.positions;
    targets_.assign(targets.begin(), targets.end());
    for (AgentId a = 0; a < count; ++a) {
        if (state_.positions[a] == kNowhere || (rules_.disappear && on_goal(a)))
            targets_[a] = kNowhere;
        else if (targets_[a] == kNowhere)
            targets_[a] = space_.size();  // nobody may vanish: no such vertex, so it is refused
    }
    const auto refused =
        guard_.check(space_, rules_, state_.positions, state_.priorities, targets_);
    for (const AgentId a : refused) record(EventKind::refused, a, targets[a]);
    rows_.push_back(state_.positions);
    ++state_.time;
    for (AgentId a = 0; a < count; ++a) {
        const bool was_there = on_goal(a);
        state_.positions[a] = targets_[a];
        notice(a);
        if (on_goal(a) && !was_there) record(EventKind::arrived, a, state_.positions[a]);
        if (was_there && !on_goal(a) && state_.positions[a] != kNowhere)
            record(EventKind::left, a, state_.positions[a]);
    }
    forget();
    return static_cast<std::int32_t>(refused.size());
}

// Drops the older half of the record when it is twice as long as it must be.
void World::forget() {
    if (keep_ == 0) return;
    const auto recorded = static_cast<Time>(rows_.size());
    if (recorded != keep_ && recorded != 2 * keep_) return;
    if (recorded == 2 * keep_) {
        first_ = std::move(later_);
        rows_.erase(rows_.begin(), rows_.begin() + keep_);
        const auto old = static_cast<std::ptrdiff_t>(later_events_ - forgotten_);
        events_.erase(events_.begin(), events_.begin() + old);
        forgotten_ = later_events_;
    }
    later_ = state_;
    later_events_ = event_count();
}

void World::set_goal(AgentId agent, Vertex goal) {
    state_.goals[agent] = goal;
    record(EventKind::goal, agent, goal);
    notice(agent);
}

void World::set_open(Vertex v, bool open) {
    if (space_.is_open(v) == open) return;
    space_.set_open(v, open);
    state_.open[v] = open;
    record(open ? EventKind::free : EventKind::block, kNobody, v);
    const AgentId there = occupant(v);
    if (there != kNobody) notice(there);
}

void World::set_priority(AgentId agent, std::int32_t priority) {
    state_.priorities[agent] = priority;
    record(EventKind::priority, agent, priority);
}

AgentId World::add(Vertex position) {
    const auto agent = static_cast<AgentId>(state_.positions.size());
    state_.positions.push_back(position);
    state_.goals.push_back(kNowhere);
    state_.priorities.push_back(0);
    finished_.push_back(1);
    record(EventKind::add, agent, position);
    return agent;
}

void World::remove(AgentId agent) {
    record(EventKind::remove, agent, state_.positions[agent]);
    state_.positions[agent] = kNowhere;
    notice(agent);
}

void World::sync(AgentId agent, Vertex position) {
    record(EventKind::displaced, agent, state_.positions[agent]);
    state_.positions[agent] = position;
    record(EventKind::sync, agent, position);
    notice(agent);
}

AgentId World::bound_for(Vertex goal, AgentId except) const {
    for (AgentId a = 0; a < static_cast<AgentId>(state_.goals.size()); ++a)
        if (state_.goals[a] == goal && a != except && state_.positions[a] != kNowhere) return a;
    return kNobody;
}

AgentId World::occupant(Vertex v) const {
    const auto found = std::find(state_.positions.begin(), state_.positions.end(), v);
    return found == state_.positions.end() ? kNobody
                                           : static_cast<AgentId>(found - state_.positions.begin());
}

}  // namespace sidestep
