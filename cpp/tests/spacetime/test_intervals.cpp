// Safe-interval search against space-time A* and, for margins, against a plain search over all
// places and times.
#include "sidestep/spacetime/intervals.hpp"

#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/spacetime/search.hpp"

using namespace sidestep;
using plain::drawn;
using Path = std::vector<Vertex>;

namespace {

struct Scene {
    plain::Ground ground;
    Rules rules;
    Vertex start = kNowhere, goal = kNowhere;
    Time margin = 0;
    bool stays = true;
    Cost bound = kUnreachable;
    plain::Promises promises;
};

struct Found {
    Outcome outcome = Outcome::no_path;
    Cost cost = 0;
    Path path;
};

std::vector<Spot> spots(const Roads& roads, const Path& path) {
    std::vector<Spot> found;
    for (const Vertex v : path) found.push_back(roads.spot(v));
    return found;
}

Found search(const Scene& scene, std::uint64_t salt = 0) {
    const Space space = scene.ground.compiled();
    const Roads roads(space);
    Fields fields(roads);
    Timelines lines(space, scene.rules, roads, scene.margin);
    Budget budget;
    for (const auto& promise : scene.promises.of) {
        REQUIRE(lines.make_room(promise.end(), budget));
        lines.put(spots(roads, promise.path), promise.parked);
    }
    IntervalTask task;
    task.start = roads.spot(scene.start);
    task.goal = roads.spot(scene.goal);
    if (scene.goal != kNowhere) task.field = fields.to(task.goal, task.start, budget);
    task.bound = scene.bound;
    task.stays = scene.stays;
    task.salt = salt;
    Intervals intervals;
    std::vector<Spot> path;
    Found found{intervals.run(lines, task, budget, path), intervals.cost(), {}};
    if (found.outcome == Outcome::found)
        for (const Spot s : path) found.path.push_back(roads.vertex(s));
    return found;
}

// What a path costs under the rules, without an end that is waited on the goal.
Cost cost_of(const Scene& scene, const Path& path) {
    if (scene.goal == kNowhere) return 0;
    Cost cost = 0;
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
        const bool free =
            scene.rules.free_goal_wait && path[k] == scene.goal && path[k + 1] == scene.goal;
        cost += free ? 0 : 1;
    }
    return cost;
}

bool near_in_time(const plain::Promise& other, Vertex v, Time t, Time margin) {
    for (Time k = t - margin; k <= t + margin; ++k)
        if (k >= 0 && other.at(k) == v) return true;
    return false;
}

// May the agent go there in the step after t?
bool may(const Scene& scene, Move move, Time t) {
    if (!scene.promises.allow(scene.ground, scene.rules, move, t)) return false;
    for (const auto& other : scene.promises.of)
        if (near_in_time(other, move.to, t + 1, scene.margin)) return false;
    if (scene.rules.following || move.from == move.to) return true;
    // Nobody enters what somebody has just left, no matter who is late.
    for (const auto& other : scene.promises.of)
        for (Time late = 0; late <= scene.margin; ++late)
            if ((t >= late && other.at(t - late) == move.to) || other.at(t + 1 + late) == move.from)
                return false;
    return true;
}

bool may_end(const Scene& scene, Vertex v, Time t) {
    if (scene.goal != kNowhere && v != scene.goal) return false;
    if (scene.goal != kNowhere && scene.rules.disappear) {
        if (scene.rules.following) return true;
        // Nobody enters behind it, not even when the margin is over.
        for (const auto& other : scene.promises.of)
            if (other.at(t + 1 + scene.margin) == v) return false;
        return true;
    }
    if (scene.goal != kNowhere && !scene.stays) return true;
    for (const auto& other : scene.promises.of)
        for (Time k = t; k <= std::max(t, other.end()) + 1; ++k)
            if (near_in_time(other, v, k, scene.margin)) return false;
    return true;
}

std::optional<Cost> least_cost(const Scene& scene) {
    const Time horizon =
        std::max(scene.promises.last(0), 0) + scene.margin + 2 * scene.ground.size() + 2;
    using Item = std::tuple<Cost, Time, Vertex>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
    std::map<std::pair<Time, Vertex>, Cost> best;
    const auto push = [&](Vertex v, Time t, Cost g) {
        const auto [known, is_new] = best.try_emplace({t, v}, g);
        if (!is_new && known->second <= g) return;
        known->second = g;
        open.push({g, t, v});
    };
    for (const auto& other : scene.promises.of)
        if (near_in_time(other, scene.start, 0, scene.margin)) return std::nullopt;
    push(scene.start, 0, 0);
    while (!open.empty()) {
        const auto [g, t, v] = open.top();
        open.pop();
        if (best[{t, v}] < g) continue;
        if (may_end(scene, v, t)) return g > scene.bound ? std::nullopt : std::optional(g);
        const bool gone = scene.goal == v && scene.rules.disappear;
        if (t == horizon || gone) continue;
        const bool free = scene.goal == kNowhere || (scene.rules.free_goal_wait && v == scene.goal);
        if (may(scene, {v, v}, t)) push(v, t + 1, g + (free ? 0 : 1));
        for (Vertex u = 0; u < scene.ground.size(); ++u)
            if (scene.ground.connects(v, u) && may(scene, {v, u}, t))
                push(u, t + 1, g + (scene.goal == kNowhere ? 0 : 1));
    }
    return std::nullopt;
}

