// Disjoint pairs, and odd rings, of the greatest weight.
//
// A fractional matching gives every edge a share from 0 to 1, at most 1 in sum at each vertex. One
// of the greatest weight consists of whole edges and of odd rings whose edges have a half each
// (Balinski 1965); it is found as an assignment of every vertex to another one.
#pragma once

#include <cstdint>
#include <vector>

namespace sidestep {

struct WeightedPair {
    std::int32_t first, second;
    std::int32_t weight;  // 0 or more
};

struct Pairing {
    std::vector<WeightedPair> pairs;               // disjoint
    std::vector<std::vector<std::int32_t>> rings;  // disjoint from those and from each other, of
                                                   // odd length, each vertex beside the next
};

// Of the greatest weight, where a ring has half of the weight of its edges; of parts of more than
// `most` vertices a pairing that takes heavy pairs first.
Pairing best_pairing(std::int32_t vertices, std::vector<WeightedPair> pairs,
                     std::int32_t most = 256);

}  // namespace sidestep
