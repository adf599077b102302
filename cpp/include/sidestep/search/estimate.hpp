// Lower bounds on the way that is left: by geometry, or by whatever was computed beforehand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "sidestep/model/budget.hpp"
#include "sidestep/search/lattice.hpp"
#include "sidestep/search/length.hpp"

namespace sidestep::search {

// Manhattan, octile, Chebyshev, Euclidean, or nothing: all follow from the two differences.
class Geometry {
  public:
    enum class Kind : std::uint8_t { none, manhattan, octile, chebyshev, euclidean };

    Geometry() = default;
    // `scale` is that of the cheapest ground.
    Geometry(Kind kind, std::int32_t size, std::int32_t width, Scale scale);

    void aim(Vertex goal) {
        if (width_ == 0) return;
        row_ = goal / width_;
        col_ = goal % width_;
    }
    std::int32_t row_of(Vertex v) const {
        return static_cast<std::int32_t>(static_cast<std::uint64_t>(v) * part_ >> part_bits_);
    }

    // Around a vertex: its own estimate, and those of its neighbours by direction.
    class Around {
      public:
        Around(const Geometry& geometry, Vertex v)
            : geometry_(geometry),
              row_(geometry.row_of(v) - geometry.row_),
              col_(v - (row_ + geometry.row_) * geometry.width_ - geometry.col_) {}
        Length here() const { return geometry_.of(row_, col_); }
        Offset from_goal() const { return {row_, col_}; }
        Length operator()(Vertex u, int direction) const {
            if (direction < 0) return geometry_.at(u);
            return geometry_.of(row_ + kDirections[direction].row,
                                col_ + kDirections[direction].col);
        }

      private:
        const Geometry& geometry_;
        std::int32_t row_, col_;
    };
    Around around(Vertex v) const { return {*this, v}; }
    // Is it the number of steps on a grid without walls and diagonals?
    bool counts_steps() const { return !is_round_ && longer_ == 1 && shorter_ == 1; }
    Length at(Vertex v) const { return width_ == 0 ? 0 : around(v).here(); }

  private:
    Length of(std::int32_t rows, std::int32_t cols) const {
        const auto a = static_cast<Length>(std::abs(rows)), b = static_cast<Length>(std::abs(cols));
        if (is_round_) [[unlikely]]
            return round(a, b);
        return longer_ * std::max(a, b) + shorter_ * std::min(a, b);
    }
    Length round(Length rows, Length cols) const;

    bool is_round_ = false;
    Length longer_ = 0, shorter_ = 0;  // per step along the longer side, and along the shorter one
    std::int32_t width_ = 0, row_ = 0, col_ = 0;
    std::uint64_t part_ =
        0;  // 2**part_bits_ / width, rounded up: to multiply is faster than to divide
    int part_bits_ = 0;
};

// An estimate that was computed beforehand, aimed at one goal. A search at a time has one.
class Aim {
  public:
    virtual ~Aim() = default;
    // The next search is between these two. False: the budget ran out.
    virtual bool set(Vertex start, Vertex goal, Budget& budget) = 0;
    // kFar: from here there is no way to the goal, or no way to it needs to pass here.
    virtual Length at(Vertex v) const = 0;
};

// What was computed beforehand, for any number of searches.
class Estimate {
  public:
    virtual ~Estimate() = default;
    virtual std::unique_ptr<Aim> aim() const = 0;
    virtual std::size_t bytes() const = 0;
};

// An aimed estimate for the inner loop of a search.
class Asked {
  public:
    explicit Asked(const Aim& aim) : aim_(aim) {}
    class Around {
      public:
        Around(const Aim& aim, Vertex v) : aim_(aim), v_(v) {}
        Length here() const { return aim_.at(v_); }
        Length operator()(Vertex u, int) const { return aim_.at(u); }

      private:
        const Aim& aim_;
        Vertex v_;
    };
    Around around(Vertex v) const { return {aim_, v}; }
    Length at(Vertex v) const { return aim_.at(v); }

  private:
    const Aim& aim_;
};

}  // namespace sidestep::search
