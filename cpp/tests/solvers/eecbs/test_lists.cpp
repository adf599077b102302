// The three lists against one plain list that is sorted and filtered anew for every question.
#include "sidestep/solvers/eecbs/lists.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;
using namespace sidestep::eecbs;

namespace {

template <class Key>
int best(const std::vector<Listed>& nodes, Key&& key) {
    return std::min_element(nodes.begin(), nodes.end(),
                            [&](const Listed& a, const Listed& b) { return key(a) < key(b); })
        ->node;
}

}  // namespace

TEST("a factor is exact: the greatest whole number within it") {
    CHECK_EQ(Factor(1'200'000).times(10), 12);
    CHECK_EQ(Factor(1'200'000).times(11), 13);
    CHECK_EQ(Factor(1'050'000).times(2'000'000'000), 2'100'000'000);
    CHECK_EQ(Factor(1'000'000).times(7), 7);
}

TEST("trap: the focal list follows the least estimate up and down, as a naive list does") {
    plain::Random random(5);
    for (int trial = 0; trial < 60; ++trial) {
        const Factor factor(1'000'000 + random.below(400'000));
        Lists lists(factor);
        std::vector<Listed> naive;
        for (int turn = 0; turn < 300; ++turn) {
            if (naive.empty() || random.chance(55)) {
                const Cost bound = random.between(10, 30);
                const Listed node{turn, bound, bound + random.below(9),
                                  1024 * random.between(10, 40), random.below(6)};
                naive.push_back(node);
                lists.add(node);
            } else {
                // Often the best by estimate, so that the limit rises.
                const int which = random.chance(50)
                                      ? best(naive, [](const Listed& n) { return n.estimate; })
                                      : naive[random.below(static_cast<int>(naive.size()))].node;
                const auto it = std::find_if(naive.begin(), naive.end(),
                                             [&](const Listed& n) { return n.node == which; });
                lists.remove(*it);
                naive.erase(it);
            }
            REQUIRE(lists.size() == naive.size());
            if (naive.empty()) continue;
            const auto by_estimate = [](const Listed& n) {
                return std::tuple(n.estimate, n.to_go, -n.node);
            };
            const auto by_bound = [](const Listed& n) {
                return std::tuple(n.bound, n.to_go, -n.node);
            };
            CHECK_EQ(lists.best_bound().node, best(naive, by_bound));
            CHECK_EQ(lists.best_estimate().node, best(naive, by_estimate));
            std::vector<Listed> focal = naive;
            const auto limit = factor.times(lists.best_estimate().estimate);
            std::erase_if(focal, [&](const Listed& n) { return n.estimate > limit; });
            REQUIRE(lists.focal_size() == focal.size());
            CHECK_EQ(lists.most_promising().node, best(focal, [](const Listed& n) {
                         return std::tuple(n.to_go, n.estimate, -n.node);
                     }));
        }
    }
}
