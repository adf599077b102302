// The world owns the truth: what happens, what is refused, and what is recorded.
#include "sidestep/world/world.hpp"

#include <algorithm>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using plain::drawn;

namespace {

using Places = std::vector<Vertex>;

World world_on(const plain::Ground& ground, const Places& positions, const Places& goals,
               Rules rules = {}, Time keep = 0) {
    const std::vector<std::int32_t> priorities(positions.size(), 0);
    return World(ground.compiled(), rules, {0, {}, positions, goals, priorities},
                 std::vector<Body>(positions.size()), keep);
}

Places places(std::span<const Vertex> positions) { return {positions.begin(), positions.end()}; }

int count(const World& world, EventKind kind) {
    return static_cast<int>(std::count_if(
        world.events().begin(), world.events().end(),
        [&](const Event& event) { return event[1] == static_cast<std::int32_t>(kind); }));
}

bool has(const World& world, const Event& event) {
    return std::find(world.events().begin(), world.events().end(), event) != world.events().end();
}

Event event(Time time, EventKind kind, AgentId agent, std::int32_t value) {
    return {time, static_cast<std::int32_t>(kind), agent, value};
}

}  // namespace

TEST("a turn: safe moves happen, the others are refused and recorded") {
    World world = world_on(drawn("...."), {0, 1}, {3, 2});
    CHECK_EQ(world.advance(Places{1, 2}), 0);
    CHECK_EQ(places(world.positions()), (Places{1, 2}));
    CHECK_EQ(world.time(), 1);
    CHECK(has(world, event(1, EventKind::arrived, 1, 2)));
    CHECK_EQ(world.unfinished(), 1);
    CHECK_EQ(world.advance(Places{2, 2}), 1);
    CHECK(has(world, event(1, EventKind::refused, 0, 2)));
    CHECK_EQ(places(world.positions()), (Places{1, 2}));
}

TEST("no targets: everybody waits") {
    World world = world_on(drawn("..."), {0, 2}, {1, 2});
    CHECK_EQ(world.advance({}), 0);
    CHECK_EQ(world.time(), 1);
    CHECK_EQ(places(world.positions()), (Places{0, 2}));
    CHECK(world.events().empty());
}

TEST("nobody may vanish or appear because a planner says so") {
    World world = world_on(drawn("..."), {0, kNowhere}, {2, 2});
    CHECK_EQ(world.advance(Places{kNowhere, 1}), 1);
    CHECK_EQ(places(world.positions()), (Places{0, kNowhere}));
    CHECK(has(world, event(0, EventKind::refused, 0, kNowhere)));
}

TEST("disappear: on the goal for one time, then gone, whatever the planner wants") {
    World world = world_on(drawn("..."), {0, 2}, {1, 0}, {.disappear = true});
    world.advance(Places{1, 2});
    CHECK_EQ(places(world.positions()), (Places{1, 2}));
    CHECK_EQ(world.unfinished(), 1);
    world.advance(Places{0, 1});  // the other may enter as it vanishes
    CHECK_EQ(places(world.positions()), (Places{kNowhere, 1}));
    CHECK_EQ(count(world, EventKind::left), 0);
    world.advance(Places{kNowhere, 0});
    CHECK_EQ(world.unfinished(), 0);
    world.advance({});
    CHECK_EQ(places(world.positions()), (Places{kNowhere, kNowhere}));
}

TEST("a new goal on arrival keeps an agent that would disappear") {
    World world = world_on(drawn("..."), {0}, {1}, {.disappear = true});
    world.advance(Places{1});
    world.set_goal(0, 2);
    CHECK_EQ(world.unfinished(), 1);
    world.advance(Places{2});
    CHECK_EQ(places(world.positions()), (Places{2}));
}

TEST("arriving and leaving are events; standing there is not") {
    World world = world_on(drawn("..."), {0}, {1});
    world.advance(Places{1});
    world.advance(Places{1});
    world.advance(Places{2});
    world.advance(Places{1});
    CHECK_EQ(count(world, EventKind::arrived), 2);
    CHECK_EQ(count(world, EventKind::left), 1);
    CHECK(has(world, event(3, EventKind::left, 0, 2)));
}

