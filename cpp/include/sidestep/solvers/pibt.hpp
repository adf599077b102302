// PIBT turn by turn: a step of priority inheritance per turn, in a space whose walls and goals
// change. With guidance, agents look some steps ahead before it; with a horizon they have a plan of
// the next steps, of which they make the first.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sidestep/distance/fields.hpp"
#include "sidestep/distance/roads.hpp"
#include "sidestep/distance/step_costs.hpp"
#include "sidestep/model/agents.hpp"
#include "sidestep/model/archive.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/solvers/errand.hpp"
#include "sidestep/solvers/guidance.hpp"
#include "sidestep/solvers/horizon.hpp"
#include "sidestep/solvers/inheritance.hpp"

namespace sidestep {

class Pibt {
  public:
    Pibt(Space space, Rules rules, const Agents& agents, Inheritance::Options options,
         Guidance::Options guide, Horizon::Options horizon, std::optional<StepCosts> costs,
         std::uint64_t seed);
    // A copy finds its distances anew.
    Pibt(const Pibt& other);
    Pibt& operator=(const Pibt&) = delete;

    // Where everybody goes next. If the budget runs out, all stay where they are; if only its nodes
    // do not suffice for guidance, the turn does without.
    void turn(std::span<const Vertex> positions, Budget& budget, std::span<Vertex> moves);

    void set_open(Vertex v, bool open);
    void set_goal(AgentId agent, Vertex goal);
    void set_priority(AgentId agent, std::int32_t priority) { agents_[agent].priority = priority; }
    AgentId add_agent();  // idle
    // Only these agents are left, with new numbers in this order.
    void forget_all_but(std::span<const AgentId> kept);

    // The whole state, for one made for the same problem to go on exactly as this one would.
    void save(Writer& writer) const;
    void load(Reader& reader);

    std::int32_t size() const { return static_cast<std::int32_t>(agents_.size()); }
    const Space& space() const { return space_; }

    // How far an agent is from its goal by itself: kUnreachable, or kNotReady.
    Cost distance(AgentId agent, Vertex from, Budget& budget);

  private:
    // Fields of goals that nobody has any more are kept up to this.
    static constexpr std::int64_t kKeptBytes = std::int64_t{256} << 20;

    // How far an agent was from its goal when that was last asked.
    struct Known {
        Spot spot = kNowhere, goal = kNowhere;
        Cost distance = 0;
    };

    bool find_fields(Budget& budget);
    Cost distance_of(std::size_t agent, Fields::Field& field, Budget& budget);
    bool guide(std::uint64_t draw, Budget& budget);
    void forget_plans();
    const StepCosts* costs() const { return costs_ ? &*costs_ : nullptr; }
    Fields::Kept kept() const {
        return ahead_.window > 0 ? Fields::Kept::distances : Fields::Kept::changes;
    }
    void forget_unused();
    void sort();
    void sort_nearest_first();

    Space space_;
    Rules rules_;
    Inheritance::Options options_;
    Guidance::Options guide_;
    Horizon::Options ahead_;
    std::uint64_t seed_;
    Roads roads_;
    std::optional<StepCosts> costs_;  // what agents reckon with
    Fields fields_;
    std::optional<Fields> true_fields_;  // where they reckon with costs: the steps that it takes
    Inheritance inheritance_;
    std::optional<Guidance> guidance_;
    std::optional<Horizon> horizon_;
    std::vector<Errand> agents_;
    std::vector<Travel> travels_;
    std::vector<Known> known_;
    std::vector<Spot> from_, to_, guided_;
    std::vector<AgentId> order_;
    std::uint64_t turns_ = 0;
    Arrivals arrivals_;
};

}  // namespace sidestep
