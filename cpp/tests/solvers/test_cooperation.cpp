// Cooperating agents: plans that fit together, and turns that stay safe whatever happens.
#include "sidestep/solvers/cooperation.hpp"

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
using Options = Cooperation::Options;

constexpr Options kWindow{.window = 8};
constexpr Options kWhole{};
constexpr Options kRerouting{.hold_goals = false};
constexpr auto kNoLimit = std::nullopt;

// Agents on a ground that do what the core says, one turn after another.
struct Game {
    plain::Ground ground;
    Rules rules;
    Cooperation agents;
    Places positions, goals;
    Time time = 0;
    std::string fault;  // the first collision among proposed moves

    Game(plain::Ground described, Options options, Places starts, Places aims, Rules given = {})
        : ground(std::move(described)),
          rules(given),
          agents(ground.compiled(), rules, options, starts, aims,
                 std::vector<std::int32_t>(starts.size(), 0)),
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
    std::vector<AgentId> everybody() const {
        std::vector<AgentId> all(positions.size());
        for (std::size_t a = 0; a < all.size(); ++a) all[a] = static_cast<AgentId>(a);
        return all;
    }
    // What the core proposes; the fault if it is not safe.
    Places proposed(std::span<const AgentId> due, Budget& budget) {
        Places moves(positions.size());
        agents.turn(time, positions, due, budget, moves);
        for (std::size_t a = 0; a < moves.size(); ++a)
            if (rules.disappear && on_goal(a)) moves[a] = kNowhere;
        if (fault.empty()) fault = plain::fault_in_step(ground, rules, positions, moves);
        return moves;
    }
    void turn(std::span<const AgentId> due, Budget& budget) {
        positions = proposed(due, budget);
        ++time;
    }
    void turn() {
        Budget budget;
        turn({}, budget);
    }
    bool runs_to_the_end(int turns, bool all_due) {
        for (int k = 0; k < turns && !done(); ++k) {
            Budget budget;
            if (all_due)
                turn(everybody(), budget);
            else
                turn({}, budget);
            if (!CHECK_EQ(fault, "")) return false;
        }
        return done();
    }
    void set_open(Vertex v, bool open) {
        ground.open[v] = open;
        agents.set_open(v, open);
    }
    void send(AgentId agent, Vertex goal) {
        goals[agent] = goal;
        agents.set_goal(agent, goal);
    }
    AgentId add(Vertex position, Vertex goal) {
        positions.push_back(position);
        goals.push_back(goal);
        const AgentId agent = agents.add_agent(position);
        agents.set_goal(agent, goal);
        return agent;
    }
    void remove(AgentId agent) {
        positions[agent] = goals[agent] = kNowhere;
        agents.remove_agent(agent);
    }
    bool is_free(Vertex v) const {
        return std::find(positions.begin(), positions.end(), v) == positions.end();
    }
};

Options random_options(plain::Random& random) {
    Options options;
    options.window = random.chance(50) ? 0 : random.between(2, 8);
    options.exact = options.window > 0 || random.chance(70);
    options.hold_goals = random.chance(50);
    return options;
}

Budget random_budget(plain::Random& random) {
    switch (random.below(6)) {
        case 0:
            return Budget(kNoLimit, random.below(4), kNoLimit);
        case 1:
            return Budget(kNoLimit, random.below(40), kNoLimit);
        case 2:
            return Budget(0.0, kNoLimit, kNoLimit);
        case 3: {
            Budget over(0.0, kNoLimit, kNoLimit);
            over.look();
            return over;
        }
        default:
            return Budget();
    }
}

std::optional<Game> random_game(plain::Random& random) {
    auto ground = plain::random_ground(random, 6);
    auto places = ground.open_vertices();
    random.shuffle(places);
    const auto count = static_cast<int>(places.size());
    if (count < 2) return std::nullopt;
    Places starts(places.begin(), places.begin() + random.between(1, std::max(1, count / 2)));
    random.shuffle(places);
    Places goals(places.begin(), places.begin() + static_cast<int>(starts.size()));
    for (Vertex& goal : goals)
        if (random.chance(15)) goal = kNowhere;
    const Options options = random_options(random);
    return Game(std::move(ground), options, std::move(starts), std::move(goals),
                plain::random_rules(random));
}

