// Who is near: agents sorted into square cells, which are found by hashing, so that neither the
// extent of the crowd nor a stray agent far away costs anything.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "sidestep/model/types.hpp"
#include "sidestep/orca/linear_program.hpp"

namespace sidestep::orca {

class Neighbours {
  public:
    // Sorts all agents into cells of this side.
    void build(std::span<const Vec> places, double side);

    // Calls visit(agent) for all, cell by cell: agents near in space are near in this order.
    template <class Visit>
    void all(Visit&& visit) const {
        for (const Entry& entry : entries_) visit(entry.agent);
    }

    // Calls visit(agent, place) for those around `place`, ring of cells by ring of cells, except
    // for cells at a squared distance that is enough(squared). Ends with a ring that is.
    template <class Visit, class Enough>
    void around(Vec place, Visit&& visit, Enough&& enough) const {
        const Cell centre = cell_of(place);
        visit_cell(centre, visit);
        for (std::int64_t ring = 1; !enough(square(to_ring(place, centre, ring))); ++ring) {
            if ((2 * ring + 1) * (2 * ring + 1) > most_cells()) return beyond(centre, ring, visit);
            for (std::int64_t row = centre.row - ring; row <= centre.row + ring; ++row) {
                const double rows = square(apart(place.row, centre.row, row));
                if (enough(rows)) continue;
                const bool whole = std::abs(row - centre.row) == ring;
                for (std::int64_t col = centre.col - ring; col <= centre.col + ring;
                     col += whole ? 1 : 2 * ring)
                    if (!enough(rows + square(apart(place.col, centre.col, col))))
                        visit_cell({row, col}, visit);
            }
        }
    }

  private:
    struct Cell {
        std::int64_t row, col;
        bool operator==(const Cell&) const = default;
    };
    struct Entry {
        Cell cell;
        Vec place;
        AgentId agent;
    };

    Cell cell_of(Vec place) const {
        return {floor_of(place.row / side_), floor_of(place.col / side_)};
    }
    // Cells side by side in a row are neighbours in memory, too.
    std::size_t slot(Cell cell) const {
        constexpr std::uint64_t stride = 0x9E3779B97F4A7C15u;
        const auto row = static_cast<std::uint64_t>(cell.row);
        return (row * stride + static_cast<std::uint64_t>(cell.col)) & mask_;
    }
    // How far, along one axis, it is from x in cell `from` to the nearest point of cell `to`.
    double apart(double x, std::int64_t from, std::int64_t to) const {
        if (to == from) return 0;
        return to < from ? x - static_cast<double>(to + 1) * side_
                         : static_cast<double>(to) * side_ - x;
    }
    // And to the nearest cell of a ring around the centre.
    double to_ring(Vec place, Cell centre, std::int64_t ring) const {
        return std::min({apart(place.row, centre.row, centre.row - ring),
                         apart(place.row, centre.row, centre.row + ring),
                         apart(place.col, centre.col, centre.col - ring),
                         apart(place.col, centre.col, centre.col + ring)});
    }
    static double square(double x) { return x * x; }
    // More cells than this are no quicker to look at than all agents.
    std::int64_t most_cells() const { return static_cast<std::int64_t>(entries_.size()) + 9; }

    template <class Visit>
    void visit_cell(Cell cell, Visit&& visit) const {
        const std::size_t at = slot(cell);
        for (std::int32_t k = first_[at]; k < first_[at + 1]; ++k)
            if (entries_[k].cell == cell) visit(entries_[k].agent, entries_[k].place);
    }
    template <class Visit>
    void beyond(Cell centre, std::int64_t ring, Visit&& visit) const {
        for (const Entry& entry : entries_)
            if (std::abs(entry.cell.row - centre.row) >= ring ||
                std::abs(entry.cell.col - centre.col) >= ring)
                visit(entry.agent, entry.place);
    }

    double side_ = 1;
    std::size_t mask_ = 0;
    std::vector<std::int32_t> first_;  // per slot, the first of its agents
    std::vector<Entry> entries_;       // by slot, then by number
};

}  // namespace sidestep::orca
