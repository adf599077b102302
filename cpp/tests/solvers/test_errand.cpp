// Errands: who goes first where work never ends, and how a planner sees that it never ends.
#include "sidestep/solvers/errand.hpp"

#include "check.hpp"

using namespace sidestep;

namespace {

// One that was sent to a goal, as of the beginning of a turn there.
Errand arrived(Vertex goal) {
    Errand errand{goal};
    errand.off_goal = 3;
    Arrivals none;
    none.watch(errand, goal + 1);
    return errand;
}

}  // namespace

TEST("most have to go on at once when they arrive for work to count as never ending") {
    Arrivals seen;
    CHECK(!seen.going_on());
    Errand stays = arrived(5), goes = arrived(5), idle = arrived(5), sent_away = arrived(5);
    seen.watch(stays, 5);
    CHECK(!seen.going_on());
    goes.set_goal(9);
    seen.watch(goes, 5);
    CHECK(!seen.going_on());  // one of two
    idle.set_goal(kNowhere);
    seen.watch(idle, 5);
    sent_away.set_goal(9);
    seen.watch(sent_away, 4);  // before it arrived
    CHECK(!seen.going_on());
    Errand again = arrived(7);
    again.set_goal(1);
    seen.watch(again, 7);
    CHECK(seen.going_on());
}

TEST("who stays on its goal counts once") {
    Arrivals seen;
    Errand stays = arrived(5);
    for (int turn = 0; turn < 9; ++turn) {
        seen.watch(stays, 5);
        stays.off_goal = 0;
    }
    for (int k = 0; k < 2; ++k) {
        Errand goes = arrived(6);
        goes.set_goal(2);
        seen.watch(goes, 6);
    }
    CHECK(seen.going_on());
}

TEST("the nearest goes first, but for priorities and for who is late") {
    Errand near{1}, far{2}, important{3, 1}, late{4}, later{5};
    for (Errand* one : {&near, &far, &important, &late, &later}) one->set_out(10);
    late.off_goal = Errand::kPatience + 21;
    later.off_goal = Errand::kPatience + 22;
    CHECK(late.is_late());
    far.off_goal = Errand::kPatience + 20;
    CHECK(!far.is_late());
    CHECK(nearest_first(near, true, 3) < nearest_first(far, true, 4));
    CHECK(nearest_first(important, true, 90) < nearest_first(later, true, 1));
    CHECK(nearest_first(later, true, 90) < nearest_first(late, true, 1));
    CHECK(nearest_first(late, true, 90) < nearest_first(near, true, 1));
    CHECK(nearest_first(far, true, 90) < nearest_first(near, false, 0));
}

TEST("a new goal begins a new errand, the same goal does not") {
    Errand errand{1};
    errand.set_out(10);
    errand.off_goal = 7;
    errand.set_goal(1);
    errand.set_out(4);
    CHECK_EQ(errand.off_goal, 7);
    CHECK_EQ(errand.way, 10);
    errand.set_goal(2);
    errand.set_out(4);
    CHECK_EQ(errand.off_goal, 0);
    CHECK_EQ(errand.way, 4);
}
