#include "sidestep/solvers/lns/mender.hpp"

#include <algorithm>

namespace sidestep {

namespace {

// How often, per agent, somebody may plan before the attempt is given up.
constexpr std::int64_t kTurnsPerAgent = 40;

}  // namespace

Mender::Mender(const Space& space, Rules rules, const Roads& roads,
               std::span<const PlannedAgent> agents, Time margin, std::uint64_t seed)
    : agents_(agents), lines_(space, rules, roads, margin), holders_(roads.size()), seed_(seed) {}

Outcome Mender::mend(std::vector<SpotPath>& paths, Budget& budget) {
    if (!keep_what_fits(paths, budget)) return Outcome::out_of_budget;
    const std::int64_t turns = kTurnsPerAgent * (static_cast<std::int64_t>(agents_.size()) + 10);
    for (std::int64_t turn = 0; !waiting_.empty(); ++turn) {
        if (turn == turns) return Outcome::no_path;
        // One of them at random, so that two who push each other out do not do so for ever.
        const std::uint64_t drawn = mix(seed_ + mix(static_cast<std::uint64_t>(turn)));
        const auto last = static_cast<std::uint32_t>(waiting_.size() - 1);
        std::swap(waiting_[scaled(drawn, last)], waiting_.back());
        const AgentId agent = waiting_.back();
        waiting_.pop_back();
        const Outcome outcome = plan(agent, paths, budget);
        if (outcome != Outcome::found) return outcome;
    }
    return Outcome::found;
}

bool Mender::keep_what_fits(std::vector<SpotPath>& paths, Budget& budget) {
    for (std::size_t a = 0; a < agents_.size(); ++a) {
        const auto agent = static_cast<AgentId>(a);
        const SpotPath& path = paths[a];
        if (!path.empty() && !lines_.make_room(static_cast<Time>(path.size()) - 1, budget))
            return false;
        if (path.empty() || !lines_.allows(path, parks(agent)))
            waiting_.push_back(agent);
        else if (!put(agent, path, budget))
            return false;
        if (!budget.tick(static_cast<std::int64_t>(path.size()))) return false;
    }
    return true;
}

bool Mender::put(AgentId agent, const SpotPath& path, Budget& budget) {
    if (!lines_.make_room(static_cast<Time>(path.size()) - 1, budget)) return false;
    lines_.put(path, parks(agent));
    holders_.put(agent, path, parks(agent));
    return true;
}

void Mender::take(AgentId agent, const SpotPath& path) {
    lines_.take(path, parks(agent));
    holders_.take(path, parks(agent));
    waiting_.push_back(agent);
}

// Around all others if it can, else where the fewest of them are.
Outcome Mender::plan(AgentId agent, std::vector<SpotPath>& paths, Budget& budget) {
    const PlannedAgent& own = agents_[agent];
    IntervalTask task;
    task.start = own.start;
    task.goal = own.goal;
    task.field = own.field;
    task.salt = mix(seed_ ^ static_cast<std::uint64_t>(budget.nodes()));
    task.held = holders_.bytes();
    Outcome outcome = hard_.run(lines_, task, budget, paths[agent]);
    if (outcome == Outcome::no_path) {
        outcome = soft_.run(lines_, nullptr, task, budget, paths[agent]);
        if (outcome != Outcome::found) return outcome;
        SpotPath& path = paths[agent];
        while (path.size() > 1 && path[path.size() - 2] == path.back()) path.pop_back();
        make_way(agent, paths);
    }
    if (outcome != Outcome::found) return outcome;
    return put(agent, paths[agent], budget) ? Outcome::found : Outcome::out_of_budget;
}

// Takes those out with whom the new path of an agent collides, until it fits.
void Mender::make_way(AgentId agent, std::vector<SpotPath>& paths) {
    const SpotPath& path = paths[agent];
    const auto eject = [&](Spot s, Time t) {
        const AgentId other = t < 0 ? kNobody : holders_.at(s, t);
        if (other != kNobody) take(other, paths[other]);
    };
    const Time margin = lines_.margin() + (lines_.rules().following ? 0 : 1);
    const auto last = static_cast<Time>(path.size()) - 1;
    for (Time t = 0; t <= last; ++t) {
        for (Time k = t - margin; k <= t + margin; ++k) eject(path[t], k);
        if (t == last || path[t] == path[t + 1]) continue;
        const AgentId other = holders_.at(path[t + 1], t);
        if (other != kNobody && other == holders_.at(path[t], t + 1)) take(other, paths[other]);
        eject_crossing(path[t], path[t + 1], t, paths);
    }
    if (!parks(agent)) return;
    for (Time t = lines_.next_taken(path.back(), last); t != kForever;
         t = lines_.next_taken(path.back(), t)) {
        // What is taken for the margin of somebody is held a little before.
        Time held = t;
        while (holders_.at(path.back(), held) == kNobody) --held;
        eject(path.back(), held);
    }
}

// Those whose moves cross one.
void Mender::eject_crossing(Spot from, Spot to, Time t, std::vector<SpotPath>& paths) {
    const auto next = lines_.roads().next(from);
    const auto k = std::find(next.begin(), next.end(), to) - next.begin();
    for (const auto line : lines_.crossing(lines_.place(from) + 1 + static_cast<std::int32_t>(k))) {
        if (!lines_.line_taken(line, t)) continue;
        const Move move = lines_.edge_of(line);
        const AgentId other = holders_.at(move.from, t);
        if (other != kNobody && other == holders_.at(move.to, t + 1)) take(other, paths[other]);
    }
}

}  // namespace sidestep
