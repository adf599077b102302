// Exact distances on demand: Reverse Resumable A* against breadth-first search.
#include "sidestep/distance/distance.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/spacetime/reservations.hpp"
#include "sidestep/spacetime/search.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

constexpr auto kNoLimit = std::nullopt;

// A corridor of n vertices, as a graph.
Space line(std::int32_t n) {
    std::vector<Move> edges;
    for (Vertex v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1});
    return Space::graph(n, edges, false, {});
}

// The same distance in the words of the plain model: -1 for no way.
int at(DistanceMap& map, Vertex v) {
    Budget budget;
    const Cost cost = map.at(v, budget);
    return cost >= kUnreachable ? -1 : cost;
}

void check_all(const plain::Ground& ground, DistanceMap& map, Vertex goal, plain::Random& random) {
    const auto expected = ground.distances_to(goal);
    std::vector<Vertex> asked(ground.size());
    for (Vertex v = 0; v < ground.size(); ++v) asked[v] = v;
    random.shuffle(asked);
    for (const Vertex v : asked) CHECK_EQ(at(map, v), expected[v]);
}

}  // namespace

TEST("distances to a goal, and none through walls") {
    const auto ground = drawn("..#.\n.##.\n..#.");
    const Space space = ground.compiled();
    Distances distances(space);
    DistanceMap& map = distances.acquire(0, 9);
    CHECK_EQ(at(map, 0), 0);
    CHECK_EQ(at(map, 9), 3);
    CHECK_EQ(at(map, 1), 1);
    CHECK_EQ(at(map, 3), -1);
    CHECK_EQ(at(map, 9), 3);
}

TEST("the search stops as soon as it knows what was asked") {
    const Space space = Space::grid(std::vector<std::uint8_t>(100 * 100, 1), 100, 4, Corners::none);
    Distances distances(space);
    DistanceMap& map = distances.acquire(50, 60);
    CHECK_EQ(at(map, 60), 10);
    const std::size_t few = distances.bytes();
    CHECK_EQ(at(map, 9999), 99 + 49);
    CHECK(distances.bytes() >= few + 9000 * sizeof(std::uint16_t));
}

TEST("a closed goal is reached from nowhere but itself") {
    const auto ground = drawn("...");
    Space space = ground.compiled();
    Distances distances(space);
    DistanceMap& map = distances.acquire(2, 0);
    CHECK_EQ(at(map, 0), 2);
    space.set_open(2, false);
    distances.changed(2);
    CHECK_EQ(at(map, 0), -1);
    CHECK_EQ(at(map, 2), 0);
    space.set_open(2, true);
    distances.changed(2);
    CHECK_EQ(at(map, 0), 2);
}

TEST("from a vertex that closed under an agent the way begins outside") {
    const auto ground = drawn("....\n.#..");
    Space space = ground.compiled();
    space.set_open(1, false);
    Distances distances(space);
    DistanceMap& map = distances.acquire(3, 1);
    CHECK_EQ(at(map, 1), 2);
    CHECK_EQ(at(map, 0), -1);  // not through the closed vertex
    CHECK_EQ(at(map, 5), 4 - 1);
}

TEST("a directed graph is measured along its edges") {
    const std::vector<Move> edges{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {1, 3}};
    const Space space = Space::graph(4, edges, true, {});
    Distances distances(space);
    DistanceMap& map = distances.acquire(3, 0);
    CHECK_EQ(at(map, 0), 2);
    CHECK_EQ(at(map, 2), 1);
    CHECK_EQ(at(distances.acquire(0, 1), 1), 2);
    CHECK_EQ(at(distances.acquire(1, 0), 2), 3);
}

TEST("distances beyond 16 bits: the words widen while the search goes on") {
    constexpr std::int32_t n = 70000;
    Space space = line(n);
    Distances distances(space);
    DistanceMap& map = distances.acquire(0, 100);
    CHECK_EQ(at(map, 100), 100);
    for (Vertex v = 32700; v < 32800; ++v) CHECK_EQ(at(map, v), v);
    CHECK_EQ(at(map, 200), 200);  // known before the change
    CHECK_EQ(at(map, n - 1), n - 1);
    for (Vertex v = 1; v < n; v += 487) CHECK_EQ(at(map, v), v);

    space.set_open(60000, false);
    distances.changed(60000);
    CHECK_EQ(at(map, 59999), 59999);
    CHECK_EQ(at(map, n - 1), -1);
    CHECK_EQ(at(map, 1), 1);
}

TEST("the widest narrow distances are exact, from either end") {
    for (const std::int32_t n : {32766, 32767, 32768, 32769}) {
        const Space space = line(n);
        Distances distances(space);
        CHECK_EQ(at(distances.acquire(0, n - 1), n - 1), n - 1);
        CHECK_EQ(at(distances.acquire(n - 1, 0), 0), n - 1);
    }
}

