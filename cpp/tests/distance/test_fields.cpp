// Distance fields on renumbered spots, against the plain breadth-first search of the tests.
#include "sidestep/distance/fields.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

void check_field(const plain::Ground& ground, bool all, plain::Random& random) {
    const Space space = ground.compiled();
    const Roads roads(space, all);
    Fields fields(roads);
    std::vector<Vertex> asked = ground.open_vertices();
    if (asked.empty()) return;
    random.shuffle(asked);
    const Vertex goal = asked.front();
    const auto expected = ground.distances_to(goal);
    Budget budget;
    for (const Vertex v : asked) {
        Fields::Field* field = fields.to(roads.spot(goal), roads.spot(v), budget);
        CHECK(field != nullptr);
        const Cost cost = field->known(roads.spot(v));
        CHECK_EQ(cost >= kUnreachable ? -1 : cost, expected[v]);
    }
}

}  // namespace

TEST("spots are open vertices, and their neighbours are those of the space") {
    plain::Random random(1);
    for (int k = 0; k < 300; ++k) {
        const Space space = plain::random_ground(random, 12).compiled();
        const Roads roads(space);
        for (Vertex v = 0; v < space.size(); ++v) {
            CHECK_EQ(roads.spot(v) == kNowhere, !space.is_open(v));
            if (!space.is_open(v)) continue;
            CHECK_EQ(roads.vertex(roads.spot(v)), v);
            std::vector<Vertex> expected, found;
            for (const Vertex u : space.successors(v)) expected.push_back(u);
            for (const Spot s : roads.next(roads.spot(v))) found.push_back(roads.vertex(s));
            CHECK_EQ(found, expected);
        }
    }
}

TEST("a field has the distances of breadth-first search, wherever it is asked first") {
    plain::Random random(2);
    for (int k = 0; k < 300; ++k) check_field(plain::random_ground(random, 12), k % 2 == 0, random);
}

TEST("a field reaches only a little beyond who asks") {
    const Space space = Space::grid(std::vector<std::uint8_t>(200 * 200, 1), 200, 4, Corners::none);
    const Roads roads(space);
    Fields fields(roads);
    Budget budget;
    Fields::Field* field = fields.to(roads.spot(0), roads.spot(10), budget);
    CHECK_EQ(field->known(roads.spot(10)), 10);
    CHECK_EQ(field->known(roads.spot(10 + Fields::kSlack)), 10 + Fields::kSlack);
    CHECK_EQ(field->known(roads.spot(199)), kNotReady);
    CHECK_EQ(fields.at(*field, roads.spot(199), budget), 199);
}

TEST("distances beyond 16 bits") {
    constexpr std::int32_t kLength = 70000;
    std::vector<Move> edges;
    for (Vertex v = 0; v + 1 < kLength; ++v) edges.push_back({v, v + 1});
    const Space space = Space::graph(kLength, edges, false, {});
    const Roads roads(space);
    Fields fields(roads);
    Budget budget;
    Fields::Field* field = fields.to(0, 65000, budget);
    CHECK_EQ(field->known(65000), 65000);
    CHECK_EQ(fields.at(*field, kLength - 1, budget), kLength - 1);
    CHECK_EQ(field->known(65000), 65000);
}

TEST("a hub with more neighbours than a row is wide") {
    std::vector<Move> edges;
    for (Vertex v = 1; v < 40; ++v) edges.push_back({0, v});
    const Space space = Space::graph(40, edges, false, {});
    const Roads roads(space);
    CHECK_EQ(roads.next(0).size(), 39u);
    Fields fields(roads);
    Budget budget;
    CHECK_EQ(fields.to(7, 8, budget)->known(8), 2);
}

TEST("after walls have opened and closed, fields are as if made anew") {
    plain::Random random(3);
    for (int k = 0; k < 40; ++k) {
        plain::Ground ground = plain::random_grid(random, 8);
        Space space = ground.compiled();
        Roads roads(space, true);
        Fields fields(roads);
        Budget budget;
        for (int change = 0; change < 30; ++change) {
            const Vertex v = random.below(space.size());
            const bool open = !space.is_open(v);
            space.set_open(v, open);
            ground.open[v] = open;
            roads.changed(space, v);
            std::vector<Spot> around;
            space.around(v, [&](Vertex u) { around.push_back(u); });
            fields.changed(around);
            const Vertex goal = random.below(space.size());
            if (!space.is_open(goal)) continue;
            const auto expected = ground.distances_to(goal);
            for (const Vertex u : ground.open_vertices()) {
                Fields::Field* field = fields.to(goal, u, budget);
                const Cost cost = field->known(u);
                CHECK_EQ(cost >= kUnreachable ? -1 : cost, expected[u]);
            }
        }
    }
}

TEST("a field that the budget interrupts goes on later, and memory is counted") {
    const Space space = Space::grid(std::vector<std::uint8_t>(300 * 300, 1), 300, 4, Corners::none);
    const Roads roads(space);
    Fields fields(roads);
    Budget none(0.0, std::nullopt, std::nullopt);
    CHECK(fields.to(0, roads.spot(89999), none) == nullptr);
    Budget budget;
    CHECK_EQ(fields.to(0, roads.spot(89999), budget)->known(roads.spot(89999)), 598);
    CHECK_EQ(fields.bytes(), 2 * 300 * 300);
    Budget small(std::nullopt, std::nullopt, 3 * 300 * 300);
    CHECK(fields.to(5, roads.spot(7), small) == nullptr);
    CHECK_EQ(small.why(), Stop::memory);
}
