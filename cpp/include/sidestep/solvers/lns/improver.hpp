// Large neighbourhood search (Li et al. 2021): some agents give up their paths and plan again, one
// after another, around all others; the new paths stay if they are not worse than allowed.
//
// With a temperature a little worse is allowed at first (annealing): a number of steps that is
// drawn once per repair, on average `temperature` thousandths. The bound of every search is what
// may still be spent, so that a repair which cannot pay ends early. The best plan is kept as a
// journal of what has changed since.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/solvers/lns/bandit.hpp"
#include "sidestep/solvers/lns/live_plan.hpp"
#include "sidestep/solvers/lns/neighbourhoods.hpp"
#include "sidestep/spacetime/intervals.hpp"

namespace sidestep {

class Improver {
  public:
    Improver(LivePlan plan, std::uint64_t seed);
    Improver(const Improver&) = delete;
    Improver& operator=(const Improver&) = delete;

    // One neighbourhood. False: the budget ended in its middle, and the plan is as it was before.
    bool repair(std::int32_t temperature, Budget& budget);

    // Back to the best plan.
    void restore_best();
    // Takes over paths from elsewhere: a whole plan, or those of some agents if they fit and do not
    // cost more; says whether they did.
    bool adopt(std::span<const SpotPath> paths, Budget& budget);
    bool try_change(std::span<const AgentId> agents, std::span<SpotPath> paths, Budget& budget);

    std::int64_t best() const { return best_; }
    const LivePlan& plan() const { return plan_; }
    std::span<const SpotPath> plan_paths() const { return plan_.paths(); }
    std::vector<SpotPath> best_paths() const;
    std::int64_t repairs() const { return repairs_; }
    std::int64_t accepted() const { return accepted_; }
    std::int64_t bytes() const;

    // What has been accepted since it was last asked to remember, in its order.
    struct Change {
        std::vector<AgentId> agents;
        std::vector<SpotPath> paths;
    };
    std::vector<Change>& changes() { return changes_; }
    void remember_changes(bool yes) {
        remembers_ = yes;
        changes_.clear();
    }

  private:
    bool plan_members(std::int64_t allowed, std::int32_t tube, Dice& dice, Budget& budget);
    void mark_tube(AgentId agent, std::int32_t radius);
    void undo(std::size_t planned);
    void accept();
    void keep_journal();

    LivePlan plan_;
    Neighbourhoods neighbourhoods_;
    Bandit bandit_;
    Intervals search_;
    std::uint64_t seed_;
    std::int64_t best_ = 0, repairs_ = 0, accepted_ = 0;

    std::vector<AgentId> members_;
    std::vector<SpotPath> found_;
    std::int64_t old_cost_ = 0, new_cost_ = 0;
    bool out_of_budget_ = false;

    std::vector<std::uint32_t> tube_;
    std::uint32_t tube_mark_ = 0;
    std::vector<Spot> queue_;

    // Paths of the best plan that have changed since.
    std::vector<SpotPath> saved_;
    std::vector<AgentId> saved_agents_;
    std::vector<std::uint8_t> is_saved_;

    bool remembers_ = false;
    std::vector<Change> changes_;
};

}  // namespace sidestep
