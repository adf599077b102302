#include "sidestep/solvers/horizon.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "sidestep/model/random.hpp"

namespace sidestep {

namespace {

constexpr std::int64_t kNodesPerAgent = 2;  // of a step, mostly fewer
constexpr std::int32_t kDrawn = 8;          // agents of which the one that loses most is replanned
constexpr int kIdleDraws =
    32;  // as often without anybody who loses time: there is nothing to repair
constexpr std::size_t kSizes[] = {2, 4, 4, 8};
constexpr std::int32_t kNone = -1;
constexpr Cost kFar = 1 << 24;  // the distance where there is no way

}  // namespace

std::int64_t Horizon::bytes() const {
    return static_cast<std::int64_t>((rows_.size() + before_.size()) * sizeof(Spot) +
                                     holders_.size() * sizeof(AgentId) +
                                     seen_.size() * sizeof(std::uint32_t));
}

void Horizon::copy(const Horizon& other) {
    length_ = other.length_;
    goals_ = other.goals_;
    rows_ = other.rows_;
}

void Horizon::load(Reader& reader) {
    length_ = 0;
    std::int32_t length = 0;
    std::vector<Spot> goals, rows;
    reader(length, goals, rows);
    require_saved(length >= 0 && length <= options_.window, "the length of a plan");
    require_saved(
        rows.size() >= (static_cast<std::size_t>(length) + 1) * goals.size() || length == 0,
        "the size of a plan");
    goals_ = std::move(goals);
    rows_ = std::move(rows);
    length_ = length;
}

Inheritance::Outcome Horizon::plan(const Inheritance::Task& task, const Guidance* guidance,
                                   bool going_on, std::span<Spot> to, Budget& budget) {
    going_on_ = going_on;
    const Inheritance::Outcome outcome = roll(task, guidance, budget);
    if (outcome != Inheritance::Outcome::done) return outcome;
    if (length_ > 1 && count() > 0 && !budget.exhausted()) {
        travels_ = task.travels;
        const std::int64_t effort =
            std::int64_t{options_.effort} * static_cast<std::int64_t>(count());
        const std::int64_t limit = budget.narrow(std::min(effort, budget.nodes_left()));
        repair(task.draw, budget);
        budget.widen(limit);
    }
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(count()), count(), to.begin());
    return outcome;
}

// A plan without collisions, as far as the budget allows; at least its first step.
Inheritance::Outcome Horizon::roll(const Inheritance::Task& task, const Guidance* guidance,
                                   Budget& budget) {
    keep_wishes(task);
    const std::size_t agents = count();
    rows_.resize((static_cast<std::size_t>(options_.window) + 1) * agents);
    std::copy(task.from.begin(), task.from.end(), rows_.begin());
    const bool once = rules_.disappear;
    for (length_ = 0; length_ < (once ? 1 : options_.window);) {
        const auto needed = kNodesPerAgent * static_cast<std::int64_t>(agents);
        if (length_ > 0 && (budget.nodes_left() <= needed || !budget.look())) break;
        wish(task.guided.empty() ? nullptr : guidance);
        sort_by_arrival(task);
        find_here();
        const std::span<Spot> to(rows_.data() + (length_ + 1) * agents, agents);
        const std::uint64_t draw = mix(task.draw + static_cast<std::uint64_t>(length_));
        const Inheritance::Outcome outcome = inheritance_.step(
            {task.travels, here_, order_, {}, wishes_, length_ ? draw : task.draw}, to, budget);
        if (outcome != Inheritance::Outcome::done) {
            if (length_ == 0) return outcome;
            break;
        }
        ++length_;
    }
    return Inheritance::Outcome::done;
}

// Who is where the last plan has it now, with the same goal, means to go on as planned.
void Horizon::keep_wishes(const Inheritance::Task& task) {
    const std::size_t agents = task.from.size();
    const bool is_same = goals_.size() == agents && length_ > 0;
    before_length_ = is_same ? length_ : 0;
    std::swap(before_, rows_);
    follows_.assign(agents, 0);
    arrived_.assign(agents, 0);
    if (!is_same) goals_.assign(agents, kNowhere);
    for (std::size_t a = 0; a < agents; ++a) {
        const Spot here = task.from[a], goal = task.travels[a].goal;
        follows_[a] =
            is_same && here != kNowhere && before_[agents + a] == here && goals_[a] == goal;
        goals_[a] = goal;
    }
}

void Horizon::find_here() {
    here_.resize(count());
    for (std::size_t a = 0; a < count(); ++a) {
        const auto agent = static_cast<AgentId>(a);
        const Spot here = at(agent, length_);
        here_[a] = ends(agent, here, length_) ? kNowhere : here;
    }
}

// Everybody means to go along the path of its guidance or, without any, on along that of the last
// turn, as long as it is on it.
void Horizon::wish(const Guidance* guidance) {
    const std::size_t agents = count();
    const auto next = static_cast<std::size_t>(length_) + 1;
    wishes_.assign(agents, kNowhere);
    for (std::size_t a = 0; a < agents; ++a) {
        const auto agent = static_cast<AgentId>(a);
        const Spot here = at(agent, length_);
        if (guidance) {
            if (length_ == 0 || guidance->planned(agent, length_) == here)
                wishes_[a] = guidance->planned(agent, length_ + 1);
            continue;
        }
        follows_[a] =
            follows_[a] && length_ + 2 <= before_length_ && here == before_[next * agents + a];
        if (follows_[a]) wishes_[a] = before_[(next + 1) * agents + a];
    }
}

