// Cooperative search against an exhaustive one over (vertex, time).
#include "sidestep/spacetime/search.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Path = std::vector<Vertex>;

// One search and everything it needs.
struct Scene {
    plain::Ground ground;
    Rules rules;
    plain::Promises promises;
    Vertex start = 0;
    Vertex goal = kNowhere;
    Time now = 0;
    Time window = 0;
    bool exact = true;
    Cost cost_limit = kUnreachable;
    bool stays = true;

    bool idle() const { return goal == kNowhere; }
    bool vanishes(Vertex v) const { return rules.disappear && !idle() && v == goal; }

    Cost wait_cost(Vertex v) const {
        const bool at_home = idle() || (v == goal && (window > 0 || rules.free_goal_wait));
        return at_home && ground.open[v] ? 0 : 1;
    }
    // What the terminal edge of a window costs; nothing if the goal is out of reach.
    std::optional<Cost> rest(Vertex v, const std::vector<int>& distances,
                             const Space& space) const {
        if (idle() || window == 0) return 0;
        if (!exact) return space.estimate(v, goal);
        return distances[v] < 0 ? std::nullopt : std::optional<Cost>(distances[v]);
    }
    bool may_end(Vertex v, Time t) const {
        if (vanishes(v)) return rules.following || promises.holder(v, t + 1) == kNobody;
        if (window > 0) return t == now + window;
        if (!idle() && v != goal) return false;
        if (idle() && !ground.open[v]) return false;
        if (!idle() && !stays) return true;
        const auto last = promises.last_taken(v, now);
        return !last || (*last != kForever && t > *last);
    }
};

Scene on(plain::Ground ground) {
    Scene scene;
    scene.ground = std::move(ground);
    return scene;
}

struct Found {
    Outcome outcome;
    Path path;
};

Found search(const Scene& scene, SpaceTimeSearch& searcher, Budget& budget) {
    const Space space = scene.ground.compiled();
    Reservations table(scene.ground.size(), static_cast<int>(scene.promises.of.size()));
    table.advance(scene.now);
    for (std::size_t a = 0; a < scene.promises.of.size(); ++a) {
        const auto& promise = scene.promises.of[a];
        if (!promise.path.empty())
            table.reserve(static_cast<AgentId>(a), promise.start, promise.path, promise.parked);
    }
    Distances distances(space);
    SearchTask task;
    task.start = scene.start;
    task.goal = scene.goal;
    task.now = scene.now;
    task.window = scene.window;
    task.cost_limit = scene.cost_limit;
    task.stays = scene.stays;
    if (scene.exact && !scene.idle()) task.distances = &distances.acquire(scene.goal, scene.start);
    Found found;
    found.outcome = searcher.run(space, scene.rules, table, task, budget, found.path);
    return found;
}

Found search(const Scene& scene) {
    SpaceTimeSearch searcher;
    Budget budget;
    return search(scene, searcher, budget);
}

// The least cost of all, by Dijkstra over (vertex, time) as far as anything can change.
std::optional<Cost> least_cost(const Scene& scene) {
    const Space space = scene.ground.compiled();
    const auto distances = scene.idle() ? std::vector<int>(scene.ground.size(), 0)
                                        : scene.ground.distances_to(scene.goal);
    const Time horizon = scene.window > 0 ? scene.now + scene.window
                                          : std::max(scene.promises.last(scene.now), scene.now) +
                                                2 * scene.ground.size() + 2;
    using Item = std::tuple<Cost, Time, Vertex>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
    std::map<std::pair<Time, Vertex>, Cost> best;
    const auto push = [&](Vertex v, Time t, Cost g) {
        const auto known = best.find({t, v});
        if (known != best.end() && known->second <= g) return;
        best[{t, v}] = g;
        open.push({g, t, v});
    };
    push(scene.start, scene.now, 0);
    std::optional<Cost> least;
    while (!open.empty()) {
        const auto [g, t, v] = open.top();
        open.pop();
        if (best[{t, v}] < g) continue;
        if (scene.may_end(v, t)) {
            const auto rest = scene.vanishes(v) ? 0 : scene.rest(v, distances, space);
            if (rest) least = std::min(least.value_or(g + *rest), g + *rest);
        }
        if (t == horizon || scene.vanishes(v)) continue;
        if (scene.promises.allow(scene.ground, scene.rules, {v, v}, t))
            push(v, t + 1, g + scene.wait_cost(v));
        for (Vertex u = 0; u < scene.ground.size(); ++u)
            if (scene.ground.connects(v, u) &&
                scene.promises.allow(scene.ground, scene.rules, {v, u}, t))
                push(u, t + 1, g + 1);
    }
    if (least && *least > scene.cost_limit) return std::nullopt;
    return least;
}

