// Single-agent search against Bellman and Ford's plain relaxation, on random grids of all kinds.
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <vector>

#include "check.hpp"
#include "sidestep/model/random.hpp"
#include "sidestep/search/finder.hpp"
#include "sidestep/search/landmarks.hpp"
#include "sidestep/search/regions.hpp"

using namespace sidestep;
using namespace sidestep::search;

namespace {

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(mix(seed)) {}
    std::uint64_t below(std::uint64_t limit) { return mix(++state_) % limit; }

  private:
    std::uint64_t state_;
};

struct RandomMap {
    std::int32_t width = 0;
    std::vector<std::uint8_t> passable;

    RandomMap(std::int32_t height, std::int32_t across, int blocked_percent, std::uint64_t seed)
        : width(across), passable(static_cast<std::size_t>(height * across)) {
        Random random(seed);
        for (auto& cell : passable)
            cell = random.below(100) >= static_cast<std::uint64_t>(blocked_percent);
    }
    Vertex any(Random& random) const {
        for (;;) {
            const auto v = static_cast<Vertex>(random.below(passable.size()));
            if (passable[v]) return v;
        }
    }
    Terrain terrain(int connectivity, Corners corners, Scale scale) const {
        return {passable, width, connectivity, corners, scale, {}, 0};
    }
};

// Relaxes all edges until nothing changes.
std::vector<Length> plain(const Map& map, std::int32_t size, Vertex start) {
    std::vector<Length> lengths(size, kFar);
    lengths[start] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (Vertex v = 0; v < size; ++v) {
            if (lengths[v] == kFar) continue;
            const auto relax = [&](Vertex u, Length length, int) {
                if (lengths[v] + length >= lengths[u]) return;
                lengths[u] = lengths[v] + length;
                changed = true;
            };
            std::visit([&](const auto& ground) { ground.successors(v, relax); }, map);
        }
    }
    return lengths;
}

Geometry geometry_of(const Terrain& terrain) {
    const auto kind = terrain.connectivity == 4     ? Geometry::Kind::manhattan
                      : terrain.scale == kUnitSteps ? Geometry::Kind::chebyshev
                                                    : Geometry::Kind::octile;
    return {kind, static_cast<std::int32_t>(terrain.passable.size()), terrain.width, terrain.scale};
}

Length length_along(const Map& map, const std::vector<Vertex>& path) {
    return std::visit([&](const auto& ground) { return length_of(ground, path); }, map);
}

void check_searches(const RandomMap& map, const Terrain& terrain, std::uint64_t seed,
                    std::shared_ptr<const Estimate> (*prepare)(const Finder&, const Terrain&)) {
    Finder finder(grid_map(terrain), geometry_of(terrain));
    if (prepare) finder.use(prepare(finder, terrain));
    Random random(seed);
    Budget budget;
    for (const QueueKind queue : {QueueKind::buckets, QueueKind::heap, QueueKind::list}) {
        const Vertex start = map.any(random);
        const auto exact = plain(*finder.walls().map, finder.size(), start);
        for (int i = 0; i < 8; ++i) {
            const Vertex goal = map.any(random);
            std::vector<Vertex> path;
            const auto found = finder.find(start, goal, queue, budget, path);
            CHECK_EQ(found.length, exact[goal]);
            CHECK_EQ(found.ending == Ending::found, exact[goal] != kFar);
            if (found.ending != Ending::found) continue;
            CHECK_EQ(path.front(), start);
            CHECK_EQ(path.back(), goal);
            CHECK_EQ(length_along(*finder.walls().map, path), exact[goal]);
        }
    }
}

}  // namespace

TEST("search: every kind of grid has shortest ways") {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        const RandomMap map(9, 11, 30, seed);
        check_searches(map, map.terrain(4, Corners::none, kUnitSteps), seed, nullptr);
        for (const Corners corners : {Corners::none, Corners::one, Corners::free}) {
            check_searches(map, map.terrain(8, corners, kOctileSteps), seed, nullptr);
            check_searches(map, map.terrain(8, corners, kUnitSteps), seed, nullptr);
        }
    }
}

