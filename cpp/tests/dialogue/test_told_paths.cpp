// Told paths: their conflicts, kept up to date one path at a time, against all pairs; paths around
// superiors, against a search by reservations.
#include "sidestep/dialogue/told_paths.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Path = std::vector<Vertex>;

// Everybody but those who stand in one place already.
std::vector<Vertex> distinct_starts(plain::Random& random, const plain::Ground& ground, int most) {
    std::vector<Vertex> open = ground.open_vertices();
    random.shuffle(open);
    open.resize(std::min<std::size_t>(open.size(), static_cast<std::size_t>(most)));
    return open;
}

Path random_walk(plain::Random& random, const Space& space, Vertex start, int steps) {
    Path path{start};
    while (steps-- > 0) {
        const auto next = space.successors(path.back());
        const bool waits = next.empty() || random.chance(30);
        path.push_back(waits ? path.back() : next[random.below(static_cast<int>(next.size()))]);
    }
    return path;
}

// How often it comes back to a place before its goal.
int loops(Path path, Vertex goal) {
    path.erase(std::find(path.begin(), path.end(), goal), path.end());
    path.erase(std::unique(path.begin(), path.end()), path.end());
    const std::set<Vertex> places(path.begin(), path.end());
    return static_cast<int>(path.size() - places.size());
}

using Meeting = std::pair<AgentId, Time>;

// With whom and when one path collides, two paths at a time by the core's other way to find that.
std::set<Meeting> meetings(const Space& space, const Rules& rules, const std::vector<Path>& paths,
                           AgentId agent) {
    std::set<Meeting> found;
    for (AgentId other = 0; other < static_cast<AgentId>(paths.size()); ++other) {
        if (other == agent || paths[other].empty()) continue;
        const std::vector<std::span<const Vertex>> two{paths[agent], paths[other]};
        for (const Conflict& c : find_conflicts(space, rules, two)) found.insert({other, c.time});
    }
    return found;
}

}  // namespace

TEST("paths that agents remember count as memory") {
    const Space space = drawn(std::string(200, '.')).compiled();
    ToldPaths told_paths(space, Rules{}, {0, true}, Path{0}, Path{199});
    Budget budget;
    Path path;
    REQUIRE(told_paths.find(0, {}, budget, path) == Outcome::found);
    CHECK(budget.bytes() >= 200 * static_cast<std::int64_t>(sizeof(Vertex)));
    const std::int64_t before = budget.bytes();
    REQUIRE(told_paths.find(0, {}, budget, path) == Outcome::found);  // the same again
    CHECK_EQ(budget.bytes(), before);
}

TEST("the conflicts of told paths are those of all pairs, whatever was told before") {
    plain::Random random(11);
    for (int trial = 0; trial < 300; ++trial) {
        const plain::Ground ground = plain::random_ground(random, 4);
        const Rules rules = plain::random_rules(random);
        const Space space = ground.compiled();
        const std::vector<Vertex> starts = distinct_starts(random, ground, 5);
        const auto count = static_cast<AgentId>(starts.size());
        if (count < 2) continue;
        const Time window = random.chance(50) ? 4 : 0;
        ToldPaths told_paths(space, rules, {window, true}, starts, starts);
        std::vector<Path> paths(count);
        for (int told = 0; told < 12; ++told) {
            const AgentId agent = random.below(count);
            paths[agent] = random_walk(random, space, starts[agent], window ? 4 : random.below(7));
            told_paths.tell(agent, paths[agent]);
            // In a window nobody disappears half-way here, and nothing after it counts.
            Rules judged = rules;
            if (window) judged.disappear = false;
            for (AgentId one = 0; one < count; ++one) {
                if (paths[one].empty()) continue;
                const std::set<Meeting> expected = meetings(space, judged, paths, one);
                CHECK_EQ(told_paths.count(one), expected.size());
                for (AgentId other = 0; other < count; ++other) {
                    const auto with = [&](const Meeting& m) { return m.first == other; };
                    CHECK_EQ(told_paths.collide(one, other),
                             std::any_of(expected.begin(), expected.end(), with));
                }
            }
            std::tuple<Time, AgentId, AgentId> before{-1, 0, 0};
            for (const Conflict& c : told_paths.first_conflicts()) {
                CHECK(before < std::tuple(c.time, c.first, c.second));
                before = {c.time, c.first, c.second};
                const std::set<Meeting> all = meetings(space, judged, paths, c.first);
                const auto first = std::find_if(
                    all.begin(), all.end(), [&](const Meeting& m) { return m.first == c.second; });
                REQUIRE(first != all.end());
                CHECK_EQ(first->second, c.time);
            }
        }
    }
}

