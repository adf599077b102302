// Multi-value decision diagrams (Sharon, Stern, Goldenberg and Felner 2013): all paths of one agent
// that cost the same.
//
// Level t of a diagram of cost c holds the vertices where the agent can be at time t if its last
// arrival at its goal is at time c: those that it has reached by then and from which the goal is
// still in reach. An edge joins two vertices of neighbouring levels by a move or a wait. The agent
// may pass or rest on its goal before, but at time c - 1 it is elsewhere: what costs less is in a
// cheaper diagram. Where agents disappear, a path ends when it first meets the goal.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep::icts {

class CostDiagram {
  public:
    using Node = std::uint32_t;  // numbered level by level, so the last one is the goal at `cost`

    // What diagrams of an agent are made from.
    struct Journey {
        Vertex start = kNowhere;
        Vertex goal = kNowhere;
        DistanceMap* distances = nullptr;
        bool disappears = false;
        Cost detour =
            kUnreachable;  // the fewest steps from the goal back to it, if it may leave it
    };

    // Nothing: the budget ran out. `cost` must be one of the agent's costs (see `next_cost`).
    static std::optional<CostDiagram> build(const Space& space, const Journey& journey, Cost cost,
                                            Budget& budget);
    // The diagram of an agent that has but one path.
    static CostDiagram of_path(std::span<const Vertex> path);

    Cost cost() const { return static_cast<Cost>(first_.size()) - 2; }
    std::size_t size() const { return vertex_.size(); }
    Node first(Time level) const { return first_[level]; }
    Node width(Time level) const { return first_[level + 1] - first_[level]; }
    Node widest() const;
    Vertex vertex(Node node) const { return vertex_[node]; }
    std::span<const Node> successors(Node node) const {
        return {edges_.data() + edge_[node], edges_.data() + edge_[node + 1]};
    }
    std::int64_t bytes() const;

  private:
    std::vector<Node> first_;  // per level, and one past the last
    std::vector<Vertex> vertex_;
    std::vector<std::uint32_t> edge_;
    std::vector<Node> edges_;
};

// The fewest steps of a round trip from the goal to itself that is not a wait; kUnreachable,
// kNotReady.
Cost shortest_detour(const Space& space, Vertex goal, DistanceMap& distances, Budget& budget);

// The next cost that a path of the agent can have, kUnreachable if there is none: every cost from
// the distance on, but one that begins on its goal either stays or makes a detour.
inline Cost next_cost(const CostDiagram::Journey& journey, Cost cost) {
    if (journey.start != journey.goal || cost > 0) return cost + 1;
    return journey.disappears ? kUnreachable : journey.detour;
}

// The nodes of a diagram that some path from its beginning to its end still uses, when only those
// with a 1 in `alive` may be used: clears the others. False: there is no such path.
bool trim(const CostDiagram& diagram, std::span<std::uint8_t> alive);

}  // namespace sidestep::icts
