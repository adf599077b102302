// Who takes what, where the shortest way goes first: everybody looks around only as far as it has
// to.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/model/types.hpp"

namespace sidestep {

// A taker and a thing, both by their numbers.
struct Match {
    std::int32_t taker, thing;
    bool operator==(const Match&) const = default;
};

struct Matches {
    std::vector<Match> pairs;
    std::int32_t missed = -1;  // the first taker that there was no time for
};

// The pair with the shortest way first, then the shortest of those left, and so on; of equal ones
// the lower thing, then the lower taker. Takers are at `from`, things at `places`. A thing that is
// `reserved` is only for the takers that `permits` names with it. Whenever the budget runs out,
// somebody has looked around, and those who have not go without.
//
// A taker looks at the nearest places first and at eight times as many whenever all that it found
// is taken, so where there are many things, none looks far. Ways lead from the things to the taker:
// where roads lead both ways, that is the same.
Matches nearest(const Space& space, std::span<const Vertex> from, std::span<const Vertex> places,
                std::span<const std::uint8_t> reserved, std::span<const Match> permits,
                Budget& budget, std::int32_t look_first = 64);

}  // namespace sidestep
