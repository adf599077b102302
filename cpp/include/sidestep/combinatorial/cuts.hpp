// Cut vertices: places that every way between some two others passes.
#pragma once

#include <cstdint>
#include <vector>

#include "sidestep/distance/roads.hpp"
#include "sidestep/model/budget.hpp"

namespace sidestep {

// By depth-first search (Hopcroft and Tarjan 1973). On directed roads none are looked for.
class Cuts {
  public:
    Cuts(const Roads& roads, bool is_directed) : roads_(roads), is_directed_(is_directed) {}

    // To be called first. False: the budget ran out.
    bool find(Budget& budget);

    bool is_cut(Spot s) const { return parts_begin_[s] != parts_begin_[s + 1]; }
    // Does every way from one spot to another pass s? They are not s themselves.
    bool separates(Spot s, Spot one, Spot other) const { return part(s, one) != part(s, other); }

  private:
    struct Visit {
        Spot spot;
        std::int32_t next;  // of its neighbours
    };
    struct Part {
        std::int32_t begin, end;  // of the times at which its spots were first visited
    };

    bool visit(Spot root, Budget& budget);
    void gather();
    std::int32_t part(Spot s, Spot other) const;

    const Roads& roads_;
    const bool is_directed_;
    std::vector<std::int32_t> entered_, left_, lowest_;
    std::vector<Spot> parent_, order_;
    std::vector<Visit> stack_;
    // Per spot, what is cut off below it, in order of time; the rest is one more part.
    std::vector<std::int32_t> parts_begin_;
    std::vector<Part> parts_;
};

}  // namespace sidestep
