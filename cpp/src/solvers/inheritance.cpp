#include "sidestep/solvers/inheritance.hpp"

#include <algorithm>
#include <array>

#include "sidestep/model/collision.hpp"
#include "sidestep/model/random.hpp"

namespace sidestep {

namespace {

// A key: distance, hindrance, random bits, and the number of the wish.
constexpr int kNumberBits = 20, kRandomBits = 8, kHindranceBits = 8;
constexpr int kRandomAt = kNumberBits, kHindranceAt = kRandomAt + kRandomBits,
              kDistanceAt = kHindranceAt + kHindranceBits;
// By how much a step may bring an agent nearer to its goal.
constexpr Cost kMostGained = StepCosts::kDearest;
constexpr std::uint64_t kGreatestDistance = (std::uint64_t{1} << (64 - kDistanceAt)) - 1;
constexpr std::uint64_t kGreatestHindrance = (std::uint64_t{1} << kHindranceBits) - 1;
constexpr std::uint64_t kRandomMask = (std::uint64_t{1} << kRandomBits) - 1;
constexpr std::uint64_t kGreatestNumber = (std::uint64_t{1} << kNumberBits) - 1;
constexpr std::size_t kAhead = 8;  // agents, whose distances are fetched while others decide
constexpr std::size_t kFew = 16;   // keys, for which sorting by insertion is fastest

void sort_few(std::uint64_t* keys, std::size_t count) {
    for (std::size_t i = 1; i < count; ++i) {
        const std::uint64_t key = keys[i];
        std::size_t k = i;
        for (; k > 0 && keys[k - 1] > key; --k) keys[k] = keys[k - 1];
        keys[k] = key;
    }
}

}  // namespace

Inheritance::Inheritance(const Space& space, const Rules& rules, const Roads& roads, Fields& fields,
                         Options options)
    : space_(space),
      rules_(rules),
      roads_(roads),
      fields_(fields),
      options_(options),
      crossings_(checks_crossings(space, rules)),
      now_(static_cast<std::size_t>(roads.size()), kNobody),
      next_(static_cast<std::size_t>(roads.size()), kNobody) {
    // Nobody may back out into a spot that is just being left, or come back against a one-way road.
    if (space.is_directed() || !rules.following) options_.swap = false;
}

std::int64_t Inheritance::bytes() const {
    return static_cast<std::int64_t>((now_.size() + next_.size()) * sizeof(AgentId));
}

Inheritance::Outcome Inheritance::step(const Task& task, std::span<Spot> to, Budget& budget) {
    task_ = task;
    travels_ = task.travels;
    from_ = task.from;
    to_ = to;
    budget_ = &budget;
    out_of_budget_ = false;
    for (std::size_t a = 0; a < from_.size(); ++a) {
        if (from_[a] != kNowhere) now_[from_[a]] = static_cast<AgentId>(a);
        const bool leaves = rules_.disappear && from_[a] == travels_[a].goal;
        to[a] = from_[a] == kNowhere || leaves ? kNowhere : kUndecided;
    }
    bool possible = make_fixed_moves(task.fixed);
    for (std::size_t k = 0; k < task.order.size() && possible && !out_of_budget_; ++k) {
        prefetch(k);
        if (is_undecided(task.order[k])) possible = decide(task.order[k]);
    }
    clean_up();
    if (out_of_budget_) return Outcome::out_of_budget;
    return possible ? Outcome::done : Outcome::impossible;
}

// Fields of different agents lie far apart: most of a step would be spent on waiting for them.
void Inheritance::prefetch(std::size_t k) const {
    if (k + 2 * kAhead < task_.order.size())
        __builtin_prefetch(travels_[task_.order[k + 2 * kAhead]].field);
    if (k + kAhead >= task_.order.size()) return;
    const AgentId agent = task_.order[k + kAhead];
    if (is_undecided(agent) && travels_[agent].field) travels_[agent].field->prefetch(from_[agent]);
}

bool Inheritance::make_fixed_moves(std::span<const Fixed> fixed) {
    for (const Fixed& move : fixed) {
        if (!allows(move.agent, move.spot)) return false;
        if (!rules_.following && move.spot != from_[move.agent] && now_[move.spot] != kNobody)
            return false;
        take(move.agent, move.spot);
    }
    return true;
}

void Inheritance::clean_up() {
    for (std::size_t a = 0; a < from_.size(); ++a) {
        if (from_[a] != kNowhere) now_[from_[a]] = next_[from_[a]] = kNobody;
        if (to_[a] >= 0) next_[to_[a]] = kNobody;
    }
}

// By how much the distance of an agent grows from one spot to another beside it.
Cost Inheritance::change(AgentId agent, Spot from, Spot to) {
    Fields::Field* const field = travels_[agent].field;
    if (!field || from == to) return 0;
    const Cost change = fields_.change(*field, from, to, *budget_);
    if (change == Fields::kUnknown) out_of_budget_ = true;
    return change;
}

// May it go there, as far as everybody has decided?
bool Inheritance::allows(AgentId agent, Spot target) const {
    if (next_[target] != kNobody) return false;
    const Spot from = from_[agent];
    if (target == from) return true;
    const AgentId other = now_[target];
    if (other != kNobody && to_[other] == from) return false;
    return !crossings_ || !crosses(from, target);
}

bool Inheritance::crosses(Spot from, Spot to) const {
    const Move move{roads_.vertex(from), roads_.vertex(to)};
    return space_.any_crossing(move, [&](Move other) {
        const Spot begin = roads_.spot(other.from);
        if (begin == kNowhere || now_[begin] == kNobody) return false;
        const Spot end = to_[now_[begin]];
        return end >= 0 && roads_.vertex(end) == other.to;
    });
}

// Where it goes now; what it had taken before, and nobody has taken from it, is free again.
void Inheritance::take(AgentId agent, Spot spot) {
    if (to_[agent] >= 0 && next_[to_[agent]] == agent) next_[to_[agent]] = kNobody;
    to_[agent] = spot;
    next_[spot] = agent;
}

// An agent that has not decided, and all that it makes decide. False: there is no step for it.
bool Inheritance::decide(AgentId root) {
    stack_.clear();
    wishes_.clear();
    push(root);
    while (!out_of_budget_) {
        Frame& frame = stack_.back();
        AgentId asked = kNobody;
        const bool found =
            rules_.following ? advance(frame, asked) : advance_without_following(frame, asked);
        if (found && asked == kNobody) {
            pull_partners();
            return true;
        }
        if (found) {
            push(asked);
            continue;
        }
        if (stack_.size() == 1) return false;
        take(frame.agent, from_[frame.agent]);  // it stays; who asked tries its next wish
        wishes_.resize(static_cast<std::size_t>(frame.first));
        stack_.pop_back();
    }
    return true;
}

// The next wish that can be had. Who stands there and has not decided is asked first.
bool Inheritance::advance(Frame& frame, AgentId& asked) {
    while (frame.next < frame.count) {
        const Spot wish = wishes_[static_cast<std::size_t>(frame.first + frame.next++)];
        if (!allows(frame.agent, wish)) continue;
        take(frame.agent, wish);
        const AgentId other = now_[wish];
        if (other != kNobody && is_undecided(other)) asked = other;
        return true;
    }
    return false;
}

// Only spots that are empty now can be entered. Who stands on another one is asked to leave it, and
// the agent waits for that. So who was asked leaves, or waits for somebody who does.
bool Inheritance::advance_without_following(Frame& frame, AgentId& asked) {
    const Spot from = from_[frame.agent];
    while (frame.next < frame.count) {
        const Spot wish = wishes_[static_cast<std::size_t>(frame.first + frame.next++)];
        const AgentId other = now_[wish];
        if (other == kNobody || other == frame.agent) {
            if (!allows(frame.agent, wish) || (frame.asked && wish == from)) continue;
            take(frame.agent, wish);
            return true;
        }
        if (!is_undecided(other)) continue;
        if (next_[from] != kNobody && next_[from] != frame.agent) continue;
        take(frame.agent, from);
        asked = other;
        return true;
    }
    return false;
}

void Inheritance::push(AgentId agent) {
    if (!budget_->spend()) {
        out_of_budget_ = true;
        return;
    }
    const auto first = static_cast<std::int32_t>(wishes_.size());
    rank(agent);
    if (out_of_budget_) return;
    const auto count = static_cast<std::int32_t>(wishes_.size()) - first;
    AgentId partner = kNobody;
    if (options_.swap) {
        partner = partner_of(agent, wishes_[static_cast<std::size_t>(first)]);
        if (partner != kNobody) std::reverse(wishes_.begin() + first, wishes_.end());
    }
    stack_.push_back({agent, first, count, 0, partner, !stack_.empty()});
}

// Adds the wishes of an agent, best first. Number 0 is to stay.
void Inheritance::rank(AgentId agent) {
    const Spot from = from_[agent];
    const std::span<const Spot> beside = roads_.next(from);
    const std::size_t count = std::min<std::size_t>(beside.size(), kGreatestNumber) + 1;
    std::array<std::uint64_t, kFew> few;
    if (count > kFew) keys_.resize(count);
    std::uint64_t* const keys = count > kFew ? keys_.data() : few.data();
    if (!fill_keys(agent, beside.first(count - 1), keys)) return;
    if (count <= kFew)
        sort_few(keys, count);
    else
        std::sort(keys, keys + count);
    wishes_.resize(wishes_.size() + count);
    Spot* const wishes = &*(wishes_.end() - static_cast<std::ptrdiff_t>(count));
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint64_t number = keys[k] & kGreatestNumber;
        wishes[k] = number ? beside[number - 1] : from;
    }
}

