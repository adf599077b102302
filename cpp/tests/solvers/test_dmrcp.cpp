// Agents that make room for each other: moves that never collide, whatever happens, and the
// standard cases of altruistic coordination.
#include "sidestep/solvers/dmrcp.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Places = std::vector<Vertex>;

struct Game {
    plain::Ground ground;
    Rules rules;
    Dmrcp agents;
    Places positions, goals;
    Time time = 0;
    std::string fault;

    Game(plain::Ground described, Places starts, Places aims, Rules given = {})
        : ground(std::move(described)),
          rules(given),
          agents(ground.compiled(), rules, 0, aims, std::vector<std::int32_t>(starts.size(), 0)),
          positions(std::move(starts)),
          goals(std::move(aims)) {}

    bool on_goal(std::size_t a) const {
        return positions[a] != kNowhere && positions[a] == goals[a];
    }
    bool done() const {
        for (std::size_t a = 0; a < positions.size(); ++a)
            if (positions[a] != kNowhere && goals[a] != kNowhere && !on_goal(a)) return false;
        return true;
    }
    void turn(Budget& budget) {
        Places moves(positions.size());
        agents.turn(time, positions, budget, moves);
        for (std::size_t a = 0; a < moves.size(); ++a)
            if (rules.disappear && on_goal(a)) moves[a] = kNowhere;
        if (fault.empty()) fault = plain::fault_in_step(ground, rules, positions, moves);
        positions = moves;
        ++time;
    }
    void turn() {
        Budget budget;
        turn(budget);
    }
    bool ends_within(int turns) {
        while (turns-- > 0 && !done()) turn();
        CHECK_EQ(fault, "");
        return done();
    }
    bool is_free(Vertex v) const {
        return std::find(positions.begin(), positions.end(), v) == positions.end();
    }
};

}  // namespace

TEST("dmrcp: one agent walks its shortest way and stays") {
    Game game(drawn("....\n.##.\n...."), {0}, {11});
    for (int k = 0; k < 5; ++k) game.turn();
    CHECK(game.done());
    game.turn();
    CHECK(game.done());
    CHECK_EQ(game.agents.counts().forwards, 5);
    CHECK_EQ(game.agents.counts().waits, 0);
}

TEST("dmrcp: two meet in a corridor, and one dodges into a pocket") {
    for (const Vertex pocket : {1, 2, 3}) {
        plain::Ground ground = drawn("#####\n.....");
        ground.open[pocket] = 1;
        Game game(ground, {5, 9}, {9, 5});
        CHECK(game.ends_within(30));
        const auto& counts = game.agents.counts();
        CHECK(counts.dodges > 0);
    }
}

TEST("dmrcp: an agent on its goal makes room and comes back") {
    Game game(drawn("##.##\n....."), {5, 7}, {9, 7});
    CHECK(game.ends_within(10));
    CHECK_EQ(game.agents.counts().dodges, 1);
}

TEST("dmrcp: one that is cornered turns heads with who asks it") {
    // Agent 0 wants to the end of a dead end that agent 1 wants to leave.
    Game game(drawn("###.#\n....."), {6, 5}, {5, 9});
    CHECK(game.ends_within(20));
    CHECK(game.agents.counts().turned_heads > 0);
    CHECK(game.agents.counts().retreats > 0);
}

TEST("dmrcp: a ring rotates where following is allowed") {
    Game game(drawn("..\n.."), {0, 1, 3, 2}, {1, 3, 2, 0});
    game.turn();
    CHECK(game.done());
    CHECK_EQ(game.fault, "");
}

TEST("dmrcp: where following is forbidden they pass, too") {
    Rules rules;
    rules.following = false;
    Game pocket(drawn("##.##\n....."), {5, 9}, {9, 5}, rules);
    CHECK(pocket.ends_within(40));
    Game dead_end(drawn("###.#\n....."), {6, 5}, {5, 9}, rules);
    CHECK(dead_end.ends_within(40));
}

TEST("dmrcp: no moves collide, whatever happens") {
    plain::Random random(8);
    for (int trial = 0; trial < 400; ++trial) {
        auto ground = plain::random_ground(random, 6);
        auto places = ground.open_vertices();
        random.shuffle(places);
        if (places.size() < 2) continue;
        const int count = random.between(1, static_cast<int>(places.size()));
        Places starts(places.begin(), places.begin() + count);
        random.shuffle(places);
        Places goals(places.begin(), places.begin() + count);
        for (Vertex& goal : goals)
            if (random.chance(15)) goal = kNowhere;
        Game game(ground, starts, goals, plain::random_rules(random));
        for (int turn = 0; turn < 25; ++turn) {
            const AgentId agent = random.below(static_cast<int>(game.positions.size()));
            const Vertex v = random.below(game.ground.size());
            const bool present = game.positions[agent] != kNowhere;
            switch (random.below(8)) {
                case 0:
                    game.ground.open[v] = !game.ground.open[v];
                    game.agents.set_open(v, game.ground.open[v]);
                    break;
                case 1:
                    if (!present) break;
                    game.goals[agent] = random.chance(20) ? kNowhere : v;
                    game.agents.set_goal(agent, game.goals[agent]);
                    break;
                case 2:
                    if (present && game.is_free(v)) game.positions[agent] = v;
                    break;
                case 3:
                    if (!game.is_free(v) || !game.ground.open[v]) break;
                    game.positions.push_back(v);
                    game.goals.push_back(kNowhere);
                    game.agents.add_agent();
                    break;
                case 4:
                    if (!random.chance(30)) break;
                    game.positions[agent] = game.goals[agent] = kNowhere;
                    game.agents.remove_agent(agent);
                    break;
                case 5:
                    game.agents.set_priority(agent, random.below(3));
                    break;
                default:
                    break;
            }
            Budget few(std::nullopt, random.below(6), std::nullopt), all;
            game.turn(random.chance(20) ? few : all);
            REQUIRE(game.fault.empty());
        }
    }
}

TEST("dmrcp: a copy goes on as the original does") {
    Game game(drawn("....\n.#..\n...."), {0, 11, 3, 8, 6}, {11, 0, 8, 3, 6});
    for (int k = 0; k < 2; ++k) game.turn();
    Dmrcp copy(game.agents);
    for (int k = 0; k < 5; ++k) {
        Places moves(game.positions.size());
        Budget budget;
        copy.turn(game.time, game.positions, budget, moves);
        game.turn();
        CHECK_EQ(game.positions, moves);
        CHECK_EQ(game.agents.fingerprint(), copy.fingerprint());
    }
}
