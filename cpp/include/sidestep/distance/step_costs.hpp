// What agents reckon with for a step on a grid, so that they avoid where others come towards them.
// Time goes on by one step all the same; a plan costs what it did.
#pragma once

#include <cstdint>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

class StepCosts {
  public:
    static constexpr std::int32_t kDearest = 64;

    // All steps cost 1, until `set` says otherwise. The space is a grid.
    explicit StepCosts(const Space& space);

    // Of a step from a cell to one beside it.
    Cost of(Vertex from, Vertex to) const {
        return costs_[static_cast<std::size_t>(from) * kDirections + direction(from, to)];
    }
    void set(Vertex from, Vertex to, std::int32_t cost) {
        costs_[static_cast<std::size_t>(from) * kDirections + direction(from, to)] =
            static_cast<std::uint8_t>(cost);
    }

    std::int64_t bytes() const { return static_cast<std::int64_t>(costs_.size()); }

  private:
    static constexpr std::size_t kDirections = 8;

    // Cells above, beside and below have numbers that differ by the width or less, or more, by one.
    std::size_t direction(Vertex from, Vertex to) const {
        const Vertex ahead = to - from;
        if (ahead == 1 || ahead == -1) return ahead > 0 ? 0 : 1;
        const bool is_below = ahead > 0;
        const Vertex across = is_below ? ahead - width_ : ahead + width_;
        return 2 + 3 * static_cast<std::size_t>(is_below) + static_cast<std::size_t>(across + 1);
    }

    Vertex width_;
    std::vector<std::uint8_t> costs_;
};

// Lanes of opposite directions, one beside the other: in every second row it costs `against` to go
// left, in the others to go right; so do columns.
StepCosts crisscross(const Space& space, std::int32_t against);

}  // namespace sidestep
