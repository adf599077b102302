// Operations: which sequences of actions there are, beside the words of the paper.
#include "sidestep/solvers/operations.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "check.hpp"

using namespace sidestep;
using Action = Operations::Action;

namespace {

std::vector<Action> of(const Operations& all, std::int32_t operation) {
    const auto actions = all.actions(operation);
    return {actions.begin(), actions.end()};
}

bool is_turn(Action action) { return action == Action::right || action == Action::left; }

}  // namespace

TEST("there are 17, 48 and 136 operations of three, four and five actions") {
    CHECK_EQ(Operations(1).size(), 4);
    CHECK_EQ(Operations(3).size(), 17);
    CHECK_EQ(Operations(4).size(), 48);
    CHECK_EQ(Operations(5).size(), 136);
}

TEST("no operation ends in a turn, turns back, turns three times or waits after a turn") {
    for (const std::int32_t length : {3, 4, 5}) {
        const Operations all(length);
        std::set<std::vector<Action>> seen;
        for (std::int32_t k = 0; k < all.size(); ++k) {
            const std::vector<Action> actions = of(all, k);
            CHECK_EQ(actions.size(), static_cast<std::size_t>(length));
            CHECK(seen.insert(actions).second);
            CHECK(!is_turn(actions.back()));
            for (std::size_t i = 0; i + 1 < actions.size(); ++i) {
                if (!is_turn(actions[i])) continue;
                CHECK(actions[i + 1] != Action::wait);
                CHECK(!is_turn(actions[i + 1]) || actions[i + 1] == actions[i]);
                if (i > 0) CHECK(actions[i - 1] != actions[i] || actions[i + 1] != actions[i]);
            }
        }
    }
}

TEST("what is left of an operation is the rest of it and a wait, until only waits are left") {
    for (const std::int32_t length : {1, 3, 4, 5}) {
        const Operations all(length);
        for (std::int32_t k = 0; k < all.size(); ++k) {
            std::vector<Action> rest = of(all, k);
            std::rotate(rest.begin(), rest.begin() + 1, rest.end());
            rest.back() = Action::wait;
            CHECK(of(all, all.shifted(k)) == rest);
            std::int32_t left = k;
            for (std::int32_t step = 0; step < length; ++step) left = all.shifted(left);
            CHECK_EQ(left, all.all_waits());
        }
        const std::vector<Action> waits(static_cast<std::size_t>(length), Action::wait);
        CHECK(of(all, all.all_waits()) == waits);
    }
}
