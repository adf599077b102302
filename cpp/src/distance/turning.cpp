#include "sidestep/distance/turning.hpp"

#include <algorithm>
#include <array>

namespace sidestep {

TurningFields::TurningFields(const Space& grid)
    : states_(product(grid)), roads_(states_, true), fields_(roads_) {}

// The place beside v on a grid, whether it is open or not; kNowhere beyond the border.
static Vertex beside(const Space& grid, Vertex v, Facing facing) {
    constexpr std::array<std::int32_t, kFacings> kDown{-1, 0, 1, 0}, kRight{0, 1, 0, -1};
    const std::int32_t row = grid.row(v) + kDown[facing], col = grid.col(v) + kRight[facing];
    const bool inside = row >= 0 && row < grid.height() && col >= 0 && col < grid.width();
    return inside ? row * grid.width() + col : kNowhere;
}

Space TurningFields::product(const Space& grid) {
    std::vector<Move> edges;
    edges.reserve(static_cast<std::size_t>(grid.size()) * kFacings * kFacings);
    for (Vertex v = 0; v < grid.size(); ++v) {
        for (Facing facing = 0; facing < kFacings; ++facing) {
            edges.push_back({state(v, facing), state(v, to_the_right(facing))});
            edges.push_back({state(v, facing), state(v, to_the_left(facing))});
            edges.push_back({state(v, facing), arrival(v)});
            const Vertex next = beside(grid, v, facing);
            if (next != kNowhere) edges.push_back({state(v, facing), state(next, facing)});
        }
    }
    Space states = Space::graph(grid.size() * kPerPlace, edges, true, {});
    for (Vertex v = 0; v < grid.size(); ++v)
        for (Spot s = state(v, 0); s <= arrival(v); ++s) states.set_open(s, grid.is_open(v));
    return states;
}

void TurningFields::set_open(Vertex v, bool open) {
    std::vector<Spot> around;
    for (Spot s = state(v, 0); s <= arrival(v); ++s) {
        if (states_.is_open(s) == open) continue;
        states_.set_open(s, open);
        roads_.changed(states_, s);
        states_.around(s, [&](Vertex u) { around.push_back(roads_.spot(u)); });
    }
    fields_.changed(around);
}

void TurningFields::forget_unused(std::span<const Vertex> goals) {
    if (fields_.bytes() <= kKeptBytes) return;
    std::vector<Spot> used;
    for (const Vertex goal : goals)
        if (goal != kNowhere) used.push_back(arrival(goal));
    fields_.keep(std::move(used));
}

}  // namespace sidestep
