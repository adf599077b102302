// The nearest things, found by looking around, against all distances.
#include "sidestep/combinatorial/nearest.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/distance/distance.hpp"

using namespace sidestep;

namespace {

// All pairs by distance, thing and taker, and of these the first whose both are left.
std::vector<Match> by_all_distances(const Space& space, const std::vector<Vertex>& from,
                                    const std::vector<Vertex>& places,
                                    const std::vector<std::uint8_t>& reserved,
                                    const std::vector<Match>& permits) {
    std::set<std::tuple<Cost, std::int32_t, std::int32_t>> all;
    for (std::int32_t taker = 0; taker < static_cast<std::int32_t>(from.size()); ++taker) {
        std::vector<Cost> table(static_cast<std::size_t>(space.size()));
        Budget budget;
        distance_table(space, from[taker], budget, table);
        for (std::int32_t thing = 0; thing < static_cast<std::int32_t>(places.size()); ++thing) {
            const bool may = !reserved[thing] || std::ranges::count(permits, Match{taker, thing});
            if (may && table[places[thing]] != kUnreachable)
                all.emplace(table[places[thing]], thing, taker);
        }
    }
    std::vector<Match> found;
    std::set<std::int32_t> takers, things;
    for (const auto& [distance, thing, taker] : all)
        if (!takers.contains(taker) && !things.contains(thing)) {
            takers.insert(taker), things.insert(thing);
            found.push_back({taker, thing});
        }
    return found;
}

}  // namespace

TEST("the nearest things are those that all distances give") {
    plain::Random random(7);
    std::size_t compared = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const int width = 3 + random.below(10), height = 3 + random.below(10);
        std::vector<std::uint8_t> open(static_cast<std::size_t>(width * height));
        for (std::uint8_t& cell : open) cell = random.chance(70);
        const Space space = Space::grid(open, width, trial % 2 ? 4 : 8, Corners::none);
        std::vector<Vertex> from(1 + random.below(8)), places(1 + random.below(12));
        for (Vertex& v : from) v = random.below(space.size());
        for (Vertex& v : places) v = random.below(space.size());
        std::vector<std::uint8_t> reserved(places.size());
        std::vector<Match> permits;
        for (std::size_t thing = 0; thing < places.size(); ++thing) {
            reserved[thing] = random.chance(20);
            if (random.chance(50))
                permits.push_back({random.below(static_cast<int>(from.size())),
                                   static_cast<std::int32_t>(thing)});
        }
        Budget budget;
        const Matches found =
            nearest(space, from, places, reserved, permits, budget, 1 + random.below(9));
        CHECK_EQ(found.missed, -1);
        const auto expected = by_all_distances(space, from, places, reserved, permits);
        REQUIRE(found.pairs.size() == expected.size());
        for (std::size_t k = 0; k < expected.size(); ++k) {
            CHECK_EQ(found.pairs[k].taker, expected[k].taker);
            CHECK_EQ(found.pairs[k].thing, expected[k].thing);
        }
        compared += expected.size();
    }
    CHECK(compared > 500);
}

TEST("without any time the first taker still gets a thing, and the second is missed") {
    const std::vector<std::uint8_t> open(400, 1);
    const Space space = Space::grid(open, 400, 4, Corners::none);
    Budget over(0.0, {}, {});
    over.look();
    const Matches found = nearest(space, std::vector<Vertex>{0, 1}, std::vector<Vertex>{399, 398},
                                  std::vector<std::uint8_t>{0, 0}, {}, over);
    REQUIRE(found.pairs.size() == 1);
    CHECK_EQ(found.pairs[0].taker, 0);
    CHECK_EQ(found.pairs[0].thing, 1);
    CHECK_EQ(found.missed, 1);
}
