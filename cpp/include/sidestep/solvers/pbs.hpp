// Priority-Based Search (Ma, Harabor, Stuckey, Li and Koenig 2019): prioritised planning that looks
// for the order of agents as it goes.
//
// At first everybody plans alone. Where two paths collide there are two branches: in each, one of
// the two is the superior, and the other plans around it, and around those who are superior to that
// one. So orders are decided only where they matter. The search is depth-first and takes the
// cheaper branch first; it is fast, but neither complete nor optimal.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_set>
#include <vector>

#include "sidestep/solvers/cbs/conflicts.hpp"
#include "sidestep/solvers/cbs/constraints.hpp"
#include "sidestep/solvers/cbs/instance.hpp"
#include "sidestep/solvers/cbs/low_level.hpp"
#include "sidestep/spacetime/occupants.hpp"
#include "sidestep/spacetime/search.hpp"
#include "sidestep/spacetime/traffic.hpp"

namespace sidestep {

class Pbs {
  public:
    struct Counts {
        std::int64_t expanded = 0, generated = 0, replanned = 0, duplicates = 0, low_level = 0;
        std::int64_t orders = 0;  // that the plan rests on
    };

    // `priorities`: of two that collide, the branch comes first in which the higher is superior.
    Pbs(const Space& space, const Rules& rules, std::span<const Vertex> starts,
        std::span<const Vertex> goals, std::span<const std::int32_t> priorities);
    Pbs(const Pbs&) = delete;
    Pbs& operator=(const Pbs&) = delete;

    // found; no_path: every order was tried (there may be a plan nevertheless); out_of_budget.
    Outcome run(Budget& budget);

    // After a plan was found: the path of each agent.
    std::span<const Vertex> path(std::size_t k) const { return now_[k]->path; }
    const Counts& counts() const { return counts_; }
    // No plan costs less: the sum of all distances. 0 until all agents have a path.
    std::int64_t lower_bound() const { return lower_bound_; }

  private:
    struct Route {
        AgentId agent;
        Cost cost;
        std::vector<Vertex> path;
    };
    struct Change {
        const Route *before, *after;
    };
    struct Collision {
        Time time;
        AgentId first, second;
    };
    struct Node {
        Node* parent = nullptr;
        std::int32_t depth = 0;
        AgentId superior = kNobody, inferior = kNobody;
        std::vector<Change> changes;
        std::vector<Collision> collisions;  // the first of each pair
        Cost cost = 0;
        std::uint64_t orders = 0;  // a hash of them all
    };

    Outcome plan_root();
    void expand(Node& node);
    Node* make_child(Node& node, AgentId superior, AgentId inferior);
    bool settle(Node& child);
    Outcome replan(Node& child, AgentId agent);
    bool meets_superior(AgentId agent);
    bool find_collisions(const Node& parent, Node& child);
    void go_to(Node& node);
    void redo(const Node& node);
    void undo(const Node& node);
    void lay(const Route* before, const Route* after);
    const std::vector<AgentId>& superiors_of(AgentId agent);
    std::vector<AgentId> inferiors_of(AgentId agent) const;
    bool goes_first(const Node* a, const Node* b) const;
    bool stays(AgentId a) const { return !instance_.vanishes(a); }
    cbs::AgentPath agent_path(AgentId a) const { return {a, now_[a]->path}; }
    std::int32_t count() const { return static_cast<std::int32_t>(now_.size()); }
    std::int64_t bytes() const;

    Traffic superiors_, rest_;  // for the agent that plans
    cbs::Instance instance_;
    cbs::ConstraintTable table_;
    cbs::LowLevel low_level_;
    Occupants others_;  // the paths of the node under work
    const std::vector<std::int32_t> priorities_;
    Budget* budget_ = nullptr;

    std::deque<Node> nodes_;
    std::deque<Route> routes_;
    std::vector<const Route*> now_;
    std::vector<std::vector<AgentId>> above_, below_;  // by agent, in the node under work
    std::vector<AgentId> found_;                       // of superiors_of
    std::vector<std::uint8_t> marks_;                  // of those
    Node* current_ = nullptr;
    std::vector<Node*> stack_;
    std::unordered_set<std::uint64_t> seen_;
    std::int64_t bytes_ = 0, lower_bound_ = 0;
    Counts counts_;
};

}  // namespace sidestep
