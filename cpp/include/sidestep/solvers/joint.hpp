// Optimal search over joint states (Standley 2010): where all agents of a group are at once. The
// solvers `standard` and `od` are this search; `id` and the anytime ones call it for their groups.
//
// The standard algorithm moves everybody in one step of the search. Operator decomposition moves
// one agent per node: intermediate nodes have *post-move* positions for those who have moved and
// *pre-move* positions, those of their standard ancestor, for legality. A move may enter a place
// whose occupant has yet to move.
//
// To prune more, agents are made pairs where there are two: a pair moves as one, and what it cannot
// avoid to pay beyond its distances is part of the estimate. See joint/mover.hpp.
//
// Under `sum_of_costs` an agent on its goal may *commit* to stay for good and pays no more; until
// then every step costs, a wait on the goal too. So a state has a bit per agent beside its place.
// Under `time_off_goal` a wait on one's own goal is free and no bit is needed.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/solvers/joint/mover.hpp"
#include "sidestep/spacetime/search.hpp"
#include "sidestep/spacetime/traffic.hpp"

namespace sidestep {

// Which nodes of operator decomposition count as the same. `post_move`: also intermediate nodes
// with equal post-move positions that leave the same moves to those who have yet to move.
// `standard`: only standard nodes are looked up.
enum class Duplicates : std::uint8_t { post_move, standard };

struct JointTask {
    std::span<const Vertex> starts;
    std::span<const Vertex> goals;                 // kNowhere: none, any place will do
    std::span<DistanceMap* const> distances = {};  // to the goals; null: none
    bool decompose = true;                         // false: the standard algorithm
    Duplicates duplicates = Duplicates::post_move;
    bool pairs = true;                 // with decomposition, two agents may move as one
    bool partial = true;               // with it, the dearer moves of a node are made only later
    Cost at_least = 0;                 // it is known that no plan costs less
    Cost cost_limit = kUnreachable;    // what costs more is of no interest
    const Traffic* illegal = nullptr;  // nobody may collide with these
    const Traffic* avoid = nullptr;    // of plans of equal cost, the one that collides least
};

// Might a move forbid more to somebody who is here and has yet to move than to be where it ends?
// If not, it does not matter from where the move came (figure 5 of the paper).
bool may_constrain(const Space& space, const Rules& rules, Move move, Vertex here);

class JointSearch {
  public:
    JointSearch(const Space& space, const Rules& rules) : space_(space), rules_(rules) {}

    // `paths` has one per agent, all from time 0 to the same end; an agent that has disappeared is
    // nowhere. No path means that there is none within the cost limit.
    Outcome run(const JointTask& task, Budget& budget, std::vector<std::vector<Vertex>>& paths);

    Cost cost() const { return cost_; }
    // What any plan of the last task costs at least: the least f of all that was left to search.
    Cost lower_bound() const { return lower_bound_; }
    std::int64_t expanded() const { return expanded_; }
    std::int64_t expanded_standard() const { return expanded_standard_; }
    std::int64_t generated() const { return static_cast<std::int64_t>(nodes_.size()); }
    // Legal successors of the nodes that were expanded, before duplicates are left out.
    std::int64_t successors() const { return successors_; }
    std::int64_t bytes() const;

  private:
    using Index = std::uint32_t;
    using State = Mover::State;
    using Place = Mover::Place;
    static constexpr Index kNone = 0xFFFFFFFF;

