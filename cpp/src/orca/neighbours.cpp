#include "sidestep/orca/neighbours.hpp"

#include <bit>
#include <numeric>

namespace sidestep::orca {

void Neighbours::build(std::span<const Vec> places, double side) {
    side_ = side;
    const std::size_t n = places.size(), slots = std::bit_ceil(2 * n + 1);
    mask_ = slots - 1;
    first_.assign(slots + 1, 0);
    for (const Vec place : places) ++first_[slot(cell_of(place)) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());

    entries_.resize(n);
    std::vector<std::int32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t a = 0; a < n; ++a) {
        const Cell cell = cell_of(places[a]);
        entries_[next[slot(cell)]++] = {cell, places[a], static_cast<AgentId>(a)};
    }
}

}  // namespace sidestep::orca
