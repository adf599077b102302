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
};
constexpr Kind kKinds[] = {{false, Duplicates::standard, false},
                           {true, Duplicates::standard, false},
                           {true, Duplicates::standard, true},
                           {true, Duplicates::post_move, false},
                           {true, Duplicates::post_move, true}};
constexpr Kind kUsual = kKinds[4];

struct World {
    plain::Ground ground;
    Rules rules;
    std::vector<Vertex> starts, goals;
};

struct Answer {
    Outcome outcome;
    Cost cost = 0;
    std::int64_t expanded = 0, expanded_standard = 0, moves = 0;
    Paths paths;
};

Answer searched(const World& world, Kind kind, const Traffic* illegal = nullptr,
                const Traffic* avoid = nullptr, Cost limit = kUnreachable, Budget budget = {},
                Cost at_least = 0) {
    const Space space = world.ground.compiled();
    std::vector<std::vector<Cost>> tables;
    for (const Vertex goal : world.goals) {
        tables.emplace_back();
        if (goal != kNowhere) tables.back() = world.ground.distances_to(goal);
    }
    std::vector<const Cost*> distances;
    for (const auto& table : tables) distances.push_back(table.empty() ? nullptr : table.data());
    JointSearch search(space, world.rules);
    Answer answer{};
    answer.outcome = search.run({world.starts, world.goals, distances, kind.decompose,
                                 kind.duplicates, kind.pairs, at_least, limit, illegal, avoid},
                                budget, answer.paths);
    answer.cost = search.cost();
    answer.expanded = search.expanded();
    answer.expanded_standard = search.expanded_standard();
    answer.moves = budget.moves();
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

TEST("an agent may enter a place whose occupant has yet to move (figure 3 of the paper)") {
    const World world{drawn("...\n###"), {}, {0, 1}, {1, 2}};
    for (const Kind kind : kKinds) {
        const Answer answer = searched(world, kind);
        CHECK(answer.outcome == Outcome::found);
        CHECK_EQ(answer.cost, 2);
    }
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
