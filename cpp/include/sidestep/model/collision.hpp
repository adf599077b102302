// When agents of one cell collide in a step: the one place that knows the rules of it.
//
// Two moves are compared by `collides`, or by `collision`, which says in which way. A move among
// many others, who are looked up by vertex, is tried by `any_collision` or by its parts.
// ARCHITECTURE.md lists who reads the rules without these functions, and why.
#pragma once

#include <cstdint>
#include <optional>

#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

// In the same order as in Python's names of violations: `vertex`, two are in one place; `swap`,
// they change places; `crossing`, they use edges that cross; `following`, one enters a vertex that
// the other leaves.
enum class CollisionKind : std::int32_t { vertex = 0, swap = 1, crossing = 2, following = 3 };

// Can two moves collide by crossing edges, here and under these rules?
inline bool checks_crossings(const Space& space, const Rules& rules) {
    return !rules.crossing && space.has_crossings();
}

// Do two agents collide on the way, from different vertices that both are on? A move that leads
// nowhere: its agent disappears. Swaps come first, then following, then crossings.
inline std::optional<CollisionKind> collision_on_the_way(const Space& space, const Rules& rules,
                                                         Move a, Move b) {
    const bool a_moves = a.to != a.from && a.to != kNowhere;
    const bool b_moves = b.to != b.from && b.to != kNowhere;
    const bool a_follows = a_moves && a.to == b.from, b_follows = b_moves && b.to == a.from;
    if (a_follows && b_follows) return CollisionKind::swap;
    if (!rules.following && (a_follows || b_follows) && a.to != b.to)
        return CollisionKind::following;
    if (a_moves && b_moves && checks_crossings(space, rules) &&
        space.any_crossing(a, [b](Move other) { return other == b; }))
        return CollisionKind::crossing;
    return std::nullopt;
}

// Do two agents collide in a step, on the way or at its end? They begin on different vertices, or
// are gone: a move from nowhere.
inline std::optional<CollisionKind> collision(const Space& space, const Rules& rules, Move a,
                                              Move b) {
    if (a.from == kNowhere || b.from == kNowhere) return std::nullopt;
    if (a.to == b.to && a.to != kNowhere) return CollisionKind::vertex;
    return collision_on_the_way(space, rules, a, b);
}

inline bool collides(const Space& space, const Rules& rules, Move a, Move b) {
    return collision(space, rules, a, b).has_value();
}

// A move among others, who are known by an occupancy of one step. It has
//
//   bool any_before(Vertex v, Wanted wanted) const;   // who is on v when the step begins
//   bool any_after(Vertex v, Wanted wanted) const;    // who is on v when it ends
//
// which call wanted(other) for everybody there until it returns true, and return whether it did.
// Of those who were there before, it is asked other.goes(v): does it go there in this step? What
// else an `other` can tell is between the occupancy and visit(kind, other), which the functions
// below call for every collision until it returns true. Who collides in two ways is visited twice.

// One of the others, and where it goes; kNowhere: it disappears.
struct OtherAgent {
    AgentId agent;
    Vertex next;
    bool goes(Vertex v) const { return next == v; }
};

// The occupancy of the step from t to t + 1, by somebody who knows many steps: `steps.any(self, v,
// t, wanted)` calls wanted(other) for everybody but `self` on v at t.
template <class Steps>
struct OthersInStep {
    const Steps& steps;
    AgentId self;
    Time t;
    template <class Wanted>
    bool any_before(Vertex v, Wanted&& wanted) const {
        return steps.any(self, v, t, wanted);
    }
    template <class Wanted>
    bool any_after(Vertex v, Wanted&& wanted) const {
        return steps.any(self, v, t + 1, wanted);
    }
};
// Older compilers do not see this by themselves (clang 16).
template <class Steps>
OthersInStep(const Steps&, AgentId, Time) -> OthersInStep<Steps>;

// Who is where the move ends.
template <class Occupancy, class Visit>
bool any_meeting(Move move, const Occupancy& others, Visit&& visit) {
    return others.any_after(move.to,
                            [&](const auto& other) { return visit(CollisionKind::vertex, other); });
}

// With whom the move swaps, whom it follows, whose way it crosses. It leads from one vertex to
// another.
template <class Occupancy, class Visit>
bool any_on_the_way(const Space& space, const Rules& rules, Move move, const Occupancy& others,
                    Visit&& visit) {
    const bool blocked = others.any_before(move.to, [&](const auto& other) {
        if (other.goes(move.from)) return visit(CollisionKind::swap, other);
        return !rules.following && !other.goes(move.to) && visit(CollisionKind::following, other);
    });
    if (blocked || !checks_crossings(space, rules)) return blocked;
    return space.any_crossing(move, [&](Move crossing) {
        return others.any_before(crossing.from, [&](const auto& other) {
            return other.goes(crossing.to) && visit(CollisionKind::crossing, other);
        });
    });
}

// Who enters the vertex that the agent leaves, for another vertex or for good. Under these rules
// who swaps with the move is among them.
template <class Occupancy, class Visit>
bool any_follower(const Rules& rules, Vertex left, const Occupancy& others, Visit&& visit) {
    return !rules.following && others.any_after(left, [&](const auto& other) {
        return visit(CollisionKind::following, other);
    });
}

// May an agent disappear from a vertex, if entered() says whether others enter it in that step?
template <class Entered>
bool may_disappear(const Rules& rules, Entered&& entered) {
    return rules.following || !entered();
}

template <class Occupancy, class Visit>
bool any_collision(const Space& space, const Rules& rules, Move move, const Occupancy& others,
                   Visit&& visit) {
    if (any_meeting(move, others, visit)) return true;
    if (move.from == move.to) return false;
    return any_on_the_way(space, rules, move, others, visit) ||
           any_follower(rules, move.from, others, visit);
}

// How many collisions a move has; who collides in two ways counts twice.
template <class Occupancy>
std::int32_t count_collisions(const Space& space, const Rules& rules, Move move,
                              const Occupancy& others) {
    std::int32_t sum = 0;
    any_collision(space, rules, move, others, [&](CollisionKind, const auto&) {
        ++sum;
        return false;  // go on to the next
    });
    return sum;
}

}  // namespace sidestep