// A key for each wish: to stay, and to go to each spot beside. False: the budget ran out.
bool Inheritance::fill_keys(AgentId agent, std::span<const Spot> beside, std::uint64_t* keys) {
    const Spot from = from_[agent];
    Fields::Field* const field = travels_[agent].field;
    const Spot guided = task_.guided.empty() ? kNowhere : task_.guided[agent];
    const bool hinders = options_.hindrance && task_.hindrance;
    std::uint64_t random = mix(task_.draw + static_cast<std::uint64_t>(agent));
    for (std::uint64_t k = 0; k <= beside.size(); ++k) {
        const Spot wish = k ? beside[k - 1] : from;
        Cost cost = k ? 1 : 0;  // who has no goal likes to stay
        if (k && field) cost = fields_.change(*field, from, wish, *budget_);
        if (cost == Fields::kUnknown) out_of_budget_ = true;
        if (out_of_budget_) return false;
        // Who is trapped leaves, wherever to, and whatever it was guided to.
        const bool is_trapped = k == 0 && !space_.is_open(roads_.vertex(from));
        if (is_trapped) cost = kUnreachable;
        const bool is_guided = wish == guided && !is_trapped;
        const auto worth = is_guided ? 0 : static_cast<std::uint64_t>(cost + kMostGained + 1);
        const std::uint64_t hindered = hinders ? hindrance(from, wish) : 0;
        keys[k] = std::min(worth, kGreatestDistance) << kDistanceAt |
                  std::min(hindered, kGreatestHindrance) << kHindranceAt |
                  (random & kRandomMask) << kRandomAt | k;
        random = (k & 7) == 7 ? mix(random) : random >> kRandomBits;
    }
    return true;
}

