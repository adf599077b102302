#include "sidestep/solvers/joint.hpp"

#include <algorithm>

#include "sidestep/model/collision.hpp"

namespace sidestep {

namespace {

constexpr std::size_t kFewSlots = 1024;

// Pairs are looked for among at most this many agents: each of them is looked at with each other.
constexpr std::size_t kMostPaired = 40;

}  // namespace

Outcome JointSearch::run(const JointTask& task, Budget& budget,
                         std::vector<std::vector<Vertex>>& paths) {
    begin(task, budget);
    const Outcome outcome = search(budget, paths);
    for (const Mover& mover : movers_) budget.generate(mover.moves());
    return outcome;
}

Outcome JointSearch::search(Budget& budget, std::vector<std::vector<Vertex>>& paths) {
    while (!open_.empty()) {
        std::pop_heap(open_.begin(), open_.end());
        const auto [f, violations, h, node] = open_.back();
        open_.pop_back();
        if (nodes_[node].replaced) continue;
        lower_bound_ = std::max(lower_bound_, f);
        if (is_solved(node)) {
            cost_ = nodes_[node].g;
            trace_back(node, paths);
            return Outcome::found;
        }
        if (!budget.spend()) return Outcome::out_of_budget;
        ++expanded_;
        if (nodes_[node].moved == 0) ++expanded_standard_;
        expand(node);
        if (!budget.fits(bytes()) || budget.exhausted()) return Outcome::out_of_budget;
    }
    return budget.exhausted() ? Outcome::out_of_budget : Outcome::no_path;
}

std::int64_t JointSearch::bytes() const {
    std::int64_t sum = static_cast<std::int64_t>(
        nodes_.capacity() * sizeof(Node) + states_.capacity() * sizeof(State) +
        slots_.capacity() * sizeof(Slot) + open_.capacity() * sizeof(Entry));
    for (const Mover& mover : movers_) sum += mover.bytes();
    return sum;
}

void JointSearch::begin(const JointTask& task, Budget& budget) {
    task_ = &task;
    budget_ = &budget;
    expanded_ = expanded_standard_ = successors_ = 0;
    lower_bound_ = task.at_least;
    nodes_ = {};  // what an earlier search took is not kept
    states_ = {};
    open_ = {};
    slots_.assign(kFewSlots, Slot{kNone, 0});
    used_ = 0;
    movers_.clear();
    agents_.clear();
    now_.clear();
    if (!measure_ways()) return;
    make_movers();
    Cost h = 0;
    for (std::size_t mover = 0; mover < movers_.size(); ++mover)
        h += movers_[mover].distance(now_[mover]) + movers_[mover].excess(now_[mover]);
    if (h > task.cost_limit || budget.exhausted()) return;
    find(0, 0)->node = make(kNone, 0, {0, h, 0});
    ++used_;
}

// No plan costs less than all distances. False: somebody has no way, or the budget ran out.
bool JointSearch::measure_ways() {
    Cost sum = 0;
    for (std::size_t agent = 0; agent < task_->starts.size(); ++agent) {
        if (!task_->distances[agent]) continue;
        const Cost way = task_->distances[agent]->at(task_->starts[agent], *budget_);
        if (way == kNotReady || way == kUnreachable) return false;
        lower_bound_ = std::max(lower_bound_, sum += way);
    }
    return true;
}

// Makes pairs of those who are most in each other's way; who is left over is on its own.
void JointSearch::make_movers() {
    const std::size_t agents = task_->starts.size();
    std::vector<Pair> pairs;
    if (task_->decompose && task_->pairs && agents <= kMostPaired) pairs = list_pairs();
    std::ranges::stable_sort(pairs, std::greater{}, &Pair::excess);
    std::vector<bool> taken(agents, false);
    for (const Pair& pair : pairs) {
        if (taken[pair.one] || taken[pair.other]) continue;
        taken[pair.one] = taken[pair.other] = true;
        add_mover({pair.one, pair.other});
    }
    for (std::size_t agent = 0; agent < agents; ++agent)
        if (!taken[agent]) add_mover({agent});
}

// All pairs of agents, but for those without a goal: their moves cost nothing.
std::vector<JointSearch::Pair> JointSearch::list_pairs() {
    std::vector<Pair> pairs;
    const auto has_goal = [&](std::size_t agent) { return task_->goals[agent] != kNowhere; };
    for (std::size_t other = 0; other < task_->starts.size(); ++other) {
        for (std::size_t one = 0; one < other; ++one) {
            if (!has_goal(one) || !has_goal(other)) continue;
            add_mover({one, other});
            pairs.push_back({movers_.back().excess(now_.back()), one, other});
            budget_->generate(movers_.back().moves());
            movers_.pop_back();
            agents_.pop_back();
            now_.pop_back();
        }
    }
    return pairs;
}

void JointSearch::add_mover(std::vector<std::size_t> agents) {
    std::vector<Mover::Member> members;
    std::vector<Place> places;
    for (const std::size_t agent : agents) {
        members.push_back({task_->goals[agent], task_->distances[agent]});
        places.push_back({task_->starts[agent], false});
    }
    movers_.emplace_back(space_, rules_, std::move(members), *budget_);
    now_.push_back(movers_.back().at(places));
    agents_.push_back(std::move(agents));
}

// Everybody is where it wants to be, and nobody with the right of way ever comes through.
bool JointSearch::is_solved(Index index) const {
    const Node& node = nodes_[index];
    if (node.moved != 0 || node.h != 0) return false;
    if (!task_->illegal) return true;
    for (std::size_t mover = 0; mover < movers_.size(); ++mover) {
        const auto places = movers_[mover].places(states(index)[mover]);
        for (std::size_t member = 0; member < places.size(); ++member) {
            const Vertex here = places[member].vertex;
            if (here == kNowhere) continue;
            const bool leaves =
                rules_.disappear && task_->goals[agents_[mover][member]] != kNowhere;
            if (leaves ? !task_->illegal->lets_leave(here, node.time)
                       : task_->illegal->comes(here, node.time + 1))
                return false;
        }
    }
    return true;
}

// The next successors only, those with the least f; for the others the node is opened again
// (Goldenberg et al. 2014). Most of them are never needed.
void JointSearch::expand(Index index) {
    const Node node = nodes_[index];
    unpack(index);
    const Sums sums{node.g, node.h, node.violations};
    if (!task_->decompose) return expand_jointly(index, 0, sums);
    if (!task_->partial) return expand_fully(index);
    Mover& mover = movers_[node.moved];
    const State from = before_[node.moved];
    const Cost allowance = mover.excess(from) + node.surplus;
    Cost next = kUnreachable;
    for (auto at = mover.first_level(from); at != Mover::kEnd; at = mover.next_level(from, at)) {
        const Mover::Level level = mover.level(at);
        const Cost left = allowance - level.delay;
        if (left < 0) {
            next = std::min(next, node.surplus - left);
            break;
        }
        for (std::uint32_t i = level.first; i < level.end; ++i) {
            const Mover::Step step = mover.step(i);
            if (!mover.is_within(step.to, left)) {
                next = node.surplus + 1;
                continue;
            }
            if (mover.excess(step.to) < left) continue;  // its turn has been
            try_step(node.moved, step.to, node.time, [&](std::int32_t violations) {
                add(index, node.moved + std::size_t{1},
                    sums + Sums{step.cost, node.surplus - step.cost, violations});
            });
        }
    }
    if (next == kUnreachable || node.g + node.h + next > task_->cost_limit) return;
    nodes_[index].surplus = next;
    open(index);
}

// Every legal move of the next mover, as the paper does it.
void JointSearch::expand_fully(Index index) {
    const Node node = nodes_[index];
    Mover& mover = movers_[node.moved];
    const State from = before_[node.moved];
    const Cost excess = mover.excess(from);
    for (auto at = mover.first_level(from); at != Mover::kEnd; at = mover.next_level(from, at)) {
        const Mover::Level level = mover.level(at);
        for (std::uint32_t i = level.first; i < level.end; ++i) {
            const Mover::Step step = mover.step(i);
            const Cost more = level.delay + mover.excess(step.to) - excess;
            try_step(node.moved, step.to, node.time, [&](std::int32_t violations) {
                add(index, node.moved + std::size_t{1},
                    Sums{node.g, node.h, node.violations} +
                        Sums{step.cost, more - step.cost, violations});
            });
        }
    }
}

// All legal joint moves by backtracking over the moves of one mover after another. They may be
// more than all memory holds, so each of them counts as a node.
void JointSearch::expand_jointly(Index index, std::size_t moved, Sums sums) {
    if (moved == movers_.size()) {
        if (budget_->spend()) add(index, moved, sums);
        return;
    }
    if (!budget_->tick()) return;  // among many movers it may be long until all have moved
    Mover& mover = movers_[moved];
    const State from = before_[moved];
    for (auto at = mover.first_level(from); at != Mover::kEnd; at = mover.next_level(from, at)) {
        const Mover::Level level = mover.level(at);
        for (std::uint32_t i = level.first; i < level.end; ++i) {
            const Mover::Step step = mover.step(i);
            try_step(moved, step.to, nodes_[index].time, [&](std::int32_t violations) {
                const std::size_t before = moves_.size();
                list_moves(moved);
                expand_jointly(index, moved + 1,
                               sums + Sums{step.cost, level.delay - step.cost, violations});
                moves_.resize(before);
            });
            if (budget_->exhausted()) return;  // so do all the movers before
        }
    }
}

// A node into the scratch.
void JointSearch::unpack(Index index) {
    const Node& node = nodes_[index];
    std::copy_n(states(index), movers_.size(), now_.begin());
    before_.assign(states(node.standard), states(node.standard) + movers_.size());
    moves_.clear();
    for (std::size_t mover = 0; mover < node.moved; ++mover) list_moves(mover);
}

// Adds to moves_ what a mover does.
void JointSearch::list_moves(std::size_t mover) {
    const auto from = movers_[mover].places(before_[mover]),
               to = movers_[mover].places(now_[mover]);
    for (std::size_t member = 0; member < from.size(); ++member)
        if (from[member].vertex != kNowhere)
            moves_.push_back({from[member].vertex, to[member].vertex});
}

// Calls visit(violations) with the mover's new state in now_, if the step is legal.
template <class Visit>
void JointSearch::try_step(std::size_t mover, State state, Time time, Visit&& visit) {
    const auto from = movers_[mover].places(before_[mover]), to = movers_[mover].places(state);
    std::int32_t violations = 0;
    for (std::size_t member = 0; member < from.size(); ++member)
        if (!is_legal({from[member].vertex, to[member].vertex}, mover + 1, time)) return;
    if (task_->avoid)
        for (std::size_t member = 0; member < from.size(); ++member)
            if (to[member].vertex != kNowhere)
                violations +=
                    task_->avoid->conflicts({from[member].vertex, to[member].vertex}, time);
    budget_->generate(static_cast<std::int64_t>(from.size()));
    now_[mover] = state;
    visit(violations);
}

bool JointSearch::is_legal(Move move, std::size_t first_unmoved, Time time) const {
    if (move.from == kNowhere) return true;
    if (move.to == kNowhere)  // it disappears, wherever the others of its group go
        return !task_->illegal || task_->illegal->lets_leave(move.from, time);
    for (const Move other : moves_)
        if (collides(space_, rules_, move, other)) return false;
    if (!rules_.following && move.from != move.to)
        for (std::size_t mover = first_unmoved; mover < movers_.size(); ++mover)
            for (const Place place : movers_[mover].places(before_[mover]))
                if (place.vertex == move.to) return false;
    return !task_->illegal || task_->illegal->conflicts(move, time) == 0;
}

// A successor with the states that are in now_; `moved` movers of it have moved.
void JointSearch::add(Index parent, std::size_t moved, Sums sums) {
    ++successors_;
    if (sums.g + sums.h > task_->cost_limit) return;
    const bool standard = moved == movers_.size();
    if (standard) moved = 0;
    if (!has_room()) return;
    if (!standard && task_->duplicates == Duplicates::standard) {
        make(parent, moved, sums);
        return;
    }
    Slot* slot = find(moved, key_time(nodes_[parent].time + (standard ? 1 : 0)));
    if (slot->node != kNone) {
        Node& known = nodes_[slot->node];
        const bool better =
            sums.g < known.g || (sums.g == known.g && sums.violations < known.violations);
        if (!better) return;
        known.replaced = true;
        slot->node = make(parent, moved, sums);
        return;
    }
    slot->node = make(parent, moved, sums);
    if (++used_ * 2 > slots_.size()) grow();
}

// Is there room for one more node? If not, makes some, unless that would take too much memory
// while old and new lie side by side.
bool JointSearch::has_room() {
    if (nodes_.size() < nodes_.capacity()) return true;
    const std::size_t more = nodes_.size() + nodes_.size() / 2 + kFewSlots;
    if (!budget_->fits(bytes() + static_cast<std::int64_t>(
                                     more * (sizeof(Node) + movers_.size() * sizeof(State)))))
        return false;
    if (!budget_->has_time_to_write(static_cast<std::int64_t>(nodes_.size() * sizeof(Node) +
                                                              states_.size() * sizeof(State) +
                                                              open_.size() * sizeof(Entry))))
        return false;
    nodes_.reserve(more);
    states_.reserve(more * movers_.size());
    open_.reserve(open_.size() + open_.size() / 2 + kFewSlots);
    return true;
}

JointSearch::Index JointSearch::make(Index parent, std::size_t moved, Sums sums) {
    const auto index = static_cast<Index>(nodes_.size());
    const auto [g, h, violations] = sums;
    Node node{parent, index, 0, g, h, violations, 0, static_cast<std::uint16_t>(moved), false};
    if (parent != kNone) {
        node.time = nodes_[parent].time + (moved == 0 ? 1 : 0);
        if (moved > 0) node.standard = nodes_[parent].standard;
    }
    nodes_.push_back(node);
    states_.insert(states_.end(), now_.begin(), now_.end());
    open(index);
    return index;
}

// As long as it costs no more than what any plan is known to cost, it does not matter how much.
void JointSearch::open(Index index) {
    const Node& node = nodes_[index];
    const Cost h = node.h + node.surplus;
    open_.push_back({std::max(node.g + h, task_->at_least), node.violations, h, index});
    std::push_heap(open_.begin(), open_.end());
}

std::uint32_t JointSearch::hash(std::size_t moved, Time key) const {
    std::uint64_t value = moved * 0x9E3779B97F4A7C15u + static_cast<std::uint32_t>(key);
    for (const State state : now_) {
        value = (value ^ state) * 0xBF58476D1CE4E5B9u;
        value ^= value >> 29;
    }
    return static_cast<std::uint32_t>(value * 0x94D049BB133111EBu >> 32);
}

// The slot of the state in now_ (and before_): of the node that has it, or an empty one.
JointSearch::Slot* JointSearch::find(std::size_t moved, Time key) {
    const std::size_t mask = slots_.size() - 1;
    const std::uint32_t value = hash(moved, key);
    std::size_t slot = value & mask;
    while (slots_[slot].node != kNone &&
           (slots_[slot].hash != value || !is_same(slots_[slot].node, moved, key)))
        slot = (slot + 1) & mask;
    slots_[slot].hash = value;
    return &slots_[slot];
}

bool JointSearch::is_same(Index index, std::size_t moved, Time key) const {
    const Node& node = nodes_[index];
    if (node.moved != moved || key_time(node.time) != key) return false;
    if (!std::equal(now_.begin(), now_.end(), states(index))) return false;
    return moved == 0 || leaves_same_moves(index, moved);
}

// Two nodes with the same post-move positions differ only in where those who have moved come from.
// That matters where it forbids a move to somebody who has yet to move (figure 5 of the paper).
bool JointSearch::leaves_same_moves(Index index, std::size_t moved) const {
    const State* other_before = states(nodes_[index].standard);
    for (std::size_t mover = 0; mover < moved; ++mover) {
        if (before_[mover] == other_before[mover]) continue;
        const auto one = movers_[mover].places(before_[mover]);
        const auto other = movers_[mover].places(other_before[mover]);
        const auto to = movers_[mover].places(now_[mover]);
        for (std::size_t member = 0; member < to.size(); ++member)
            if (one[member].vertex != other[member].vertex &&
                (matters_later({one[member].vertex, to[member].vertex}, moved) ||
                 matters_later({other[member].vertex, to[member].vertex}, moved)))
                return false;
    }
    return true;
}

// May it constrain anybody who has yet to move?
bool JointSearch::matters_later(Move move, std::size_t first_unmoved) const {
    for (std::size_t mover = first_unmoved; mover < movers_.size(); ++mover)
        for (const auto [here, committed] : movers_[mover].places(now_[mover]))
            if (may_constrain(space_, rules_, move, here)) return true;
    return false;
}

bool may_constrain(const Space& space, const Rules& rules, Move move, Vertex here) {
    if (move.from == kNowhere || move.from == move.to || here == kNowhere) return false;
    if (here == move.to) return true;
    if (!rules.following && space.connects(here, move.from)) return true;
    return move.to != kNowhere && !rules.crossing && space.has_crossings() &&
           space.any_crossing(move, [&](Move m) { return m.from == here; });
}

// Twice as many slots. Nodes that were replaced by better ones are no longer in them.
void JointSearch::grow() {
    const auto bytes = static_cast<std::int64_t>(slots_.size() * 2 * sizeof(Slot));
    if (!budget_->has_time_to_write(bytes)) return;  // there is still room, and the search ends
    std::vector<Slot> old(slots_.size() * 2, Slot{kNone, 0});
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& taken : old) {
        if (taken.node == kNone) continue;
        std::size_t slot = taken.hash & mask;
        while (slots_[slot].node != kNone) slot = (slot + 1) & mask;
        slots_[slot] = taken;
    }
}

