#include "sidestep/world/jams.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace sidestep {

void Jams::add(Vertex position) {
    if (patience_ == 0) return;
    watches_.push_back({});
    measures_.emplace_back();
    begin_anew(static_cast<AgentId>(watches_.size()) - 1, position);
}

bool Jams::begin_anew(AgentId agent, Vertex position) {
    if (patience_ == 0) return false;
    release(agent);
    Watch& watch = watches_[agent];
    const bool was_stuck = watch.is_stuck;
    watch = {};
    watch.trail.fill(kNowhere);
    watch.trail[0] = position;
    watch.crow = std::numeric_limits<std::int32_t>::max();
    measures_[agent].rested = 0;
    return was_stuck;
}

void Jams::changed(std::int32_t size, Vertex v, std::span<const AgentId> present) {
    if (patience_ == 0) return;
    const auto found = distances_.find(size);
    if (found != distances_.end()) found->second->changed(v);
    for (const AgentId a : present)
        if (measures_[a].size == size) measures_[a].best = kUnknown;
}

void Jams::release(AgentId agent) {
    Measure& measure = measures_[agent];
    const auto found = distances_.find(measure.size);
    if (found != distances_.end()) measure.to_goal.release(*found->second, measure.goal);
    watches_[agent].is_measured = false;
}

DistanceMap& Jams::search_of(const Situation& world, AgentId agent, Vertex origin) {
    Measure& measure = measures_[agent];
    std::unique_ptr<Distances>& all = distances_[measure.size];
    if (!all) all = std::make_unique<Distances>(world.places(agent), 0);
    return measure.to_goal.get(*all, measure.goal, origin);
}

// What a copy has to catch up with stands beside what was measured.
std::vector<Jams::Measure> Jams::with_searches() const {
    std::vector<Measure> noted = measures_;
    for (std::size_t a = 0; a < noted.size(); ++a) {
        const DistanceMap* search = measures_[a].to_goal.known();
        if (!search) continue;
        noted[a].origin = search->origin();
        noted[a].taken = search->taken();
    }
    return noted;
}

void Jams::catch_up(const Situation& world) {
    if (!std::exchange(is_behind_, false)) return;
    for (AgentId a = 0; a < static_cast<AgentId>(measures_.size()); ++a) {
        Measure& measure = measures_[a];
        const Vertex origin = std::exchange(measure.origin, kNowhere);
        if (origin == kNowhere || !watches_[a].is_measured) continue;
        search_of(world, a, origin).catch_up(measure.taken);
    }
}

// Returns whether the agent was there not long ago.
bool Jams::leave_trail(Watch& watch, Vertex v) {
    bool is_back = false;
    for (const Vertex known : watch.trail) is_back |= known == v;
    if (is_back) return true;
    watch.trail[watch.oldest] = v;
    watch.oldest = (watch.oldest + 1) % kTrail;
    return false;
}

void Jams::got_on(AgentId agent, Cost left) {
    Watch& watch = watches_[agent];
    measures_[agent].best = left;
    measures_[agent].rested = 0;
    watch.waited = 0;
    watch.lost = std::max(0, watch.lost - 1);
    if (std::exchange(watch.is_stuck, false)) freed_.push_back(agent);
    if (watch.lost == 0 && !is_small_) release(agent);
}

void Jams::follow(const Situation& world, AgentId agent) {
    Watch& watch = watches_[agent];
    ++watch.waited;
    if (world.progress[agent]) return;  // in the middle of a move, which may bring it nearer
    const Vertex here = world.positions[agent];
    const bool is_back = leave_trail(watch, here);
    if (watch.is_measured) {
        asking_.push_back({agent, is_back, false});
        return;
    }
    if (is_back) {
        watch.lost += 2;
    } else {
        watch.waited = 0;  // as far as is known it has got on
        watch.lost = std::max(0, watch.lost - 1);
        if (watch.oldest == 0) {  // a whole trail of places is new
            const auto crow = world.places(agent).estimate(here, world.goals[agent]);
            if (crow >= watch.crow) watch.lost += 3 * static_cast<Time>(kTrail);
            watch.crow = crow;
        }
    }
    if (!is_small_) {
        if (watch.lost < patience_ || may_measure_ == 0) return;
        if (watch.lost < patience(world, agent)) return;
        --may_measure_;
    }
    begin_to_measure(world, agent, is_back);
}