TEST("search: without diagonals, the fast search is A* on buckets, node by node") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const RandomMap map(13, 17, 10 + static_cast<int>(seed), seed);
        const Terrain terrain = map.terrain(4, Corners::none, kUnitSteps);
        Finder finder(grid_map(terrain), geometry_of(terrain));
        const auto searcher = finder.searcher(QueueKind::buckets, finder.walls());
        Random random(seed);
        for (const std::int64_t limit : {1, 5, 20, 60, 1000}) {
            const Vertex start = map.any(random), goal = map.any(random);
            Budget one(std::nullopt, limit, std::nullopt), other(std::nullopt, limit, std::nullopt);
            std::vector<Vertex> path, expected;
            const auto found = finder.find(start, goal, QueueKind::buckets, one, path);
            REQUIRE(searcher->begin(start, goal, other));
            const Ending ending = searcher->run(other);
            CHECK_EQ(found.ending == ending, true);
            CHECK_EQ(one.nodes(), other.nodes());
            if (ending != Ending::no_path)
                searcher->path(ending == Ending::found ? goal : searcher->most_promising(),
                               expected);
            CHECK(path == expected);
        }
    }
}

TEST("search: factors and dear corners") {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
        const RandomMap map(8, 9, 25, seed);
        Random random(seed);
        std::vector<std::uint8_t> factors(map.passable.size());
        for (auto& factor : factors) factor = static_cast<std::uint8_t>(1 + random.below(255));
        Terrain terrain = map.terrain(8, Corners::one, kOctileSteps);
        terrain.corner_cost = 3;
        check_searches(map, terrain, seed, nullptr);
        terrain.factors = factors;
        check_searches(map, terrain, seed, nullptr);
    }
}

TEST("search: estimates that were prepared lose no way") {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const RandomMap map(14, 13, 35, seed);
        for (const int connectivity : {4, 8}) {
            const Scale scale = connectivity == 4 ? kUnitSteps : kOctileSteps;
            const Terrain terrain = map.terrain(connectivity, Corners::none, scale);
            check_searches(map, terrain, seed, [](const Finder& finder, const Terrain&) {
                Budget budget;
                return landmarks(finder, 3, false, budget);
            });
            check_searches(map, terrain, seed, [](const Finder& finder, const Terrain&) {
                Budget budget;
                return landmarks(finder, 3, true, budget);
            });
            check_searches(map, terrain, seed, [](const Finder& finder, const Terrain& ground) {
                return dead_ends(finder, Partition(ground.passable, ground.width, 4));
            });
            check_searches(map, terrain, seed, [](const Finder& finder, const Terrain& ground) {
                Budget budget;
                return gateways(finder, ground, 5, budget);
            });
        }
    }
}

TEST("search: no way leads out of a wall or into one, whatever the estimate") {
    const RandomMap map(14, 13, 35, 1);
    const Terrain terrain = map.terrain(4, Corners::none, kUnitSteps);
    Random random(1);
    Budget budget;
    const auto check = [&](std::shared_ptr<const Estimate> (*prepare)(const Finder&, Budget&,
                                                                      const Terrain&)) {
        Finder finder(grid_map(terrain), geometry_of(terrain));
        finder.use(prepare(finder, budget, terrain));
        for (Vertex wall = 0; wall < finder.size(); ++wall) {
            if (map.passable[wall]) continue;
            std::vector<Vertex> path;
            const Vertex open = map.any(random);
            CHECK(finder.find(wall, open, QueueKind::heap, budget, path).ending == Ending::no_path);
            CHECK(finder.find(open, wall, QueueKind::heap, budget, path).ending == Ending::no_path);
        }
    };
    check([](const Finder& finder, Budget& unlimited, const Terrain&) {
        return landmarks(finder, 3, false, unlimited);
    });
    check([](const Finder& finder, Budget&, const Terrain& ground) {
        return dead_ends(finder, Partition(ground.passable, ground.width, 4));
    });
    check([](const Finder& finder, Budget& unlimited, const Terrain& ground) {
        return gateways(finder, ground, 5, unlimited);
    });
}

