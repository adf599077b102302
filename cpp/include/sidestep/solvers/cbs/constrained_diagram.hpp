// Multi-valued decision diagrams (Sharon et al. 2013): all cheapest paths of one agent at once.
//
// Level t holds the vertices where the agent can be at time t on a path of least cost under its
// constraints, with edges between levels. What all cheapest paths have in common makes conflicts
// cardinal (Boyarski et al. 2015): a level of one vertex cannot be avoided for free.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sidestep/solvers/cbs/constraints.hpp"
#include "sidestep/solvers/cbs/instance.hpp"

namespace sidestep::cbs {

class ConstrainedDiagram {
  public:
    struct Node {
        Vertex vertex;
        std::int32_t first, count;  // of its edges
    };

    // The agent is on `goal` after the last level, or gone.
    ConstrainedDiagram(Vertex goal, bool stays, Cost cost)
        : goal_(goal), stays_(stays), cost_(cost) {}

    std::int64_t size() const { return static_cast<std::int64_t>(nodes_.size()); }
    Time last() const { return static_cast<Time>(first_.size()) - 2; }
    Cost cost() const { return cost_; }
    std::span<const Node> level(Time t) const {
        return {nodes_.data() + first_[t], nodes_.data() + first_[t + 1]};
    }
    // The numbers, within the next level, of the nodes that follow.
    std::span<const std::int32_t> next(const Node& node) const {
        return {edges_.data() + node.first, static_cast<std::size_t>(node.count)};
    }

    // The one vertex of that time, kNowhere if there are several (or the agent is gone).
    Vertex only(Time t) const {
        if (t > last()) return stays_ ? goal_ : kNowhere;
        return first_[t + 1] - first_[t] == 1 ? nodes_[first_[t]].vertex : kNowhere;
    }
    bool contains(Vertex v, Time t) const;

    // Does a path remain that keeps these constraints, too? Of `later` and `within` it knows only
    // what its cost says.
    bool survives(std::span<const Constraint> constraints) const;

    std::int64_t bytes() const {
        return static_cast<std::int64_t>(nodes_.size() * sizeof(Node) +
                                         (edges_.size() + first_.size()) * sizeof(std::int32_t));
    }

  private:
    friend class DiagramBuilder;
    bool survives_one(const Constraint& constraint) const;

    Vertex goal_;
    bool stays_;
    Cost cost_;
    std::vector<std::int32_t> first_;  // of the nodes of a level, and one more
    std::vector<Node> nodes_;
    std::vector<std::int32_t> edges_;
};

// Builds diagrams; keeps its buffers.
class DiagramBuilder {
  public:
    explicit DiagramBuilder(Instance& instance)
        : instance_(instance), place_(instance.space.size(), kNone) {}

    // All paths of cost `cost`, which is the least. Null if the budget ran out. Not for agents
    // without a goal: they may be everywhere.
    std::unique_ptr<ConstrainedDiagram> build(AgentId agent, const ConstraintTable& constraints,
                                              Cost cost, Budget& budget);

  private:
    static constexpr std::int32_t kNone = -1;
    struct Draft {
        Vertex vertex;
        Cost g;                     // so far, the least
        Cost rest;                  // to the end, the least; kUnreachable if it leads nowhere
        std::int32_t first, count;  // of its edges
        std::int32_t number;        // among those of its level that are kept
    };
    bool draft_forward(AgentId agent, const ConstraintTable& constraints, Cost cost, Time last,
                       Budget& budget);
    void draft_backward(Vertex goal);
    void keep(ConstrainedDiagram& diagram, Cost cost);
    Cost step_cost(Vertex from, Vertex to, Vertex goal) const {
        return from == to && from == goal && !instance_.counts_every_step() ? 0 : 1;
    }

    Instance& instance_;
    std::vector<std::int32_t> place_;  // per vertex its draft in the level under work
    std::vector<Draft> drafts_;
    std::vector<std::int32_t> level_;  // the first draft of each level, and one more
    std::vector<std::int32_t> edges_;  // drafts of the next level
    Vertex goal_ = kNowhere;
};

}  // namespace sidestep::cbs
