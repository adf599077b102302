// Windowed planning (WPPL; Jiang et al. 2024): a plan of the next steps of all agents, which is
// repaired while there is time.
//
// Every turn it is rolled out by priority inheritance, in which the guiding path of an agent is its
// first wish (without guidance: its path of the last turn), so it has no collisions. Then some
// agents at a time give up their paths and plan again one by one around all others; what costs less
// stays. An agent costs the steps until it is on its goal, or, where it does not get there, the
// whole window and the distance that is left. Where those who arrive go on at once to somewhere
// else, they are gone from the plan when they have arrived: nobody knows where they will be.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/distance/fields.hpp"
#include "sidestep/distance/roads.hpp"
#include "sidestep/model/archive.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/solvers/guidance.hpp"
#include "sidestep/solvers/inheritance.hpp"

namespace sidestep {

class Horizon {
  public:
    struct Options {
        std::int32_t window = 0;  // steps ahead; 0: no such plan
        std::int32_t effort = 0;  // nodes per agent and turn that repairs may take
    };

    // The fields of travels must keep distances.
    Horizon(const Space& space, const Rules& rules, const Roads& roads, Inheritance& inheritance,
            Options options)
        : space_(space),
          rules_(rules),
          roads_(roads),
          inheritance_(inheritance),
          options_(options) {}

    // Plans on from where the task begins; its first step is what everybody does now. `going_on`:
    // those who arrive go on at once.
    Inheritance::Outcome plan(const Inheritance::Task& task, const Guidance* guidance,
                              bool going_on, std::span<Spot> to, Budget& budget);

    // What is planned holds no more.
    void forget() { length_ = 0; }

    // The plan, for one that was made for the same roads to go on exactly as this one would.
    void save(Writer& writer) const { writer(length_, goals_, rows_); }
    void load(Reader& reader);
    void copy(const Horizon& other);

    std::int64_t bytes() const;
    // How many repairs were tried and kept, for tests and benchmarks.
    std::int64_t tried() const { return tried_; }
    std::int64_t kept() const { return kept_; }

  private:
    struct Node {
        Spot spot;
        std::int32_t parent;
        std::int32_t depth;
        Cost cost;  // the least that a path through it costs
        bool arrived;
    };

    Inheritance::Outcome roll(const Inheritance::Task& task, const Guidance* guidance,
                              Budget& budget);
    void keep_wishes(const Inheritance::Task& task);
    void find_here();
    void wish(const Guidance* guidance);
    void sort_by_arrival(const Inheritance::Task& task);
    void repair(std::uint64_t draw, Budget& budget);
    bool gather(std::uint64_t draw);
    void gather_in_the_way(AgentId agent, std::size_t most, std::uint64_t draw);
    void gather_beside(std::size_t most, std::uint64_t draw);
    void join(AgentId agent);
    bool replan_members(Budget& budget);
    bool replan(AgentId agent, Cost bound, Budget& budget);
    void expand(AgentId agent, std::int32_t node, Cost bound);
    void generate(const Node& node, Cost bound);
    bool may_go(Spot from, Spot to, std::int32_t depth) const;
    void adopt(AgentId agent, std::int32_t last);
    void put(AgentId agent, AgentId mark);

    bool is_done(AgentId agent, Spot s) const;
    // Is it gone from the plan, once it has been there at that time?
    bool ends(AgentId agent, Spot s, std::int32_t depth) const {
        return going_on_ && depth > 0 && s != kNowhere && s == goals_[agent];
    }
    Cost left(AgentId agent, Spot s) const;
    Cost least_of(AgentId agent) const;
    Cost cost_of(AgentId agent) const;
    std::size_t count() const { return goals_.size(); }
    Spot& at(AgentId agent, std::int32_t depth) {
        return rows_[static_cast<std::size_t>(depth) * count() + static_cast<std::size_t>(agent)];
    }
    Spot at(AgentId agent, std::int32_t depth) const {
        return rows_[static_cast<std::size_t>(depth) * count() + static_cast<std::size_t>(agent)];
    }
    std::size_t cell(Spot s, std::int32_t depth) const {
        return static_cast<std::size_t>(depth) * static_cast<std::size_t>(roads_.size()) + s;
    }

    const Space& space_;
    const Rules& rules_;
    const Roads& roads_;
    Inheritance& inheritance_;
    Options options_;

    std::int32_t length_ = 0;  // steps that are planned
    bool going_on_ = false;
    std::vector<Spot> goals_;
    std::vector<Spot> rows_;  // all spots of a time side by side; kNowhere for who is gone

    // Of the roll-out.
    std::vector<Spot> before_;           // the rows of the last turn
    std::int32_t before_length_ = 0;     // as many steps
    std::vector<std::uint8_t> follows_;  // who still is on its path of the last turn
    std::vector<std::uint8_t> arrived_;
    std::vector<Spot> here_;  // the last row, without those who are gone
    std::vector<Spot> wishes_;
    std::vector<AgentId> order_, later_;

    // Of repairs.
    std::span<const Travel> travels_;
    std::vector<AgentId> holders_;  // by time and spot; only while repairs go on
    std::vector<Cost> costs_;       // by agent
    std::vector<AgentId> members_;
    std::vector<Spot> saved_;  // paths of the members
    std::vector<Node> nodes_;
    std::vector<std::vector<std::int32_t>> buckets_;  // by cost above the least
    std::vector<std::uint32_t> seen_;  // by time and spot, and whether it has arrived
    std::uint32_t stamp_ = 0;
    Cost least_ = 0;
    std::int64_t tried_ = 0, kept_ = 0;
};

}  // namespace sidestep