// Something happens to the agents or to the map.
void disturb(Game& game, plain::Random& random) {
    const auto agents = static_cast<int>(game.positions.size());
    const AgentId agent = random.below(agents);
    const Vertex v = random.below(game.ground.size());
    const bool present = game.positions[agent] != kNowhere;
    switch (random.below(9)) {
        case 0:
            game.set_open(v, false);
            break;
        case 1:
            game.set_open(v, true);
            break;
        case 2:
            if (present) game.set_open(game.positions[agent], false);
            break;
        case 3:
            if (present) game.send(agent, random.chance(20) ? kNowhere : v);
            break;
        case 4:
            if (present && game.is_free(v)) game.positions[agent] = v;  // put there from outside
            break;
        case 5:
            if (game.is_free(v) && game.ground.open[v] && agents < 12)
                game.add(v, random.chance(20) ? kNowhere : random.below(game.ground.size()));
            break;
        case 6:
            if (present && random.chance(30)) game.remove(agent);
            break;
        case 7:
            game.agents.set_priority(agent, random.below(3));
            break;
        default:
            ++game.time;
            break;  // a turn in which everybody had to wait
    }
}

}  // namespace

TEST("paths that were found elsewhere are planned around, and refused if they collide") {
    plain::Random random(21);
    int taken = 0, refused = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const plain::Ground ground = plain::random_ground(random, 6);
        const Rules rules = plain::random_rules(random);
        Places places = ground.open_vertices(), goals;
        random.shuffle(places);
        goals = places;
        random.shuffle(goals);
        places.resize(std::min<std::size_t>(places.size(), 4));
        goals.resize(places.size());
        const std::vector<std::int32_t> ranks(places.size(), 0);
        Cooperation one(ground.compiled(), rules, kWhole, places, goals, ranks), other(one);
        Budget budget;
        for (AgentId a = 0; a < one.size(); ++a) {
            if (one.plan(a, budget) != Outcome::found) break;
            const bool stays = one.reservations().parked(a);
            const Places path(one.path(a).begin(), one.path(a).end());
            CHECK(other.plan(a, budget) == Outcome::found);
            CHECK(std::ranges::equal(other.path(a), path));
            CHECK(other.take(a, path, stays));
            ++taken;
            if (a == 0) continue;
            // Somebody stands for good where the path ends: it does not fit any more.
            Cooperation full(ground.compiled(), rules, kWhole, places, goals, ranks);
            if (path.size() < 2 || !full.take(0, Places{places[0]}, true)) continue;
            const bool meets = std::ranges::find(path, places[0]) != path.end();
            if (!meets) continue;
            CHECK(!full.take(a, path, stays));
            CHECK(std::ranges::equal(full.path(a), Places{places[a]}));
            ++refused;
        }
    }
    CHECK(taken > 300);
    CHECK(refused > 5);
}

TEST("one agent walks its shortest way and stays") {
    for (const Options& options : {kWindow, kWhole, kRerouting}) {
        Game game(drawn("....\n.##.\n...."), options, {0}, {11});
        for (int k = 0; k < 5; ++k) game.turn();
        CHECK(game.done());
        for (int k = 0; k < 10; ++k) game.turn();
        CHECK(game.done());
    }
}

TEST("paths planned one after another do not collide") {
    Game game(drawn("...\n...\n..."), kWhole, {0, 8, 2, 6}, {8, 0, 6, 2});
    Budget budget;
    for (const AgentId agent : game.everybody())
        CHECK(game.agents.plan(agent, budget) == Outcome::found);
    CHECK_EQ(game.agents.path(0).front(), 0);
    CHECK_EQ(game.agents.path(0).back(), 8);
    CHECK_EQ(game.agents.path(0).size(), 5);  // the first to plan goes straight
    CHECK(game.runs_to_the_end(30, false));
}

TEST("an agent that finds no path is left as it was") {
    Game game(drawn("..."), kWhole, {0, 2}, {2, 0});
    Budget budget;
    CHECK(game.agents.plan(0, budget) == Outcome::found);
    const Places before(game.agents.path(1).begin(), game.agents.path(1).end());
    CHECK(game.agents.plan(1, budget) == Outcome::no_path);
    CHECK_EQ(Places(game.agents.path(1).begin(), game.agents.path(1).end()), before);
    Budget none(kNoLimit, 0, kNoLimit);
    CHECK(game.agents.plan(0, none) == Outcome::out_of_budget);
    CHECK_EQ(game.agents.path(0).back(), 2);
    game.agents.clear();
    CHECK_EQ(game.agents.path(0).size(), 1);
    CHECK(game.agents.plan(1, budget) == Outcome::found);
}

TEST("an agent that has arrived steps aside and comes back, within windows") {
    // 1 stands on its goal in the corridor that 0 must pass.
    Game game(drawn("......\n##.###"), kWindow, {0, 3}, {5, 3});
    CHECK(game.runs_to_the_end(60, true));
    CHECK(game.on_goal(1));
}

TEST("an idle agent makes room, in windows and on the whole way") {
    for (const Options& options : {kWindow, kWhole}) {
        Game game(drawn("......\n###.##"), options, {0, 3}, {5, kNowhere});
        CHECK(game.runs_to_the_end(60, true));
    }
}

