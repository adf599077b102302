// The guard: of the moves that a planner proposes, lets a safe set happen and makes the rest wait.
#pragma once

#include <span>
#include <vector>

#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"
#include "sidestep/world/agent_at.hpp"

namespace sidestep {

class Guard {
  public:
    // Turns targets[i], where agent i at positions[i] wants to go, into where it may go: there, or
    // where it stands. Absent agents have kNowhere in both; one with a position but no target
    // leaves the space. Of two that want one vertex the one with the higher priority goes, else the
    // lower index. Returns the agents that were refused; the span holds until the next call.
    std::span<const AgentId> check(const Space& space, const Rules& rules,
                                   std::span<const Vertex> positions,
                                   std::span<const std::int32_t> priorities,
                                   std::span<Vertex> targets);
    // The same where it is known who is there, in the order of their numbers: nobody else is
    // looked at.
    std::span<const AgentId> check(const Space& space, const Rules& rules,
                                   std::span<const Vertex> positions,
                                   std::span<const std::int32_t> priorities,
                                   std::span<Vertex> targets, std::span<const AgentId> present);

  private:
    struct Wishes;
    void refuse(AgentId agent);
    void claim(AgentId agent);
    bool goes_first(AgentId a, AgentId b) const;
    bool is_possible(const Space& space, const Rules& rules, AgentId agent) const;
    AgentId collides_on_the_way(const Space& space, const Rules& rules, AgentId agent) const;

    std::span<const Vertex> positions_;
    std::span<const std::int32_t> priorities_;
    std::span<Vertex> targets_;
    AgentAt occupant_, claimant_;  // kNobody between calls
    std::vector<AgentId> refused_, everybody_;
};

}  // namespace sidestep