// How many that stand beside `from`, but not on the target, would get closer to their goals there.
std::uint64_t Inheritance::hindrance(Spot from, Spot target) {
    std::uint64_t hindered = 0;
    for (const Spot s : roads_.next(from)) {
        const AgentId other = now_[s];
        if (other == kNobody || s == target || !travels_[other].field) continue;
        hindered += change(other, s, from) + change(other, from, target) < 0;
    }
    return hindered;
}

// Those who back out of a corridor take along whom they swap with, if their first wish was granted.
void Inheritance::pull_partners() {
    for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
        if (frame->partner == kNobody || frame->next != 1) continue;
        const Spot left = from_[frame->agent];
        if (to_[frame->agent] != left && is_undecided(frame->partner) &&
            allows(frame->partner, left))
            take(frame->partner, left);
    }
}

// With whom an agent has to swap places to get to its first wish, in one step or in two.
AgentId Inheritance::partner_of(AgentId agent, Spot wish) {
    const Spot from = from_[agent];
    const AgentId ahead = now_[wish];
    if (ahead != kNobody && ahead != agent && is_undecided(ahead) &&
        must_swap(agent, ahead, from, wish) && can_swap(wish, from))
        return ahead;
    if (wish == from) return kNobody;
    for (const Spot s : roads_.next(from)) {
        const AgentId behind = now_[s];
        if (behind != kNobody && s != wish && must_swap(behind, agent, from, wish) &&
            can_swap(wish, from))
            return behind;
    }
    return kNobody;
}

// The only spot ahead of one who comes from behind; kNowhere if there is none, kSeveral if there is
// a choice. A dead end of one spot does not count if who lives there is at home.
Spot Inheritance::way_on(Spot at, Spot behind) const {
    Spot found = kNowhere;
    for (const Spot s : roads_.next(at)) {
        if (s == behind) continue;
        const AgentId resident = now_[s];
        if (roads_.degree(s) == 1 && resident != kNobody && travels_[resident].goal == s) continue;
        if (found != kNowhere) return kSeveral;
        found = s;
    }
    return found;
}

// The pusher drives the puller on while that brings it closer. Do they stand in each other's way
// for good? Not where the puller could come back by another way that is as short, such as around a
// room of two rows: both would give way for ever. Guided agents are led out of that, and finish a
// little more without this.
bool Inheritance::must_swap(AgentId pusher, AgentId puller, Spot behind, Spot at) {
    bool drives = is_nearer(pusher, behind, at);
    while (drives) {
        const Spot on = way_on(at, behind);
        if (on == kSeveral) return false;
        if (on == kNowhere) break;
        behind = at;
        at = on;
        drives = is_nearer(pusher, behind, at);
    }
    if (!is_nearer(puller, at, behind) || !(drives || behind == travels_[pusher].goal))
        return false;
    if (!task_.guided.empty()) return true;
    const std::span<const Spot> around = roads_.next(at);
    return std::none_of(around.begin(), around.end(),
                        [&](Spot s) { return s != behind && is_nearer(puller, at, s); });
}

// Backing out, does one come to a spot with a choice, where the other can pass?
bool Inheritance::can_swap(Spot behind, Spot at) const {
    const Spot origin = behind;
    for (std::int32_t steps = 0; at != origin && steps < roads_.size(); ++steps) {
        const Spot on = way_on(at, behind);
        if (on == kSeveral) return true;
        if (on == kNowhere) return false;
        behind = at;
        at = on;
    }
    return false;
}

}  // namespace sidestep
