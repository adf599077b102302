// How a node of the constraint tree is split: what its conflicts are about, how much they weigh,
// which one comes first, and what each child imposes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/solvers/cbs/conflicts.hpp"
#include "sidestep/solvers/cbs/shared_state.hpp"

namespace sidestep::cbs {

enum class Heuristic : std::uint8_t { none, cg, dg, wdg };

struct Options {
    bool prioritise = true, bypass = true, disjoint = false;
    Heuristic heuristic = Heuristic::wdg;
    bool rectangle = true, corridor = true, target = true;
};

// A constraint that a node of the tree imposes on one of the agents of a search, by position.
struct Imposed {
    std::int32_t agent;
    Constraint constraint;
};

// One of two that are in conflict: its set of constraints, its least cost under these, and its
// present path, which may be dearer.
struct Party {
    AgentId agent;
    SetId set;
    Cost least;
    std::span<const Vertex> path;

    operator AgentPath() const { return {agent, path}; }
};

class Splitting {
  public:
    Splitting(SharedState& shared, const Options& options)
        : shared_(shared), instance_(shared.instance), options_(options) {}

    // Finds out what a conflict is about and how much it weighs, if that is not known. False: the
    // budget ran out.
    bool weigh(Conflict& conflict, const Party& one, const Party& two, Budget& budget);

    // The one to be split.
    const Conflict& choose(std::span<const Conflict> conflicts) const;

    // What each child imposes.
    std::vector<std::vector<Imposed>> split(const Conflict& conflict, const Party& one,
                                            const Party& two) const;

  private:
    bool needs_diagrams() const;
    void apply_symmetry(Conflict& conflict, const Party& one, const Party& two, Budget& budget);
    Weight weight_of(const Party& one, const Party& two, const Split& split) const;
    bool is_slack(const Party& party, const std::vector<Constraint>& constraints,
                  bool possible) const;
    bool add_disjoint(const Conflict& conflict, bool takes_first, const Split& sides,
                      std::vector<std::vector<Imposed>>& children) const;

    SharedState& shared_;
    const Instance& instance_;
    const Options& options_;
};

}  // namespace sidestep::cbs
