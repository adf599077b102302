// The parts of a crowd, each against something slower and simpler.
#include "sidestep/orca/crowd.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using namespace sidestep::orca;

namespace {

double between(plain::Random& random, double low, double high) {
    return low + (high - low) * random.below(10001) / 10000.0;
}

Vec direction(plain::Random& random) {
    for (;;) {
        const Vec v{between(random, -1, 1), between(random, -1, 1)};
        if (length(v) > 0.1) return v / length(v);
    }
}

double worst_excess(const std::vector<HalfPlane>& planes, std::size_t from, Vec v) {
    double worst = 0;
    for (std::size_t k = from; k < planes.size(); ++k) worst = std::max(worst, planes[k].excess(v));
    return worst;
}

// Velocities on a fine grid within the speed.
template <class Visit>
void all_velocities(double max_speed, Visit&& visit) {
    constexpr int steps = 60;
    for (int i = -steps; i <= steps; ++i)
        for (int k = -steps; k <= steps; ++k) {
            const Vec v{max_speed * i / steps, max_speed * k / steps};
            if (length(v) <= max_speed) visit(v);
        }
}

}  // namespace

TEST("the program finds no worse a velocity than any on a fine grid") {
    plain::Random random(11);
    LinearProgram program;
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<HalfPlane> planes;
        const std::size_t hard = static_cast<std::size_t>(random.below(3));
        for (std::size_t k = 0; k < hard; ++k)
            planes.push_back({direction(random), -between(random, 0, 1)});
        for (int k = random.below(6); k-- > 0;)
            planes.push_back({direction(random), between(random, -1, 0.6)});
        const Vec wanted{between(random, -1.5, 1.5), between(random, -1.5, 1.5)};
        const Vec best = program.best(planes, hard, wanted, 1);
        CHECK(length(best) <= 1 + 1e-9);
        CHECK(worst_excess({planes.begin(), planes.begin() + static_cast<std::ptrdiff_t>(hard)}, 0,
                           best) <= 1e-9);
        const double excess = worst_excess(planes, hard, best);
        all_velocities(1, [&](Vec v) {
            for (std::size_t k = 0; k < hard; ++k)
                if (planes[k].excess(v) > 0) return;
            const double other = worst_excess(planes, hard, v);
            CHECK(excess <= other + 1e-6);
            if (other == 0) CHECK(length(best - wanted) <= length(v - wanted) + 1e-6);
        });
    }
}

TEST("two that keep to their half-planes do not touch within the horizon") {
    plain::Random random(12);
    for (int trial = 0; trial < 500; ++trial) {
        const double radii = between(random, 0.2, 1), horizon = between(random, 0.5, 4);
        const Vec offset = direction(random) * (radii + between(random, 0.01, 4));
        const Vec a{between(random, -1, 1), between(random, -1, 1)};
        const Vec b{between(random, -1, 1), between(random, -1, 1)};
        const HalfPlane ours = reciprocal({offset, b, radii}, a, horizon, 0.1);
        const HalfPlane theirs = reciprocal({-offset, a, radii}, b, horizon, 0.1);
        // The least change of both that their half-planes ask for.
        const Vec new_a = a + ours.normal * std::max(0.0, ours.excess(a));
        const Vec new_b = b + theirs.normal * std::max(0.0, theirs.excess(b));
        for (int k = 0; k <= 50; ++k) {
            const double t = horizon * k / 50;
            CHECK(length(offset + (new_b - new_a) * t) >= radii - 1e-9);
        }
        CHECK(half_of_gap({offset, b, radii}, 0.1).excess({}) <= 0);
    }
}

TEST("neighbours are those that a look at everybody finds") {
    plain::Random random(13);
    for (int trial = 0; trial < 100; ++trial) {
        std::vector<Vec> places;
        const double extent = trial % 3 == 0 ? 1e6 : 20;
        for (int k = random.between(1, 60); k-- > 0;)
            places.push_back({between(random, -extent, extent), between(random, -extent, extent)});
        Neighbours index;
        index.build(places, between(random, 0.5, 5));
        const Vec here =
            places[static_cast<std::size_t>(random.below(static_cast<int>(places.size())))];
        const double reach = between(random, 0.1, 2 * extent);
        std::vector<AgentId> found, expected;
        index.around(
            here,
            [&](AgentId agent, Vec place) {
                if (length(place - here) < reach) found.push_back(agent);
            },
            [&](double squared) { return squared >= reach * reach; });
        for (std::size_t a = 0; a < places.size(); ++a)
            if (length(places[a] - here) < reach) expected.push_back(static_cast<AgentId>(a));
        std::sort(found.begin(), found.end());
        CHECK(found == expected);
    }
}

TEST("a disc that keeps to the half-planes of walls never enters one") {
    plain::Random random(14);
    for (int trial = 0; trial < 300; ++trial) {
        const std::int32_t width = 7, height = 6;
        std::vector<std::uint8_t> passable(static_cast<std::size_t>(width * height));
        for (auto& cell : passable) cell = random.chance(70);
        Walls walls(passable, width);
        const double radius = between(random, 0.05, 0.49), speed = between(random, 0.2, 3);
        const Vec place{between(random, 0, height - 1), between(random, 0, width - 1)};
        if (walls.cell(place) == kNowhere ||
            !passable[static_cast<std::size_t>(walls.cell(place))] || !walls.fits(place, radius))
            continue;
        std::vector<HalfPlane> planes;
        walls.half_planes(place, radius, speed, 0.5, planes);
        LinearProgram program;
        const Vec v = program.best(planes, planes.size(), direction(random) * speed, speed);
        for (int k = 0; k <= 20; ++k) CHECK(walls.fits(place + v * (0.5 * k / 20), radius - 1e-9));
    }
}

TEST("a disc passes where points along its way fit") {
    plain::Random random(15);
    int passed = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const std::int32_t width = 6, height = 6;
        std::vector<std::uint8_t> passable(static_cast<std::size_t>(width * height));
        for (auto& cell : passable) cell = random.chance(80);
        Walls walls(passable, width);
        const double radius = between(random, 0.05, 0.45);
        const Vec from{between(random, 0, 5), between(random, 0, 5)};
        const Vec to{between(random, 0, 5), between(random, 0, 5)};
        if (!walls.fits(from, radius) || !walls.fits(to, radius)) continue;
        bool clear = true, narrow = false;
        for (int k = 0; k <= 400; ++k) {
            const Vec place = from + (to - from) * (k / 400.0);
            clear &= walls.fits(place, radius);
            narrow |= !walls.fits(place, radius + 0.01);
        }
        const bool passes = walls.passes(from, to, radius);
        passed += passes;
        if (clear && !narrow) CHECK(passes);
        if (passes) CHECK(clear || narrow);
    }
    CHECK(passed > 50);
}

TEST("an agent waits for the one before it in the plan, and a ring turns as a whole") {
    // Agent 0 passes vertex 1 at time 1, agent 1 at time 2.
    const std::vector<Vertex> crossing{0, 3, 1, 3, 2, 1, 2, 4};
    Itinerary one(crossing, 2);
    one.decide();
    CHECK_EQ(one.next(0), 1);
    CHECK_EQ(one.after_next(0), 2);
    CHECK_EQ(one.next(1), 3);
    one.arrive(0);
    one.decide();
    CHECK_EQ(one.next(1), 1);  // it may follow in the same step
    const std::vector<Vertex> ring{0, 1, 2, 1, 2, 0};
    Itinerary turning(ring, 3);
    turning.decide();
    for (AgentId a = 0; a < 3; ++a) CHECK(turning.next(a) != turning.here(a));
}
