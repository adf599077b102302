// The low level of Explicit Estimation CBS: of all paths of an agent within a factor of the
// cheapest, one that meets few others.
//
// In two searches (as in DECBS, 2025): plain A* finds the least cost, and then a search goes
// through all that can still arrive in time. A focal list of costs and collisions at once would
// have to find out both at the same time.
//
// A collision weighs as much as one and a half steps. If it weighed more than any number of steps,
// as in the paper, agents would go a long way round to avoid one that can be settled by a wait, and
// the factor would be used up before the last are settled.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/solvers/cbs/bucket_queue.hpp"
#include "sidestep/solvers/cbs/constraints.hpp"
#include "sidestep/solvers/cbs/instance.hpp"
#include "sidestep/spacetime/occupants.hpp"
#include "sidestep/spacetime/search.hpp"
#include "sidestep/spacetime/stamped_table.hpp"

namespace sidestep::eecbs {

// The second search. Only for agents with a goal, where the cost of a path is its length.
class FocalSearch {
  public:
    explicit FocalSearch(cbs::Instance& instance) : instance_(instance) {}

    // Of the paths that cost at most `limit`, one of the least weight of steps and of collisions
    // with `others`. There is one if the limit is at least the least cost.
    Outcome find(AgentId agent, const cbs::ConstraintTable& constraints, const Occupants& others,
                 Cost limit, Budget& budget, std::vector<Vertex>& path);

    std::int64_t expanded() const { return expanded_; }
    std::int64_t bytes() const {
        return static_cast<std::int64_t>(states_.capacity() * sizeof(State)) + known_.bytes() +
               static_cast<std::int64_t>(open_.bytes());
    }

  private:
    struct State {
        Vertex vertex;
        Time time;
        std::int32_t collisions;
        std::int32_t parent;
        bool closed;
    };
    class Run;

    cbs::Instance& instance_;
    std::vector<State> states_;
    StampedTable<std::int32_t> known_;  // the number of a state, by vertex and time
    cbs::BucketQueue open_;
    std::int64_t expanded_ = 0;
};

}  // namespace sidestep::eecbs
