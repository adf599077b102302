// Random numbers that are the same on every machine.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace sidestep {

// One round of splitmix64: a well-mixed 64-bit hash of its input.
inline std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

// A whole number in [0, bound], nearly uniform: the bias is below bound / 2^32.
inline std::uint32_t scaled(std::uint64_t random, std::uint32_t bound) {
    return static_cast<std::uint32_t>((random >> 32) * (std::uint64_t{bound} + 1) >> 32);
}

// The numbers below `count` in an order that depends on nothing but the seed and the draw.
inline std::vector<std::int32_t> shuffled(std::int32_t count, std::uint64_t seed,
                                          std::uint64_t draw) {
    const std::uint64_t offset = mix(mix(seed) + draw);
    std::vector<std::pair<std::uint64_t, std::int32_t>> keyed;
    keyed.reserve(static_cast<std::size_t>(count));
    for (std::int32_t k = 0; k < count; ++k)
        keyed.emplace_back(mix(offset + static_cast<std::uint64_t>(k)), k);
    std::sort(keyed.begin(), keyed.end());
    std::vector<std::int32_t> order;
    order.reserve(keyed.size());
    for (const auto& [key, number] : keyed) order.push_back(number);
    return order;
}

}  // namespace sidestep
