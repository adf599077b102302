// Cut vertices against removing every vertex in turn.
#include "sidestep/combinatorial/cuts.hpp"

#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/model/space.hpp"

using namespace sidestep;

namespace {

// Can one spot be reached from another without passing a third?
bool connected(const Roads& roads, Spot from, Spot to, Spot without) {
    std::vector<std::uint8_t> seen(static_cast<std::size_t>(roads.size()), 0);
    std::vector<Spot> queue{from};
    seen[from] = 1;
    for (std::size_t k = 0; k < queue.size(); ++k)
        for (const Spot next : roads.next(queue[k]))
            if (next != without && !seen[next]) {
                seen[next] = 1;
                queue.push_back(next);
            }
    return seen[to];
}

}  // namespace

TEST("a spot separates two others if there is no way without it") {
    plain::Random random(3);
    for (int trial = 0; trial < 150; ++trial) {
        const int width = random.between(1, 5), height = random.between(1, 5);
        std::vector<std::uint8_t> open(static_cast<std::size_t>(width * height));
        for (auto& cell : open) cell = random.chance(65);
        const Space space = Space::grid(open, width, 4, Corners::none);
        const Roads roads(space);
        Cuts cuts(roads, false);
        Budget budget;
        REQUIRE(cuts.find(budget));
        for (Spot s = 0; s < roads.size(); ++s)
            for (Spot a = 0; a < roads.size(); ++a)
                for (Spot b = 0; b < roads.size(); ++b) {
                    if (a == s || b == s || !connected(roads, a, b, kNowhere)) continue;
                    const bool parted = !connected(roads, a, b, s);
                    CHECK_EQ(cuts.separates(s, a, b), parted);
                    if (parted) CHECK(cuts.is_cut(s));
                }
    }
}
