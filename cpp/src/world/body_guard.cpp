#include "sidestep/world/body_guard.hpp"

#include <algorithm>

#include "sidestep/model/collision.hpp"

namespace sidestep {

template <class Visit>
void BodyGuard::each_held_now(const Stride& stride, Visit&& visit) const {
    if (stride.position == kNowhere) return;
    stride.body.each_cell(stride.position, visit);
    if (stride.progress) stride.body.each_cell_except(stride.heading, stride.position, visit);
}

template <class Visit>
void BodyGuard::each_held_next(const Stride& stride, Visit&& visit) const {
    if (stride.position == kNowhere || stride.target == kNowhere) return;
    stride.body.each_cell(stride.target, visit);
    if (stride.moves() && !stride.arrives())
        stride.body.each_cell_except(stride.position, stride.target, visit);
}

// The cells that the agent did not hold before.
template <class Visit>
void BodyGuard::each_entered(const Stride& stride, Visit&& visit) const {
    if (!stride.moves()) return;
    stride.body.each_cell(stride.target, [&](Vertex cell) {
        if (!holds_now(stride, cell)) visit(cell);
    });
}

bool BodyGuard::holds_now(const Stride& stride, Vertex cell) const {
    return stride.body.covers(stride.position, cell) ||
           (stride.progress && stride.body.covers(stride.heading, cell));
}

std::span<const AgentId> BodyGuard::check(const Space& cells, const Rules& rules,
                                          std::span<Stride> strides) {
    strides_ = strides;
    refused_.clear();
    holder_.prepare(cells.size());
    claimant_.prepare(cells.size());
    const auto count = static_cast<AgentId>(strides.size());
    for (AgentId a = 0; a < count; ++a)
        each_held_now(strides[a], [&](Vertex cell) { holder_.set(cell, a); });
    for (AgentId a = 0; a < count; ++a)
        if (!is_possible(rules, a)) refuse(a);
    while (!settle_once(cells, rules)) {
    }
    for (const Stride& stride : strides)
        each_held_now(stride, [&](Vertex cell) { holder_.set(cell, kNobody); });
    return refused_;
}

bool BodyGuard::is_possible(const Rules& rules, AgentId agent) const {
    const Stride& stride = strides_[agent];
    if (!stride.moves()) return true;
    if (!stride.places->contains(stride.target)) return false;
    if (!stride.places->connects(stride.position, stride.target)) return false;
    bool followed = false;
    each_entered(stride, [&](Vertex cell) { followed |= holder_[cell] != kNobody; });
    return rules.following || !followed;
}

// Refuses those who collide as things stand; true if nobody does.
bool BodyGuard::settle_once(const Space& cells, const Rules& rules) {
    bool safe = true;
    const auto count = static_cast<AgentId>(strides_.size());
    touched_.clear();
    for (AgentId a = 0; a < count; ++a) {
        each_held_next(strides_[a], [&](Vertex cell) {
            touched_.push_back(cell);
            const AgentId rival = claimant_[cell];
            if (rival == kNobody)
                claimant_.set(cell, a);
            else if (rival != a && settle(rival, a))
                safe = false;
        });
        AgentId other;
        while ((other = collides_on_the_way(cells, rules, a)) != kNobody && settle(a, other))
            safe = false;
    }
    for (const Vertex cell : touched_) claimant_.set(cell, kNobody);
    return safe;
}

// The first agent that `agent` would swap cells with or cross, or kNobody.
AgentId BodyGuard::collides_on_the_way(const Space& cells, const Rules& rules,
                                       AgentId agent) const {
    const Stride& stride = strides_[agent];
    if (!stride.moves()) return kNobody;
    AgentId found = kNobody;
    each_entered(stride, [&](Vertex cell) {
        const AgentId ahead = holder_[cell];
        if (found != kNobody || ahead == kNobody) return;
        each_entered(strides_[ahead], [&](Vertex entered) {
            if (holds_now(stride, entered)) found = ahead;
        });
    });
    // An agent larger than a cell overlaps with those that would cross its way.
    if (found != kNobody || stride.body.size > 1 || !checks_crossings(cells, rules)) return found;
    cells.any_crossing({stride.position, stride.target}, [&](Move move) {
        const AgentId there = holder_[move.from];
        if (there == kNobody || strides_[there].body.size > 1) return false;
        if (strides_[there].position != move.from || strides_[there].target != move.to)
            return false;
        found = there;
        return true;
    });
    return found;
}

bool BodyGuard::is_firm(const Stride& stride) const {
    return !stride.moves() || (stride.progress && stride.target == stride.heading);
}

// Refuses one of two that collide; false if neither moves.
bool BodyGuard::settle(AgentId a, AgentId b) {
    const Stride &one = strides_[a], &other = strides_[b];
    const bool firm = is_firm(one);
    bool first = one.priority != other.priority ? one.priority > other.priority : a < b;
    if (firm != is_firm(other)) first = firm;
    AgentId loser = first ? b : a;
    if (!strides_[loser].moves()) loser = first ? a : b;
    if (!strides_[loser].moves()) return false;
    refuse(loser);
    return true;
}

void BodyGuard::refuse(AgentId agent) {
    refused_.push_back(agent);
    strides_[agent].target = strides_[agent].position;
}

}  // namespace sidestep
