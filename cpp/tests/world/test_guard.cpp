// The guard: whatever is proposed, only a safe set of moves happens.
#include "sidestep/world/guard.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Places = std::vector<Vertex>;

struct Answer {
    Places after;
    std::vector<AgentId> refused;
};

Answer guarded(const plain::Ground& ground, const Rules& rules, const Places& before,
               Places targets, std::vector<std::int32_t> priorities = {}) {
    Guard guard;
    priorities.resize(before.size(), 0);
    const auto refused = guard.check(ground.compiled(), rules, before, priorities, targets);
    Answer answer{targets, {refused.begin(), refused.end()}};
    std::sort(answer.refused.begin(), answer.refused.end());
    return answer;
}

plain::Ground graph(int n, std::vector<Move> edges, std::vector<Move> conflicts) {
    plain::Ground ground;
    ground.open.assign(n, 1);
    ground.edges = std::move(edges);
    ground.conflicts = std::move(conflicts);
    return ground;
}

}  // namespace

TEST("legal moves pass") {
    const auto answer = guarded(drawn("....\n...."), {}, {0, 3, 4}, {1, 3, 5});
    CHECK_EQ(answer.after, (Places{1, 3, 5}));
    CHECK(answer.refused.empty());
}

TEST("nonsense is refused: no such vertex, no such edge, a wall") {
    const auto ground = drawn("..#.");
    for (const Vertex target : {-7, 4, 2147483647, -2147483647, 2, 3, 0}) {
        const auto answer = guarded(ground, {}, {1}, {target});
        const bool legal = target == 0;
        CHECK_EQ(answer.after, (Places{legal ? 0 : 1}));
        CHECK_EQ(answer.refused.size(), legal ? 0 : 1);
    }
}

TEST("absent agents are nobody's obstacle, and leaving ones give up their place") {
    const auto ground = drawn("...");
    CHECK_EQ(guarded(ground, {}, {kNowhere, 0}, {kNowhere, 1}).after, (Places{kNowhere, 1}));
    CHECK_EQ(guarded(ground, {}, {1, 0}, {kNowhere, 1}).after, (Places{kNowhere, 1}));
    const Rules no_following{.following = false};
    CHECK_EQ(guarded(ground, no_following, {1, 0}, {kNowhere, 1}).after, (Places{kNowhere, 0}));
}

TEST("who is not there goes nowhere, whatever is proposed for it") {
    const auto ground = drawn("...");
    const std::vector<std::int32_t> ahead{1, 0};
    const auto answer = guarded(ground, {}, {kNowhere, 0}, {1, 1}, ahead);
    CHECK_EQ(answer.after, (Places{kNowhere, 1}));
    CHECK_EQ(guarded(ground, {}, {kNowhere, 1}, {1, 1}).after, (Places{kNowhere, 1}));
}

TEST("of two that want one vertex the higher priority goes, else the lower index") {
    const auto ground = drawn("...");
    CHECK_EQ(guarded(ground, {}, {0, 2}, {1, 1}).after, (Places{1, 2}));
    CHECK_EQ(guarded(ground, {}, {0, 2}, {1, 1}, {0, 1}).after, (Places{0, 1}));
    CHECK_EQ(guarded(ground, {}, {2, 0}, {1, 1}, {-5, -4}).after, (Places{2, 1}));
}

TEST("nobody enters where somebody stays, whatever the priorities") {
    const auto answer = guarded(drawn("..."), {}, {0, 1}, {1, 1}, {9, 0});
    CHECK_EQ(answer.after, (Places{0, 1}));
    CHECK_EQ(answer.refused, (std::vector<AgentId>{0}));
}

TEST("a swap is refused to both") {
    CHECK_EQ(guarded(drawn(".."), {}, {0, 1}, {1, 0}).after, (Places{0, 1}));
}

TEST("a ring rotates where following is allowed, and stands where it is not") {
    const auto ground = drawn("..\n..");
    const Places ring{0, 1, 3, 2}, turned{1, 3, 2, 0};
    CHECK_EQ(guarded(ground, {}, ring, turned).after, turned);
    CHECK_EQ(guarded(ground, {.following = false}, ring, turned).after, ring);
}

TEST("a line moves as one, and stops as one when its head is refused") {
    const auto ground = drawn(".....\n....#");
    CHECK_EQ(guarded(ground, {}, {3, 2, 1, 0}, {4, 3, 2, 1}).after, (Places{4, 3, 2, 1}));
    const auto answer = guarded(ground, {}, {3, 2, 1, 0}, {9, 3, 2, 1});
    CHECK_EQ(answer.after, (Places{3, 2, 1, 0}));
    CHECK_EQ(answer.refused, (std::vector<AgentId>{0, 1, 2, 3}));
}

TEST("one of two crossing diagonals waits") {
    const auto ground = drawn("..\n..", 8);
    CHECK_EQ(guarded(ground, {}, {0, 1}, {3, 2}).after, (Places{3, 1}));
    CHECK_EQ(guarded(ground, {}, {0, 1}, {3, 2}, {0, 1}).after, (Places{0, 2}));
    CHECK_EQ(guarded(ground, {.crossing = true}, {0, 1}, {3, 2}).after, (Places{3, 2}));
}

