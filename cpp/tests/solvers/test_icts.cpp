// Increasing cost tree search against the oracle.
#include "sidestep/solvers/icts.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "check.hpp"
#include "oracle.hpp"
#include "plain.hpp"

using namespace sidestep;
using namespace sidestep::icts;
using plain::drawn;

namespace {

using Places = std::vector<Vertex>;
constexpr auto kNoLimit = std::nullopt;

std::vector<AgentId> everybody(std::size_t count) {
    std::vector<AgentId> all(count);
    std::iota(all.begin(), all.end(), 0);
    return all;
}

Cost cost_of(const Icts& solver, std::span<const AgentId> agents) {
    Cost sum = 0;
    for (const AgentId a : agents) sum += static_cast<Cost>(solver.path(a).size()) - 1;
    return sum;
}

}  // namespace

TEST("the oracle knows corridors, alcoves, and both costs") {
    CHECK(!oracle::cheapest(drawn("...."), {}, {0, 3}, {3, 0}));
    CHECK_EQ(oracle::cheapest(drawn("#.#\n..."), {}, {3, 5}, {5, 3}).value_or(-1), 7);
    const auto alcove = drawn("##.##\n.....");
    CHECK_EQ(oracle::cheapest(alcove, {}, {5, 7}, {9, 7}).value_or(-1), 7);
    CHECK_EQ(oracle::cheapest(alcove, {.free_goal_wait = true}, {5, 7}, {9, 7}).value_or(-1), 6);
    CHECK_EQ(oracle::cheapest(drawn("..."), {}, {0, 1}, {1, kNowhere}).value_or(-1), 1);
    CHECK_EQ(oracle::cheapest(drawn("..."), {.disappear = true}, {0, 2}, {2, 1}).value_or(-1), 4);
    const Rules apart{.following = false, .disappear = true};
    CHECK_EQ(oracle::cheapest(drawn("..."), apart, {0, 2}, {2, 1}).value_or(-1), 5);
}

TEST(
    "random worlds: every variant finds what the oracle says, and nothing where there is nothing") {
    plain::Random random(80);
    int solved = 0, unsolvable = 0;
    for (int round = 0; round < 2000; ++round) {
        const auto ground = plain::random_ground(random, 3);
        Rules rules = plain::random_rules(random);
        rules.free_goal_wait = false;
        auto starts = ground.open_vertices(), goals = starts;
        random.shuffle(starts);
        random.shuffle(goals);
        const auto count = std::min<std::size_t>(random.between(1, 3), starts.size());
        starts.resize(count);
        goals.resize(count);
        const auto best = oracle::cheapest(ground, rules, starts, goals);
        const Icts::Options options{static_cast<Pruning>(random.below(3)), random.chance(60)};
        Icts solver(ground.compiled(), rules, options, starts, goals);
        Budget budget(kNoLimit, best ? 200'000 : 1'000, kNoLimit);
        const auto all = everybody(count);
        const Outcome outcome = solver.solve({all}, budget);
        if (!CHECK_EQ(outcome == Outcome::found, best.has_value())) return;
        ++(best ? solved : unsolvable);
        if (!best) continue;
        if (!CHECK_EQ(cost_of(solver, all), *best)) return;
        if (!CHECK_EQ(solver.lower_bound(), *best)) return;
        std::vector<std::span<const Vertex>> paths;
        for (const AgentId a : all) paths.push_back(solver.path(a));
        if (!CHECK_EQ(find_conflicts(solver.space(), rules, paths).empty(), true)) return;
        // One less than the optimum is not enough.
        Budget more(kNoLimit, 1'000'000, kNoLimit);
        if (!CHECK_EQ(solver.solve({all, *best - 1}, more) == Outcome::no_path, true)) return;
    }
    CHECK(solved > 200);
    CHECK(unsolvable > 50);
}

TEST("random worlds: a group goes around the paths of others, or says that it cannot") {
    plain::Random random(81);
    int around = 0;
    for (int round = 0; round < 500; ++round) {
        const auto ground = plain::random_ground(random, 3);
        Rules rules = plain::random_rules(random);
        rules.free_goal_wait = false;
        auto starts = ground.open_vertices(), goals = starts;
        random.shuffle(starts);
        random.shuffle(goals);
        if (starts.size() < 3) continue;
        starts.resize(3);
        goals.resize(3);
        Icts solver(ground.compiled(), rules, {}, starts, goals);
        Budget budget(kNoLimit, 20'000, kNoLimit);
        const std::vector<AgentId> first{2}, rest{0, 1};
        if (solver.solve({first}, budget) != Outcome::found) continue;
        const Places path(solver.path(2).begin(), solver.path(2).end());
        const std::vector<Places> others{path};
        if (solver.solve({rest, 20, others, others}, budget) != Outcome::found) continue;
        const std::vector<std::span<const Vertex>> paths{solver.path(0), solver.path(1), path};
        if (!CHECK_EQ(find_conflicts(solver.space(), rules, paths).empty(), true)) return;
        const auto best =
            oracle::cheapest(ground, rules, {starts[0], starts[1]}, {goals[0], goals[1]});
        CHECK(cost_of(solver, rest) >= best.value_or(kUnreachable));
        ++around;
    }
    CHECK(around > 100);
}

TEST("it ends with a status: unreachable goals, no nodes, no memory") {
    Icts cut_off(drawn(".#.").compiled(), {}, {}, Places{0}, Places{2});
    Budget budget;
    CHECK(cut_off.solve({everybody(1)}, budget) == Outcome::no_path);
    CHECK_EQ(cut_off.lower_bound(), kUnreachable);

    Icts corridor(drawn("....").compiled(), {}, {}, Places{0, 3}, Places{3, 0});
    Budget few(kNoLimit, 1000, kNoLimit);
    CHECK(corridor.solve({everybody(2)}, few) == Outcome::out_of_budget);
    CHECK(few.why() == Stop::nodes);
    CHECK(corridor.lower_bound() >= 6);

    Icts poor(drawn("....").compiled(), {}, {Pruning::simple, true}, Places{0, 3}, Places{3, 0});
    Budget little(kNoLimit, kNoLimit, 100'000);
    CHECK(poor.solve({everybody(2)}, little) == Outcome::out_of_budget);
    CHECK(little.why() == Stop::memory);
    CHECK(poor.most_bytes() > 100'000);
}

TEST("nobody has nothing to do") {
    Icts nobody(drawn("..").compiled(), {}, {}, Places{}, Places{});
    Budget budget;
    CHECK(nobody.solve({}, budget) == Outcome::found);
}
