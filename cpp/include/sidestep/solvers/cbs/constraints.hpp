// What one agent must do or leave (Sharon, Stern, Felner and Sturtevant 2015).
//
// A node of the constraint tree imposes constraints on agents; all those on one agent make its set.
// A set determines the agent's cheapest cost and its decision diagram, so equal sets are kept once
// and known by a number, in whichever branch of the tree they come up.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"
#include "sidestep/spacetime/traffic.hpp"

namespace sidestep::cbs {

struct Constraint {
    enum class Kind : std::uint8_t {
        avoid,       // is not on `to` from `begin` to `end`, both included
        avoid_move,  // does not go from `from` to `to` in the step that begins at `begin`
        visit,       // is on `to` at `begin`
        visit_move,  // goes from `from` to `to` in the step that begins at `begin`
        later,       // arrives for good after `begin`
        within,      // arrives for good at `begin` or before
        no_stop,     // does not end on `to` (an agent without a goal)
    };
    Kind kind = Kind::avoid;
    Vertex from = kNowhere, to = kNowhere;
    Time begin = 0, end = 0;

    static Constraint avoid(Vertex v, Time t) { return {Kind::avoid, kNowhere, v, t, t}; }
    static Constraint avoid(Vertex v, Time begin, Time end) {
        return {Kind::avoid, kNowhere, v, begin, end};
    }
    static Constraint avoid_move(Move move, Time t) {
        return {Kind::avoid_move, move.from, move.to, t, t};
    }
    static Constraint visit(Vertex v, Time t) { return {Kind::visit, kNowhere, v, t, t}; }
    static Constraint visit_move(Move move, Time t) {
        return {Kind::visit_move, move.from, move.to, t, t};
    }
    static Constraint later(Time t) { return {Kind::later, kNowhere, kNowhere, t, t}; }
    static Constraint within(Time t) { return {Kind::within, kNowhere, kNowhere, t, t}; }
    static Constraint no_stop(Vertex v) { return {Kind::no_stop, kNowhere, v, 0, 0}; }

    friend auto operator<=>(const Constraint&, const Constraint&) = default;
};

// What a constraint on one agent, whose goal is `goal`, means for all others: where an agent has to
// be nobody else can be, and where it has arrived for good nobody passes any more.
void add_for_others(const Constraint& constraint, Vertex goal, std::vector<Constraint>& set);

class ConstrainedDiagram;
using SetId = std::int32_t;

// All sets of constraints that came up, each once.
class ConstraintSets {
  public:
    struct Entry {
        AgentId agent;
        std::vector<Constraint> constraints;          // sorted, each once
        std::unique_ptr<ConstrainedDiagram> diagram;  // made when first asked for
        ~Entry();
        Entry(AgentId who, std::vector<Constraint> all);
        Entry(Entry&&) noexcept;
    };

    // Sorts `constraints`, and finds or keeps them.
    SetId intern(AgentId agent, std::vector<Constraint>& constraints);
    Entry& operator[](SetId id) { return entries_[id]; }
    std::int64_t bytes() const { return bytes_; }

  private:
    std::vector<Entry> entries_;
    std::unordered_multimap<std::uint64_t, SetId> by_hash_;
    std::int64_t bytes_ = 0;
};

// One set laid out for a search: per vertex a short list of what is forbidden there.
class ConstraintTable {
  public:
    struct Visit {
        Vertex vertex;
        Time time;
    };

    // `illegal`: paths that no set allows to collide with; may be null.
    explicit ConstraintTable(std::int32_t vertices, const Traffic* illegal = nullptr)
        : first_(vertices, kNone), illegal_(illegal) {}

    // `goal` may be kNowhere; `stays`: the agent remains on its goal.
    void load(std::span<const Constraint> constraints, Vertex goal, bool stays);

    bool bans(Vertex v, Time t) const {
        return (first_[v] != kNone && is_listed(kNowhere, v, t)) || strays(v, t);
    }
    // The step from `move.from` at t to `move.to` at t + 1; a wait has equal ends.
    bool bans(Move move, Time t) const {
        return (first_[move.to] != kNone && is_listed(move.from, move.to, t + 1)) ||
               strays(move.to, t + 1) || (illegal_ && illegal_->conflicts(move, t) > 0);
    }

    // Nothing changes after this time.
    Time last() const { return last_; }
    // The agent may arrive for good only within these times.
    Time earliest_end() const { return earliest_end_; }
    Time latest_end() const { return latest_end_; }
    bool may_stop(Vertex v) const;

    // Where the agent has to be, in order of time.
    std::span<const Visit> visits() const { return visits_; }

  private:
    static constexpr std::int32_t kNone = -1;
    struct Ban {
        Vertex from;  // kNowhere: however it gets there
        Time begin, end;
        std::int32_t next;
    };
    void add_ban(Vertex v, Vertex from, Time begin, Time end);
    bool is_listed(Vertex from, Vertex v, Time t) const {
        for (std::int32_t k = first_[v]; k != kNone; k = bans_[k].next) {
            const Ban& ban = bans_[k];
            if (ban.begin <= t && t <= ban.end && (ban.from == kNowhere || ban.from == from))
                return true;
        }
        return false;
    }
    bool strays(Vertex v, Time t) const { return !visits_.empty() && misses_visit(v, t); }
    bool misses_visit(Vertex v, Time t) const;

    std::vector<std::int32_t> first_;
    std::vector<Ban> bans_;
    std::vector<Vertex> touched_, no_stops_;
    std::vector<Visit> visits_;
    Time last_ = -1, earliest_end_ = 0, latest_end_ = kForever;
    const Traffic* illegal_;
};

}  // namespace sidestep::cbs
