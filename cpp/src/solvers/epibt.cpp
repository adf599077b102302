#include "sidestep/solvers/epibt.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "sidestep/model/random.hpp"

namespace sidestep {

namespace {

using Action = Operations::Action;

constexpr std::int64_t kWorst = std::int64_t{1} << 31;             // to stay in a closed place
constexpr std::uint64_t kFarthest = (std::uint64_t{1} << 24) - 1;  // that a key tells apart

}  // namespace

Epibt::Epibt(Space space, const Agents& agents, Options options)
    : space_(std::move(space)), options_(options), operations_(options.length), fields_(space_) {
    for (std::size_t a = 0; a < agents.size(); ++a)
        agents_.push_back({{agents.goals[a], agents.priorities[a]}});
}

Epibt::Epibt(const Epibt& other)
    : space_(other.space_),
      options_(other.options_),
      operations_(other.operations_),
      fields_(space_),
      agents_(other.agents_),
      turns_(other.turns_),
      arrivals_(other.arrivals_) {}

void Epibt::save(Writer& writer) const { writer(space_, agents_, turns_, arrivals_); }

void Epibt::load(Reader& reader) {
    std::vector<Agent> saved;
    Space walls = space_;
    std::uint64_t turns = 0;
    Arrivals arrivals;
    reader(walls, saved, turns, arrivals);
    for (const Agent& one : saved) {
        require_saved_errand(walls, one.errand);
        require_saved_vertex(walls, one.expected);
        require_saved_facing(walls, one.facing);
        require_saved(one.operation >= -1 && one.operation < operations_.size(), "an operation");
    }
    wishes_.clear();
    turns_ = turns;
    arrivals_ = arrivals;
    std::swap(agents_, saved);
    for (Vertex v = 0; v < walls.size(); ++v) set_open(v, walls.is_open(v));
}

void Epibt::set_open(Vertex v, bool open) {
    if (space_.is_open(v) == open) return;
    space_.set_open(v, open);
    fields_.set_open(v, open);
}

void Epibt::set_goal(AgentId agent, Vertex goal) { agents_[agent].errand.set_goal(goal); }

AgentId Epibt::add_agent() {
    agents_.emplace_back();
    return size() - 1;
}

void Epibt::forget_all_but(std::span<const AgentId> kept) {
    std::vector<Agent> left;
    for (const AgentId agent : kept) left.push_back(agents_[agent]);
    agents_ = std::move(left);
    wishes_.clear();
}

Cost Epibt::distance(AgentId agent, Vertex from, Facing facing, Budget& budget) {
    const Vertex goal = agents_[agent].errand.goal;
    if (goal == kNowhere) return 0;
    Fields::Field* const field = fields_.to(goal, from, facing, budget);
    return field ? fields_.at(*field, from, facing, budget) : kNotReady;
}

void Epibt::turn(std::span<const Vertex> positions, std::span<const Facing> facings, Budget& budget,
                 std::span<Vertex> moves) {
    positions_.assign(positions.begin(), positions.end());
    facings_.assign(facings.begin(), facings.end());
    ++turns_;
    for (AgentId a = 0; a < size(); ++a) arrivals_.watch(agents_[a].errand, positions[a]);
    go_on();
    if (find_goals(budget)) {
        sort();
        for (const AgentId a : order_) {
            if (budget.exhausted()) break;
            if (asks_[a] < options_.asks) decide(a, false, budget);
        }
        improve(budget);
    }
    act(moves);
    std::vector<Vertex> goals;
    for (const Agent& self : agents_) goals.push_back(self.errand.goal);
    fields_.forget_unused(goals);
}

// Where an operation leads; false if it runs into something.
bool Epibt::walk(Vertex v, Facing facing, std::int32_t operation, Vertex* places,
                 Facing* last) const {
    for (const Action action : operations_.actions(operation)) {
        if (action == Action::forward) v = ahead(space_, v, facing);
        if (v == kNowhere) return false;
        if (action == Action::right) facing = to_the_right(facing);
        if (action == Action::left) facing = to_the_left(facing);
        *places++ = v;
    }
    if (last) *last = facing;
    return true;
}

// Everybody goes on with what is left of its operation. If one of them is not where it should be,
// or can no longer go on, nothing is known to fit together, and all wait.
void Epibt::go_on() {
    const std::size_t count = agents_.size();
    paths_.resize(count * static_cast<std::size_t>(length()));
    wishes_.resize(count);
    holders_.resize(static_cast<std::size_t>(length() + 1) * space_.size(), kNobody);
    bool fits = true;
    for (AgentId a = 0; a < size() && fits; ++a) {
        Agent& self = agents_[a];
        if (!is_there(a)) continue;
        fits = self.operation >= 0 && self.expected == positions_[a] && self.facing == facings_[a];
        if (!fits) break;
        self.operation = operations_.shifted(self.operation);
        fits = walk(positions_[a], facings_[a], self.operation,
                    paths_.data() + static_cast<std::size_t>(a) * length());
    }
    for (AgentId a = 0; a < size(); ++a) {
        if (!is_there(a)) continue;
        holder(0, positions_[a]) = a;
        if (!fits) {
            agents_[a].operation = operations_.all_waits();
            std::fill_n(paths_.data() + static_cast<std::size_t>(a) * length(), length(),
                        positions_[a]);
        }
        for (std::int32_t step = 1; step <= length(); ++step) holder(step, place(a, step)) = a;
    }
}

// False: the budget ran out.
bool Epibt::find_goals(Budget& budget) {
    goals_.assign(agents_.size(), nullptr);
    left_.assign(agents_.size(), 0);
    for (AgentId a = 0; a < size(); ++a) {
        const Vertex goal = agents_[a].errand.goal, here = positions_[a];
        if (here == kNowhere || goal == kNowhere || !space_.is_open(goal)) continue;
        Fields::Field* const field = fields_.to(goal, here, facings_[a], budget);
        if (!field) return false;
        const Cost distance = fields_.at(*field, here, facings_[a], budget);
        if (distance == kNotReady) return false;
        // Who stands in a closed place may have to leave it before there is a way.
        if (distance < kUnreachable || !space_.is_open(here)) goals_[a] = field;
        agents_[a].errand.set_out(distance);
        left_[a] = distance;
    }
    return budget.fits(fields_.bytes());
}

// Who decides first: the higher priority, then who has been off its goal for longer, then the lower
// number. Where those who arrive go on at once, more arrive if the nearest go first.
void Epibt::sort() {
    order_.clear();
    for (AgentId a = 0; a < size(); ++a)
        if (is_there(a)) order_.push_back(a);
    const auto sort_by = [&](auto key) { std::ranges::stable_sort(order_, {}, key); };
    if (arrivals_.going_on())
        sort_by([&](AgentId a) {
            const Errand& errand = agents_[a].errand;
            return nearest_first(errand, goals_[a] && positions_[a] != errand.goal, left_[a]);
        });
    else
        sort_by([&](AgentId a) {
            const Errand& errand = agents_[a].errand;
            return std::tuple(-std::int64_t{errand.priority}, -errand.off_goal);
        });
    ranks_.assign(agents_.size(), 0);
    for (std::size_t k = 0; k < order_.size(); ++k)
        ranks_[order_[k]] = static_cast<std::int32_t>(k);
    asks_.assign(agents_.size(), 0);
    is_asking_.assign(agents_.size(), 0);
}

// All operations that lead somewhere, best first. False: the budget ran out.
bool Epibt::find_wishes(AgentId agent, Budget& budget) {
    Wishes& wishes = wishes_[agent];
    if (wishes.turn == turns_) return true;
    wishes.keys.clear();
    wishes.places.resize(static_cast<std::size_t>(operations_.size()) * length());
    wishes.values.resize(static_cast<std::size_t>(operations_.size()));
    for (std::int32_t operation = 0; operation < operations_.size(); ++operation) {
        Vertex* const places =
            wishes.places.data() + static_cast<std::size_t>(operation) * length();
        Facing last = kNoFacing;
        if (!walk(positions_[agent], facings_[agent], operation, places, &last)) continue;
        const Worth worth = worth_of(agent, operation, places, last, budget);
        if (budget.exhausted()) return false;
        wishes.values[operation] = worth.value;
        wishes.keys.push_back(static_cast<std::uint64_t>(worth.value) << 32 |
                              std::min(static_cast<std::uint64_t>(worth.away), kFarthest) << 8 |
                              static_cast<std::uint64_t>(operation));
    }
    std::sort(wishes.keys.begin(), wishes.keys.end());
    wishes.turn = turns_;
    return true;
}

// When the agent would be on its goal, and how long it then is away from it, the way back from the
// end of the operation included. Who has none, or is there already, would rather stay.
Epibt::Worth Epibt::worth_of(AgentId agent, std::int32_t operation, const Vertex* places,
                             Facing last, Budget& budget) {
    const Vertex end = places[length() - 1], goal = agents_[agent].errand.goal;
    if (!space_.is_open(end)) return {kWorst, 0};
    if (!goals_[agent]) return {operation != operations_.all_waits(), 0};
    const Cost left = fields_.at(*goals_[agent], end, last, budget);
    const bool is_home = positions_[agent] == goal;
    const Vertex* const last_place = places + length();
    const Vertex* const arrival = is_home ? places : std::find(places, last_place, goal);
    if (arrival == last_place) return {std::int64_t{length()} + left, left};
    const std::int64_t away = last_place - arrival - std::count(arrival, last_place, goal) + left;
    return {is_home ? away : arrival - places + 1, away};
}

void Epibt::put(AgentId agent, std::int32_t operation) {
    agents_[agent].operation = operation;
    const Wishes& wishes = wishes_[agent];
    if (wishes.turn == turns_) {
        const Vertex* const places =
            wishes.places.data() + static_cast<std::size_t>(operation) * length();
        std::copy_n(places, length(), paths_.data() + static_cast<std::size_t>(agent) * length());
    }  // else it has not been asked, and has what it had
    for (std::int32_t step = 1; step <= length(); ++step) holder(step, place(agent, step)) = agent;
}

void Epibt::take_out(AgentId agent) {
    for (std::int32_t step = 1; step <= length(); ++step)
        holder(step, place(agent, step)) = kNobody;
}

// Who is in the way of an agent that goes by these places: nobody, or one other. False: there are
// several, or one that nothing can be asked of.
bool Epibt::disturbs(AgentId agent, const Vertex* places, AgentId& other) {
    other = kNobody;
    const auto is_one = [&](AgentId found) {
        if (found == kNobody || found == other) return true;
        return std::exchange(other, found) == kNobody;
    };
    Vertex from = positions_[agent];
    for (std::int32_t step = 1; step <= length(); from = places[step - 1], ++step) {
        const Vertex to = places[step - 1];
        if (!is_one(holder(step, to))) return false;
        if (to == from) continue;
        const AgentId ahead = holder(step - 1, to);
        if (options_.rules.following) {
            if (ahead != kNobody && place(ahead, step) == from && !is_one(ahead)) return false;
            continue;
        }
        if (step == 1 && ahead != kNobody) return false;  // it is there now
        if (!is_one(ahead) || !is_one(holder(step, from))) return false;
    }
    return true;
}

bool Epibt::may_ask(AgentId other, AgentId root, bool anybody) const {
    if (is_asking_[other] || asks_[other] >= options_.asks) return false;
    return anybody || ranks_[other] > ranks_[root];
}

// False: it was asked too often, or the budget ran out.
bool Epibt::ask(AgentId agent, Budget& budget) {
    if (!budget.spend() || !find_wishes(agent, budget)) return false;
    ++asks_[agent];
    asked_.push_back(agent);
    is_asking_[agent] = 1;
    stack_.push_back({agent, 0, wishes_[agent].keys.size(), agents_[agent].operation});
    return true;
}

// The last one that was asked has found nothing: it keeps what it had, and who asked tries on.
void Epibt::give_up() {
    const Frame frame = stack_.back();
    stack_.pop_back();
    is_asking_[frame.agent] = 0;
    if (!stack_.empty()) take_out(stack_.back().agent);
    put(frame.agent, frame.operation);
}

// Looks for the best operation of an agent. True: it has one, and all who were asked have another;
// the stack says what they had. False: nothing has changed.
bool Epibt::decide(AgentId root, bool anybody, Budget& budget) {
    stack_.clear();
    if (!ask(root, budget)) return false;
    if (anybody) stack_.back().end = rank_of_operation(root);
    take_out(root);
    while (!stack_.empty()) {
        Frame& frame = stack_.back();
        if (frame.next >= frame.end || budget.exhausted()) {
            give_up();
            continue;
        }
        const AgentId agent = frame.agent;
        const std::int32_t operation = operation_of(wishes_[agent].keys[frame.next++]);
        const Vertex* const places =
            wishes_[agent].places.data() + static_cast<std::size_t>(operation) * length();
        AgentId other;
        if (!disturbs(agent, places, other)) continue;
        if (other == kNobody) {
            put(agent, operation);
            for (const Frame& one : stack_) is_asking_[one.agent] = 0;
            return true;
        }
        if (!may_ask(other, root, anybody)) continue;
        take_out(other);
        put(agent, operation);
        if (ask(other, budget)) continue;
        take_out(agent);
        put(other, agents_[other].operation);
    }
    return false;
}

std::size_t Epibt::rank_of_operation(AgentId agent) const {
    const auto& keys = wishes_[agent].keys;
    const std::int32_t operation = agents_[agent].operation;
    const auto found = std::ranges::find(keys, operation, operation_of);
    return static_cast<std::size_t>(found - keys.begin());
}

// Agents at random look for something better, and others have to make way for it. It is kept if all
// together gain: those who decide first count most.
void Epibt::improve(Budget& budget) {
    const std::uint64_t draw = mix(options_.seed + mix(turns_));
    const auto count = static_cast<std::uint32_t>(order_.size());
    const std::uint64_t tries = std::uint64_t{count} * static_cast<std::uint32_t>(options_.effort);
    for (std::uint64_t k = 0; k < tries && !budget.exhausted(); ++k) {
        for (const AgentId agent : asked_) asks_[agent] = 0;
        asked_.clear();
        const AgentId root = order_[scaled(mix(draw + k), count - 1)];
        if (!decide(root, true, budget)) continue;
        std::int64_t gain = 0;
        for (const Frame& frame : stack_) {
            const auto& values = wishes_[frame.agent].values;
            const std::int64_t weight = count - ranks_[frame.agent];
            gain += weight * weight *
                    (values[frame.operation] - values[agents_[frame.agent].operation]);
        }
        if (gain >= 0) continue;
        for (const Frame& frame : stack_) take_out(frame.agent);
        for (const Frame& frame : stack_) put(frame.agent, frame.operation);
    }
    asked_.clear();
}

// Everybody does the first action of its operation.
void Epibt::act(std::span<Vertex> moves) {
    for (AgentId a = 0; a < size(); ++a) {
        Agent& self = agents_[a];
        moves[a] = positions_[a];
        if (!is_there(a)) continue;
        holder(0, positions_[a]) = kNobody;
        take_out(a);
        self.facing = facings_[a];
        const Action action = operations_.actions(self.operation).front();
        if (action == Action::forward) moves[a] = place(a, 1);
        self.expected = moves[a];
        if (action == Action::right) moves[a] = kTurnRight, self.facing = to_the_right(self.facing);
        if (action == Action::left) moves[a] = kTurnLeft, self.facing = to_the_left(self.facing);
        Errand& errand = self.errand;
        const bool is_off = errand.goal != kNowhere && positions_[a] != errand.goal;
        errand.off_goal = is_off ? errand.off_goal + 1 : 0;
    }
}

}  // namespace sidestep
