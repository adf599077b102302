// Large neighbourhood search over a whole plan: it begins with a plan, and makes it cheaper for as
// long as it may (lns/improver.hpp has one repair).
//
// With several *lanes* it works in rounds: every lane begins with the same plan, has a seed of its
// own and spends the same nodes; then the best lane's plan is taken, and what the others have
// changed is added where it still fits and does not cost more. Lanes are part of what is asked for;
// on how many threads they run changes nothing but the time it takes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sidestep/distance/fields.hpp"
#include "sidestep/distance/roads.hpp"
#include "sidestep/model/agents.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/solvers/lns/improver.hpp"

namespace sidestep {

class Lns {
  public:
    static constexpr std::int32_t kMostLanes = 64;
    static constexpr std::int32_t kAuto = -1;  // a temperature: warm on small maps

    struct Options {
        Time margin = 0;
        std::int32_t lanes = 1, threads = 1;
        std::int32_t temperature = 0;  // in thousandths of a step, or kAuto
        std::int64_t patience = 0;     // repairs without a better plan after which it ends
        double seconds = 0;            // when the time will be over, if that is known
    };

    Lns(const Space& space, Rules rules, const Agents& agents, Options options, std::uint64_t seed);
    Lns(const Lns&) = delete;
    Lns& operator=(const Lns&) = delete;

    // Finds all distances: done before anything else. False: the budget ended; it can go on later.
    bool prepare(Budget& budget);
    // Can everybody reach its goal at all? Known after prepare.
    bool is_possible() const { return possible_; }

    bool is_prepared() const { return planned_agents_.size() == starts_.size(); }

    // The plan to begin with: a path per agent, from its start to where it arrives for good,
    // without collisions. `found`: it is. `no_path`: the paths collide. Else the budget ended.
    Outcome begin(std::vector<SpotPath> paths, Budget& budget);

    // The same for a plan whose paths may collide or be missing (empty): it is mended first.
    Outcome mend(std::vector<SpotPath> paths, Budget& budget);

    // A plan to begin with, by prioritised planning: one after another, those with a long way
    // first. Who finds no way plans first next time, up to `restarts` times. `no_path`: none was
    // found.
    Outcome plan_all(std::int64_t restarts, Budget& budget);
    std::int64_t attempts() const { return attempts_; }
    AgentId failed() const { return failed_; }

    // Repairs until about this many nodes are spent. `found`: it can go on. `no_path`: it has come
    // to its end, by patience or because nothing can be cheaper.
    Outcome run(std::int64_t nodes, Budget& budget);

    // The best plan so far. Calls must not come in the middle of a run.
    std::vector<SpotPath> paths() const;
    std::int64_t cost() const { return best_; }
    std::int64_t lower_bound() const { return least_; }
    std::int64_t repairs() const;
    std::int64_t accepted() const;
    std::int64_t bytes() const;
    bool has_plan() const { return !lanes_.empty(); }

    // When the plan became better.
    struct Row {
        double seconds;
        std::int64_t nodes, cost;
    };
    static constexpr std::size_t kMostRows = 1000;
    const std::vector<Row>& history() const { return history_; }

    const Space& space() const { return space_; }
    const Roads& roads() const { return roads_; }
    Spot start(AgentId agent) const { return starts_[agent]; }
    Spot goal(AgentId agent) const { return goals_[agent]; }
    bool stays(AgentId agent) const { return !rules_.disappear || goals_[agent] == kNowhere; }
    std::int32_t agents() const { return static_cast<std::int32_t>(starts_.size()); }

  private:
    std::int32_t spent_of(const Budget& budget) const;
    std::int32_t temperature(const Budget& budget) const;
    Outcome attempt(std::span<const AgentId> order, std::vector<SpotPath>& paths, Budget& budget);
    bool run_alone(std::int64_t nodes, Budget& budget);
    bool run_round(std::int64_t nodes, Budget& budget);
    void run_lane(std::size_t lane, std::int32_t temperature, Budget& budget);
    bool merge(Budget& budget);
    void note(const Budget& budget);

    const Space& space_;
    Rules rules_;
    Roads roads_;
    Fields fields_;
    Options options_;
    std::uint64_t seed_;
    std::vector<Spot> starts_, goals_;
    std::vector<PlannedAgent> planned_agents_;
    std::vector<std::unique_ptr<Improver>> lanes_;
    bool possible_ = true;
    std::int64_t attempts_ = 0;
    AgentId failed_ = kNobody;
    std::vector<std::int32_t> priorities_;
    std::int64_t least_ = 0, best_ = 0;
    std::int64_t best_at_ = 0;  // how many repairs there were then
    std::vector<Row> history_;
    std::int64_t nodes_per_row_ = 0;
};

}  // namespace sidestep
