// The world: the truth about positions, walls, goals and time. Planners propose; the guard
// disposes; everything that happens is recorded, so that a run can be replayed and judged.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sidestep/guard.hpp"
#include "sidestep/reservations.hpp"
#include "sidestep/space.hpp"

namespace sidestep {

// The same numbers as sidestep.EventKind in Python.
enum class EventKind : std::int32_t {
    goal = 0,
    block = 1,
    free = 2,
    add = 3,
    remove = 4,
    priority = 5,
    sync = 6,
    arrived = 16,
    left = 17,
    trapped = 18,
    displaced = 19,
    refused = 32,
    late = 33,
    raised = 34,
};

using Event = std::array<std::int32_t, 4>;  // time, kind, agent, value

class World {
  public:
    // `keep`: how many turns the record must reach back; 0 for all.
    World(Space space, Rules rules, Time time, std::span<const Vertex> positions,
          std::span<const Vertex> goals, std::span<const std::int32_t> priorities, Time keep);

    // One turn. No targets: everybody waits. Returns how many moves were refused.
    std::int32_t advance(std::span<const Vertex> targets);
    void record_fault(EventKind kind) { record(kind, kNobody, kNowhere); }

    void set_goal(AgentId agent, Vertex goal);
    void set_open(Vertex v, bool open);
    void set_priority(AgentId agent, std::int32_t priority);
    AgentId add(Vertex position);  // idle, priority 0
    void remove(AgentId agent);
    void sync(AgentId agent, Vertex position);

    Time time() const { return state_.time; }
    std::int32_t unfinished() const { return unfinished_; }
    const Space& space() const { return space_; }
    bool is_open(Vertex v) const { return space_.is_open(v); }
    AgentId occupant(Vertex v) const;
    // A present agent with this goal, other than `except`; or kNobody.
    AgentId bound_for(Vertex goal, AgentId except) const;
    std::span<const Vertex> positions() const { return state_.positions; }
    std::span<const Vertex> goals() const { return state_.goals; }
    std::span<const std::int32_t> priorities() const { return state_.priorities; }

    // The record: rows of positions (agents added later are missing at the end of earlier rows),
    // the events, and the state at the time of the first row, before its changes.
    struct State {
        Time time = 0;
        std::vector<std::uint8_t> open;
        std::vector<Vertex> positions;
        std::vector<Vertex> goals;
        std::vector<std::int32_t> priorities;
    };
    const State& first_state() const { return first_; }
    const std::vector<std::vector<Vertex>>& rows() const { return rows_; }
    // The events from the given one on, counted since the world began.
    std::span<const Event> events(std::size_t since = 0) const {
        const std::size_t known = since > forgotten_ ? since - forgotten_ : 0;
        return std::span(events_).subspan(std::min(known, events_.size()));
    }
    std::size_t event_count() const { return forgotten_ + events_.size(); }

  private:
    void record(EventKind kind, AgentId agent, std::int32_t value) {
        events_.push_back({state_.time, static_cast<std::int32_t>(kind), agent, value});
    }
    bool on_goal(AgentId agent) const {
        const Vertex here = state_.positions[agent];
        return here != kNowhere && here == state_.goals[agent];
    }
    void count(AgentId agent);
    void notice(AgentId agent);
    void forget();

    Space space_;
    Rules rules_;
    State state_;  // as of now
    std::vector<Vertex> targets_;
    std::vector<std::uint8_t> finished_;  // gone, on its goal, or without one
    std::int32_t unfinished_ = 0;
    Guard guard_;

    Time keep_;
    State first_, later_;  // `later_` becomes the first state when the record is cut
    std::size_t later_events_ = 0;
    std::vector<std::vector<Vertex>> rows_;  // up to now, which is not among them
    std::vector<Event> events_;
    std::size_t forgotten_ = 0;  // events that are no longer in the record
};

}  // namespace sidestep
