// A grid on which all straight steps cost the same, and all diagonal ones: a byte per cell says
// where it leads.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/search/length.hpp"
#include "sidestep/space.hpp"

namespace sidestep::search {

struct Offset {
    std::int32_t row, col;
};

// Straight ones first, so that a grid without diagonals has the first four.
inline constexpr std::array<Offset, 8> kDirections{
    {{-1, 0}, {0, -1}, {0, 1}, {1, 0}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};

// May a unit step from a cell in a direction? And how many of the two cells beside a diagonal are
// blocked?
struct Passage {
    bool open;
    int blocked_corners;
};
Passage passage(std::span<const std::uint8_t> passable, std::int32_t width, Vertex v,
                Offset towards);

template <int kCount>
class Lattice {
  public:
    Lattice(std::span<const std::uint8_t> passable, std::int32_t width, Corners corners,
            Scale scale);

    std::int32_t size() const { return static_cast<std::int32_t>(leads_.size()); }
    std::int32_t width() const { return width_; }
    const Scale& scale() const { return scale_; }
    int bucket_shift() const { return scale_.bucket_shift(); }
    bool is_symmetric() const { return true; }

    // Calls visit(u, length, direction) for every neighbour that can be entered from v.
    template <class Visit>
    void successors(Vertex v, Visit&& visit) const {
        for (unsigned open = leads_[v]; open != 0; open &= open - 1) {
            const int direction = std::countr_zero(open);
            visit(v + offsets_[direction], lengths_[direction], direction);
        }
    }

    // The same for those from which v can be entered: here, whoever can be entered can be left.
    template <class Visit>
    void predecessors(Vertex v, Visit&& visit) const {
        successors(v, visit);
    }

  private:
    std::vector<std::uint8_t> leads_;
    std::int32_t width_;
    Scale scale_;
    std::array<std::int32_t, kCount> offsets_;
    std::array<Length, kCount> lengths_;
};

extern template class Lattice<4>;
extern template class Lattice<8>;

}  // namespace sidestep::search
