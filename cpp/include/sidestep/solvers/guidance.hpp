// Local guidance (Arita and Okumura 2026): before a step of priority inheritance every agent plans
// a few steps ahead, around what the others plan. The first step of its path is the spot that it is
// guided to, its first wish.
//
// Paths may collide: a step costs 1, a collision with the path of somebody else `collision` more,
// and the end the distance that is left. Paths are kept from one configuration to the next. Tables
// over time modulo the window say who plans to be where; who puts its path over that of somebody
// else disturbs both, and only who is disturbed, does not go straight to its goal or was pushed off
// its path plans anew.
//
// Who stands on its goal keeps it, as an obstacle that others may push: under `sum_of_costs` to
// step aside late costs the whole stay. Where waiting on the goal is free (`time_off_goal`), it
// plans to step aside when it is disturbed. Where those who arrive go on at once to somewhere else,
// paths end at goals: nobody knows where they lead from there, and to keep the goal would only send
// others round it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/distance/fields.hpp"
#include "sidestep/distance/roads.hpp"
#include "sidestep/model/archive.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/solvers/inheritance.hpp"

namespace sidestep {

class Guidance {
  public:
    struct Options {
        std::int32_t window = 0;  // steps ahead; 0: no guidance
        Cost collision = 2;
        // How many steps a path with waits or detours is kept, if nobody disturbs it, before it is
        // planned anew.
        std::int32_t renewed_every = 1;
        Cost collision_going_on = 2;  // like `collision`, where paths end at goals
    };
    // Stands for a window that is long where agents fill more than a tenth of the open places, and
    // for a cost of collisions that suits the window.
    static constexpr std::int32_t kAuto = -1;
    static Options chosen(Options asked, std::int64_t agents, std::int64_t places);

    // More agents are not guided: counts are 16 bits wide.
    static constexpr std::size_t kMostAgents = 65535;
    // A window for which the tables would take more is cut.
    static constexpr std::int64_t kMostBytes = std::int64_t{1} << 29;

    Guidance(const Roads& roads, Fields& fields, const Rules& rules, Options options);

    // Plans for the configuration `from`, which follows that of the last call unless all was
    // forgotten. Agents plan in this order; `guided` has the next spot of each, or kNowhere for who
    // is not guided. `going_on`: those who arrive go on at once. False: the budget ran out, and all
    // is forgotten.
    bool plan(std::span<const Travel> travels, std::span<const Spot> from,
              std::span<const AgentId> order, std::uint64_t draw, std::span<Spot> guided,
              Budget& budget, bool going_on = false);

    // Where the path of an agent leads some steps ahead; kNowhere beyond its end.
    Spot planned(AgentId agent, Time ahead) const {
        return plans_[agent].until >= now_ + ahead ? steps_[place(agent, now_ + ahead)].spot
                                                   : kNowhere;
    }

    // An agent has another goal: it plans anew.
    void redirect(AgentId agent) {
        if (static_cast<std::size_t>(agent) < plans_.size()) plans_[agent].disturbed = true;
    }
    // The next configuration does not follow the last one.
    void forget();
    // Roads have changed: whatever was planned is void.
    void changed();

    // All paths, for one that was made for the same roads to go on exactly as this one would.
    void save(Writer& writer) const;
    void load(Reader& reader);
    void copy(const Guidance& other);

    // Do the tables hold the paths, and nothing else? For tests: it looks at all of them.
    bool is_consistent() const;

    std::int32_t window() const { return window_; }
    std::int64_t bytes() const;

  private:
    using Road = std::int32_t;  // a directed edge, by its place among all rows
    static constexpr Road kNoRoad = -1;

