// The reservation table against a list of promises.
#include "sidestep/spacetime/reservations.hpp"

#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Path = std::vector<Vertex>;
constexpr Rules kRules{};
constexpr Rules kNoFollowing{.following = false};

// A table and the promises that it should hold.
struct Twin {
    plain::Ground ground;
    Space space;
    Reservations table;
    plain::Promises promises;

    Twin(plain::Ground described, int agents)
        : ground(std::move(described)), space(ground.compiled()), table(ground.size(), agents) {
        promises.of.resize(agents);
    }
    void reserve(AgentId agent, const plain::Promise& promise) {
        table.reserve(agent, promise.start, promise.path, promise.parked);
        promises.of[agent] = promise;
    }
    void release(AgentId agent) {
        table.release(agent);
        promises.of[agent] = {};
    }

    void check(plain::Random& random, const Rules& rules) const {
        const Time now = table.now(), last = promises.last(now);
        CHECK(table.last() >= last);
        for (Vertex v = 0; v < ground.size(); ++v) {
            const Time t = now + random.below(last - now + 4);
            const AgentId holder = promises.holder(v, t);
            CHECK_EQ(table.holder(v, t), holder);
            CHECK_EQ(table.taken(v, t), holder != kNobody);
            CHECK_EQ(Reservations::bit(table.row(t), v), holder != kNobody);
            CHECK_EQ(table.last_taken(v), promises.last_taken(v, now).value_or(now - 1));
            if (holder == kNobody) {
                for (const Vertex to : space.successors(v))
                    CHECK_EQ(table.allows(space, rules, {v, to}, t),
                             promises.allow(ground, rules, {v, to}, t));
                CHECK_EQ(table.allows(space, rules, {v, v}, t),
                         promises.allow(ground, rules, {v, v}, t));
            } else if (promises.of[holder].at(t + 1) != kNowhere) {
                CHECK(table.moves({v, promises.of[holder].at(t + 1)}, t));
            }
        }
    }
};

plain::Promise random_promise(plain::Random& random, const Space& space, Time now, int longest) {
    plain::Promise promise;
    promise.start = now + random.below(3);
    Vertex v = random.below(space.size());
    for (int k = random.between(1, longest); k-- > 0;) {
        promise.path.push_back(v);
        const auto near = space.successors(v);
        if (!near.empty() && random.chance(70))
            v = near[random.below(static_cast<int>(near.size()))];
    }
    promise.parked = random.chance(30);
    return promise;
}

}  // namespace

TEST("a path is held step by step, and nothing else is") {
    Reservations table(4, 2);
    table.reserve(1, 5, Path{0, 1, 1, 2}, false);
    CHECK_EQ(table.holder(0, 5), 1);
    CHECK_EQ(table.holder(1, 6), 1);
    CHECK_EQ(table.holder(1, 7), 1);
    CHECK_EQ(table.holder(2, 8), 1);
    CHECK(!table.taken(0, 4));
    CHECK(!table.taken(0, 6));
    CHECK(!table.taken(2, 9));
    CHECK_EQ(table.holder(3, 5), kNobody);
    CHECK_EQ(table.last(), 8);
    CHECK_EQ(table.last_taken(1), 7);
    CHECK_EQ(table.last_taken(3), -1);
}

TEST("a parked agent holds its vertex for ever, rows that do not exist yet included") {
    Reservations table(4, 3);
    table.reserve(0, 0, Path{1, 2}, true);
    CHECK(!table.taken(2, 0));
    CHECK_EQ(table.holder(2, 1), 0);
    CHECK_EQ(table.holder(2, 1000000), 0);
    CHECK_EQ(table.last_taken(2), kForever);
    CHECK_EQ(table.last_taken(1), 0);
    CHECK_EQ(table.last(), 1);
    table.reserve(1, 0, Path{3, 3, 3, 3, 3, 3}, false);  // makes rows after the parking
    for (Time t = 1; t < 8; ++t) CHECK_EQ(table.holder(2, t), 0);
    table.release(0);
    for (Time t = 0; t < 8; ++t) CHECK(!table.taken(2, t));
    CHECK_EQ(table.last_taken(2), -1);
    CHECK_EQ(table.holder(3, 5), 1);
}

TEST("before somebody parks, others may pass") {
    Reservations table(4, 2);
    table.reserve(0, 0, Path{0, 1, 2, 3}, true);
    table.reserve(1, 0, Path{3, 3, 2}, false);  // on 3 before agent 0 comes to stay
    CHECK_EQ(table.holder(3, 0), 1);
    CHECK_EQ(table.holder(3, 3), 0);
    table.release(1);
    CHECK(!table.taken(3, 0));
    CHECK(!table.taken(3, 2));
    CHECK_EQ(table.holder(3, 3), 0);
    CHECK_EQ(table.holder(3, 90), 0);
}

