// What any plan costs at least, as a certificate: facts about few agents at a time that anybody can
// check, whose costs add up.
//
// - Every agent has at least its distance to go.
// - Who cannot avoid the goal of an agent passes it before that one arrives for good. (Only where
//   agents stay on their goals and every step counts.)
// - Agents fall into disjoint groups. What a group costs by itself it costs at least among the
//   others. First come pairs whose cheapest paths all collide (the decision diagrams of
//   Conflict-Based Search; Li, Felner, Boyarski, Ma and Koenig 2019), of which those are taken that
//   weigh most together; then groups grow as long as that raises the sum.
//
// The bound never falls, and work can go on where a budget ended it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "sidestep/combinatorial/pairing.hpp"
#include "sidestep/distance/fields.hpp"
#include "sidestep/distance/roads.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/solvers/cbs/search.hpp"
#include "sidestep/solvers/cbs/shared_state.hpp"
#include "sidestep/spacetime/search.hpp"

namespace sidestep {

class LowerBound {
  public:
    using Total = std::int64_t;

    // `agent` arrives after `other` has passed its goal, so it costs at least `cost`.
    struct Passage {
        AgentId agent, other;
        Cost cost;
    };
    // These cost at least so much together, even if nobody else were there.
    struct JointCost {
        std::vector<AgentId> agents;  // ascending
        Cost cost;
    };
    struct Counts {
        std::int64_t pairs_compared = 0, pairs_dependent = 0, groups_tried = 0;
    };

    // Starts are open vertices, all different; goals too, or kNowhere.
    LowerBound(const Space& space, const Rules& rules, std::span<const Vertex> starts,
               std::span<const Vertex> goals);
    LowerBound(const LowerBound&) = delete;
    LowerBound& operator=(const LowerBound&) = delete;

    // Works on until the value is `enough`, or nothing is left to try (both: found); until the
    // budget ran out; or until somebody turns out to have no way (no_path).
    Outcome run(Budget& budget, Total enough);

    // No plan costs less.
    Total value() const { return value_; }
    bool is_done() const { return stage_ == Stage::done; }
    // What each agent costs at least by itself: its distance, or what a passage says.
    std::span<const Cost> alone() const { return alone_; }
    std::span<const Passage> passages() const { return passages_; }
    std::vector<JointCost> groups() const;
    const Counts& counts() const { return counts_; }
    std::int64_t bytes() const;

  private:
    enum class Stage : std::uint8_t { distances, passages, diagrams, pairs, cover, groups, done };
    // Where a cheapest path can be, and how many other places it can be instead at that time.
    struct Whereabouts {
        Time time;
        AgentId agent;
        std::int32_t width;
    };
    struct Candidate {
        std::int64_t width;  // narrow ones are the likeliest to depend on each other
        AgentId first, second;
    };

    bool step(Budget& budget);
    bool find_distance(Budget& budget);
    bool find_passages(Budget& budget);
    bool draw_diagram(Budget& budget);
    bool list_candidates(Budget& budget);
    bool compare_pair(Budget& budget);
    void choose_pairs(Budget& budget);
    bool grow_groups(Budget& budget);
    bool try_group(const std::vector<AgentId>& agents, Budget& budget, Cost& cost);
    void take(std::vector<AgentId> agents, Cost cost);
    Cost sum_of(const std::vector<AgentId>& agents) const;
    std::vector<AgentId> with_group_of(AgentId agent) const;
    void refresh_shared();
    std::int32_t count() const { return static_cast<std::int32_t>(starts_.size()); }

    const Space& space_;
    Roads roads_;
    Fields fields_;
    cbs::Instance instance_;
    std::unique_ptr<cbs::SharedState> shared_;
    std::vector<cbs::SetId> sets_;  // of no constraints, by agent
    const std::vector<Vertex>& starts_;
    const std::vector<Vertex>& goals_;

    Stage stage_ = Stage::distances;
    std::size_t next_ = 0;  // what comes next in a stage
    bool impossible_ = false;
    std::vector<Cost> alone_, distances_;
    std::vector<Passage> passages_;
    std::vector<std::vector<Whereabouts>> seen_;  // by vertex
    std::vector<Candidate> candidates_;
    std::vector<WeightedPair> dependent_;
    std::vector<JointCost> groups_;       // without agents: it was merged into another
    std::vector<std::int32_t> group_of_;  // by agent
    std::unordered_set<std::uint64_t> tried_;
    std::size_t effort_ = 0;
    bool grown_ = false;
    Total value_ = 0;
    Counts counts_;
};

}  // namespace sidestep