TEST("a path around superiors is as cheap as one around their reservations") {
    plain::Random random(5);
    int compared = 0;
    for (int trial = 0; trial < 600; ++trial) {
        const plain::Ground ground = plain::random_ground(random, 5);
        const Rules rules = plain::random_rules(random);
        const Space space = ground.compiled();
        const std::vector<Vertex> starts = distinct_starts(random, ground, 3);
        if (starts.size() < 3) continue;
        const std::vector<Vertex> open = ground.open_vertices();
        const Vertex goal = open[random.below(static_cast<int>(open.size()))];
        const Time window = random.chance(50) ? 4 : 0;
        const std::vector<Vertex> goals{goal, starts[1], starts[2]};
        ToldPaths told_paths(space, rules, {window, false}, starts, goals);
        Reservations reservations(space.size(), 3);
        std::vector<Path> paths{{}, {}, {}};
        for (AgentId agent : {1, 2}) {
            const int steps = window ? 4 : random.below(6);
            paths[agent] = random_walk(random, space, starts[agent], steps);
            told_paths.tell(agent, paths[agent]);
        }
        if (told_paths.collide(1, 2)) continue;  // reservations cannot
        for (AgentId agent : {1, 2})
            reservations.reserve(agent, 0, paths[agent], !window && !rules.disappear);
        Budget budget;
        Distances distances(space);
        SearchTask task;
        task.start = starts[0];
        task.goal = goal;
        task.distances = &distances.acquire(goal, starts[0]);
        task.window = window;
        if (task.distances->at(starts[0], budget) >= kUnreachable) continue;
        SpaceTimeSearch search;
        Path reserved, told;
        const Outcome expected = search.run(space, rules, reservations, task, budget, reserved);
        const std::vector<AgentId> superiors{1, 2};
        CHECK(told_paths.find(0, superiors, budget, told) == expected);
        if (expected != Outcome::found) continue;
        CHECK_EQ(told.size(), reserved.size());
        // The same search, so even the same path, unless that has a loop and another has not.
        if (window || loops(reserved, goal) == 0) CHECK_EQ(told, reserved);
        if (told != reserved) CHECK_EQ(loops(told, goal), 0);
        told_paths.tell(0, told);
        CHECK(!told_paths.collide(0, 1) && !told_paths.collide(0, 2));
        ++compared;
    }
    CHECK(compared > 100);
}

TEST("of equally long paths one without a loop is taken, where there is one") {
    // The other one passes through 1 and comes back: the agent could go to 3, back to 0 and on.
    const Space space = drawn("...\n..#").compiled();
    Budget budget;
    Path path;
    ToldPaths told_paths(space, {}, {}, std::vector<Vertex>{0, 4}, std::vector<Vertex>{2, 4});
    for (const Path& other : {Path{4, 1, 1, 4}, Path{4, 1, 4, 1, 4}, Path{1, 1, 1, 1, 4}}) {
        told_paths.tell(1, other);
        REQUIRE(told_paths.find(0, std::vector<AgentId>{1}, budget, path) == Outcome::found);
        CHECK_EQ(loops(path, 2), 0);
        told_paths.tell(0, path);
        CHECK(!told_paths.collide(0, 1));
    }
}

TEST("who has to step back loops all the same") {
    // Its superior comes along the corridor, and there is one bay to let it pass.
    const Space space = drawn("....\n#.##").compiled();
    Budget budget;
    Path path;
    ToldPaths told_paths(space, {}, {}, std::vector<Vertex>{1, 3}, std::vector<Vertex>{3, 0});
    told_paths.tell(1, Path{3, 2, 1, 0});
    REQUIRE(told_paths.find(0, std::vector<AgentId>{1}, budget, path) == Outcome::found);
    CHECK_EQ(path, (Path{1, 5, 5, 1, 2, 3}));
    CHECK_EQ(loops(path, 3), 1);
}

