// The rules of a problem. What they say about two agents that collide is in collision.hpp.
#pragma once

namespace sidestep {

struct Rules {
    bool following = true;        // may enter a vertex in the step in which another leaves it
    bool crossing = false;        // may use two crossing edges in one step
    bool disappear = false;       // agents leave the space when they arrive
    bool free_goal_wait = false;  // waiting on one's own goal costs nothing (time_off_goal)
};

}  // namespace sidestep
