// Assignments against all of them.
#include "sidestep/combinatorial/assignment.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;

namespace {

std::int64_t cheapest(const std::vector<std::int64_t>& costs, int rows, int columns) {
    std::vector<int> order(columns);
    std::iota(order.begin(), order.end(), 0);
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    do {
        std::int64_t sum = 0;
        for (int row = 0; row < rows; ++row) sum += costs[row * columns + order[row]];
        best = std::min(best, sum);
    } while (std::next_permutation(order.begin(), order.end()));
    return best;
}

}  // namespace

TEST("an assignment is one to one and none is cheaper") {
    plain::Random random(3);
    for (int trial = 0; trial < 400; ++trial) {
        const int columns = 1 + random.below(6), rows = 1 + random.below(columns);
        std::vector<std::int64_t> costs(static_cast<std::size_t>(rows * columns));
        const std::int64_t scale = trial % 3 ? 1 : std::int64_t{1} << 28;  // wide prices
        for (std::int64_t& cost : costs) cost = scale * (random.below(trial % 2 ? 4 : 1000) - 2);
        const auto columns_of = assign(costs, rows, columns);
        REQUIRE(static_cast<int>(columns_of.size()) == rows);
        CHECK_EQ(std::set<std::int32_t>(columns_of.begin(), columns_of.end()).size(), rows);
        std::int64_t sum = 0;
        for (int row = 0; row < rows; ++row) sum += costs[row * columns + columns_of[row]];
        CHECK_EQ(sum, cheapest(costs, rows, columns));
    }
}

TEST("nobody to assign is no problem") { CHECK(assign({}, 0, 0).empty()); }
