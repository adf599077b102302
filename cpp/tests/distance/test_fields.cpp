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

// In how many ways roads are numbered and fields kept.
constexpr int kWays = 4;
Fields::Kept kept(int way) { return way % 2 ? Fields::Kept::changes : Fields::Kept::distances; }
bool has_blocks(int way) { return way >= 2; }

void check_field(const plain::Ground& ground, bool all, int way, plain::Random& random) {
    const Space space = ground.compiled();
    const Roads roads(space, all, has_blocks(way));
    Fields fields(roads, kept(way));
    std::vector<Vertex> asked = ground.open_vertices();
    if (asked.empty()) return;
    random.shuffle(asked);
    const Vertex goal = asked.front();
    const auto expected = ground.distances_to(goal);
    Budget budget;
    for (const Vertex v : asked) {
        Fields::Field* field = fields.to(roads.spot(goal), roads.spot(v), budget);
        CHECK(field != nullptr);
        const Cost cost = fields.at(*field, roads.spot(v), budget);
        CHECK_EQ(cost >= kUnreachable ? -1 : cost, expected[v]);
    }
}

// What a field says of every step beside what the distances say.
void check_changes(const plain::Ground& ground, int way, plain::Random& random) {
    const Space space = ground.compiled();
    const Roads roads(space, false, has_blocks(way));
    Fields fields(roads, kept(way));
    std::vector<Vertex> open = ground.open_vertices();
    if (open.empty()) return;
    random.shuffle(open);
    const auto expected = ground.distances_to(open.front());
    Budget budget;
    Fields::Field* field = fields.to(roads.spot(open.front()), roads.spot(open.back()), budget);
    for (const Vertex v : open)
        for (const Vertex u : space.successors(v)) {
            const Cost change = fields.change(*field, roads.spot(v), roads.spot(u), budget);
            if (expected[v] >= 0 && expected[u] >= 0) CHECK_EQ(change, expected[u] - expected[v]);
            if (expected[v] >= 0 && expected[u] < 0) CHECK_EQ(change, kUnreachable);
            if (expected[v] < 0 && expected[u] < 0) CHECK_EQ(change, 0);
        }
}

// The least that steps to the goal cost together, by trying all steps again and again; -1: none.
std::vector<Cost> costs_to(const Space& space, const StepCosts& costs, Vertex goal) {
    std::vector<Cost> least(static_cast<std::size_t>(space.size()), -1);
    least[goal] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (Vertex v = 0; v < space.size(); ++v)
            for (const Vertex u : space.successors(v)) {
                if (!space.is_open(v) || least[u] < 0) continue;
                const Cost cost = least[u] + costs.of(v, u);
                if (least[v] >= 0 && least[v] <= cost) continue;
                least[v] = cost;
                changed = true;
            }
    }
    return least;
}

}  // namespace

TEST("spots are open vertices, and their neighbours are those of the space") {
    plain::Random random(1);
    for (int k = 0; k < 300; ++k) {
        const Space space = plain::random_ground(random, 12).compiled();
        const Roads roads(space, false, k % 2 == 0);
        for (Vertex v = 0; v < space.size(); ++v) {
            CHECK_EQ(roads.spot(v) == kNowhere, !space.is_open(v));
            if (!space.is_open(v)) continue;
            CHECK_EQ(roads.vertex(roads.spot(v)), v);
            CHECK(roads.spot(v) < roads.size());
            std::vector<Vertex> expected, found;
            for (const Vertex u : space.successors(v)) expected.push_back(u);
            for (const Spot s : roads.next(roads.spot(v))) found.push_back(roads.vertex(s));
            CHECK_EQ(found, expected);
        }
    }
}

TEST("a field has the distances of breadth-first search, wherever it is asked first") {
    plain::Random random(2);
    for (int k = 0; k < 600; ++k)
        check_field(plain::random_ground(random, 12), k % 3 == 0, k % kWays, random);
}

TEST("two bits say of every neighbour whether it is nearer; where roads are one-way, all is kept") {
    plain::Random random(4);
    for (int k = 0; k < 600; ++k)
        check_changes(plain::random_ground(random, 20), k % kWays, random);
}

