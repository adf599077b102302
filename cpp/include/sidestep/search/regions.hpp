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

struct Gate {
    std::array<RegionId, 2> regions;
    std::vector<Vertex> cells;  // on both sides
};

class Regions {
  public:
    // Squares of `side` cells; gates of at most `widest` cells, which longer runs are cut into.
    Regions(std::span<const std::uint8_t> passable, std::int32_t width, std::int32_t side,
            std::int32_t widest);

    std::int32_t count() const { return static_cast<std::int32_t>(gates_of_.size()); }
    std::size_t vertices() const { return region_.size(); }
    RegionId of(Vertex v) const { return region_[v]; }  // -1: blocked
    const std::vector<Gate>& gates() const { return gates_; }
    const std::vector<GateId>& gates_of(RegionId region) const { return gates_of_[region]; }
    const std::vector<std::vector<Vertex>>& cells() const { return cells_; }
    std::size_t bytes() const { return region_.size() * sizeof(RegionId); }

  private:
    void fill(std::span<const std::uint8_t> passable, std::int32_t width, std::int32_t side,
              Vertex seed);
    void find_gates(std::int32_t width, std::int32_t side, std::int32_t widest, Offset across);

    std::vector<RegionId> region_;
    std::vector<std::vector<Vertex>> cells_;
    std::vector<Gate> gates_;
    std::vector<std::vector<GateId>> gates_of_;
};

// Regions that hang together even without any one gate, as a tree over the gates between them.
class DeadEnds final : public Estimate {
  public:
    DeadEnds(Geometry geometry, Regions regions);
    std::unique_ptr<Aim> aim() const override;
    std::size_t bytes() const override;

  private:
    class Aimed;
    struct Node {
        std::int32_t parent, depth;
    };
    Geometry geometry_;
    Regions regions_;
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