TEST("a winding corridor on a grid is longer than 16 bits can say") {
    // Walls in every second row, with a gap at alternating ends.
    constexpr int side = 271;
    plain::Ground ground;
    ground.width = side;
    ground.open.assign(side * side, 1);
    for (int row = 1; row < side; row += 2)
        for (int col = 0; col < side; ++col)
            ground.open[row * side + col] = col == (row % 4 == 1 ? side - 1 : 0);
    const Space space = ground.compiled();
    Distances distances(space);
    const Vertex end = (side - 1) * side + (side % 4 == 3 ? 0 : side - 1);
    const int turns = side / 2;
    const Vertex far = turns % 2 == 0 ? (side - 1) * side + side - 1 : (side - 1) * side;
    DistanceMap& map = distances.acquire(0, end);
    CHECK_EQ(at(map, far), (turns + 1) * (side - 1) + 2 * turns);
    CHECK(at(map, far) > 32767);
    CHECK_EQ(at(map, 1), 1);
}

TEST("a whole table at once: the open vertices that reach an open goal") {
    plain::Random random(12);
    for (int round = 0; round < 100; ++round) {
        const auto ground = plain::random_ground(random, 7);
        const Space space = ground.compiled();
        const Vertex goal = random.below(ground.size());
        const auto expected = ground.distances_to(goal);
        std::vector<Cost> table(ground.size());
        Budget budget;
        REQUIRE(distance_table(space, goal, budget, table));
        CHECK_EQ(budget.nodes(), 0);
        for (Vertex v = 0; v < ground.size(); ++v) {
            const bool reaches = ground.open[goal] && ground.open[v] && expected[v] >= 0;
            CHECK_EQ(table[v], reaches ? expected[v] : kUnreachable);
        }
    }
}

TEST("a table that is larger than its budget says so") {
    const Space space = line(100000);
    std::vector<Cost> table(100000);
    Budget over(0.0, kNoLimit, kNoLimit);
    CHECK(!distance_table(space, 0, over, table));
    CHECK(over.why() == Stop::time);
    Budget budget;
    CHECK(distance_table(space, 0, budget, table));
    CHECK_EQ(table[99999], 99999);
}

TEST("a search that runs out of budget goes on where it stopped") {
    const Space space = line(5000);
    Distances distances(space);
    DistanceMap& map = distances.acquire(0, 4999);
    int calls = 0;
    Cost cost = kNotReady;
    while (cost == kNotReady && calls < 1000) {
        // Stopped by its poll or its clock: the first look comes after a fixed number of ticks.
        Budget over(0.0, kNoLimit, kNoLimit);
        cost = map.at(4999, over);
        ++calls;
    }
    CHECK_EQ(cost, 4999);
    CHECK(calls > 10);
}

TEST("a spent budget leaves known distances known") {
    const Space space = line(1000);
    Distances distances(space);
    DistanceMap& map = distances.acquire(0, 999);
    CHECK_EQ(at(map, 500), 500);
    Budget over(0.0, kNoLimit, kNoLimit);
    CHECK(!over.look());
    CHECK_EQ(map.at(300, over), 300);
    CHECK_EQ(map.at(999, over), kNotReady);
    CHECK_EQ(at(map, 999), 999);
}

TEST("distance work costs no nodes") {
    const Space space = line(1000);
    Distances distances(space);
    Budget budget(kNoLimit, 1, kNoLimit);
    CHECK_EQ(distances.acquire(0, 999).at(999, budget), 999);
    CHECK_EQ(budget.nodes(), 0);
}

TEST("a change far away costs nothing, one on the way is noticed") {
    Space space = line(1000);
    Distances distances(space);
    DistanceMap& map = distances.acquire(0, 10);
    CHECK_EQ(at(map, 10), 10);
    CHECK(map.touches(5));
    CHECK(map.touches(11));
    CHECK(!map.touches(500));
    space.set_open(500, false);
    distances.changed(500);
    CHECK_EQ(at(map, 999), -1);
    space.set_open(500, true);
    distances.changed(500);
    CHECK_EQ(at(map, 999), 999);
}

TEST("maps are shared by goal; unused ones are forgotten beyond the cap, used ones never") {
    const Space space = line(4096);
    Distances distances(space, 3 * 4096 * sizeof(std::uint16_t));
    DistanceMap& kept = distances.acquire(7, 0);
    CHECK(&distances.acquire(7, 9) == &kept);
    at(kept, 4095);
    for (Vertex goal = 100; goal < 120; ++goal) {
        DistanceMap& map = distances.acquire(goal, 0);
        CHECK_EQ(at(map, 4095), 4095 - goal);
        distances.release(goal);
    }
    CHECK(distances.bytes() <= 6 * 4096 * sizeof(std::uint16_t));
    CHECK_EQ(at(kept, 0), 7);
    distances.release(7);
    CHECK(&distances.acquire(7, 0) == &kept);  // one user is left
    for (Vertex goal = 200; goal < 220; ++goal) at(distances.acquire(goal, 0), 4095);
    CHECK_EQ(at(kept, 4095), 4088);
    CHECK(distances.bytes() >= 20 * 4096 * sizeof(std::uint16_t));  // all in use
}