// Who has been on its goal by now comes after all others.
void Horizon::sort_by_arrival(const Inheritance::Task& task) {
    order_.clear();
    later_.clear();
    for (const AgentId agent : task.order) {
        if (at(agent, length_) == goals_[agent]) arrived_[agent] = 1;
        (arrived_[agent] && length_ > 0 ? later_ : order_).push_back(agent);
    }
    order_.insert(order_.end(), later_.begin(), later_.end());
}

void Horizon::repair(std::uint64_t draw, Budget& budget) {
    const auto cells =
        (static_cast<std::size_t>(options_.window) + 1) * static_cast<std::size_t>(roads_.size());
    if (!Budget(budget).fits(static_cast<std::int64_t>(cells * 3 * sizeof(AgentId)))) return;
    holders_.resize(cells, kNobody);
    seen_.resize(2 * cells);
    costs_.resize(count());
    for (std::size_t a = 0; a < count(); ++a) {
        put(static_cast<AgentId>(a), static_cast<AgentId>(a));
        costs_[a] = cost_of(static_cast<AgentId>(a));
    }
    int idle = 0;
    for (std::uint64_t k = 0; idle < kIdleDraws && budget.tick() && !budget.exhausted(); ++k) {
        if (!gather(mix(draw ^ mix(k)))) {
            ++idle;
            continue;
        }
        idle = 0;
        ++tried_;
        kept_ += replan_members(budget);
        if (budget.nodes_left() <= 0) break;
    }
    for (std::size_t a = 0; a < count(); ++a) put(static_cast<AgentId>(a), kNobody);
}

// Who plans again: one that loses time, those in its way, and some beside them. False: the drawn
// ones lose none.
bool Horizon::gather(std::uint64_t draw) {
    AgentId worst = kNobody;
    Cost most = 0;
    for (std::uint64_t k = 0; k < kDrawn; ++k) {
        const auto agent =
            static_cast<AgentId>(scaled(mix(draw + k), static_cast<std::uint32_t>(count()) - 1));
        if (at(agent, 0) == kNowhere) continue;
        const Cost lost = costs_[agent] - least_of(agent);
        if (lost > most) std::tie(most, worst) = std::pair(lost, agent);
    }
    if (worst == kNobody) return false;
    members_.assign(1, worst);
    const std::size_t size = kSizes[mix(draw + kDrawn) % std::size(kSizes)];
    gather_in_the_way(worst, size, draw);
    gather_beside(size, draw);
    return true;
}

void Horizon::join(AgentId agent) {
    if (agent == kNobody || std::ranges::find(members_, agent) != members_.end()) return;
    members_.push_back(agent);
}

// Follows a shortest way of the agent, and picks up those it would meet.
void Horizon::gather_in_the_way(AgentId agent, std::size_t most, std::uint64_t draw) {
    Spot here = at(agent, 0);
    for (std::int32_t k = 0; k < length_ && members_.size() < most; ++k) {
        if (is_done(agent, here)) return;
        const std::span<const Spot> beside = roads_.next(here);
        if (beside.empty()) return;
        Spot best = kNowhere;
        const std::size_t first = mix(draw + static_cast<std::uint64_t>(k)) % beside.size();
        for (std::size_t j = 0; j < beside.size(); ++j) {
            const Spot next = beside[(first + j) % beside.size()];
            if (best == kNowhere || left(agent, next) < left(agent, best)) best = next;
        }
        join(holders_[cell(best, k + 1)]);
        if (members_.size() < most) join(holders_[cell(best, k)]);
        here = best;
    }
}

void Horizon::gather_beside(std::size_t most, std::uint64_t draw) {
    for (std::uint64_t k = 0; k < 2 * most && members_.size() < most; ++k) {
        const std::uint64_t random = mix(draw + 64 + k);
        const AgentId member = members_[random % members_.size()];
        const auto depth =
            static_cast<std::int32_t>((random >> 16) % static_cast<std::uint64_t>(length_ + 1));
        const Spot here = at(member, depth);
        if (here == kNowhere) continue;
        const std::span<const Spot> beside = roads_.next(here);
        if (!beside.empty()) join(holders_[cell(beside[(random >> 32) % beside.size()], depth)]);
    }
}

