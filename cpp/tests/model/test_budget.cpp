// What a search may use: nodes, time, memory, and who wants it to stop.
#include "sidestep/model/budget.hpp"

#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

#include "check.hpp"

using namespace sidestep;

namespace {
constexpr auto kNoLimit = std::nullopt;

void sleep(int milliseconds) {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}
}  // namespace

TEST("a budget without limits never ends") {
    Budget budget;
    for (int k = 0; k < 100000; ++k) {
        REQUIRE(budget.spend());
        REQUIRE(budget.tick());
    }
    CHECK(budget.fits(std::numeric_limits<std::int64_t>::max()));
    CHECK(budget.look());
    CHECK(!budget.exhausted());
    CHECK(budget.why() == Stop::none);
    CHECK_EQ(budget.nodes(), 100000);
}

TEST("giving back more than was taken ends nothing") {
    Budget budget;
    CHECK(budget.keeps(-1'000'000));
    CHECK(budget.look());
}

TEST("nodes: as many as allowed, then no more of anything") {
    Budget budget(kNoLimit, 3, kNoLimit);
    for (int k = 0; k < 1000; ++k) CHECK(budget.tick());  // other work costs no nodes
    CHECK(budget.spend());
    CHECK(budget.spend());
    CHECK(budget.spend());
    CHECK(!budget.exhausted());  // all used, but nobody has asked for more
    CHECK(!budget.spend());
    CHECK(budget.why() == Stop::nodes);
    CHECK_EQ(budget.nodes(), 3);
    CHECK(!budget.tick());
    CHECK(!budget.look());
    CHECK(!budget.spend());
    CHECK_EQ(budget.nodes(), 3);
}

TEST("moves are counted and limit nothing") {
    Budget budget(kNoLimit, 1, kNoLimit);
    budget.generate(9);
    budget.generate(1000000);
    CHECK_EQ(budget.moves(), 1000009);
    CHECK_EQ(budget.nodes(), 0);
    CHECK(budget.spend());
    CHECK_EQ(budget.moves(), 1000009);
}

TEST("time: what would be written beyond the deadline is not begun") {
    Budget budget(60.0, kNoLimit, kNoLimit);
    CHECK(budget.has_time_to_write(1'000'000));
    CHECK(!budget.has_time_to_write(1'000'000'000'000));  // takes minutes
    CHECK(budget.why() == Stop::time);
    CHECK(!budget.tick());
    CHECK(!budget.has_time_to_write(0));
    Budget unlimited;
    CHECK(unlimited.has_time_to_write(1'000'000'000'000));
}

TEST("no nodes at all stops at the first one") {
    Budget budget(kNoLimit, 0, kNoLimit);
    CHECK(budget.tick());
    CHECK(!budget.spend());
    CHECK_EQ(budget.nodes(), 0);
}

TEST("time: over within a few hundred pieces of work after the deadline") {
    Budget budget(0.002, kNoLimit, kNoLimit);
    CHECK(budget.spend());
    sleep(5);
    int more = 0;
    while (budget.tick() && more < 10000) ++more;
    CHECK(more < 1000);
    CHECK(budget.why() == Stop::time);
    CHECK(!budget.spend());
    CHECK(budget.elapsed() >= 0.005);
}

TEST("time: no seconds and less than none are over at once, a very long time never") {
    for (const double seconds : {0.0, -1.0, -std::numeric_limits<double>::infinity()}) {
        Budget budget(seconds, kNoLimit, kNoLimit);
        CHECK(!budget.look());
        CHECK(budget.why() == Stop::time);
    }
    for (const double seconds : {1e8, 1e9, 1e300, std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::max()}) {
        Budget budget(seconds, kNoLimit, kNoLimit);
        CHECK(budget.look());
    }
}

