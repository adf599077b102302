// A grid cut into regions with gates between them (after Bjornsson and Halldorsson 2006).
//
// The grid is cut into squares; a region is a connected part of a square, and a gate is a straight
// run of places where one can step from one region into another. Two estimates follow:
//   dead ends: a region behind a gate that alone leads there is on the way only if an end of the
//     search is. To leave through a gate and come back through it is never shorter than to walk
//     along it.
//   gateways: the distances between gates are known, so the way out of a region, to the gates of
//     the goal's region, and on to the goal, is bounded from below.
// Both hold on grids whose steps all cost the same and whose diagonals pass no blocked corner.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/search/estimate.hpp"
#include "sidestep/search/landmarks.hpp"
#include "sidestep/search/length.hpp"

namespace sidestep::search {

using RegionId = std::int32_t;
using GateId = std::int32_t;

// Which cells hang together within squares of `side` cells.
class Partition {
  public:
    Partition(std::span<const std::uint8_t> passable, std::int32_t width, std::int32_t side);

    // A cell has opened or closed: its square is divided anew, and nothing else is looked at.
    void change(std::span<const std::uint8_t> passable, Vertex v);

    // Numbers go up to here; after changes some may be nobody's.
    std::int32_t count() const { return count_; }
    RegionId of(Vertex v) const { return region_[v]; }  // -1: blocked
    std::int32_t width() const { return width_; }
    std::int32_t side() const { return side_; }
    std::span<const RegionId> all() const { return region_; }

    // Calls visit(near, far, begins) for every two open cells where one can step from a square into
    // the next, to the right or down; `begins` if no such step was beside the last one.
    template <class Visit>
    void borders(Visit&& visit) const {
        borders(Offset{0, 1}, visit);
        borders(Offset{1, 0}, visit);
    }

  private:
    void fill(std::span<const std::uint8_t> passable, Vertex seed, RegionId region);
    template <class Visit>
    void borders(Offset across, Visit&& visit) const;

    std::int32_t width_, side_;
    std::int32_t count_ = 0;
    std::vector<RegionId> region_;
    std::vector<RegionId> free_;  // numbers that are nobody's
    std::vector<Vertex> cells_;   // of the region that is being filled
};

template <class Visit>
void Partition::borders(Offset across, Visit&& visit) const {
    const auto height = static_cast<std::int32_t>(region_.size()) / width_;
    const bool down = across.row != 0;
    const std::int32_t borders = down ? height : width_, length = down ? width_ : height;
    const auto cell = [&](std::int32_t border, std::int32_t along) {
        return down ? border * width_ + along : along * width_ + border;
    };
    for (std::int32_t border = side_; border < borders; border += side_) {
        bool runs = false;
        for (std::int32_t along = 0; along < length; ++along) {
            const Vertex near = cell(border - 1, along), far = cell(border, along);
            const bool open = region_[near] >= 0 && region_[far] >= 0;
            if (!open || along % side_ == 0) runs = false;
            if (open) visit(near, far, !runs);
            runs = open;
        }
    }
}

struct Gate {
    std::array<RegionId, 2> regions;
    std::vector<Vertex> cells;  // on both sides
};

class Regions {
  public:
    // Gates have at most `widest` cells on a side, which longer runs are cut into.
    Regions(Partition partition, std::int32_t widest);

    std::int32_t count() const { return partition_.count(); }
    std::size_t vertices() const { return partition_.all().size(); }
    RegionId of(Vertex v) const { return partition_.of(v); }  // -1: blocked
    const std::vector<Gate>& gates() const { return gates_; }
    const std::vector<GateId>& gates_of(RegionId region) const { return gates_of_[region]; }
    const std::vector<std::vector<Vertex>>& cells() const { return cells_; }
    std::size_t bytes() const { return vertices() * sizeof(RegionId); }

  private:
    Partition partition_;
    std::vector<std::vector<Vertex>> cells_;
    std::vector<Gate> gates_;
    std::vector<std::vector<GateId>> gates_of_;
};

// Regions that hang together even without any one gate, as a tree over the gates between them.
class DeadEnds final : public Estimate {
  public:
    DeadEnds(Geometry geometry, const Partition& partition);
    std::unique_ptr<Aim> aim() const override;
    std::size_t bytes() const override;

  private:
    class Aimed;
    struct Node {
        std::int32_t parent, depth;
    };
    Geometry geometry_;
    std::vector<RegionId> region_;     // of a cell; -1: blocked
    std::vector<std::int32_t> block_;  // of a region
    std::vector<Node> tree_;           // of blocks; a root is its own parent
};

class Gateways final : public Estimate {
  public:
    // Needs the distances of all cells to every gate, one gate after another.
    Gateways(Geometry geometry, Regions regions, Length longest);
    const Regions& regions() const { return regions_; }
    void learn(GateId gate, std::span<const Length> lengths);
    std::unique_ptr<Aim> aim() const override;
    std::size_t bytes() const override;

  private:
    class Aimed;
    Geometry geometry_;
    Regions regions_;
    Compact compact_;
    std::vector<std::uint32_t> between_;       // gates: a square table
    std::vector<std::size_t> first_;           // per cell: where its distances begin
    std::vector<std::uint32_t> to_own_gates_;  // per cell: to the gates of its region, in order
};

}  // namespace sidestep::search
