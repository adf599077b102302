// Large neighbourhood search: what it keeps of the plan must be what the paths say.
#include "sidestep/solvers/lns.hpp"

#include <string>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/solvers/lns/mender.hpp"

using namespace sidestep;

namespace {

struct World {
    plain::Ground ground;
    Rules rules;
    Agents agents;
};

World random_world(plain::Random& random, int side, int most) {
    World world;
    do world.ground = plain::random_ground(random, side);
    while (world.ground.open_vertices().size() < 4);
    world.rules = plain::random_rules(random);
    std::vector<Vertex> starts = world.ground.open_vertices(), goals = starts;
    random.shuffle(starts);
    random.shuffle(goals);
    const auto count =
        std::min<std::size_t>(static_cast<std::size_t>(random.between(2, most)), starts.size() / 2);
    for (std::size_t a = 0; a < count; ++a) {
        world.agents.positions.push_back(starts[a]);
        world.agents.goals.push_back(random.chance(90) ? goals[a] : kNowhere);
        world.agents.priorities.push_back(0);
        world.agents.bodies.push_back({});
    }
    return world;
}

// Where everybody is at t.
std::vector<Vertex> places(const Lns& lns, const std::vector<SpotPath>& paths, std::size_t t) {
    std::vector<Vertex> found;
    for (std::size_t a = 0; a < paths.size(); ++a) {
        const bool ended = t >= paths[a].size();
        const bool gone = ended && !lns.stays(static_cast<AgentId>(a));
        found.push_back(gone ? kNowhere
                             : lns.roads().vertex(ended ? paths[a].back() : paths[a][t]));
    }
    return found;
}

std::string fault(const World& world, const Lns& lns, const std::vector<SpotPath>& paths) {
    std::size_t longest = 1;
    for (const auto& path : paths) longest = std::max(longest, path.size());
    for (std::size_t t = 0; t < longest; ++t) {
        const auto wrong = plain::fault_in_step(world.ground, world.rules, places(lns, paths, t),
                                                places(lns, paths, t + 1));
        if (!wrong.empty()) return wrong;
    }
    for (std::size_t a = 0; a < paths.size(); ++a)
        if (world.agents.goals[a] != kNowhere &&
            lns.roads().vertex(paths[a].back()) != world.agents.goals[a])
            return "not at its goal";
    return "";
}

std::int64_t recounted(const World& world, const Lns& lns, const std::vector<SpotPath>& paths) {
    std::int64_t cost = 0;
    for (std::size_t a = 0; a < paths.size(); ++a) {
        if (world.agents.goals[a] == kNowhere) continue;
        for (std::size_t t = 0; t + 1 < paths[a].size(); ++t) {
            const bool home = lns.roads().vertex(paths[a][t]) == world.agents.goals[a];
            const bool free = world.rules.free_goal_wait && home && paths[a][t] == paths[a][t + 1];
            cost += free ? 0 : 1;
        }
    }
    return cost;
}

// A map with some walls and a crowd on it.
World crowd(std::uint64_t seed, int side, int agents) {
    plain::Random random(seed);
    World world;
    world.ground.width = side;
    world.ground.open.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 1);
    for (int k = 0; k < side; ++k) world.ground.open[random.below(side * side)] = 0;
    std::vector<Vertex> starts = world.ground.open_vertices(), goals = starts;
    random.shuffle(starts);
    random.shuffle(goals);
    for (int a = 0; a < agents; ++a) {
        world.agents.positions.push_back(starts[a]);
        world.agents.goals.push_back(goals[a]);
        world.agents.priorities.push_back(0);
        world.agents.bodies.push_back({});
    }
    return world;
}

std::vector<SpotPath> improved(const World& world, Lns::Options options, std::int64_t nodes) {
    const Space space = world.ground.compiled();
    Lns lns(space, world.rules, world.agents, options, 7);
    Budget budget(std::nullopt, nodes, std::nullopt);
    REQUIRE(lns.prepare(budget));
    REQUIRE(lns.plan_all(100, budget) == Outcome::found);
    const std::int64_t first = lns.cost();
    while (lns.run(5000, budget) == Outcome::found) {
    }
    CHECK(lns.cost() < first);
    CHECK_EQ(fault(world, lns, lns.paths()), "");
    CHECK_EQ(recounted(world, lns, lns.paths()), lns.cost());
    return lns.paths();
}

}  // namespace

TEST("lns: under all rules plans stay valid, become no dearer, and cost what they cost") {
    plain::Random random(21);
    int solved = 0;
    for (int k = 0; k < 250; ++k) {
        const World world = random_world(random, 6, 8);
        const Space space = world.ground.compiled();
        Lns lns(space, world.rules, world.agents, {0, 1, 1, 1000, 400}, 5);
        Budget budget(std::nullopt, 20000, std::nullopt);
        REQUIRE(lns.prepare(budget));
        if (!lns.is_possible() || lns.plan_all(20, budget) != Outcome::found) continue;
        ++solved;
        std::int64_t before = lns.cost();
        do {
            if (!CHECK_EQ(fault(world, lns, lns.paths()), "")) return;
            if (!CHECK_EQ(recounted(world, lns, lns.paths()), lns.cost())) return;
            CHECK(lns.cost() <= before);
            before = lns.cost();
        } while (lns.run(200, budget) == Outcome::found);
        CHECK(lns.cost() >= lns.lower_bound());
    }
    CHECK(solved > 100);
}

