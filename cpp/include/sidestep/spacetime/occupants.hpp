// Who is where when, of paths that come and go: agents are put in and taken out one at a time, and
// nothing else is rebuilt.
//
// Paths may collide with each other. A bit per vertex and step answers the usual question, whether
// anybody is there; who they are is a list, threaded through an entry per agent and step. On large
// maps vertices share lists, so that a step takes little more than its bits. Agents that stay at
// the end of their paths are listed once per vertex.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/model/collision.hpp"
#include "sidestep/model/large_pages.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

class Occupants {
  public:
    Occupants(const Space& space, const Rules& rules, std::int32_t agents);
    Occupants(const Occupants&) = delete;
    Occupants& operator=(const Occupants&) = delete;

    // Room for paths that end at `last`, which takes time on large maps: made before they are put
    // in. False: the budget ended.
    bool make_room(Time last, Budget& budget);

    // A path from time 0 on, which must stay where it is in memory until it is taken out. Its agent
    // stays at the end of it, or is gone after it. Nobody is put in twice.
    void put(AgentId agent, std::span<const Vertex> path, bool stays);
    void take(AgentId agent);
    // From this time on nobody moves.
    Time steps() const { return last_; }
    bool is_in(AgentId agent) const { return !paths_[agent].vertices.empty(); }

    bool taken(Vertex v, Time t) const {
        const std::uint64_t* row =
            bits_.data() + static_cast<std::size_t>(t < last_ ? t : last_) * words_;
        return row[v >> 6] >> (v & 63) & 1;
    }

    // How many collisions would `self` have that goes from `move.from` at t to `move.to` at t + 1?
    // One that is collided with in two ways counts twice.
    std::int32_t collisions(Move move, Time t, AgentId self) const {
        const bool moves = move.from != move.to;
        if (!taken(move.to, t + 1) && (!moves || !taken(move.to, t)) && !careful_) return 0;
        return count(move, t, self);
    }
    // The same for one that has arrived on v at t: with those who come there later, or, if it
    // disappears, with those who follow it where that is forbidden.
    std::int32_t collisions_after(Vertex v, Time t, AgentId self, bool stays) const;

    // Calls visit(agent) for everybody with whom `self` would collide on this path; for some more
    // than once.
    template <class Visit>
    void each_collision(AgentId self, std::span<const Vertex> path, bool stays,
                        Visit&& visit) const;

    std::int64_t bytes() const {
        return static_cast<std::int64_t>(bits_.size() * sizeof(bits_[0]) +
                                         (first_.size() + next_.size()) * sizeof(AgentId));
    }

  private:
    struct Path {
        std::span<const Vertex> vertices;
        bool stays = true;
        Time end() const { return static_cast<Time>(vertices.size()) - 1; }
    };
    template <class Steps>
    friend struct OthersInStep;

    template <class Wanted>
    bool any(AgentId self, Vertex v, Time t, Wanted&& wanted) const {
        if (!taken(v, t)) return false;
        for (AgentId a = parked_[v]; a != kNobody; a = next_parked_[a])
            if (a != self && paths_[a].end() <= t && wanted(OtherAgent{a, v})) return true;
        if (t >= last_) return false;
        for (AgentId a = first_[at(v, t)]; a != kNobody; a = next_[entry(a, t)])
            if (a != self && is_on(a, v, t) && wanted(OtherAgent{a, after(a, t)})) return true;
        return false;
    }
    // Is an agent of the list of v and t on v, and not on a vertex that shares the list?
    bool is_on(AgentId a, Vertex v, Time t) const {
        return shift_ == 0 || paths_[a].vertices[t] == v;
    }
    Vertex after(AgentId a, Time t) const {
        const Path& path = paths_[a];
        if (t < path.end()) return path.vertices[t + 1];
        return path.stays ? path.vertices.back() : kNowhere;
    }
    std::size_t at(Vertex v, Time t) const {
        return static_cast<std::size_t>(t) * lists_ + (static_cast<std::size_t>(v) >> shift_);
    }
    std::size_t entry(AgentId a, Time t) const {
        return static_cast<std::size_t>(t) * paths_.size() + static_cast<std::size_t>(a);
    }
    std::uint64_t& word(Vertex v, Time t) {
        return bits_[static_cast<std::size_t>(t) * words_ + static_cast<std::size_t>(v >> 6)];
    }
    bool is_parked(Vertex v, Time t) const;
    void clear_if_empty(Vertex v, Time t);
    bool is_passed(Vertex v, Time t) const;
    void add_step();
    std::int32_t count(Move move, Time t, AgentId self) const;

    const Space& space_;
    const Rules rules_;
    const std::size_t words_;
    const int shift_;          // vertices with the same number but for these bits share lists
    const std::size_t lists_;  // of a step
    const bool careful_;       // rules under which agents may collide without meeting
    Time last_ = 0;            // from here on nobody moves
    std::vector<Path> paths_;
    LargeVector<std::uint64_t> bits_;  // rows 0 to last_; the last one holds for ever
    // Those who are on their way, by vertex and step, then by agent and step.
    LargeVector<AgentId> first_, next_;
    std::vector<AgentId> parked_, next_parked_;  // by vertex, by agent
};

template <class Visit>
void Occupants::each_collision(AgentId self, std::span<const Vertex> path, bool stays,
                               Visit&& visit) const {
    const auto end = static_cast<Time>(path.size()) - 1;
    const auto told = [&](CollisionKind, const OtherAgent& other) {
        visit(other.agent);
        return false;  // go on to the next
    };
    for (Time t = 0; t < end; ++t)
        any_collision(space_, rules_, Move{path[t], path[t + 1]}, OthersInStep{*this, self, t},
                      told);
    const auto met = [&](const OtherAgent& other) {
        visit(other.agent);
        return false;
    };
    if (stays)
        for (Time t = end + 1; t <= last_; ++t) any(self, path[end], t, met);
    else if (!rules_.following)
        any(self, path[end], end + 1, met);
}

}  // namespace sidestep
