// Lower bounds on what the conflicts of a node will still cost (Felner et al. 2018; Li, Felner,
// Boyarski, Ma and Koenig 2019).
//
// Two agents depend on each other if their cheapest paths all collide: together they cost at least
// one more. The graph of such pairs has an edge for cardinal conflicts (cg), for all pairs whose
// decision diagrams have no two paths that go together (dg), or one as heavy as what the two cost
// together beyond their cheapest paths (wdg). What covers all edges is a lower bound. What is found
// out about two sets of constraints is remembered.
#pragma once

#include <cstdint>
#include <vector>

#include "sidestep/solvers/cbs/constrained_diagram.hpp"
#include "sidestep/solvers/cbs/search.hpp"
#include "sidestep/solvers/cbs/shared_state.hpp"

namespace sidestep::cbs {

// Do these diagrams hold two paths that do not collide? Also true if that is too much to find out.
bool go_together(const Instance& instance, AgentId a, const ConstrainedDiagram& diagram_a,
                 AgentId b, const ConstrainedDiagram& diagram_b, Budget& budget);

struct Edge {
    std::int32_t first, second;
    Cost weight;
};

// The least sum of whole numbers, one per agent, of which those at the ends of each edge add up to
// its weight or more; of large graphs a lower bound.
Cost least_cover(std::vector<Edge> edges);

class Dependencies {
  public:
    struct Party {
        std::int32_t position;
        AgentId agent;
        SetId set;
        Cost cost;
    };

    Dependencies(SharedState& shared, const Options& options)
        : shared_(shared), options_(options) {}

    // Two agents that collide. False: the budget ran out.
    bool add(const Party& a, const Party& b, bool is_cardinal, Budget& budget);
    Cost least_cost() { return least_cover(std::move(edges_)); }

  private:
    bool weigh(const Party& a, const Party& b, bool is_cardinal, Budget& budget, Cost& weight);
    Cost cost_together(const Party& a, const Party& b, Budget& budget);

    SharedState& shared_;
    const Options& options_;
    std::vector<Edge> edges_;
};

}  // namespace sidestep::cbs
