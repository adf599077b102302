// Local Repair A*: everybody for itself, and yet no two in one place.
#include "sidestep/solvers/lra.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Places = std::vector<Vertex>;
constexpr auto kNoLimit = std::nullopt;
constexpr std::uint32_t kOneStep = 256;  // of noise

std::vector<AgentId> in_order(std::size_t count) {
    std::vector<AgentId> order(count);
    for (std::size_t a = 0; a < count; ++a) order[a] = static_cast<AgentId>(a);
    return order;
}

Places turn(Lra& agents, const Places& positions) {
    Places moves(positions.size());
    Budget budget;
    agents.turn(positions, in_order(positions.size()), budget, moves);
    return moves;
}

}  // namespace

TEST("alone, an agent walks its shortest way and stays") {
    Lra agents(drawn("....\n.##.\n....").compiled(), {}, {kOneStep}, 0, Places{11});
    Places at{0};
    for (int k = 0; k < 5; ++k) at = turn(agents, at);
    CHECK_EQ(at, (Places{11}));
    CHECK_EQ(turn(agents, at), (Places{11}));
    CHECK_EQ(agents.replans(), 0);
}

TEST("who bumps into somebody goes around it, and that counts as a repair") {
    // Agent 1 stays where agent 0 wants to pass. It is seen only from beside it.
    Lra agents(drawn(".....\n.....").compiled(), {}, {kOneStep}, 0, Places{4, kNowhere});
    Places at{0, 3};
    int turns = 0;
    while (at[0] != 4 && turns < 20) {
        at = turn(agents, at);
        ++turns;
    }
    CHECK_EQ(at, (Places{4, 3}));
    CHECK_EQ(turns, 6);
    CHECK_EQ(agents.replans(), 1);
}

TEST("there is no way around in a corridor: it waits") {
    Lra agents(drawn("....").compiled(), {}, {kOneStep}, 0, Places{3, kNowhere});
    Places at{1, 2};
    for (int k = 0; k < 5; ++k) at = turn(agents, at);
    CHECK_EQ(at, (Places{1, 2}));
}

TEST("agents move one after another: a line moves as one only from its head") {
    Lra agents(drawn(".....").compiled(), {}, {kOneStep}, 0, Places{4, 3});
    CHECK_EQ(turn(agents, {1, 0}), (Places{2, 1}));
    Lra backwards(drawn(".....").compiled(), {}, {kOneStep}, 0, Places{3, 4});
    CHECK_EQ(turn(backwards, {0, 1}), (Places{0, 2}));  // the one behind moves first, into nothing
}

TEST("following and crossing are kept where they are forbidden") {
    Lra line(drawn(".....").compiled(), {.following = false}, {kOneStep}, 0, Places{4, 3});
    CHECK_EQ(turn(line, {1, 0}), (Places{2, 0}));
    Lra block(drawn("..\n..", 8).compiled(), {}, {kOneStep}, 0, Places{3, 2});
    const Places after = turn(block, {0, 1});
    CHECK_EQ(after[0], 3);
    CHECK(after[1] != 2);
    Lra free(drawn("..\n..", 8).compiled(), {.crossing = true}, {kOneStep}, 0, Places{3, 2});
    CHECK_EQ(turn(free, {0, 1}), (Places{3, 2}));
}

TEST("walls, goals and agents may change") {
    Lra agents(drawn(".....\n.....").compiled(), {}, {kOneStep}, 0, Places{4});
    Places at = turn(agents, {0});
    agents.set_open(2, false);
    for (int k = 0; k < 5; ++k) at = turn(agents, at);
    CHECK_EQ(at, (Places{4}));
    agents.set_goal(0, 0);
    CHECK_EQ(agents.add_agent(), 1);
    agents.set_goal(1, 4);
    at.push_back(9);
    for (int k = 0; k < 12; ++k) at = turn(agents, at);
    CHECK_EQ(at, (Places{0, 4}));
    agents.set_goal(0, kNowhere);
    CHECK_EQ(turn(agents, at), at);
}

