#include "sidestep/search/estimate.hpp"

#include <bit>
#include <cmath>

namespace sidestep::search {

Geometry::Geometry(Kind kind, std::int32_t size, std::int32_t width, Scale scale)
    : is_round_(kind == Kind::euclidean), width_(kind == Kind::none ? 0 : width) {
    if (kind == Kind::none) return;
    // Exact for all vertices: the error of the fraction, size times, stays below a column.
    part_bits_ = static_cast<int>(
        std::bit_width(static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(width)));
    part_ = ((std::uint64_t{1} << part_bits_) - 1) / static_cast<std::uint64_t>(width) + 1;
    longer_ = scale.straight;
    if (kind == Kind::manhattan) shorter_ = scale.straight;
    if (kind == Kind::octile) shorter_ = scale.diagonal - scale.straight;
}

Length Geometry::round(Length rows, Length cols) const {
    const auto a = static_cast<double>(rows), b = static_cast<double>(cols);
    return static_cast<Length>(static_cast<double>(longer_) * std::sqrt(a * a + b * b));
}

}  // namespace sidestep::search