TEST("the cap counts all that maps take, not only their pages") {
    // Many short trips on a large map: each touches little, but leaves a directory of pages.
    const Space space = Space::grid(std::vector<std::uint8_t>(512 * 512, 1), 512, 4, Corners::none);
    constexpr std::size_t cap = 100000;
    Distances distances(space, cap);
    std::size_t most = 0;
    for (Vertex goal = 0; goal < 300; ++goal) {
        CHECK_EQ(at(distances.acquire(goal, goal + 1), goal + 1), 1);
        distances.release(goal);
        distances.trim();
        most = std::max(most, distances.bytes());
    }
    CHECK(most <= cap + 20000);  // one map more at most
}

TEST("pages of a forgotten map come back zeroed") {
    PagePool pool(DistanceMap::kPageBytes);
    std::byte* page = pool.take();
    for (std::size_t k = 0; k < DistanceMap::kPageBytes; ++k) page[k] = std::byte{255};
    CHECK_EQ(pool.bytes_in_use(), DistanceMap::kPageBytes);
    pool.give_back(page);
    CHECK_EQ(pool.bytes_in_use(), 0);
    page = pool.take();
    for (std::size_t k = 0; k < DistanceMap::kPageBytes; ++k) CHECK(page[k] == std::byte{0});
}

TEST("random spaces, origins, questions and changes: the same as breadth-first search") {
    plain::Random random(3);
    for (int round = 0; round < 150; ++round) {
        auto ground = plain::random_ground(random, 7);
        Space space = ground.compiled();
        Distances distances(space);
        std::vector<Vertex> goals;
        for (int k = 0; k < 3; ++k) goals.push_back(random.below(ground.size()));
        std::vector<DistanceMap*> maps;
        for (const Vertex goal : goals)
            maps.push_back(&distances.acquire(goal, random.below(ground.size())));
        for (int change = 0; change < 8; ++change) {
            // Some questions only, so that maps are at different stages when the walls change.
            for (std::size_t k = 0; k < maps.size(); ++k) {
                const Vertex v = random.below(ground.size());
                CHECK_EQ(at(*maps[k], v), ground.distances_to(goals[k])[v]);
            }
            const Vertex v = random.below(ground.size());
            ground.open[v] = random.chance(50);
            space.set_open(v, ground.open[v] != 0);
            distances.changed(v);
        }
        for (std::size_t k = 0; k < maps.size(); ++k) check_all(ground, *maps[k], goals[k], random);
    }
}

TEST("where the way is free, the first search knows every vertex of it") {
    // Silver 2005: "a left fork in the forward direction should become a right fork in the reverse
    // direction". On an empty 4-connected map no distance on the way has to be searched for again.
    plain::Random random(5);
    const Rules rules;
    const Reservations nobody(20 * 20, 1);
    const Space space = Space::grid(std::vector<std::uint8_t>(20 * 20, 1), 20, 4, Corners::none);
    for (int k = 0; k < 300; ++k) {
        const Vertex start = random.below(400), goal = random.below(400);
        Distances for_search(space), distances(space);
        Budget budget, ended(kNoLimit, kNoLimit, kNoLimit);
        SearchTask task;
        task.start = start;
        task.goal = goal;
        task.distances = &for_search.acquire(goal, start);
        std::vector<Vertex> path;
        CHECK(SpaceTimeSearch().run(space, rules, nobody, task, budget, path) == Outcome::found);
        DistanceMap& map = distances.acquire(goal, start);
        at(map, start);
        ended.end(Stop::asked);
        for (const Vertex v : path) CHECK(map.at(v, ended) != kNotReady);
    }
}

TEST("a map that catches up after any number of steps knows what the other one knows") {
    plain::Random random(11);
    for (int trial = 0; trial < 100; ++trial) {
        std::vector<std::uint8_t> open(30 * 30);
        for (std::uint8_t& cell : open) cell = random.below(10) > 1;
        const Space space = Space::grid(open, 30, 4, Corners::none);
        const Vertex goal = random.below(900), origin = random.below(900);
        Distances some(space, 0), others(space, 0);
        DistanceMap& map = some.acquire(goal, origin);
        for (int part = 0; part < 4; ++part) {
            Steps few{random.below(200)};
            map.at(random.below(900), few);
        }
        DistanceMap& copy = others.acquire(goal, map.origin());
        copy.catch_up(map.taken());
        CHECK_EQ(copy.taken(), map.taken());
        for (Vertex v = 0; v < 900; ++v) {
            Steps none;
            CHECK_EQ(copy.at(v, none), map.at(v, none));
        }
        Steps steps{1 << 20}, as_many{1 << 20};
        CHECK_EQ(copy.at(origin, steps), map.at(origin, as_many));
        CHECK_EQ(steps.left, as_many.left);
    }
}

TEST("without room for maps that nobody uses, they are forgotten at once") {
    const Space space = line(50);
    Distances distances(space, 0);
    CHECK_EQ(at(distances.acquire(0, 49), 49), 49);
    CHECK(distances.bytes() > 0);
    distances.release(0);
    CHECK_EQ(distances.bytes(), 0);
    Steps few{3};
    CHECK_EQ(distances.acquire(0, 49).at(49, few), kNotReady);
    CHECK_EQ(few.left, 0);
}
