// Neighbourhoods by ejection: the shorter path that an agent would like, and whom it meets there.
#include <algorithm>
#include <bit>
#include <limits>

#include "sidestep/solvers/lns/neighbourhoods.hpp"

namespace sidestep {

namespace {

constexpr std::int64_t kMostStates = 3000;
constexpr std::int32_t kMostBeside = 3;

}  // namespace

void Neighbourhoods::ejection(Dice& dice, Budget& budget) {
    const AgentId agent = most_delayed(dice);
    if (agent == kNobody) return;
    const PlannedAgent& planned = plan_.planned(agent);
    const auto before = static_cast<Time>(plan_.path(agent).size()) - 1;
    if (before <= planned.distance) return;
    const Time arrival = planned.distance + dice.below(before - planned.distance);
    plan_.lift(agent);
    const std::int32_t wished = find_wished(agent, arrival, budget);
    if (wished >= 0) {
        add(agent);
        add_in_the_way(wished);
        if (static_cast<std::int32_t>(members_.size()) > size_) members_.clear();
    }
    plan_.lay(agent);
    if (members_.size() > 1 && dice.roll() & 1) add_beside(dice);
}

// A path that is at the goal at `arrival`, with the fewest collisions: its last state, or -1. The
// agent is out of the lines.
std::int32_t Neighbourhoods::find_wished(AgentId agent, Time arrival, Budget& budget) {
    wishing_ = agent;
    states_.clear();
    open_.resize(static_cast<std::size_t>(size_) + 1);
    for (auto& stack : open_) stack.clear();
    fewest_.clear(std::bit_ceil<std::size_t>(kMostStates * 4));
    const PlannedAgent& planned = plan_.planned(agent);
    reach(planned.start, 0, -1, 0);
    for (std::uint32_t collisions = 0; collisions < open_.size(); ++collisions)
        while (!open_[collisions].empty()) {
            const std::int32_t number = open_[collisions].back();
            open_[collisions].pop_back();
            const State& state = states_[number];
            if (state.spot == planned.goal && state.time == arrival) return number;
            if (!budget.spend()) return -1;
            if (!expand(number, arrival, collisions)) return -1;
        }
    return -1;
}

// False: it has become too large.
bool Neighbourhoods::expand(std::int32_t number, Time arrival, std::uint32_t collisions) {
    const State from = states_[number];
    const Timelines& lines = plan_.lines();
    const Fields::Field& field = *plan_.planned(wishing_).field;
    const Spot goal = plan_.planned(wishing_).goal;
    const bool gone = from.spot == goal && lines.rules().disappear;
    const auto enter = [&](Spot to, bool swaps) {
        if (from.time + 1 + field.at_least(to) > arrival) return true;
        return reach(to, from.time + 1, number,
                     collisions + lines.taken(to, from.time + 1) + (swaps ? 1 : 0));
    };
    if (gone) return true;
    if (!enter(from.spot, false)) return false;
    const auto next = lines.roads().next(from.spot);
    for (std::size_t k = 0; k < next.size(); ++k) {
        const auto edge = lines.place(from.spot) + 1 + static_cast<Timelines::Line>(k);
        const auto used = [&](Timelines::Line line) {
            return from.time < lines.end() &&
                   lines.line(line)[from.time / Timelines::kBits] >> from.time % Timelines::kBits &
                       1;
        };
        bool swaps = used(lines.reverse(edge));
        for (const auto crossing : lines.crossing(edge)) swaps = swaps || used(crossing);
        if (!lines.rules().following)
            swaps =
                swaps || lines.taken(next[k], from.time) || lines.taken(from.spot, from.time + 1);
        if (!enter(next[k], swaps)) return false;
    }
    return true;
}

// False: there are too many states.
bool Neighbourhoods::reach(Spot s, Time t, std::int32_t parent, std::uint32_t collisions) {
    if (collisions >= open_.size()) return true;
    std::uint32_t& fewest = fewest_.at(s, t, std::numeric_limits<std::uint32_t>::max());
    if (fewest <= collisions) return true;
    if (static_cast<std::int64_t>(states_.size()) >= kMostStates) return false;
    fewest = collisions;
    open_[collisions].push_back(static_cast<std::int32_t>(states_.size()));
    states_.push_back({s, t, parent});
    return true;
}

// Whom the wished path meets, on the way or when it stays at its end.
void Neighbourhoods::add_in_the_way(std::int32_t number) {
    const auto meet = [&](AgentId other) {
        if (other != wishing_) add(other);
    };
    const State end = states_[number];
    const Timelines& lines = plan_.lines();
    if (!lines.rules().disappear)
        for (Time t = lines.next_taken(end.spot, end.time); t < lines.end();
             t = lines.next_taken(end.spot, t + 1))
            meet(plan_.holder(end.spot, t));
    const bool following = lines.rules().following;
    for (std::int32_t n = number; states_[n].parent >= 0; n = states_[n].parent) {
        const State &to = states_[n], &from = states_[to.parent];
        meet(plan_.holder(to.spot, to.time));
        if (from.spot == to.spot) continue;
        meet(plan_.mover(to.spot, from.spot, from.time));
        if (!following) {
            meet(plan_.holder(to.spot, from.time));
            meet(plan_.holder(from.spot, to.time));
        }
    }
}

// Up to three who stand beside the members at some time: they have room to give.
void Neighbourhoods::add_beside(Dice& dice) {
    for (std::int32_t k = 0; k < kMostBeside && !full(); ++k) {
        const AgentId member = members_[dice.below(static_cast<std::int32_t>(members_.size()))];
        const SpotPath& path = plan_.path(member);
        const auto t = dice.below(static_cast<std::int32_t>(path.size()));
        const auto next = plan_.roads().next(path[t]);
        if (next.empty()) continue;
        add(plan_.holder(next[dice.below(static_cast<std::int32_t>(next.size()))], t));
    }
}

}  // namespace sidestep
