// Who is near: agents sorted into square cells, which are found by hashing, so that neither the
// extent of the crowd nor a stray agent far away costs anything.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "sidestep/orca/programme.hpp"
#include "sidestep/reservations.hpp"

namespace sidestep::orca {

class Neighbours {
  public:
    // Sorts all agents into cells of this side.
    void build(std::span<const Vec> places, double side);

    // All agents, cell by cell: whoever is near in space is near in this order.
    std::span<const AgentId> in_order() const { return agents_; }

    // Calls visit(agent, place) for those around `place`, ring of cells by ring of cells, until
    // enough(distance) is true: everybody nearer than that distance has been visited.
    template <class Visit, class Enough>
    void around(Vec place, Visit&& visit, Enough&& enough) const {
        const Cell centre = cell_of(place);
        for (std::int64_t ring = 0;; ++ring) {
            if ((2 * ring + 1) * (2 * ring + 1) > most_cells()) return beyond(centre, ring, visit);
            for (std::int64_t row = centre.row - ring; row <= centre.row + ring; ++row) {
                const bool whole = std::abs(row - centre.row) == ring;
                const std::int64_t step = whole || ring == 0 ? 1 : 2 * ring;
                for (std::int64_t col = centre.col - ring; col <= centre.col + ring; col += step)
                    visit_cell({row, col}, visit);
            }
            if (enough(static_cast<double>(ring) * side_ + margin(place, centre))) return;
        }
    }

  private:
    struct Cell {
        std::int64_t row, col;
        bool operator==(const Cell&) const = default;
    };

    Cell cell_of(Vec place) const {
        return {static_cast<std::int64_t>(std::floor(place.row / side_)),
                static_cast<std::int64_t>(std::floor(place.col / side_))};
    }
    // Cells side by side in a row are neighbours in memory, too.
    std::size_t slot(Cell cell) const {
        constexpr std::uint64_t stride = 0x9E3779B97F4A7C15u;
        const auto row = static_cast<std::uint64_t>(cell.row);
        return (row * stride + static_cast<std::uint64_t>(cell.col)) & mask_;
    }
    // How far a place is from the border of its cell.
    double margin(Vec place, Cell cell) const {
        const double row = place.row - static_cast<double>(cell.row) * side_;
        const double col = place.col - static_cast<double>(cell.col) * side_;
        return std::fmin(std::fmin(row, side_ - row), std::fmin(col, side_ - col));
    }
    // More cells than this are no quicker to look at than all agents.
    std::int64_t most_cells() const { return static_cast<std::int64_t>(agents_.size()) + 9; }

    template <class Visit>
    void visit_cell(Cell cell, Visit&& visit) const {
        const std::size_t at = slot(cell);
        for (std::int32_t k = first_[at]; k < first_[at + 1]; ++k)
            if (cells_[k] == cell) visit(agents_[k], places_[k]);
    }
    template <class Visit>
    void beyond(Cell centre, std::int64_t ring, Visit&& visit) const {
        for (std::size_t k = 0; k < agents_.size(); ++k)
            if (std::abs(cells_[k].row - centre.row) >= ring ||
                std::abs(cells_[k].col - centre.col) >= ring)
                visit(agents_[k], places_[k]);
    }

    double side_ = 1;
    std::size_t mask_ = 0;
    std::vector<std::int32_t> first_;  // per slot, the first of its agents
    std::vector<AgentId> agents_;      // these three by slot, then by number
    std::vector<Vec> places_;
    std::vector<Cell> cells_;
};

}  // namespace sidestep::orca
