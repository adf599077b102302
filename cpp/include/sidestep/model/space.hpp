// The compiled space: who neighbours whom, which moves cross, which vertices are closed.
//
// Every search runs on grids and graphs alike. A grid has a byte per cell that says in which
// directions it can be left, a graph has adjacency lists. Vertices may close and open while agents
// are under way: a move is possible if its *target* is open (and, for a diagonal, the corner rule
// holds), so that an agent can always leave a vertex that closed under it.
//
// Copies share their memory, and a copy takes time that does not depend on the map. The first one
// that opens or closes a vertex gets walls of its own; the others do not notice.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

#include "sidestep/model/adjacent.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

// How many of the two cells beside a diagonal may be blocked.
enum class Corners : std::uint8_t { none = 0, one = 1, free = 2 };

// The rows and columns of vertices. Dividing takes a while, so it is a multiplication, which is
// exact for all 31-bit numbers (Granlund and Montgomery 1994).
class Raster {
  public:
    Raster() = default;
    explicit Raster(std::int32_t width);
    std::int32_t width() const { return width_; }  // 0 on a graph
    std::int32_t row(Vertex v) const {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(v) * factor_ >> shift_);
    }
    std::int32_t col(Vertex v) const { return v - row(v) * width_; }

  private:
    std::uint64_t factor_ = 0;
    std::int32_t shift_ = 0, width_ = 0;
};

class Space {
  public:
    static Space grid(std::span<const std::uint8_t> passable, std::int32_t width, int connectivity,
                      Corners corners);
    // `conflicts` holds pairs of indices into `edges`.
    static Space graph(std::int32_t n, std::span<const Move> edges, bool directed,
                       std::span<const Move> conflicts);

    std::int32_t size() const { return size_; }
    bool contains(Vertex v) const { return v >= 0 && v < size(); }
    bool is_open(Vertex v) const { return open_[v] != 0; }
    std::span<const std::uint8_t> open() const { return {open_, static_cast<std::size_t>(size_)}; }

    // The vertices that can be entered from v, in a fixed order.
    Adjacent successors(Vertex v) const { return leads_ ? beside(v, leads_[v]) : ahead_.active(v); }

    // The same of a cell of a grid, as offsets for loops of a fixed length: behind the last one all
    // are 0.
    std::span<const std::int32_t, 8> offsets(Vertex v) const {
        return directions_[leads_[v]].offsets;
    }

    // The open vertices from which v can be entered, while v is open.
    Adjacent predecessors(Vertex v) const {
        return leads_ ? beside(v, leads_[v]) : behind_.active(v);
    }

    // The same, in the order for a search backwards that is to break ties like one forwards: on
    // 4-connected grids, where two directions are left to choose from, it chooses last what that
    // has chosen first.
    Adjacent ways_back(Vertex v) const {
        if (!leads_) return behind_.active(v);
        const Directions& found = ways_back_[leads_[v]];
        return {v, found.offsets.data(), found.count};
    }

    bool connects(Vertex from, Vertex to) const;

    // A lower bound on the distance by geometry alone: Manhattan or Chebyshev; 0 on a graph.
    std::int32_t estimate(Vertex a, Vertex b) const { return estimate_to(b)(a); }

    // The same to one target, for inner loops.
    class Estimate {
      public:
        Estimate(const Space& space, Vertex target)
            : raster_(space.raster_),
              target_(target),
              row_(space.raster_.row(target)),
              diagonal_(space.diagonal_) {}
        std::int32_t operator()(Vertex v) const {
            if (raster_.width() == 0) return 0;
            const std::int32_t down = raster_.row(v) - row_;
            const std::int32_t rows = std::abs(down);
            const std::int32_t cols = std::abs(v - target_ - down * raster_.width());
            return diagonal_ ? (rows > cols ? rows : cols) : rows + cols;
        }

      private:
        Raster raster_;
        Vertex target_;
        std::int32_t row_;
        bool diagonal_;
    };
    Estimate estimate_to(Vertex target) const { return {*this, target}; }

    bool is_grid() const { return leads_ != nullptr; }
    // Is it a grid without diagonals? Only a grid has rows and columns.
    bool is_four_connected() const { return is_grid() && !diagonal_; }
    std::int32_t row(Vertex v) const { return raster_.row(v); }
    std::int32_t col(Vertex v) const { return raster_.col(v); }
    std::int32_t width() const { return raster_.width(); }
    std::int32_t height() const { return size() / width(); }

