#include "sidestep/solvers/bounds.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "sidestep/combinatorial/cuts.hpp"
#include "sidestep/model/random.hpp"
#include "sidestep/solvers/cbs/heuristic.hpp"

namespace sidestep {

namespace {

// How hard it is tried to raise the cost of a group: once all groups are stuck, harder.
struct Effort {
    std::size_t agents;  // at most this many in a group
    std::int64_t nodes;  // of its constraint tree
};
constexpr Effort kEfforts[] = {{4, 64}, {6, 256}, {8, 1024}, {12, 4096}};
constexpr std::int64_t kMostTableBytes = std::int64_t{512} << 20;  // else only distances are used
constexpr std::int64_t kMostKeptBytes = std::int64_t{128} << 20;   // of sets and diagrams

}  // namespace

LowerBound::LowerBound(const Space& space, const Rules& rules, std::span<const Vertex> starts,
                       std::span<const Vertex> goals)
    : space_(space),
      roads_(space),
      fields_(roads_),
      instance_(space, rules, starts, goals),
      starts_(instance_.starts),
      goals_(instance_.goals),
      alone_(starts.size(), 0),
      distances_(starts.size(), 0),
      group_of_(starts.size(), -1) {}

std::int64_t LowerBound::bytes() const {
    std::int64_t bytes = roads_.bytes() + fields_.bytes() + instance_.bytes();
    if (shared_) bytes = shared_->bytes() + roads_.bytes() + fields_.bytes();
    return bytes + static_cast<std::int64_t>(candidates_.size() * sizeof(Candidate) +
                                             tried_.size() * 2 * sizeof(std::uint64_t));
}

std::vector<LowerBound::JointCost> LowerBound::groups() const {
    std::vector<JointCost> all;
    for (const JointCost& group : groups_)
        if (!group.agents.empty()) all.push_back(group);
    return all;
}

Outcome LowerBound::run(Budget& budget, Total enough) {
    while (!impossible_ && stage_ != Stage::done && value_ < enough)
        if (!budget.look() || !step(budget)) return Outcome::out_of_budget;
    return impossible_ ? Outcome::no_path : Outcome::found;
}

// A piece of work. False: the budget ran out.
bool LowerBound::step(Budget& budget) {
    switch (stage_) {
        case Stage::distances:
            return find_distance(budget);
        case Stage::passages:
            return find_passages(budget);
        case Stage::diagrams:
            return draw_diagram(budget);
        case Stage::pairs:
            return compare_pair(budget);
        case Stage::cover:
            choose_pairs(budget);
            return true;
        case Stage::groups:
            return grow_groups(budget);
        case Stage::done:
            break;
    }
    return true;
}

// --------------------------------------------------------------------------- agents by themselves

bool LowerBound::find_distance(Budget& budget) {
    for (; next_ < starts_.size(); ++next_) {
        if (goals_[next_] == kNowhere) continue;
        const Spot start = roads_.spot(starts_[next_]), goal = roads_.spot(goals_[next_]);
        const Fields::Field* field = fields_.to(goal, start, budget);
        if (!field) return false;
        distances_[next_] = alone_[next_] = field->known(start);
        if (alone_[next_] >= kUnreachable) {
            impossible_ = true;
            return true;
        }
        value_ += alone_[next_];
    }
    next_ = 0;
    stage_ = Stage::passages;
    return true;
}

// Who must pass the goal of another does so no sooner than it can get there.
bool LowerBound::find_passages(Budget& budget) {
    const Rules& rules = instance_.rules;
    Cuts cuts(roads_, space_.is_directed());
    const bool matters = !rules.disappear && instance_.counts_every_step();
    if (matters && !cuts.find(budget)) return false;
    for (AgentId a = static_cast<AgentId>(next_); matters && a < count(); ++a) {
        const Spot goal = roads_.spot(goals_[a]);
        if (goal == kNowhere || !cuts.is_cut(goal)) continue;
        Fields::Field* field = fields_.to(goal, roads_.spot(starts_[a]), budget);
        if (!field) return false;
        Passage latest{a, a, alone_[a]};
        for (AgentId b = 0; b < count(); ++b) {
            const Spot from = roads_.spot(starts_[b]), to = roads_.spot(goals_[b]);
            if (a == b || to == kNowhere || from == goal || to == goal) continue;
            if (!budget.tick()) return false;
            if (!cuts.separates(goal, from, to)) continue;
            const Cost way = fields_.at(*field, from, budget);
            if (way == kNotReady) return false;
            // Where following is forbidden, the place is empty for a moment in between.
            const Cost cost = way + (rules.following ? 1 : 2);
            if (way < kUnreachable && cost > latest.cost) latest = {a, b, cost};
        }
        next_ = static_cast<std::size_t>(a) + 1;
        if (latest.other == a) continue;
        value_ += latest.cost - alone_[a];
        alone_[a] = latest.cost;
        passages_.push_back(latest);
    }
    next_ = 0;
    const std::int64_t tables = std::int64_t{space_.size()} * count() * std::int64_t{sizeof(Cost)};
    stage_ = tables > kMostTableBytes ? Stage::done : Stage::diagrams;
    if (stage_ == Stage::diagrams) seen_.resize(static_cast<std::size_t>(space_.size()));
    return true;
}

// ------------------------------------------------------------------------------------------ pairs

void LowerBound::refresh_shared() {
    if (shared_ && shared_->bytes() - instance_.bytes() < kMostKeptBytes) return;
    shared_ = std::make_unique<cbs::SharedState>(instance_);
    sets_.clear();
    for (AgentId a = 0; a < count(); ++a) {
        std::vector<cbs::Constraint> none;
        sets_.push_back(shared_->sets.intern(a, none));
    }
}

// All cheapest paths of the next agent, and where it can be when.
bool LowerBound::draw_diagram(Budget& budget) {
    refresh_shared();
    if (next_ == starts_.size()) return list_candidates(budget);
    const auto a = static_cast<AgentId>(next_);
    if (goals_[a] != kNowhere) {
        const auto* diagram = shared_->diagram(sets_[a], distances_[a], budget);
        if (!diagram) return false;
        for (Time t = 0; t <= diagram->last(); ++t)
            for (const auto& node : diagram->level(t))
                seen_[node.vertex].push_back(
                    {t, a, static_cast<std::int32_t>(diagram->level(t).size())});
    }
    ++next_;
    return true;
}

// Pairs that may be in one place, or change places: only these can depend on each other. (Where
// edges cross, some that do are overlooked.)
bool LowerBound::list_candidates(Budget& budget) {
    constexpr std::int64_t kApart = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> width(starts_.size(), kApart);
    std::vector<AgentId> met;
    candidates_.clear();
    for (AgentId a = 0; a < count(); ++a) {
        if (goals_[a] == kNowhere) continue;
        const auto* diagram = shared_->diagram(sets_[a], distances_[a], budget);
        if (!diagram) return false;
        met.clear();
        const auto meet = [&](const Whereabouts& other, std::int64_t own) {
            if (width[other.agent] == kApart) met.push_back(other.agent);
            width[other.agent] = std::min(width[other.agent], own * other.width);
        };
        for (Time t = 0; t <= diagram->last(); ++t)
            for (const auto& node : diagram->level(t)) {
                const auto own = static_cast<std::int64_t>(diagram->level(t).size());
                const bool stays = t == diagram->last() && !instance_.vanishes(a);
                for (const Whereabouts& other : seen_[node.vertex]) {
                    const bool both = std::abs(other.time - t) <= 1 || (stays && other.time > t);
                    // Of two on the way each finds the other; who stays finds those who pass.
                    if (other.agent != a && both) meet(other, own);
                }
                if (!budget.tick(static_cast<std::int64_t>(seen_[node.vertex].size())))
                    return false;
            }
        for (const AgentId b : met) {
            candidates_.push_back(
                {std::exchange(width[b], kApart), std::min(a, b), std::max(a, b)});
        }
    }
    // Each once, where it is narrowest.
    const auto by_pair = [](const Candidate& c) { return std::tuple(c.first, c.second, c.width); };
    std::sort(candidates_.begin(), candidates_.end(),
              [&](const auto& a, const auto& b) { return by_pair(a) < by_pair(b); });
    const auto same = [](const Candidate& a, const Candidate& b) {
        return a.first == b.first && a.second == b.second;
    };
    candidates_.erase(std::unique(candidates_.begin(), candidates_.end(), same), candidates_.end());
    std::stable_sort(candidates_.begin(), candidates_.end(),
                     [](const auto& a, const auto& b) { return a.width < b.width; });
    seen_ = {};
    next_ = 0;
    stage_ = Stage::pairs;
    return true;
}

// Two that cost more together than apart; if neither has a partner yet, they become a group.
bool LowerBound::compare_pair(Budget& budget) {
    refresh_shared();
    if (next_ == candidates_.size()) {
        candidates_ = {};
        stage_ = Stage::cover;
        return true;
    }
    if (!budget.spend()) return false;
    const auto [width, a, b] = candidates_[next_];
    const auto* one = shared_->diagram(sets_[a], distances_[a], budget);
    const auto* two = one ? shared_->diagram(sets_[b], distances_[b], budget) : nullptr;
    if (!two) return false;
    const bool apart = !cbs::go_together(instance_, a, *one, b, *two, budget);
    if (budget.exhausted()) return false;
    ++counts_.pairs_compared;
    ++next_;
    if (!apart) return true;
    Cost cost = distances_[a] + distances_[b] + 1;
    const bool ended = !try_group({a, b}, budget, cost);
    const Cost weight = cost - alone_[a] - alone_[b];
    if (weight > 0) {
        ++counts_.pairs_dependent;
        dependent_.push_back({a, b, weight});
        if (group_of_[a] < 0 && group_of_[b] < 0) take({a, b}, cost);
    }
    return !ended;
}

// Instead of pairs as they came: those that weigh most together.
void LowerBound::choose_pairs(Budget& budget) {
    const Pairing best = best_pairing(count(), dependent_);
    std::vector<JointCost> better;
    const auto cost_of = [&](const WeightedPair& p) {
        return alone_[p.first] + alone_[p.second] + p.weight;
    };
    for (const WeightedPair& p : best.pairs) better.push_back({{p.first, p.second}, cost_of(p)});
    for (std::vector<AgentId> ring : best.rings) {
        std::sort(ring.begin(), ring.end());
        Cost cost = 0;
        if (ring.size() <= kEfforts[0].agents * 2) try_group(ring, budget, cost);
        if (cost > 0) better.push_back({std::move(ring), cost});
    }
    const auto alone = std::accumulate(alone_.begin(), alone_.end(), Total{0});
    Total value = alone;
    for (const JointCost& group : better) {
        value += group.cost;
        for (const AgentId a : group.agents) value -= alone_[a];
    }
    if (value > value_) {
        groups_.clear();
        std::fill(group_of_.begin(), group_of_.end(), -1);
        value_ = alone;
        for (JointCost& group : better) take(std::move(group.agents), group.cost);
    }
    std::stable_sort(dependent_.begin(), dependent_.end(),
                     [](const auto& a, const auto& b) { return a.weight > b.weight; });
    next_ = 0;
    stage_ = Stage::groups;
}

// ----------------------------------------------------------------------------------------- groups

// What agents cost at least by what is known of them and of the groups that they are made of.
Cost LowerBound::sum_of(const std::vector<AgentId>& agents) const {
    Cost sum = 0;
    for (const AgentId a : agents) {
        if (group_of_[a] < 0) {
            sum += alone_[a];
        } else if (groups_[group_of_[a]].agents.front() == a) {
            sum += groups_[group_of_[a]].cost;
        }
    }
    return sum;
}

std::vector<AgentId> LowerBound::with_group_of(AgentId agent) const {
    return group_of_[agent] < 0 ? std::vector<AgentId>{agent} : groups_[group_of_[agent]].agents;
}

// Makes agents a group, which has all members of the groups that they were in before.
void LowerBound::take(std::vector<AgentId> agents, Cost cost) {
    std::sort(agents.begin(), agents.end());
    value_ += cost - sum_of(agents);
    const auto number = static_cast<std::int32_t>(groups_.size());
    for (const AgentId a : agents) {
        if (group_of_[a] >= 0) groups_[group_of_[a]].agents.clear();
    }
    for (const AgentId a : agents) group_of_[a] = number;
    groups_.push_back({std::move(agents), cost});
}

// What these agents cost without the others, as far as that is found out: raises `cost`. False: the
// budget ran out.
bool LowerBound::try_group(const std::vector<AgentId>& agents, Budget& budget, Cost& cost) {
    ++counts_.groups_tried;
    std::vector<cbs::SetId> sets;
    for (const AgentId a : agents) sets.push_back(sets_[a]);
    cbs::Search search(*shared_, {}, agents, sets);
    search.run(budget, {.expanded = kEfforts[effort_].nodes});
    cost = std::max(cost, search.lower_bound());
    return !budget.exhausted();
}

// The next two that depend on each other and are in different groups: do these cost more together?
bool LowerBound::grow_groups(Budget& budget) {
    refresh_shared();
    for (; next_ < dependent_.size(); ++next_) {
        const auto [a, b, weight] = dependent_[next_];
        if (group_of_[a] >= 0 && group_of_[a] == group_of_[b]) continue;
        std::vector<AgentId> agents = with_group_of(a);
        const std::vector<AgentId> others = with_group_of(b);
        agents.insert(agents.end(), others.begin(), others.end());
        if (agents.size() > kEfforts[effort_].agents) continue;
        std::sort(agents.begin(), agents.end());
        std::uint64_t hash = mix(effort_);
        for (const AgentId agent : agents) hash = mix(hash ^ static_cast<std::uint64_t>(agent));
        if (!tried_.insert(hash).second) continue;
        Cost cost = 0;
        const bool ended = !try_group(agents, budget, cost);
        if (cost > sum_of(agents)) {
            take(std::move(agents), cost);
            grown_ = true;
        } else if (ended) {
            tried_.erase(hash);
        }
        return !ended;
    }
    next_ = 0;
    if (!std::exchange(grown_, false)) ++effort_;
    if (effort_ == std::size(kEfforts)) stage_ = Stage::done;
    return true;
}

}  // namespace sidestep
