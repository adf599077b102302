// The compiled space against its description: neighbours, corners, walls that come and go,
// crossings.
#include "sidestep/model/space.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

std::vector<Vertex> listed(Adjacent vertices) { return {vertices.begin(), vertices.end()}; }

std::vector<Vertex> sorted(std::vector<Vertex> vertices) {
    std::sort(vertices.begin(), vertices.end());
    return vertices;
}
std::vector<Vertex> sorted(Adjacent vertices) { return sorted(listed(vertices)); }

bool crosses(const Space& space, Move a, Move b) {
    return space.any_crossing(a,
                              [&](Move other) { return other.from == b.from && other.to == b.to; });
}

// Every question that has an answer, asked of both.
void check_same(const plain::Ground& ground, const Space& space) {
    for (Vertex v = 0; v < ground.size(); ++v) {
        CHECK_EQ(space.is_open(v), ground.open[v] != 0);
        std::vector<Vertex> ahead, behind;
        for (Vertex u = 0; u < ground.size(); ++u) {
            if (ground.connects(v, u)) ahead.push_back(u);
            if (ground.open[u] && ground.connects(u, v)) behind.push_back(u);
            CHECK_EQ(space.connects(v, u), ground.connects(v, u));
        }
        CHECK_EQ(sorted(space.successors(v)), ahead);
        if (space.is_grid())
            for (std::size_t k = 0; k < 8; ++k)
                CHECK_EQ(space.offsets(v)[k],
                         k < ahead.size() ? space.successors(v)[k] - v : std::int32_t{0});
        if (space.is_open(v)) CHECK_EQ(sorted(space.predecessors(v)), behind);
    }
}

}  // namespace

TEST("a 4-connected grid: up, right, down, left, without the walls") {
    const Space space = drawn("...\n.#.\n...").compiled();
    CHECK_EQ(space.size(), 9);
    CHECK_EQ(listed(space.successors(0)), (std::vector<Vertex>{1, 3}));
    CHECK_EQ(listed(space.successors(1)), (std::vector<Vertex>{2, 0}));
    CHECK_EQ(listed(space.successors(5)), (std::vector<Vertex>{2, 8}));
    CHECK(!space.has_crossings());
    CHECK(space.contains(0) && space.contains(8));
    CHECK(!space.contains(-1) && !space.contains(9));
}

TEST("an 8-connected grid: straight moves first, then diagonals") {
    const Space space = drawn("...\n...\n...", 8).compiled();
    CHECK_EQ(listed(space.successors(4)), (std::vector<Vertex>{1, 5, 7, 3, 2, 8, 6, 0}));
    CHECK(space.has_crossings());
}

TEST("rows do not wrap around") {
    const Space space = drawn("...\n...", 8).compiled();
    CHECK(!space.connects(2, 3));
    CHECK(!space.connects(3, 2));
    CHECK(!space.connects(2, 0));
}

TEST("corners: how many of the two cells beside a diagonal may be blocked") {
    // From the top left to the bottom right cell, past none, one and two blocked corners.
    struct Case {
        const char* rows;
        bool none, one, free;
    };
    for (const Case& c : {Case{"..\n..", true, true, true}, Case{".#\n..", false, true, true},
                          Case{"..\n#.", false, true, true}, Case{".#\n#.", false, false, true}}) {
        CHECK_EQ(drawn(c.rows, 8, Corners::none).compiled().connects(0, 3), c.none);
        CHECK_EQ(drawn(c.rows, 8, Corners::one).compiled().connects(0, 3), c.one);
        CHECK_EQ(drawn(c.rows, 8, Corners::free).compiled().connects(0, 3), c.free);
    }
}

TEST("an agent can leave a vertex that closed under it, and nobody can enter") {
    Space space = drawn("...").compiled();
    space.set_open(1, false);
    CHECK_EQ(listed(space.successors(1)), (std::vector<Vertex>{2, 0}));
    CHECK(space.successors(0).empty());
    CHECK(space.successors(2).empty());
    CHECK(!space.is_open(1));
}

TEST("closing and opening a corner takes diagonals away and gives them back") {
    Space space = drawn("..\n..", 8).compiled();
    CHECK(space.connects(0, 3));
    space.set_open(1, false);
    CHECK(!space.connects(0, 3));
    CHECK(!space.connects(3, 0));
    space.set_open(1, true);
    CHECK(space.connects(0, 3));
    CHECK(space.connects(3, 0));
}