// The same by the search of the cooperative planners.
std::optional<Cost> by_astar(const Scene& scene) {
    const Space space = scene.ground.compiled();
    Reservations table(scene.ground.size(), static_cast<int>(scene.promises.of.size()));
    for (std::size_t a = 0; a < scene.promises.of.size(); ++a)
        table.reserve(static_cast<AgentId>(a), 0, scene.promises.of[a].path,
                      scene.promises.of[a].parked);
    Distances distances(space);
    SearchTask task;
    task.start = scene.start;
    task.goal = scene.goal;
    task.cost_limit = scene.bound;
    task.stays = scene.stays;
    if (scene.goal != kNowhere) task.distances = &distances.acquire(scene.goal, scene.start);
    SpaceTimeSearch searcher;
    Budget budget;
    Path path;
    if (searcher.run(space, scene.rules, table, task, budget, path) != Outcome::found)
        return std::nullopt;
    return cost_of(scene, path);
}

std::string fault(const Scene& scene, const Path& path) {
    if (path.empty() || path.front() != scene.start) return "it begins elsewhere";
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
        const Move move{path[k], path[k + 1]};
        if (move.from != move.to && !scene.ground.connects(move.from, move.to))
            return "there is no such move";
        if (!may(scene, move, static_cast<Time>(k))) return "it collides";
        if (scene.rules.disappear && move.from == scene.goal) return "it was gone already";
    }
    if (!may_end(scene, path.back(), static_cast<Time>(path.size()) - 1)) return "it ends badly";
    return "";
}

bool agrees(const Scene& scene, const Found& found, std::optional<Cost> expected) {
    if (!expected) return CHECK_EQ(found.outcome == Outcome::no_path, true);
    if (!CHECK_EQ(found.outcome == Outcome::found, true)) return false;
    return CHECK_EQ(fault(scene, found.path), "") && CHECK_EQ(found.cost, *expected) &&
           CHECK_EQ(cost_of(scene, found.path), *expected);
}

Scene random_scene(plain::Random& random) {
    Scene scene;
    do scene.ground = plain::random_ground(random, 5);
    while (scene.ground.open_vertices().empty());
    const Space space = scene.ground.compiled();
    const auto places = scene.ground.open_vertices();
    const auto any = [&] { return places[random.below(static_cast<int>(places.size()))]; };
    scene.rules = plain::random_rules(random);
    scene.start = any();
    scene.goal = random.chance(85) ? any() : kNowhere;
    scene.stays = random.chance(75);
    if (random.chance(20)) scene.bound = random.below(12);
    for (int k = random.below(6); k-- > 0;) {
        plain::Promise other{0, {}, random.chance(30)};
        Vertex v = any();
        for (int steps = random.between(1, random.chance(10) ? 90 : 12); steps-- > 0;) {
            other.path.push_back(v);
            const auto near = space.successors(v);
            if (!near.empty() && random.chance(60))
                v = near[random.below(static_cast<int>(near.size()))];
        }
        if (other.path.front() != scene.start && scene.promises.fits(other, kNobody, 0))
            scene.promises.of.push_back(other);
    }
    return scene;
}

Scene on(plain::Ground ground, Vertex start, Vertex goal) {
    Scene scene;
    scene.ground = std::move(ground);
    scene.start = start;
    scene.goal = goal;
    return scene;
}

void promise(Scene& scene, Path path, bool parked = false) {
    scene.promises.of.push_back({0, std::move(path), parked});
}

}  // namespace

TEST("safe intervals cost what space-time A* costs, under all rules and both costs") {
    plain::Random random(3);
    for (int k = 0; k < 6000; ++k) {
        Scene scene = random_scene(random);
        if (scene.goal == kNowhere) scene.bound = kUnreachable;
        if (!agrees(scene, search(scene, static_cast<std::uint64_t>(k)), by_astar(scene))) return;
    }
}

TEST("safe intervals with a margin cost what a search over all places and times costs") {
    plain::Random random(4);
    for (int k = 0; k < 1500; ++k) {
        Scene scene = random_scene(random);
        scene.margin = random.below(4);
        if (scene.goal == kNowhere) scene.bound = kUnreachable;
        if (!agrees(scene, search(scene, static_cast<std::uint64_t>(k)), least_cost(scene))) return;
    }
}