// From now on the agent's way to its goal is known, or looked for.
void Jams::begin_to_measure(const Situation& world, AgentId agent, bool is_back) {
    Measure& measure = measures_[agent];
    watches_[agent].is_measured = true;
    measure.size = world.bodies[agent].size;
    measure.goal = world.goals[agent];
    measure.best = kUnknown;
    asking_.push_back({agent, is_back, true});
}

Cost Jams::least_of_trail(const Situation& world, AgentId agent) {
    Cost least = kUnreachable;
    for (const Vertex v : watches_[agent].trail) {
        if (v == kNowhere) continue;
        const Cost left = distance(world, agent, v);
        if (left == kNotReady) return kNotReady;
        least = std::min(least, left);
    }
    return least;
}

// Has the agent got on? False: that is not known yet.
bool Jams::settle(const Situation& world, const Asking& asking) {
    const auto& [agent, is_back, is_first] = asking;
    Watch& watch = watches_[agent];
    Measure& measure = measures_[agent];
    const bool is_unknown = measure.best == kUnknown;  // it is new, or the map has changed
    if (is_unknown || watch.is_unsure || !is_back) {
        const Cost least = least_of_trail(world, agent);
        if (least == kNotReady) return false;
        watch.is_unsure = false;
        if (is_unknown) {
            measure.best = least;
        } else if (least < measure.best) {
            got_on(agent, least);
            return true;
        }
    }
    if (!is_first) watch.lost = std::min(watch.lost + 2, patience(world, agent));
    return true;
}

// Asks for all distances that this turn needs. Who could not be told everything is first next time.
void Jams::answer(const Situation& world) {
    const auto begin = std::ranges::lower_bound(asking_, first_, {}, &Asking::agent);
    std::ranges::rotate(asking_, begin);
    first_ = kNobody;
    for (const Asking& asking : asking_) {
        if (settle(world, asking)) continue;
        if (first_ == kNobody) first_ = asking.agent;
        Watch& watch = watches_[asking.agent];
        watch.is_unsure = true;
        if (!asking.is_back) watch.waited = 0;  // as far as is known it has got on
    }
    first_ = std::max(first_, AgentId{0});
    std::ranges::sort(freed_);
}

// An agent that is gone, on its goal, or has none.
void Jams::let_rest(const Situation& world, AgentId agent) {
    Watch& watch = watches_[agent];
    if (watch.waited == 0 && watch.lost == 0 && !watch.is_measured) return;
    Measure& measure = measures_[agent];
    const bool is_on_goal =
        world.goals[agent] != kNowhere && world.positions[agent] == world.goals[agent];
    if (is_on_goal && watch.is_measured && measure.best != 0) got_on(agent, 0);
    if (is_on_goal && !watch.is_stuck && ++measure.rested < patience(world, agent)) return;
    if (begin_anew(agent, world.positions[agent])) freed_.push_back(agent);
}

void Jams::look(const Situation& world) {
    found_.clear();
    freed_.clear();
    candidates_.clear();
    asking_.clear();
    if (patience_ == 0) return;
    catch_up(world);
    const auto count = static_cast<AgentId>(world.present.size());
    may_measure_ = 1 + count / kAgentsPerMeasure;
    is_small_ = std::int64_t{count} * world.space.size() <= kSmallWorld;
    steps_.left = is_small_ ? std::numeric_limits<std::int64_t>::max() : kStepsPerTurn;
    for (const AgentId a : world.present) world.finished[a] ? let_rest(world, a) : follow(world, a);
    answer(world);
    bool is_new = false;
    for (const AgentId a : world.present) {
        if (world.finished[a] || !is_candidate(world, a)) continue;
        candidates_.push_back(a);
        is_new |= !watches_[a].is_stuck;
    }
    if (is_new) tell_who_is_stuck(world);
}