TEST("a place closed under an agent: reported every turn until it leaves") {
    World world = world_on(drawn("..."), {1}, {1});
    world.set_open(1, false);
    CHECK_EQ(count(world, EventKind::trapped), 1);
    world.advance({});
    CHECK_EQ(count(world, EventKind::trapped), 2);
    CHECK_EQ(world.advance(Places{0}), 0);
    CHECK_EQ(count(world, EventKind::trapped), 2);
    CHECK_EQ(world.advance(Places{1}), 1);  // and cannot come back
    world.set_open(1, false);               // no change, no event
    CHECK_EQ(count(world, EventKind::block), 1);
    world.set_open(1, true);
    CHECK_EQ(world.advance(Places{1}), 0);
}

TEST("adding, removing and moving agents from outside") {
    World world = world_on(drawn("...."), {0}, {1});
    const AgentId added = world.add(3);
    CHECK_EQ(added, 1);
    CHECK_EQ(world.unfinished(), 1);  // the newcomer is idle
    world.set_goal(added, 2);
    CHECK_EQ(world.unfinished(), 2);
    CHECK_EQ(world.occupant(3), 1);
    world.sync(0, 1);
    CHECK_EQ(world.unfinished(), 1);
    CHECK_EQ(world.occupant(0), kNobody);
    world.remove(added);
    CHECK_EQ(world.unfinished(), 0);
    CHECK_EQ(world.occupant(3), kNobody);
    CHECK(has(world, event(0, EventKind::remove, 1, 3)));
    CHECK_EQ(world.advance(Places{1, 3}), 0);  // what a planner says of who is gone is ignored
    CHECK_EQ(places(world.positions()), (Places{1, kNowhere}));
}

TEST("who is bound for a goal: only who is there, and not oneself") {
    World world = world_on(drawn("...."), {0, 1, 2}, {3, 3, kNowhere});
    CHECK_EQ(world.bound_for(3, kNobody), 0);
    CHECK_EQ(world.bound_for(3, 0), 1);
    CHECK_EQ(world.bound_for(2, kNobody), kNobody);
    world.remove(1);
    CHECK_EQ(world.bound_for(3, 0), kNobody);
}

TEST("priorities decide between two moves, and may change") {
    World world = world_on(drawn("..."), {0, 2}, {1, 1}, {});
    world.set_priority(1, 5);
    world.advance(Places{1, 1});
    CHECK_EQ(places(world.positions()), (Places{0, 1}));
}

TEST("the record: a row per turn, after the changes of its time") {
    World world = world_on(drawn("...."), {0}, {3});
    world.advance(Places{1});
    world.sync(0, 3);
    world.add(0);
    world.advance({});
    REQUIRE(world.rows().size() == 2);
    CHECK_EQ(world.rows()[0].where, (Places{0}));
    CHECK_EQ(world.rows()[1].where, (Places{3, 0}));
    CHECK_EQ(world.first_state().time, 0);
    CHECK_EQ(world.first_state().positions, (Places{0}));
}

TEST("a bounded record reaches back far enough and not much further, and begins consistently") {
    for (const Time keep : {1, 2, 5}) {
        World world = world_on(drawn("........"), {0}, {7}, {}, keep);
        World whole = world_on(drawn("........"), {0}, {7});
        plain::Random random(40);
        for (Time t = 0; t < 30; ++t) {
            for (World* one : {&world, &whole}) {
                plain::Random same(static_cast<std::uint64_t>(t) + 100);
                if (same.chance(30)) one->set_open(same.below(8), same.chance(50));
                if (same.chance(20)) one->set_goal(0, same.below(8));
                if (same.chance(10)) one->set_priority(0, same.below(9));
                const Vertex here = one->positions()[0];
                one->advance(Places{std::clamp(here + same.between(-1, 1), 0, 7)});
            }
            const auto kept = static_cast<Time>(world.rows().size());
            CHECK(kept >= std::min(t + 1, keep));
            CHECK(kept < 2 * keep + 1);
            const World::State first = world.first_state();
            CHECK_EQ(first.time + kept, t + 1);
            // The rows and events are the tail of the whole record.
            for (Time k = 0; k < kept; ++k)
                CHECK_EQ(world.rows()[k].where, whole.rows()[first.time + k].where);
            const auto& tail = world.events();
            REQUIRE(tail.size() <= whole.events().size());
            CHECK(std::equal(tail.rbegin(), tail.rend(), whole.events().rbegin()));
            for (const Event& e : tail) CHECK(e[0] >= first.time);
            for (std::size_t k = 0; k + tail.size() < whole.events().size(); ++k)
                CHECK(whole.events()[k][0] <= first.time);
        }
    }
}

