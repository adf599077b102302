// Random numbers that are the same on every machine.
#pragma once

#include <cstdint>

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

}  // namespace sidestep
