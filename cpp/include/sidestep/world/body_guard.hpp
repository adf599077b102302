// The guard among agents of different sizes and speeds: of the moves that a planner proposes, lets
// a safe set happen and makes the rest wait.
//
// What an agent holds next follows from what it does: who waits holds its place, who is in the
// middle of a move both ends of it, who arrives or moves in one turn the new place. If all wait,
// nobody overlaps, so refusing one after another ends in a safe set.
#pragma once

#include <span>
#include <vector>

#include "sidestep/model/body.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"
#include "sidestep/world/agent_at.hpp"

namespace sidestep {

// One agent in one turn: where it is, what it is in the middle of, and where it wants to go.
struct Stride {
    Body body;
    const Space* places;        // where it fits
    Vertex position, target;    // kNowhere as a target: it leaves the space
    Vertex heading = kNowhere;  // where the move under way leads
    Time progress = 0;          // turns of it that are over
    std::int32_t priority = 0;

    bool moves() const { return position != kNowhere && target != kNowhere && target != position; }
    // How many turns of the move are over after this one.
    Time next_progress() const { return target == heading ? progress + 1 : 1; }
    bool arrives() const { return next_progress() >= body.period; }
};

class BodyGuard {
  public:
    // Turns targets into where agents may go: there, or where they stand. Agents that wait or are
    // in the middle of a move go before those that begin one; else the higher priority, else the
    // lower index. Returns the agents that were refused; the span holds until the next call.
    std::span<const AgentId> check(const Space& cells, const Rules& rules,
                                   std::span<Stride> strides);

  private:
    template <class Visit>
    void each_held_now(const Stride& stride, Visit&& visit) const;
    template <class Visit>
    void each_held_next(const Stride& stride, Visit&& visit) const;
    template <class Visit>
    void each_entered(const Stride& stride, Visit&& visit) const;
    bool holds_now(const Stride& stride, Vertex cell) const;
    bool is_possible(const Rules& rules, AgentId agent) const;
    AgentId collides_on_the_way(const Space& cells, const Rules& rules, AgentId agent) const;
    bool settle_once(const Space& cells, const Rules& rules);
    bool is_firm(const Stride& stride) const;
    bool settle(AgentId a, AgentId b);
    void refuse(AgentId agent);

    std::span<Stride> strides_;
    AgentAt holder_, claimant_;  // kNobody between calls
    std::vector<Vertex> touched_;
    std::vector<AgentId> refused_;
};

}  // namespace sidestep