TEST("a wall further ahead is taken into account at once, not only when it is reached") {
    Lra agents(drawn(".....\n.###.\n.....").compiled(), {}, {kOneStep}, 0, Places{4});
    Places at = turn(agents, {0});
    CHECK_EQ(at, (Places{1}));
    agents.set_open(3, false);
    for (int k = 0; k < 9; ++k) at = turn(agents, at);
    CHECK_EQ(at, (Places{4}));
}

TEST("an agent leaves a place that closed under it: on its way, on its goal, or idle") {
    for (const Vertex goal : {Vertex{8}, Vertex{4}, kNowhere}) {
        Lra agents(drawn("...\n...\n...").compiled(), {}, {kOneStep}, 0, Places{goal});
        agents.set_open(4, false);
        CHECK(turn(agents, {4})[0] != 4);
    }
}

TEST("without a budget everybody waits") {
    Lra agents(drawn("...").compiled(), {}, {kOneStep}, 0, Places{2});
    Places moves(1);
    Budget none(kNoLimit, 0, kNoLimit);
    agents.turn(Places{0}, in_order(1), none, moves);
    CHECK_EQ(moves, (Places{0}));
    CHECK_EQ(turn(agents, {0}), (Places{1}));
}

TEST("the seed decides, and a copy goes on alike") {
    const auto ground = drawn(".....\n.....\n.....");
    const Places starts{0, 4, 10, 14, 7}, goals{14, 10, 4, 0, 2};
    const auto run = [&](std::uint64_t seed) {
        Lra agents(ground.compiled(), {}, {8 * kOneStep}, seed, goals);
        std::vector<Places> rows{starts};
        for (int k = 0; k < 10; ++k) rows.push_back(turn(agents, rows.back()));
        Lra copy(agents);
        for (int k = 0; k < 10; ++k) {
            const Places next = turn(agents, rows.back());
            CHECK_EQ(turn(copy, rows.back()), next);
            rows.push_back(next);
        }
        return rows;
    };
    CHECK(run(1) == run(1));
    bool differs = false;
    for (std::uint64_t seed = 2; seed < 12; ++seed) differs |= run(seed) != run(1);
    CHECK(differs);
}

TEST("noise beyond all measure does not overflow") {
    const auto ground = drawn("......\n......");
    Lra agents(ground.compiled(), {}, {256000}, 3, Places{5, 0, 11});
    Places at{0, 5, 3};
    for (int k = 0; k < 500; ++k) at = turn(agents, at);
    CHECK(agents.replans() >= 0);
}

TEST("random worlds: whatever happens, the moves collide with nothing") {
    plain::Random random(60);
    for (int round = 0; round < 1000; ++round) {
        auto ground = plain::random_ground(random, 6);
        auto places = ground.open_vertices();
        random.shuffle(places);
        if (places.size() < 2) continue;
        Places positions(places.begin(), places.begin() + static_cast<int>(places.size()) / 2);
        Places goals;
        for (std::size_t k = 0; k < positions.size(); ++k)
            goals.push_back(random.chance(10) ? kNowhere : random.below(ground.size()));
        const Rules rules = plain::random_rules(random);
        Lra agents(ground.compiled(), rules, {random.below(4) * kOneStep}, 5, goals);
        for (int k = 0; k < 20; ++k) {
            const Vertex v = random.below(ground.size());
            const AgentId agent = random.below(static_cast<int>(positions.size()));
            if (random.chance(10)) {
                ground.open[v] = random.chance(50);
                agents.set_open(v, ground.open[v] != 0);
            }
            if (random.chance(10)) agents.set_goal(agent, v);
            const bool free = std::find(positions.begin(), positions.end(), v) == positions.end();
            if (free && random.chance(5)) positions[agent] = v;
            if (random.chance(3)) positions[agent] = kNowhere;
            auto order = in_order(positions.size());
            random.shuffle(order);
            Places moves(positions.size());
            Budget budget =
                random.chance(20) ? Budget(kNoLimit, random.below(30), kNoLimit) : Budget();
            agents.turn(positions, order, budget, moves);
            if (!CHECK_EQ(plain::fault_in_step(ground, rules, positions, moves), "")) return;
            if (random.chance(90)) positions = moves;
        }
    }
}
