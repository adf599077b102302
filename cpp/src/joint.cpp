#include "sidestep/joint.hpp"

#include <algorithm>
#include <bit>

namespace sidestep {

namespace {
constexpr std::size_t kFewSlots = 1024;
}  // namespace

Outcome JointSearch::run(const JointTask& task, Budget& budget,
                         std::vector<std::vector<Vertex>>& paths) {
    begin(task, budget);
    while (!open_.empty()) {
        std::pop_heap(open_.begin(), open_.end());
        const Index node = open_.back().node;
        open_.pop_back();
        if (nodes_[node].closed) continue;  // a better one with the same state was found since
        if (is_solved(node)) {
            cost_ = nodes_[node].g;
            trace_back(node, paths);
            return Outcome::found;
        }
        if (!budget.spend()) return Outcome::out_of_budget;
        ++expanded_;
        if (nodes_[node].moved == 0) ++expanded_standard_;
        nodes_[node].closed = true;
        expand(node);
        if (budget.exhausted()) return Outcome::out_of_budget;
    }
    return Outcome::no_path;
}

std::int64_t JointSearch::bytes() const {
    return static_cast<std::int64_t>(
        nodes_.capacity() * sizeof(Node) + states_.capacity() * sizeof(std::uint64_t) +
        slots_.capacity() * sizeof(Slot) + open_.capacity() * sizeof(Entry));
}

void JointSearch::begin(const JointTask& task, Budget& budget) {
    task_ = &task;
    budget_ = &budget;
    agents_ = task.starts.size();
    bits_ = static_cast<int>(std::bit_width(2 * (static_cast<std::uint64_t>(space_.size()) + 1)));
    words_ = std::max<std::size_t>(1, (agents_ * static_cast<std::size_t>(bits_) + 63) / 64);
    expanded_ = expanded_standard_ = 0;
    nodes_ = {};  // what an earlier search took is not kept
    states_ = {};
    open_ = {};
    slots_.assign(kFewSlots, Slot{kNone, 0});
    used_ = 0;
    packed_.assign(words_, 0);
    now_.resize(agents_);
    before_.resize(agents_);
    other_before_.resize(agents_);
    Cost h = 0;
    for (std::size_t agent = 0; agent < agents_; ++agent) {
        now_[agent] = {task.starts[agent], false};
        h += estimate(agent, now_[agent]);
        if (h >= kUnreachable) return;
    }
    if (h > task.cost_limit) return;
    for (std::size_t agent = 0; agent < agents_; ++agent) put(agent, now_[agent]);
    find(0, 0)->node = make(kNone, 0, {0, h, 0});
    ++used_;
}

Cost JointSearch::estimate(std::size_t agent, Place place) const {
    if (place.vertex == kNowhere || place.committed || !task_->distances[agent]) return 0;
    const Cost distance = task_->distances[agent][place.vertex];
    return distance < 0 ? kUnreachable : distance;
}

// Everybody is where it wants to be, and nobody with the right of way ever comes through.
bool JointSearch::is_solved(Index index) {
    const Node& node = nodes_[index];
    if (node.moved != 0 || node.h != 0) return false;
    unpack(index, now_);
    for (std::size_t agent = 0; agent < agents_; ++agent) {
        const Vertex here = now_[agent].vertex;
        if (here == kNowhere) continue;
        const bool leaves = rules_.disappear && task_->goals[agent] != kNowhere;
        if (!task_->illegal) continue;
        if (leaves ? !task_->illegal->lets_leave(here, node.time)
                   : task_->illegal->comes(here, node.time + 1))
            return false;
    }
    return true;
}

void JointSearch::expand(Index index) {
    const Node node = nodes_[index];
    unpack(index, now_);
    if (node.moved == 0)
        before_ = now_;
    else
        unpack(node.standard, before_);
    const std::uint64_t* words = states_.data() + static_cast<std::size_t>(index) * words_;
    std::copy(words, words + words_, packed_.begin());
    const Sums sums{node.g, node.h, node.violations};
    if (!task_->decompose) return expand_jointly(index, 0, sums);
    const std::size_t agent = node.moved;
    each_option(agent, node.time, [&](const Option& option) {
        put(agent, option.to);
        add(index, agent + 1, sums + option);
    });
}

// All legal joint moves by backtracking over the moves of one agent after another. They may be
// more than all memory holds, so each of them counts as a node.
void JointSearch::expand_jointly(Index index, std::size_t agent, Sums sums) {
    if (agent == agents_) {
        if (budget_->spend()) add(index, agents_, sums);
        return;
    }
    if (budget_->exhausted()) return;
    each_option(agent, nodes_[index].time, [&](const Option& option) {
        put(agent, option.to);
        expand_jointly(index, agent + 1, sums + option);
    });
    put(agent, before_[agent]);
}

// What an agent may do, those before it having moved. The visitor may change its own place only.
template <class Visit>
void JointSearch::each_option(std::size_t agent, Time time, Visit&& visit) {
    const Place place = before_[agent];
    const Vertex here = place.vertex, goal = task_->goals[agent];
    if (here == kNowhere) return visit(Option{place, 0, 0, 0});
    if (rules_.disappear && here == goal) {
        if (!task_->illegal || task_->illegal->lets_leave(here, time))
            visit(Option{{kNowhere, false}, 0, 0, 0});
        return;
    }
    const Cost old = estimate(agent, place);
    const auto offer = [&](Place to, Cost cost) {
        const Cost h = estimate(agent, to);
        if (h >= kUnreachable || !is_legal(agent, {here, to.vertex}, time)) return;
        const std::int32_t violations =
            task_->avoid ? task_->avoid->conflicts({here, to.vertex}, time) : 0;
        visit(Option{to, cost, h - old, violations});
    };
    if (place.committed) return offer(place, 0);
    const Cost step = goal == kNowhere ? 0 : 1;
    const bool rests = here == goal;
    if (rests && !rules_.free_goal_wait) offer({here, true}, 0);
    offer({here, false}, rests && rules_.free_goal_wait ? 0 : step);
    for (const Vertex next : space_.successors(here)) offer({next, false}, step);
}

bool JointSearch::is_legal(std::size_t agent, Move move, Time time) const {
    for (std::size_t other = 0; other < agent; ++other)
        if (before_[other].vertex != kNowhere &&
            clashes(move, {before_[other].vertex, now_[other].vertex}))
            return false;
    if (!rules_.following && move.from != move.to)
        for (std::size_t other = agent + 1; other < agents_; ++other)
            if (before_[other].vertex == move.to) return false;
    return !task_->illegal || task_->illegal->conflicts(move, time) == 0;
}

// Do two moves of one step collide? The other may lead nowhere, the first may not.
bool JointSearch::clashes(Move one, Move other) const {
    const bool one_moves = one.from != one.to, other_moves = other.from != other.to;
    if (!rules_.following && one_moves && one.to == other.from) return true;
    if (other.to == kNowhere) return false;
    if (one.to == other.to) return true;
    if (!one_moves || !other_moves) return false;
    if (one.from == other.to && (one.to == other.from || !rules_.following)) return true;
    return !rules_.crossing && space_.has_crossings() && space_.any_crossing(one, [&](Move move) {
        return move.from == other.from && move.to == other.to;
    });
}

// A successor with the places that are in now_; `moved` agents of it have moved.
void JointSearch::add(Index parent, std::size_t moved, Sums sums) {
    if (sums.g + sums.h > task_->cost_limit) return;
    const bool standard = moved == agents_;
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
        if (known.closed || !better) return;
        known.closed = true;
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
                                     more * (sizeof(Node) + words_ * sizeof(std::uint64_t)))))
        return false;
    nodes_.reserve(more);
    states_.reserve(more * words_);
    open_.reserve(open_.size() + open_.size() / 2 + kFewSlots);
    return true;
}

