// Random numbers that are the same on every machine.
#include "sidestep/model/random.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "check.hpp"

using namespace sidestep;

TEST("mix is splitmix64: published outputs for the seed 0") {
    constexpr std::uint64_t step = 0x9E3779B97F4A7C15u;
    CHECK_EQ(mix(0), 0xE220A8397B1DCDAFu);
    CHECK_EQ(mix(step), 0x6E789E6AA1B965F4u);
    CHECK_EQ(mix(2 * step), 0x06C45D188009454Fu);
}

TEST("scaled reaches both ends of its range and nothing beyond") {
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    constexpr std::uint32_t widest = std::numeric_limits<std::uint32_t>::max();
    for (const std::uint32_t bound : {0u, 1u, 2u, 255u, 65536u, widest - 1, widest}) {
        CHECK_EQ(scaled(0, bound), 0u);
        CHECK_EQ(scaled(most, bound), bound);
        for (std::uint64_t k = 0; k < 100; ++k) CHECK(scaled(mix(k), bound) <= bound);
    }
}

TEST("a shuffle is a permutation, decided by its seed and draw alone") {
    const auto order = shuffled(100, 5, 2);
    CHECK_EQ(shuffled(100, 5, 2), order);
    CHECK(shuffled(100, 5, 3) != order);
    CHECK(shuffled(100, 6, 2) != order);
    auto sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (std::int32_t k = 0; k < 100; ++k) CHECK_EQ(sorted[k], k);
    CHECK(shuffled(0, 1, 1).empty());
    CHECK_EQ(shuffled(1, 1, 1), std::vector<std::int32_t>{0});
    // The same on every machine and in every release: replays depend on it.
    CHECK_EQ(shuffled(8, 0, 0), (std::vector<std::int32_t>{4, 0, 1, 7, 6, 2, 5, 3}));
}

TEST("scaled is close to uniform") {
    std::array<int, 10> seen{};
    for (std::uint64_t k = 0; k < 10000; ++k) ++seen[scaled(mix(k), 9)];
    for (const int count : seen) CHECK(count > 850 && count < 1150);
}
