// The compiled space: who neighbours whom, which moves cross, which vertices are closed.
//
// Grids and graphs become the same adjacency lists, so every search runs on both. Vertices may
// close and open while agents are under way: a move is possible if its *target* is open (and, for a
// diagonal, the corner rule holds), so that an agent can always leave a vertex that closed under
// it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <unordered_map>
#include <vector>

#include "sidestep/model/types.hpp"

namespace sidestep {

// How many of the two cells beside a diagonal may be blocked.
enum class Corners : std::uint8_t { none = 0, one = 1, free = 2 };

class Space {
    struct Cell {
        std::int32_t row, col;
    };

  public:
    static Space grid(std::span<const std::uint8_t> passable, std::int32_t width, int connectivity,
                      Corners corners);
    // `conflicts` holds pairs of indices into `edges`.
    static Space graph(std::int32_t n, std::span<const Move> edges, bool directed,
                       std::span<const Move> conflicts);

    std::int32_t size() const { return static_cast<std::int32_t>(open_.size()); }
    bool contains(Vertex v) const { return v >= 0 && v < size(); }
    bool is_open(Vertex v) const { return open_[v] != 0; }

    // The vertices that can be entered from v, in a fixed order.
    std::span<const Vertex> successors(Vertex v) const { return forward_.active(v); }

    // The open vertices from which v can be entered, while v is open.
    std::span<const Vertex> predecessors(Vertex v) const {
        return directed_ ? backward_.active(v) : forward_.active(v);
    }

    bool connects(Vertex from, Vertex to) const;

    // A lower bound on the distance by geometry alone: Manhattan or Chebyshev; 0 on a graph.
    std::int32_t estimate(Vertex a, Vertex b) const { return estimate_to(b)(a); }

    // The same to one target, for inner loops.
    class Estimate {
      public:
        Estimate(const Space& space, Vertex target)
            : cells_(space.cells_.empty() ? nullptr : space.cells_.data()),
              diagonal_(space.diagonal_) {
            if (cells_) target_ = cells_[target];
        }
        std::int32_t operator()(Vertex v) const {
            if (!cells_) return 0;
            const std::int32_t rows = std::abs(cells_[v].row - target_.row);
            const std::int32_t cols = std::abs(cells_[v].col - target_.col);
            return diagonal_ ? (rows > cols ? rows : cols) : rows + cols;
        }

      private:
        const Cell* cells_;
        Cell target_{};
        bool diagonal_;
    };
    Estimate estimate_to(Vertex target) const { return {*this, target}; }

    bool is_grid() const { return !cells_.empty(); }
    // Is it a grid without diagonals? Only a grid has rows and columns.
    bool is_four_connected() const { return !cells_.empty() && !diagonal_; }
    std::int32_t row(Vertex v) const { return cells_[v].row; }
    std::int32_t col(Vertex v) const { return cells_[v].col; }
    std::int32_t width() const { return cells_.back().col + 1; }

    void set_open(Vertex v, bool open);

    // The places where an agent of size x size cells fits, known by its top left cell, as a space
    // of their own: there it moves like an agent of one cell. Only of a grid.
    Space for_size(std::int32_t size) const;

    // Brings that space up to date after a cell of this one has changed; visit(v) per changed
    // place.
    template <class Visit>
    void refit(Space& places, std::int32_t size, Vertex cell, Visit&& visit) const {
        for (std::int32_t row = std::max(0, cells_[cell].row - size + 1); row <= cells_[cell].row;
             ++row)
            for (std::int32_t col = std::max(0, cells_[cell].col - size + 1);
                 col <= cells_[cell].col; ++col) {
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
        for (Vertex u : forward_.all(v)) visit(u);
        if (directed_)
            for (Vertex u : backward_.all(v)) visit(u);
    }

    bool has_crossings() const { return diagonal_ || !conflicts_.empty(); }

    // Does any move that crosses `move` satisfy `used`?
    template <class Used>
    bool any_crossing(Move move, Used&& used) const {
        if (!cells_.empty()) {
            const std::int32_t cols = cells_[move.to].col - cells_[move.from].col;
            if (cols == 0 || cells_[move.to].row == cells_[move.from].row) return false;
            const Vertex beside_from = move.from + cols, beside_to = move.to - cols;
            return used(Move{beside_from, beside_to}) || used(Move{beside_to, beside_from});
        }
        const auto found = conflicts_.find(key(move));
        if (found == conflicts_.end()) return false;
        for (Move other : found->second)
            if (used(other)) return true;
        return false;
    }

    bool is_directed() const { return directed_; }

  private:
    // Adjacency lists with room for all edges; the active ones are kept at the front.
    class Adjacency {
      public:
        void assign(std::int32_t n, std::vector<Move> moves);
        std::span<const Vertex> all(Vertex v) const {
            return {all_.data() + first_[v], all_.data() + first_[v + 1]};
        }
        std::span<const Vertex> active(Vertex v) const {
            return {active_.data() + first_[v], static_cast<std::size_t>(degree_[v])};
        }
        template <class Allowed>
        void refresh(Vertex v, Allowed&& allowed) {
            std::int32_t kept = 0;
            for (Vertex u : all(v))
                if (allowed(u)) active_[first_[v] + kept++] = u;
            degree_[v] = kept;
        }

      private:
        std::vector<std::int32_t> first_, degree_;
        std::vector<Vertex> all_, active_;
    };

    static std::uint64_t key(Move move) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(move.from)) << 32 |
               static_cast<std::uint32_t>(move.to);
    }
    bool allows(Move move) const;
    bool fits(Vertex v, std::int32_t size) const;
    void refresh(Vertex v);

    std::vector<std::uint8_t> open_;
    Adjacency forward_, backward_;  // backward_ only if directed
    bool directed_ = false;
    bool diagonal_ = false;
    Corners corners_ = Corners::none;
    std::vector<Cell> cells_;  // empty on a graph
    std::unordered_map<std::uint64_t, std::vector<Move>> conflicts_;
};

}  // namespace sidestep
