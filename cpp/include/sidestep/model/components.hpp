// The connected components of an undirected space, found under a budget: a search that a limit ends
// goes on where it was when it is asked again.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

struct Component {
    Vertex first = kNowhere;  // the lowest of its vertices
    std::int32_t vertices = 0;
    std::int64_t ends = 0;  // of edges: two per edge
    bool is_ring = true;    // every vertex has two neighbours

    bool is_tree() const { return ends == 2 * (std::int64_t{vertices} - 1); }
};

// Of a space that nobody changes and that outlives it. Threads may ask at once.
class Components {
  public:
    explicit Components(const Space& space);

    // Finds what is not known yet. False: the budget ended; the rest is for the next call.
    bool find(Budget& budget);

    // From here on: what was found.
    // Per vertex the number of its component, -1 for closed ones.
    std::span<const std::int32_t> labels() const { return label_; }
    const Component& of(Vertex v) const { return all_[static_cast<std::size_t>(label_[v])]; }
    std::span<const Component> all() const { return all_; }
    const Space& space() const { return space_; }

  private:
    void enter(Vertex v);

    const Space& space_;
    std::mutex working_;
    std::vector<std::int32_t> label_;
    std::vector<Component> all_;
    std::vector<Vertex> stack_;
    Vertex root_ = 0;  // up to here all vertices are known
};

}  // namespace sidestep