// What a path costs, or what is wrong with it.
std::pair<Cost, std::string> cost_of(const Scene& scene, const Path& path) {
    if (path.empty() || path.front() != scene.start) return {0, "it begins elsewhere"};
    Cost cost = 0;
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
        const Time t = scene.now + static_cast<Time>(k);
        if (scene.vanishes(path[k])) return {0, "it goes on after disappearing"};
        const Move move{path[k], path[k + 1]};
        if (move.from != move.to && !scene.ground.connects(move.from, move.to))
            return {0, "there is no such move"};
        if (!scene.promises.allow(scene.ground, scene.rules, move, t)) return {0, "it collides"};
        cost += move.from == move.to ? scene.wait_cost(move.from) : 1;
    }
    const Vertex end = path.back();
    if (!scene.may_end(end, scene.now + static_cast<Time>(path.size()) - 1))
        return {0, "it may not end there"};
    if (scene.vanishes(end)) return {cost, ""};
    const auto distances = scene.idle() ? std::vector<int>(scene.ground.size(), 0)
                                        : scene.ground.distances_to(scene.goal);
    return {cost + scene.rest(end, distances, scene.ground.compiled()).value_or(0), ""};
}

bool agrees(const Scene& scene, const Found& found, std::optional<Cost> expected) {
    if (!expected) return CHECK_EQ(found.outcome == Outcome::no_path, true);
    if (!CHECK_EQ(found.outcome == Outcome::found, true)) return false;
    const auto [cost, fault] = cost_of(scene, found.path);
    return CHECK_EQ(fault, "") && CHECK_EQ(cost, *expected);
}

void promise(Scene& scene, Time start, Path path, bool parked = false) {
    scene.promises.of.push_back({start, std::move(path), parked});
}

Scene random_scene(plain::Random& random, int max_side) {
    Scene scene;
    do scene.ground = plain::random_ground(random, max_side);
    while (scene.ground.open_vertices().empty());
    const Space space = scene.ground.compiled();
    const auto places = scene.ground.open_vertices();
    const auto any = [&] { return places[random.below(static_cast<int>(places.size()))]; };
    scene.rules = plain::random_rules(random);
    scene.start = random.chance(90) ? any() : random.below(scene.ground.size());
    scene.goal = random.chance(80) ? any() : kNowhere;
    scene.now = random.chance(50) ? 0 : random.below(50);
    scene.window = random.chance(50) ? 0 : random.between(1, 8);
    scene.exact = random.chance(70);
    scene.stays = random.chance(75);
    for (int k = random.below(5); k-- > 0;) {
        plain::Promise other{scene.now, {}, random.chance(25)};
        Vertex v = any();
        for (int steps = random.between(1, 10); steps-- > 0;) {
            other.path.push_back(v);
            const auto near = space.successors(v);
            if (!near.empty() && random.chance(60))
                v = near[random.below(static_cast<int>(near.size()))];
        }
        const bool on_start = other.path.front() == scene.start;
        if (!on_start && scene.promises.fits(other, kNobody, scene.now))
            scene.promises.of.push_back(other);
    }
    return scene;
}

}  // namespace

TEST("alone, the path is a shortest one") {
    Scene scene = on(drawn("...\n.#.\n..."));
    scene.start = 0;
    scene.goal = 8;
    const Found found = search(scene);
    CHECK(found.outcome == Outcome::found);
    CHECK_EQ(found.path.size(), 5);
    agrees(scene, found, 4);
}

TEST("who is at its goal already stays") {
    Scene scene = on(drawn(".."));
    scene.start = scene.goal = 1;
    CHECK_EQ(search(scene).path, (Path{1}));
    scene.window = 3;
    CHECK_EQ(search(scene).path, (Path{1, 1, 1, 1}));
}

