// What a way costs in single-agent search: a whole number, so that sums are exact everywhere.
//
// On octile grids a straight step is 470,832 and a diagonal one 665,857, whose quotient is so near
// to the square root of two that two ways compare as their real lengths do, unless one has 470,832
// diagonal steps more than the other. The number of straight and of diagonal steps can be read off
// a length: the square of 665,857 leaves 1 when divided by 470,832.
#pragma once

#include <cstdint>

#include "sidestep/model/types.hpp"

namespace sidestep::search {

using Length = std::uint64_t;
inline constexpr int kLengthBits = 48;
inline constexpr Length kFar = (Length{1} << kLengthBits) - 1;  // no way at all

// A vertex, and how a search came to it where that matters; what is in it is the map's business.
using Arrival = std::int32_t;

// For maps on which it does not matter where one came from: an arrival is the vertex.
template <class Map>
struct ByVertex {
    static Arrival arrival(Vertex v, int) { return v; }
    static Vertex vertex_of(Arrival arrival) { return arrival; }
    template <class Visit>
    void onwards(Arrival arrival, Visit&& visit) const {
        static_cast<const Map&>(*this).successors(arrival, visit);
    }
};

struct Scale {
    Length straight, diagonal;
    // Buckets of queues are 2**this wide: about a fourteenth of a step, or one.
    constexpr int bucket_shift() const { return straight == 1 ? 0 : 15; }
    bool operator==(const Scale&) const = default;
};
inline constexpr Scale kUnitSteps{1, 1};
inline constexpr Scale kOctileSteps{470'832, 665'857};

}  // namespace sidestep::search
