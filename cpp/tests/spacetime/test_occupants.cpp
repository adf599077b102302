// Occupants against the paths themselves, as they come and go.
#include "sidestep/spacetime/occupants.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/model/collision.hpp"
#include "sidestep/model/large_pages.hpp"

using namespace sidestep;

namespace {

std::vector<Vertex> random_path(const Space& space, plain::Random& random) {
    std::vector<Vertex> path{random.below(std::min(space.size(), 12))};
    for (int steps = random.below(9); steps > 0; --steps) {
        const auto next = space.successors(path.back());
        path.push_back(next.empty() || random.chance(30)
                           ? path.back()
                           : next[random.below(static_cast<int>(next.size()))]);
    }
    return path;
}

// How often memory is written to for which the system has to find a page first.
template <class Body>
std::int64_t page_faults(Body&& body) {
    rusage before{}, after{};
    getrusage(RUSAGE_SELF, &before);
    body();
    getrusage(RUSAGE_SELF, &after);
    return after.ru_minflt - before.ru_minflt;
}

Vertex at(const std::vector<Vertex>& path, bool stays, Time t) {
    if (t < static_cast<Time>(path.size())) return path[t];
    return stays ? path.back() : kNowhere;
}

// Do two paths collide at any time, by the rules for two moves?
bool meet(const Space& space, const Rules& rules, const std::vector<Vertex>& a,
          const std::vector<Vertex>& b, bool stays) {
    for (Time t = 0; t <= static_cast<Time>(std::max(a.size(), b.size())); ++t) {
        const Move one{at(a, stays, t), at(a, stays, t + 1)};
        const Move two{at(b, stays, t), at(b, stays, t + 1)};
        if (one.from == kNowhere || two.from == kNowhere) return false;
        if (one.from == two.from) {
            if (t > 0) return true;
            continue;  // the test does not keep starts apart, and nobody is asked about them
        }
        if (collides(space, rules, one, two)) return true;
    }
    return false;
}

void check_collisions(std::size_t cells, int trials) {
    plain::Random random(11);
    const std::vector<std::uint8_t> open(cells, 1);
    for (int trial = 0; trial < trials; ++trial) {
        const Space space = Space::grid(open, 4, trial % 2 ? 8 : 4, Corners::free);
        Rules rules;
        rules.following = random.chance(50);
        rules.crossing = random.chance(50);
        rules.disappear = random.chance(50);
        const bool stays = !rules.disappear;
        Occupants all(space, rules, 5);
        std::vector<std::optional<std::vector<Vertex>>> paths(5);
        for (int turn = 0; turn < 30; ++turn) {
            const int a = random.below(5);
            if (paths[a]) {
                all.take(a);
                paths[a].reset();
            } else {
                paths[a] = random_path(space, random);
                all.put(a, *paths[a], stays);
            }
            CHECK_EQ(all.is_in(a), paths[a].has_value());
            const auto path = random_path(space, random);
            std::set<AgentId> told, known;
            all.each_collision(kNobody, path, stays, [&](AgentId b) { told.insert(b); });
            for (int b = 0; b < 5; ++b)
                if (paths[b] && meet(space, rules, path, *paths[b], stays)) known.insert(b);
            for (int b = 0; b < 5; ++b)  // those who start together collide or not, as it goes on
                if (paths[b] && paths[b]->front() == path.front()) {
                    told.erase(b);
                    known.erase(b);
                }
            CHECK(told == known);
        }
    }
}

}  // namespace

TEST("who collides is who the paths say, even after others came and went") {
    check_collisions(12, 200);
}

TEST("who collides is the same on a large map, where vertices share lists") {
    check_collisions(40'000, 6);
}

TEST("room for long paths ends with the budget, and what there is still holds") {
    const std::vector<std::uint8_t> open(40'000, 1);
    const Space space = Space::grid(open, 200, 4, Corners::none);
    Occupants all(space, Rules{}, 2);
    const std::vector<Vertex> path{0, 1, 2}, crossing{201, 1, 0};
    all.put(0, path, true);
    Budget over(0.0, {}, {});
    CHECK(!all.make_room(20'000, over));
    std::set<AgentId> met;
    all.each_collision(1, crossing, true, [&](AgentId b) { met.insert(b); });
    CHECK(met == std::set<AgentId>{0});
    Budget small({}, {}, 1000);
    CHECK(!all.make_room(20'000, small));
}

TEST("taking everybody out leaves nothing behind") {
    const std::vector<std::uint8_t> open(12, 1);
    const Space space = Space::grid(open, 4, 4, Corners::none);
    Occupants all(space, Rules{}, 3);
    plain::Random random(2);
    std::vector<std::vector<Vertex>> paths;
    for (int a = 0; a < 3; ++a) paths.push_back(random_path(space, random));
    for (int a = 0; a < 3; ++a) all.put(a, paths[a], true);
    for (int a = 2; a >= 0; --a) all.take(a);
    for (Vertex v = 0; v < space.size(); ++v)
        for (Time t = 0; t < 30; ++t) CHECK(!all.taken(v, t));
}

TEST("room for which there is no time changes nothing") {
    const Space space = Space::grid(std::vector<std::uint8_t>(256 * 256, 1), 256, 4, Corners::none);
    const Rules rules;
    Occupants others(space, rules, 1);
    Budget unlimited;
    REQUIRE(others.make_room(600, unlimited));  // 44 MB: more than is copied in 30 ms
    const Time before = others.steps();
    Budget budget(0.030, std::nullopt, std::nullopt);
    CHECK(!others.make_room(10'000, budget));
    CHECK(budget.why() == Stop::time);
    CHECK_EQ(others.steps(), before);
}

// On a large map they are hundreds of megabytes: in small pages PBS took 60 ms to give them back.
TEST("rows of a large map take as few pages as one large array") {
    const Space space = plain::drawn(std::string(1 << 18, '.')).compiled();
    Occupants occupants(space, Rules{}, 100);
    Budget budget;
    const std::int64_t rows = page_faults([&] { REQUIRE(occupants.make_room(600, budget)); });
    const auto bytes = static_cast<std::size_t>(occupants.bytes());
    REQUIRE(bytes > std::size_t{32} << 20);
    const std::int64_t whole =
        page_faults([&] { CHECK_EQ(LargeVector<std::uint8_t>(bytes, 1).back(), 1); });
    CHECK(rows < 2 * whole + 200);
}
