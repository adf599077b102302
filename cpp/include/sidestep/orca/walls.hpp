// The walls of a grid as flat surfaces, and what they leave of an agent's velocities and view.
//
// Positions are in cells: the centre of the cell (row, col) is the point (row, col). Neighbouring
// sides of walls are one surface, so that nobody slows down at the seams of a long wall. Outside of
// the grid everything is wall.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/space.hpp"
#include "sidestep/orca/linear_program.hpp"

namespace sidestep::orca {

class Walls {
  public:
    Walls(std::span<const std::uint8_t> passable, std::int32_t width);

    std::int32_t cells() const { return height_ * width_; }
    Vertex cell(Vec place) const;  // kNowhere outside of the grid
    Vec centre(Vertex v) const {
        return {static_cast<double>(v / width_), static_cast<double>(v % width_)};
    }

    // Half-planes that keep a disc out of all walls for as long as the horizon. All allow standing
    // still: the nearer a wall, the slower towards it.
    void half_planes(Vec place, double radius, double max_speed, double horizon,
                     std::vector<HalfPlane>& planes);

    // Is there no wall on the straight line?
    bool sees(Vec from, Vec to) const;

    // Can a disc that fits at both ends go straight from one to the other? Its radius is below 1/2.
    bool passes(Vec from, Vec to, double radius) const;

    // Does a disc fit here?
    bool fits(Vec place, double radius) const;

  private:
    struct Surface {
        Vec from, to;  // along a row or a column, in ascending order
        Vec outward;
    };
    enum Side { up, down, left, right };

    bool is_open(std::int64_t row, std::int64_t col) const {
        return row >= 0 && row < height_ && col >= 0 && col < width_ &&
               passable_[static_cast<std::size_t>(row * width_ + col)] != 0;
    }
    void add_side(std::int32_t row, std::int32_t col, Side side);
    std::int32_t& surface_at(std::int64_t row, std::int64_t col, Side side) {
        return sides_[static_cast<std::size_t>((row * width_ + col) * 4 + side)];
    }

    std::int32_t height_, width_;
    std::vector<std::uint8_t> passable_;
    std::vector<Surface> surfaces_;
    std::vector<std::int32_t> sides_;  // per cell and side, the surface there or -1
    std::vector<std::int32_t> near_;   // room of half_planes
};

}  // namespace sidestep::orca
