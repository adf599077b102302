// Priority inheritance with backtracking (PIBT; Okumura, Machida, Defago and Tamura 2022): one step
// of all agents at once.
//
// Agents decide one after another. Who wants a spot on which somebody stands that has not decided
// yet makes that one decide first, with the priority of the asker; if it finds no way out, the
// asker tries its next wish. An agent that is left without any stays, which it always can: nobody
// is given a spot whose agent has not found another one.
//
// Wishes are ordered by distance, then by hindrance (Okumura and Nagai 2025: how many agents beside
// would like that spot, too), then by chance. Two agents that must pass each other in a corridor
// back out of it together (the swap of LaCAM; Okumura 2023b).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/distance/fields.hpp"
#include "sidestep/distance/roads.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/large_pages.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

// Who heads where. An agent without a goal is idle: it likes best to stay, and makes room.
struct Travel {
    Spot goal = kNowhere;
    Fields::Field* field = nullptr;  // of the goal; null if idle
};

class Inheritance {
  public:
    struct Options {
        bool hindrance = true;
        bool swap = true;
    };
    // How a step ended.
    enum class Outcome : std::uint8_t {
        done,
        impossible,    // the fixed moves cannot be part of any step, as far as this one looked
        out_of_budget  // nothing has happened
    };
    struct Fixed {
        AgentId agent;
        Spot spot;
    };

    Inheritance(const Space& space, const Rules& rules, const Roads& roads, Fields& fields,
                Options options);

    // What a step is made of: where everybody is and heads, in this order of priority. Fixed moves
    // are made first. `guided`, unless it is empty, is each agent's first wish. `draw` is the
    // random number of this step. `hindrance` counts if it is an option, too.
    struct Task {
        std::span<const Travel> travels;
        std::span<const Spot> from;
        std::span<const AgentId> order;
        std::span<const Fixed> fixed = {};
        std::span<const Spot> guided = {};
        std::uint64_t draw = 0;
        bool hindrance = true;
    };
    // Everybody moves `to`; kNowhere: gone.
    Outcome step(const Task& task, std::span<Spot> to, Budget& budget);

    std::int64_t bytes() const;

  private:
    struct Frame {
        AgentId agent;
        std::int32_t first, count, next;  // its wishes, and the one to try
        AgentId partner;                  // with whom it swaps, or kNobody
        bool asked;                       // to leave its spot
    };
    static constexpr Spot kUndecided = -2;
    static constexpr Spot kSeveral = -3;

    bool is_undecided(AgentId agent) const { return to_[agent] == kUndecided; }
    bool make_fixed_moves(std::span<const Fixed> fixed);
    void prefetch(std::size_t k) const;
    void clean_up();
    bool allows(AgentId agent, Spot target) const;
    bool crosses(Spot from, Spot to) const;
    bool decide(AgentId root);
    void push(AgentId agent);
    void rank(AgentId agent);
    bool fill_keys(AgentId agent, std::span<const Spot> beside, std::uint64_t* keys);
    std::uint64_t hindrance(Spot from, Spot target);
    bool advance(Frame& frame, AgentId& asked);
    bool advance_without_following(Frame& frame, AgentId& asked);
    void take(AgentId agent, Spot spot);
    void pull_partners();
    Cost change(AgentId agent, Spot from, Spot to);
    bool is_nearer(AgentId agent, Spot from, Spot to) { return change(agent, from, to) < 0; }

    AgentId partner_of(AgentId agent, Spot wish);
    bool must_swap(AgentId pusher, AgentId puller, Spot behind, Spot at);
    bool can_swap(Spot behind, Spot at) const;
    Spot way_on(Spot at, Spot behind) const;

    const Space& space_;
    const Rules& rules_;
    const Roads& roads_;
    Fields& fields_;
    Options options_;
    bool crossings_;

    LargeVector<AgentId> now_, next_;  // by spot: who stands there, who will
    std::vector<Frame> stack_;
    std::vector<Spot> wishes_;         // of all frames, best first
    std::vector<std::uint64_t> keys_;  // of the wishes of one agent that has many

    // Of the step under way.
    Task task_;
    std::span<const Travel> travels_;
    std::span<const Spot> from_;
    std::span<Spot> to_;
    Budget* budget_ = nullptr;
    bool out_of_budget_ = false;
};

}  // namespace sidestep
