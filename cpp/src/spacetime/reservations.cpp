#include "sidestep/spacetime/reservations.hpp"

#include <algorithm>
#include <bit>

#include "sidestep/model/collision.hpp"

namespace sidestep {

Reservations::Reservations(std::int32_t vertices, std::int32_t agents)
    : Reservations(vertices, std::vector<Body>(agents)) {}

Reservations::Reservations(std::int32_t vertices, std::span<const Body> bodies)
    : vertices_(vertices),
      words_((static_cast<std::size_t>(vertices) + 63) / 64),
      parked_bits_(words_, 0),
      held_(bodies.size()) {
    for (std::size_t agent = 0; agent < bodies.size(); ++agent) {
        held_[agent].body = bodies[agent];
        cells_ += bodies[agent].room();
    }
    widen(cells_);
    lengthen(32);
}

// Room for this many cells that are held at one time; enters again what is held.
void Reservations::widen(std::size_t cells) {
    // Twice as many slots as cells keep the probes short; a row never holds more than all agents
    // do.
    slots_ = std::bit_ceil(std::max<std::size_t>(cells, 4) * 2);
    slot_shift_ = 32 - std::countr_zero(slots_);
    for (Time t = now_; t <= last_; ++t) rows_[ring(t)].holders.assign(slots_, Slot{});
    for (AgentId agent = 0; agent < static_cast<AgentId>(held_.size()); ++agent) {
        const Held& held = held_[agent];
        for (Time t = std::max(held.start, now_); t <= end(held); ++t)
            each_held(held, t, [&](Vertex v) { put(v, t, agent); });
    }
}

// Room for this many steps.
void Reservations::lengthen(std::size_t rows) {
    std::vector<Row> longer(std::bit_ceil(rows));
    made_ = 0;
    for (Time t = now_; t <= last_; ++t, ++made_)
        longer[static_cast<std::size_t>(t) & (longer.size() - 1)] = std::move(rows_[ring(t)]);
    mask_ = longer.size() - 1;
    rows_.swap(longer);
}

void Reservations::add_agent(Body body) {
    held_.emplace_back().body = body;
    cells_ += body.room();
    if (cells_ * 2 > slots_) widen(cells_ * 2);
}

void Reservations::forget_all_but(std::span<const AgentId> kept) {
    std::vector<Body> bodies;
    for (const AgentId agent : kept) bodies.push_back(held_[agent].body);
    Reservations left(vertices_, bodies);
    left.advance(now_);
    left.extend(last_);
    for (std::size_t k = 0; k < kept.size(); ++k) {
        const Held& held = held_[kept[k]];
        if (held.path.empty()) continue;
        left.reserve(static_cast<AgentId>(k), held.start, held.path, held.parked);
    }
    *this = std::move(left);
}

void Reservations::save(Writer& writer) const { writer(now_, last_, held_); }

Reservations Reservations::loaded(Reader& reader, const Space& space) {
    constexpr Time longest = 1 << 24;
    Time now = 0, last = 0;
    std::vector<Held> held;
    reader(now, last, held);
    require_saved(now >= 0 && now <= kLatest && last >= now - 1 && last - now < longest, "a time");
    std::vector<Body> bodies;
    for (Held& one : held) {
        one.body.width = space.is_grid() ? space.width() : 1;
        bodies.push_back(one.body);
        require_saved(one.start >= 0 && one.start <= kLatest, "a time");
        require_saved(one.path.empty() || end(one) <= last, "a path is too long");
        require_saved(!one.parked || !one.path.empty(), "who is parked is nowhere");
        for (const Vertex v : one.path) {
            require_saved(v != kNowhere, "a path leads nowhere");
            require_saved_place(space, v, one.body);
        }
    }
    Reservations all(space.size(), bodies);
    all.advance(now);
    all.extend(last);
    for (std::size_t k = 0; k < held.size(); ++k)
        if (!held[k].path.empty())
            all.reserve(static_cast<AgentId>(k), held[k].start, held[k].path, held[k].parked);
    return all;
}

void Reservations::extend(Time last) {
    if (last <= last_) return;
    if (static_cast<std::size_t>(last - now_) > mask_)
        lengthen(static_cast<std::size_t>(last - now_) + 1);
    for (Time t = last_ + 1; t <= last; ++t) {
        Row& row = rows_[ring(t)];
        made_ += row.bits.empty();
        row.bits.assign(parked_bits_.begin(), parked_bits_.end());
        row.holders.assign(slots_, Slot{});
    }
    last_ = last;
}

bool Reservations::make_room(Time last, Budget& budget) {
    constexpr std::size_t bytes_per_tick = 512;
    const auto ticks = static_cast<std::int64_t>(row_bytes() / bytes_per_tick) + 1;
    const Time before = last_;
    while (last_ < last) {
        extend(last_ + 1);
        if (budget.tick(ticks) && budget.fits(bytes())) continue;
        last_ = before;
        return false;
    }
    return true;
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
    Slot* slots = slots_at(t);
    std::size_t k = home(v);
    while (slots[k].vertex != kNowhere) k = (k + 1) & (slots_ - 1);
    slots[k] = {v, agent};
}

// Linear probing with backward shift: entries behind the gap move up if the gap is on their way.
void Reservations::take_out(Vertex v, Time t) {
    unset(row_bits(t), v);
    Slot* slots = slots_at(t);
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
    Held& held = held_[agent];
    held.start = start;
    held.path.assign(path.begin(), path.end());
    steps_ += path.size();
    held.parked = park;
    for (Time t = std::max(start, now_); t <= end; ++t)
        each_held(held, t, [&](Vertex v) { put(v, t, agent); });
    if (!park) return;
    held.body.each_cell(path.back(), [&](Vertex v) {
        for (Time t = std::max(end + 1, now_); t <= last_; ++t) set(row_bits(t), v);
        set(parked_bits_.data(), v);
        parked_by_[v] = agent;
    });
}

void Reservations::release(AgentId agent) {
    Held& held = held_[agent];
    if (held.path.empty()) return;
    const Time end = Reservations::end(held);
    for (Time t = std::max(held.start, now_); t <= end; ++t)
        each_held(held, t, [&](Vertex v) { take_out(v, t); });
    if (held.parked) {
        held.body.each_cell(held.path.back(), [&](Vertex v) {
            for (Time t = std::max(end + 1, now_); t <= last_; ++t) unset(row_bits(t), v);
            unset(parked_bits_.data(), v);
            parked_by_.erase(v);
        });
        held.parked = false;
    }
    steps_ -= held.path.size();
    held.path.clear();
}

AgentId Reservations::holder(Vertex v, Time t) const {
    if (t <= last_) {
        const Slot* slots = rows_[ring(t)].holders.data();
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

// The holders of vertices in the step from t to t + 1.
class Reservations::Holders {
  public:
    Holders(const Reservations& all, Time t) : all_(all), t_(t) {}

    template <class Wanted>
    bool any_before(Vertex v, Wanted&& wanted) const {
        return all_.taken(v, t_) && wanted(Holder{all_, v, t_});
    }
    template <class Wanted>
    bool any_after(Vertex v, Wanted&& wanted) const {
        return all_.taken(v, t_ + 1) && wanted(Holder{all_, v, t_ + 1});
    }

  private:
    struct Holder {
        const Reservations& all;
        Vertex vertex;
        Time t;
        bool goes(Vertex v) const { return all.moves({vertex, v}, t); }
    };
    const Reservations& all_;
    Time t_;
};

bool Reservations::allows(const Space& space, const Rules& rules, Move move, Time t) const {
    return !any_collision(space, rules, move, Holders(*this, t),
                          [](CollisionKind, const auto&) { return true; });
}

// Would somebody enter a cell in the step in which another leaves it, at either end of the move?
bool Reservations::follows(Body body, Move move, Time t) const {
    bool found = false;
    const Time arrival = t + body.period;
    body.each_cell_except(move.to, move.from, [&](Vertex v) { found |= taken(v, t); });
    body.each_cell_except(move.from, move.to, [&](Vertex v) { found |= taken(v, arrival); });
    return found;
}

// Does the move enter a cell of somebody who enters one that it leaves? Only for moves of one turn:
// in the middle of a longer one both ends are held.
bool Reservations::swaps(Body body, Move move, Time t) const {
    bool found = false;
    body.each_cell_except(move.to, move.from, [&](Vertex ahead) {
        if (!taken(ahead, t)) return;
        const AgentId other = holder(ahead, t);
        body.each_cell_except(move.from, move.to, [&](Vertex behind) {
            found |= taken(behind, t + 1) && holder(behind, t + 1) == other;
        });
    });
    return found;
}

bool Reservations::allows(const Space& places, const Rules& rules, Body body, Move move,
                          Time t) const {
    if (move.from == move.to) return !taken_under(body, move.to, t + 1);
    for (Time k = 1; k < body.period; ++k)
        if (taken_under(body, move.from, t + k) || taken_under(body, move.to, t + k)) return false;
    if (taken_under(body, move.to, t + body.period)) return false;
    if (!rules.following && follows(body, move, t)) return false;
    if (body.period == 1 && swaps(body, move, t)) return false;
    // An agent larger than a cell overlaps with those that would cross its way.
    if (body.size > 1 || !checks_crossings(places, rules)) return true;
    for (Time k = t; k < t + body.period; ++k)
        if (places.any_crossing(move, [&](Move other) { return moves(other, k); })) return false;
    return true;
}

}  // namespace sidestep
