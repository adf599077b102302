#include "sidestep/solvers/joint/mover.hpp"

#include <algorithm>

#include "sidestep/model/collision.hpp"

namespace sidestep {

namespace {
constexpr std::size_t kFewSlots = 64;
constexpr Mover::State kNoState = 0xFFFFFFFF;
}  // namespace

Mover::Mover(const Space& space, const Rules& rules, std::vector<Member> members, Budget& budget)
    : space_(space),
      rules_(rules),
      budget_(budget),
      members_(std::move(members)),
      slots_(kFewSlots, kNoState) {
    options_.resize(members_.size());
    target_.resize(members_.size());
}

std::int64_t Mover::bytes() const {
    return static_cast<std::int64_t>(
        places_.capacity() * sizeof(Place) + known_.capacity() * sizeof(Known) +
        slots_.capacity() * sizeof(State) + levels_.capacity() * sizeof(Level) +
        steps_.capacity() * sizeof(Step));
}

Cost Mover::estimate(std::size_t member, Place place) const {
    if (place.vertex == kNowhere || place.committed || !members_[member].distances) return 0;
    const Cost distance = members_[member].distances->at(place.vertex, budget_);
    return distance == kNotReady ? kUnreachable : distance;
}

Mover::State Mover::at(std::span<const Place> places) {
    const std::size_t slot = slot_of(places);
    if (slots_[slot] != kNoState) return slots_[slot];
    const auto state = static_cast<State>(known_.size());
    Cost distance = 0;
    for (std::size_t member = 0; member < members_.size(); ++member)
        distance += estimate(member, places[member]);
    const bool exact = members_.size() == 1 || distance == 0;
    places_.insert(places_.end(), places.begin(), places.end());
    known_.push_back({distance, 0, exact, kUnmade});
    slots_[slot] = state;
    if (known_.size() * 2 > slots_.size()) grow();
    return state;
}

std::size_t Mover::slot_of(std::span<const Place> sought) const {
    std::uint64_t value = 0;
    for (const Place place : sought) {
        value = (value ^ (static_cast<std::uint64_t>(place.vertex + 1) * 2 + place.committed)) *
                0xBF58476D1CE4E5B9u;
        value ^= value >> 29;
    }
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = value & mask;
    while (slots_[slot] != kNoState && !std::ranges::equal(places(slots_[slot]), sought))
        slot = (slot + 1) & mask;
    return slot;
}

void Mover::grow() {
    slots_.assign(slots_.size() * 2, kNoState);
    for (State state = 0; state < known_.size(); ++state) slots_[slot_of(places(state))] = state;
}

std::uint32_t Mover::first_level(State state) {
    if (known_[state].level == kUnmade) {
        const std::uint32_t made = make_level(state, 0);
        known_[state].level = made;
    }
    return known_[state].level;
}

std::uint32_t Mover::next_level(State state, std::uint32_t level) {
    if (levels_[level].next == kUnmade) {
        const std::uint32_t made = make_level(state, levels_[level].delay + 1);
        levels_[level].next = made;
    }
    return levels_[level].next;
}

// The legal steps of the least delay that is at least so much.
std::uint32_t Mover::make_level(State state, Cost at_least) {
    for (std::size_t member = 0; member < members_.size(); ++member)
        list_options(member, places(state)[member]);
    at_least_ = at_least;
    best_ = kUnreachable;
    targets_.clear();
    costs_.clear();
    combine(0, state, 0, 0);
    if (costs_.empty()) return kEnd;
    const auto first = static_cast<std::uint32_t>(steps_.size());
    for (std::size_t index = 0; index < costs_.size(); ++index) {
        const std::span<const Place> to{targets_.data() + index * members_.size(), members_.size()};
        steps_.push_back({at(to), costs_[index]});
    }
    levels_.push_back({first, static_cast<std::uint32_t>(steps_.size()), best_, kUnmade});
    return static_cast<std::uint32_t>(levels_.size() - 1);
}

// What a member may do, apart from the others.
void Mover::list_options(std::size_t member, Place place) {
    std::vector<Option>& options = options_[member];
    options.clear();
    const Vertex here = place.vertex, goal = members_[member].goal;
    if (here == kNowhere || (rules_.disappear && here == goal)) {
        options.push_back({{kNowhere, false}, 0, 0});
        return;
    }
    const Cost old = estimate(member, place);
    const auto offer = [&](Place to, Cost cost) {
        const Cost h = estimate(member, to);
        if (h < kUnreachable) options.push_back({to, cost, cost + h - old});
    };
    if (place.committed) return offer(place, 0);
    const Cost step = goal == kNowhere ? 0 : 1;
    const bool rests = here == goal;
    if (rests && !rules_.free_goal_wait) offer({here, true}, 0);
    offer({here, false}, rests && rules_.free_goal_wait ? 0 : step);
    for (const Vertex next : space_.successors(here)) offer({next, false}, step);
}

void Mover::combine(std::size_t member, State state, Cost cost, Cost delay) {
    if (member == members_.size()) {
        if (delay < at_least_) return;
        if (delay < best_) {
            best_ = delay;
            targets_.clear();
            costs_.clear();
        }
        targets_.insert(targets_.end(), target_.begin(), target_.end());
        costs_.push_back(cost);
        return;
    }
    for (const Option& option : options_[member]) {
        if (delay + option.delay > best_ || !is_legal(member, state, option.to)) continue;
        ++moves_made_;
        target_[member] = option.to;
        combine(member + 1, state, cost + option.cost, delay + option.delay);
    }
}

bool Mover::is_legal(std::size_t member, State state, Place to) const {
    const std::span<const Place> from = places(state);
    if (from[member].vertex == kNowhere || to.vertex == kNowhere) return true;
    const Move move{from[member].vertex, to.vertex};
    for (std::size_t other = 0; other < member; ++other)
        if (from[other].vertex != kNowhere &&
            collides(space_, rules_, move, {from[other].vertex, target_[other].vertex}))
            return false;
    if (!rules_.following && move.from != move.to)
        for (std::size_t other = member + 1; other < members_.size(); ++other)
            if (from[other].vertex == move.to) return false;
    return true;
}

Cost Mover::excess(State state) {
    if (!known_[state].exact) is_within(state, kMostExcess);
    return known_[state].excess;
}

Mover::Verdict Mover::verdict(State state, Cost bound) const {
    const Known& known = known_[state];
    if (known.excess > bound) return Verdict::no;
    return known.exact ? Verdict::yes : Verdict::unknown;
}

// The excess is the least for which there is a step after which, its delay deducted, it still
// suffices. Each step without a delay shortens the way, so this comes to an end.
bool Mover::is_within(State root, Cost most) {
    if (const Verdict known = verdict(root, most); known != Verdict::unknown)
        return known == Verdict::yes;
    trials_.clear();
    trials_.push_back({root, most, first_level(root), 0});
    while (!trials_.empty()) {
        if (!budget_.tick() || !budget_.fits(bytes())) return false;
        Trial& trial = trials_.back();
        Known& known = known_[trial.state];
        if (verdict(trial.state, trial.bound) != Verdict::unknown) {
            trials_.pop_back();
            continue;
        }
        if (trial.level == kEnd || levels_[trial.level].delay > known.excess) {
            known.exact = ++known.excess == kMostExcess;
            trial.level = known.level;
            trial.step = 0;
            continue;
        }
        const Level& level = levels_[trial.level];
        const State to = steps_[level.first + trial.step].to;
        const Cost left = known.excess - level.delay;
        switch (verdict(to, left)) {
            case Verdict::yes:
                known.exact = true;
                break;
            case Verdict::no:
                advance(trial);
                break;
            case Verdict::unknown: {
                const std::uint32_t first = first_level(to);
                trials_.push_back({to, left, first, 0});
            }
        }
    }
    return verdict(root, most) == Verdict::yes;
}

void Mover::advance(Trial& trial) {
    if (levels_[trial.level].first + ++trial.step < levels_[trial.level].end) return;
    trial.level = next_level(trial.state, trial.level);
    trial.step = 0;
}

}  // namespace sidestep