JointSearch::Index JointSearch::make(Index parent, std::size_t moved, Sums sums) {
    const auto index = static_cast<Index>(nodes_.size());
    const auto [g, h, violations] = sums;
    Node node{parent, index, 0, g, h, violations, static_cast<std::uint16_t>(moved), false};
    if (parent != kNone) {
        node.time = nodes_[parent].time + (moved == 0 ? 1 : 0);
        if (moved > 0) node.standard = nodes_[parent].standard;
    }
    nodes_.push_back(node);
    states_.insert(states_.end(), packed_.begin(), packed_.end());
    open_.push_back({g + h, violations, h, index});
    std::push_heap(open_.begin(), open_.end());
    return index;
}

// Puts an agent somewhere, in now_ and in packed_.
void JointSearch::put(std::size_t agent, Place place) {
    now_[agent] = place;
    const std::uint64_t value = static_cast<std::uint64_t>(place.vertex + 1) * 2 + place.committed;
    const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
    const std::size_t bit = agent * static_cast<std::size_t>(bits_);
    const std::size_t word = bit / 64, shift = bit % 64;
    packed_[word] = (packed_[word] & ~(mask << shift)) | value << shift;
    if (shift + static_cast<std::size_t>(bits_) <= 64) return;
    packed_[word + 1] = (packed_[word + 1] & ~(mask >> (64 - shift))) | value >> (64 - shift);
}

