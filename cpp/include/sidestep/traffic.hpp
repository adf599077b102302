// Paths that are planned already, for those who plan now: moves they may not make (the illegal move
// table of Standley 2010) or had better not make (the conflict avoidance table).
//
// Unlike reservations, the paths may collide with each other, and collisions are counted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sidestep/reservations.hpp"
#include "sidestep/space.hpp"

namespace sidestep {

class Traffic {
  public:
    Traffic(const Space& space, const Rules& rules) : space_(space), rules_(rules) {}

    // A path from time 0 on. Its agent stays at the end of it, or is gone after it.
    void add(std::span<const Vertex> path, bool stays);

    // To be called when all paths are there, before anything is asked.
    void settle();

    // How many collisions would somebody have who goes from `move.from` at t to `move.to` at t + 1?
    // Whoever is collided with in two ways counts twice.
    std::int32_t conflicts(Move move, Time t) const;

    // From this time on nobody moves any more.
    Time settled() const { return settled_; }

    // Is anybody on the vertex at the time or later?
    bool comes(Vertex v, Time t) const;

  private:
    struct Path {
        std::vector<Vertex> vertices;
        std::vector<std::int32_t> next;  // the next path that is there at that time, or -1
        bool stays;
    };
    struct Parked {
        std::int32_t path;
        Time since;
    };

    static std::uint64_t key(Vertex v, Time t) {
        return static_cast<std::uint64_t>(static_cast<std::uint32_t>(t)) << 32 |
               static_cast<std::uint32_t>(v);
    }
    Vertex at(std::int32_t path, Time t) const {
        const Path& p = paths_[path];
        if (t < static_cast<Time>(p.vertices.size())) return p.vertices[t];
        return p.stays ? p.vertices.back() : kNowhere;
    }

    // Calls visit(path) for every agent that is on v at t.
    template <class Visit>
    void each_on(Vertex v, Time t, Visit&& visit) const {
        const std::uint64_t* row =
            bits_.data() + static_cast<std::size_t>(std::min(t, settled_)) * words_;
        if ((row[v >> 6] >> (v & 63) & 1) == 0) return;  // as almost always
        if (const auto found = first_.find(key(v, t)); found != first_.end())
            for (std::int32_t p = found->second; p >= 0; p = paths_[p].next[t]) visit(p);
        if (const auto found = parked_.find(v); found != parked_.end())
            for (const Parked& parked : found->second)
                if (parked.since <= t) visit(parked.path);
    }
    std::int32_t following(Move move, Time t) const;

    const Space& space_;
    Rules rules_;
    std::vector<Path> paths_;
    std::unordered_map<std::uint64_t, std::int32_t> first_;  // by vertex and time
    std::unordered_map<Vertex, std::vector<Parked>> parked_;
    std::unordered_map<Vertex, Time> last_visit_;
    Time settled_ = 0;
    std::size_t words_ = 0;
    std::vector<std::uint64_t> bits_;  // per time up to settled_, per vertex: is anybody there?
};

}  // namespace sidestep