// True: the members have new paths, which cost less together.
bool Horizon::replan_members(Budget& budget) {
    saved_.clear();
    Cost before = 0, least = 0;
    for (const AgentId agent : members_) {
        for (std::int32_t k = 0; k <= length_; ++k) saved_.push_back(at(agent, k));
        before += costs_[agent];
        least += least_of(agent);
        put(agent, kNobody);
    }
    Cost now = 0;
    std::size_t planned = 0;
    for (; planned < members_.size(); ++planned) {
        const AgentId agent = members_[planned];
        least -= least_of(agent);
        if (!replan(agent, before - now - least, budget)) break;
        put(agent, agent);
        now += cost_of(agent);
    }
    const bool better = planned == members_.size() && now < before;
    if (!better)
        for (std::size_t m = 0; m < planned; ++m) put(members_[m], kNobody);
    for (std::size_t m = 0; m < members_.size(); ++m) {
        const AgentId agent = members_[m];
        const std::size_t first = m * (static_cast<std::size_t>(length_) + 1);
        for (std::int32_t k = 0; k <= length_ && !better; ++k) at(agent, k) = saved_[first + k];
        if (!better) put(agent, agent);
        costs_[agent] = cost_of(agent);
    }
    return better;
}

// A cheapest path around all others, of at most this cost.
bool Horizon::replan(AgentId agent, Cost bound, Budget& budget) {
    const Spot here = at(agent, 0);
    nodes_.clear();
    for (std::vector<std::int32_t>& bucket : buckets_) bucket.clear();
    if (++stamp_ == 0) {
        std::ranges::fill(seen_, 0u);
        stamp_ = 1;
    }
    least_ = least_of(agent);
    generate({here, kNone, 0, least_, is_done(agent, here)}, bound);
    for (std::size_t k = 0; k < buckets_.size(); ++k) {
        while (!buckets_[k].empty()) {
            const std::int32_t node = buckets_[k].back();
            buckets_[k].pop_back();
            const Node& found = nodes_[node];
            if (found.depth == length_ || ends(agent, found.spot, found.depth)) {
                adopt(agent, node);
                return true;
            }
            if (!budget.spend()) return false;
            expand(agent, node, bound);
        }
    }
    return false;
}

void Horizon::expand(AgentId agent, std::int32_t node, Cost bound) {
    const Node from = nodes_[node];
    const auto go = [&](Spot to) {
        if (!may_go(from.spot, to, from.depth)) return;
        Node next{to, node, from.depth + 1, from.cost, true};
        if (!from.arrived) {
            next.arrived = is_done(agent, to);
            next.cost = next.depth + left(agent, to);
        }
        generate(next, bound);
    };
    if (!from.arrived) go(from.spot);
    for (const Spot to : roads_.next(from.spot)) go(to);
    if (from.arrived) go(from.spot);  // looked at first
}

void Horizon::generate(const Node& node, Cost bound) {
    std::uint32_t& seen = seen_[2 * cell(node.spot, node.depth) + node.arrived];
    if (seen == stamp_ || node.cost > bound || node.cost < least_) return;
    seen = stamp_;
    const auto bucket = static_cast<std::size_t>(node.cost - least_);
    if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
    buckets_[bucket].push_back(static_cast<std::int32_t>(nodes_.size()));
    nodes_.push_back(node);
}

bool Horizon::may_go(Spot from, Spot to, std::int32_t depth) const {
    if (holders_[cell(to, depth + 1)] != kNobody) return false;
    if (from == to) return true;
    const AgentId there = holders_[cell(to, depth)];
    if (there != kNobody && (!rules_.following || at(there, depth + 1) == from)) return false;
    if (!rules_.following && holders_[cell(from, depth + 1)] != kNobody) return false;
    if (rules_.crossing) return true;
    const Move move{roads_.vertex(from), roads_.vertex(to)};
    return !space_.any_crossing(move, [&](Move other) {
        const Spot begin = roads_.spot(other.from);
        const AgentId who = begin == kNowhere ? kNobody : holders_[cell(begin, depth)];
        return who != kNobody && at(who, depth + 1) == roads_.spot(other.to);
    });
}

void Horizon::adopt(AgentId agent, std::int32_t last) {
    for (std::int32_t k = nodes_[last].depth + 1; k <= length_; ++k) at(agent, k) = kNowhere;
    for (std::int32_t k = last; k != kNone; k = nodes_[k].parent)
        at(agent, nodes_[k].depth) = nodes_[k].spot;
}

// Holds all spots of its path at their times, or gives them up.
void Horizon::put(AgentId agent, AgentId mark) {
    for (std::int32_t k = 0; k <= length_ && at(agent, k) != kNowhere; ++k)
        holders_[cell(at(agent, k), k)] = mark;
}

// Has it nowhere to go from there?
bool Horizon::is_done(AgentId agent, Spot s) const {
    const Travel& travel = travels_[agent];
    return !travel.field || s == travel.goal || left(agent, at(agent, 0)) >= kFar;
}

Cost Horizon::left(AgentId agent, Spot s) const {
    const Travel& travel = travels_[agent];
    if (!travel.field || s == kNowhere) return 0;
    return std::min(travel.field->at_least(s), kFar);
}

// What it costs at least.
Cost Horizon::least_of(AgentId agent) const {
    const Spot here = at(agent, 0);
    return is_done(agent, here) ? 0 : left(agent, here);
}

Cost Horizon::cost_of(AgentId agent) const {
    for (std::int32_t k = 0; k <= length_; ++k)
        if (is_done(agent, at(agent, k))) return k;
    return length_ + left(agent, at(agent, length_));
}

}  // namespace sidestep