void JointSearch::unpack(Index node, std::vector<Place>& places) const {
    const std::uint64_t* words = states_.data() + static_cast<std::size_t>(node) * words_;
    const std::uint64_t mask = (std::uint64_t{1} << bits_) - 1;
    std::size_t bit = 0;
    for (Place& place : places) {
        const std::size_t word = bit / 64, shift = bit % 64;
        std::uint64_t value = words[word] >> shift;
        if (shift + static_cast<std::size_t>(bits_) > 64) value |= words[word + 1] << (64 - shift);
        value &= mask;
        place = {static_cast<Vertex>(value >> 1) - 1, (value & 1) != 0};
        bit += static_cast<std::size_t>(bits_);
    }
}

std::uint64_t JointSearch::hash(const std::uint64_t* words, std::size_t moved, Time key) const {
    std::uint64_t value = moved * 0x9E3779B97F4A7C15u + static_cast<std::uint32_t>(key);
    for (std::size_t word = 0; word < words_; ++word) {
        value = (value ^ words[word]) * 0xBF58476D1CE4E5B9u;
        value ^= value >> 29;
    }
    return value * 0x94D049BB133111EBu ^ value >> 31;
}

// The slot of the state in packed_ (and now_, before_): of the node that has it, or an empty one.
JointSearch::Slot* JointSearch::find(std::size_t moved, Time key) {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t value = hash(packed_.data(), moved, key);
    const auto tag = static_cast<std::uint32_t>(value >> 32);
    std::size_t slot = value & mask;
    while (slots_[slot].node != kNone &&
           (slots_[slot].tag != tag || !is_same(slots_[slot].node, moved, key)))
        slot = (slot + 1) & mask;
    slots_[slot].tag = tag;
    return &slots_[slot];
}

bool JointSearch::is_same(Index index, std::size_t moved, Time key) {
    const Node& node = nodes_[index];
    if (node.moved != moved || key_time(node.time) != key) return false;
    const std::uint64_t* words = states_.data() + static_cast<std::size_t>(index) * words_;
    if (!std::equal(words, words + words_, packed_.begin())) return false;
    return moved == 0 || leaves_same_moves(index, moved);
}

// Two nodes with the same post-move positions differ only in where those who have moved come from.
// That matters where it forbids a move to somebody who has yet to move (figure 5 of the paper).
bool JointSearch::leaves_same_moves(Index index, std::size_t moved) {
    unpack(nodes_[index].standard, other_before_);
    for (std::size_t agent = 0; agent < moved; ++agent) {
        const Vertex one = before_[agent].vertex, other = other_before_[agent].vertex;
        if (one == other) continue;
        const Vertex to = now_[agent].vertex;
        if ((one != kNowhere && constrains({one, to}, moved)) ||
            (other != kNowhere && constrains({other, to}, moved)))
            return false;
    }
    return true;
}

// Does a move forbid more to those who have yet to move than to be where it ends?
bool JointSearch::constrains(Move move, std::size_t first_unmoved) const {
    for (std::size_t agent = first_unmoved; agent < agents_; ++agent) {
        const Vertex here = now_[agent].vertex;
        if (here == kNowhere) continue;
        for (const Vertex next : space_.successors(here))
            if (next != move.to && clashes({here, next}, move)) return true;
    }
    return false;
}

// Twice as many slots. Nodes that were replaced by better ones are no longer in them.
void JointSearch::grow() {
    std::vector<Slot> old(slots_.size() * 2, Slot{kNone, 0});
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& taken : old) {
        if (taken.node == kNone) continue;
        const Node& node = nodes_[taken.node];
        const std::uint64_t* words = states_.data() + static_cast<std::size_t>(taken.node) * words_;
        std::size_t slot = hash(words, node.moved, key_time(node.time)) & mask;
        while (slots_[slot].node != kNone) slot = (slot + 1) & mask;
        slots_[slot] = taken;
    }
}

void JointSearch::trace_back(Index index, std::vector<std::vector<Vertex>>& paths) {
    paths.assign(agents_, std::vector<Vertex>(static_cast<std::size_t>(nodes_[index].time) + 1));
    for (; index != kNone; index = nodes_[index].parent) {
        if (nodes_[index].moved != 0) continue;
        unpack(index, now_);
        for (std::size_t agent = 0; agent < agents_; ++agent)
            paths[agent][static_cast<std::size_t>(nodes_[index].time)] = now_[agent].vertex;
    }
}

}  // namespace sidestep
