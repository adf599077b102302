// A space renumbered for searches that visit all of it: open vertices are *spots*, on a grid tile
// by tile, and the neighbours of a spot lie side by side.
//
// With blocks, 64 spots of a grid are the cells of a square of 8x8, row by row, so that a word of
// 64 bits says something of all of them. Then some numbers are not used: those of closed cells, in
// blocks that have an open one.
//
// On grids, and on graphs of small degree, every spot has a row of the same width, filled up with
// the spot itself, so that a breadth-first search needs neither offsets nor branches. Graphs with
// hubs have rows of their own length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/large_pages.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

using Spot = std::int32_t;

class Roads {
  public:
    static constexpr std::int32_t kWidestRow = 8;

    // The open vertices of a space; with `all`, closed ones too, so that they can be opened later:
    // then spots are vertices, unless there are blocks.
    explicit Roads(const Space& space, bool all = false, bool blocks = false);

    std::int32_t size() const { return static_cast<std::int32_t>(vertices_.size()); }
    bool is_directed() const { return directed_; }
    Spot spot(Vertex v) const { return v == kNowhere ? kNowhere : spots_[v]; }
    Vertex vertex(Spot s) const { return s == kNowhere ? kNowhere : vertices_[s]; }
    std::vector<Spot> spots(std::span<const Vertex> vertices) const;

    // The spots that can be entered from s, in the order of the space.
    std::span<const Spot> next(Spot s) const { return forward_.of(s); }
    std::int32_t degree(Spot s) const { return forward_.degree[s]; }
    // Directed edges are known by their places among the rows: the first one that leaves s, and how
    // many places there are.
    std::int64_t road(Spot s) const { return forward_.begin(s) - forward_.spots.data(); }
    std::int64_t roads() const { return static_cast<std::int64_t>(forward_.spots.size()); }

    // The spots from which s can be entered, as a search from a goal outwards needs them: rows of
    // `width` entries filled up with s, or 0 if rows differ in length.
    struct Rows {
        std::int32_t width = 0;
        LargeVector<std::int64_t> first;  // only if width is 0
        LargeVector<std::int32_t> degree;
        LargeVector<Spot> spots;

        const Spot* begin(Spot s) const {
            return spots.data() + (width ? std::int64_t{s} * width : first[s]);
        }
        std::span<const Spot> of(Spot s) const {
            return {begin(s), static_cast<std::size_t>(degree[s])};
        }
    };
    const Rows& backward() const { return directed_ ? backward_ : forward_; }

    // A vertex of the space has opened or closed. Needs `all`.
    void changed(const Space& space, Vertex v);

    // The blocks of a 4-connected grid, if they were asked for.
    struct Block {
        std::uint64_t open = 0;  // a bit per cell
        std::int32_t up = -1, down = -1, left = -1, right = -1;
    };
    static constexpr std::int32_t kBlockSide = 8, kPerBlock = 64;
    bool has_blocks() const { return !blocks_.empty(); }
    std::span<const Block> blocks() const { return blocks_; }

    std::int64_t bytes() const;

  private:
    template <class Neighbours>
    void fill(Rows& rows, Neighbours&& neighbours) const;
    void fill_all(const Space& space);
    void fill_grid(const Space& space);
    void fill_row(const Space& space, Spot s);
    void number_blocks(const Space& space, bool all);
    bool add_block(const Space& space, bool all, Vertex corner, std::int32_t rows,
                   std::int32_t cols);

    LargeVector<Spot> spots_;       // by vertex; kNowhere if it was closed
    LargeVector<Vertex> vertices_;  // by spot; kNowhere if the number is not used
    Rows forward_, backward_;       // backward_ only if directed
    std::vector<Block> blocks_;     // of a 4-connected grid
    bool directed_ = false;
};

}  // namespace sidestep