TEST("reserving again replaces what an agent held") {
    Reservations table(4, 1);
    table.reserve(0, 0, Path{0, 1, 2}, true);
    table.reserve(0, 1, Path{3, 3}, false);
    for (Time t = 0; t < 6; ++t)
        for (Vertex v = 0; v < 3; ++v) CHECK(!table.taken(v, t));
    CHECK_EQ(table.holder(3, 2), 0);
    CHECK_EQ(table.start(0), 1);
    CHECK_EQ(table.path(0).size(), 2);
    CHECK(!table.parked(0));
    table.release(0);
    table.release(0);  // nothing left to release
    CHECK(table.path(0).empty());
    CHECK(!table.taken(3, 1));
}

TEST("everything is forgotten at once") {
    Reservations table(5, 3);
    table.advance(4);
    table.reserve(0, 4, Path{0, 1, 2}, true);
    table.reserve(1, 4, Path{3}, false);
    table.clear();
    CHECK_EQ(table.last(), 3);
    CHECK_EQ(table.now(), 4);
    for (Vertex v = 0; v < 5; ++v)
        for (Time t = 4; t < 50; t += 3) CHECK(!table.taken(v, t));
    CHECK(table.path(0).empty());
    table.reserve(2, 4, Path{2, 2}, true);
    CHECK_EQ(table.holder(2, 9), 2);
    CHECK(!table.taken(1, 5));
}

TEST("the past is forgotten, the rest of a path is kept") {
    Reservations table(5, 2);
    table.reserve(0, 0, Path{0, 1, 2, 3}, false);
    table.advance(2);
    CHECK_EQ(table.now(), 2);
    CHECK_EQ(table.holder(2, 2), 0);
    CHECK_EQ(table.last_taken(1), 1);  // now - 1: never again
    table.advance(1);                  // time does not go back
    CHECK_EQ(table.now(), 2);
    table.advance(9);
    CHECK_EQ(table.last(), 8);
    CHECK(!table.taken(3, 9));
    table.reserve(1, 9, Path{4, 3}, false);
    CHECK_EQ(table.holder(3, 10), 1);
    table.release(0);  // held nothing any more
    CHECK_EQ(table.holder(3, 10), 1);
}

TEST("a path with a beginning in the past: only what is left of it is held") {
    Reservations table(5, 1);
    table.advance(10);
    table.reserve(0, 8, Path{0, 1, 2, 3}, false);
    CHECK_EQ(table.holder(2, 10), 0);
    CHECK_EQ(table.holder(3, 11), 0);
    CHECK(!table.taken(0, 10));
    table.release(0);
    CHECK(!table.taken(2, 10));
    table.reserve(0, 2, Path{4, 1}, true);  // long over, but it parked
    CHECK_EQ(table.holder(1, 10), 0);
    CHECK_EQ(table.holder(1, 50), 0);
}

TEST("the ring of rows grows under long paths, also when it has turned") {
    Reservations table(100, 3);
    table.reserve(2, 0, Path{99}, true);
    table.advance(27);
    table.reserve(0, 27, Path(20, 7), false);  // wraps around 32 rows
    Path longest;
    for (Vertex v = 10; v < 90; ++v) longest.push_back(v);
    table.reserve(1, 27, longest, true);
    for (Time t = 27; t < 47; ++t) CHECK_EQ(table.holder(7, t), 0);
    CHECK(!table.taken(7, 47));
    for (Time t = 27; t < 107; ++t) CHECK_EQ(table.holder(10 + t - 27, t), 1);
    CHECK_EQ(table.holder(89, 300), 1);
    CHECK(!table.taken(89, 105));
    for (Time t = 27; t < 300; t += 7) CHECK_EQ(table.holder(99, t), 2);
}

TEST("growing between an advance and the next path forgets nobody who parks later") {
    Reservations table(10, 3);
    table.reserve(0, 0, Path{0, 1, 2, 3, 4}, true);
    table.advance(2);
    table.reserve(1, 2, Path(100, 9), false);
    CHECK_EQ(table.holder(2, 2), 0);
    CHECK_EQ(table.holder(3, 3), 0);
    CHECK(!table.taken(4, 3));
    CHECK_EQ(table.holder(4, 4), 0);
    CHECK_EQ(table.holder(4, 101), 0);
    CHECK_EQ(table.holder(4, 1001), 0);
}

TEST("many agents in one row, added one by one, taken out in another order") {
    // Deleting from a table with linear probing is where holders get lost.
    constexpr int many = 300;
    Reservations table(4096, 1);
    for (AgentId a = 1; a < many; ++a) table.add_agent();
    plain::Random random(4);
    std::vector<Vertex> vertices(4096);
    for (Vertex v = 0; v < 4096; ++v) vertices[v] = v;
    random.shuffle(vertices);
    std::vector<AgentId> left;
    for (AgentId a = 0; a < many; ++a) {
        table.reserve(a, 0, Path{vertices[a], vertices[a]}, false);
        left.push_back(a);
    }
    random.shuffle(left);
    while (!left.empty()) {
        table.release(left.back());
        left.pop_back();
        for (const AgentId a : left) REQUIRE(table.holder(vertices[a], 1) == a);
    }
    for (Vertex v = 0; v < 4096; ++v) CHECK(!table.taken(v, 0) && !table.taken(v, 1));
}