TEST("a swap is no way through a corridor") {
    Scene scene = on(drawn("...."));
    scene.start = 0;
    scene.goal = 3;
    promise(scene, 0, {3, 2, 1, 0}, true);
    CHECK(search(scene).outcome == Outcome::no_path);
}

TEST("a swap half-way is avoided by stepping aside") {
    Scene scene = on(drawn("....\n#.##"));
    scene.start = 0;
    scene.goal = 3;
    promise(scene, 0, {3, 2, 1, 0}, true);
    const Found found = search(scene);
    agrees(scene, found, 5);
    CHECK_EQ(found.path, (Path{0, 1, 5, 1, 2, 3}));
}

TEST("crossing diagonals are reserved, unless the rules allow them") {
    Scene scene = on(drawn("..\n..", 8));
    scene.start = 1;
    scene.goal = 2;
    promise(scene, 0, {0, 3}, true);
    agrees(scene, search(scene), 2);
    scene.rules.crossing = true;
    agrees(scene, search(scene), 1);
}

TEST("conflicting edges of a graph are reserved like diagonals") {
    Scene scene;
    scene.ground.open.assign(4, 1);
    scene.ground.edges = {{0, 1}, {2, 3}};
    scene.ground.conflicts = {{1, 0}};
    scene.start = 2;
    scene.goal = 3;
    promise(scene, 0, {0, 1}, true);
    agrees(scene, search(scene), 2);
    scene.rules.crossing = true;
    agrees(scene, search(scene), 1);
}

TEST("an agent that has arrived still occupies its cell") {
    Scene scene = on(drawn("..."));
    scene.start = 0;
    scene.goal = 2;
    promise(scene, 0, {1}, true);
    CHECK(search(scene).outcome == Outcome::no_path);
    scene.ground = drawn("...\n...");
    agrees(scene, search(scene), 4);
}

TEST("the goal is reached only when nobody passes it later") {
    Scene scene = on(drawn("...\n..."));
    scene.start = 0;
    scene.goal = 1;
    promise(scene, 0, {5, 5, 5, 5, 2, 1, 4}, false);  // on the goal at time 5
    const Found found = search(scene);
    agrees(scene, found, 6);
    CHECK_EQ(found.path.size(), 7);
}

TEST("a goal that somebody else keeps for ever is out of reach") {
    Scene scene = on(drawn("...\n..."));
    scene.start = 0;
    scene.goal = 1;
    promise(scene, 0, {5, 4, 1}, true);
    CHECK(search(scene).outcome == Outcome::no_path);
    scene.rules.disappear = true;  // gone before the other comes
    agrees(scene, search(scene), 1);
}

TEST("who need not stay arrives although somebody passes its goal later") {
    Scene scene = on(drawn("...\n..."));
    scene.start = 0;
    scene.goal = 1;
    scene.stays = false;
    promise(scene, 0, {5, 5, 5, 5, 2, 1, 4}, false);
    CHECK_EQ(search(scene).path, (Path{0, 1}));
    promise(scene, 0, {4, 1}, false);  // but not while somebody is on it
    agrees(scene, search(scene), 2);
}

TEST("time_off_goal: waits on the goal are free, even if the agent must leave it again") {
    // Somebody comes into the dead end at time 8 and leaves: the agent must get out of its way.
    Scene scene = on(drawn(".....\n###.#"));
    scene.start = 3;
    scene.goal = 4;
    promise(scene, 0, {0, 0, 0, 0, 0, 1, 2, 3, 4, 3, 2}, false);
    agrees(scene, search(scene), 11);
    scene.rules.free_goal_wait = true;
    const auto least = least_cost(scene);
    CHECK_EQ(least.value_or(-1), 7);  // in; out and aside; two waits there; and in again
    agrees(scene, search(scene), least);
}

TEST("following forbidden: a step of distance to agents ahead and behind") {
    Scene scene = on(drawn("....."));
    scene.start = 0;
    scene.goal = 3;
    promise(scene, 0, {1, 2, 3, 4}, true);
    agrees(scene, search(scene), 3);
    scene.rules.following = false;
    agrees(scene, search(scene), 4);
    Scene chased = on(drawn("....."));
    chased.rules.following = false;
    chased.start = 1;
    chased.goal = 4;
    promise(chased, 0, {0, 1, 2}, false);
    CHECK(search(chased).outcome == Outcome::no_path);  // nor can it stay
    chased.promises.of[0].path = {0, 0, 1, 2};
    agrees(chased, search(chased), 3);
}

