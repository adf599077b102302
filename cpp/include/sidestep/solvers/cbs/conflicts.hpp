// Conflicts between two paths, and the two ways out of each (Sharon et al. 2015).
//
// A conflict splits a node in two: in each child one of the agents is constrained. Every plan
// without collisions keeps the constraints of at least one child; that makes the search optimal.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sidestep/solvers/cbs/constraints.hpp"
#include "sidestep/solvers/cbs/instance.hpp"

namespace sidestep::cbs {

// What a conflict is about; the first four are as in conflicts.hpp.
enum class Reason : std::uint8_t {
    vertex,
    swap,
    crossing,
    following,
    stop,
    target,
    corridor,
    rectangle
};
inline constexpr int kReasons = 8;

// How many of the two children must cost more than their parent (Boyarski et al. 2015).
enum class Weight : std::uint8_t { cardinal, semi_cardinal, non_cardinal, unknown };

struct Split {
    std::vector<Constraint> first, second;
    // One of the two may be plainly impossible.
    bool first_possible = true, second_possible = true;
};

struct Conflict {
    std::int32_t first, second;  // positions among the agents of a search, first < second
    Time time;                   // of the vertex, or of the beginning of the step
    Reason reason;
    Weight weight = Weight::unknown;
    std::shared_ptr<const Split> split;  // of a symmetry; others are split as they are found
};

// An agent of a search and its present path.
struct AgentPath {
    AgentId agent;
    std::span<const Vertex> path;
};

// Appends the conflicts of two agents, in order of time; of those that both stay in one place for
// good the first only.
void find_between(const Instance& instance, std::int32_t first, std::int32_t second, AgentPath a,
                  AgentPath b, std::vector<Conflict>& found);

// The constraints on either agent, by the collision alone.
Split plain_split(const Instance& instance, const Conflict& conflict, AgentPath a, AgentPath b);

// Does a path keep a constraint on its agent?
bool keeps(const Instance& instance, AgentPath of, const Constraint& constraint);

}  // namespace sidestep::cbs
