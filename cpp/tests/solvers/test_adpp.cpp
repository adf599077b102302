// Agents that all plan at once: no collisions when everything is quiet, however they were
// scheduled; the order of planning one by one if they always plan again; and threads that end when
// they must.
#include "sidestep/solvers/adpp.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "plain.hpp"
#include "sidestep/solvers/cooperation.hpp"
#include "sidestep/spacetime/conflicts.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Places = std::vector<Vertex>;
constexpr auto kNoLimit = std::nullopt;

struct Case {
    plain::Ground ground;
    Rules rules;
    Places starts, goals;
    std::vector<AgentId> order;

    Adpp agents(bool always = false) const {
        return Adpp(ground.compiled(), rules, starts, goals, order, always);
    }
    bool stays(std::size_t a) const { return !rules.disappear || goals[a] == kNowhere; }
};

Case random_case(plain::Random& random, int side, int most) {
    Case drawn{plain::random_ground(random, side), plain::random_rules(random), {}, {}, {}};
    Places places = drawn.ground.open_vertices();
    random.shuffle(places);
    const int count = std::min<int>(most, static_cast<int>(places.size()));
    drawn.starts.assign(places.begin(), places.begin() + count);
    random.shuffle(places);
    drawn.goals.assign(places.begin(), places.begin() + count);
    for (AgentId agent = 0; agent < count; ++agent) drawn.order.push_back(agent);
    random.shuffle(drawn.order);
    return drawn;
}

// Do the paths that there are begin where they should, end where they should, and never collide?
bool is_sound(const Case& given, const Adpp& agents) {
    std::size_t steps = 1;
    const auto count = given.starts.size();
    for (std::size_t a = 0; a < count; ++a)
        steps = std::max(steps, agents.path(static_cast<AgentId>(a)).size() + 1);
    Places before(count, kNowhere), after(count, kNowhere);
    for (std::size_t t = 0; t < steps; ++t) {
        for (std::size_t a = 0; a < count; ++a) {
            const auto path = agents.path(static_cast<AgentId>(a));
            if (path.empty()) continue;
            const bool ended = t >= path.size();
            after[a] = !ended ? path[t] : given.stays(a) ? path.back() : kNowhere;
            if (t == 0 && !CHECK_EQ(path.front(), given.starts[a])) return false;
            if (given.goals[a] != kNowhere && !CHECK_EQ(path.back(), given.goals[a])) return false;
        }
        if (t > 0 && !CHECK_EQ(plain::fault_in_step(given.ground, given.rules, before, after), ""))
            return false;
        before = after;
    }
    return true;
}

bool all_have_paths(const Adpp& agents) {
    for (AgentId agent = 0; agent < agents.size(); ++agent)
        if (agents.path(agent).empty()) return false;
    return true;
}

}  // namespace

TEST("when everything is quiet no two paths collide, in any order of acting") {
    plain::Random random(3);
    int solved = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const Case given = random_case(random, 6, 7);
        for (const std::uint64_t seed : {0, 1, 2}) {
            Adpp agents = given.agents(random.chance(30));
            Budget budget;
            REQUIRE(agents.run_seeded(seed, budget));
            REQUIRE(is_sound(given, agents));
            solved += all_have_paths(agents);
        }
    }
    CHECK(solved > 200);
}

TEST("the same on threads") {
    plain::Random random(4);
    for (int trial = 0; trial < 150; ++trial) {
        const Case given = random_case(random, 6, 8);
        Adpp agents = given.agents(random.chance(30));
        Budget budget;
        REQUIRE(agents.run_threads(random.between(1, 4), budget));
        REQUIRE(is_sound(given, agents));
        CHECK(!budget.exhausted());
    }
}

TEST("a crowd on threads, in which many may have to plan again") {
    plain::Random random(9);
    std::int64_t searches = 0, agents_in_all = 0;
    for (int trial = 0; trial < 40; ++trial) {
        const Case given = random_case(random, 14, 24);
        Adpp agents = given.agents();
        Budget budget;
        REQUIRE(agents.run_threads(4, budget));
        REQUIRE(is_sound(given, agents));
        searches += agents.counts().searches;
        agents_in_all += agents.size();
    }
    CHECK(searches >= agents_in_all);  // how many more depends on who is faster
}

TEST("one agent by itself plans as it would among the others, by what it was told") {
    plain::Random random(11);
    for (int trial = 0; trial < 150; ++trial) {
        const Case given = random_case(random, 6, 6);
        Adpp together = given.agents(true);
        Budget budget;
        REQUIRE(together.run_seeded(1, budget));
        for (std::size_t rank = 0; rank < given.order.size(); ++rank) {
            const AgentId own = given.order[rank];
            Adpp alone = given.agents(true);
            REQUIRE(alone.act(own, budget));
            for (std::size_t above = 0; above < rank; ++above) {
                const AgentId writer = given.order[above];
                alone.tell(own, writer, together.path(writer), given.stays(writer));
            }
            REQUIRE(alone.act(own, budget));
            CHECK(std::ranges::equal(alone.path(own), together.path(own)));
        }
    }
}

