#include "sidestep/solvers/cbs/constraints.hpp"

#include <algorithm>

#include "sidestep/model/random.hpp"
#include "sidestep/solvers/cbs/constrained_diagram.hpp"

namespace sidestep::cbs {

using Kind = Constraint::Kind;

void add_for_others(const Constraint& c, Vertex goal, std::vector<Constraint>& set) {
    switch (c.kind) {
        case Kind::within:
            set.push_back(Constraint::avoid(goal, c.begin, kForever));
            break;
        case Kind::visit:
            set.push_back(Constraint::avoid(c.to, c.begin));
            break;
        case Kind::visit_move:
            set.push_back(Constraint::avoid(c.from, c.begin));
            set.push_back(Constraint::avoid(c.to, c.begin + 1));
            set.push_back(Constraint::avoid_move({c.to, c.from}, c.begin));
            break;
        default:
            break;
    }
}

ConstraintSets::Entry::Entry(AgentId who, std::vector<Constraint> all)
    : agent(who), constraints(std::move(all)) {}
ConstraintSets::Entry::Entry(Entry&&) noexcept = default;
ConstraintSets::Entry::~Entry() = default;

SetId ConstraintSets::intern(AgentId agent, std::vector<Constraint>& constraints) {
    std::sort(constraints.begin(), constraints.end());
    constraints.erase(std::unique(constraints.begin(), constraints.end()), constraints.end());
    std::uint64_t hash = mix(static_cast<std::uint64_t>(agent));
    const auto stir = [&hash](auto value) { hash = mix(hash ^ static_cast<std::uint32_t>(value)); };
    for (const Constraint& c : constraints) {
        stir(static_cast<std::int32_t>(c.kind) << 24 ^ c.from);
        stir(c.to);
        stir(c.begin);
        stir(c.end);
    }
    const auto [begin, end] = by_hash_.equal_range(hash);
    for (auto it = begin; it != end; ++it) {
        const Entry& known = entries_[it->second];
        if (known.agent == agent && known.constraints == constraints) return it->second;
    }
    const auto id = static_cast<SetId>(entries_.size());
    entries_.emplace_back(agent, constraints);
    by_hash_.emplace(hash, id);
    bytes_ +=
        static_cast<std::int64_t>(sizeof(Entry) + 64 + constraints.size() * sizeof(Constraint));
    return id;
}

void ConstraintTable::add_ban(Vertex v, Vertex from, Time begin, Time end) {
    if (first_[v] == kNone) touched_.push_back(v);
    bans_.push_back({from, begin, end, first_[v]});
    first_[v] = static_cast<std::int32_t>(bans_.size()) - 1;
    last_ = std::max(last_, end == kForever ? begin : end);
}

void ConstraintTable::load(std::span<const Constraint> constraints, Vertex goal, bool stays) {
    for (const Vertex v : touched_) first_[v] = kNone;
    touched_.clear();
    bans_.clear();
    visits_.clear();
    no_stops_.clear();
    last_ = illegal_ ? illegal_->settled() : -1;
    earliest_end_ = illegal_ && goal != kNowhere && stays ? illegal_->free_from(goal) : 0;
    latest_end_ = kForever;
    const auto not_before = [this](Time t) { earliest_end_ = std::max(earliest_end_, t); };
    const auto visit = [&](Vertex v, Time t) {
        visits_.push_back({v, t});
        last_ = std::max(last_, t);
        if (v != goal || !stays) not_before(t);
    };
    for (const Constraint& c : constraints) {
        switch (c.kind) {
            case Kind::avoid:
                add_ban(c.to, kNowhere, c.begin, c.end);
                if (c.to == goal && stays) not_before(c.end == kForever ? kForever : c.end + 1);
                break;
            case Kind::avoid_move:
                add_ban(c.to, c.from, c.begin + 1, c.begin + 1);
                break;
            case Kind::visit:
                visit(c.to, c.begin);
                break;
            case Kind::visit_move:
                visit(c.from, c.begin);
                visit(c.to, c.begin + 1);
                break;
            case Kind::later:
                not_before(c.begin + 1);
                last_ = std::max(last_, c.begin);
                break;
            case Kind::within:
                latest_end_ = std::min(latest_end_, c.begin);
                break;
            case Kind::no_stop:
                no_stops_.push_back(c.to);
                break;
        }
    }
    std::sort(visits_.begin(), visits_.end(), [](Visit a, Visit b) {
        return a.time != b.time ? a.time < b.time : a.vertex < b.vertex;
    });
}

bool ConstraintTable::may_stop(Vertex v) const {
    return std::find(no_stops_.begin(), no_stops_.end(), v) == no_stops_.end();
}

bool ConstraintTable::misses_visit(Vertex v, Time t) const {
    for (const Visit visit : visits_)
        if (visit.time == t && visit.vertex != v) return true;
    return false;
}

}  // namespace sidestep::cbs