    void set_open(Vertex v, bool open);

    // The places where an agent of size x size cells fits, known by its top left cell, as a space
    // of their own: there it moves like an agent of one cell. Only of a grid.
    Space for_size(std::int32_t size) const;

    // Brings that space up to date after a cell of this one has changed; visit(v) per changed
    // place.
    template <class Visit>
    void refit(Space& places, std::int32_t size, Vertex cell, Visit&& visit) const {
        for (std::int32_t row = std::max(0, this->row(cell) - size + 1); row <= this->row(cell);
             ++row)
            for (std::int32_t col = std::max(0, this->col(cell) - size + 1); col <= this->col(cell);
                 ++col) {
                const Vertex v = row * width() + col;
                const bool open = fits(v, size);
                if (places.is_open(v) == open) continue;
                places.set_open(v, open);
                visit(v);
            }
    }

    // Calls visit(u) for v and every vertex one edge away, closed ones included: whatever a change
    // of v can affect.
    template <class Visit>
    void around(Vertex v, Visit&& visit) const {
        visit(v);
        for (Vertex u : is_grid() ? beside(v, inside(v)) : ahead_.all(v)) visit(u);
        if (directed_)
            for (Vertex u : behind_.all(v)) visit(u);
    }

    bool has_crossings() const { return crossings_; }

    // Does any move that crosses `move` satisfy `used`?
    template <class Used>
    bool any_crossing(Move move, Used&& used) const {
        if (!crossings_) return false;
        if (is_grid()) {
            const std::int32_t rows = row(move.to) - row(move.from);
            const std::int32_t cols = move.to - move.from - rows * width();
            if (cols == 0 || rows == 0) return false;
            const Vertex beside_from = move.from + cols, beside_to = move.to - cols;
            return used(Move{beside_from, beside_to}) || used(Move{beside_to, beside_from});
        }
        for (Move other : conflicts_of(move))
            if (used(other)) return true;
        return false;
    }

    bool is_directed() const { return directed_; }

    // How many spaces share this one's memory, itself included, and what that takes.
    std::int64_t copies() const { return walls_.use_count(); }
    std::int64_t bytes() const;

  private:
    struct Shape;  // what never changes
    struct Walls;  // what opening and closing a vertex changes

    // The directions that a byte stands for, as offsets: one cache line.
    struct alignas(64) Directions {
        std::array<std::int32_t, 8> offsets{};
        std::int32_t count = 0;
    };
    // Adjacency lists with room for all edges; the active ones are kept at the front.
    struct Lists {
        const std::int32_t *first = nullptr, *degree = nullptr;
        const Vertex *every = nullptr, *listed = nullptr;
        Adjacent all(Vertex v) const { return {0, every + first[v], first[v + 1] - first[v]}; }
        Adjacent active(Vertex v) const { return {0, listed + first[v], degree[v]}; }
    };
    struct Rectangle {
        std::int32_t top, left, height, width;
    };

    Adjacent beside(Vertex v, std::uint8_t directions) const {
        const Directions& found = directions_[directions];
        return {v, found.offsets.data(), found.count};
    }
    std::uint8_t inside(Vertex v) const;
    std::span<const Move> conflicts_of(Move move) const;
    bool fits(Vertex v, std::int32_t size) const;
    Walls& own_walls();
    void read(std::shared_ptr<Walls> walls);
    static void refresh(const Shape& shape, Walls& walls, Rectangle cells);
    static void refresh(const Shape& shape, Walls& walls, Vertex v);

    std::shared_ptr<const Shape> shape_;
    std::shared_ptr<Walls> walls_;

    // What inner loops read of these two.
    const std::uint8_t *open_ = nullptr, *leads_ = nullptr;  // leads_: of a grid
    const Directions *directions_ = nullptr, *ways_back_ = nullptr;
    Lists ahead_, behind_;  // of a graph; the same unless it is directed
    Raster raster_;
    std::int32_t size_ = 0;
    bool directed_ = false, diagonal_ = false, crossings_ = false;
};

}  // namespace sidestep
