// The searches that a textbook has before A*: depth first, breadth first, greedy ("local optimal":
// only the best successor is kept, so it may fail) and best first (by the estimate alone).
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/search/astar.hpp"
#include "sidestep/search/estimate.hpp"

namespace sidestep::search {

enum class Way : std::uint8_t { depth_first, breadth_first, greedy, best_first };

// The length of a path along edges of the map.
template <class Map>
Length length_of(const Map& map, const std::vector<Vertex>& path) {
    Length sum = 0;
    for (std::size_t i = 1; i < path.size(); ++i) {
        Length step = kFar;
        map.successors(path[i - 1], [&](Vertex u, Length length, int) {
            if (u == path[i]) step = std::min(step, length);
        });
        sum += step;
    }
    return sum;
}

template <class Map, class Guess>
class Walk {
  public:
    Walk(const Map& map, Way way, const Guess& guess)
        : map_(map), way_(way), guess_(guess), parent_(map.size(), kUnseen) {}

    Ending run(Vertex start, Vertex goal, Budget& budget) {
        see(start, start);
        for (Vertex v; take(v);) {
            if (!budget.spend()) return Ending::out_of_budget;
            visited_.push_back(v);
            if (v == goal) return Ending::found;
            expand(v);
        }
        return Ending::no_path;
    }

    // The vertices in the order in which they were visited.
    const std::vector<Vertex>& visited() const { return visited_; }

    std::vector<Vertex> path(Vertex goal) const {
        std::vector<Vertex> path{goal};
        while (parent_[path.back()] != path.back()) path.push_back(parent_[path.back()]);
        std::reverse(path.begin(), path.end());
        return path;
    }

  private:
    static constexpr Vertex kUnseen = -1;
    struct Found {
        Length estimate;
        std::uint64_t number;  // of equal ones the first found comes first
        Vertex vertex, from;
        bool operator<(const Found& other) const {
            return estimate != other.estimate ? estimate > other.estimate : number > other.number;
        }
    };

    void see(Vertex v, Vertex from) {
        const Length estimate = way_ == Way::best_first ? guess_.at(v) : 0;
        if (estimate >= kFar) return;  // no way to the goal, or none that must pass here
        open_.push_back({estimate, ++found_, v, from});
        if (way_ == Way::best_first) std::push_heap(open_.begin(), open_.end());
        if (way_ != Way::depth_first) parent_[v] = from;
    }

    // Depth first, a vertex belongs to the one that comes to it last: it is seen when it is taken.
    bool take(Vertex& v) {
        while (!open_.empty()) {
            const Found next = way_ == Way::best_first    ? least()
                               : way_ == Way::depth_first ? open_.back()
                                                          : open_.front();
            if (way_ == Way::breadth_first || way_ == Way::greedy)
                open_.pop_front();
            else
                open_.pop_back();
            if (way_ == Way::depth_first && parent_[next.vertex] != kUnseen) continue;
            parent_[next.vertex] = next.from;
            v = next.vertex;
            return true;
        }
        return false;
    }
    Found least() {
        std::pop_heap(open_.begin(), open_.end());
        return open_.back();
    }

    void expand(Vertex v) {
        std::vector<Vertex> next;
        map_.successors(v, [&](Vertex u, Length, int) {
            if (parent_[u] == kUnseen) next.push_back(u);
        });
        if (way_ == Way::depth_first) std::reverse(next.begin(), next.end());
        if (way_ == Way::greedy) keep_best(v, next);
        for (const Vertex u : next) see(u, v);
    }

    // Nothing but a successor that is nearer to the goal.
    void keep_best(Vertex v, std::vector<Vertex>& next) const {
        const auto nearer = [&](Vertex a, Vertex b) { return guess_.at(a) < guess_.at(b); };
        const auto best = std::min_element(next.begin(), next.end(), nearer);
        if (best == next.end() || !nearer(*best, v))
            next.clear();
        else
            next = {*best};
    }

    const Map& map_;
    Way way_;
    const Guess& guess_;
    std::vector<Vertex> parent_, visited_;
    std::deque<Found> open_;
    std::uint64_t found_ = 0;
};

}  // namespace sidestep::search
