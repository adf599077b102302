// Biased Cost Pathfinding in the core: who gives way, and what is left of a collision.
#include "sidestep/solvers/bcp.hpp"

#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/world/world.hpp"

using namespace sidestep;

namespace {

constexpr std::int32_t kWidth = 9, kRows = 5;

Space open_ground() {
    const std::vector<std::uint8_t> passable(kWidth * kRows, 1);
    return Space::grid(passable, kWidth, 8, Corners::free);
}

Rules paper_rules() {
    Rules rules;
    rules.following = true;
    rules.crossing = true;
    return rules;
}

BiasOptions options(std::int32_t iterations) {
    BiasOptions all{};
    all.width = kWidth;
    all.iterations = iterations;
    return all;
}

}  // namespace

TEST("without priority the path leads around the collision") {
    const Vertex west = 2 * kWidth, east = 2 * kWidth + 8;
    for (const std::int32_t first : {0, 1}) {
        const std::vector<Vertex> goals{east, west};
        const std::vector<std::int32_t> priorities{first == 0, first == 1};
        Bcp paths(open_ground(), paper_rules(), options(20), goals, priorities);
        std::vector<Vertex> at{west, east}, next(2);
        bool strayed[2] = {false, false};
        Budget budget;
        for (int turn = 0; turn < 8; ++turn) {
            paths.turn(at, budget, next);
            at = next;
            for (int a = 0; a < 2; ++a) strayed[a] |= at[a] / kWidth != 2;
        }
        CHECK(at == goals);
        CHECK(!strayed[first]);
        CHECK(strayed[1 - first]);
        CHECK_EQ(paths.collisions(), 0);
        CHECK_EQ(paths.plannings(), 1);
    }
}

TEST("a single iteration leaves the collision, and the less important one stays") {
    const Vertex middle = 2 * kWidth + 4;
    const std::vector<Vertex> goals{middle + 3, middle - 3};
    const std::vector<std::int32_t> priorities{0, 1};
    Bcp paths(open_ground(), paper_rules(), options(1), goals, priorities);
    const std::vector<Vertex> at{middle - 1, middle + 1};
    std::vector<Vertex> next(2);
    Budget budget;
    paths.turn(at, budget, next);
    CHECK_EQ(next[0], at[0]);
    CHECK_EQ(next[1], middle);
}

TEST("without nodes everybody waits") {
    const std::vector<Vertex> goals{8};
    const std::vector<std::int32_t> priorities{0};
    Bcp paths(open_ground(), paper_rules(), options(5), goals, priorities);
    const std::vector<Vertex> at{0};
    std::vector<Vertex> next(1);
    Budget budget(std::nullopt, 2, std::nullopt);
    paths.turn(at, budget, next);
    CHECK_EQ(next[0], 0);
    CHECK(budget.exhausted());
}

TEST("units come and go, goals and walls change, and nobody is moved who is not there") {
    plain::Random random(7);
    for (int trial = 0; trial < 60; ++trial) {
        const plain::Ground ground = plain::random_ground(random, 6);
        const std::vector<Vertex> open = ground.open_vertices();
        if (open.size() < 4) continue;
        const auto anywhere = [&] { return open[random.below(static_cast<int>(open.size()))]; };
        const Rules rules = plain::random_rules(random);
        const std::vector<Vertex> starts(open.begin(), open.begin() + 3);
        const std::vector<Vertex> goals{anywhere(), anywhere(), anywhere()};
        const std::vector<std::int32_t> priorities{0, 1, 2};
        BiasOptions how = options(5);
        how.width = 0;
        Bcp paths(ground.compiled(), rules, how, goals, priorities);
        World world(ground.compiled(), rules, {0, {}, starts, goals, priorities},
                    std::vector<Body>(starts.size()), 0);
        Budget budget;
        for (int turn = 0; turn < 30; ++turn) {
            const auto count = static_cast<int>(world.positions().size());
            const AgentId agent = random.below(count);
            const Vertex place = anywhere();
            const bool is_there = world.positions()[agent] != kNowhere;
            switch (random.below(8)) {
                case 0:
                    if (is_there) world.remove(agent);
                    break;
                case 1:
                    if (world.occupant(place) != kNobody || !world.is_open(place)) break;
                    world.add(place);
                    paths.add_agent();
                    break;
                case 2:
                    if (is_there) world.set_goal(agent, place), paths.set_goal(agent, place);
                    break;
                case 3: {
                    const bool closes = random.chance(50);
                    world.set_open(place, !closes), paths.set_open(place, !closes);
                    break;
                }
                default:
                    break;
            }
            std::vector<Vertex> moves(world.positions().size());
            paths.turn(world.positions(), budget, moves);
            for (std::size_t a = 0; a < moves.size(); ++a)
                if (world.positions()[a] == kNowhere) CHECK_EQ(moves[a], kNowhere);
            world.advance(moves);
        }
    }
}
