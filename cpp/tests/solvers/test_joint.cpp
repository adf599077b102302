// Joint searches against the oracle, which looks at everything.
#include "sidestep/solvers/joint.hpp"

#include <optional>
#include <vector>

#include "check.hpp"
#include "oracle.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Paths = std::vector<std::vector<Vertex>>;

struct Kind {
    bool decompose;
    Duplicates duplicates;
    bool pairs;
    bool partial = true;
};
constexpr Kind kKinds[] = {
    {false, Duplicates::standard, false},      {true, Duplicates::standard, false},
    {true, Duplicates::standard, true},        {true, Duplicates::post_move, false},
    {true, Duplicates::post_move, true},       {true, Duplicates::post_move, false, false},
    {true, Duplicates::post_move, true, false}};
constexpr Kind kPrinted = kKinds[5];
constexpr Kind kUsual = kKinds[4];

struct World {
    plain::Ground ground;
    Rules rules;
    std::vector<Vertex> starts, goals;
};

struct Answer {
    Outcome outcome;
    Cost cost = 0, lower_bound = 0;
    std::int64_t expanded = 0, expanded_standard = 0, moves = 0, successors = 0;
    Paths paths;
};

Answer searched(const World& world, Kind kind, const Traffic* illegal = nullptr,
                const Traffic* avoid = nullptr, Cost limit = kUnreachable, Budget budget = {},
                Cost at_least = 0) {
    const Space space = world.ground.compiled();
    Distances maps(space);
    std::vector<DistanceMap*> distances;
    for (std::size_t agent = 0; agent < world.goals.size(); ++agent) {
        const Vertex goal = world.goals[agent];
        distances.push_back(goal == kNowhere ? nullptr : &maps.acquire(goal, world.starts[agent]));
    }
    JointSearch search(space, world.rules);
    Answer answer{};
    answer.outcome =
        search.run({world.starts, world.goals, distances, kind.decompose, kind.duplicates,
                    kind.pairs, kind.partial, at_least, limit, illegal, avoid},
                   budget, answer.paths);
    answer.cost = search.cost();
    answer.lower_bound = search.lower_bound();
    answer.expanded = search.expanded();
    answer.expanded_standard = search.expanded_standard();
    answer.moves = budget.moves();
    answer.successors = search.successors();
    return answer;
}

World random_world(plain::Random& random) {
    World world{plain::random_ground(random, 3), plain::random_rules(random), {}, {}};
    std::vector<Vertex> open = world.ground.open_vertices();
    const auto agents = static_cast<std::size_t>(random.between(1, 3));
    if (open.size() < agents) return random_world(random);
    for (auto* places : {&world.starts, &world.goals}) {
        random.shuffle(open);
        places->assign(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(agents));
    }
    for (Vertex& goal : world.goals)
        if (random.chance(10)) goal = kNowhere;
    return world;
}

std::string fault(const World& world, const Paths& paths) {
    for (std::size_t t = 0; t + 1 < paths.front().size(); ++t) {
        std::vector<Vertex> before, after;
        for (const auto& path : paths) {
            before.push_back(path[t]);
            after.push_back(path[t + 1]);
        }
        if (auto found = plain::fault_in_step(world.ground, world.rules, before, after);
            !found.empty())
            return found;
    }
    return "";
}

}  // namespace

TEST("joint searches are as cheap as the oracle, and prove what it proves") {
    plain::Random random(1);
    for (int trial = 0; trial < 1500; ++trial) {
        const World world = random_world(random);
        const std::optional<int> cheapest =
            oracle::Oracle(world.ground, world.rules, world.starts, world.goals).cheapest();
        for (const Kind kind : kKinds) {
            const Answer answer = searched(world, kind);
            CHECK_EQ(answer.outcome == Outcome::found, cheapest.has_value());
            if (!cheapest) continue;
            CHECK_EQ(answer.cost, *cheapest);
            CHECK_EQ(fault(world, answer.paths), "");
            const Answer informed =
                searched(world, kind, nullptr, nullptr, kUnreachable, {}, *cheapest);
            CHECK_EQ(informed.cost, *cheapest);
        }
    }
}

TEST("a search that is cut off knows a lower bound, which only grows") {
    plain::Random random(7);
    for (int trial = 0; trial < 300; ++trial) {
        const World world = random_world(random);
        const std::optional<int> cheapest =
            oracle::Oracle(world.ground, world.rules, world.starts, world.goals).cheapest();
        if (!cheapest) continue;
        for (const Kind kind : kKinds) {
            Cost before = 0;
            for (const std::int64_t nodes : {0, 1, 2, 4, 8, 16, 64, 256}) {
                const Answer answer = searched(world, kind, nullptr, nullptr, kUnreachable,
                                               Budget(std::nullopt, nodes, std::nullopt));
                CHECK(answer.lower_bound >= before && answer.lower_bound <= *cheapest);
                before = answer.lower_bound;
                if (answer.outcome == Outcome::found) CHECK_EQ(answer.lower_bound, *cheapest);
            }
        }
    }
}

TEST("standard nodes are counted apart: one per step of a straight plan, all of them jointly") {
    const World world{drawn("....\n....\n...."), {}, {0, 4, 8}, {3, 7, 11}};
    for (const Kind kind : kKinds) {
        const Answer answer = searched(world, kind);
        CHECK_EQ(answer.expanded_standard, 3);
        const int movers = kind.pairs ? 2 : 3;  // two agents as one, and one by itself
        CHECK_EQ(answer.expanded, kind.decompose ? 3 * movers : 3);
    }
}

