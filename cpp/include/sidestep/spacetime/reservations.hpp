// The reservation table (Silver 2005): who will be where, when.
//
// Each step of time is a row: one bit per vertex for the question that every expansion asks ("is it
// taken?") and a small hash table for the rarer one ("by whom?"). Moves need no entries of their
// own: the holder of u at t and of v at t+1 being one agent is the reservation of the edge u-v, so
// swaps, crossings and following are all read off the vertices. Agents that stay for good are
// parked: their bit is set in every row from then on, rows that do not exist yet included.
//
// A large agent holds all cells that it covers, and a slow one in the middle of a move those of
// both ends. Among agents of one cell the reservation of an edge is read as before; larger ones
// cannot cross without overlapping.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sidestep/model/archive.hpp"
#include "sidestep/model/body.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

class Reservations {
  public:
    Reservations(std::int32_t vertices, std::int32_t agents);
    Reservations(std::int32_t vertices, std::span<const Body> bodies);

    void add_agent(Body body = {});
    // Only these agents are left, with new numbers in this order; the others lose what they hold.
    void forget_all_but(std::span<const AgentId> kept);

    // path[k] is held at time start + k; a parked path's last vertex is held from then on.
    void reserve(AgentId agent, Time start, std::span<const Vertex> path, bool park);
    void release(AgentId agent);

    // Makes the rows up to a time, so that a path until then can be reserved at once. False: the
    // budget ended, and nothing has changed.
    bool make_room(Time last, Budget& budget);

    // All that is held, and since when: the rows follow from that.
    void save(Writer& writer) const;
    static Reservations loaded(Reader& reader, const Space& space);

    // Forgets all reservations.
    void clear();

    // Forgets everything before `now`.
    void advance(Time now);
    Time now() const { return now_; }
    std::int32_t vertices() const { return vertices_; }
    std::int32_t size() const { return static_cast<std::int32_t>(held_.size()); }

    std::int64_t bytes() const {
        return static_cast<std::int64_t>(made_ * row_bytes() + steps_ * sizeof(Vertex));
    }

    // The last time at which anything but parked agents is reserved.
    Time last() const { return last_; }

    bool taken(Vertex v, Time t) const { return bit(row(t), v); }
    AgentId holder(Vertex v, Time t) const;

    // The last time at which v is taken: now - 1 if never, kForever if somebody is parked there.
    Time last_taken(Vertex v) const;

    // The bits of one step of time, for the inner loop.
    const std::uint64_t* row(Time t) const {
        return t > last_ ? parked_bits_.data() : rows_[ring(t)].bits.data();
    }
    static bool bit(const std::uint64_t* row, Vertex v) {
        return row[static_cast<std::uint32_t>(v) >> 6] >> (v & 63) & 1;
    }

    // Does some agent move from `move.from` at t to `move.to` at t + 1?
    bool moves(Move move, Time t) const {
        if (!taken(move.from, t) || !taken(move.to, t + 1)) return false;
        const AgentId who = holder(move.from, t);
        return who != kNobody && who == holder(move.to, t + 1);
    }

    // May an agent go from `move.from` at t to `move.to` at t + 1 under the rules?
    bool allows(const Space& space, const Rules& rules, Move move, Time t) const;

    // The same for an agent of any size that begins a move at t, or waits until t + 1.
    bool allows(const Space& places, const Rules& rules, Body body, Move move, Time t) const;
    bool taken_under(Body body, Vertex at, Time t) const {
        bool found = false;
        body.each_cell(at, [&](Vertex v) { found |= taken(v, t); });
        return found;
    }
    Time last_taken_under(Body body, Vertex at) const {
        Time last = now_ - 1;
        body.each_cell(at, [&](Vertex v) { last = std::max(last, last_taken(v)); });
        return last;
    }

    // What the agent holds; empty if nothing.
    std::span<const Vertex> path(AgentId agent) const { return held_[agent].path; }
    Time start(AgentId agent) const { return held_[agent].start; }
    bool parked(AgentId agent) const { return held_[agent].parked; }

  private:
    class Holders;
    struct Held {
        Time start = 0;
        bool parked = false;
        std::vector<Vertex> path = {};
        Body body = {};
        template <class Self, class Archive>
        static void fields(Self& self, Archive& archive) {
            archive(self.start, self.parked, self.path, self.body);
        }
    };
    struct Slot {
        Vertex vertex = kNowhere;
        AgentId agent = kNobody;
    };
    // A step of time. Made when it is first needed, and then used again: on a large map a row is
    // long, and all rows of a long plan take too much time to be made at once.
    struct Row {
        std::vector<std::uint64_t> bits;
        std::vector<Slot> holders;
    };

    std::size_t ring(Time t) const { return static_cast<std::size_t>(t) & mask_; }
    std::uint64_t* row_bits(Time t) { return rows_[ring(t)].bits.data(); }
    Slot* slots_at(Time t) { return rows_[ring(t)].holders.data(); }
    std::size_t row_bytes() const { return words_ * sizeof(std::uint64_t) + slots_ * sizeof(Slot); }
    std::size_t home(Vertex v) const {
        return static_cast<std::uint32_t>(v) * 0x9E3779B1u >> slot_shift_;
    }
    static void set(std::uint64_t* row, Vertex v) { row[v >> 6] |= std::uint64_t{1} << (v & 63); }
    static void unset(std::uint64_t* row, Vertex v) {
        row[v >> 6] &= ~(std::uint64_t{1} << (v & 63));
    }
    static Time end(const Held& held) {
        return held.start + static_cast<Time>(held.path.size()) - 1;
    }
    // Calls visit(v) for everything that is held at t.
    template <class Visit>
    static void each_held(const Held& held, Time t, Visit&& visit) {
        const Time k = t - held.start;
        const Vertex here = held.path[k];
        if (held.body.is_unit()) return visit(here);
        held.body.each_cell(here, visit);
        const Vertex next = next_place(held.path, k, held.body.period - 1);
        if (next != kNowhere) held.body.each_cell_except(next, here, visit);
    }
    void widen(std::size_t cells);
    void lengthen(std::size_t rows);
    void extend(Time last);
    bool follows(Body body, Move move, Time t) const;
    bool swaps(Body body, Move move, Time t) const;
    void put(Vertex v, Time t, AgentId agent);
    void take_out(Vertex v, Time t);

    std::int32_t vertices_;
    std::size_t words_;
    std::size_t mask_ = 0;   // the number of rows, a power of two, less one
    std::size_t made_ = 0;   // rows that are not empty
    std::size_t steps_ = 0;  // of all paths
    int slot_shift_ = 0;
    std::size_t slots_ = 0;  // per row, a power of two
    std::size_t cells_ = 0;  // the most that all agents can hold at one time
    Time now_ = 0, last_ = -1;
    std::vector<Row> rows_;
    std::vector<std::uint64_t> parked_bits_;
    std::unordered_map<Vertex, AgentId> parked_by_;
    std::vector<Held> held_;
};

}  // namespace sidestep