void JointSearch::trace_back(Index index, std::vector<std::vector<Vertex>>& paths) const {
    const auto length = static_cast<std::size_t>(nodes_[index].time) + 1;
    paths.assign(task_->starts.size(), std::vector<Vertex>(length));
    for (; index != kNone; index = nodes_[index].parent) {
        if (nodes_[index].moved != 0) continue;
        const auto time = static_cast<std::size_t>(nodes_[index].time);
        for (std::size_t mover = 0; mover < movers_.size(); ++mover) {
            const auto places = movers_[mover].places(states(index)[mover]);
            for (std::size_t member = 0; member < places.size(); ++member)
                paths[agents_[mover][member]][time] = places[member].vertex;
        }
    }
}

Outcome JointPlanner::plan(JointTask task, Budget& budget,
                           std::vector<std::vector<Vertex>>& paths) {
    std::vector<DistanceMap*> distances(task.goals.size(), nullptr);
    for (std::size_t agent = 0; agent < distances.size() && !budget.exhausted(); ++agent) {
        const Vertex goal = task.goals[agent];
        if (goal == kNowhere) continue;
        DistanceMap*& map = maps_[goal];
        if (!map) map = &distances_.acquire(goal, task.starts[agent]);
        distances[agent] = map;
        map->at(task.starts[agent], budget);  // looks at the clock
    }
    task.distances = distances;
    return search_.run(task, budget, paths);
}

}  // namespace sidestep