    struct Node {
        Index parent;
        Index standard;  // the standard node that an intermediate one descends from; itself else
        Time time;
        Cost g;
        Cost h;
        std::int32_t violations;
        Cost surplus;         // the next successors have an f that is greater by this
        std::uint16_t moved;  // how many movers have moved since the standard node
        bool replaced;        // by a better one with the same state
    };
    struct Slot {
        Index node;  // kNone: empty
        std::uint32_t hash;
    };
    struct Entry {
        Cost f;
        std::int32_t violations;
        Cost h;
        Index node;
        // The heap has the greatest on top: lowest f, fewest violations, lowest h, newest.
        bool operator<(const Entry& other) const {
            if (f != other.f) return f > other.f;
            if (violations != other.violations) return violations > other.violations;
            if (h != other.h) return h > other.h;
            return node < other.node;
        }
    };
    struct Sums {
        Cost g, h;
        std::int32_t violations;
        Sums operator+(const Sums& more) const {
            return {g + more.g, h + more.h, violations + more.violations};
        }
    };
    struct Pair {
        Cost excess;
        std::size_t one, other;
    };

    void begin(const JointTask& task, Budget& budget);
    bool measure_ways();
    Outcome search(Budget& budget, std::vector<std::vector<Vertex>>& paths);
    void make_movers();
    std::vector<Pair> list_pairs();
    void add_mover(std::vector<std::size_t> agents);
    bool is_solved(Index node) const;

    void expand(Index node);
    void expand_fully(Index node);
    void expand_jointly(Index node, std::size_t moved, Sums sums);
    void unpack(Index node);
    void list_moves(std::size_t mover);
    template <class Visit>
    void try_step(std::size_t mover, State state, Time time, Visit&& visit);
    bool is_legal(Move move, std::size_t first_unmoved, Time time) const;

    void add(Index parent, std::size_t moved, Sums sums);
    bool has_room();
    Index make(Index parent, std::size_t moved, Sums sums);
    void open(Index node);

    const State* states(Index node) const {
        return states_.data() + static_cast<std::size_t>(node) * movers_.size();
    }
    Time key_time(Time time) const {
        return task_->illegal ? std::min(time, task_->illegal->settled()) : 0;
    }

    // The closed and open nodes by state.
    std::uint32_t hash(std::size_t moved, Time key) const;
    Slot* find(std::size_t moved, Time key);
    bool is_same(Index node, std::size_t moved, Time key) const;
    bool leaves_same_moves(Index node, std::size_t moved) const;
    bool matters_later(Move move, std::size_t first_unmoved) const;
    void grow();

    void trace_back(Index node, std::vector<std::vector<Vertex>>& paths) const;

    const Space& space_;
    Rules rules_;
    const JointTask* task_ = nullptr;
    Budget* budget_ = nullptr;
    Cost cost_ = 0, lower_bound_ = 0;
    std::int64_t expanded_ = 0;
    std::int64_t expanded_standard_ = 0;  // of these, nodes between two steps of time
    std::int64_t successors_ = 0;

    std::vector<Mover> movers_;                     // in the order in which they move
    std::vector<std::vector<std::size_t>> agents_;  // of each mover

    std::vector<Node> nodes_;
    std::vector<State> states_;  // of all movers per node
    std::vector<Slot> slots_;    // hash table of nodes, a power of two
    std::size_t used_ = 0;
    std::vector<Entry> open_;

    // Scratch of an expansion: all movers before the step and now, and the moves of those agents
    // that have moved.
    std::vector<State> before_, now_;
    std::vector<Move> moves_;
};

// Groups of agents planned one after another, with what they share: the space and the distances.
class JointPlanner {
  public:
    JointPlanner(Space space, Rules rules) : space_(std::move(space)), rules_(rules) {}
    JointPlanner(const JointPlanner&) = delete;
    JointPlanner& operator=(const JointPlanner&) = delete;

    // The task may leave out the distances, which are looked up.
    Outcome plan(JointTask task, Budget& budget, std::vector<std::vector<Vertex>>& paths);

    const Space& space() const { return space_; }
    const Rules& rules() const { return rules_; }
    // What is known of the last search.
    const JointSearch& search() const { return search_; }

  private:
    Space space_;
    Rules rules_;
    Distances distances_{space_};
    std::unordered_map<Vertex, DistanceMap*> maps_;  // by goal, kept as long as the planner
    JointSearch search_{space_, rules_};
};

}  // namespace sidestep