TEST("fields made on several threads are those made one by one") {
    plain::Random random(5);
    const plain::Ground ground = plain::random_grid(random, 40);
    const std::vector<Vertex> open = ground.open_vertices();
    const Space space = ground.compiled();
    const Roads roads(space, false, true);
    std::vector<Spot> goals, origins;
    for (int k = 0; k < 60; ++k) {
        const auto drawn = [&] {
            return roads.spot(open[random.below(static_cast<int>(open.size()))]);
        };
        goals.push_back(k % 7 ? drawn() : kNowhere);
        origins.push_back(drawn());
    }
    Fields alone(roads, Fields::Kept::changes), together(roads, Fields::Kept::changes);
    Budget budget;
    CHECK(together.make(goals, origins, 2, budget));
    for (std::size_t k = 0; k < goals.size(); ++k) {
        if (goals[k] == kNowhere) continue;
        Fields::Field* one = alone.to(goals[k], origins[k], budget);
        Fields::Field* other = together.to(goals[k], origins[k], budget);
        for (Spot s = 0; s < roads.size(); ++s)
            if (roads.vertex(s) != kNowhere)
                CHECK_EQ(together.at(*other, s, budget), alone.at(*one, s, budget));
    }
    CHECK_EQ(together.bytes(), alone.bytes());
    Budget none(0.0, std::nullopt, std::nullopt);
    Fields late(roads, Fields::Kept::changes);
    CHECK(!late.make(goals, origins, 2, none));
    CHECK(late.make(goals, origins, 2, budget));
}

TEST("a field reaches only a little beyond who asks") {
    const Space space = Space::grid(std::vector<std::uint8_t>(200 * 200, 1), 200, 4, Corners::none);
    const Roads roads(space);
    Fields fields(roads);
    Budget budget;
    Fields::Field* field = fields.to(roads.spot(0), roads.spot(10), budget);
    CHECK_EQ(fields.at(*field, roads.spot(10), budget), 10);
    Budget none(0.0, std::nullopt, std::nullopt);
    none.look();
    const auto change = [&](Vertex from, Vertex to, Budget& b) {
        return fields.change(*field, roads.spot(from), roads.spot(to), b);
    };
    CHECK_EQ(change(9 + Fields::kSlack, 10 + Fields::kSlack, none), 1);
    CHECK_EQ(change(198, 199, none), Fields::kUnknown);
    CHECK_EQ(fields.at(*field, roads.spot(199), budget), 199);
    CHECK_EQ(change(198, 199, none), 1);
}

TEST("with step costs, distances are what the steps cost together") {
    plain::Random random(12);
    for (int k = 0; k < 300; ++k) {
        const plain::Ground ground = plain::random_ground(random, 9);
        std::vector<Vertex> asked = ground.open_vertices();
        if (ground.width == 0 || asked.empty()) continue;
        const Space space = ground.compiled();
        StepCosts costs(space);
        for (Vertex v = 0; v < space.size(); ++v)
            for (const Vertex u : space.successors(v))
                costs.set(v, u, 1 + random.below(StepCosts::kDearest));
        random.shuffle(asked);
        const std::vector<Cost> expected = costs_to(space, costs, asked.front());
        const Roads roads(space, k % 2 == 0, true);
        Fields fields(roads, Fields::Kept::changes, &costs);
        Budget budget;
        for (const Vertex v : asked) {
            Fields::Field* field = fields.to(roads.spot(asked.front()), roads.spot(v), budget);
            REQUIRE(field != nullptr);
            const Cost cost = fields.at(*field, roads.spot(v), budget);
            CHECK_EQ(cost >= kUnreachable ? -1 : cost, expected[v]);
            for (const Vertex u : space.successors(v))
                if (expected[v] >= 0 && expected[u] >= 0)
                    CHECK_EQ(fields.change(*field, roads.spot(v), roads.spot(u), budget),
                             expected[u] - expected[v]);
        }
    }
}

TEST("step costs add up beyond 16 bits") {
    const Space space = drawn(std::string(2000, '.')).compiled();
    const StepCosts costs = crisscross(space, StepCosts::kDearest);
    const Roads roads(space);
    Fields fields(roads, Fields::Kept::distances, &costs);
    Budget budget;
    Fields::Field* field = fields.to(roads.spot(0), roads.spot(1999), budget);
    REQUIRE(field != nullptr);
    CHECK_EQ(fields.at(*field, roads.spot(1999), budget), 1999 * StepCosts::kDearest);
    CHECK_EQ(fields.at(*fields.to(roads.spot(1999), roads.spot(0), budget), roads.spot(0), budget),
             1999);
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
    CHECK_EQ(fields.at(*field, 65000, budget), 65000);
    CHECK_EQ(fields.at(*field, kLength - 1, budget), kLength - 1);
    CHECK_EQ(fields.at(*field, 65000, budget), 65000);
}