TEST("a wall of the map can be opened") {
    Space space = drawn(".#.").compiled();
    space.set_open(1, true);
    CHECK(space.connects(0, 1));
    CHECK(space.connects(1, 2));
}

TEST("opening and closing in any order keeps the order of the neighbours") {
    Space space = drawn("...\n...\n...", 8).compiled();
    const auto before = listed(space.successors(4));
    for (const Vertex v : {8, 1, 3}) space.set_open(v, false);
    for (const Vertex v : {3, 8, 1}) space.set_open(v, true);
    CHECK_EQ(listed(space.successors(4)), before);
}

TEST("a directed graph is walked one way") {
    const std::vector<Move> edges{{0, 1}, {1, 2}, {2, 0}};
    const Space space = Space::graph(3, edges, true, {});
    CHECK(space.connects(0, 1));
    CHECK(!space.connects(1, 0));
    CHECK_EQ(listed(space.predecessors(0)), (std::vector<Vertex>{2}));
    CHECK(space.is_directed());
}

TEST("parallel edges are one, and both directions of an undirected edge are too") {
    const std::vector<Move> edges{{0, 1}, {1, 0}, {0, 1}};
    const Space space = Space::graph(2, edges, false, {});
    CHECK_EQ(listed(space.successors(0)), (std::vector<Vertex>{1}));
    CHECK_EQ(listed(space.successors(1)), (std::vector<Vertex>{0}));
}

TEST("the two diagonals of a 2x2 block cross, in all four directions") {
    const Space space = drawn("..\n..", 8).compiled();
    for (const Move one : {Move{0, 3}, Move{3, 0}})
        for (const Move other : {Move{1, 2}, Move{2, 1}}) {
            CHECK(crosses(space, one, other));
            CHECK(crosses(space, other, one));
        }
    CHECK(!crosses(space, {0, 3}, {3, 0}));  // a swap, not a crossing
    CHECK(!crosses(space, {0, 1}, {2, 3}));
}

TEST("edge conflicts: both ways on an undirected graph, one way on a directed one") {
    const std::vector<Move> edges{{0, 1}, {2, 3}};
    const std::vector<Move> conflicts{{0, 1}};
    const Space both = Space::graph(4, edges, false, conflicts);
    CHECK(both.has_crossings());
    for (const Move one : {Move{0, 1}, Move{1, 0}})
        for (const Move other : {Move{2, 3}, Move{3, 2}}) {
            CHECK(crosses(both, one, other));
            CHECK(crosses(both, other, one));
        }
    const Space directed = Space::graph(4, edges, true, conflicts);
    CHECK(crosses(directed, {0, 1}, {2, 3}));
    CHECK(crosses(directed, {2, 3}, {0, 1}));
    CHECK(!crosses(directed, {1, 0}, {2, 3}));
}

TEST("an edge does not cross itself, even if its parallel is named as its rival") {
    const std::vector<Move> edges{{0, 1}, {1, 0}};
    for (const Move pair : {Move{0, 0}, Move{0, 1}}) {
        const std::vector<Move> conflicts{pair};
        const Space space = Space::graph(2, edges, false, conflicts);
        CHECK(!crosses(space, {0, 1}, {0, 1}));
        CHECK(!crosses(space, {0, 1}, {1, 0}));
    }
}

TEST("the estimate is Manhattan, Chebyshev, or nothing on a graph") {
    CHECK_EQ(drawn("...\n...\n...").compiled().estimate(0, 5), 3);
    CHECK_EQ(drawn("...\n...\n...", 8).compiled().estimate(0, 5), 2);
    const std::vector<Move> edges{{0, 1}};
    CHECK_EQ(Space::graph(2, edges, false, {}).estimate(0, 1), 0);
}

TEST("around names v and everything one edge away, walls included") {
    const auto ground = drawn("#..\n.#.\n...", 8);
    std::vector<Vertex> seen;
    ground.compiled().around(4, [&](Vertex v) { seen.push_back(v); });
    CHECK_EQ(sorted(seen), (std::vector<Vertex>{0, 1, 2, 3, 4, 5, 6, 7, 8}));
    const std::vector<Move> edges{{0, 1}, {2, 0}};
    seen.clear();
    Space::graph(3, edges, true, {}).around(0, [&](Vertex v) { seen.push_back(v); });
    CHECK_EQ(sorted(seen), (std::vector<Vertex>{0, 1, 2}));
}

