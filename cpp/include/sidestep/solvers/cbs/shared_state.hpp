// What all searches over one instance share: buffers, and what is known of sets of constraints.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sidestep/solvers/cbs/constrained_diagram.hpp"
#include "sidestep/solvers/cbs/constraints.hpp"
#include "sidestep/solvers/cbs/instance.hpp"
#include "sidestep/solvers/cbs/low_level.hpp"
#include "sidestep/solvers/cbs/symmetry.hpp"
#include "sidestep/spacetime/traffic.hpp"

namespace sidestep::cbs {

class SharedState {
  public:
    explicit SharedState(Instance& instance)
        : instance(instance),
          table(instance.space.size(), instance.illegal),
          low_level(instance),
          builder(instance),
          corridors(instance),
          traffic{Traffic(instance.space, instance.rules),
                  Traffic(instance.space, instance.rules)} {}

    // Lays out the constraints of a set in `table`.
    void load(SetId set) {
        const auto& entry = sets[set];
        table.load(entry.constraints, instance.goals[entry.agent], !instance.vanishes(entry.agent));
    }

    // The diagram of a set whose least cost is known. Null: the budget ran out, or the agent has no
    // goal.
    const ConstrainedDiagram* diagram(SetId set, Cost cost, Budget& budget) {
        auto& entry = sets[set];
        if (!entry.diagram && !instance.is_idle(entry.agent)) {
            load(set);
            entry.diagram = builder.build(entry.agent, table, cost, budget);
            if (entry.diagram) diagram_bytes_ += entry.diagram->bytes();
        }
        return entry.diagram.get();
    }

    std::int64_t bytes() const {
        return instance.bytes() + low_level.bytes() + sets.bytes() + diagram_bytes_ +
               traffic[0].bytes() + traffic[1].bytes();
    }

    Instance& instance;
    ConstraintSets sets;
    ConstraintTable table;
    LowLevel low_level;
    DiagramBuilder builder;
    Corridors corridors;
    std::array<Traffic, 2> traffic;  // of the search itself, and of those it starts for two agents
    std::unordered_map<std::uint64_t, Cost> pair_weights;  // by two sets; see heuristic.hpp

  private:
    std::int64_t diagram_bytes_ = 0;
};

}  // namespace sidestep::cbs
