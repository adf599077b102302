// Arrays in large pages.
#include "sidestep/model/large_pages.hpp"

#include <cstdint>
#include <numeric>

#include "check.hpp"

using namespace sidestep;

TEST(
    "an array keeps its values when it grows from small to large pages, and its copy has them, "
    "too") {
    LargeVector<std::int32_t> numbers(1000);
    std::iota(numbers.begin(), numbers.end(), 0);
    numbers.resize(1 << 20, -1);
    const LargeVector<std::int32_t> copy = numbers;
    for (std::int32_t k = 0; k < (1 << 20); ++k) CHECK_EQ(copy[k], k < 1000 ? k : -1);
}

TEST("an array of 2 MB and more begins where a large page does") {
    const LargeVector<std::uint8_t> bytes(std::size_t{2} << 20);
    CHECK_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % (std::size_t{2} << 20), 0u);
}
