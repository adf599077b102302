// What moves at once in a joint search: an agent, or two that are in each other's way.
//
// A mover knows its moves, cheapest first, and what it still has to pay as if it were alone in the
// world: the distances of its agents, and the *excess* that two of them cannot avoid because of
// each other. Both are found when they are first asked for and kept, so that the joint search,
// which comes back to the same places of a mover in the company of ever different others, only
// looks them up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"

namespace sidestep {

class Mover {
  public:
    using State = std::uint32_t;  // the places of all members, by number

    // Where an agent is, and whether it stays there for good.
    struct Place {
        Vertex vertex;
        bool committed;
        bool operator==(const Place&) const = default;
    };
    struct Member {
        Vertex goal;             // kNowhere: none, any place will do
        DistanceMap* distances;  // to the goal; null: no goal
    };
    struct Step {
        State to;
        Cost cost;
    };
    // Steps that cost equally much more than the distances promise.
    struct Level {
        std::uint32_t first, end;  // of the steps
        Cost delay;
        std::uint32_t next;
    };
    static constexpr std::uint32_t kEnd = 0xFFFFFFFF;

    // The budget is that of all that is asked for; once it is exhausted, answers mean nothing.
    Mover(const Space& space, const Rules& rules, std::vector<Member> members, Budget& budget);

    // The state with these places, from where all goals must be reachable. What places() gave
    // before may no longer be there.
    State at(std::span<const Place> places);
    std::span<const Place> places(State state) const {
        return {places_.data() + state * members_.size(), members_.size()};
    }

    // The sum of the distances to the goals.
    Cost distance(State state) const { return known_[state].distance; }

    // Is the excess at most that? No more is looked at than the answer takes. Also false if the
    // budget has run out.
    bool is_within(State state, Cost bound);

    // The excess, or kMostExcess if it is more. No single agent has one.
    Cost excess(State state);

    // The levels of steps by ascending delay; kEnd: there are no more.
    std::uint32_t first_level(State state);
    std::uint32_t next_level(State state, std::uint32_t level);
    const Level& level(std::uint32_t index) const { return levels_[index]; }
    const Step& step(std::size_t index) const { return steps_[index]; }

    std::int64_t bytes() const;
    // Of single agents, while listing the steps of the mover.
    std::int64_t moves() const { return moves_made_; }

    // More is rare, and two agents that have no plan at all have no end of it.
    static constexpr Cost kMostExcess = 6;

  private:
    static constexpr std::uint32_t kUnmade = 0xFFFFFFFE;

    struct Known {
        Cost distance;
        Cost excess;  // or more, unless `exact`
        bool exact;
        std::uint32_t level;  // the first
    };
    struct Option {
        Place to;
        Cost cost, delay;
    };
    enum class Verdict : std::uint8_t { yes, no, unknown };
    // A state whose excess is being looked for, up to a bound, and the step that is being tried.
    struct Trial {
        State state;
        Cost bound;
        std::uint32_t level, step;
    };

    Cost estimate(std::size_t member, Place place) const;
    void list_options(std::size_t member, Place place);
    std::uint32_t make_level(State state, Cost at_least);
    void combine(std::size_t member, State state, Cost cost, Cost delay);
    bool is_legal(std::size_t member, State state, Place to) const;
    Verdict verdict(State state, Cost bound) const;
    void advance(Trial& trial);
    void grow();
    std::size_t slot_of(std::span<const Place> places) const;

    const Space& space_;
    Rules rules_;
    Budget& budget_;
    std::vector<Member> members_;
    std::vector<Place> places_;  // of all members per state
    std::vector<Known> known_;   // per state
    std::vector<State> slots_;   // hash table of states, a power of two
    std::vector<Level> levels_;
    std::vector<Step> steps_;
    std::vector<Trial> trials_;

    // Scratch of a level that is being made.
    std::vector<std::vector<Option>> options_;
    std::vector<Place> target_, targets_;
    std::vector<Cost> costs_;
    Cost at_least_ = 0, best_ = 0;
    std::int64_t moves_made_ = 0;
};

}  // namespace sidestep
