// The high level of Conflict-Based Search (Sharon et al. 2015): best-first search in the tree of
// constraints.
//
// A node has a cheapest path per agent under its constraints. If they do not collide, they are an
// optimal plan. If they do, one conflict is chosen, and each child forbids one agent its part in
// it. What is added to the basic algorithm, each by an option:
//
// - prioritise: cardinal conflicts first, since they raise the cost at once (Boyarski et al. 2015);
// - bypass: paths of a child that cost the same and collide less replace those of the node itself,
//   which is then not split (Boyarski et al. 2015);
// - heuristic: lower bounds on what the conflicts will cost (Felner et al. 2018, Li et al. 2019),
//   see heuristic.hpp;
// - target, corridor, rectangle: conflicts that would come up again in ever new guises are settled
//   by one split (Li et al. 2021), see symmetry.hpp;
// - disjoint: one child makes the agent do what the other forbids, so that no plan is in both
//   (Li et al. 2019).
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "sidestep/solvers/cbs/conflicts.hpp"
#include "sidestep/solvers/cbs/shared_state.hpp"
#include "sidestep/solvers/cbs/splitting.hpp"

namespace sidestep::cbs {

struct Limits {
    Cost cost = kUnreachable;  // what costs more is of no interest
    std::int64_t expanded = std::numeric_limits<std::int64_t>::max();  // nodes of the tree
};

struct Statistics {
    std::int64_t expanded = 0, generated = 0, bypassed = 0;
    std::array<std::int64_t, kReasons> conflicts{};  // those that were split, by reason
};

class Search {
  public:
    // Plans these agents, each under a set of constraints that is there from the beginning.
    // `is_pair`: it was started by another search, to weigh two agents.
    Search(SharedState& shared, const Options& options, std::vector<AgentId> agents,
           std::vector<SetId> sets, bool is_pair = false);

    // found, no_path (there is no plan within the limits' cost), or out_of_budget, also at
    // the limit of nodes.
    Outcome run(Budget& budget, const Limits& limits = {});

    // After a run: no plan costs less.
    Cost lower_bound() const { return lower_bound_; }
    // After a plan was found: the path of each agent.
    std::span<const Vertex> path(std::size_t k) const { return now_[k]->path; }
    const Statistics& statistics() const { return statistics_; }

  private:
    struct Route {
        std::int32_t agent;
        SetId set;
        Cost cost;
        std::vector<Vertex> path;
    };
    struct Node {
        const Node* parent = nullptr;
        std::vector<Imposed> imposed;
        std::vector<const Route*> routes;  // those that differ from the parent's
        std::vector<Conflict> conflicts;
        Cost g = 0, h = 0;
        bool evaluated = false;
    };
    struct Open {
        Cost f;
        std::int32_t conflicts;
        std::int64_t number;
        Node* node;
    };

    bool plan_root();
    void push(Node& node);
    Node* pop();
    void recall(const Node& node);
    bool evaluate(Node& node);
    bool classify(Node& node);
    Outcome expand(Node& node);
    void open_children(Node& node, std::span<Node* const> children);
    Outcome impose(Node& child, std::vector<const Route*>& routes);
    Outcome replan(Node& child, std::int32_t agent, const std::vector<const Route*>& routes);
    void find_conflicts(const Node& parent, Node& child, const std::vector<const Route*>& routes);
    void adopt(Node& node, const Node& child);
    void lay_out(const std::vector<const Route*>& routes);
    AgentPath agent_path(std::int32_t k, const Route* route) const {
        return {agents_[k], route->path};
    }
    Party party(std::int32_t k) const {
        return {agents_[k], now_[k]->set, now_[k]->cost, now_[k]->path};
    }
    std::int32_t count() const { return static_cast<std::int32_t>(agents_.size()); }

    SharedState& shared_;
    Instance& instance_;
    const Options options_;
    const std::vector<AgentId> agents_;
    const std::vector<SetId> root_sets_;
    const bool is_pair_;
    Splitting splitting_;
    Traffic& traffic_;
    Budget* budget_ = nullptr;

    std::deque<Node> nodes_;
    std::deque<Route> routes_;
    std::vector<Open> open_;
    std::vector<const Route*> now_;  // the routes of the node under work
    std::vector<Constraint> gathered_;
    Cost lower_bound_ = 0;
    std::int64_t bytes_ = 0, pushed_ = 0;
    Statistics statistics_;
};

}  // namespace sidestep::cbs