// Says of every cell who holds it, or forgets that again.
void Jams::hold_places(const Situation& world, bool hold) {
    holders_.prepare(world.space.size());
    for (const AgentId a : world.present) {
        if (world.positions[a] == kNowhere) continue;
        const auto enter = [&](Vertex cell) { holders_.set(cell, hold ? a : kNobody); };
        world.bodies[a].each_cell(world.positions[a], enter);
        if (world.progress[a]) world.bodies[a].each_cell(world.headings[a], enter);
    }
}

// False: that is not known yet.
bool Jams::ask_whom_it_waits_for(const Situation& world, AgentId agent) {
    const Vertex here = world.positions[agent];
    const Cost left = distance(world, agent, here);
    if (left == kNotReady) return false;
    const std::size_t first = blockers_.size();
    for (const Vertex next : world.places(agent).successors(here)) {
        const Cost from_there = distance(world, agent, next);
        if (from_there == kNotReady) {
            blockers_.resize(first);
            return false;
        }
        if (from_there >= left) continue;
        world.bodies[agent].each_cell(next, [&](Vertex cell) {
            const AgentId holder = holders_[cell];
            if (holder != kNobody && holder != agent) blockers_.push_back(holder);
        });
    }
    waiting_.push_back({agent, first, blockers_.size()});
    measures_[agent].behind = first == blockers_.size() ? kNobody : blockers_[first];
    return true;
}

// Of who is there: has it got on lately, or does it wait for one that has, or that waits for one,
// ...?
void Jams::see_who_may_get_on(const Situation& world) {
    auto& may = may_get_on_;
    may.resize(watches_.size());
    for (const AgentId a : world.present) may[a] = !world.finished[a];
    for (const AgentId a : candidates_) may[a] = 0;
    std::vector<std::pair<AgentId, AgentId>> behind;  // who is waited for, and by whom
    std::vector<AgentId> lively;
    for (const auto& [agent, first, last] : waiting_)
        for (std::size_t k = first; k < last; ++k) behind.emplace_back(blockers_[k], agent);
    std::ranges::sort(behind);
    for (const auto& [blocker, agent] : behind)
        if (may[blocker]) lively.push_back(blocker);
    while (!lively.empty()) {
        const AgentId blocker = lively.back();
        lively.pop_back();
        for (auto next = std::ranges::lower_bound(behind, std::pair{blocker, AgentId{0}});
             next != behind.end() && next->first == blocker; ++next)
            if (!std::exchange(may[next->second], std::uint8_t{1})) lively.push_back(next->second);
    }
}

void Jams::tell_who_is_stuck(const Situation& world) {
    waiting_.clear();
    blockers_.clear();
    hold_places(world, true);
    std::erase_if(candidates_, [&](AgentId a) { return !ask_whom_it_waits_for(world, a); });
    hold_places(world, false);
    see_who_may_get_on(world);
    for (const AgentId a : candidates_) {
        Watch& watch = watches_[a];
        Measure& measure = measures_[a];
        if (may_get_on_[a] || std::exchange(watch.is_stuck, true)) continue;
        measure.since = world.now - watch.waited - measure.rested;
        found_.push_back({a, measure.since, measure.behind});
    }
}

void Jams::load(Reader& reader, const Space& space) {
    reader(patience_, first_, watches_, measures_);
    is_behind_ = true;
    require_saved(patience_ >= 0 && patience_ <= (1 << 20), "patience");
    require_saved(watches_.size() == measures_.size(), "agents");
    for (const Watch& watch : watches_) {
        require_saved(watch.oldest < kTrail && watch.waited >= 0 && watch.lost >= 0, "a watch");
        for (const Vertex v : watch.trail) require_saved_vertex(space, v);
    }
    for (const Measure& measure : measures_) {
        require_saved_vertex(space, measure.goal);
        require_saved_vertex(space, measure.origin);
        require_saved(measure.size >= 1, "a size");
        require_saved(measure.origin == kNowhere || measure.goal != kNowhere, "a search");
    }
    distances_.clear();
}

std::vector<Jams::Stuck> Jams::all(std::span<const AgentId> present) const {
    std::vector<Stuck> stuck;
    if (patience_ == 0) return stuck;
    for (const AgentId a : present)
        if (watches_[a].is_stuck) stuck.push_back({a, measures_[a].since, measures_[a].behind});
    return stuck;
}

}  // namespace sidestep
