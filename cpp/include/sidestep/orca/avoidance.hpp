// Which velocities keep two round agents apart (van den Berg, Guy, Lin and Manocha 2011, section
// 4).
#pragma once

#include "sidestep/orca/linear_program.hpp"

namespace sidestep::orca {

// One agent as another sees it: relative to its own place, which is another one, with the sum of
// their radii.
struct Other {
    Vec offset;
    Vec velocity;
    double radii;
};

// Optimal reciprocal collision avoidance: if both agents keep to theirs, they do not touch within
// the horizon. Each takes half of the smallest change that avoids it. Agents that overlap are to be
// apart after `dt`.
HalfPlane reciprocal(const Other& other, Vec velocity, double horizon, double dt);

// No nearer within `dt` than half of the gap between them, whatever the other does with its half.
// Standing still is always allowed.
HalfPlane half_of_gap(const Other& other, double dt);

// Would they, with these velocities, touch within `dt`, or overlap more than they do?
bool would_touch(const Other& other, Vec velocity, double dt);

}  // namespace sidestep::orca
