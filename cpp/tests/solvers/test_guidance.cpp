// Local guidance: the tables beside what all paths say, and the traps of keeping paths.
#include "sidestep/solvers/guidance.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/solvers/inheritance.hpp"

using namespace sidestep;

namespace {

// Agents on a grid, who take steps of PIBT that are guided.
struct Walk {
    Space space;
    Rules rules;
    Roads roads;
    Fields fields;
    Guidance guidance;
    Inheritance steps;
    std::vector<Travel> travels;
    std::vector<Spot> from, to, guided;
    std::vector<AgentId> order;
    Budget budget;
    std::uint64_t draw = 1;

    Walk(const Space& on, Rules under, std::vector<Vertex> starts, std::vector<Vertex> goals,
         Guidance::Options options)
        : space(on),
          rules(under),
          roads(space, false, true),
          fields(roads, Fields::Kept::changes),
          guidance(roads, fields, rules, options),
          steps(space, rules, roads, fields, {true, true}) {
        for (std::size_t a = 0; a < starts.size(); ++a) {
            from.push_back(roads.spot(starts[a]));
            const Spot goal = roads.spot(goals[a]);
            travels.push_back(
                {goal, goal == kNowhere ? nullptr : fields.to(goal, from.back(), budget)});
        }
        to.resize(from.size());
        guided.resize(from.size());
        order.resize(from.size());
        std::iota(order.begin(), order.end(), 0);
    }
    bool plan() { return guidance.plan(travels, from, order, draw, guided, budget); }
    bool step() {
        const bool done = steps.step({travels, from, order, {}, guided, draw++}, to, budget) ==
                          Inheritance::Outcome::done;
        from = to;
        return done;
    }
};

Space corridor(int length) {
    return Space::grid(std::vector<std::uint8_t>(static_cast<std::size_t>(length), 1), length, 4,
                       Corners::none);
}

}  // namespace

TEST("an agent by itself is guided along a shortest way and then stays") {
    Walk walk(corridor(10), {}, {0}, {7}, {4, 2});
    for (int time = 0; time < 12; ++time) {
        CHECK(walk.plan());
        CHECK_EQ(walk.guided[0], walk.roads.spot(std::min(time + 1, 7)));
        CHECK(walk.step());
    }
}

TEST("who comes later in the order goes around who came before") {
    const Space open = Space::grid(std::vector<std::uint8_t>(25, 1), 5, 4, Corners::none);
    Walk walk(open, {}, {10, 14}, {14, 10}, {8, 4});
    for (int time = 0;
         time < 8 && walk.from != std::vector{walk.travels[0].goal, walk.travels[1].goal}; ++time) {
        CHECK(walk.plan());
        CHECK(walk.guided[0] != walk.guided[1]);
        CHECK(walk.step());
    }
    CHECK_EQ(walk.from[0], walk.travels[0].goal);
    CHECK_EQ(walk.from[1], walk.travels[1].goal);
}

TEST("who stands on its goal keeps it, and steps aside only where that is free") {
    const Space open = Space::grid(std::vector<std::uint8_t>(9, 1), 3, 4, Corners::none);
    for (const bool is_free : {false, true}) {
        Rules rules;
        rules.free_goal_wait = is_free;
        Walk walk(open, rules, {4, 3}, {4, 5}, {6, 4});
        walk.order = {1, 0};
        CHECK(walk.plan());
        CHECK_EQ(walk.guided[1], walk.from[0]);
        CHECK_EQ(walk.guided[0] == walk.from[0], !is_free);
    }
}

TEST("the tables stay those of the paths over many steps, pushes and jumps") {
    plain::Random random(3);
    for (int k = 0; k < 60; ++k) {
        plain::Ground ground = plain::random_ground(random, 8);
        const Space space = ground.compiled();
        std::vector<Vertex> open = ground.open_vertices();
        if (open.size() < 8) continue;
        random.shuffle(open);
        const std::vector<Vertex> starts(open.begin(), open.begin() + 4);
        random.shuffle(open);
        std::vector<Vertex> goals(open.begin(), open.begin() + 4);
        if (k % 3 == 0) goals[0] = kNowhere;
        Rules rules;
        rules.following = k % 2 == 0;
        rules.disappear = k % 5 == 0;
        rules.free_goal_wait = k % 4 == 0;
        Walk walk(space, rules, starts, goals, {static_cast<std::int32_t>(2 + k % 9), 2});
        for (int time = 0; time < 30; ++time) {
            CHECK(walk.plan());
            CHECK(walk.guidance.is_consistent());
            if (random.below(10) == 0) walk.guidance.forget();
            CHECK(walk.guidance.is_consistent());
            if (!walk.step()) break;
        }
    }
}

TEST("guidance that the budget ends has forgotten all, and begins anew") {
    Walk walk(corridor(40), {}, {0, 39}, {39, 0}, {16, 2});
    CHECK(walk.plan());
    walk.budget = Budget(std::nullopt, 3, std::nullopt);
    walk.guidance.forget();
    CHECK(!walk.plan());
    CHECK(walk.guidance.is_consistent());
    walk.budget = Budget();
    CHECK(walk.plan());
    CHECK_EQ(walk.guided[0], walk.roads.spot(1));
}

TEST("windows are chosen by how full the map is") {
    const Guidance::Options both{Guidance::kAuto, Guidance::kAuto};
    CHECK_EQ(Guidance::chosen(both, 100, 1000).window, 16);
    CHECK_EQ(Guidance::chosen(both, 100, 1000).collision, 2);
    CHECK_EQ(Guidance::chosen(both, 101, 1000).window, 32);
    CHECK_EQ(Guidance::chosen(both, 101, 1000).collision, 4);
    CHECK_EQ(Guidance::chosen({24, Guidance::kAuto}, 1, 1000).collision, 4);
    CHECK_EQ(Guidance::chosen({0, 3}, 1, 1000).window, 0);
}

TEST("where those who arrive go on at once, paths end at goals and tables hold the paths") {
    const Space open = Space::grid(std::vector<std::uint8_t>(64, 1), 8, 4, Corners::none);
    plain::Random random(7);
    std::vector<Vertex> starts, goals;
    for (Vertex v = 0; v < 20; ++v) {
        starts.push_back(3 * v);
        goals.push_back(random.below(64));
    }
    Walk walk(open, {}, starts, goals, {8, 4});
    for (int time = 0; time < 60; ++time) {
        CHECK(walk.guidance.plan(walk.travels, walk.from, walk.order, walk.draw, walk.guided,
                                 walk.budget, true));
        CHECK(walk.guidance.is_consistent());
        for (AgentId a = 0; a < 20; ++a) {
            if (walk.from[a] == walk.travels[a].goal) continue;
            bool has_been_there = false;
            for (Time ahead = 1; ahead <= 8; ++ahead) {
                const Spot there = walk.guidance.planned(a, ahead);
                CHECK(!has_been_there || there == kNowhere);
                has_been_there = has_been_there || there == walk.travels[a].goal;
            }
        }
        CHECK(walk.step());
        for (AgentId a = 0; a < 20; ++a) {
            if (walk.from[a] != walk.travels[a].goal || random.chance(20)) continue;
            const Spot goal = walk.roads.spot(random.below(64));
            walk.travels[a] = {goal, walk.fields.to(goal, walk.from[a], walk.budget)};
            walk.guidance.redirect(a);
        }
    }
}
