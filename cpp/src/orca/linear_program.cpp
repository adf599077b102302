#include "sidestep/orca/linear_program.hpp"

#include <algorithm>

namespace sidestep::orca {

namespace {

constexpr double kParallel = 1e-9;

// What is asked for: the nearest velocity to a wanted one, or the farthest in a direction.
struct Aim {
    Vec vec;
    bool farthest;
};

// The best velocity on the border of the last half-plane, within all before it. False: there is
// none.
bool along_border(std::span<const HalfPlane> planes, std::size_t last, Aim aim, double max_speed,
                  Vec& v) {
    const HalfPlane& plane = planes[last];
    const double half_chord = max_speed * max_speed - plane.bound * plane.bound;
    if (half_chord < 0) return false;
    const Vec foot = plane.normal * plane.bound, along = to_the_right(plane.normal);
    double high = std::sqrt(half_chord), low = -high;
    for (const HalfPlane& other : planes.first(last)) {
        const double slope = dot(other.normal, along), missing = other.excess(foot);
        if (std::abs(slope) < kParallel) {
            if (missing > kParallel) return false;
            continue;
        }
        if (slope > 0)
            low = std::max(low, missing / slope);
        else
            high = std::min(high, missing / slope);
        if (low > high) return false;
    }
    const double wish = dot(along, aim.vec);
    v = foot + along * (aim.farthest ? (wish > 0 ? high : low) : std::clamp(wish, low, high));
    return true;
}

// Returns how many half-planes, from the first on, v satisfies.
std::size_t solve(std::span<const HalfPlane> planes, Aim aim, double max_speed, Vec& v) {
    const double speed = length(aim.vec);
    v = aim.vec;
    if (speed > max_speed || (aim.farthest && speed > 0)) v = v * (max_speed / speed);
    for (std::size_t i = 0; i < planes.size(); ++i)
        if (planes[i].excess(v) > 0 && !along_border(planes, i, aim, max_speed, v)) return i;
    return planes.size();
}

}  // namespace

Vec LinearProgram::best(std::span<const HalfPlane> planes, std::size_t hard, Vec wanted,
                        double max_speed) {
    Vec v;
    const std::size_t satisfied = solve(planes, {wanted, false}, max_speed, v);
    if (satisfied == planes.size()) return v;
    if (satisfied < hard) return {};  // rounding: standing still is always right
    return least_excess(planes, hard, satisfied, max_speed, v);
}

// Takes in one half-plane after another. One that is violated more than all before it becomes the
// worst: the best velocity then has those before it violated no more than this one.
Vec LinearProgram::least_excess(std::span<const HalfPlane> planes, std::size_t hard,
                                std::size_t failed, double max_speed, Vec v) {
    double worst = 0;
    for (std::size_t i = failed; i < planes.size(); ++i) {
        if (planes[i].excess(v) <= worst) continue;
        levelled_.assign(planes.begin(), planes.begin() + static_cast<std::ptrdiff_t>(hard));
        for (const HalfPlane& other : planes.subspan(hard, i - hard)) {
            // bound_j - normal_j . v <= bound_i - normal_i . v is again a half-plane.
            const Vec normal = other.normal - planes[i].normal;
            const double size = length(normal);
            if (size < kParallel) continue;
            levelled_.push_back({normal / size, (other.bound - planes[i].bound) / size});
        }
        Vec better;
        if (solve(levelled_, {planes[i].normal, true}, max_speed, better) == levelled_.size())
            v = better;
        worst = planes[i].excess(v);
    }
    return v;
}

}  // namespace sidestep::orca
