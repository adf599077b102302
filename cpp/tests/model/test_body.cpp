// Agents of several cells and turns: what they cover, where they fit, what the guard lets them do.
#include "sidestep/model/body.hpp"

#include <set>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/spacetime/reservations.hpp"
#include "sidestep/world/body_guard.hpp"

using namespace sidestep;

namespace {

std::set<Vertex> cells(const Body& body, Vertex at) {
    std::set<Vertex> all;
    body.each_cell(at, [&](Vertex v) { all.insert(v); });
    return all;
}

}  // namespace

TEST("a body covers what it visits, and overlaps where it shares a cell") {
    constexpr std::int32_t width = 6, height = 5;
    for (std::int32_t size = 1; size <= 3; ++size)
        for (std::int32_t other = 1; other <= 3; ++other)
            for (Vertex a = 0; a < width * height; ++a)
                for (Vertex b = 0; b < width * height; ++b) {
                    const auto fits = [&](Vertex at, std::int32_t k) {
                        return at / width + k <= height && at % width + k <= width;
                    };
                    if (!fits(a, size) || !fits(b, other)) continue;
                    const Body one{size, 1, width}, two{other, 1, width};
                    const auto mine = cells(one, a), theirs = cells(two, b);
                    bool shared = false;
                    for (const Vertex v : mine) shared |= theirs.contains(v);
                    CHECK_EQ(one.overlaps(a, two, b), shared);
                    CHECK_EQ(one.covers(a, b), mine.contains(b));
                }
}

TEST("where an agent fits is kept up to date cell by cell") {
    plain::Random random{7};
    for (int round = 0; round < 30; ++round) {
        std::vector<std::uint8_t> open(42);
        for (auto& cell : open) cell = random.chance(80);
        Space space = Space::grid(open, 7, round % 2 ? 8 : 4, Corners::none);
        for (std::int32_t size = 2; size <= 3; ++size) {
            Space places = space.for_size(size);
            for (int change = 0; change < 20; ++change) {
                const Vertex v = random.below(42);
                space.set_open(v, !space.is_open(v));
                space.refit(places, size, v, [](Vertex) {});
                const Space fresh = space.for_size(size);
                for (Vertex u = 0; u < 42; ++u) {
                    CHECK_EQ(places.is_open(u), fresh.is_open(u));
                    CHECK_EQ(places.successors(u).size(), fresh.successors(u).size());
                }
            }
        }
    }
}

TEST("a slow agent holds both ends between the first and the last step of a move") {
    const std::vector<Body> bodies{{1, 3, 5}};
    Reservations reservations(5, bodies);
    reservations.reserve(0, 0, std::vector<Vertex>{0, 0, 0, 0, 1}, false);
    for (Time t = 0; t <= 4; ++t) {
        CHECK_EQ(reservations.taken(0, t), t <= 3);
        CHECK_EQ(reservations.taken(1, t), t >= 2);
    }
    reservations.release(0);
    for (Time t = 0; t <= 4; ++t) CHECK(!reservations.taken(0, t) && !reservations.taken(1, t));
}

TEST("who has begun a move goes before who begins one, whatever their priorities") {
    const Space space = Space::grid(std::vector<std::uint8_t>(4, 1), 4, 4, Corners::none);
    std::vector<Stride> strides{{{1, 3, 4}, &space, 0, 1, 1, 1, 0}, {{1, 1, 4}, &space, 2, 1}};
    strides[1].priority = 5;
    BodyGuard guard;
    const auto refused = guard.check(space, {}, strides);
    CHECK_EQ(refused.size(), 1u);
    CHECK_EQ(strides[0].target, 1);
    CHECK_EQ(strides[1].target, 2);
    strides[0].progress = 0;
    strides[1].target = 1;
    guard.check(space, {}, strides);
    CHECK_EQ(strides[0].target, 0);
    CHECK_EQ(strides[1].target, 1);
}
