// A* with something added to the estimate of every vertex: places to keep away from. Such estimates
// are not admissible, so ways have parents, and a vertex is expanded once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/search/astar.hpp"
#include "sidestep/search/length.hpp"
#include "sidestep/search/open_heap.hpp"

namespace sidestep::search {

// A bias is counted in this fraction of a length; negative: nobody may go there.
inline constexpr std::int64_t kBiasUnit = 1024;

template <class Map, class Guess>
class BiasedSearch {
  public:
    BiasedSearch(const Map& map, const Guess& guess, std::span<const std::int64_t> bias)
        : map_(map), guess_(guess), bias_(bias), seen_(static_cast<std::size_t>(map.size())) {}

    Ending run(Vertex start, Vertex goal, Budget& budget) {
        put(start, 0, kNowhere);
        while (!open_.empty()) {
            if (!budget.spend()) return Ending::out_of_budget;
            const Vertex v = close_first(open_, seen_, later);
            if (v == kNowhere) continue;
            last_ = v;
            if (v == goal) return Ending::found;
            map_.successors(v, [&](Vertex u, Length length, int) {
                if (!seen_[u].closed) put(u, seen_[v].g + length, v);
            });
        }
        return Ending::no_path;
    }

    // To the vertex that was expanded last, which is the goal if it was found; returns its length.
    Length path(std::vector<Vertex>& out) const {
        const auto begin = static_cast<std::ptrdiff_t>(out.size());
        for (Vertex v = last_; v != kNowhere; v = seen_[v].parent) out.push_back(v);
        std::reverse(out.begin() + begin, out.end());
        return seen_[last_].g;
    }

  private:
    struct Open {
        std::int64_t rank;
        Length g;
        Vertex vertex;
    };
    struct Seen {
        Length g = kFar;
        Vertex parent = kNowhere;
        bool closed = false;
    };
    static bool later(const Open& a, const Open& b) {
        return a.rank != b.rank ? a.rank > b.rank : a.g != b.g ? a.g < b.g : a.vertex > b.vertex;
    }

    void put(Vertex v, Length g, Vertex parent) {
        const Length way = guess_.at(v);
        if (g >= seen_[v].g || way >= kFar || bias_[v] < 0) return;
        seen_[v] = {g, parent, false};
        open_.push_back({static_cast<std::int64_t>(g + way) * kBiasUnit + bias_[v], g, v});
        std::push_heap(open_.begin(), open_.end(), later);
    }

    const Map& map_;
    const Guess& guess_;
    std::span<const std::int64_t> bias_;
    std::vector<Seen> seen_;
    std::vector<Open> open_;
    Vertex last_ = kNowhere;
};

}  // namespace sidestep::search
