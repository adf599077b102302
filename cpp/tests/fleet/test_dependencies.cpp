// Dependencies of small plans by hand: who waits for whom, rings, what is kept while visits finish.
#include "sidestep/fleet/dependencies.hpp"

#include <vector>

#include "check.hpp"

using namespace sidestep;

namespace {

// A road of one row.
Dependencies road(std::int32_t length, std::vector<Vertex> starts) {
    const std::vector<std::uint8_t> open(static_cast<std::size_t>(length), 1);
    Agents agents;
    agents.positions = std::move(starts);
    agents.bodies.assign(agents.positions.size(), Body{1, 1, length});
    return {Space::grid(open, length, 4, Corners::none), Rules{}, agents};
}

bool add(Dependencies& graph, const std::vector<Vertex>& places, std::size_t agents) {
    Budget budget;
    return graph.add({places, agents}, budget);
}

}  // namespace

TEST("who follows is released when the one in front has left") {
    Dependencies graph = road(4, {1, 0});
    REQUIRE(add(graph, {1, 0, 2, 1, 3, 2}, 2));
    graph.release(8, 0);
    CHECK_EQ(graph.released(0), 2);
    CHECK_EQ(graph.released(1), 0);
    CHECK_EQ(graph.waits(1).size(), 1u);
    CHECK_EQ(graph.waits(1)[0].number, 1);
    CHECK_EQ(graph.waits(1)[0].place, 1);
    graph.finish(0, 1);
    graph.release(8, 0);
    CHECK_EQ(graph.released(1), 1);
    graph.finish(0, 2);
    graph.release(8, 0);
    CHECK_EQ(graph.released(1), 2);
    CHECK(graph.waits(1).empty());
}

TEST("a ring is found, and a row that moves along is none") {
    const std::vector<std::uint8_t> open(4, 1);
    Agents agents;
    agents.positions = {0, 1, 3, 2};
    agents.bodies.assign(4, Body{1, 1, 2});
    Dependencies graph(Space::grid(open, 2, 4, Corners::none), Rules{}, agents);
    CHECK(!add(graph, {0, 1, 3, 2, 1, 3, 2, 0}, 4));
    REQUIRE(graph.ring().has_value());
    CHECK_EQ(graph.ring()->agents.size(), 4u);
    CHECK_EQ(graph.ring()->step, 1);
    Dependencies row = road(5, {0, 1, 2, 3});
    CHECK(add(row, {0, 1, 2, 3, 1, 2, 3, 4}, 4));
}

TEST("what is committed keeps what was released, and nothing else") {
    Dependencies graph = road(6, {1, 0});
    REQUIRE(add(graph, {1, 0, 2, 0, 3, 1, 4, 2}, 2));
    graph.release(2, 0);
    graph.finish(0, 1);
    Dependencies same = graph.committed();
    CHECK_EQ(same.finished(0), 1);
    CHECK_EQ(same.released(0), 2);
    CHECK_EQ(same.total(0), 2);
    CHECK_EQ(same.place(0, 1), 2);
    CHECK_EQ(same.place(0, 2), 3);
    CHECK_EQ(same.total(1), 0);
    // A new plan behind it: the second one may not enter what the first has still to leave.
    REQUIRE(add(same, {3, 0, 3, 1, 3, 2}, 2));
    same.release(8, 0);
    CHECK_EQ(same.released(1), 1);
    CHECK_EQ(same.waits(1)[0].other, 0);
    CHECK_EQ(same.waits(1)[0].number, 2);
}

TEST("memory is for what is ahead") {
    Dependencies graph = road(3, {0});
    std::vector<Vertex> places{0};
    for (int k = 0; k < 500; ++k) places.push_back(1 - places.back());
    REQUIRE(add(graph, places, 1));
    for (std::int32_t k = 1; k <= 500; ++k) {
        graph.release(1, 0);
        CHECK_EQ(graph.released(0), k);
        graph.finish(0, k);
    }
    CHECK_EQ(graph.total(0), 500);
    CHECK_EQ(graph.place(0, 500), 0);
}

TEST("who stands goes first where the other is far, and never where it is near") {
    // The second comes down to the crossing (cell 2) long after the first could have passed.
    const std::vector<std::uint8_t> open(5 * 8, 1);
    Agents agents;
    agents.positions = {10, 37};
    agents.bodies.assign(2, Body{1, 1, 5});
    const Space space = Space::grid(open, 5, 4, Corners::none);
    std::vector<Vertex> places{10, 37};
    for (const Vertex second : {32, 27, 22, 17, 12, 7}) places.insert(places.end(), {10, second});
    for (const Vertex first : {11, 12, 13}) places.insert(places.end(), {first, 7});
    for (const bool turns : {false, true}) {
        Dependencies graph(space, Rules{}, agents);
        REQUIRE(add(graph, places, 2));
        graph.release(8, turns ? 2 : 0);
        CHECK_EQ(graph.turned(), turns ? 1 : 0);
        CHECK_EQ(graph.released(0), turns ? 3 : 1);
        CHECK_EQ(graph.released(1), turns ? 4 : 6);
    }
    Dependencies late(space, Rules{}, agents);
    REQUIRE(add(late, places, 2));
    late.release(4, 0);
    late.finish(0, 1);
    late.finish(1, 4);
    // It is before the crossing: to let it pass costs two visits, and so does going first.
    late.release(8, 2);
    CHECK_EQ(late.turned(), 0);
}
