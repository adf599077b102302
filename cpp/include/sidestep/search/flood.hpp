// The shortest ways from some vertices to everywhere, or from everywhere to them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/search/length.hpp"
#include "sidestep/search/queues.hpp"

namespace sidestep::search {

enum class Heading : bool { away, home };

// A flood that can be stopped and resumed: what it has found so far, and its queue. `lengths`
// has an entry per vertex, kFar where there is no way.
struct Flood {
    std::vector<Length> lengths;
    BucketQueue queue;

    template <class Map>
    void begin(const Map& map, std::span<const Vertex> sources) {
        lengths.assign(static_cast<std::size_t>(map.size()), kFar);
        queue.clear(0, map.bucket_shift());
        for (const Vertex source : sources) reach(source, 0);
    }

    // False: the budget ran out.
    template <class Map>
    bool run(const Map& map, Heading heading, Budget& budget) {
        Open next;
        while (queue.pop(next)) {
            const Length here = lengths[next.arrival];
            if (!next.is_still(here)) continue;
            if (!budget.tick()) {
                queue.push(next.arrival, here, here);
                return false;
            }
            const auto onwards = [&](Vertex u, Length length, int) { reach(u, here + length); };
            if (heading == Heading::away)
                map.successors(next.arrival, onwards);
            else
                map.predecessors(next.arrival, onwards);
        }
        return true;
    }

  private:
    void reach(Vertex v, Length length) {
        if (length >= lengths[v]) return;
        lengths[v] = length;
        queue.push(v, length, length);
    }
};

}  // namespace sidestep::search