TEST("following forbidden: nobody disappears where another enters behind it") {
    Scene scene = on(drawn("...\n..."));
    scene.rules = {.following = false, .disappear = true};
    scene.start = 0;
    scene.goal = 1;
    promise(scene, 0, {5, 4, 1, 2}, false);  // on the goal at time 2
    agrees(scene, search(scene), least_cost(scene));
    CHECK(search(scene).path.size() > 3);
    scene.rules.following = true;
    agrees(scene, search(scene), 1);
}

TEST("an agent leaves a vertex that closed under it") {
    Scene scene = on(drawn(".#.\n..."));
    scene.start = 1;
    scene.goal = 2;
    agrees(scene, search(scene), 1);
    scene.window = 4;
    agrees(scene, search(scene), 1);
    scene.goal = kNowhere;
    const Found found = search(scene);
    CHECK(found.outcome == Outcome::found);
    CHECK(found.path[1] != 1);  // it is not at home there
}

TEST("an agent in a closed vertex that must wait does not come back to it") {
    // The way back from a dead end beside the start would lead into the closed vertex.
    Scene scene = on(drawn(".#.."));
    scene.start = 1;
    scene.goal = 3;
    promise(scene, 0, {2, 2, 2}, false);
    agrees(scene, search(scene), 5 - 1);
    scene.window = 6;
    agrees(scene, search(scene), least_cost(scene));
    scene.goal = kNowhere;
    scene.window = 0;
    agrees(scene, search(scene), least_cost(scene));
}

TEST("an idle agent stays where it may stay for good, and makes room where it may not") {
    Scene scene = on(drawn("...\n.#."));
    scene.start = 1;
    CHECK_EQ(search(scene).path, (Path{1}));
    promise(scene, 0, {0, 0, 0, 1, 2}, false);
    const Found found = search(scene);
    agrees(scene, found, least_cost(scene));
    CHECK(found.path.back() != 1);
    CHECK(found.path.size() > 1);
}

TEST("a window: exactly that many steps, and the rest of the way by distance") {
    Scene scene = on(drawn(".........."));
    scene.start = 0;
    scene.goal = 9;
    scene.window = 4;
    CHECK_EQ(search(scene).path, (Path{0, 1, 2, 3, 4}));
    scene.goal = 2;
    CHECK_EQ(search(scene).path, (Path{0, 1, 2, 2, 2}));
    scene.rules.disappear = true;
    CHECK_EQ(search(scene).path, (Path{0, 1, 2}));
}

TEST("the last step of a window sees the whole of the other's move") {
    // The other enters cell 2 at the end of the window, from where this agent wants to be then.
    Scene scene = on(drawn("....."));
    scene.start = 0;
    scene.goal = 4;
    scene.window = 2;
    promise(scene, 0, {3, 2, 1}, false);
    const Found found = search(scene);
    agrees(scene, found, least_cost(scene));
    CHECK(found.path.back() != 2);
}

TEST("within a window a wait on the goal is free, and others are let through") {
    Scene scene = on(drawn("...\n#.#"));
    scene.start = scene.goal = 1;
    scene.window = 6;
    promise(scene, 0, {0, 0, 1, 2, 2, 2, 2}, false);
    const Found found = search(scene);
    agrees(scene, found, 2);
    CHECK_EQ(found.path.back(), 1);
}

TEST("cost limit: a path that costs as much is found, one that costs more is not") {
    Scene scene = on(drawn("...\n.#.\n..."));
    scene.start = 0;
    scene.goal = 8;
    scene.cost_limit = 4;
    agrees(scene, search(scene), 4);
    scene.cost_limit = 3;
    CHECK(search(scene).outcome == Outcome::no_path);
    promise(scene, 0, {8, 8, 8, 8, 8, 8}, false);  // the goal is free from time 6 on
    scene.cost_limit = 5;
    CHECK(search(scene).outcome == Outcome::no_path);
    scene.cost_limit = 6;
    agrees(scene, search(scene), 6);
}

