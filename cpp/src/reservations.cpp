#include "sidestep/reservations.hpp"

#include <algorithm>
#include <bit>

namespace sidestep {

Reservations::Reservations(std::int32_t vertices, std::int32_t agents)
    : words_((static_cast<std::size_t>(vertices) + 63) / 64),
      parked_bits_(words_, 0),
      held_(agents) {
    layout(32, agents);
}

// (Re)builds the rows for this many steps and agents and enters again what is held.
void Reservations::layout(std::size_t rows, std::int32_t agents) {
    rows_ = std::bit_ceil(rows);
    // Twice as many slots as agents keep the probes short; a row never holds more than all agents.
    slots_ = std::bit_ceil(static_cast<std::size_t>(std::max(agents, 4)) * 2);
    slot_shift_ = 32 - std::countr_zero(slots_);
    bits_.assign(rows_ * words_, 0);
    holders_.assign(rows_ * slots_, Slot{});
    const Time last = last_;
    last_ = now_ - 1;
    extend(last);
    const auto end = [](const Held& held) {
        return held.start + static_cast<Time>(held.path.size()) - 1;
    };
    for (const Held& held : held_)  // extend() parked them from the beginning
        if (held.parked)
            for (Time t = now_; t <= std::min(end(held), last_); ++t)
                unset(row_bits(t), held.path.back());
    for (AgentId agent = 0; agent < static_cast<AgentId>(held_.size()); ++agent) {
        const Held& held = held_[agent];
        for (Time t = std::max(held.start, now_); t <= end(held); ++t)
            put(held.path[t - held.start], t, agent);
    }
}

void Reservations::add_agent() {
    held_.emplace_back();
    if (held_.size() * 2 > slots_) layout(rows_, static_cast<std::int32_t>(held_.size()) * 2);
}

void Reservations::extend(Time last) {
    if (last <= last_) return;
    if (static_cast<std::size_t>(last - now_) >= rows_) {
        // Growing lays everything out again, so it must not happen for every step.
        layout(static_cast<std::size_t>(last - now_) + 1, static_cast<std::int32_t>(slots_ / 2));
    }
    for (Time t = last_ + 1; t <= last; ++t) {
        std::copy(parked_bits_.begin(), parked_bits_.end(), row_bits(t));
        std::fill_n(holders_.begin() + ring(t) * slots_, slots_, Slot{});
    }
    last_ = last;
}

void Reservations::clear() {
    for (AgentId agent = 0; agent < static_cast<AgentId>(held_.size()); ++agent) release(agent);
    last_ = now_ - 1;
}

void Reservations::advance(Time now) {
    now_ = std::max(now_, now);
    last_ = std::max(last_, now_ - 1);
}

void Reservations::put(Vertex v, Time t, AgentId agent) {
    set(row_bits(t), v);
    Slot* slots = holders_.data() + ring(t) * slots_;
    std::size_t k = home(v);
    while (slots[k].vertex != kNowhere) k = (k + 1) & (slots_ - 1);
    slots[k] = {v, agent};
}

// Linear probing with backward shift: entries behind the gap move up if the gap is on their way.
void Reservations::take_out(Vertex v, Time t) {
    unset(row_bits(t), v);
    Slot* slots = holders_.data() + ring(t) * slots_;
    const std::size_t mask = slots_ - 1;
    std::size_t gap = home(v);
    while (slots[gap].vertex != v) gap = (gap + 1) & mask;
    for (std::size_t k = (gap + 1) & mask; slots[k].vertex != kNowhere; k = (k + 1) & mask) {
        if (((k - home(slots[k].vertex)) & mask) >= ((k - gap) & mask)) {
            slots[gap] = slots[k];
            gap = k;
        }
    }
    slots[gap] = Slot{};
}

void Reservations::reserve(AgentId agent, Time start, std::span<const Vertex> path, bool park) {
    release(agent);
    const Time end = start + static_cast<Time>(path.size()) - 1;
    extend(end);
    for (Time t = std::max(start, now_); t <= end; ++t) put(path[t - start], t, agent);
    Held& held = held_[agent];
    held.start = start;
    held.path.assign(path.begin(), path.end());
    held.parked = park;
    if (park) {
        const Vertex v = path.back();
        for (Time t = std::max(end + 1, now_); t <= last_; ++t) set(row_bits(t), v);
        set(parked_bits_.data(), v);
        parked_by_[v] = agent;
    }
}

void Reservations::release(AgentId agent) {
    Held& held = held_[agent];
    if (held.path.empty()) return;
    const Time end = held.start + static_cast<Time>(held.path.size()) - 1;
    for (Time t = std::max(held.start, now_); t <= end; ++t) take_out(held.path[t - held.start], t);
    if (held.parked) {
        const Vertex v = held.path.back();
        for (Time t = std::max(end + 1, now_); t <= last_; ++t) unset(row_bits(t), v);
        unset(parked_bits_.data(), v);
        parked_by_.erase(v);
        held.parked = false;
    }
    held.path.clear();
}

AgentId Reservations::holder(Vertex v, Time t) const {
    if (t <= last_) {
        const Slot* slots = holders_.data() + ring(t) * slots_;
        for (std::size_t k = home(v); slots[k].vertex != kNowhere; k = (k + 1) & (slots_ - 1))
            if (slots[k].vertex == v) return slots[k].agent;
    }
    if (!taken(v, t)) return kNobody;
    return parked_by_.at(v);
}

Time Reservations::last_taken(Vertex v) const {
    if (bit(parked_bits_.data(), v)) return kForever;
    Time t = last_;
    while (t >= now_ && !taken(v, t)) --t;
    return t;
}

bool Reservations::allows(const Space& space, const Rules& rules, Move move, Time t) const {
    if (taken(move.to, t + 1)) return false;
    if (move.from == move.to) return true;
    const bool entered_behind = taken(move.from, t + 1);
    if (!rules.following && (entered_behind || taken(move.to, t))) return false;
    if (entered_behind && moves({move.to, move.from}, t)) return false;
    return rules.crossing || !space.has_crossings() ||
           !space.any_crossing(move, [&](Move other) { return moves(other, t); });
}

}  // namespace sidestep
