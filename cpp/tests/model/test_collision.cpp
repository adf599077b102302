// When two moves collide, and that a move among others collides with the same ones.
#include "sidestep/model/collision.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;

namespace {

using Places = std::vector<Vertex>;

// One other agent, as an occupancy of one step.
struct Alone {
    Move move;
    struct Other {
        Move move;
        bool goes(Vertex v) const { return move.to == v; }
    };
    template <class Wanted>
    bool any_before(Vertex v, Wanted&& wanted) const {
        return move.from == v && wanted(Other{move});
    }
    template <class Wanted>
    bool any_after(Vertex v, Wanted&& wanted) const {
        return move.to == v && wanted(Other{move});
    }
};

// The ways in which a move collides with another, as the list of a move among others has them.
std::vector<CollisionKind> kinds(const Space& space, const Rules& rules, Move move, Move other) {
    std::vector<CollisionKind> found;
    any_collision(space, rules, move, Alone{other}, [&](CollisionKind kind, const auto&) {
        found.push_back(kind);
        return false;
    });
    return found;
}

}  // namespace

TEST("random steps: two moves collide as the rules say") {
    plain::Random random(74);
    for (int round = 0; round < 3000; ++round) {
        const auto ground = plain::random_ground(random, 3);
        const Rules rules = plain::random_rules(random);
        const Space space = ground.compiled();
        const auto places = ground.open_vertices();
        if (places.size() < 2) continue;
        const auto draw = [&](Vertex from) {
            if (random.chance(10)) return Move{from, kNowhere};
            const auto near = space.successors(from);
            const int k = random.below(static_cast<int>(near.size()) + 1);
            return Move{from, k == 0 ? from : near[k - 1]};
        };
        const Vertex first = places[random.below(static_cast<int>(places.size()))];
        const Vertex second = places[random.below(static_cast<int>(places.size()))];
        if (first == second) continue;
        const Move a = draw(first), b = draw(second);
        const auto fault =
            plain::fault_in_step(ground, rules, Places{a.from, b.from}, Places{a.to, b.to});
        if (!CHECK_EQ(collides(space, rules, a, b), !fault.empty())) return;
        if (a.to == kNowhere) continue;  // only its followers are looked up
        const auto found = kinds(space, rules, a, b);
        if (!CHECK_EQ(found.empty(), fault.empty())) return;
        const auto kind = collision(space, rules, a, b);
        if (kind && !CHECK_EQ(std::ranges::count(found, *kind), 1)) return;
    }
}
