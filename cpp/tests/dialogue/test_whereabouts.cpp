// Who is where at which time: against a plain list, and what it costs.
#include "sidestep/dialogue/whereabouts.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;

namespace {

using Path = std::vector<Vertex>;

std::vector<AgentId> on(const Whereabouts& all, Vertex v, Time t) {
    std::vector<AgentId> found;
    all.any(v, t, [&](AgentId who) {
        found.push_back(who);
        return false;
    });
    return found;
}

}  // namespace

TEST("a long path takes memory for itself, not for all agents that there are") {
    Whereabouts all(1 << 20, 2000);
    Path path(1500);
    for (Vertex v = 0; v < 1500; ++v) path[v] = v;
    all.put(0, path, true);
    CHECK(all.bytes() < 1500 * 256);
}

// Ways are told and taken back at random on few vertices, so that many are in one place.
TEST("those in one place are met in the order in which they told their paths") {
    constexpr AgentId kAgents = 60;
    constexpr Time kSteps = 6;
    constexpr Vertex kVertices = 9;
    plain::Random random(1);
    Whereabouts all(kVertices, kAgents);
    std::vector<AgentId> order;  // of telling
    for (int k = 0; k < 3000; ++k) {
        const AgentId agent = random.below(kAgents);
        std::erase(order, agent);
        all.take(agent);
        if (random.chance(70)) {
            Path path(kSteps);
            for (Vertex& v : path) v = random.below(kVertices);
            all.put(agent, path, false);
            order.push_back(agent);
        }
        const Time t = random.below(kSteps);
        const Vertex v = random.below(kVertices);
        std::vector<AgentId> expected;
        std::ranges::copy_if(order, std::back_inserter(expected),
                             [&](AgentId other) { return all.at(other, t) == v; });
        REQUIRE(on(all, v, t) == expected);
    }
}