TEST("moves of single agents are counted: more of them where all agents move at once") {
    const World world{drawn("....\n....\n...."), {}, {0, 4, 8}, {3, 7, 11}};
    const Answer jointly = searched(world, kKinds[0]), apart = searched(world, kKinds[3]);
    CHECK_EQ(apart.moves, searched(world, kKinds[3]).moves);
    CHECK(apart.moves > apart.expanded);
    CHECK(jointly.moves > 5 * apart.moves);
    CHECK(searched(world, kUsual).moves > apart.moves);  // to look at pairs is work, too
}

namespace {

// The drawing of figures 3 and 4: agents 1 and 2, side by side at the left, head east.
World of_figure_3() { return {drawn(".###\n....", 8, Corners::free), {}, {4, 5}, {6, 7}}; }

Budget nodes(std::int64_t limit) { return Budget({}, limit, {}); }

}  // namespace

TEST("figure 3: agent 1 may enter the place of agent 2, which has yet to move") {
    for (const Kind kind : kKinds) {
        const Answer answer = searched(of_figure_3(), kind);
        CHECK(answer.outcome == Outcome::found);
        CHECK_EQ(answer.cost, 4);
        CHECK_EQ(answer.paths[0][1], 5);
        CHECK_EQ(answer.paths[1][1], 6);
    }
}

TEST("figure 4: in the first step OD generates five nodes, the standard algorithm eight") {
    // Agent 1 may go N, E or wait; after its E agent 2 may go E or NW.
    CHECK_EQ(searched(of_figure_3(), kPrinted, nullptr, nullptr, kUnreachable, nodes(1)).successors,
             3);
    CHECK_EQ(searched(of_figure_3(), kPrinted, nullptr, nullptr, kUnreachable, nodes(2)).successors,
             3 + 2);
    // Of the standard algorithm, each successor counts as a node beside the one that is expanded.
    const Answer jointly =
        searched(of_figure_3(), kKinds[0], nullptr, nullptr, kUnreachable, nodes(1 + 8));
    CHECK_EQ(jointly.successors, 8);
    CHECK_EQ(jointly.expanded, 1);
}

TEST("five agents far apart have 9^5 = 59,049 joint moves") {
    World world{drawn("...............\n...............\n...............", 8), {}, {}, {}};
    for (const Vertex start : {16, 19, 22, 25, 28}) {
        world.starts.push_back(start);
        world.goals.push_back(start);
    }
    world.rules.free_goal_wait = true;
    world.goals[0] = 17;
    const Answer answer =
        searched(world, kKinds[0], nullptr, nullptr, kUnreachable, nodes(1 + 59'049));
    CHECK_EQ(answer.expanded, 1);
    CHECK_EQ(answer.successors, 59'049);
}

TEST("figure 5: where a move came from matters only if it forbids a move to those after it") {
    const Space space = drawn("...\n...\n...", 8).compiled();
    const Rules rules;
    // (A) and (B): agent 1 comes to the top from two sides; agent 2, below, loses no move by
    // either.
    CHECK(!may_constrain(space, rules, {0, 1}, 7));
    CHECK(!may_constrain(space, rules, {2, 1}, 7));
    // (C): agent 1 goes NW, from right of agent 2 to above it: agent 2 may not cross it to the NE.
    CHECK(may_constrain(space, rules, {8, 4}, 7));
    // (D): to the same place from above: agent 2 may.
    CHECK(!may_constrain(space, rules, {1, 4}, 7));
    // Under other rules there are other reasons.
    CHECK(!may_constrain(space, {.crossing = true}, {8, 4}, 7));
    CHECK(may_constrain(space, {.following = false}, {4, 1}, 7));
}

TEST("a ring of agents may turn") {
    const World world{drawn("..\n.."), {}, {0, 1, 3, 2}, {1, 3, 2, 0}};
    CHECK_EQ(searched(world, kUsual).cost, 4);
    World strict = world;
    strict.rules.following = false;
    CHECK(searched(strict, kUsual).outcome == Outcome::no_path);
}

TEST("nobody collides with paths that are not to be collided with") {
    const World world{drawn("...\n..."), {}, {0}, {2}};
    const Space space = world.ground.compiled();
    Traffic others(space, world.rules);
    others.add(0, std::vector<Vertex>{2, 1, 0}, true);
    const Answer answer = searched(world, kUsual, &others);
    CHECK(answer.outcome == Outcome::found);
    CHECK_EQ(answer.cost, 4);
    CHECK(searched(world, kUsual, &others, nullptr, 3).outcome == Outcome::no_path);
}

TEST("of equally cheap plans the one that collides least is taken") {
    const World world{drawn("...\n...\n..."), {}, {0}, {8}};
    const Space space = world.ground.compiled();
    Traffic others(space, world.rules);
    others.add(0, std::vector<Vertex>{4}, true);
    others.add(1, std::vector<Vertex>{1}, true);
    const Answer answer = searched(world, kUsual, nullptr, &others);
    CHECK_EQ(answer.cost, 4);
    for (const Vertex v : answer.paths.front()) CHECK(v != 4 && v != 1);
}

TEST("limits end a joint search, also within one expansion of the standard algorithm") {
    const World world{drawn("......\n......\n......\n......"),
                      {},
                      {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
                      {23, 22, 21, 20, 19, 18, 17, 16, 15, 14}};
    for (const Kind kind : kKinds) {
        CHECK(searched(world, kind, nullptr, nullptr, kUnreachable, Budget({}, 1000, {})).outcome ==
              Outcome::out_of_budget);
        CHECK(searched(world, kind, nullptr, nullptr, kUnreachable, Budget({}, {}, 1 << 20))
                  .outcome == Outcome::out_of_budget);
    }
}