TEST("search: stopped, resumed and sent elsewhere") {
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const RandomMap map(15, 15, 25, seed);
        const Terrain terrain =
            map.terrain(seed % 2 ? 8 : 4, Corners::none, seed % 2 ? kOctileSteps : kUnitSteps);
        Finder finder(grid_map(terrain), geometry_of(terrain));
        Random random(seed);
        const Vertex start = map.any(random);
        const auto exact = plain(*finder.walls().map, finder.size(), start);
        const auto searcher = finder.searcher(QueueKind::buckets, finder.walls());
        Budget unlimited;
        REQUIRE(searcher->begin(start, map.any(random), unlimited));
        for (int i = 0; i < 10; ++i) {
            const Vertex goal = map.any(random);
            REQUIRE(searcher->retarget(goal, unlimited));
            Budget few({}, 3, {});
            searcher->run(few);
            CHECK(few.nodes() <= 3);
            const Vertex promising = searcher->most_promising();
            CHECK(searcher->known(promising) != kFar);
            std::vector<Vertex> so_far;
            const Length length = searcher->path(promising, so_far);
            CHECK_EQ(length, length_along(*finder.walls().map, so_far));
            CHECK(length <= searcher->known(promising));
            if (i % 3 == 0) continue;
            const Ending ending = searcher->run(unlimited);
            CHECK_EQ(ending == Ending::found, exact[goal] != kFar);
            if (ending == Ending::found) CHECK_EQ(searcher->known(goal), exact[goal]);
        }
    }
}

TEST("search: a start that walks") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const RandomMap map(15, 15, 25, seed);
        const Terrain terrain =
            map.terrain(seed % 2 ? 8 : 4, Corners::none, seed % 2 ? kOctileSteps : kUnitSteps);
        Finder finder(grid_map(terrain), geometry_of(terrain));
        Random random(seed);
        Vertex start = map.any(random);
        const Vertex goal = map.any(random);
        const auto searcher = finder.searcher(QueueKind::buckets, finder.walls(), seed % 3 == 0);
        Budget unlimited;
        REQUIRE(searcher->begin(start, goal, unlimited));
        for (int i = 0; i < 8; ++i) {
            Budget few({}, 10, {});
            searcher->run(few);
            std::vector<Vertex> so_far;
            searcher->path(searcher->most_promising(), so_far);
            start = so_far[std::min<std::size_t>(so_far.size() - 1, 2)];
            REQUIRE(searcher->walk_to(start, unlimited));
            CHECK_EQ(searcher->known(start), Length{0});
        }
        const Length exact = plain(*finder.walls().map, finder.size(), start)[goal];
        const Ending ending = searcher->run(unlimited);
        CHECK_EQ(ending == Ending::found, exact != kFar);
        if (ending == Ending::found) CHECK_EQ(searcher->known(goal), exact);
        Budget nothing(0.0, {}, {});
        CHECK(!searcher->walk_to(start, nothing));
    }
}

TEST("search: a partition that changes is the one of the walls as they are") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        RandomMap map(20, 17, 30, seed);
        Random random(seed);
        Partition partition(map.passable, map.width, 6);
        for (int i = 0; i < 40; ++i) {
            const auto v = static_cast<Vertex>(random.below(map.passable.size()));
            map.passable[v] = !map.passable[v];
            partition.change(map.passable, v);
        }
        const Partition fresh(map.passable, map.width, 6);
        CHECK(partition.count() <= static_cast<std::int32_t>(map.passable.size()));
        std::map<RegionId, RegionId> same, back;  // the numbers are others, the regions are not
        for (Vertex v = 0; v < static_cast<Vertex>(map.passable.size()); ++v) {
            CHECK_EQ(partition.of(v) < 0, fresh.of(v) < 0);
            CHECK_EQ(same.emplace(partition.of(v), fresh.of(v)).first->second, fresh.of(v));
            CHECK_EQ(back.emplace(fresh.of(v), partition.of(v)).first->second, partition.of(v));
        }
    }
}