TEST("four that swap and cross over one block: nobody gets through another") {
    const auto ground = drawn("..\n..", 8);
    const Places before{0, 1, 3, 2};
    const auto answer = guarded(ground, {}, before, {3, 2, 0, 1});
    CHECK_EQ(plain::fault_in_step(ground, {}, before, answer.after), "");
}

TEST("an edge with several rivals: all of them are looked at") {
    // 0 is in conflict with 2 and with 1, and 1 with 3: refusing 2 and 3 leaves 0 and 1 crossing.
    const auto ground = graph(8, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}, {{0, 2}, {1, 3}, {0, 1}});
    const Places before{0, 2, 4, 6};
    const auto answer = guarded(ground, {}, before, {1, 3, 5, 7});
    CHECK_EQ(plain::fault_in_step(ground, {}, before, answer.after), "");
    CHECK_EQ(answer.after[0], 1);  // the first of all goes
}

TEST("an edge that is its own rival, by way of a parallel one, lets a single agent pass") {
    for (const Move pair : {Move{0, 0}, Move{0, 1}}) {
        const auto answer = guarded(graph(2, {{0, 1}, {1, 0}}, {pair}), {}, {0}, {1});
        CHECK_EQ(answer.after, (Places{1}));
        CHECK(answer.refused.empty());
    }
}

TEST("an agent leaves a closed vertex, and nobody enters it") {
    auto ground = drawn("...");
    ground.open[1] = 0;
    CHECK_EQ(guarded(ground, {}, {1}, {2}).after, (Places{2}));
    CHECK_EQ(guarded(ground, {}, {0}, {1}).after, (Places{0}));
    CHECK_EQ(guarded(ground, {}, {1}, {1}).after, (Places{1}));
}

TEST("nothing is left over from one call to the next") {
    const auto ground = drawn("...");
    const Space space = ground.compiled();
    Guard guard;
    const std::vector<std::int32_t> priorities{0, 0};
    const Places before{0, 2};
    Places both{1, 1};
    CHECK_EQ(guard.check(space, {}, before, priorities, both).size(), 1);
    const Places later{0, kNowhere};
    Places one{1, kNowhere};
    CHECK(guard.check(space, {}, later, priorities, one).empty());
    CHECK_EQ(one, (Places{1, kNowhere}));
}

TEST("random proposals: safe, those refused stay, the rest have their way, and moves alone pass") {
    plain::Random random(20);
    Guard guard;
    for (int round = 0; round < 6000; ++round) {
        const auto ground = plain::random_ground(random, 5);
        const Space space = ground.compiled();
        Guard fresh;
        const Rules rules = plain::random_rules(random);
        auto places = ground.open_vertices();
        random.shuffle(places);
        if (places.size() > 1) places.resize(random.between(1, static_cast<int>(places.size())));
        Places before, wanted;
        std::vector<std::int32_t> priorities;
        for (const Vertex v : places) {
            const bool absent = random.chance(10);
            const auto near = space.successors(v);
            Vertex target = v;
            if (!near.empty() && random.chance(80))
                target = near[random.below(static_cast<int>(near.size()))];
            if (random.chance(5)) target = random.between(-3, ground.size() + 3);
            if (target == kNowhere && !rules.disappear) target = ground.size();
            before.push_back(absent ? kNowhere : v);
            wanted.push_back(absent ? kNowhere : target);
            priorities.push_back(random.below(3));
        }
        Places after = wanted;
        const auto span = fresh.check(space, rules, before, priorities, after);
        std::vector<AgentId> refused(span.begin(), span.end());
        if (!CHECK_EQ(plain::fault_in_step(ground, rules, before, after), "")) return;
        std::sort(refused.begin(), refused.end());
        REQUIRE(std::adjacent_find(refused.begin(), refused.end()) == refused.end());
        for (std::size_t a = 0; a < before.size(); ++a) {
            const bool was_refused =
                std::binary_search(refused.begin(), refused.end(), static_cast<AgentId>(a));
            REQUIRE(after[a] == (was_refused ? before[a] : wanted[a]));
        }
        // Nobody may be refused if everything was safe, nor one whose move concerns nobody else.
        if (plain::fault_in_step(ground, rules, before, wanted).empty()) REQUIRE(refused.empty());
        for (const AgentId a : refused) {
            Places alone = before;
            alone[a] = wanted[a];
            bool concerns_others = !plain::fault_in_step(ground, rules, before, alone).empty();
            for (std::size_t b = 0; b < before.size(); ++b) {
                if (static_cast<AgentId>(b) == a || before[b] == kNowhere) continue;
                concerns_others |= wanted[b] == wanted[a] || before[b] == wanted[a];
                concerns_others |= wanted[b] >= 0 && wanted[b] < ground.size() &&
                                   wanted[b] != before[b] &&
                                   ground.cross({before[a], wanted[a]}, {before[b], wanted[b]});
            }
            REQUIRE(concerns_others);
        }
    }
}