TEST("safe intervals: departure in the last step of an interval") {
    // The way ahead is free from time 3 on, and at time 3 somebody comes from behind.
    Scene scene = on(drawn("....\n##.#"), 1, 6);
    promise(scene, {2, 2, 2, 3}, true);
    promise(scene, {0, 0, 0, 1}, true);
    CHECK_EQ(search(scene).path, (Path{1, 1, 1, 2, 6}));
    scene.promises.of[1].path = {0, 0, 1};
    CHECK(search(scene).outcome == Outcome::no_path);
}

TEST("safe intervals: a spot whose first interval does not begin at 0") {
    Scene scene = on(drawn("...."), 0, 3);
    promise(scene, {1, 1, 1, 2, 3});
    scene.rules.disappear = true;
    agrees(scene, search(scene), by_astar(scene));
}

TEST("safe intervals: who is parked ends every interval") {
    Scene scene = on(drawn("..."), 0, 2);
    promise(scene, {1}, true);
    CHECK(search(scene).outcome == Outcome::no_path);
    scene.ground = drawn("...\n...");
    agrees(scene, search(scene), 4);
}

TEST("safe intervals: a path may pass its own goal before it can stay there") {
    // Somebody comes along the corridor to its end, over the goal, and back again.
    Scene scene = on(drawn("....\n##.#"), 3, 1);
    promise(scene, {0, 0, 0, 0, 1, 2, 3, 2, 1, 0}, true);
    agrees(scene, search(scene), by_astar(scene));
    scene.rules.free_goal_wait = true;
    agrees(scene, search(scene), by_astar(scene));
}

TEST("time_off_goal: the goal is left as late as possible") {
    Scene scene = on(drawn(".....\n###.#"), 3, 4);
    scene.rules.free_goal_wait = true;
    promise(scene, {0, 0, 0, 0, 0, 1, 2, 3, 4, 3, 2});
    const Found found = search(scene);
    agrees(scene, found, 7);
    CHECK_EQ(found.path[5], 4);
}

TEST("a margin of k keeps agents k steps apart") {
    Scene scene = on(drawn("......"), 0, 4);
    promise(scene, {1, 2, 3, 4, 5}, true);
    agrees(scene, search(scene), 4);
    for (scene.margin = 1; scene.margin <= 3; ++scene.margin) {
        // It begins one step behind, so it must be let go before it may start.
        scene.start = 0;
        scene.promises.of[0].path = {2, 3, 4, 5};
        agrees(scene, search(scene), 4 + std::max(0, scene.margin - 1));
    }
}

TEST("safe intervals: a search that cannot pay stops at once") {
    Scene scene = on(drawn("....."), 0, 4);
    scene.bound = 3;
    CHECK(search(scene).outcome == Outcome::no_path);
    scene.bound = 4;
    agrees(scene, search(scene), 4);
}

TEST("safe intervals: inside a tube no other spot is entered") {
    const Space space = drawn("...\n.#.\n...").compiled();
    const Roads roads(space);
    Fields fields(roads);
    Timelines lines(space, {}, roads);
    Budget budget;
    std::vector<std::uint32_t> tube(static_cast<std::size_t>(roads.size()), 0);
    for (const Vertex v : {0, 3, 6, 7, 8}) tube[roads.spot(v)] = 5;
    IntervalTask task;
    task.start = roads.spot(0);
    task.goal = roads.spot(8);
    task.field = fields.to(task.goal, task.start, budget);
    task.tube = tube;
    task.tube_mark = 5;
    Intervals intervals;
    std::vector<Spot> path;
    for (task.salt = 0; task.salt < 20; ++task.salt) {
        REQUIRE(intervals.run(lines, task, budget, path) == Outcome::found);
        CHECK_EQ(roads.vertex(path[1]), 3);
    }
    tube[roads.spot(7)] = 4;
    CHECK(intervals.run(lines, task, budget, path) == Outcome::no_path);
}

TEST("safe intervals: equal paths vary with the salt, and only with it") {
    Scene scene = on(drawn(".....\n.....\n.....\n.....\n....."), 0, 24);
    std::map<Path, int> seen;
    for (std::uint64_t salt = 0; salt < 40; ++salt) {
        const Found found = search(scene, salt);
        CHECK_EQ(found.path, search(scene, salt).path);
        ++seen[found.path];
    }
    CHECK(seen.size() > 5);
}

TEST("safe intervals: a search stops when its nodes run out") {
    const Space space = drawn(".....\n.....\n.....").compiled();
    const Roads roads(space);
    Fields fields(roads);
    Timelines lines(space, {}, roads);
    Budget free, budget(std::nullopt, 3, std::nullopt);
    IntervalTask task;
    task.start = roads.spot(0);
    task.goal = roads.spot(14);
    task.field = fields.to(task.goal, task.start, free);
    Intervals intervals;
    std::vector<Spot> path;
    CHECK(intervals.run(lines, task, budget, path) == Outcome::out_of_budget);
    CHECK_EQ(budget.nodes(), 3);
    CHECK(intervals.run(lines, task, free, path) == Outcome::found);
}