TEST("search: a flood home is the lengths of all ways there") {
    const std::array<Move, 4> edges{{{0, 1}, {1, 2}, {2, 0}, {2, 3}}};
    const std::array<std::int32_t, 4> lengths{{5, 7, 11, 2}};
    Finder finder(graph_map(5, edges, lengths, true), Geometry());
    Budget budget;
    const std::array<Vertex, 1> zero{{0}};
    CHECK(flood(*finder.walls().map, zero, Heading::home, budget) ==
          (std::vector<Length>{0, 18, 11, kFar, kFar}));
    CHECK(flood(*finder.walls().map, zero, Heading::away, budget) ==
          (std::vector<Length>{0, 5, 12, 14, kFar}));
}

TEST("search: buckets hand out the lowest f first, however far ahead it was pushed") {
    BucketQueue queue;
    Random random(5);
    for (const int shift : {0, 3}) {
        queue.clear(1000, shift);
        std::vector<Length> pushed;
        for (int i = 0; i < 500; ++i) {
            const Length f = 1000 + random.below(100'000);
            pushed.push_back(f);
            queue.push(static_cast<Arrival>(i), f, f);
        }
        Length last = 0;
        std::size_t count = 0;
        for (Open next; queue.pop(next); ++count) {
            const Length f = pushed[next.arrival];
            CHECK((f >> shift) >= (last >> shift));
            CHECK(queue.lowest() <= f);
            last = f;
        }
        CHECK_EQ(count, pushed.size());
    }
}

template <class Known>
void check_forgets(int searches) {
    Known ground(2);
    for (int search = 0; search < searches; ++search) {
        ground.forget();
        if (ground.seen(0) || ground.at(1) != kFar) {
            CHECK(false);
            break;
        }
        ground.lower(0, 7);
        ground.lower(1, search % 5);
    }
    CHECK(!ground.lower(0, 7));
    CHECK(ground.lower(0, 6));
    CHECK_EQ(ground.at(0), Length{6});
}

TEST("search: the ground forgets, also when its stamps run out") {
    check_forgets<Ground>(140'000);
    check_forgets<ShortGround>(600);
}

TEST("search: a queue that is cleared is empty, whatever it held") {
    BucketQueue queue;
    Open open;
    for (const Length lowest : {Length{3}, Length{1000}, Length{0}}) {
        queue.clear(lowest, 0);
        CHECK(!queue.pop(open));
        for (const Length f : {lowest, lowest + 1, lowest + 255, lowest + 5000})
            queue.push(7, 1, f);
        CHECK(queue.pop(open));
        queue.push(8, 2, lowest);  // into the bucket that is being emptied
    }
    queue.clear(3, 0);
    int left = 0;
    queue.each([&](const Open&) { ++left; });
    CHECK_EQ(left, 0);
}

TEST("search: regions cover the map, and gates lie between two of them") {
    const RandomMap map(20, 17, 30, 3);
    const Regions regions(Partition(map.passable, map.width, 6), 3);
    std::size_t cells = 0;
    for (RegionId region = 0; region < regions.count(); ++region)
        for (const Vertex v : regions.cells()[region]) {
            CHECK_EQ(regions.of(v), region);
            ++cells;
        }
    CHECK_EQ(cells, static_cast<std::size_t>(
                        std::count(map.passable.begin(), map.passable.end(), std::uint8_t{1})));
    for (const Gate& gate : regions.gates()) {
        CHECK(gate.regions[0] != gate.regions[1]);
        CHECK(!gate.cells.empty() && gate.cells.size() <= 6);
        for (std::size_t i = 0; i < gate.cells.size(); ++i)
            CHECK_EQ(regions.of(gate.cells[i]), gate.regions[i % 2]);
    }
}
