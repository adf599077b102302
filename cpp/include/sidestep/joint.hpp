// Optimal search over joint states (Standley 2010): where all agents of a group are at once.
//
// The standard algorithm moves everybody in one step of the search. Operator decomposition moves
// one agent per node: intermediate nodes have *post-move* positions for those who have moved and
// *pre-move* positions, those of their standard ancestor, for legality. A move may enter a place
// whose occupant has yet to move.
//
// Under `sum_of_costs` an agent on its goal may *commit* to stay for good and pays no more; until
// then every step costs, a wait on the goal too. So a state has a bit per agent beside its place.
// Under `time_off_goal` a wait on one's own goal is free and no bit is needed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/budget.hpp"
#include "sidestep/distance.hpp"
#include "sidestep/space.hpp"
#include "sidestep/space_time.hpp"
#include "sidestep/traffic.hpp"

namespace sidestep {

// Which nodes of operator decomposition count as the same. `post_move`: also intermediate nodes
// with equal post-move positions that leave the same moves to those who have yet to move.
// `standard`: only standard nodes are looked up.
enum class Duplicates : std::uint8_t { post_move, standard };

struct JointTask {
    std::span<const Vertex> starts;
    std::span<const Vertex> goals;           // kNowhere: none, any place will do
    std::span<const Cost* const> distances;  // per agent a table of all vertices; null: no goal
    bool decompose = true;                   // false: the standard algorithm
    Duplicates duplicates = Duplicates::post_move;
    Cost cost_limit = kUnreachable;    // what costs more is of no interest
    const Traffic* illegal = nullptr;  // nobody may collide with these
    const Traffic* avoid = nullptr;    // of plans of equal cost, the one that collides least
};

class JointSearch {
  public:
    JointSearch(const Space& space, const Rules& rules) : space_(space), rules_(rules) {}

    // `paths` has one per agent, all from time 0 to the same end; an agent that has disappeared is
    // nowhere. No path means that there is none within the cost limit.
    Outcome run(const JointTask& task, Budget& budget, std::vector<std::vector<Vertex>>& paths);

    Cost cost() const { return cost_; }
    std::int64_t expanded() const { return expanded_; }
    std::int64_t expanded_standard() const { return expanded_standard_; }
    std::int64_t generated() const { return static_cast<std::int64_t>(nodes_.size()); }
    std::int64_t bytes() const;

  private:
    using Index = std::uint32_t;
    static constexpr Index kNone = 0xFFFFFFFF;

    struct Node {
        Index parent;
        Index standard;  // the standard node that an intermediate one descends from; itself else
        Time time;
        Cost g;
        Cost h;
        std::int32_t violations;
        std::uint16_t moved;  // how many agents have moved since the standard node
        bool closed;
    };
    struct Slot {
        Index node;  // kNone: empty
        std::uint32_t
            tag;  // of its hash, so that most strangers are told apart without a look at them
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
    // An agent within a state: where it is, and whether it stays there for good.
    struct Place {
        Vertex vertex;
        bool committed;
    };
    // What one agent may do next, and by how much the estimate changes with it.
    struct Option {
        Place to;
        Cost cost;
        Cost change;
        std::int32_t violations;
    };
    struct Sums {
        Cost g, h;
        std::int32_t violations;
        Sums operator+(const Option& option) const {
            return {g + option.cost, h + option.change, violations + option.violations};
        }
    };

    void begin(const JointTask& task, Budget& budget);
    Cost estimate(std::size_t agent, Place place) const;
    bool is_solved(Index node);

    void expand(Index node);
    void expand_jointly(Index node, std::size_t agent, Sums sums);
    template <class Visit>
    void each_option(std::size_t agent, Time time, Visit&& visit);
    bool is_legal(std::size_t agent, Move move, Time time) const;
    bool clashes(Move one, Move other) const;

    void add(Index parent, std::size_t moved, Sums sums);
    bool has_room();
    Index make(Index parent, std::size_t moved, Sums sums);

    // States: the places of all agents, packed.
    void put(std::size_t agent, Place place);
    void unpack(Index node, std::vector<Place>& places) const;
    Time key_time(Time time) const {
        return task_->illegal ? std::min(time, task_->illegal->settled()) : 0;
    }

    // The closed and open nodes by state.
    std::uint64_t hash(const std::uint64_t* words, std::size_t moved, Time key) const;
    Slot* find(std::size_t moved, Time key);
    bool is_same(Index node, std::size_t moved, Time key);
    bool leaves_same_moves(Index node, std::size_t moved);
    bool constrains(Move moved, std::size_t first_unmoved) const;
    void grow();

    void trace_back(Index node, std::vector<std::vector<Vertex>>& paths);

    const Space& space_;
    Rules rules_;
    const JointTask* task_ = nullptr;
    Budget* budget_ = nullptr;
    std::size_t agents_ = 0;
    int bits_ = 0;           // per agent in a packed state
    std::size_t words_ = 0;  // per state
    Cost cost_ = 0;
    std::int64_t expanded_ = 0;
    std::int64_t expanded_standard_ = 0;  // of these, nodes between two steps of time

    std::vector<Node> nodes_;
    std::vector<std::uint64_t> states_;  // words_ per node
    std::vector<Slot> slots_;            // hash table of nodes, a power of two
    std::size_t used_ = 0;
    std::vector<Entry> open_;

    // Scratch of an expansion.
    std::vector<Place> before_, now_, other_before_;
    std::vector<std::uint64_t> packed_;
};

}  // namespace sidestep
