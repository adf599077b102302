#include "sidestep/solvers/pibt.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "sidestep/model/random.hpp"

namespace sidestep {

namespace {

constexpr std::size_t kNodesPerAgent = 2;  // of a step, mostly fewer

}  // namespace

Pibt::Pibt(Space space, Rules rules, const Agents& agents, Inheritance::Options options,
           Guidance::Options guide, Horizon::Options horizon, std::optional<StepCosts> costs,
           std::uint64_t seed)
    : space_(std::move(space)),
      rules_(rules),
      options_(options),
      guide_(guide),
      ahead_(horizon),
      seed_(seed),
      roads_(space_, true, true),
      costs_(std::move(costs)),
      fields_(roads_, kept(), this->costs()),
      inheritance_(space_, rules_, roads_, fields_, options_) {
    for (std::size_t a = 0; a < agents.size(); ++a)
        agents_.push_back({agents.goals[a], agents.priorities[a]});
    if (guide.window > 0) guidance_.emplace(roads_, fields_, rules_, guide);
    if (horizon.window > 0) horizon_.emplace(space_, rules_, roads_, inheritance_, horizon);
}

Pibt::Pibt(const Pibt& other)
    : space_(other.space_),
      rules_(other.rules_),
      options_(other.options_),
      guide_(other.guide_),
      ahead_(other.ahead_),
      seed_(other.seed_),
      roads_(other.roads_),
      costs_(other.costs_),
      fields_(roads_, kept(), costs()),
      inheritance_(space_, rules_, roads_, fields_, options_),
      agents_(other.agents_),
      turns_(other.turns_),
      arrivals_(other.arrivals_) {
    if (other.horizon_) {
        horizon_.emplace(space_, rules_, roads_, inheritance_, ahead_);
        horizon_->copy(*other.horizon_);
    }
    if (!other.guidance_) return;
    guidance_.emplace(roads_, fields_, rules_, guide_);
    guidance_->copy(*other.guidance_);
}

void Pibt::save(Writer& writer) const {
    writer(space_, agents_, turns_, arrivals_);
    if (guidance_) guidance_->save(writer);
    if (horizon_) horizon_->save(writer);
}

void Pibt::load(Reader& reader) {
    Space space = space_;
    std::vector<Errand> agents;
    std::uint64_t turns = 0;
    Arrivals arrivals;
    reader(space, agents, turns, arrivals);
    for (const Errand& self : agents) require_saved_errand(space, self);
    for (Vertex v = 0; v < space.size(); ++v) set_open(v, space.is_open(v));
    agents_ = std::move(agents);
    turns_ = turns;
    arrivals_ = arrivals;
    known_.clear();
    if (guidance_) guidance_->load(reader);
    if (horizon_) horizon_->load(reader);
}

void Pibt::set_goal(AgentId agent, Vertex goal) {
    agents_[agent].set_goal(goal);
    if (guidance_) guidance_->redirect(agent);
}

void Pibt::forget_all_but(std::span<const AgentId> kept) {
    std::vector<Errand> left;
    for (const AgentId agent : kept) left.push_back(std::move(agents_[agent]));
    agents_ = std::move(left);
    known_.clear();
    forget_plans();
}

void Pibt::forget_plans() {
    if (guidance_) guidance_->forget();
    if (horizon_) horizon_->forget();
}

AgentId Pibt::add_agent() {
    agents_.emplace_back();
    return size() - 1;
}

void Pibt::set_open(Vertex v, bool open) {
    if (space_.is_open(v) == open) return;
    if (guidance_) guidance_->changed();
    if (horizon_) horizon_->forget();
    space_.set_open(v, open);
    roads_.changed(space_, v);
    std::vector<Spot> around;
    space_.around(v, [&](Vertex u) { around.push_back(roads_.spot(u)); });
    fields_.changed(around);
    if (true_fields_) true_fields_->changed(around);
    known_.clear();
}

Cost Pibt::distance(AgentId agent, Vertex from, Budget& budget) {
    const Vertex goal = agents_[agent].goal;
    if (goal == kNowhere) return 0;
    if (costs_ && !true_fields_) true_fields_.emplace(roads_, Fields::Kept::changes);
    Fields& fields = true_fields_ ? *true_fields_ : fields_;
    Fields::Field* const field = fields.to(roads_.spot(goal), roads_.spot(from), budget);
    return field ? fields.at(*field, roads_.spot(from), budget) : kNotReady;
}

void Pibt::turn(std::span<const Vertex> positions, Budget& budget, std::span<Vertex> moves) {
    std::copy(positions.begin(), positions.end(), moves.begin());
    from_.clear();
    for (const Vertex v : positions) from_.push_back(roads_.spot(v));
    to_.resize(from_.size());
    const std::uint64_t draw = mix(seed_ + mix(turns_));
    for (std::size_t k = 0; k < positions.size(); ++k) arrivals_.watch(agents_[k], positions[k]);
    bool done = find_fields(budget);
    if (done) {
        sort();
        done = guide(draw, budget);
    }
    if (done) {
        const Inheritance::Task task{travels_, from_, order_, {}, guided_, draw};
        const Guidance* const guidance = guidance_ ? &*guidance_ : nullptr;
        done = (horizon_ ? horizon_->plan(task, guidance, arrivals_.going_on(), to_, budget)
                         : inheritance_.step(task, to_, budget)) == Inheritance::Outcome::done;
    }
    if (!done) {
        forget_plans();
        return;
    }
    for (std::size_t a = 0; a < to_.size(); ++a) moves[a] = roads_.vertex(to_[a]);
    ++turns_;
    for (std::size_t a = 0; a < agents_.size(); ++a)
        agents_[a].off_goal =
            travels_[a].field && from_[a] != travels_[a].goal ? agents_[a].off_goal + 1 : 0;
    forget_unused();
}

// Finds where everybody is guided to, unless that would leave too few nodes for the step itself.
// False: the budget ran out.
bool Pibt::guide(std::uint64_t draw, Budget& budget) {
    guided_.clear();
    if (!guidance_ || from_.size() > Guidance::kMostAgents) return true;
    const auto needed = static_cast<std::int64_t>(kNodesPerAgent * from_.size());
    const bool fits = Budget(budget).fits(fields_.bytes() + guidance_->bytes());
    if (budget.nodes_left() <= needed || !fits) {
        guidance_->forget();
        return true;
    }
    guided_.resize(from_.size());
    const std::int64_t limit = budget.narrow(budget.nodes_left() - needed);
    if (!guidance_->plan(travels_, from_, order_, draw, guided_, budget, arrivals_.going_on()))
        guided_.clear();
    budget.widen(limit);
    return !budget.exhausted();
}

// False: the budget ran out.
bool Pibt::find_fields(Budget& budget) {
    travels_.assign(agents_.size(), {});
    known_.resize(agents_.size());
    for (std::size_t a = 0; a < agents_.size(); ++a) {
        const Spot goal = roads_.spot(agents_[a].goal);
        if (goal == kNowhere || from_[a] == kNowhere) continue;
        Fields::Field* const field = fields_.to(goal, from_[a], budget);
        if (!field) return false;
        travels_[a] = {goal, field};
        const Cost distance = distance_of(a, *field, budget);
        if (distance == kNotReady) return false;
        known_[a] = {from_[a], goal, distance};
    }
    return true;
}

// Most agents have moved by a step since this was last asked, or not at all.
Cost Pibt::distance_of(std::size_t agent, Fields::Field& field, Budget& budget) {
    const auto [before, goal, distance] = known_[agent];
    const Spot here = from_[agent];
    if (goal == roads_.spot(agents_[agent].goal) && before != kNowhere && distance < kUnreachable) {
        if (before == here) return distance;
        if (std::ranges::count(roads_.next(before), here)) {
            const Cost change = fields_.change(field, before, here, budget);
            if (change == Fields::kUnknown) return kNotReady;
            if (change != kUnreachable) return distance + change;
        }
    }
    return fields_.at(field, here, budget);
}

// By priority, then who has been off its goal for longest, then who is furthest away. Where those
// who arrive go on at once, more arrive if the nearest go first.
void Pibt::sort() {
    for (std::size_t a = 0; a < agents_.size(); ++a)
        if (travels_[a].field) agents_[a].set_out(known_[a].distance);
    if (arrivals_.going_on()) return sort_nearest_first();
    order_.resize(agents_.size());
    std::iota(order_.begin(), order_.end(), 0);
    const auto key = [&](AgentId a) {
        const bool on_the_way = travels_[a].field && from_[a] != travels_[a].goal;
        return std::tuple(agents_[a].priority, on_the_way ? agents_[a].off_goal + 1 : 0,
                          travels_[a].field ? known_[a].distance : 0);
    };
    std::stable_sort(order_.begin(), order_.end(),
                     [&](AgentId a, AgentId b) { return key(a) > key(b); });
}

void Pibt::sort_nearest_first() {
    order_.resize(agents_.size());
    std::iota(order_.begin(), order_.end(), 0);
    const auto key = [&](AgentId a) {
        const bool on_the_way = travels_[a].field && from_[a] != travels_[a].goal;
        return nearest_first(agents_[a], on_the_way, known_[a].distance);
    };
    std::stable_sort(order_.begin(), order_.end(),
                     [&](AgentId a, AgentId b) { return key(a) < key(b); });
}

void Pibt::forget_unused() {
    if (fields_.bytes() <= kKeptBytes) return;
    std::vector<Spot> used;
    for (const Travel& travel : travels_)
        if (travel.field) used.push_back(travel.goal);
    fields_.keep(used);
}

}  // namespace sidestep
