// Explicit Estimation Conflict-Based Search (Li, Ruml and Koenig 2021): plans that cost at most a
// given factor more than the best.
//
// The tree of constraints is that of Conflict-Based Search, but the paths of a node may be dearer
// than the cheapest, if that avoids collisions: within the factor of what their agents cost at
// least. A node has a lower bound, the sum of what its agents cost at least; a cost, the sum of
// their paths; and an estimate of what a plan below it costs, from what expansions have turned out
// to cost so far. Three lists (eecbs/lists.hpp) decide which node comes next: one that seems close
// to a plan as long as it is within the factor of the best bound, else the one that raises the
// bound.
//
// The paths of the node under work lie in one table of occupants, which is changed by the
// difference between two nodes: up to their common ancestor and down again.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "sidestep/solvers/cbs/search.hpp"
#include "sidestep/solvers/eecbs/focal_search.hpp"
#include "sidestep/solvers/eecbs/lists.hpp"
#include "sidestep/spacetime/occupants.hpp"

namespace sidestep::eecbs {

struct Counts {
    std::int64_t expanded = 0, generated = 0, bypassed = 0;
    std::int64_t from_focal = 0, from_open = 0, from_cleanup = 0;
    std::int64_t low_level = 0;
    std::array<std::int64_t, cbs::kReasons> conflicts{};  // those that were split, by reason
};

class Search {
  public:
    // All agents have goals, and the cost of a path is its length.
    Search(const Space& space, const Rules& rules, std::span<const Vertex> starts,
           std::span<const Vertex> goals, Factor factor, const cbs::Options& options);
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

    // found, no_path (the tree is exhausted: there is no plan), or out_of_budget.
    Outcome run(Budget& budget);

    // No plan costs less. It never falls.
    std::int64_t lower_bound() const { return lower_bound_; }
    // After a plan was found: the path of each agent.
    std::span<const Vertex> path(std::size_t k) const { return now_[k]->path; }
    const Counts& counts() const { return counts_; }

  private:
    struct Route {
        AgentId agent;
        cbs::SetId set;
        Cost least;  // under its constraints
        std::vector<Vertex> path;
        Cost cost() const { return static_cast<Cost>(path.size()) - 1; }
    };
    struct Change {
        const Route *before, *after;
    };
    struct Node {
        Node* parent = nullptr;
        std::int32_t number = 0, depth = 0;
        std::vector<cbs::Imposed> imposed;
        std::vector<Change> changes;  // of the parent's routes
        std::vector<cbs::Conflict> conflicts;
        Cost bound = 0, h = 0, cost = 0;  // h: what the conflicts add to the bound
        std::int32_t pairs = 0;           // that collide
        std::int64_t estimate = 0;
        bool evaluated = false;
    };

    Outcome plan_root();
    Node* choose();
    void open(Node& node);
    Listed listed(const Node& node) const;
    void go_to(Node& node);
    void lay(const Route* before, const Route* after);
    bool raise_bound(Node& node);
    bool classify(Node& node);
    Outcome expand(Node& node);
    Outcome make_child(Node& node, std::vector<cbs::Imposed> imposed, Node& child);
    Outcome end_with(Node& node);
    bool pays(const Node& node, const Node& child) const;
    std::vector<AgentId> broken_by(const std::vector<cbs::Imposed>& imposed);
    Outcome replan(Node& child, AgentId agent);
    Outcome find_path(Route& route);
    bool find_conflicts(const Node& parent, Node& child);
    void undo(const Node& node);
    void adopt(Node& node, Node& child);
    void learn(const Node& node, std::span<Node* const> children);
    std::int64_t estimate(const Node& node) const;
    Route& keep(Route route);
    cbs::Party party(std::int32_t k) const {
        return {k, now_[k]->set, now_[k]->least, now_[k]->path};
    }
    bool stays(AgentId a) const { return !instance_.vanishes(a); }
    std::int32_t count() const { return static_cast<std::int32_t>(now_.size()); }
    std::int64_t bytes() const {
        return shared_.bytes() + others_.bytes() + focal_.bytes() + bytes_;
    }

    cbs::Instance instance_;
    cbs::SharedState shared_;
    const cbs::Options options_;
    cbs::Splitting splitting_;
    const Factor factor_;
    Lists lists_;
    Occupants others_;  // the paths of the node under work
    FocalSearch focal_;
    Budget* budget_ = nullptr;

    std::deque<Node> nodes_;
    std::deque<Route> routes_;
    std::vector<const Route*> now_;  // the routes of the node under work
    Node* current_ = nullptr;
    std::vector<cbs::Constraint> gathered_;
    std::vector<std::uint8_t> met_;
    std::vector<Cost> leasts_;  // by set of constraints; kNotReady: not known yet
    // What the best child of a node has turned out to cost, and to leave to do, beyond its parent.
    std::int64_t learned_ = 0, cost_error_ = 0, distance_error_ = 0;
    std::int64_t lower_bound_ = 0, bytes_ = 0;
    Counts counts_;
};

}  // namespace sidestep::eecbs
