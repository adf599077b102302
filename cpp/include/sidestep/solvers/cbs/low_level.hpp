// The low level of Conflict-Based Search (Sharon et al. 2015): the cheapest path of one agent under
// its constraints, and of those one that meets few other agents.
//
// A* over (vertex, time), in order of cost, then of conflicts. Both only grow along a path, so the
// first path that comes out is best in both. After the last constraint and the last move of anybody
// else all times are alike and share one layer, so the search is finite.
#pragma once

#include <cstdint>
#include <vector>

#include "sidestep/solvers/cbs/bucket_queue.hpp"
#include "sidestep/solvers/cbs/constraints.hpp"
#include "sidestep/solvers/cbs/instance.hpp"
#include "sidestep/spacetime/search.hpp"
#include "sidestep/spacetime/traffic.hpp"

namespace sidestep::cbs {

class LowLevel {
  public:
    explicit LowLevel(Instance& instance) : instance_(instance) {}

    // `traffic` may be null.
    Outcome find(AgentId agent, const ConstraintTable& constraints, const Traffic* traffic,
                 Budget& budget, std::vector<Vertex>& path, Cost& cost);

    std::int64_t expanded() const { return expanded_; }
    std::int64_t bytes() const {
        return static_cast<std::int64_t>(states_.capacity() * sizeof(State) +
                                         slots_.capacity() * sizeof(Slot) + open_.bytes());
    }

  private:
    struct State {
        Vertex vertex;
        Time time;
        Cost g;
        std::int32_t conflicts;
        std::int32_t moves;  // of an agent without a goal: the fewer the better
        std::int32_t parent;
        bool closed;
    };
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t stamp = 0;
        std::int32_t state = 0;
    };
    class Run;

    void clear();
    std::int32_t& slot(std::uint64_t key, bool& is_new);
    void grow();

    Instance& instance_;
    std::vector<State> states_;
    std::vector<Slot> slots_;
    std::uint32_t stamp_ = 0;
    int shift_ = 0;
    BucketQueue open_;
    std::int64_t expanded_ = 0;
};

}  // namespace sidestep::cbs
