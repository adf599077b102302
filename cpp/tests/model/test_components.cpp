// Components: what is one, and that a search for them can be ended and goes on.
#include "sidestep/model/components.hpp"

#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Labels = std::vector<std::int32_t>;

Labels labels_of(const Space& space) {
    Components components(space);
    Budget unlimited;
    CHECK(components.find(unlimited));
    return {components.labels().begin(), components.labels().end()};
}

}  // namespace

TEST("components: numbered by their lowest vertex, -1 for walls") {
    CHECK_EQ(labels_of(drawn("..#.\n##..").compiled()), (Labels{0, 0, -1, 1, -1, -1, 1, 1}));
    const auto corner = drawn(".#\n#.", 8);
    CHECK_EQ(labels_of(corner.compiled()), (Labels{0, -1, -1, 1}));
    auto cutting = corner;
    cutting.corners = Corners::free;
    CHECK_EQ(labels_of(cutting.compiled()), (Labels{0, -1, -1, 0}));
}

TEST("a directed space has no components") {
    const std::vector<Move> edges{{0, 1}, {1, 2}, {2, 0}};
    const Space space = Space::graph(3, edges, true, {});
    CHECK_THROWS(Components{space}, std::logic_error);
}

TEST("components: trees, rings and neither") {
    const Space space = drawn("...#...#..\n####.#.#..\n.......###").compiled();
    Components components(space);
    Budget unlimited;
    REQUIRE(components.find(unlimited));
    REQUIRE(components.all().size() == 3);
    CHECK(components.of(0).is_tree());
    CHECK(!components.of(0).is_ring);
    CHECK_EQ(components.of(0).vertices, 3);
    CHECK(!components.of(4).is_tree());
    CHECK(!components.of(4).is_ring);  // it has a tail
    CHECK(components.of(8).is_ring);
    CHECK_EQ(components.of(8).first, 8);
}

TEST("a search for components that was ended goes on where it was") {
    plain::Ground ground = drawn("..");
    ground.open.assign(300 * 300, 1);
    ground.width = 300;
    for (std::size_t v = 0; v < ground.open.size(); v += 7) ground.open[v] = 0;
    const Space space = ground.compiled();
    Components components(space);
    int rounds = 0;
    for (bool found = false; !found && rounds < 1000; ++rounds) {
        Budget over(0.0, {}, {});  // until it looks at its clock for the first time
        found = components.find(over);
    }
    CHECK(rounds > 2);
    CHECK(rounds < 1000);
    const auto labels = components.labels();
    CHECK_EQ(Labels(labels.begin(), labels.end()), labels_of(space));
}
