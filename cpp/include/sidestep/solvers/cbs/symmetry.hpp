// Symmetries of two agents (Li, Harabor, Stuckey, Ma and Koenig 2021): conflicts that a split by
// one place and one time would leave standing a step later or beside it, settled at once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sidestep/solvers/cbs/conflicts.hpp"
#include "sidestep/solvers/cbs/constrained_diagram.hpp"
#include "sidestep/solvers/cbs/instance.hpp"

namespace sidestep::cbs {

// Target: one agent passes the goal of another that has arrived there for good. Either the other
// arrives later than that, or nobody passes its goal from then on. Only where agents stay on their
// goals and every step counts: else an agent may step off its goal at little cost and come back.
bool is_target(const Instance& instance, const Conflict& conflict, AgentPath a, AgentPath b);
// The side of the agent whose goal it is has a `later`, that of the other is to avoid the goal.
Split target_split(const Instance& instance, const Conflict& conflict, AgentPath a, AgentPath b);

// Corridor: two agents meet in a chain of vertices that have no other neighbours, of length k.
// Once one is through, the other can be through only k steps later, unless it goes round. So
// one of them cannot be at its end of the corridor before that. Sound under all rules; only where
// every edge can be used both ways.
class Corridors {
  public:
    explicit Corridors(Instance& instance)
        : instance_(instance), stamps_(instance.space.size(), 0) {}

    // Nothing: there is no corridor, or the split would not part them.
    std::optional<Split> split(const Conflict& conflict, AgentPath a,
                               std::span<const Constraint> constraints_a, AgentPath b,
                               std::span<const Constraint> constraints_b, ConstraintTable& table,
                               Budget& budget);

  private:
    struct Corridor {
        Vertex ends[2];
        Vertex last[2];  // the vertex inside next to each end
        std::int32_t length;
    };
    std::optional<Corridor> find(Vertex inside, Vertex start_a, Vertex start_b) const;
    int side_of_first(const Corridor& corridor, AgentPath a, AgentPath b, Time met) const;
    std::span<const Cost> distances_around(Vertex last, Vertex end, Budget& budget);
    Time earliest_at(Vertex end, Vertex start, std::span<const Cost> distances, Vertex barred,
                     const ConstraintTable& table, Time limit, Budget& budget);

    Instance& instance_;
    std::unordered_map<std::uint64_t, std::vector<Cost>> around_;  // by the edge that is barred
    std::vector<std::int64_t> stamps_;  // per vertex: has this layer of time reached it?
    std::int64_t stamp_ = 0;
    std::vector<Vertex> here_, then_;
};

// Rectangle: two agents cross the same open area of a grid in the same two directions, and all
// their cheapest ways through it meet. One of them has to give up all cheapest ways across: a
// barrier. Only on 4-connected grids, where a shortest way is a monotone staircase, and only where
// every step counts: the argument needs that all cheapest paths to a place and time pass the same
// vertex before.
std::optional<Split> rectangle_split(const Instance& instance, const Conflict& conflict,
                                     AgentPath a, const ConstrainedDiagram& diagram_a, AgentPath b,
                                     const ConstrainedDiagram& diagram_b, Budget& budget);

}  // namespace sidestep::cbs
