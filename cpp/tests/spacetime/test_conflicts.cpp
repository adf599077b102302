// Conflicts between paths, found fast, against all pairs at all times.
#include "sidestep/spacetime/conflicts.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Path = std::vector<Vertex>;
using Row = std::tuple<Time, AgentId, AgentId, CollisionKind, Vertex>;

std::vector<Row> found_in(const plain::Ground& ground, const Rules& rules,
                          const std::vector<Path>& paths) {
    const std::vector<std::span<const Vertex>> spans(paths.begin(), paths.end());
    std::vector<Row> rows;
    for (const Conflict& c : find_conflicts(ground.compiled(), rules, spans))
        rows.push_back({c.time, c.first, c.second, c.kind, c.place});
    return rows;
}

std::vector<Row> expected_in(const plain::Ground& ground, const Rules& rules,
                             const std::vector<Path>& paths) {
    const auto at = [&](std::size_t a, Time t) {
        if (paths[a].empty()) return kNowhere;
        if (t < static_cast<Time>(paths[a].size())) return paths[a][t];
        return rules.disappear ? kNowhere : paths[a].back();
    };
    std::size_t longest = 0;
    for (const Path& path : paths) longest = std::max(longest, path.size());
    std::vector<Row> rows;
    for (Time t = 0; t < static_cast<Time>(longest); ++t)
        for (std::size_t a = 0; a < paths.size(); ++a)
            for (std::size_t b = a + 1; b < paths.size(); ++b) {
                const Vertex a0 = at(a, t), a1 = at(a, t + 1), b0 = at(b, t), b1 = at(b, t + 1);
                if (a0 == kNowhere || b0 == kNowhere) continue;
                const auto add = [&](CollisionKind kind) {
                    rows.push_back({t, static_cast<AgentId>(a), static_cast<AgentId>(b), kind, a0});
                };
                if (a0 == b0) add(CollisionKind::vertex);
                const bool a_moves = a1 != kNowhere && a1 != a0;
                const bool b_moves = b1 != kNowhere && b1 != b0;
                const bool swap = a_moves && b_moves && a1 == b0 && b1 == a0;
                if (swap) add(CollisionKind::swap);
                if (!rules.crossing && a_moves && b_moves && ground.cross({a0, a1}, {b0, b1}))
                    add(CollisionKind::crossing);
                if (rules.following || swap) continue;
                if ((a_moves && a1 == b0 && b1 != b0) || (b_moves && b1 == a0 && a1 != a0))
                    add(CollisionKind::following);
            }
    return rows;
}

}  // namespace

TEST("each kind of conflict, with its time, agents and place") {
    const Rules strict{.following = false};
    const auto line = drawn("....");
    CHECK(found_in(line, {}, {{0, 1}, {2, 1}}) ==
          (std::vector<Row>{{1, 0, 1, CollisionKind::vertex, 1}}));
    CHECK(found_in(line, {}, {{1, 2}, {2, 1}}) ==
          (std::vector<Row>{{0, 0, 1, CollisionKind::swap, 1}}));
    CHECK(found_in(line, {}, {{0, 1}, {1, 2}}).empty());
    CHECK(found_in(line, strict, {{0, 1}, {1, 2}}) ==
          (std::vector<Row>{{0, 0, 1, CollisionKind::following, 0}}));
    const auto block = drawn("..\n..", 8);
    CHECK(found_in(block, {}, {{1, 2}, {0, 3}}) ==
          (std::vector<Row>{{0, 0, 1, CollisionKind::crossing, 1}}));
    CHECK(found_in(block, {.crossing = true}, {{1, 2}, {0, 3}}).empty());
}

TEST("time 0 counts, and no agents have no conflicts") {
    CHECK(found_in(drawn(".."), {}, {{0}, {0}}) ==
          (std::vector<Row>{{0, 0, 1, CollisionKind::vertex, 0}}));
    CHECK(found_in(drawn(".."), {}, {}).empty());
    CHECK(found_in(drawn(".."), {}, {{}, {}}).empty());
}

TEST("an agent stays at the end of its path, or is gone after it") {
    const auto line = drawn("...");
    const std::vector<Path> paths{{2}, {0, 1, 2}};
    CHECK_EQ(found_in(line, {}, paths).size(), 1);
    CHECK(found_in(line, {.disappear = true}, paths).empty());
    const Rules strict{.following = false, .disappear = true};
    CHECK_EQ(found_in(line, strict, {{1}, {0, 1}}).size(), 1);  // enters as the other vanishes
}

TEST("a conflict that is stated twice, or both ways round, is found once") {
    plain::Ground ground;
    ground.open.assign(4, 1);
    ground.edges = {{0, 1}, {2, 3}};
    ground.conflicts = {{0, 1}, {1, 0}, {0, 1}};
    CHECK_EQ(found_in(ground, {}, {{0, 1}, {2, 3}}).size(), 1);
}

TEST("a swap on an edge with a parallel rival is a swap and nothing else") {
    plain::Ground ground;
    ground.open.assign(2, 1);
    ground.edges = {{0, 1}, {1, 0}};
    ground.conflicts = {{0, 1}};
    CHECK(found_in(ground, {}, {{0, 1}, {1, 0}}) ==
          (std::vector<Row>{{0, 0, 1, CollisionKind::swap, 0}}));
}

TEST("random paths: exactly the conflicts of all pairs at all times, in order") {
    plain::Random random(30);
    for (int round = 0; round < 1500; ++round) {
        const auto ground = plain::random_ground(random, 4);
        const Space space = ground.compiled();
        const Rules rules = plain::random_rules(random);
        std::vector<Path> paths(random.below(6));
        for (Path& path : paths) {
            Vertex v = random.below(ground.size());
            for (int k = random.below(6); k-- > 0;) {
                path.push_back(v);
                const auto near = space.successors(v);
                if (!near.empty() && random.chance(80))
                    v = near[random.below(static_cast<int>(near.size()))];
            }
        }
        REQUIRE(found_in(ground, rules, paths) == expected_in(ground, rules, paths));
    }
}
