// EPIBT turn by turn (Yukhnevich and Andreychuk 2026): priority inheritance with operations, for
// agents that have to turn.
//
// Everybody has an operation, a few actions ahead, and all of them together collide nowhere: at
// first all wait, and what is left of them after a turn still fits together. In every turn agents
// in the order of their priorities look for a better one. An operation that is in the way of one
// other agent, of lower priority, makes that one look for another first; if it finds none, the next
// operation is tried. So whenever the budget ends there is a safe step to make. With effort left,
// agents at random try again, and disturb whom they like if it pays for all together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/distance/turning.hpp"
#include "sidestep/model/agents.hpp"
#include "sidestep/model/archive.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/facing.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/solvers/errand.hpp"
#include "sidestep/solvers/operations.hpp"

namespace sidestep {

class Epibt {
  public:
    struct Options {
        Rules rules;
        std::uint64_t seed = 0;
        std::int32_t length = 4;  // of operations
        std::int32_t asks = 10;   // how often an agent may be asked in a turn
        std::int32_t effort = 0;  // how often it then tries again, on average
    };

    // Of a 4-connected grid. All agents have a facing.
    Epibt(Space space, const Agents& agents, Options options);
    // A copy finds its distances anew.
    Epibt(const Epibt& other);
    Epibt& operator=(const Epibt&) = delete;

    // What everybody does next: a vertex, kTurnRight or kTurnLeft. If the budget runs out, what was
    // found so far is done.
    void turn(std::span<const Vertex> positions, std::span<const Facing> facings, Budget& budget,
              std::span<Vertex> moves);

    // Who there is, and where each is to go. A newcomer has no goal.
    std::int32_t size() const { return static_cast<std::int32_t>(agents_.size()); }
    AgentId add_agent();
    void set_goal(AgentId agent, Vertex goal);
    void forget_all_but(std::span<const AgentId> kept);
    void set_priority(AgentId agent, std::int32_t priority) {
        agents_[agent].errand.priority = priority;
    }

    void set_open(Vertex v, bool open);
    const Space& space() const { return space_; }

    void load(Reader& reader);
    void save(Writer& writer) const;

    // How far an agent is from its goal by itself, turns included: kUnreachable, or kNotReady.
    Cost distance(AgentId agent, Vertex from, Facing facing, Budget& budget);

  private:
    struct Agent {
        Errand errand;
        std::int32_t operation = -1;
        // Where it must be for what is left of the operation to make sense.
        Vertex expected = kNowhere;
        Facing facing = kNoFacing;
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.errand, self.operation, self.expected, self.facing);
        }
    };
    // What an agent could do in this turn, found when it is first asked.
    struct Wishes {
        std::vector<std::uint64_t> keys;   // in order: value, time away, operation
        std::vector<Vertex> places;        // per operation those after each of its actions
        std::vector<std::int64_t> values;  // per operation
        std::uint64_t turn = 0;            // in which it was found; 0: never
    };
    struct Worth {
        std::int64_t value;  // less is better
        std::int64_t away;   // of equals: how long it is off its goal after it was there
    };
    struct Frame {
        AgentId agent;
        std::size_t next, end;   // the wish to try, and where to stop
        std::int32_t operation;  // what it had before
    };

    static std::int32_t operation_of(std::uint64_t key) {
        return static_cast<std::int32_t>(key & 0xFF);
    }

    std::int32_t length() const { return operations_.length(); }
    bool is_there(AgentId agent) const { return positions_[agent] != kNowhere; }
    const Vertex* path(AgentId agent) const {
        return paths_.data() + static_cast<std::size_t>(agent) * length();
    }
    // Where an agent is after a number of steps of its operation.
    Vertex place(AgentId agent, std::int32_t step) const {
        return step == 0 ? positions_[agent] : path(agent)[step - 1];
    }
    bool walk(Vertex v, Facing facing, std::int32_t operation, Vertex* places,
              Facing* last = nullptr) const;
    void go_on();
    bool find_goals(Budget& budget);
    void sort();
    bool find_wishes(AgentId agent, Budget& budget);
    Worth worth_of(AgentId agent, std::int32_t operation, const Vertex* places, Facing last,
                   Budget& budget);
    std::size_t rank_of_operation(AgentId agent) const;

    AgentId& holder(std::int32_t step, Vertex v) {
        return holders_[static_cast<std::size_t>(step) * space_.size() + v];
    }
    void put(AgentId agent, std::int32_t operation);
    void take_out(AgentId agent);
    bool disturbs(AgentId agent, const Vertex* places, AgentId& other);
    bool decide(AgentId root, bool anybody, Budget& budget);
    bool ask(AgentId agent, Budget& budget);
    void give_up();
    bool may_ask(AgentId other, AgentId root, bool anybody) const;
    void improve(Budget& budget);
    void act(std::span<Vertex> moves);

    Space space_;
    Options options_;
    Operations operations_;
    TurningFields fields_;
    std::vector<Agent> agents_;
    std::uint64_t turns_ = 0;
    Arrivals arrivals_;

    // Of the turn under way.
    std::vector<Vertex> positions_;
    std::vector<Facing> facings_;
    std::vector<Fields::Field*> goals_;  // null: idle, or no way leads to it
    std::vector<Cost> left_;             // how far it is, for who has one
    std::vector<AgentId> order_;
    std::vector<std::int32_t> ranks_, asks_;
    std::vector<std::uint8_t> is_asking_;
    std::vector<Wishes> wishes_;
    std::vector<Vertex> paths_;     // per agent its places after each action
    std::vector<AgentId> holders_;  // per step and place
    std::vector<Frame> stack_;
    std::vector<AgentId> asked_;  // whose asks are counted
};

}  // namespace sidestep