TEST("a swap is refused, along one edge and at any time") {
    const Space space = drawn("....").compiled();
    Reservations table(4, 1);
    table.reserve(0, 0, Path{2, 2, 1, 0}, false);
    CHECK(!table.allows(space, kRules, {1, 2}, 1));
    CHECK(table.allows(space, kRules, {1, 2}, 2));  // a step later it follows
    CHECK(!table.allows(space, kRules, {1, 2}, 0));
    CHECK(!table.allows(space, kRules, {1, 1}, 1));
    CHECK(table.moves({2, 1}, 1));
    CHECK(!table.moves({1, 2}, 1));
    CHECK(table.moves({2, 2}, 0));
}

TEST("two agents that cross one edge in turn are no swap") {
    const Space space = drawn("...").compiled();
    Reservations table(3, 2);
    table.reserve(0, 0, Path{2}, false);     // on 2 at time 0 only
    table.reserve(1, 1, Path{1, 1}, false);  // on 1 from time 1: another agent
    CHECK(table.allows(space, kRules, {1, 2}, 0));
    CHECK(!table.moves({2, 1}, 0));
}

TEST("following: allowed, or forbidden both in front and behind") {
    const Space space = drawn("....").compiled();
    Reservations table(4, 1);
    table.reserve(0, 0, Path{1, 2, 3}, false);
    CHECK(table.allows(space, kRules, {0, 1}, 0));
    CHECK(!table.allows(space, kNoFollowing, {0, 1}, 0));
    CHECK(table.allows(space, kNoFollowing, {0, 1}, 1));
    CHECK(table.allows(space, kRules, {2, 1}, 1));         // already past each other
    CHECK(!table.allows(space, kNoFollowing, {3, 2}, 1));  // a swap anyway
    Reservations behind(4, 1);
    behind.reserve(0, 0, Path{0, 1}, false);
    CHECK(behind.allows(space, kRules, {1, 2}, 0));
    CHECK(!behind.allows(space, kNoFollowing, {1, 2}, 0));
}

TEST("crossing diagonals: forbidden unless the rules allow them") {
    const Space space = drawn("..\n..", 8).compiled();
    Reservations table(4, 1);
    table.reserve(0, 3, Path{0, 3}, false);
    for (const Move move : {Move{1, 2}, Move{2, 1}}) {
        CHECK(!table.allows(space, kRules, move, 3));
        CHECK(table.allows(space, kRules, move, 4));
        CHECK(table.allows(space, {.crossing = true}, move, 3));
    }
}

TEST("a copy is independent") {
    Reservations table(4, 2);
    table.reserve(0, 0, Path{0, 1}, true);
    Reservations copy(table);
    table.release(0);
    copy.reserve(1, 0, Path{2, 3}, false);
    CHECK_EQ(copy.holder(1, 5), 0);
    CHECK(!table.taken(1, 5));
    CHECK(!table.taken(3, 1));
}

TEST("random reservations, releases, time and agents: the table keeps its promises") {
    plain::Random random(5);
    for (int round = 0; round < 150; ++round) {
        Twin twin(plain::random_ground(random, 6), random.between(1, 6));
        const Rules rules = plain::random_rules(random);
        for (int k = 0; k < 60; ++k) {
            const auto count = static_cast<int>(twin.promises.of.size());
            const AgentId agent = random.below(count);
            const int what = random.below(10);
            if (what < 6) {
                const int longest = random.chance(5) ? 80 : 12;
                const auto promise = random_promise(random, twin.space, twin.table.now(), longest);
                if (twin.promises.fits(promise, agent, twin.table.now()))
                    twin.reserve(agent, promise);
            } else if (what < 8) {
                twin.release(agent);
            } else if (random.chance(5)) {
                twin.table.clear();
                for (auto& promise : twin.promises.of) promise = {};
            } else if (what == 8) {
                twin.table.advance(twin.table.now() + random.below(6));
            } else if (count < 40) {
                twin.table.add_agent();
                twin.promises.of.emplace_back();
            }
            twin.check(random, rules);
        }
    }
}

TEST("room for a long path is made within the budget, or not at all") {
    Reservations table(64 * 64, 2);
    const std::vector<Vertex> way{5, 6, 7};
    table.reserve(0, 0, way, true);
    Budget small({}, {}, table.bytes() + 4000);
    CHECK(!table.make_room(500, small));
    CHECK(small.why() == Stop::memory);
    CHECK_EQ(table.last(), 2);
    Budget over(0.0, {}, {});
    CHECK(!table.make_room(500, over));
    CHECK(over.why() == Stop::time);
    CHECK_EQ(table.last(), 2);
    CHECK_EQ(table.holder(6, 1), 0);
    CHECK_EQ(table.holder(7, 400), 0);

    Budget unlimited;
    CHECK(table.make_room(500, unlimited));
    CHECK_EQ(table.last(), 500);
    CHECK(table.taken(7, 500));  // parked
    CHECK(!table.taken(6, 2));
    CHECK(table.bytes() > 500 * 64 * 64 / 8);
}
