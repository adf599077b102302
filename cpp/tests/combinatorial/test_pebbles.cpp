// Who can never be served, against all configurations that can be reached.
#include "sidestep/combinatorial/pebbles.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Places = std::vector<Vertex>;

plain::Ground of_edges(int size, std::vector<Move> edges) {
    plain::Ground ground;
    ground.open.assign(static_cast<std::size_t>(size), 1);
    ground.edges = std::move(edges);
    return ground;
}

// Long and bushy ones.
plain::Ground random_tree(plain::Random& random, int size) {
    std::vector<Move> edges;
    const int reach = random.chance(50) ? 2 : size;
    for (Vertex v = 1; v < size; ++v)
        edges.push_back({v - 1 - random.below(std::min(v, reach)), v});
    return of_edges(size, std::move(edges));
}

Places draw_places(plain::Random& random, int size, int count) {
    Places places;
    for (Vertex v = 0; v < size; ++v) places.push_back(v);
    random.shuffle(places);
    places.resize(static_cast<std::size_t>(count));
    return places;
}

// All configurations that single moves lead to.
std::set<Places> reachable(const Space& space, const Places& starts) {
    std::set<Places> seen{starts};
    std::vector<Places> open{starts};
    while (!open.empty()) {
        const Places now = open.back();
        open.pop_back();
        for (std::size_t a = 0; a < now.size(); ++a)
            for (const Vertex to : space.successors(now[a])) {
                if (std::find(now.begin(), now.end(), to) != now.end()) continue;
                Places then = now;
                then[a] = to;
                if (seen.insert(then).second) open.push_back(then);
            }
    }
    return seen;
}

// With all the time in the world.
std::optional<Stuck> find_stuck(const Space& space, const Rules& rules, const Places& starts,
                                const Places& goals) {
    Components components(space);
    Budget unlimited;
    components.find(unlimited);
    return find_stuck(components, rules, starts, goals, unlimited);
}

}  // namespace

TEST("random trees: somebody is stuck exactly where the goals cannot be reached") {
    plain::Random random(90);
    int possible = 0, impossible = 0;
    for (int round = 0; round < 600; ++round) {
        const int size = random.between(2, 8);
        const int count = random.between(1, size < 8 ? size : 5);
        const Space space = random_tree(random, size).compiled();
        const Places starts = draw_places(random, size, count);
        const auto all = reachable(space, starts);
        for (int trial = 0; trial < 20; ++trial) {
            Places goals = draw_places(random, size, count);
            if (random.chance(50)) {
                goals = starts;
                random.shuffle(goals);
            }
            const bool solvable = all.contains(goals);
            if (!CHECK_EQ(!find_stuck(space, {}, starts, goals), solvable)) return;
            ++(solvable ? possible : impossible);
        }
    }
    CHECK(possible > 3000);
    CHECK(impossible > 3000);
}

TEST("around a ring the order stays") {
    const Space ring = of_edges(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}}).compiled();
    const Places starts{0, 2, 3};
    const auto all = reachable(ring, starts);
    plain::Random random(91);
    for (int trial = 0; trial < 200; ++trial) {
        const Places goals = draw_places(random, 6, 3);
        CHECK_EQ(!find_stuck(ring, {}, starts, goals), all.contains(goals));
    }
    const Places full{0, 1, 2, 3, 4, 5}, turned{1, 2, 3, 4, 5, 0};
    CHECK(!find_stuck(ring, {}, full, turned));
    const auto stuck = find_stuck(ring, {.following = false}, full, turned);
    REQUIRE(stuck.has_value());
    CHECK(stuck->trap == Trap::full);
}

TEST("where every place is taken agents only go around loops") {
    const Space tailed = of_edges(4, {{0, 1}, {1, 2}, {2, 0}, {2, 3}}).compiled();
    const Places four{0, 1, 2, 3}, five{0, 1, 2, 3, 4};
    CHECK(!find_stuck(tailed, {}, four, Places{1, 2, 0, 3}));
    CHECK(find_stuck(tailed, {}, four, Places{1, 0, 2, 3})->trap == Trap::ring);
    CHECK(find_stuck(tailed, {}, four, Places{0, 1, 3, 2})->trap == Trap::bridge);
    const Space tie = of_edges(5, {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4}, {4, 2}}).compiled();
    CHECK(!find_stuck(tie, {}, five, Places{1, 0, 2, 4, 3}));
    CHECK(find_stuck(tie, {}, five, Places{1, 0, 2, 3, 4})->trap == Trap::odd);
    const Space even = drawn("...\n...").compiled();
    CHECK(!find_stuck(even, {}, Places{0, 1, 2, 3, 4, 5}, Places{1, 0, 2, 3, 4, 5}));
}

TEST("nobody is called stuck where that is not for this test to say") {
    const Space corridor = drawn("....").compiled();
    CHECK(find_stuck(corridor, {}, Places{0, 3}, Places{3, 0}).has_value());
    CHECK(!find_stuck(corridor, {.disappear = true}, Places{0, 3}, Places{3, 0}));
    CHECK(!find_stuck(corridor, {}, Places{0, 3}, Places{3, kNowhere}));
    CHECK(!find_stuck(drawn("..\n..").compiled(), {}, Places{0, 1, 2}, Places{1, 2, 0}));
    CHECK(!find_stuck(corridor, {}, Places{}, Places{}));
}

TEST("each part of a space is looked at by itself") {
    const Space two = drawn("..#..\n..#.#").compiled();  // a square, and three cells in a row
    const Places starts{0, 1, 3, 8};
    CHECK(!find_stuck(two, {}, starts, Places{1, 0, 3, 8}));
    const auto stuck = find_stuck(two, {}, starts, Places{1, 0, 8, 3});
    REQUIRE(stuck.has_value());
    CHECK(stuck->agent >= 2);
    CHECK(stuck->trap == Trap::tree);
}

TEST("a budget that ends leaves the question open") {
    for (const char* drawing : {"........", "....\n.##.\n...."}) {  // a tree and a ring
        const Space space = drawn(drawing).compiled();
        Components components(space);
        Budget unlimited, over(0.0, {}, {});
        components.find(unlimited);
        const Places starts{0, 1, 2}, goals{1, 0, 2};
        CHECK(find_stuck(components, {}, starts, goals, unlimited).has_value());
        over.look();
        CHECK(!find_stuck(components, {}, starts, goals, over));
    }
}
