// A discrete plan as something to walk by: its vertices one after another, at whatever speed, but
// every vertex in the order of the plan.
//
// An agent sets out for its next vertex when the one there before it in the plan has left it,
// which means has reached its own next one; or, where the plan lets it follow in the same step,
// when that agent sets out as well. So agents that are late never change who goes first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/archive.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep::orca {

class Itinerary {
  public:
    // `plan` has a row of `agents` vertices per time.
    Itinerary(std::span<const Vertex> plan, std::int32_t agents);

    // Where an agent is, or was last.
    Vertex here(AgentId agent) const { return visit(agent, reached_[agent]).vertex; }
    // Where it goes now; the same place if it has to wait or is at the end.
    Vertex next(AgentId agent) const {
        return goes_[agent] ? visit(agent, reached_[agent] + 1).vertex : here(agent);
    }
    // Where it goes after that; the same place at the end.
    Vertex after_next(AgentId agent) const {
        const std::int32_t visits = first_[agent + 1] - first_[agent];
        return visit(agent, std::min(reached_[agent] + 2, visits - 1)).vertex;
    }
    bool is_last(AgentId agent) const {
        return first_[agent] + reached_[agent] + 1 == first_[agent + 1];
    }

    // An agent has reached the vertex it was going to.
    void arrive(AgentId agent) {
        ++reached_[agent];
        goes_[agent] = false;
    }

    // How far everybody is.
    void save(Writer& writer) const { writer(reached_, goes_); }
    void load(Reader& reader);

    // Decides who goes and who waits.
    void decide();

  private:
    // A stay at a vertex, from `time` until the next visit begins. It may begin when `before`, a
    // visit of another agent at the same vertex, has ended.
    struct Visit {
        Vertex vertex;
        Time time;
        AgentId before = kNobody;
        std::int32_t before_index = 0;
    };
    enum class State : std::uint8_t { unknown, looking, goes, waits };

    const Visit& visit(AgentId agent, std::int32_t index) const {
        return visits_[first_[agent] + index];
    }
    State state_of(AgentId agent);

    std::vector<Visit> visits_;
    std::vector<std::int32_t> first_;    // per agent, the first of its visits
    std::vector<std::int32_t> reached_;  // per agent, the number of its last visit
    std::vector<std::uint8_t> goes_;
    std::vector<State> states_;
    std::vector<AgentId> chain_;
};

}  // namespace sidestep::orca