TEST("lns: 10,000 repairs leave the time lines as the paths say") {
    const World world = crowd(3, 16, 60);
    const Space space = world.ground.compiled();
    const Roads roads(space);
    Fields fields(roads);
    Budget budget;
    Lns lns(space, world.rules, world.agents, {}, 1);
    REQUIRE(lns.prepare(budget) && lns.plan_all(100, budget) == Outcome::found);
    std::vector<PlannedAgent> agents;
    for (AgentId a = 0; a < lns.agents(); ++a) {
        const Fields::Field* field = fields.to(lns.goal(a), lns.start(a), budget);
        agents.push_back({lns.start(a), lns.goal(a), field, field->known(lns.start(a))});
    }
    LivePlan plan(space, world.rules, roads, agents, 0);
    REQUIRE(plan.begin(lns.paths(), budget));
    Improver improver(std::move(plan), 3);
    for (int k = 0; k < 10000; ++k) REQUIRE(improver.repair(800, budget));
    CHECK(improver.accepted() > 100);
    for (const bool restored : {false, true}) {
        if (restored) improver.restore_best();
        LivePlan rebuilt(space, world.rules, roads, agents, 0);
        const auto paths = improver.plan_paths();
        REQUIRE(rebuilt.begin({paths.begin(), paths.end()}, budget));
        CHECK(rebuilt.lines() == improver.plan().lines());
        CHECK(!rebuilt.lines().collides());
        CHECK_EQ(rebuilt.cost(), improver.plan().cost());
        for (Spot s = 0; s < roads.size(); ++s)
            for (Time t = 0; t < 80; ++t)
                if (!CHECK_EQ(rebuilt.holder(s, t), improver.plan().holder(s, t))) return;
    }
    CHECK_EQ(improver.plan().cost(), improver.best());
    const auto best = improver.best_paths();
    CHECK(std::equal(best.begin(), best.end(), improver.plan_paths().begin()));
}

TEST("lns: the same plan from 1, 2 and 4 threads, and from two runs") {
    const World world = crowd(5, 14, 50);
    const auto one = improved(world, {0, 4, 1, 1000, 0}, 120000);
    CHECK(one == improved(world, {0, 4, 2, 1000, 0}, 120000));
    CHECK(one == improved(world, {0, 4, 4, 1000, 0}, 120000));
    CHECK(improved(world, {0, 1, 1, 1000, 0}, 60000) == improved(world, {0, 1, 1, 1000, 0}, 60000));
}

TEST("lns: robust plans keep their margin") {
    const World world = crowd(6, 16, 24);
    const auto paths = improved(world, {2, 1, 1, 1000, 0}, 60000);
    for (std::size_t a = 0; a < paths.size(); ++a)
        for (std::size_t b = 0; b < paths.size(); ++b) {
            if (a == b) continue;
            for (std::size_t t = 0; t < paths[a].size(); ++t)
                for (std::size_t later = t; later <= t + 2; ++later) {
                    const Spot there = paths[b][std::min(later, paths[b].size() - 1)];
                    REQUIRE(paths[a][t] != there);
                }
        }
}

TEST("lns: it stops when its nodes run out, with the plan that it has") {
    const World world = crowd(7, 12, 30);
    const Space space = world.ground.compiled();
    Lns lns(space, world.rules, world.agents, {0, 1, 1, 1000, 0}, 1);
    Budget first, few(std::nullopt, 500, std::nullopt);
    REQUIRE(lns.prepare(first) && lns.plan_all(100, first) == Outcome::found);
    CHECK(lns.run(1000000, few) == Outcome::out_of_budget);
    CHECK_EQ(few.nodes(), 500);
    CHECK_EQ(fault(world, lns, lns.paths()), "");
    CHECK_EQ(recounted(world, lns, lns.paths()), lns.cost());
}

TEST("lns: plans with collisions are mended, whatever the rules") {
    plain::Random random(31);
    int mended = 0;
    for (int k = 0; k < 300; ++k) {
        const World world = random_world(random, 6, 7);
        const Space space = world.ground.compiled();
        Lns lns(space, world.rules, world.agents, {0, 1, 1, 0, 100}, 5);
        Budget budget(std::nullopt, 100000, std::nullopt);
        REQUIRE(lns.prepare(budget));
        if (!lns.is_possible()) continue;
        // Everybody as if it were alone, some not at all.
        std::vector<SpotPath> paths(world.agents.size());
        const Roads roads(space);
        Fields fields(roads);
        Timelines alone(space, world.rules, roads);
        Intervals search;
        for (std::size_t a = 0; a < paths.size(); ++a) {
            IntervalTask task;
            task.start = lns.start(static_cast<AgentId>(a));
            task.goal = lns.goal(static_cast<AgentId>(a));
            if (task.goal != kNowhere) task.field = fields.to(task.goal, task.start, budget);
            if (!random.chance(20)) search.run(alone, task, budget, paths[a]);
        }
        if (lns.mend(paths, budget) != Outcome::found) continue;
        ++mended;
        if (!CHECK_EQ(fault(world, lns, lns.paths()), "")) return;
        if (!CHECK_EQ(recounted(world, lns, lns.paths()), lns.cost())) return;
    }
    CHECK(mended > 150);
}

TEST("lns: a plan without collisions is not touched by mending") {
    const World world = crowd(8, 12, 20);
    const Space space = world.ground.compiled();
    Lns lns(space, world.rules, world.agents, {0, 1, 1, 0, 0}, 1);
    Budget budget;
    REQUIRE(lns.prepare(budget) && lns.plan_all(100, budget) == Outcome::found);
    const auto before = lns.paths();
    REQUIRE(lns.mend(before, budget) == Outcome::found);
    CHECK(lns.paths() == before);
}