TEST("who always plans again ends as planning one by one does, on threads, too") {
    plain::Random random(5);
    int compared = 0;
    for (int trial = 0; trial < 150; ++trial) {
        const Case given = random_case(random, 6, 6);
        Cooperation one_by_one(given.ground.compiled(), given.rules, {}, given.starts, given.goals,
                               std::vector<std::int32_t>(given.starts.size(), 0));
        Budget budget;
        bool found = true;
        for (const AgentId agent : given.order)
            found = found && one_by_one.distance(agent, budget) < kUnreachable &&
                    one_by_one.plan(agent, budget) == Outcome::found;
        if (!found) continue;
        ++compared;
        Adpp seeded = given.agents(true), threaded = given.agents(true);
        REQUIRE(seeded.run_seeded(static_cast<std::uint64_t>(trial), budget));
        REQUIRE(threaded.run_threads(3, budget));
        for (const AgentId agent : given.order) {
            const auto expected = one_by_one.path(agent);
            CHECK(std::ranges::equal(seeded.path(agent), expected));
            CHECK(std::ranges::equal(threaded.path(agent), expected));
        }
    }
    CHECK(compared > 50);
}

TEST("an agent without a path is one only at the end, and knows enough of who blocks it") {
    // The lower one has to pass the higher one, which goes straight to its goal in the corridor.
    const Case given{drawn("....."), {}, {0, 4}, {3, 0}, {0, 1}};
    Adpp agents = given.agents();
    Budget budget;
    CHECK(agents.run_seeded(0, budget));
    CHECK(agents.path(1).empty());
    CHECK_EQ(agents.blockers(1, budget), (std::vector<AgentId>{0}));
}

TEST("those who block an agent are enough to block it, and nobody above the rest is named") {
    plain::Random random(6);
    int blocked = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const Case given = random_case(random, 5, 7);
        Adpp agents = given.agents();
        Budget budget;
        REQUIRE(agents.run_seeded(1, budget));
        for (const AgentId agent : given.order) {
            if (!agents.path(agent).empty()) continue;
            const auto blockers = agents.blockers(agent, budget);
            const auto rank = [&](AgentId who) { return std::ranges::find(given.order, who); };
            for (const AgentId other : blockers) CHECK(rank(other) < rank(agent));
            // Around their paths alone there is no way either.
            const Space space = given.ground.compiled();
            Reservations table(space.size(), static_cast<std::int32_t>(given.starts.size()));
            for (std::size_t a = 0; a < given.starts.size(); ++a)
                if (static_cast<AgentId>(a) != agent && !given.rules.following)
                    table.reserve(static_cast<AgentId>(a), 0, {&given.starts[a], 1}, false);
            for (const AgentId other : blockers)
                table.reserve(other, 0, agents.path(other),
                              given.stays(static_cast<std::size_t>(other)));
            SearchTask task;
            task.start = given.starts[agent];
            task.goal = given.goals[agent];
            SpaceTimeSearch search;
            Places path;
            CHECK(search.run(space, given.rules, table, task, budget, path) == Outcome::no_path);
            ++blocked;
        }
    }
    CHECK(blocked > 50);
}

TEST("a limit of nodes is kept on threads, and what was spent is counted") {
    Case given{drawn("........\n........\n........\n........"), {}, {}, {}, {}};
    for (Vertex v = 0; v < 12; ++v) {
        given.starts.push_back(v);
        given.goals.push_back(31 - v);
        given.order.push_back(v);
    }
    Budget whole;
    REQUIRE(given.agents().run_threads(2, whole));
    CHECK(whole.nodes() > 50);
    for (const std::int64_t nodes : {0, 1, 20}) {
        Budget few(kNoLimit, nodes, kNoLimit);
        Adpp agents = given.agents();
        CHECK(!agents.run_threads(3, few));
        CHECK(few.why() == Stop::nodes);
        CHECK(few.nodes() <= nodes);
    }
}

TEST("threads stop when they are asked to, and when time is over") {
    const Case given{drawn("........\n........\n........"), {}, {0, 1, 2}, {23, 22, 21}, {0, 1, 2}};
    Budget over(0.0, kNoLimit, kNoLimit);
    CHECK(!given.agents().run_threads(2, over));
    CHECK(over.why() == Stop::time);
    Budget tight(kNoLimit, kNoLimit, 1);
    CHECK(!given.agents().run_threads(2, tight));
    CHECK(tight.why() == Stop::memory);
    CHECK(!given.agents().run_seeded(2, tight));
}

TEST("nobody has nothing to do") {
    const Case nobody{drawn(".."), {}, {}, {}, {}};
    Budget budget;
    CHECK(nobody.agents().run_seeded(0, budget));
    CHECK(nobody.agents().run_threads(4, budget));
}
