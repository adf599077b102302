// A* that can be stopped, resumed, and sent to another goal.
//
// A vertex is expanded again when a shorter way to it turns up, so estimates need only be
// admissible, and the open list need not be in perfect order: what counts is that nothing is left
// that could lead to a shorter way. There are no parents: the lengths of the ways determine a path
// backwards.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sidestep/budget.hpp"
#include "sidestep/search/ground.hpp"
#include "sidestep/search/queues.hpp"

namespace sidestep::search {

enum class Ending : std::uint8_t { found, no_path, out_of_budget, far_enough };

template <class Map, class Queue = BucketQueue>
class AStar {
  public:
    explicit AStar(const Map& map) : map_(map), ground_(map.size()) {}

    template <class Guess>
    void begin(Vertex start, Vertex goal, const Guess& guess) {
        ground_.forget();
        parked_.clear();
        start_ = start;
        goal_ = goal;
        ground_.lower(start, 0);
        const Length f = guess.around(start).here();
        queue_.clear(std::min(f, kFar), map_.bucket_shift());
        shortest_ = start == goal ? 0 : kFar;
        put(start, 0, f);
    }

    // The same start with another goal: what is known of the ways from the start stays true.
    template <class Guess>
    void retarget(Vertex goal, const Guess& guess) {
        std::vector<Open> open;
        std::swap(open, parked_);
        queue_.each([&](const Open& entry) { open.push_back(entry); });
        goal_ = goal;
        shortest_ = ground_.at(goal);
        queue_.clear(guess.around(start_).here(), map_.bucket_shift());
        for (const Open& entry : open) {
            const Length g = ground_.at(entry.vertex);
            if (entry.is_still(g)) put(entry.vertex, g, g + guess.around(entry.vertex).here());
        }
    }

    // Stops before the first vertex that is `reach` away from the start.
    template <class Guess>
    Ending run(const Guess& guess, Budget& budget, Length reach = kFar) {
        Open next;
        while (queue_.lowest() < shortest_ && queue_.pop(next)) {
            const Length g = ground_.at(next.vertex);
            if (!next.is_still(g)) continue;
            const auto around = guess.around(next.vertex);
            const Length f = g + around.here();
            if (f >= shortest_) {
                parked_.push_back(next);
                continue;
            }
            if (g >= reach || !budget.spend()) {
                queue_.push(next.vertex, g, f);
                return g >= reach ? Ending::far_enough : Ending::out_of_budget;
            }
            expand(next.vertex, g, around);
        }
        return shortest_ < kFar ? Ending::found : Ending::no_path;
    }

    Length shortest() const { return shortest_; }
    Length known(Vertex v) const { return ground_.at(v); }

    // The open vertex of lowest f, of several the nearest to the goal: the start if there is none.
    template <class Guess>
    Vertex most_promising(const Guess& guess) const {
        Vertex best = start_;
        std::pair<Length, Length> least{kFar, kFar};
        queue_.each([&](const Open& entry) {
            const Length g = ground_.at(entry.vertex), h = guess.around(entry.vertex).here();
            if (!entry.is_still(g) || h >= kFar) return;
            const std::pair rank{g + h, h};
            if (rank < least || (rank == least && entry.vertex < best)) {
                least = rank;
                best = entry.vertex;
            }
        });
        return best;
    }

    // From the start to a vertex that has been found. Of several predecessors the one straight
    // behind is taken, if it is one: paths turn as late as they can.
    void path(Vertex v, std::vector<Vertex>& out) const {
        const auto begin = static_cast<std::ptrdiff_t>(out.size());
        out.push_back(v);
        std::int32_t stride = 0;
        for (Length left = ground_.at(v); v != start_; out.push_back(v)) {
            Vertex before = kNowhere;
            map_.predecessors(v, [&](Vertex u, Length length, int) {
                if (!ground_.seen(u) || ground_.at(u) + length > left) return;
                if (before == kNowhere || v - u == stride) before = u;
            });
            stride = v - before;
            v = before;
            left = ground_.at(v);
        }
        std::reverse(out.begin() + begin, out.end());
    }

    std::size_t bytes() const { return ground_.bytes(); }

  private:
    template <class Around>
    void expand(Vertex v, Length g, const Around& around) {
        map_.successors(v, [&](Vertex u, Length length, int direction) {
            const Length there = g + length;
            if (!ground_.lower(u, there)) return;
            if (u == goal_) shortest_ = there;
            put(u, there, there + around(u, direction));
        });
    }

    // What cannot lead to a shorter way to this goal may still lead to the next one.
    void put(Vertex v, Length g, Length f) {
        if (f < shortest_)
            queue_.push(v, g, f);
        else
            parked_.push_back({v, static_cast<std::uint32_t>(g)});
    }

    const Map& map_;
    Ground ground_;
    Queue queue_;
    std::vector<Open> parked_;
    Vertex start_ = kNowhere, goal_ = kNowhere;
    Length shortest_ = kFar;
};

}  // namespace sidestep::search