TEST("rows name those who are there once somebody is gone, and the first state has all") {
    World world = world_on(drawn("......"), {0, 1, 2}, {5, 4, 3}, {}, 1);
    world.set_priority(1, 7);
    world.remove(1);
    for (Time t = 0; t < 3; ++t) {
        world.advance(Places{0, 5, 2});
        const World::Row& row = world.rows().back();
        CHECK_EQ(row.who, (std::vector<AgentId>{0, 2}));
        CHECK_EQ(row.where, (Places{0, 2}));
    }
    const World::State first = world.first_state();
    CHECK(first.time > 0);
    CHECK_EQ(first.positions, (Places{0, kNowhere, 2}));
    CHECK_EQ(first.goals, (Places{5, 4, 3}));
    CHECK_EQ(first.priorities, (std::vector<std::int32_t>{0, 7, 0}));
}

TEST("the targets of some are those of all where the others wait") {
    World some = world_on(drawn("......"), {0, 2, 4}, {5, 4, 3});
    World all = world_on(drawn("......"), {0, 2, 4}, {5, 4, 3});
    some.advance(std::vector<AgentId>{0, 2}, Places{1, 5});
    all.advance(Places{1, 2, 5});
    CHECK(std::ranges::equal(some.positions(), all.positions()));
    CHECK(std::ranges::equal(some.events(), all.events()));
}

TEST("a copy of a world goes its own way") {
    World world = world_on(drawn("...."), {0}, {3});
    world.advance(Places{1});
    World copy(world);
    copy.set_open(2, false);
    CHECK_EQ(copy.advance(Places{2}), 1);
    CHECK_EQ(world.advance(Places{2}), 0);
    CHECK_EQ(places(world.positions()), (Places{2}));
    CHECK_EQ(places(copy.positions()), (Places{1}));
    CHECK(world.events().empty());
}

TEST("random turns and changes: never a collision, and the counts are right") {
    plain::Random random(41);
    for (int round = 0; round < 150; ++round) {
        auto ground = plain::random_ground(random, 5);
        auto free = ground.open_vertices();
        random.shuffle(free);
        if (free.size() < 2) continue;
        Places starts(free.begin(), free.begin() + static_cast<int>(free.size()) / 2), goals;
        for (std::size_t k = 0; k < starts.size(); ++k)
            goals.push_back(random.chance(20) ? kNowhere
                                              : free[random.below(static_cast<int>(free.size()))]);
        const Rules rules = plain::random_rules(random);
        World world = world_on(ground, starts, goals, rules, random.below(4));
        for (int turn = 0; turn < 25; ++turn) {
            const auto agents = static_cast<int>(world.positions().size());
            const AgentId agent = random.below(agents);
            const Vertex v = random.below(ground.size());
            const bool present = world.positions()[agent] != kNowhere;
            switch (random.below(12)) {
                case 0:
                    ground.open[v] = random.chance(50);
                    world.set_open(v, ground.open[v] != 0);
                    break;
                case 1:
                    if (present) world.set_goal(agent, random.chance(20) ? kNowhere : v);
                    break;
                case 2:
                    if (world.occupant(v) == kNobody && ground.open[v]) world.add(v);
                    break;
                case 3:
                    if (present) world.remove(agent);
                    break;
                case 4:
                    if (present && world.occupant(v) == kNobody) world.sync(agent, v);
                    break;
                case 5:
                    world.set_priority(agent, random.below(3));
                    break;
                default:
                    break;
            }
            const Places before = places(world.positions()), aims = places(world.goals());
            Places targets;
            const Space space = ground.compiled();
            for (const Vertex here : before) {
                const auto near = here == kNowhere ? Adjacent() : space.successors(here);
                const bool moves = !near.empty() && random.chance(80);
                targets.push_back(moves ? near[random.below(static_cast<int>(near.size()))]
                                  : random.chance(80) ? here
                                                      : random.between(-2, ground.size()));
            }
            const Time time = world.time();
            world.advance(targets);
            const Places after = places(world.positions());
            REQUIRE(world.time() == time + 1);
            if (!CHECK_EQ(plain::fault_in_step(ground, rules, before, after), "")) return;
            int unfinished = 0;
            for (std::size_t a = 0; a < after.size(); ++a) {
                const bool vanishes =
                    rules.disappear && before[a] != kNowhere && before[a] == aims[a];
                if (before[a] != kNowhere) REQUIRE((after[a] == kNowhere) == vanishes);
                unfinished += after[a] != kNowhere && aims[a] != kNowhere && after[a] != aims[a];
            }
            REQUIRE(world.unfinished() == unfinished);
        }
    }
}
