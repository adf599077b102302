#include "sidestep/orca/avoidance.hpp"

#include <algorithm>

namespace sidestep::orca {

namespace {

// How much nearer counts as touching, relative to the radii, and as nearer at all.
constexpr double kTouching = 1e-9, kRounding = 1e-14;

// Out of the disc around `centre`: the nearest point of its border decides.
HalfPlane out_of_disc(Vec centre, double radius, Vec relative, Vec velocity) {
    const Vec from_centre = relative - centre;
    const double distance = length(from_centre);
    const Vec normal = distance > 0 ? from_centre / distance : -centre / length(centre);
    const double change = radius - distance;
    return {normal, dot(normal, velocity) + change / 2};
}

}  // namespace

// The relative velocities that lead to a collision within the horizon are a cone with its tip cut
// off by a disc. The nearest point of its border to the present relative velocity says what must
// change.
HalfPlane reciprocal(const Other& other, Vec velocity, double horizon, double dt) {
    const Vec relative = velocity - other.velocity;
    const double squared = dot(other.offset, other.offset), radii = other.radii;
    if (squared <= radii * radii)
        return out_of_disc(other.offset / dt, radii / dt, relative, velocity);

    const Vec tip = other.offset / horizon, from_tip = relative - tip;
    const double ahead = dot(from_tip, other.offset);
    if (ahead < 0 && ahead * ahead > radii * radii * dot(from_tip, from_tip))
        return out_of_disc(tip, radii / horizon, relative, velocity);

    // The sides of the cone touch the disc of the other: turn the offset by the angle between them.
    const double leg = std::sqrt(squared - radii * radii);
    const double side = cross(other.offset, from_tip) > 0 ? 1 : -1;
    const Vec along = (other.offset * leg - to_the_right(other.offset) * (side * radii)) / squared;
    const Vec normal = to_the_right(along) * -side;  // out of the cone
    return {normal, dot(normal, velocity) - dot(normal, relative) / 2};
}

HalfPlane half_of_gap(const Other& other, double dt) {
    const double distance = length(other.offset), gap = std::max(0.0, distance - other.radii);
    return {-other.offset / distance, -gap / (2 * dt)};
}

bool would_touch(const Other& other, Vec velocity, double dt) {
    const Vec approach = velocity - other.velocity;
    const double squared = dot(approach, approach), closing = dot(approach, other.offset);
    if (closing <= 0) return false;
    const double nearest = std::min(dt, closing / squared);
    const Vec then = other.offset - approach * nearest;
    const double allowed =
        std::min(other.radii * (1 - kTouching), length(other.offset) * (1 - kRounding));
    return dot(then, then) < allowed * allowed;
}

}  // namespace sidestep::orca