TEST("a hub with more neighbours than a row is wide") {
    std::vector<Move> edges;
    for (Vertex v = 1; v < 40; ++v) edges.push_back({0, v});
    const Space space = Space::graph(40, edges, false, {});
    const Roads roads(space);
    CHECK_EQ(roads.next(0).size(), 39u);
    Fields fields(roads);
    Budget budget;
    CHECK_EQ(fields.at(*fields.to(7, 8, budget), 8, budget), 2);
}

TEST("after walls have opened and closed, fields are as if made anew") {
    plain::Random random(3);
    for (int k = 0; k < 40; ++k) {
        plain::Ground ground = plain::random_grid(random, 8);
        Space space = ground.compiled();
        Roads roads(space, true, has_blocks(k % kWays));
        Fields fields(roads, kept(k % kWays));
        Budget budget;
        for (int change = 0; change < 30; ++change) {
            const Vertex v = random.below(space.size());
            const bool open = !space.is_open(v);
            space.set_open(v, open);
            ground.open[v] = open;
            roads.changed(space, v);
            std::vector<Spot> around;
            space.around(v, [&](Vertex u) { around.push_back(roads.spot(u)); });
            fields.changed(around);
            const Vertex goal = random.below(space.size());
            if (!space.is_open(goal)) continue;
            const auto expected = ground.distances_to(goal);
            for (const Vertex u : ground.open_vertices()) {
                Fields::Field* field = fields.to(roads.spot(goal), roads.spot(u), budget);
                const Cost cost = fields.at(*field, roads.spot(u), budget);
                CHECK_EQ(cost >= kUnreachable ? -1 : cost, expected[u]);
            }
        }
    }
}

TEST("a field that the budget interrupts goes on later, and memory is counted") {
    const Space space = Space::grid(std::vector<std::uint8_t>(300 * 300, 1), 300, 4, Corners::none);
    const Roads roads(space, false, true);
    Fields fields(roads, Fields::Kept::changes);
    Budget none(0.0, std::nullopt, std::nullopt);
    CHECK(fields.to(roads.spot(0), roads.spot(89999), none) == nullptr);
    Budget budget;
    CHECK_EQ(
        fields.at(*fields.to(roads.spot(0), roads.spot(89999), budget), roads.spot(89999), budget),
        598);
    CHECK_EQ(fields.bytes(), 38 * 38 * 16);  // two bits per cell, in blocks of 8x8
    Budget small(std::nullopt, std::nullopt, 38 * 38 * 24);
    CHECK(fields.to(roads.spot(5), roads.spot(7), small) == nullptr);
    CHECK_EQ(small.why(), Stop::memory);
}

TEST("memory of distances is counted, too") {
    const Space space = Space::grid(std::vector<std::uint8_t>(300 * 300, 1), 300, 4, Corners::none);
    const Roads roads(space);
    Fields fields(roads);
    Budget small(std::nullopt, std::nullopt, 3 * 300 * 300);
    CHECK(fields.to(0, roads.spot(7), small) != nullptr);
    CHECK_EQ(fields.bytes(), 2 * 300 * 300);
    CHECK(fields.to(5, roads.spot(7), small) == nullptr);
    CHECK_EQ(small.why(), Stop::memory);
}

TEST("a goal that was closed is a step from the spots beside it, whatever is kept") {
    Space space = Space::grid(std::vector<std::uint8_t>(5 * 5, 1), 5, 4, Corners::none);
    space.set_open(12, false);
    const Roads roads(space, true);
    for (const auto kept : {Fields::Kept::distances, Fields::Kept::changes}) {
        Fields fields(roads, kept);
        Budget budget;
        Fields::Field& field = *fields.to(roads.spot(12), roads.spot(0), budget);
        CHECK_EQ(fields.at(field, roads.spot(7), budget), 1);
        CHECK_EQ(fields.at(field, roads.spot(0), budget), 4);
        CHECK_EQ(fields.at(field, roads.spot(24), budget), 4);
    }
}
