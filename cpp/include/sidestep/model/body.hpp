// How large and how fast an agent is: it covers size x size cells of a grid and takes `period`
// turns for a move.
//
// The position of a large agent is its top left cell. While it moves from u to v it is at u;
// between the beginning of the move and its end it holds the cells of both, and at the end those of
// v.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "sidestep/model/space.hpp"

namespace sidestep {

inline constexpr std::int32_t kLongestPeriod = 1000;

struct Body {
    std::int32_t size = 1;
    std::int32_t period = 1;
    std::int32_t width = 1;  // of the grid; without meaning where the size is 1

    bool is_unit() const { return size == 1 && period == 1; }

    // The most cells that it can hold at once: two positions beside each other if it is slow.
    std::int32_t room() const { return period == 1 ? size * size : size * (size + 2) - 1; }

    template <class Visit>
    void each_cell(Vertex at, Visit&& visit) const {
        for (std::int32_t row = 0; row < size; ++row)
            for (std::int32_t col = 0; col < size; ++col) visit(at + row * width + col);
    }

    // The cells at `at` that are not also covered at `but`.
    template <class Visit>
    void each_cell_except(Vertex at, Vertex but, Visit&& visit) const {
        each_cell(at, [&](Vertex cell) {
            if (!covers(but, cell)) visit(cell);
        });
    }

    // Only for positions that do not stick out of the grid.
    bool covers(Vertex at, Vertex cell) const {
        if (size == 1) return at == cell;
        const Vertex offset = cell - at;
        return offset >= 0 && offset / width < size && offset % width < size;
    }

    bool overlaps(Vertex at, const Body& other, Vertex other_at) const {
        if (size == 1) return other.covers(other_at, at);
        if (other.size == 1) return covers(at, other_at);
        const auto meet = [&](Vertex from, Vertex to) {
            return from < to + other.size && to < from + size;
        };
        return meet(at / width, other_at / width) && meet(at % width, other_at % width);
    }
};

// The first other place that a path comes to at most `within` steps after step k, or kNowhere.
inline Vertex next_place(std::span<const Vertex> path, std::int32_t k, std::int32_t within) {
    const auto last = static_cast<std::int32_t>(path.size()) - 1;
    for (std::int32_t next = k + 1; next <= std::min(k + within, last); ++next)
        if (path[next] != path[k]) return path[next];
    return kNowhere;
}

}  // namespace sidestep