TEST("cost limit: a state first reached too dearly may still be reached cheaply") {
    Scene window = on(drawn("..\n.#", 8, Corners::free));
    window.start = window.goal = 0;
    window.window = 6;
    promise(window, 0, {1, 1, 0, 2, 0, 2, 2});
    window.cost_limit = 4;
    agrees(window, search(window), 4);

    Scene whole = on(drawn("..\n#.\n..\n.."));  // the dearer way is found first, by geometry
    whole.start = 7;
    whole.goal = 0;
    whole.exact = false;
    whole.rules.following = false;
    promise(whole, 0, {5, 5, 4});
    promise(whole, 0, {4});
    whole.cost_limit = 6;
    agrees(whole, search(whole), 6);
}

TEST("cost limit: random scenes, at the least cost and just below") {
    plain::Random random(6);
    for (int round = 0; round < 3000; ++round) {
        Scene scene = random_scene(random, 5);
        scene.cost_limit = kUnreachable;
        const auto least = least_cost(scene);
        if (!least) continue;
        scene.cost_limit = *least;
        if (!agrees(scene, search(scene), least)) return;
        if (*least == 0) continue;
        scene.cost_limit = *least - 1;
        if (!agrees(scene, search(scene), std::nullopt)) return;
    }
}

TEST("a search that runs out of budget says so") {
    Scene scene = on(drawn(".........."));
    scene.start = 0;
    scene.goal = 9;
    SpaceTimeSearch searcher;
    Budget few(std::nullopt, 4, std::nullopt);
    CHECK(search(scene, searcher, few).outcome == Outcome::out_of_budget);
    CHECK(few.why() == Stop::nodes);
    Budget enough(std::nullopt, 9, std::nullopt);
    CHECK(search(scene, searcher, enough).outcome == Outcome::found);
    CHECK_EQ(enough.nodes(), 9);
    Budget small(std::nullopt, std::nullopt, 10);
    CHECK(search(scene, searcher, small).outcome == Outcome::out_of_budget);
    CHECK(small.why() == Stop::memory);
}

TEST("who is at home and undisturbed needs no search, and no budget") {
    Scene scene = on(drawn("...\n..."));
    scene.window = 5;
    scene.start = 1;
    promise(scene, 0, {0, 0, 0, 0, 0, 0, 1});  // comes after the window
    for (const Vertex goal : {kNowhere, Vertex{1}}) {
        scene.goal = goal;
        SpaceTimeSearch searcher;
        Budget none(std::nullopt, 0, std::nullopt);
        const Found found = search(scene, searcher, none);
        CHECK(found.outcome == Outcome::found);
        CHECK_EQ(found.path, Path(6, 1));
    }
    scene.ground.open[1] = 0;  // closed under it: not at home
    scene.goal = kNowhere;
    CHECK(search(scene).path[1] != 1);
}

TEST("distances that are not ready are out of budget, not out of reach") {
    plain::Ground corridor;
    corridor.width = 2000;
    corridor.open.assign(2000, 1);
    Scene scene = on(corridor);
    scene.start = 0;
    scene.goal = 1999;
    scene.window = 8;
    SpaceTimeSearch searcher;
    Budget over(0.0, std::nullopt, std::nullopt);
    CHECK(search(scene, searcher, over).outcome == Outcome::out_of_budget);
    CHECK(over.why() == Stop::time);
}

TEST("one searcher, many searches: nothing is left over from the last") {
    plain::Random random(7);
    SpaceTimeSearch searcher;
    for (int round = 0; round < 300; ++round) {
        const Scene scene = random_scene(random, 5);
        Budget budget, other;
        const Found again = search(scene, searcher, budget);
        SpaceTimeSearch fresh;
        const Found once = search(scene, fresh, other);
        REQUIRE(again.outcome == once.outcome);
        if (once.outcome == Outcome::found) REQUIRE(again.path == once.path);
        REQUIRE(budget.nodes() == other.nodes());
    }
}

TEST("random spaces, rules, windows and reservations: no path is cheaper") {
    plain::Random random(8);
    for (int round = 0; round < 8000; ++round) {
        const Scene scene = random_scene(random, 5);
        if (!agrees(scene, search(scene), least_cost(scene))) return;
    }
}

TEST("geometry and exact distances lead to the same cost") {
    plain::Random random(9);
    for (int round = 0; round < 500; ++round) {
        Scene scene = random_scene(random, 6);
        scene.window = 0;
        scene.exact = true;
        const Found exact = search(scene);
        scene.exact = false;
        const Found geometric = search(scene);
        REQUIRE(exact.outcome == geometric.outcome);
        if (exact.outcome == Outcome::found)
            REQUIRE(cost_of(scene, exact.path).first == cost_of(scene, geometric.path).first);
    }
}