TEST("moves of single agents are counted, and a cached path has none") {
    const Space space = drawn("....").compiled();
    Budget budget;
    Path path;
    ToldPaths told_paths(space, {}, {}, std::vector<Vertex>{0}, std::vector<Vertex>{3});
    REQUIRE(told_paths.find(0, {}, budget, path) == Outcome::found);
    CHECK_EQ(budget.nodes(), 3);
    CHECK_EQ(budget.moves(), 2 + 3 + 3);  // with the waits
    REQUIRE(told_paths.find(0, {}, budget, path) == Outcome::found);
    CHECK_EQ(budget.moves(), 8);
}

TEST("superiors may collide with each other") {
    const Space space = drawn("....\n....").compiled();
    const std::vector<Vertex> starts{4, 1, 3}, goals{6, 3, 1};
    ToldPaths told_paths(space, {}, {}, starts, goals);
    told_paths.tell(1, Path{1, 2, 3});
    told_paths.tell(2, Path{3, 2, 1});
    CHECK(told_paths.collide(1, 2));
    Budget budget;
    Path path;
    REQUIRE(told_paths.find(0, std::vector<AgentId>{1, 2}, budget, path) == Outcome::found);
    CHECK_EQ(path, (Path{4, 5, 6}));
}

TEST("a known path is used again where it does not collide, also if another would be cheaper") {
    const Space space = drawn(".....\n.....").compiled();
    const std::vector<Vertex> starts{0, 7}, goals{4, 7};
    for (const bool cache : {true, false}) {
        ToldPaths told_paths(space, {}, {0, cache}, starts, goals);
        Budget budget;
        Path path;
        told_paths.tell(1, Path{7, 2});
        const std::vector<AgentId> superior{1};
        REQUIRE(told_paths.find(0, superior, budget, path) == Outcome::found);
        CHECK_EQ(path.size(), 7);  // around the one that stays in its way
        told_paths.tell(1, Path{7});
        REQUIRE(told_paths.find(0, superior, budget, path) == Outcome::found);
        CHECK_EQ(path.size(), 5);
        told_paths.tell(1, Path{7, 2});
        const std::int64_t before = budget.nodes();
        REQUIRE(told_paths.find(0, superior, budget, path) == Outcome::found);
        CHECK_EQ(path.size(), 7);
        CHECK_EQ(budget.nodes() == before, cache);
    }
}

TEST("costs: waits on the goal, the terminal edge, and idle agents") {
    const Space space = drawn(".....").compiled();
    const std::vector<Vertex> starts{0, 3}, goals{1, kNowhere};
    Rules rules;
    ToldPaths all_the_way(space, rules, {}, starts, goals);
    all_the_way.tell(0, Path{0, 1, 1, 0, 1});
    CHECK_EQ(all_the_way.cost(0), 4);
    rules.free_goal_wait = true;
    ToldPaths off_goal(space, rules, {}, starts, goals);
    off_goal.tell(0, Path{0, 1, 1, 0, 1});
    CHECK_EQ(off_goal.cost(0), 3);
    ToldPaths windowed(space, {}, {2, true}, starts, goals);
    windowed.tell(0, Path{0, 0, 0});
    CHECK_EQ(windowed.cost(0), 3);
    windowed.tell(0, Path{0, 1, 1});
    CHECK_EQ(windowed.cost(0), 1);
    windowed.tell(1, Path{3, 3, 4});
    CHECK_EQ(windowed.cost(1), 1);
}

TEST("equal sets of told paths have equal fingerprints") {
    const Space space = drawn("...").compiled();
    const std::vector<Vertex> starts{0, 2}, goals{2, 0};
    ToldPaths told_paths(space, {}, {}, starts, goals);
    told_paths.tell(0, Path{0, 1});
    told_paths.tell(1, Path{2});
    const std::uint64_t before = told_paths.fingerprint();
    told_paths.tell(1, Path{2, 1});
    CHECK(told_paths.fingerprint() != before);
    told_paths.tell(1, Path{2});
    CHECK_EQ(told_paths.fingerprint(), before);
}
