#include "sidestep/solvers/pibt.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "sidestep/model/random.hpp"

namespace sidestep {

Pibt::Pibt(Space space, Rules rules, const Agents& agents, Inheritance::Options options,
           std::uint64_t seed)
    : space_(std::move(space)),
      rules_(rules),
      options_(options),
      seed_(seed),
      roads_(space_, true),
      fields_(roads_),
      inheritance_(space_, rules_, roads_, fields_, options_) {
    for (std::size_t a = 0; a < agents.size(); ++a)
        agents_.push_back({agents.goals[a], agents.priorities[a]});
}

Pibt::Pibt(const Pibt& other)
    : space_(other.space_),
      rules_(other.rules_),
      options_(other.options_),
      seed_(other.seed_),
      roads_(other.roads_),
      fields_(roads_),
      inheritance_(space_, rules_, roads_, fields_, options_),
      agents_(other.agents_),
      turns_(other.turns_) {}

void Pibt::save(Writer& writer) const { writer(space_, agents_, turns_); }

void Pibt::load(Reader& reader) {
    Space space = space_;
    std::vector<Agent> agents;
    std::uint64_t turns = 0;
    reader(space, agents, turns);
    for (const Agent& self : agents) {
        require_saved_vertex(space, self.goal);
        require_saved(self.off_goal >= 0, "a number of turns");
    }
    for (Vertex v = 0; v < space.size(); ++v) set_open(v, space.is_open(v));
    agents_ = std::move(agents);
    turns_ = turns;
}

void Pibt::forget_all_but(std::span<const AgentId> kept) {
    std::vector<Agent> left;
    for (const AgentId agent : kept) left.push_back(std::move(agents_[agent]));
    agents_ = std::move(left);
}

AgentId Pibt::add_agent() {
    agents_.emplace_back();
    return size() - 1;
}

void Pibt::set_open(Vertex v, bool open) {
    if (space_.is_open(v) == open) return;
    space_.set_open(v, open);
    roads_.changed(space_, v);
    std::vector<Spot> around;
    space_.around(v, [&](Vertex u) { around.push_back(u); });
    fields_.changed(around);
}

Cost Pibt::distance(AgentId agent, Vertex from, Budget& budget) {
    const Vertex goal = agents_[agent].goal;
    if (goal == kNowhere) return 0;
    Fields::Field* const field = fields_.to(goal, from, budget);
    return field ? fields_.at(*field, from, budget) : kNotReady;
}

void Pibt::turn(std::span<const Vertex> positions, Budget& budget, std::span<Vertex> moves) {
    std::copy(positions.begin(), positions.end(), moves.begin());
    from_.assign(positions.begin(), positions.end());
    to_.resize(from_.size());
    if (!find_fields(budget)) return;
    sort();
    const std::uint64_t draw = mix(seed_ + mix(turns_));
    if (inheritance_.step(travels_, from_, order_, {}, draw, to_, budget) !=
        Inheritance::Outcome::done)
        return;
    std::copy(to_.begin(), to_.end(), moves.begin());
    ++turns_;
    for (std::size_t a = 0; a < agents_.size(); ++a)
        agents_[a].off_goal =
            travels_[a].field && from_[a] != agents_[a].goal ? agents_[a].off_goal + 1 : 0;
    forget_unused();
}

// False: the budget ran out.
bool Pibt::find_fields(Budget& budget) {
    travels_.assign(agents_.size(), {});
    distances_.assign(agents_.size(), 0);
    for (std::size_t a = 0; a < agents_.size(); ++a) {
        const Vertex goal = agents_[a].goal;
        if (goal == kNowhere || from_[a] == kNowhere) continue;
        Fields::Field* const field = fields_.to(goal, from_[a], budget);
        if (!field) return false;
        travels_[a] = {goal, field};
        distances_[a] = field->known(from_[a]);
    }
    return true;
}

// By priority, then who has been off its goal for longest, then who is furthest away.
void Pibt::sort() {
    order_.resize(agents_.size());
    std::iota(order_.begin(), order_.end(), 0);
    const auto key = [&](AgentId a) {
        const bool on_the_way = travels_[a].field && from_[a] != travels_[a].goal;
        return std::tuple(agents_[a].priority, on_the_way ? agents_[a].off_goal + 1 : 0,
                          distances_[a]);
    };
    std::stable_sort(order_.begin(), order_.end(),
                     [&](AgentId a, AgentId b) { return key(a) > key(b); });
}

void Pibt::forget_unused() {
    if (fields_.bytes() <= kKeptBytes) return;
    std::vector<Spot> used;
    for (const Travel& travel : travels_)
        if (travel.field) used.push_back(travel.goal);
    fields_.keep(used);
}

}  // namespace sidestep