TEST("memory: too much stops, and the first reason is the one that is kept") {
    Budget budget(kNoLimit, 5, 1000);
    CHECK(budget.fits(1000));
    CHECK(!budget.exhausted());
    CHECK(!budget.fits(1001));
    CHECK(budget.why() == Stop::memory);
    for (int k = 0; k < 10; ++k) CHECK(!budget.spend());
    CHECK(budget.why() == Stop::memory);
    CHECK(!budget.fits(2000));
}

TEST("the poll is asked every few milliseconds, and its yes stops the search") {
    int asked = 0;
    bool stop = false;
    Budget budget(kNoLimit, kNoLimit, kNoLimit, [&] { return ++asked, stop; });
    for (int k = 0; k < 1000; ++k) CHECK(budget.tick());
    CHECK(asked <= 1);
    sleep(15);
    CHECK(budget.look());
    CHECK(asked >= 1);
    stop = true;
    sleep(15);
    CHECK(!budget.look());
    CHECK(budget.why() == Stop::asked);
    const int before = asked;
    sleep(15);
    CHECK(!budget.look());
    CHECK(!budget.tick());
    CHECK_EQ(asked, before);  // not asked again: it has answered
}

TEST("the deadline comes before the poll") {
    bool asked = false;
    Budget budget(0.001, kNoLimit, kNoLimit, [&] { return asked = true; });
    sleep(15);
    CHECK(!budget.look());
    CHECK(budget.why() == Stop::time);
    CHECK(!asked);
}

TEST("threads draw on one store of nodes, and none spends more than there is") {
    Budget whole(kNoLimit, 1000, kNoLimit);
    for (int k = 0; k < 100; ++k) CHECK(whole.spend());
    std::atomic<std::int64_t> store = whole.nodes_left(), spent = 0;
    CHECK_EQ(store.load(), 900);
    {
        std::vector<std::jthread> threads;
        for (int k = 0; k < 3; ++k)
            threads.emplace_back([&spent, share = whole.for_thread(store, 3, nullptr)]() mutable {
                while (share.spend()) {
                }
                spent += share.nodes();
                if (share.why() != Stop::nodes) spent = -1;
            });
    }
    CHECK_EQ(spent.load(), 900);
    whole.charge(spent, 7);
    whole.end(Stop::nodes);
    CHECK_EQ(whole.nodes(), 1000);
    CHECK_EQ(whole.moves(), 7);
    CHECK(whole.why() == Stop::nodes);
}

TEST("a thread has its share of the memory, and can be asked to stop") {
    const Budget whole(kNoLimit, kNoLimit, 900);
    std::atomic<std::int64_t> store = whole.nodes_left();
    Budget share = whole.for_thread(store, 3, [] { return true; });
    CHECK(share.fits(300));
    sleep(20);
    CHECK(!share.look());
    CHECK(share.why() == Stop::asked);
    CHECK(!whole.for_thread(store, 3, nullptr).fits(301));
}

TEST("memory that is kept counts together with what a search holds") {
    Budget budget({}, {}, 1000);
    CHECK(budget.fits(400));
    CHECK(budget.keeps(500));
    CHECK_EQ(budget.bytes(), 900);
    CHECK(budget.fits(500));  // the search holds more, but not too much
    CHECK(!budget.fits(501));
    CHECK(budget.why() == Stop::memory);

    Budget other({}, {}, 1000);
    CHECK(other.fits(400));
    CHECK(!other.keeps(601));
    CHECK(other.why() == Stop::memory);
}

TEST("a run that holds much memory ends earlier: it takes time to give it back") {
    Budget light(60.0, {}, {}), heavy(60.0, {}, {});
    heavy.keeps(std::int64_t{1} << 40);
    CHECK(light.look());
    CHECK(!heavy.look());
    CHECK(heavy.why() == Stop::time);
}

TEST("a piece of work of many ticks is looked at as often as many of one") {
    Budget over(0.0, {}, {});
    CHECK(over.tick(100));
    CHECK(!over.tick(100));
}