TEST("an agent without a goal, or whose goal is closed, holds the place where it stands") {
    // Agent 0 plans first and stays; agent 1 wants to pass through it in the same turn.
    for (const Vertex goal : {kNowhere, Vertex{5}})
        for (const Options& options : {kWindow, kWhole, kRerouting}) {
            Game game(drawn("......"), options, {2, 1}, {goal, 4});
            if (goal != kNowhere) game.set_open(goal, false);
            game.agents.set_priority(0, 1);
            for (int k = 0; k < 6; ++k) game.turn();
            CHECK_EQ(game.fault, "");
        }
}

TEST("higher priorities plan first") {
    Game game(drawn("...\n#.#"), kWhole, {0, 2}, {2, 4});
    game.agents.set_priority(1, 1);
    game.turn();
    CHECK_EQ(game.positions[1], 1);
    CHECK_EQ(game.positions[0], 0);
}

TEST("a wall in the way: the path is given up and another found") {
    for (const Options& options : {kWindow, kWhole, kRerouting}) {
        Game game(drawn(".....\n....."), options, {0}, {4});
        game.turn();
        game.set_open(2, false);
        CHECK(game.runs_to_the_end(20, false));
        CHECK_EQ(game.time, 6);
    }
}

TEST("a goal that closes and opens again is reached") {
    for (const Options& options : {kWindow, kWhole, kRerouting}) {
        Game game(drawn("....."), options, {0}, {4});
        game.turn();
        game.set_open(4, false);
        for (int k = 0; k < 10; ++k) game.turn();
        CHECK(!game.done());
        game.set_open(4, true);
        CHECK(game.runs_to_the_end(20, false));
    }
}

TEST("an agent leaves a place that closed under it: at its goal, idle, or before it gets going") {
    for (const Options& options : {kWindow, kWhole, kRerouting})
        for (const Vertex goal : {Vertex{8}, Vertex{4}, kNowhere})
            for (const int turns_at_home : {0, 1, 2, 7, 40}) {
                Game game(drawn("...\n...\n..."), options, {4}, {goal == 8 ? 4 : goal});
                for (int k = 0; k < turns_at_home; ++k) game.turn();
                if (goal == 8) game.send(0, goal);
                game.set_open(4, false);
                game.turn();
                CHECK(game.positions[0] != 4);
                game.turn();
                CHECK(game.positions[0] != 4);
                CHECK_EQ(game.fault, "");
            }
}

TEST("a new goal is headed for at once") {
    for (const Options& options : {kWindow, kWhole, kRerouting}) {
        Game game(drawn("......."), options, {3}, {0});
        game.turn();
        game.send(0, 6);
        game.turn();
        CHECK_EQ(game.positions[0], 3);
        CHECK(game.runs_to_the_end(10, false));
        game.send(0, kNowhere);
        game.turn();
        CHECK(game.done());
    }
}

TEST("an agent that is not where its path says plans from where it is") {
    for (const Options& options : {kWindow, kWhole, kRerouting}) {
        Game game(drawn("......."), options, {0}, {6});
        game.turn();
        game.positions[0] = 4;
        CHECK(game.runs_to_the_end(2, false));
    }
}

TEST("an agent that stands unexpectedly in another's way is planned around") {
    for (const Options& options : {kWindow, kWhole, kRerouting})
        for (const bool following : {true, false}) {
            Game game(drawn(".....\n....."), options, {0, 9}, {4, 5}, {.following = following});
            game.turn();
            game.positions[1] = 2;  // right in front of agent 0
            CHECK(game.runs_to_the_end(30, true));
        }
}

TEST("agents come and go") {
    for (const Options& options : {kWindow, kWhole, kRerouting}) {
        Game game(drawn(".....\n....."), options, {0}, {4});
        game.turn();
        const AgentId added = game.add(7, 5);
        CHECK_EQ(added, 1);
        game.turn();
        game.remove(0);
        CHECK(game.agents.path(0).empty());
        CHECK(game.runs_to_the_end(20, false));
        CHECK_EQ(game.positions[0], kNowhere);
        CHECK_EQ(game.agents.size(), 2);
    }
}

TEST("agents disappear on arrival and are in nobody's way") {
    for (const Options& options : {kWindow, kWhole, kRerouting})
        for (const bool following : {true, false}) {
            Game game(drawn("....."), options, {2, 1, 0}, {3, 4, 2},
                      {.following = following, .disappear = true});
            CHECK(game.runs_to_the_end(30, true));
        }
}

