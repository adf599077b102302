// The shortest ways from some vertices to everywhere, or from everywhere to them.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sidestep/budget.hpp"
#include "sidestep/search/length.hpp"
#include "sidestep/search/queues.hpp"
#include "sidestep/space.hpp"

namespace sidestep::search {

enum class Heading : bool { away, home };

// `lengths` has an entry per vertex, kFar where there is no way. False: the budget ran out.
template <class Map>
bool flood(const Map& map, std::span<const Vertex> sources, Heading heading, Budget& budget,
           BucketQueue& queue, std::span<Length> lengths) {
    std::fill(lengths.begin(), lengths.end(), kFar);
    queue.clear(0, map.bucket_shift());
    const auto reach = [&](Vertex v, Length length) {
        if (length >= lengths[v]) return;
        lengths[v] = length;
        queue.push(v, length, length);
    };
    for (const Vertex source : sources) reach(source, 0);
    Open next;
    while (queue.pop(next)) {
        const Length here = lengths[next.arrival];
        if (!next.is_still(here)) continue;
        if (!budget.tick()) return false;
        const auto onwards = [&](Vertex u, Length length, int) { reach(u, here + length); };
        if (heading == Heading::away)
            map.successors(next.arrival, onwards);
        else
            map.predecessors(next.arrival, onwards);
    }
    return true;
}

}  // namespace sidestep::search
