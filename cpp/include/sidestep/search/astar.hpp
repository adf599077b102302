// A* that can be stopped, resumed, sent to another goal, and taken along by a unit that walks.
//
// A vertex is expanded again when a shorter way to it turns up, so estimates need only be
// admissible, and the queue need not be in perfect order: what counts is that nothing is left
// that could lead to a shorter way. There are no parents: the lengths of the ways determine a path
// backwards.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/search/ground.hpp"
#include "sidestep/search/queues.hpp"

namespace sidestep::search {

// Nodes that a search asks its budget for at once: counting one by one would take as long.
inline constexpr std::int64_t kNodesAtOnce = 64;

enum class Ending : std::uint8_t { found, no_path, out_of_budget, far_enough };

// The way that was found from a start to v is appended to `out`; returns its length. Of several
// predecessors the one straight behind is taken, if it is one: paths turn as late as they can.
// Before a search is done, a vertex may not have heard yet that the way to its predecessor is
// shorter.
template <class Map, class Known>
Length way_back(const Map& map, const Known& ground, Vertex start, Vertex v,
                std::vector<Vertex>& out) {
    const auto begin = static_cast<std::ptrdiff_t>(out.size());
    out.push_back(v);
    std::int32_t stride = 0;
    Length sum = 0;
    while (v != start) {
        const Length here = ground.at(v);
        Vertex before = kNowhere;
        Length step = 0;
        map.predecessors(v, [&](Vertex u, Length length, int) {
            if (!ground.seen(u) || ground.at(u) + length > here) return;
            if (before != kNowhere && v - u != stride) return;
            before = u;
            step = length;
        });
        stride = v - before;
        sum += step;
        v = before;
        out.push_back(v);
    }
    std::reverse(out.begin() + begin, out.end());
    return sum;
}

template <class Map, class Queue = BucketQueue, class Known = Ground>
class AStar {
  public:
    explicit AStar(const Map& map) : map_(&map), ground_(map.size()) {}

    // Another map of the same size, or the same one after a change: from the next beginning on.
    void on(const Map& map) { map_ = &map; }

    template <class Guess>
    void begin(Vertex start, Vertex goal, const Guess& guess) {
        ground_.forget();
        parked_.clear();
        start_ = start;
        goal_ = goal;
        ground_.lower(start, 0);
        const Length f = guess.around(start).here();
        queue_.clear(std::min(f, kFar), map_->bucket_shift());
        shortest_ = start == goal ? 0 : kFar;
        put(Map::arrival(start, -1), 0, f);
    }

    // The same start with another goal: what is known of the ways from the start stays true.
    template <class Guess>
    void retarget(Vertex goal, const Guess& guess) {
        std::vector<Open> open;
        std::swap(open, parked_);
        queue_.each([&](const Open& entry) { open.push_back(entry); });
        goal_ = goal;
        shortest_ = ground_.at(goal);
        queue_.clear(guess.around(start_).here(), map_->bucket_shift());
        for (const Open& entry : open) {
            const Vertex v = Map::vertex_of(entry.arrival);
            const Length g = ground_.at(v);
            if (entry.is_still(g)) put(entry.arrival, g, g + guess.around(v).here());
        }
    }

    // Another start, which a way has been found to: what is known of ways through it stays true,
    // all else is forgotten. What is left of the tree is searched on from its rim (after
    // Fringe-Retrieving A*, Sun, Yeoh and Koenig 2009). False: the budget ran out, and nothing has
    // changed.
    template <class Guess>
    bool walk_to(Vertex start, const Guess& guess, Budget& budget) {
        Known kept(map_->size());
        std::vector<Vertex> rim;
        if (!keep_beyond(start, kept, rim, budget)) return false;
        const auto keep_open = [&](const Open& entry) {
            const Vertex v = Map::vertex_of(entry.arrival);
            if (entry.is_still(ground_.at(v)) && kept.seen(v)) rim.push_back(v);
        };
        queue_.each(keep_open);
        std::for_each(parked_.begin(), parked_.end(), keep_open);
        std::sort(rim.begin(), rim.end());
        rim.erase(std::unique(rim.begin(), rim.end()), rim.end());
        ground_ = std::move(kept);
        parked_.clear();
        start_ = start;
        shortest_ = ground_.at(goal_);
        queue_.clear(std::min(guess.around(start).here(), kFar), map_->bucket_shift());
        for (const Vertex v : rim) {
            const Length g = ground_.at(v);
            put(Map::arrival(v, -1), g, g + guess.around(v).here());
        }
        return true;
    }

