// Paths with the fewest collisions, against a plain search over all places and times.
#include "sidestep/spacetime/soft_intervals.hpp"

#include <map>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;
using Path = std::vector<Vertex>;
using Score = std::pair<int, Cost>;  // collisions, arrival

namespace {

struct Scene {
    plain::Ground ground;
    Rules rules;
    Vertex start = kNowhere, goal = kNowhere;
    plain::Promises soft, hard;
};

bool taken(const plain::Promises& promises, Vertex v, Time t) {
    return promises.holder(v, t) != kNobody;
}

// Does this move go against somebody's, wherever it ends?
bool against(const Scene& scene, const plain::Promises& promises, Move move, Time t) {
    if (move.from == move.to) return false;
    for (const auto& promise : promises.of) {
        const Vertex here = promise.at(t), next = promise.at(t + 1);
        if (here == move.to && next == move.from) return true;
        if (!scene.rules.following && (here == move.to || next == move.from)) return true;
        const bool moves = here != kNowhere && next != kNowhere && here != next;
        if (!scene.rules.crossing && moves && scene.ground.cross(move, {here, next})) return true;
    }
    return false;
}

// What a step adds.
int collisions(const Scene& scene, Move move, Time t) {
    const bool there = taken(scene.soft, move.to, t + 1);
    const bool still = move.from == move.to && taken(scene.soft, move.from, t);
    return (there && !still) + against(scene, scene.soft, move, t);
}

bool may_vanish(const Scene& scene, Time t) {
    return scene.rules.following || !taken(scene.hard, scene.goal, t + 1);
}

std::optional<Score> best(const Scene& scene) {
    const bool vanishes = scene.rules.disappear && scene.goal != kNowhere;
    const Time horizon = std::max({scene.soft.last(0), scene.hard.last(0), 0}) + 1;
    const Time latest = horizon + 2 * scene.ground.size() + 2;
    using Item = std::tuple<int, Time, Vertex>;
    std::priority_queue<Item, std::vector<Item>, std::greater<>> open;
    std::map<std::pair<Time, Vertex>, int> known;
    const auto push = [&](Vertex v, Time t, int c) {
        const auto [found, is_new] = known.try_emplace({t, v}, c);
        if (!is_new && found->second <= c) return;
        found->second = c;
        open.push({c, t, v});
    };
    if (taken(scene.hard, scene.start, 0)) return std::nullopt;
    push(scene.start, 0, taken(scene.soft, scene.start, 0));
    std::optional<Score> least;
    while (!open.empty()) {
        const auto [c, t, v] = open.top();
        open.pop();
        if (known[{t, v}] < c) continue;
        const bool home = scene.goal == kNowhere || v == scene.goal;
        // From the horizon on nothing changes: who is home there stays.
        if (home && (vanishes ? may_vanish(scene, t) : t >= horizon)) {
            const Score score{c, vanishes ? t : 0};
            if (!least || score < *least) least = score;
        }
        if (t == latest || (vanishes && home)) continue;
        for (Vertex u = 0; u < scene.ground.size(); ++u) {
            if (u != v && !scene.ground.connects(v, u)) continue;
            if (scene.hard.allow(scene.ground, scene.rules, {v, u}, t))
                push(u, t + 1, c + collisions(scene, {v, u}, t));
        }
    }
    return least;
}

Score score_of(const Scene& scene, const Path& path) {
    const bool vanishes = scene.rules.disappear && scene.goal != kNowhere;
    int count = taken(scene.soft, path[0], 0);
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
        const Time t = static_cast<Time>(k);
        CHECK(path[k] == path[k + 1] || scene.ground.connects(path[k], path[k + 1]));
        CHECK(scene.hard.allow(scene.ground, scene.rules, {path[k], path[k + 1]}, t));
        count += collisions(scene, {path[k], path[k + 1]}, t);
    }
    return {count, vanishes ? static_cast<Cost>(path.size()) - 1 : 0};
}

void promise_some(plain::Promises& promises, const Scene& scene, int most, plain::Random& random) {
    const Space space = scene.ground.compiled();
    const auto places = scene.ground.open_vertices();
    for (int k = random.below(most); k-- > 0;) {
        plain::Promise other{0, {}, random.chance(30)};
        Vertex v = places[random.below(static_cast<int>(places.size()))];
        for (int steps = random.between(1, 12); steps-- > 0;) {
            other.path.push_back(v);
            const auto near = space.successors(v);
            if (!near.empty() && random.chance(60))
                v = near[random.below(static_cast<int>(near.size()))];
        }
        if (promises.fits(other, kNobody, 0)) promises.of.push_back(other);
    }
}

void lay(Timelines& lines, const plain::Promises& promises, Budget& budget) {
    for (const auto& promise : promises.of) {
        std::vector<Spot> path;
        for (const Vertex v : promise.path) path.push_back(lines.roads().spot(v));
        REQUIRE(lines.make_room(promise.end(), budget));
        lines.put(path, promise.parked);
    }
}

}  // namespace

TEST("soft intervals: the fewest collisions, as a search over all places and times counts them") {
    plain::Random random(9);
    for (int k = 0; k < 2500; ++k) {
        Scene scene;
        do scene.ground = plain::random_ground(random, 4);
        while (scene.ground.open_vertices().empty());
        scene.rules = plain::random_rules(random);
        const auto places = scene.ground.open_vertices();
        scene.start = places[random.below(static_cast<int>(places.size()))];
        if (random.chance(85)) scene.goal = places[random.below(static_cast<int>(places.size()))];
        promise_some(scene.soft, scene, 7, random);
        if (random.chance(40)) promise_some(scene.hard, scene, 3, random);
        const Space space = scene.ground.compiled();
        const Roads roads(space);
        Fields fields(roads);
        Budget budget;
        Timelines soft(space, scene.rules, roads), hard(space, scene.rules, roads);
        lay(soft, scene.soft, budget);
        lay(hard, scene.hard, budget);
        IntervalTask task;
        task.start = roads.spot(scene.start);
        task.goal = roads.spot(scene.goal);
        if (scene.goal != kNowhere) task.field = fields.to(task.goal, task.start, budget);
        SoftIntervals search;
        std::vector<Spot> spots;
        const auto outcome =
            search.run(soft, scene.hard.of.empty() ? nullptr : &hard, task, budget, spots);
        const auto expected = best(scene);
        if (!CHECK_EQ(outcome == Outcome::found, expected.has_value())) return;
        if (!expected) continue;
        Path path;
        for (const Spot s : spots) path.push_back(roads.vertex(s));
        const Score score = score_of(scene, path);
        if (!CHECK_EQ(search.collisions(), expected->first)) return;
        CHECK(score.first <= expected->first);
        CHECK_EQ(score.second, expected->second);
    }
}
