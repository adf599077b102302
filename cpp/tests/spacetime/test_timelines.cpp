// Time lines against a plain table of who is where.
#include "sidestep/spacetime/timelines.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;
using Path = std::vector<Spot>;

namespace {

struct Held {
    Path path;
    bool parks;
};

// A walk of this many steps over the roads, waits included.
Path walk(const Roads& roads, plain::Random& random, int steps) {
    Path path{random.below(roads.size())};
    while (static_cast<int>(path.size()) <= steps) {
        const auto next = roads.next(path.back());
        const bool waits = next.empty() || random.chance(30);
        path.push_back(waits ? path.back() : next[random.below(static_cast<int>(next.size()))]);
    }
    return path;
}

bool taken(const std::vector<Held>& all, Spot s, Time t, Time margin) {
    return std::any_of(all.begin(), all.end(), [&](const Held& held) {
        const auto last = static_cast<Time>(held.path.size()) - 1;
        if (held.parks && t >= last && held.path.back() == s) return true;
        for (Time k = std::max(0, t - margin); k <= std::min(t, last); ++k)
            if (held.path[k] == s) return true;
        return false;
    });
}

bool used(const std::vector<Held>& all, Spot from, Spot to, Time t) {
    return from != to && std::any_of(all.begin(), all.end(), [&](const Held& held) {
               return t + 1 < static_cast<Time>(held.path.size()) && held.path[t] == from &&
                      held.path[t + 1] == to;
           });
}

bool agrees(const Timelines& lines, const std::vector<Held>& all, Time until) {
    const Roads& roads = lines.roads();
    for (Spot s = 0; s < roads.size(); ++s) {
        Time free_from = 0, next = kForever;
        for (Time t = until; t-- > 0;) {
            const bool is_taken = taken(all, s, t, lines.margin());
            if (is_taken) next = t;
            if (is_taken && free_from == 0) free_from = t + 1;
            if (lines.taken(s, t) != is_taken || lines.next_taken(s, t) != next) return false;
            const auto ways = roads.next(s);
            for (std::size_t k = 0; k < ways.size(); ++k)
                if (lines.used(s, static_cast<int>(k), t) != used(all, s, ways[k], t)) return false;
        }
        const bool parked = taken(all, s, until + 1000, lines.margin());
        if (lines.free_from(s) != (parked ? kForever : free_from)) return false;
    }
    return true;
}

bool someone_parks(const std::vector<Held>& all, Spot s) {
    return std::any_of(all.begin(), all.end(),
                       [&](const Held& held) { return held.parks && held.path.back() == s; });
}

}  // namespace

TEST("time lines say what a plain table says, also of paths that collide") {
    plain::Random random(11);
    for (int k = 0; k < 150; ++k) {
        const auto ground = plain::random_ground(random, 5);
        const Space space = ground.compiled();
        const Roads roads(space);
        if (roads.size() == 0) continue;
        Timelines lines(space, plain::random_rules(random), roads, random.below(4));
        Budget budget;
        std::vector<Held> all;
        for (int change = 0; change < 12; ++change) {
            if (!all.empty() && random.chance(40)) {
                const int out = random.below(static_cast<int>(all.size()));
                lines.take(all[out].path, all[out].parks);
                all.erase(all.begin() + out);
            } else {
                Path path = walk(roads, random, random.below(random.chance(10) ? 200 : 20));
                const bool parks = random.chance(50) && !someone_parks(all, path.back());
                REQUIRE(lines.make_room(static_cast<Time>(path.size()) - 1, budget));
                lines.put(path, parks);
                all.push_back({std::move(path), parks});
            }
            CHECK(agrees(lines, all, lines.end() + 70));
        }
        for (const Held& held : all) lines.take(held.path, held.parks);
        CHECK(!lines.collides());
        CHECK(lines == Timelines(space, lines.rules(), roads, lines.margin()));
    }
}

TEST("time lines are doubled when a path is longer, and who is parked stays so") {
    const Space space = drawn("...").compiled();
    const Roads roads(space);
    Timelines lines(space, {}, roads);
    Budget budget;
    lines.put(Path{0, 0, 1}, true);
    const Time before = lines.end();
    REQUIRE(lines.make_room(before, budget));
    CHECK_EQ(lines.end(), 2 * before);
    CHECK(lines.taken(1, before + 5));
    CHECK(lines.taken(1, 100 * before));
    lines.take(Path{0, 0, 1}, true);
    CHECK_EQ(lines.next_taken(1, 0), kForever);
}

TEST("time lines that would not fit into memory are refused, and stay as they are") {
    const Space space = drawn("...").compiled();
    const Roads roads(space);
    Timelines lines(space, {}, roads);
    Budget budget(std::nullopt, std::nullopt, 10000);
    const Time before = lines.end();
    CHECK(!lines.make_room(1 << 20, budget));
    CHECK(budget.why() == Stop::memory);
    CHECK_EQ(lines.end(), before);
}

TEST("time lines for which there is no time are not made longer") {
    const Space space = Space::grid(std::vector<std::uint8_t>(256 * 256, 1), 256, 4, Corners::none);
    const Roads roads(space);
    Timelines lines(space, {}, roads);
    CHECK(lines.bytes() <= Timelines::bytes_at_first(roads) * 2);
    Budget budget(0.050, std::nullopt, std::nullopt);
    const Time before = lines.end();
    CHECK(!lines.make_room(100 * before, budget));  // a quarter of a gigabyte
    CHECK(budget.why() == Stop::time);
    CHECK_EQ(lines.end(), before);
}
