// A grid on which all straight steps cost the same, and all diagonal ones: a byte per cell says
// where it leads.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/space.hpp"
#include "sidestep/search/length.hpp"

namespace sidestep::search {

struct Offset {
    std::int32_t row, col;
};

// Straight ones first, so that a grid without diagonals has the first four; of these, along the
// rows last, so that a search that takes the last one found first goes along the rows first.
inline constexpr std::array<Offset, 8> kDirections{
    {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {-1, 1}, {1, -1}, {1, 1}}};

// May a unit step from a cell in a direction? And how many of the two cells beside a diagonal are
// blocked?
struct Passage {
    bool open;
    int blocked_corners;
};
Passage passage(std::span<const std::uint8_t> passable, std::int32_t width, Offset cell,
                Offset towards);

// Calls visit(u) for a cell and the cells around it.
template <class Visit>
void each_around(std::int32_t size, std::int32_t width, Vertex v, Visit&& visit) {
    const std::int32_t row = v / width, col = v % width, height = size / width;
    for (std::int32_t r = std::max(row - 1, 0); r <= std::min(row + 1, height - 1); ++r)
        for (std::int32_t c = std::max(col - 1, 0); c <= std::min(col + 1, width - 1); ++c)
            visit(r * width + c);
}

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
    // A cell has opened or closed, as `passable` says: looks at it and at those around it again.
    void changed(std::span<const std::uint8_t> passable, Vertex v);

    // Calls visit(u, length, direction) for every neighbour that can be entered from v.
    template <class Visit>
    void successors(Vertex v, Visit&& visit) const {
        visit_all(v, leads_[v], visit);
    }

    // Where a search goes on from a vertex that it came to in a direction. Without diagonals it
    // need not turn everywhere: of the ways around a rectangle, the one that goes along its rows
    // first will do, so that a way along a column turns only where it could not have done so
    // before.
    static Arrival arrival(Vertex v, int direction) {
        return kCount == 4 ? v | (direction + 1) << kVertexBits : v;
    }
    static Vertex vertex_of(Arrival arrival) {
        return kCount == 4 ? arrival & ((1 << kVertexBits) - 1) : arrival;
    }
    template <class Visit>
    void onwards(Arrival arrival, Visit&& visit) const {
        const Vertex v = vertex_of(arrival);
        visit_all(v, onwards_from(leads_.data(), width_, arrival), visit);
    }
    // The same for an inner loop, which has it in variables of its own: calls visit(u, direction).
    class Steps {
      public:
        Steps(const std::uint8_t* leads, std::int32_t width, std::array<std::int32_t, kCount> to)
            : leads_(leads), width_(width), offsets_(to) {}
        template <class Visit>
        void onwards(Arrival arrival, Visit&& visit) const {
            const Vertex v = vertex_of(arrival);
            for (unsigned open = onwards_from(leads_, width_, arrival); open; open &= open - 1) {
                const int direction = std::countr_zero(open);
                visit(v + offsets_[direction], direction);
            }
        }

      private:
        const std::uint8_t* leads_;
        std::int32_t width_;
        std::array<std::int32_t, kCount> offsets_;
    };
    Steps steps() const { return {leads_.data(), width_, offsets_}; }

    // As `successors`, for those from which v can be entered: here, what can be entered can be
    // left.
    template <class Visit>
    void predecessors(Vertex v, Visit&& visit) const {
        successors(v, visit);
    }

  private:
    static constexpr int kVertexBits = 28;
    struct Onwards {
        std::uint8_t always, if_new;  // directions; the second if they were closed a step before
        std::int32_t rows;            // of that step
    };
    // By how one came: not at all, upwards, downwards, to the left, to the right.
    static constexpr std::array<Onwards, 5> kOnwards{{{0b1111, 0, 0},
                                                      {0b0001, 0b1100, -1},
                                                      {0b0010, 0b1100, 1},
                                                      {0b0111, 0, 0},
                                                      {0b1011, 0, 0}}};

    static unsigned onwards_from(const std::uint8_t* leads, std::int32_t width, Arrival arrival) {
        const Vertex v = vertex_of(arrival);
        if constexpr (kCount != 4) return leads[v];
        const Onwards& rule = kOnwards[arrival >> kVertexBits];
        return leads[v] & (rule.always | (rule.if_new & ~leads[v - rule.rows * width]));
    }
    template <class Visit>
    void visit_all(Vertex v, unsigned open, Visit&& visit) const {
        for (; open != 0; open &= open - 1) {
            const int direction = std::countr_zero(open);
            visit(v + offsets_[direction], lengths_[direction], direction);
        }
    }

    void look(std::span<const std::uint8_t> passable, Vertex v);

    std::vector<std::uint8_t> leads_;
    std::int32_t width_;
    Corners corners_;
    Scale scale_;
    std::array<std::int32_t, kCount> offsets_;
    std::array<Length, kCount> lengths_;
};

extern template class Lattice<4>;
extern template class Lattice<8>;

}  // namespace sidestep::search
