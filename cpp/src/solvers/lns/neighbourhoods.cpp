#include "sidestep/solvers/lns/neighbourhoods.hpp"

#include <algorithm>

namespace sidestep {

namespace {

constexpr int kCandidates = 24;      // of whom the most delayed one is taken
constexpr std::uint64_t kTabu = 32;  // choices for which an agent is not the first again
constexpr int kWalksPerMember = 3;
constexpr std::size_t kJunctions = 24;  // spots around a junction that are looked at
constexpr Time kAround = 12;            // steps before and after

}  // namespace

Neighbourhoods::Neighbourhoods(LivePlan& plan)
    : plan_(plan),
      member_of_(static_cast<std::size_t>(plan.size())),
      chosen_(static_cast<std::size_t>(plan.size())) {}

std::int64_t Neighbourhoods::bytes() const {
    return fewest_.bytes() +
           static_cast<std::int64_t>(states_.capacity() * sizeof(State) +
                                     member_of_.size() * 2 * sizeof(std::uint64_t));
}

const std::vector<AgentId>& Neighbourhoods::choose(NeighbourhoodKind kind, std::int32_t size,
                                                   Dice& dice, Budget& budget) {
    members_.clear();
    ++choice_;
    size_ = std::min(size, plan_.size());
    switch (kind) {
        case NeighbourhoodKind::delayed:
            delayed(dice);
            break;
        case NeighbourhoodKind::crossing:
            crossing(dice);
            break;
        case NeighbourhoodKind::random:
            random(dice);
            break;
        case NeighbourhoodKind::ejection:
            ejection(dice, budget);
            break;
        case NeighbourhoodKind::target:
            target(dice);
    }
    shuffle(kind == NeighbourhoodKind::ejection ? 1 : 0, dice);
    Cost delay = 0;
    for (const AgentId agent : members_) delay += plan_.delay(agent);
    if (delay == 0) members_.clear();
    return members_;
}

void Neighbourhoods::add(AgentId agent) {
    if (agent == kNobody || member_of_[agent] == choice_) return;
    member_of_[agent] = choice_;
    members_.push_back(agent);
}

// Of some agents the one that loses most, unless it was chosen lately.
AgentId Neighbourhoods::most_delayed(Dice& dice) {
    AgentId most = kNobody;
    const std::uint64_t tabu = std::min<std::uint64_t>(kTabu, member_of_.size() / 4);
    for (int k = 0; k < kCandidates; ++k) {
        const AgentId agent = dice.below(plan_.size());
        const bool lately = chosen_[agent] != 0 && chosen_[agent] + tabu > choice_;
        if (lately || plan_.delay(agent) == 0) continue;
        if (most == kNobody || plan_.delay(agent) > plan_.delay(most)) most = agent;
    }
    if (most != kNobody) chosen_[most] = choice_;
    return most;
}

void Neighbourhoods::delayed(Dice& dice) {
    const AgentId first = most_delayed(dice);
    if (first == kNobody) return;
    add(first);
    AgentId walker = first;
    for (int walks = kWalksPerMember * size_; walks-- > 0 && !full();) {
        walk(walker, dice);
        walker = members_[dice.below(static_cast<std::int32_t>(members_.size()))];
    }
}

// From somewhere on its path, a random way on which the agent could still be faster: who is in
// it becomes a member.
void Neighbourhoods::walk(AgentId agent, Dice& dice) {
    const SpotPath& path = plan_.path(agent);
    const PlannedAgent& planned = plan_.planned(agent);
    if (!planned.field || path.size() < 2) return;
    Time t = dice.below(static_cast<std::int32_t>(path.size()) - 1);
    const auto arrival = static_cast<Cost>(path.size()) - 1;
    for (Spot s = path[t]; !full(); ++t) {
        const auto next = plan_.roads().next(s);
        const auto ways = static_cast<std::int32_t>(next.size()) + 1;
        const std::int32_t first = dice.below(ways);
        Spot to = kNowhere;
        for (std::int32_t k = 0; k < ways && to == kNowhere; ++k) {
            const std::int32_t way = (first + k) % ways;
            const Spot candidate = way + 1 == ways ? s : next[way];
            if (t + 1 + planned.field->at_least(candidate) < arrival) to = candidate;
        }
        if (to == kNowhere) return;
        const AgentId there = plan_.holder(to, t + 1);
        add(there);
        if (to != s && !full()) add(plan_.mover(to, s, t));
        s = to;
    }
}

// Around the first junction on the way of somebody.
void Neighbourhoods::crossing(Dice& dice) {
    const SpotPath& path = plan_.path(dice.below(plan_.size()));
    auto t = static_cast<std::size_t>(dice.below(static_cast<std::int32_t>(path.size())));
    while (t + 1 < path.size() && plan_.roads().degree(path[t]) <= 2) ++t;
    queue_.assign(1, path[t]);
    for (std::size_t k = 0; k < queue_.size() && !full(); ++k) {
        look_around(queue_[k], static_cast<Time>(t));
        for (const Spot s : plan_.roads().next(queue_[k]))
            if (queue_.size() < kJunctions &&
                std::find(queue_.begin(), queue_.end(), s) == queue_.end())
                queue_.push_back(s);
    }
}

// Who is on s around a time, nearest first.
void Neighbourhoods::look_around(Spot s, Time t) {
    const Timelines& lines = plan_.lines();
    for (Time away = 0; away <= kAround && !full(); ++away) {
        if (lines.taken(s, t + away)) add(plan_.holder(s, t + away));
        if (away > 0 && away <= t && !full() && lines.taken(s, t - away))
            add(plan_.holder(s, t - away));
    }
}

void Neighbourhoods::random(Dice& dice) {
    for (int tries = 4 * size_; tries-- > 0 && !full();) add(dice.below(plan_.size()));
}

void Neighbourhoods::target(Dice& dice) {
    const AgentId first = most_delayed(dice);
    if (first == kNobody || !plan_.planned(first).field) return;
    add(first);
    passing(first);
    standing(first, dice);
    for (std::size_t k = 1; k < members_.size() && !full(); ++k) passing(members_[k]);
}

// Those who are on the goal of an agent when it could have been there.
void Neighbourhoods::passing(AgentId agent) {
    const PlannedAgent& planned = plan_.planned(agent);
    if (!planned.field) return;
    Time t = planned.distance;
    while (!full() && t < plan_.lines().end()) {
        t = plan_.lines().next_taken(planned.goal, t);
        if (t >= plan_.lines().end()) return;
        const AgentId there = plan_.holder(planned.goal, t);
        if (there == agent) return;  // from here on it is there itself
        add(there);
        ++t;
    }
}

// Those who stay on a shortest way of an agent.
void Neighbourhoods::standing(AgentId agent, Dice& dice) {
    const PlannedAgent& planned = plan_.planned(agent);
    Spot s = planned.start;
    for (Cost left = planned.distance; left > 1 && !full(); --left) {
        const auto next = plan_.roads().next(s);
        const auto count = static_cast<std::int32_t>(next.size());
        const std::int32_t first = dice.below(count);
        for (std::int32_t k = 0; k < count; ++k) {
            const Spot to = next[(first + k) % count];
            if (planned.field->at_least(to) != left - 1) continue;
            s = to;
            break;
        }
        add(plan_.parked(s));
    }
}

void Neighbourhoods::shuffle(std::size_t first, Dice& dice) {
    for (std::size_t k = members_.size(); k > first + 1; --k)
        std::swap(members_[k - 1], members_[first + static_cast<std::size_t>(dice.below(
                                                        static_cast<std::int32_t>(k - first)))]);
}

}  // namespace sidestep
