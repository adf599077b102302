// Increasing Cost Tree Search (Sharon, Stern, Goldenberg and Felner 2013): optimal plans for the
// sum of costs.
//
// A node of the tree gives every agent a cost; its children give one agent the next higher one. The
// low level asks whether there are paths of exactly these costs that keep the rules: a joint search
// over the agents' decision diagrams. Nodes are visited in the order of their sums, so the first
// that has such paths is optimal. Pairs of agents are asked first, because most nodes fail for two
// of them already.
//
// With `independence`, the agents of a node are searched apart and merged only when their paths
// conflict, as in independence detection (Standley 2010). Agents that fail together do so in
// all descendants that leave their costs as they are. So only they get children, and what disjoint
// failures cost at least is added to the sum that orders the nodes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"
#include "sidestep/solvers/icts/cost_diagram.hpp"
#include "sidestep/solvers/icts/pairs.hpp"
#include "sidestep/solvers/icts/walk.hpp"
#include "sidestep/spacetime/conflicts.hpp"
#include "sidestep/spacetime/search.hpp"

namespace sidestep::icts {

enum class Pruning : std::uint8_t { none, simple, enhanced };

// The nodes of an increasing cost tree that are still to be visited, each one once.
class CostTree {
  public:
    void clear(std::size_t agents);
    // Costs as increments over the root's. False: one is too high to be stored.
    bool add(std::span<const Cost> increments, Cost bound);
    bool empty() const { return open_.empty(); }
    Cost lowest_bound() const { return open_.begin()->first; }
    // Takes a node of the lowest bound: the newest of them, or the oldest.
    void take(bool newest, std::span<Cost> increments);
    std::int64_t bytes() const {
        return seen_.bytes() + static_cast<std::int64_t>(seen_.size()) * 4;
    }

  private:
    static constexpr int kBits = 16;
    struct Bucket {
        std::vector<std::uint32_t> nodes;
        std::size_t taken = 0;  // from the front
    };
    std::size_t agents_ = 0;
    PackedSet seen_;
    std::map<Cost, Bucket> open_;
    std::vector<std::uint64_t> key_;
};

class Icts {
  public:
    struct Options {
        Pruning pruning = Pruning::enhanced;
        bool independence = true;
    };
    // Some of the agents, as if the others were not there.
    struct Task {
        std::span<const AgentId> agents;
        Cost cost_limit = kUnreachable;  // the most that they may cost together
        // Paths from time 0 of others that must and that should be avoided.
        std::span<const std::vector<Vertex>> illegal = {}, avoid = {};
    };
    struct Statistics {
        std::int64_t tree_nodes = 0, diagrams = 0, pairs = 0, joint_searches = 0;
        std::int32_t largest_group = 0;
    };

    Icts(Space space, Rules rules, Options options, std::span<const Vertex> starts,
         std::span<const Vertex> goals);
    Icts(const Icts&) = delete;
    Icts& operator=(const Icts&) = delete;

    // no_path: within the cost limit there is none. Without a limit and without a plan it goes on
    // until the budget or the memory ends. Diagrams and pairs are kept for the next task.
    Outcome solve(const Task& task, Budget& budget);

    // After `found`: the path of one of the task's agents, from time 0 to its cost.
    std::span<const Vertex> path(AgentId agent) const { return agents_[agent].path; }
    const Space& space() const { return space_; }
    std::int32_t size() const { return static_cast<std::int32_t>(agents_.size()); }
    // What the last task costs at least; kUnreachable if some agent has no way at all.
    Cost lower_bound() const { return lower_bound_; }
    std::int64_t most_bytes() const { return holding_.most(); }
    const Statistics& statistics() const { return statistics_; }

  private:
    struct Agent {
        CostDiagram::Journey journey;
        Cost base = kNotReady;                               // the distance from start to goal
        std::vector<std::unique_ptr<CostDiagram>> diagrams;  // by the cost beyond the base
        Cost cost = 0;                                       // in the node at hand
        std::vector<Vertex> path;                            // in the node at hand
        std::int32_t group = -1;  // -1: not, or no longer, in the node at hand
    };
    struct Pair {
        bool compatible = false;
        Cost increase = -1;  // the least by which their costs must rise together; -1: not known yet
        std::unique_ptr<Survivors> survivors;
    };
    // Agents that cannot have their costs together, and what they need more at least.
    struct Failure {
        std::vector<AgentId> agents;
        Cost increase = 1;
    };
    using Members = std::vector<AgentId>;
    // Agents that have no paths of these costs together.
    struct Quarrel {
        Members agents;
        std::vector<Cost> costs;
    };

    bool get_ready(Agent& agent, Budget& budget);
    const CostDiagram* diagram(AgentId agent, Cost cost, Budget& budget);
    Pair* pair(AgentId a, Cost cost_a, AgentId b, Cost cost_b, Budget& budget);
    bool find_increase(AgentId a, AgentId b, Pair& pair, Budget& budget);
    const Survivors* survivors(AgentId a, AgentId b, Pair& pair, Budget& budget);

    Outcome visit(Budget& budget);
    Outcome visit_together(Budget& budget);
    Outcome visit_apart(Budget& budget);
    Outcome check_known_pairs(Budget& budget);
    Outcome plan_alone(Budget& budget);
    std::optional<Conflict> first_conflict(const Members& agents);
    Members active_except(const Members& agents) const;
    Outcome settle(const Conflict& conflict, Budget& budget);
    Outcome merge(Conflict conflict, Budget& budget);
    Outcome solve_core(const Members& core, Budget& budget);
    Outcome check_pair(AgentId a, AgentId b, Budget& budget);
    Outcome search(const Members& members, std::span<const AgentId> around, Budget& budget);
    Outcome prune(const Members& members, Budget& budget);
    void fail(Members agents, Cost increase);
    void set_paths(const Members& members, std::vector<std::vector<Vertex>>& paths);
    bool expand(Cost sum);

    Space space_;
    Rules rules_;
    Options options_;
    Holding holding_;
    Distances distances_;
    Walk joint_;
    std::vector<Agent> agents_;
    std::unordered_map<std::uint64_t, Pair> pairs_;
    std::vector<std::pair<AgentId, AgentId>> rivals_;  // pairs that were incompatible once
    std::vector<Quarrel> quarrels_;                    // between more than two
    Statistics statistics_;
    Cost lower_bound_ = 0;
    std::int64_t tree_bytes_ = 0, traffic_bytes_ = 0;

    // The task at hand.
    Members members_;
    Cost cost_limit_ = kUnreachable;
    std::vector<CostDiagram> walls_;
    std::vector<std::vector<Vertex>> strangers_;
    CostTree tree_;

    // The node at hand.
    std::vector<Members> groups_;
    std::vector<Failure> failures_;
    Occupied traffic_;
    std::vector<Walker> walkers_;
    std::vector<std::vector<std::uint8_t>> alive_;
    std::vector<std::vector<Vertex>> found_;
};

}  // namespace sidestep::icts
