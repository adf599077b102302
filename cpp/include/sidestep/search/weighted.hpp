// A grid whose cells differ in what it costs to enter them, or whose diagonals cost more past a
// blocked corner: two or three bytes per cell, from which the lengths of steps follow.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/space.hpp"
#include "sidestep/search/lattice.hpp"
#include "sidestep/search/length.hpp"

namespace sidestep::search {

// A grid and what steps on it cost.
struct Terrain {
    std::span<const std::uint8_t> passable;
    std::int32_t width;
    int connectivity;
    Corners corners;
    Scale scale;
    std::span<const std::uint8_t> factors;  // of entering a cell; empty: 1 everywhere
    std::uint32_t corner_cost;  // straight steps that a diagonal past a blocked corner costs more
};

class WeightedLattice : public ByVertex<WeightedLattice> {
  public:
    explicit WeightedLattice(const Terrain& terrain);

    std::int32_t size() const { return static_cast<std::int32_t>(leads_.size()); }
    std::int32_t width() const { return width_; }
    const Scale& scale() const { return scale_; }
    int bucket_shift() const { return scale_.bucket_shift(); }
    // Is every way as long as the way back? Looks at all cells.
    bool is_symmetric() const;
    void set_open(Vertex v, bool open);

    template <class Visit>
    void successors(Vertex v, Visit&& visit) const {
        for (unsigned open = leads_[v]; open != 0; open &= open - 1) {
            const int k = std::countr_zero(open);
            const Vertex u = v + offsets_[k];
            visit(u, lengths_[k] * factors_[u] + past_corners(v, k), kByVertex[k]);
        }
    }
    // Those from which v can be entered: here, what can be entered can be left.
    template <class Visit>
    void predecessors(Vertex v, Visit&& visit) const {
        for (unsigned open = leads_[v]; open != 0; open &= open - 1) {
            const int k = std::countr_zero(open);
            visit(v + offsets_[k], lengths_[k] * factors_[v] + past_corners(v, k), kByVertex[k]);
        }
    }

  private:
    // The directions by the vertex that they lead to, as the steps of a network are.
    static constexpr std::array<int, 8> kByVertex{4, 0, 5, 2, 3, 6, 1, 7};

    Length past_corners(Vertex v, int k) const {
        if (corner_cost_ == 0 || kByVertex[k] < 4) return 0;
        const Offset to = kDirections[kByVertex[k]];
        return passable_[v + to.col] && passable_[v + to.row * width_] ? 0 : corner_cost_;
    }
    void look(Vertex v);

    std::vector<std::uint8_t> passable_, leads_, factors_;
    std::int32_t width_;
    int connectivity_;
    Corners corners_;
    Scale scale_;
    Length corner_cost_;
    std::array<std::int32_t, 8> offsets_;
    std::array<Length, 8> lengths_;
};

}  // namespace sidestep::search
