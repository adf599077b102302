// Distances of agents that have to turn: fields over the product of places and facings.
//
// A *state* is a place and which way its agent looks. The product is a directed graph, on which
// fields work as on any other: from a state a road leads on by a turn to either side, and to the
// place straight ahead. A goal may be reached facing any way, so every place has one more vertex,
// its *arrival*, into which all of its states lead; that last step is not counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/distance/fields.hpp"
#include "sidestep/distance/roads.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/facing.hpp"
#include "sidestep/model/space.hpp"

namespace sidestep {

class TurningFields {
  public:
    // Of a 4-connected grid.
    explicit TurningFields(const Space& grid);
    TurningFields(const TurningFields&) = delete;
    TurningFields& operator=(const TurningFields&) = delete;

    // The field of a goal, known at least from the given state. Null: the budget ran out.
    Fields::Field* to(Vertex goal, Vertex from, Facing facing, Budget& budget) {
        return fields_.to(arrival(goal), state(from, facing), budget);
    }
    // Steps and quarters of turns to the goal: kUnreachable, or kNotReady if the budget ran out.
    Cost at(Fields::Field& field, Vertex v, Facing facing, Budget& budget) {
        const Spot s = state(v, facing);
        const Cost known = field.known(s);
        const Cost counted = known != kNotReady ? known : fields_.at(field, s, budget);
        return counted == kNotReady || counted >= kUnreachable ? counted : counted - 1;
    }

    void set_open(Vertex v, bool open);
    // Forgets the fields of all goals but these, if they are many.
    void forget_unused(std::span<const Vertex> goals);
    std::int64_t bytes() const { return fields_.bytes(); }

  private:
    static constexpr std::int32_t kPerPlace = kFacings + 1;
    static constexpr std::int64_t kKeptBytes = std::int64_t{256} << 20;

    static Spot state(Vertex v, Facing facing) { return v * kPerPlace + facing; }
    static Spot arrival(Vertex v) { return v * kPerPlace + kFacings; }
    static Space product(const Space& grid);

    Space states_;
    Roads roads_;
    Fields fields_;
};

}  // namespace sidestep