    // A spot at a time, modulo the window.
    struct Cell {
        std::uint32_t best = 0;   // of a search: its stamp, and how costly the spot is
        std::uint16_t sum = 0;    // of the numbers of those who plan to be there, modulo 2^16: if
        std::uint16_t count = 0;  // it is one, it is its number
    };
    struct Step {
        Spot spot = kNowhere;
        Road left_by = kNoRoad;  // how the spot is left; kNoRoad: by waiting
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.spot, self.left_by);
        }
    };
    // The tables of one step of time.
    struct Layer {
        const Cell* now;  // null: the step begins at this moment, when nobody plans any more
        Cell* next;
        const std::uint16_t* used;
    };
    struct Plan {
        Time until = -1;  // its last time in the tables; before now: there is none
        bool direct = false, disturbed = false, stays = false;
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.until, self.direct, self.disturbed, self.stays);
        }
    };
    struct Node {
        Spot spot;
        std::int32_t parent, next;  // next: in the same bucket
        Road came_by;
        std::int32_t depth, cost;
    };

    bool plan_for(AgentId agent, Budget& budget);
    bool follow(AgentId agent, Budget& budget);
    bool search(AgentId agent, Budget& budget);
    bool expand(const Travel& travel, std::int32_t node, Budget& budget);
    void generate(Cell& there, Node node);
    bool pop(std::int32_t& node);
    void adopt(AgentId agent, std::int32_t last);
    void stay(AgentId agent);
    void advance();
    void put(AgentId agent, Time time);
    void take(AgentId agent, Time time);
    void take_all(AgentId agent);
    Layer layer(Time time);
    std::int32_t collisions(const Layer& layer, Spot from, Spot to, Road road) const;
    std::int32_t cost_of(const Layer& layer, const Travel& travel, Spot from, Spot to, Road road,
                         Budget& budget);
    std::uint32_t stamped(std::int32_t cost) const;
    void disturb(const Cell& cell, AgentId agent);
    void find_reverse();
    void make_tables();
    void require_path(AgentId agent);
    bool ends(AgentId agent, Spot s) const {
        return (going_on_ || rules_.disappear) && s == travels_[agent].goal;
    }
    bool is_home(AgentId agent) const {
        return travels_[agent].field && from_[agent] == travels_[agent].goal;
    }

    // Times are not negative, and dividing whole numbers without a sign takes less time.
    std::size_t slot(Time time) const {
        return static_cast<std::uint32_t>(time) % static_cast<std::uint32_t>(window_);
    }
    Cell& cell(Spot s, Time time) {
        return cells_[slot(time) * static_cast<std::size_t>(roads_.size()) + s];
    }
    std::uint16_t& used(Road road, Time time) {
        return used_[slot(time) * static_cast<std::size_t>(roads_.roads()) + road];
    }
    std::size_t place(AgentId agent, Time time) const {
        const auto length = static_cast<std::uint32_t>(window_) + 1;
        return static_cast<std::size_t>(agent) * length + static_cast<std::uint32_t>(time) % length;
    }
    Step& step(AgentId agent, Time time) { return steps_[place(agent, time)]; }

    const Roads& roads_;
    Fields& fields_;
    const Rules& rules_;
    std::int32_t window_;
    Cost collisions_[2];  // what a collision costs: where paths go on behind goals, and where not
    Cost collision_ = 0;  // in this configuration
    bool going_on_ = false;
    std::int32_t renewed_every_;

    std::vector<Cell> cells_;
    std::vector<std::uint16_t> used_;  // how many plan to go along a road
    std::vector<Layer> layers_;        // by depth of the searches of one configuration
    std::vector<Road> reverse_;
    std::vector<Step> steps_;  // of all paths
    std::vector<Plan> plans_;
    Time now_ = 0;
    bool empty_ = true;

    // Of the search under way.
    std::vector<Node> nodes_;
    std::vector<std::int32_t> buckets_;  // by cost: the last node
    std::size_t lowest_ = 0, highest_ = 0;
    std::uint32_t stamp_ = 0, turn_ = 0;

    std::span<const Travel> travels_;
    std::span<const Spot> from_;
    std::uint64_t draw_ = 0;
};

}  // namespace sidestep
