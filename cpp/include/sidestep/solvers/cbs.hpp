// Conflict-Based Search (Sharon, Stern, Felner and Sturtevant 2015): optimal plans for many agents.
//
// The parts, from the bottom up: cbs/instance, cbs/constraints, cbs/low_level,
// cbs/constrained_diagram, cbs/conflicts, cbs/symmetry, cbs/heuristic, cbs/search.
#pragma once

#include <span>
#include <vector>

#include "sidestep/solvers/cbs/search.hpp"

namespace sidestep::cbs {

struct Task {
    std::span<const Vertex> starts, goals;  // kNowhere as a goal: it has none
    const Traffic* illegal = nullptr;       // nobody may collide with these
    const Traffic* avoid = nullptr;         // of equally cheap paths, those that collide least
    Limits limits = {};
};

struct Answer {
    Outcome outcome = Outcome::no_path;
    std::vector<std::vector<Vertex>> paths;  // empty unless found
    Cost lower_bound = 0;                    // no plan costs less; a plan that was found costs this
    std::int64_t low_level_expanded = 0;
    Statistics statistics;
};

// An optimal plan. Each agent stays at the end of its path, or disappears if those are the rules
// and it has a goal.
Answer solve(const Space& space, const Rules& rules, const Task& task, const Options& options,
             Budget& budget);

}  // namespace sidestep::cbs