    // Stops before the first vertex that is `reach` away from the start.
    template <class Guess>
    Ending run(const Guess& guess, Budget& budget, Length reach = kFar) {
        std::int64_t granted = 0;  // nodes that may be expanded before the budget is asked again
        Ending ending = Ending::found;
        Open next;
        while (queue_.lowest() < shortest_ && queue_.pop(next)) {
            const Vertex v = Map::vertex_of(next.arrival);
            const Length g = ground_.at(v);
            if (!next.is_still(g)) continue;
            const auto around = guess.around(v);
            if (shortest_ < kFar && g + around.here() >= shortest_) {
                parked_.push_back(next);
                continue;
            }
            const bool is_far = g >= reach;
            if (is_far || (granted == 0 && (granted = budget.advance(kNodesAtOnce)) == 0)) {
                queue_.push(next.arrival, g, g + around.here());
                ending = is_far ? Ending::far_enough : Ending::out_of_budget;
                break;
            }
            --granted;
            expand(next.arrival, g, around);
        }
        budget.give_back(granted);
        return ending != Ending::found || shortest_ < kFar ? ending : Ending::no_path;
    }

    Length shortest() const { return shortest_; }
    Length known(Vertex v) const { return ground_.at(v); }

    // The open vertex of lowest f, of several the nearest to the goal: the start if there is none.
    template <class Guess>
    Vertex most_promising(const Guess& guess) const {
        Vertex best = start_;
        std::pair<Length, Length> least{kFar, kFar};
        queue_.each([&](const Open& entry) {
            const Vertex v = Map::vertex_of(entry.arrival);
            const Length g = ground_.at(v), h = guess.around(v).here();
            if (!entry.is_still(g) || h >= kFar) return;
            const std::pair rank{g + h, h};
            if (rank < least || (rank == least && v < best)) {
                least = rank;
                best = v;
            }
        });
        return best;
    }

    // From the start to a vertex that has been found; returns the length.
    Length path(Vertex v, std::vector<Vertex>& out) const {
        return way_back(*map_, ground_, start_, v, out);
    }

    std::size_t bytes() const { return ground_.bytes(); }

  private:
    // All vertices whose known way leads through `start`, with its length from there, and those of
    // them that are beside others.
    bool keep_beyond(Vertex start, Known& kept, std::vector<Vertex>& rim, Budget& budget) const {
        const Length before = ground_.at(start);
        std::vector<Vertex> beyond{start};
        kept.lower(start, 0);
        for (std::size_t i = 0; i < beyond.size(); ++i) {
            if (!budget.tick()) return false;
            const Length here = ground_.at(beyond[i]);
            map_->successors(beyond[i], [&](Vertex u, Length length, int) {
                const bool leads_on = ground_.at(u) == here + length;
                if (leads_on && kept.lower(u, here + length - before)) beyond.push_back(u);
            });
        }
        for (const Vertex v : beyond) {
            bool is_rim = false;
            map_->successors(v, [&](Vertex u, Length, int) { is_rim |= !kept.seen(u); });
            if (is_rim) rim.push_back(v);
        }
        return budget.look();
    }

    template <class Around>
    void expand(Arrival arrival, Length g, const Around& around) {
        map_->onwards(arrival, [&](Vertex u, Length length, int direction) {
            const Length there = g + length;
            if (!ground_.lower(u, there)) return;
            if (u == goal_) shortest_ = there;
            put(Map::arrival(u, direction), there, there + around(u, direction));
        });
    }

    // What cannot lead to a shorter way to this goal may still lead to the next one.
    void put(Arrival arrival, Length g, Length f) {
        if (f < shortest_)
            queue_.push(arrival, g, f);
        else
            parked_.push_back({arrival, static_cast<std::uint32_t>(g)});
    }

    const Map* map_;
    Known ground_;
    Queue queue_;
    std::vector<Open> parked_;
    Vertex start_ = kNowhere, goal_ = kNowhere;
    Length shortest_ = kFar;
};

}  // namespace sidestep::search
