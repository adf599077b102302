// Collisions with planned paths, counted fast, against each path by itself.
#include "sidestep/spacetime/traffic.hpp"

#include <vector>

#include "check.hpp"
#include "oracle.hpp"
#include "plain.hpp"

using namespace sidestep;

namespace {

struct Planned {
    std::vector<Vertex> path;
    bool stays;
    Vertex at(Time t) const {
        if (t < static_cast<Time>(path.size())) return path[t];
        return stays ? path.back() : kNowhere;
    }
};

}  // namespace

TEST("traffic counts at least each agent that a move collides with, and nobody else") {
    plain::Random random(7);
    for (int trial = 0; trial < 400; ++trial) {
        const plain::Ground ground = plain::random_ground(random, 3);
        const Rules rules = plain::random_rules(random);
        const std::vector<Vertex> open = ground.open_vertices();
        if (open.empty()) continue;
        const Space space = ground.compiled();
        Traffic traffic(space, rules);
        std::vector<Planned> all;
        for (int k = random.between(1, 5); k-- > 0;) {
            Planned planned{{open[random.below(static_cast<int>(open.size()))]}, random.chance(50)};
            for (int step = random.below(6); step-- > 0;) {
                const auto next = space.successors(planned.path.back());
                const bool waits = next.empty() || random.chance(30);
                planned.path.push_back(waits ? planned.path.back()
                                             : next[random.below(static_cast<int>(next.size()))]);
            }
            traffic.add(k, planned.path, planned.stays);
            all.push_back(planned);
        }
        for (Time t = 0; t < 8; ++t)
            for (const Vertex from : open) {
                std::vector<Vertex> targets(space.successors(from).begin(),
                                            space.successors(from).end());
                targets.push_back(from);
                bool collided = false;  // who has collided already is counted as that
                for (const Planned& other : all) collided |= other.at(t) == from;
                for (const Vertex to : targets) {
                    if (collided) continue;
                    int expected = 0;
                    for (const Planned& other : all)
                        expected += oracle::clash(ground, rules, {from, to},
                                                  {other.at(t), other.at(t + 1)});
                    const int found = traffic.conflicts({from, to}, t);
                    CHECK(found >= expected);  // two may collide in more than one way
                    CHECK_EQ(found > 0, expected > 0);
                }
                bool comes = false;
                for (Time later = t; later < 12; ++later)
                    for (const Planned& other : all) comes |= other.at(later) == from;
                CHECK_EQ(traffic.comes(from, t), comes);
            }
    }
}

TEST("traffic that was cleared is as good as new, on a small map and on a large one") {
    plain::Random random(11);
    for (const int side : {4, 300}) {
        const Space space =
            Space::grid(std::vector<std::uint8_t>(side * side, 1), side, 4, Corners::none);
        const Rules rules;
        Traffic used(space, rules);
        for (int trial = 0; trial < 50; ++trial) {
            used.clear();
            Traffic fresh(space, rules);
            std::vector<Vertex> seen;
            for (AgentId agent = random.between(0, 8); agent-- > 0;) {
                std::vector<Vertex> path{random.below(side * side)};
                for (int step = random.below(12); step-- > 0;)
                    path.push_back(space.successors(path.back())[0]);
                const bool stays = random.chance(50);
                for (Traffic* traffic : {&used, &fresh}) traffic->add(agent, path, stays);
                seen.insert(seen.end(), path.begin(), path.end());
            }
            CHECK_EQ(used.settled(), fresh.settled());
            for (Vertex v = 0; v < space.size(); ++v)
                for (Time t = 0; t < 14; ++t) CHECK_EQ(used.taken(v, t), fresh.taken(v, t));
            for (const Vertex v : seen) CHECK_EQ(used.free_from(v), fresh.free_from(v));
        }
    }
}
