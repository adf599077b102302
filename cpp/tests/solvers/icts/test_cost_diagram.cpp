// Decision diagrams against the enumeration of all paths.
#include "sidestep/solvers/icts/cost_diagram.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using namespace sidestep::icts;
using plain::drawn;

namespace {

using Path = std::vector<Vertex>;

// A diagram and what it was made from.
struct Scene {
    Scene(const plain::Ground& ground, Vertex start, Vertex goal, bool disappears)
        : space(ground.compiled()), distances(space) {
        Budget budget;
        journey = {start, goal, &distances.acquire(goal, start), disappears, kUnreachable};
        journey.detour = shortest_detour(space, goal, *journey.distances, budget);
        base = journey.distances->at(start, budget);
    }
    CostDiagram diagram(Cost cost) {
        Budget budget;
        return *CostDiagram::build(space, journey, cost, budget);
    }
    Space space;
    Distances distances;
    CostDiagram::Journey journey;
    Cost base = 0;
};

// All walks of `cost` steps whose last arrival at the goal is at their end.
void walk(const plain::Ground& ground, const CostDiagram::Journey& who, Cost cost, Path& path,
          std::set<Path>& all) {
    const bool home = path.back() == who.goal;
    if (static_cast<Cost>(path.size()) == cost + 1) {
        if (home && (cost == 0 || path[path.size() - 2] != who.goal)) all.insert(path);
        return;
    }
    if (home && who.disappears) return;
    for (Vertex v = 0; v < ground.size(); ++v) {
        if (v != path.back() && !ground.connects(path.back(), v)) continue;
        path.push_back(v);
        walk(ground, who, cost, path, all);
        path.pop_back();
    }
}

void read_off(const CostDiagram& diagram, CostDiagram::Node node, Path& path, std::set<Path>& all) {
    path.push_back(diagram.vertex(node));
    if (node + 1 == diagram.size()) all.insert(path);
    for (const CostDiagram::Node next : diagram.successors(node))
        read_off(diagram, next, path, all);
    path.pop_back();
}

std::set<Path> paths_of(const CostDiagram& diagram) {
    std::set<Path> all;
    Path path;
    read_off(diagram, 0, path, all);
    return all;
}

}  // namespace

TEST("a diagram of the distance holds the shortest paths") {
    Scene scene(drawn("...\n...\n..."), 0, 8, false);
    const CostDiagram diagram = scene.diagram(4);
    CHECK_EQ(diagram.cost(), 4);
    CHECK_EQ(paths_of(diagram).size(), 6);
    CHECK_EQ(diagram.width(2), 3);
    CHECK_EQ(diagram.widest(), 3);
    CHECK_EQ(diagram.vertex(0), 0);
}

TEST("who begins on its goal stays or makes a detour, and never disappears later") {
    Scene scene(drawn("..."), 1, 1, false);
    CHECK_EQ(scene.base, 0);
    CHECK_EQ(scene.diagram(0).size(), 1);
    CHECK_EQ(next_cost(scene.journey, 0), 2);
    CHECK_EQ(next_cost(scene.journey, 2), 3);
    CHECK_EQ(paths_of(scene.diagram(2)), (std::set<Path>{{1, 0, 1}, {1, 2, 1}}));
    Scene gone(drawn("..."), 1, 1, true);
    CHECK_EQ(next_cost(gone.journey, 0), kUnreachable);
}

TEST("random worlds: a diagram has exactly the paths that cost so much") {
    plain::Random random(70);
    int compared = 0;
    for (int round = 0; round < 400; ++round) {
        const auto ground = plain::random_ground(random, 3);
        const auto places = ground.open_vertices();
        if (places.empty()) continue;
        const Vertex start = places[random.below(static_cast<int>(places.size()))];
        const Vertex goal = places[random.below(static_cast<int>(places.size()))];
        Scene scene(ground, start, goal, random.chance(40));
        if (scene.base == kUnreachable) continue;
        std::vector<Cost> costs{scene.base};
        while (costs.size() < 3 && next_cost(scene.journey, costs.back()) < 7)
            costs.push_back(next_cost(scene.journey, costs.back()));
        for (Cost cost = 0; cost < 7; ++cost) {
            std::set<Path> expected;
            Path path{start};
            walk(ground, scene.journey, cost, path, expected);
            const bool listed = std::find(costs.begin(), costs.end(), cost) != costs.end();
            if (listed && !CHECK_EQ(paths_of(scene.diagram(cost)), expected)) return;
            if (cost <= costs.back() && !CHECK_EQ(listed, !expected.empty())) return;
            compared += listed;
        }
    }
    CHECK(compared > 300);
}

TEST("the diagram of a path is that path") {
    const Path path{3, 3, 4, 1};
    const CostDiagram diagram = CostDiagram::of_path(path);
    CHECK_EQ(diagram.cost(), 3);
    CHECK_EQ(paths_of(diagram), (std::set<Path>{path}));
    CHECK_EQ(paths_of(CostDiagram::of_path(Path{5})), (std::set<Path>{{5}}));
}

TEST("trimming leaves what lies on a whole path") {
    Scene scene(drawn("...\n...\n..."), 0, 8, false);
    const CostDiagram diagram = scene.diagram(4);
    std::vector<std::uint8_t> alive(diagram.size(), 1);
    for (CostDiagram::Node node = diagram.first(2); node < diagram.first(3); ++node)
        alive[node] = diagram.vertex(node) == 2;  // around the corner only
    CHECK(trim(diagram, alive));
    CHECK_EQ(std::count(alive.begin(), alive.end(), 1), 5);
    std::fill(alive.begin() + diagram.first(2), alive.begin() + diagram.first(3), std::uint8_t{0});
    CHECK(!trim(diagram, alive));
}

TEST("a diagram is not built without a budget") {
    Scene scene(drawn("...\n...\n..."), 0, 8, false);
    Budget none(0.0, std::nullopt, std::nullopt);
    none.look();
    CHECK(!CostDiagram::build(scene.space, scene.journey, 4, none));
}
