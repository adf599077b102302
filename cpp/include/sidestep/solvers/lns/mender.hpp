// Mends a plan whose paths collide, or are missing: for plans that broke, since a wall closed or an
// agent was pushed, and for those of other programs.
//
// Paths that fit together stay. The others plan again one by one, around all that stay; who finds
// no way takes the path with the fewest collisions, and those in its way plan again after it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/solvers/lns/holders.hpp"
#include "sidestep/solvers/lns/live_plan.hpp"
#include "sidestep/spacetime/intervals.hpp"
#include "sidestep/spacetime/soft_intervals.hpp"

namespace sidestep {

class Mender {
  public:
    Mender(const Space& space, Rules rules, const Roads& roads,
           std::span<const PlannedAgent> agents, Time margin, std::uint64_t seed);

    // Changes as few paths as it can until none collide; an empty path is missing. `no_path`: it
    // went round in circles for too long.
    Outcome mend(std::vector<SpotPath>& paths, Budget& budget);

  private:
    bool parks(AgentId agent) const {
        return !lines_.rules().disappear || agents_[agent].goal == kNowhere;
    }
    bool keep_what_fits(std::vector<SpotPath>& paths, Budget& budget);
    Outcome plan(AgentId agent, std::vector<SpotPath>& paths, Budget& budget);
    void make_way(AgentId agent, std::vector<SpotPath>& paths);
    void eject_crossing(Spot from, Spot to, Time t, std::vector<SpotPath>& paths);
    bool put(AgentId agent, const SpotPath& path, Budget& budget);
    void take(AgentId agent, const SpotPath& path);

    std::span<const PlannedAgent> agents_;
    Timelines lines_;
    Holders holders_;
    Intervals hard_;
    SoftIntervals soft_;
    std::uint64_t seed_;
    std::vector<AgentId> waiting_;
};

}  // namespace sidestep
