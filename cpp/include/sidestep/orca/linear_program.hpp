// The best velocity among those that half-planes allow: a linear program in two dimensions,
// solved one half-plane at a time (van den Berg, Guy, Lin and Manocha 2011, section 5).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sidestep::orca {

// A place or a velocity. Like a cell it has a row, which counts downwards, and a column.
struct Vec {
    double row = 0, col = 0;
    template <class Self, class Archive>
    static void fields(Self& self, Archive& archive) {
        archive(self.row, self.col);
    }

    friend Vec operator+(Vec a, Vec b) { return {a.row + b.row, a.col + b.col}; }
    friend Vec operator-(Vec a, Vec b) { return {a.row - b.row, a.col - b.col}; }
    friend Vec operator-(Vec a) { return {-a.row, -a.col}; }
    friend Vec operator*(Vec a, double factor) { return {a.row * factor, a.col * factor}; }
    friend Vec operator/(Vec a, double divisor) { return {a.row / divisor, a.col / divisor}; }
};

inline double dot(Vec a, Vec b) { return a.row * b.row + a.col * b.col; }
inline double cross(Vec a, Vec b) { return a.row * b.col - a.col * b.row; }
inline double length(Vec a) { return std::sqrt(dot(a, a)); }
// A quarter turn to the right, for one that looks in this direction.
inline Vec to_the_right(Vec a) { return {a.col, -a.row}; }
// std::floor is a call on machines without an instruction for it; this is not.
inline std::int64_t floor_of(double x) {
    const auto whole = static_cast<std::int64_t>(x);
    return whole - (x < static_cast<double>(whole));
}

// The velocities v with normal . v >= bound; the normal has length 1.
struct HalfPlane {
    Vec normal;
    double bound;

    // By how much a velocity is outside; negative inside.
    double excess(Vec v) const { return bound - dot(normal, v); }
};

class LinearProgram {
  public:
    // The velocity nearest to `wanted` that is no faster than `max_speed` and within all
    // half-planes. The first `hard` ones must allow standing still, and always hold. If the others
    // cannot all hold, the answer is outside of each by as little as possible: that is the
    // three-dimensional program of the paper.
    Vec best(std::span<const HalfPlane> planes, std::size_t hard, Vec wanted, double max_speed);

  private:
    Vec least_excess(std::span<const HalfPlane> planes, std::size_t hard, std::size_t failed,
                     double max_speed, Vec v);

    std::vector<HalfPlane> levelled_;  // room of least_excess
};

}  // namespace sidestep::orca
