// A space renumbered for searches that visit all of it: open vertices are *spots*, on a grid tile
// by tile, and the neighbours of a spot lie side by side.
//
// On grids, and on graphs of small degree, every spot has a row of the same width, filled up with
// the spot itself, so that a breadth-first search needs neither offsets nor branches. Graphs with
// hubs have rows of their own length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

using Spot = std::int32_t;

class Roads {
  public:
    static constexpr std::int32_t kWidestRow = 8;

    // The open vertices of a space; with `all`, closed ones too, so that they can be opened later:
    // then spots are vertices.
    explicit Roads(const Space& space, bool all = false);

    std::int32_t size() const { return static_cast<std::int32_t>(vertices_.size()); }
    Spot spot(Vertex v) const { return v == kNowhere ? kNowhere : spots_[v]; }
    Vertex vertex(Spot s) const { return s == kNowhere ? kNowhere : vertices_[s]; }

    // The spots that can be entered from s, in the order of the space.
    std::span<const Spot> next(Spot s) const { return forward_.of(s); }
    std::int32_t degree(Spot s) const { return forward_.degree[s]; }

    // The spots from which s can be entered, as a search from a goal outwards needs them: rows of
    // `width` entries filled up with s, or 0 if rows differ in length.
    struct Rows {
        std::int32_t width = 0;
        std::vector<std::int64_t> first;  // only if width is 0
        std::vector<std::int32_t> degree;
        std::vector<Spot> spots;

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

    std::int64_t bytes() const;

  private:
    template <class Neighbours>
    void fill(Rows& rows, std::int32_t width, Neighbours&& neighbours) const;
    void fill_all(const Space& space);
    void refill(const Space& space, Vertex v);

    std::vector<Spot> spots_;       // by vertex; kNowhere if it was closed
    std::vector<Vertex> vertices_;  // by spot
    Rows forward_, backward_;       // backward_ only if directed
    bool directed_ = false;
};

}  // namespace sidestep