TEST("a state table remembers what it was told, dense or hashed, and forgets it when prepared") {
    for (const auto& [vertices, layers] : {std::pair{50, 40}, std::pair{100000, 40}}) {
        StateTable table;
        plain::Random random(10);
        for (int search = 0; search < 3; ++search) {
            table.prepare(vertices, layers);
            std::map<std::pair<Vertex, int>, Cost> told;
            for (int k = 0; k < 20000; ++k) {
                const std::pair state{random.below(vertices), random.below(layers)};
                auto& entry = table.at(state.first, state.second);
                const auto known = told.find(state);
                REQUIRE(table.fresh(entry) == (known == told.end()));
                if (known != told.end()) REQUIRE(entry.g == known->second);
                if (random.chance(50)) {
                    const Cost g = random.below(1000);
                    table.fill(entry, g);
                    told[state] = g;
                }
            }
            for (const auto& [state, g] : told) {
                auto& entry = table.at(state.first, state.second);
                REQUIRE(!table.closed_with(entry, g));
                entry.g = -1 - g;
                REQUIRE(table.closed_with(entry, g));
                REQUIRE(!table.closed_with(entry, g + 1));
            }
        }
    }
}

TEST("a state table that changes its shape from search to search mixes nothing up") {
    StateTable table;
    for (const auto& [vertices, layers] :
         {std::pair{1000, 3}, std::pair{10, 100}, std::pair{1000000, 9}, std::pair{1000, 3},
          std::pair{500000, 17}, std::pair{10, 100}}) {
        table.prepare(vertices, layers);
        for (const Vertex v : {0, 1, vertices / 2, vertices - 1})
            for (const int layer : {0, 1, layers / 2, layers - 1}) {
                auto& entry = table.at(v, layer);
                if (table.fresh(entry)) table.fill(entry, v + layer);
                CHECK_EQ(table.at(v, layer).g, v + layer);
            }
    }
    CHECK(table.bytes() > 0);
}

TEST("hashed and dense state tables: a map inside a large one has the same costs") {
    plain::Random random(11);
    for (int round = 0; round < 12; ++round) {
        Scene small = random_scene(random, 8);
        if (small.ground.width == 0) continue;
        small.window = 0;
        // A horizon long enough that the large map's states do not fit a dense table.
        const auto places = small.ground.open_vertices();
        plain::Promise loiterer{small.now, Path(60, places.front()), false};
        if (places.front() == small.start || !small.promises.fits(loiterer, kNobody, small.now))
            continue;
        small.promises.of.push_back(loiterer);

        Scene large = small;
        constexpr int side = 200;
        const auto moved = [&](Vertex v) {
            return v == kNowhere ? v : v / small.ground.width * side + v % small.ground.width;
        };
        large.ground.width = side;
        large.ground.open.assign(side * side, 0);
        for (Vertex v = 0; v < small.ground.size(); ++v)
            large.ground.open[moved(v)] = small.ground.open[v];
        large.start = moved(small.start);
        large.goal = moved(small.goal);
        for (auto& other : large.promises.of)
            for (auto& v : other.path) v = moved(v);

        const Found dense = search(small), hashed = search(large);
        REQUIRE(dense.outcome == hashed.outcome);
        if (dense.outcome != Outcome::found) continue;
        CHECK_EQ(dense.path.size(), hashed.path.size());
        for (std::size_t k = 0; k < dense.path.size(); ++k)
            REQUIRE(moved(dense.path[k]) == hashed.path[k]);
    }
}

TEST("a long way on a large map with a long horizon") {
    plain::Ground open;
    open.width = 300;
    open.open.assign(300 * 300, 1);
    Scene scene = on(open);
    scene.start = 0;
    scene.goal = 300 * 300 - 1;
    scene.exact = false;
    promise(scene, 0, Path(200, 150), false);
    promise(scene, 0, Path(1, 300 * 299), true);
    const Found found = search(scene);
    REQUIRE(found.outcome == Outcome::found);
    CHECK_EQ(found.path.size(), 299 + 299 + 1);
}