TEST("random spaces with walls that come and go agree with their description") {
    plain::Random random(1);
    for (int round = 0; round < 60; ++round) {
        auto ground = plain::random_ground(random);
        Space space = ground.compiled();
        check_same(ground, space);
        for (int change = 0; change < 8; ++change) {
            const Vertex v = random.below(ground.size());
            ground.open[v] = random.chance(50);
            space.set_open(v, ground.open[v] != 0);
            check_same(ground, space);
        }
        check_same(ground, Space(space));  // a copy stands by itself
    }
}

TEST("random edge conflicts agree with their description") {
    plain::Random random(2);
    for (int round = 0; round < 100; ++round) {
        const auto ground = plain::random_ground(random, 4);
        const Space space = ground.compiled();
        for (int k = 0; k < 100; ++k) {
            const Vertex a = random.below(ground.size()), b = random.below(ground.size());
            if (space.successors(a).empty() || space.successors(b).empty()) continue;
            const auto step = [&](Vertex v) {
                const auto near = space.successors(v);
                return Move{v, near[random.below(static_cast<int>(near.size()))]};
            };
            const Move one = step(a), other = step(b);
            const bool expected = space.has_crossings() && ground.cross(one, other);
            REQUIRE((space.has_crossings() && crosses(space, one, other)) == expected);
        }
    }
}

TEST("rows and columns are found without a division, exactly") {
    constexpr Vertex kLast = std::numeric_limits<Vertex>::max();
    plain::Random random(3);
    for (int round = 0; round < 2000; ++round) {
        // Widths of all magnitudes, and powers of two and their neighbours.
        const std::int32_t bits = random.between(0, 30);
        const std::int32_t width = std::max(
            1, (std::int32_t{1} << bits) +
                   (round % 2 ? random.between(-1, 1) : random.below(std::int32_t{1} << bits)));
        const Raster raster(width);
        std::vector<Vertex> vertices{0, width - 1, kLast, kLast - kLast % width};
        for (int k = 0; k < 20; ++k) vertices.push_back(random.below(kLast));
        for (const Vertex v : vertices) {
            for (const Vertex near : {v - v % width, v, std::max(v - v % width - 1, 0)}) {
                REQUIRE(raster.row(near) == near / width);
                REQUIRE(raster.col(near) == near % width);
            }
        }
    }
}

TEST("copies share their memory until one of them opens or closes a vertex") {
    const std::vector<Move> edges{{0, 1}, {1, 2}};
    for (const Space& first : {drawn("....\n....", 8).compiled(), drawn("....").compiled(),
                               Space::graph(3, edges, true, {})}) {
        const std::int64_t before = first.copies();
        Space second = first, third = second;
        CHECK_EQ(first.copies(), before + 2);
        second.set_open(1, true);  // which it is
        CHECK_EQ(first.copies(), before + 2);
        second.set_open(1, false);
        CHECK_EQ(first.copies(), before + 1);
        CHECK_EQ(second.copies(), 1);
        CHECK(first.is_open(1) && third.is_open(1) && !second.is_open(1));
        CHECK(first.connects(0, 1) && third.connects(0, 1) && !second.connects(0, 1));
        third = second;
        second.set_open(1, true);
        CHECK(!third.is_open(1) && second.is_open(1));
        CHECK_EQ(listed(first.successors(0)), listed(second.successors(0)));
    }
}

TEST("a large grid takes two bytes per cell") {
    const std::vector<std::uint8_t> open(1 << 20, 1);
    for (const int connectivity : {4, 8}) {
        const Space space = Space::grid(open, 1 << 10, connectivity, Corners::none);
        CHECK(space.bytes() < (2 << 20) + (1 << 16));
        CHECK(space.for_size(3).bytes() < (2 << 20) + (1 << 16));
    }
}

TEST("whatever is not 0 is passable") {
    const std::vector<std::uint8_t> open{1, 0, 2, 255};
    const Space space = Space::grid(open, 4, 4, Corners::none);
    CHECK_EQ(listed(space.successors(2)), (std::vector<Vertex>{3}));
    CHECK_EQ(listed(space.successors(1)), (std::vector<Vertex>{2, 0}));
}