TEST("rerouting: others learn of an arrived agent only when it is there") {
    Game game(drawn("....\n...."), kRerouting, {1, 0}, {2, 3});
    Budget budget;
    CHECK(game.agents.plan(0, budget) == Outcome::found);
    CHECK(game.agents.plan(1, budget) == Outcome::found);
    CHECK_EQ(game.agents.path(1).size(), 4);  // straight through the other's goal
    CHECK(game.runs_to_the_end(20, false));
    CHECK_EQ(game.time, 5);  // around it, in the end
}

TEST("without a budget agents drift towards their goals, safely") {
    Game game(drawn("....\n....\n....\n...."), kWindow, {0, 3, 12, 15}, {15, 12, 3, 0});
    for (int k = 0; k < 40; ++k) {
        Budget none(kNoLimit, 0, kNoLimit);
        game.turn(game.everybody(), none);
        if (!CHECK_EQ(game.fault, "")) return;
    }
    CHECK(game.positions != (Places{0, 3, 12, 15}));
    CHECK(game.runs_to_the_end(60, true));
}

TEST("an agent that was going to wait drifts towards its new goal when the budget is spent") {
    // Its old reservations are its own: they must not stand in its way.
    for (const bool following : {true, false}) {
        Game game(drawn("......."), kWhole, {3}, {3}, {.following = following});
        game.turn();
        game.send(0, 6);
        Budget none(kNoLimit, 0, kNoLimit);
        game.turn({}, none);
        CHECK_EQ(game.positions[0], 4);
    }
}

TEST("distances by itself: to the goal, none for the idle, unreachable, not ready") {
    plain::Ground corridor;
    corridor.width = 3000;
    corridor.open.assign(3000, 1);
    corridor.open[2990] = 0;
    Game game(corridor, {.exact = false}, {0, 5, 7}, {2000, kNowhere, 2999});
    Budget over(0.0, kNoLimit, kNoLimit);
    CHECK_EQ(game.agents.distance(0, over), kNotReady);
    Budget budget;
    CHECK_EQ(game.agents.distance(0, budget), 2000);
    CHECK_EQ(game.agents.distance(1, budget), 0);
    CHECK(game.agents.distance(2, budget) >= kUnreachable);
    CHECK(game.agents.distance_bytes() > 0);
}

TEST("a copy goes on exactly as the original, whatever distances it knows") {
    plain::Random random(50);
    for (int round = 0; round < 60; ++round) {
        auto game = random_game(random);
        if (!game) continue;
        for (int k = random.below(6); k-- > 0;) {
            disturb(*game, random);
            game->turn();
        }
        Game copy = *game;
        for (int k = 0; k < 6; ++k) {
            Budget one(kNoLimit, 30, kNoLimit), other(kNoLimit, 30, kNoLimit);
            const auto due = game->everybody();
            game->turn(due, one);
            copy.turn(due, other);
            REQUIRE(game->positions == copy.positions);
            REQUIRE(one.nodes() == other.nodes());
            if (random.chance(40)) {
                plain::Random same = random;
                disturb(*game, random);
                disturb(copy, same);
            }
        }
    }
}

TEST("random worlds: whatever happens, the proposed moves collide with nothing") {
    plain::Random random(51);
    for (int round = 0; round < 3000; ++round) {
        auto game = random_game(random);
        if (!game) continue;
        for (int k = 0; k < 25; ++k) {
            while (random.chance(35)) disturb(*game, random);
            std::vector<AgentId> due;
            for (const AgentId agent : game->everybody())
                if (random.chance(30)) due.push_back(agent);
            random.shuffle(due);
            Budget budget = random_budget(random);
            const Places moves = game->proposed(due, budget);
            if (!CHECK_EQ(game->fault, "")) return;
            if (random.chance(90)) game->positions = moves;  // else all were made to wait
            ++game->time;
            for (std::size_t a = 0; a < moves.size(); ++a)
                if (moves[a] == kNowhere) game->positions[a] = kNowhere;
        }
    }
}

TEST("random worlds left alone: windows bring most agents home, and nobody is lost") {
    plain::Random random(52);
    int worlds = 0, solved = 0;
    for (int round = 0; round < 40; ++round) {
        plain::Ground ground;
        ground.width = 8;
        ground.open.assign(64, 1);
        for (auto& open : ground.open) open = !random.chance(10);
        auto places = ground.open_vertices();
        random.shuffle(places);
        const Places starts(places.begin(), places.begin() + 8);
        random.shuffle(places);
        const Places goals(places.begin(), places.begin() + 8);
        bool possible = true;
        for (std::size_t a = 0; a < starts.size(); ++a)
            possible &= ground.distances_to(goals[a])[starts[a]] >= 0;
        if (!possible) continue;
        ++worlds;
        Game game(ground, kWindow, starts, goals);
        solved += game.runs_to_the_end(100, true);
    }
    CHECK(worlds > 20);
    CHECK(solved * 10 >= worlds * 8);
}
