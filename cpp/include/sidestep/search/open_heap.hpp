// A binary heap of open vertices in which a vertex may stand several times: only the first counts.
#pragma once

#include <algorithm>
#include <vector>

#include "sidestep/model/types.hpp"

namespace sidestep {

// Takes the first entry out of the heap and closes its vertex; kNowhere if it was closed already.
// `later` compares entries, which have a vertex; `seen` knows by vertex whether it is `closed`.
template <class Entry, class Seen, class Later>
Vertex close_first(std::vector<Entry>& heap, std::vector<Seen>& seen, Later&& later) {
    std::pop_heap(heap.begin(), heap.end(), later);
    const Vertex v = heap.back().vertex;
    heap.pop_back();
    if (seen[v].closed) return kNowhere;
    seen[v].closed = true;
    return v;
}

}  // namespace sidestep
