// Where agents can go if every place is taken: around loops only, all agents of a loop at once. An
// edge in no loop is a bridge, which nobody crosses; what hangs together without bridges is a
// region.
#pragma once

#include <cstdint>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

struct Region {
    std::vector<Vertex> vertices;
    std::int32_t loops = 0;  // edges beyond those of a tree: none in a single vertex, one in a ring
    bool all_odd = true;     // every loop in it has an odd number of vertices

    bool is_ring() const { return loops == 1; }
};

// The regions of one component of an undirected space.
class Regions {
  public:
    explicit Regions(const Space& space) : space_(space) {}

    // To be called first. False: the budget ended.
    bool find(Vertex root, Budget& budget);

    const std::vector<Region>& all() const { return all_; }
    std::int32_t of(Vertex v) const { return region_[v]; }

  private:
    bool visit_all(Vertex root, Budget& budget);
    void close_loop(Vertex v, Vertex above);
    void gather();

    const Space& space_;
    // By vertex: how far below the root of a depth-first search, the highest that a loop leads to,
    // how many loops go through the edge to its parent, whether one that was closed here is even.
    std::vector<std::int32_t> depth_, highest_, through_, region_;
    std::vector<Vertex> parent_, order_;
    std::vector<bool> even_;
    std::vector<Region> all_;
};

}  // namespace sidestep
