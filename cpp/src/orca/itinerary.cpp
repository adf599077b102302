#include "sidestep/orca/itinerary.hpp"

#include <algorithm>
#include <tuple>

namespace sidestep::orca {

Itinerary::Itinerary(std::span<const Vertex> plan, std::int32_t agents)
    : first_(1, 0),
      reached_(static_cast<std::size_t>(agents), 0),
      goes_(static_cast<std::size_t>(agents), 0),
      states_(static_cast<std::size_t>(agents), State::unknown) {
    const auto steps =
        agents ? static_cast<Time>(plan.size() / static_cast<std::size_t>(agents)) : 0;
    std::vector<std::tuple<Vertex, Time, AgentId, std::int32_t>> by_vertex;
    for (AgentId a = 0; a < agents; ++a) {
        for (Time t = 0; t < steps; ++t) {
            const Vertex v = plan[static_cast<std::size_t>(t) * static_cast<std::size_t>(agents) +
                                  static_cast<std::size_t>(a)];
            if (t > 0 && visits_.back().vertex == v) continue;
            by_vertex.emplace_back(v, t, a,
                                   static_cast<std::int32_t>(visits_.size()) - first_.back());
            visits_.push_back({v, t});
        }
        first_.push_back(static_cast<std::int32_t>(visits_.size()));
    }
    std::sort(by_vertex.begin(), by_vertex.end());
    for (std::size_t k = 1; k < by_vertex.size(); ++k) {
        const auto& [vertex_before, time_before, before, index_before] = by_vertex[k - 1];
        const auto& [vertex, time, agent, index] = by_vertex[k];
        if (vertex != vertex_before || agent == before) continue;
        Visit& later = visits_[first_[agent] + index];
        later.before = before;
        later.before_index = index_before;
    }
}

void Itinerary::load(Reader& reader) {
    const std::size_t count = reached_.size();
    reader(reached_, goes_);
    require_saved(reached_.size() == count && goes_.size() == count, "agents");
    for (std::size_t a = 0; a < count; ++a) {
        const std::int32_t visits = first_[a + 1] - first_[a];
        require_saved(reached_[a] >= 0 && reached_[a] < visits, "a visit");
        require_saved(!goes_[a] || reached_[a] + 1 < visits, "a visit");
    }
}

void Itinerary::decide() {
    std::fill(states_.begin(), states_.end(), State::unknown);
    for (AgentId a = 0; a < static_cast<AgentId>(reached_.size()); ++a)
        goes_[a] = state_of(a) == State::goes;
}

// Goes from an agent to the one it waits for, and so on, until somebody's state is known; all on
// the way share it. A chain that comes back to its beginning is a ring that turns as a whole.
Itinerary::State Itinerary::state_of(AgentId agent) {
    chain_.clear();
    State state = State::unknown;
    for (AgentId a = agent; state == State::unknown;) {
        if (states_[a] != State::unknown) {
            state = states_[a] == State::looking ? State::goes : states_[a];
            break;
        }
        chain_.push_back(a);
        states_[a] = State::looking;
        if (is_last(a)) {
            state = State::waits;
            break;
        }
        const Visit& next = visit(a, reached_[a] + 1);
        const AgentId before = next.before;
        if (before == kNobody || reached_[before] > next.before_index) {
            state = State::goes;
        } else if (reached_[before] == next.before_index && !is_last(before) &&
                   visit(before, reached_[before] + 1).time == next.time) {
            a = before;  // it may follow closely
        } else {
            state = State::waits;
        }
    }
    for (const AgentId a : chain_) states_[a] = state;
    return state;
}

}  // namespace sidestep::orca
