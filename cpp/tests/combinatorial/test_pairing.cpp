// Pairings against all shares of halves.
#include "sidestep/combinatorial/pairing.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "check.hpp"
#include "plain.hpp"

using namespace sidestep;

namespace {

// The greatest weight, doubled, if every pair may have a share of 0, 1 or 2 halves and every vertex
// two in all.
int heaviest(const std::vector<WeightedPair>& pairs, std::size_t k, std::vector<int>& left) {
    if (k == pairs.size()) return 0;
    const auto [a, b, weight] = pairs[k];
    int best = 0;
    for (int halves = 0; halves <= std::min(left[a], left[b]); ++halves) {
        left[a] -= halves;
        left[b] -= halves;
        best = std::max(best, halves * weight + heaviest(pairs, k + 1, left));
        left[a] += halves;
        left[b] += halves;
    }
    return best;
}

}  // namespace

TEST("a pairing is disjoint, and none weighs more") {
    plain::Random random(7);
    for (int trial = 0; trial < 300; ++trial) {
        const int n = random.between(2, 6);
        std::map<std::pair<int, int>, int> weights;
        for (int k = random.below(8); k > 0; --k) {
            const int a = random.below(n), b = random.below(n);
            if (a != b) weights[std::minmax(a, b)] = random.below(4);
        }
        std::vector<WeightedPair> pairs;
        for (const auto& [ends, weight] : weights)
            pairs.push_back({ends.first, ends.second, weight});
        const Pairing best = best_pairing(n, pairs);
        std::set<int> members;
        std::size_t count = 0;
        int doubled = 0;
        for (const auto& [a, b, weight] : best.pairs) {
            members.insert({a, b});
            count += 2;
            doubled += 2 * weight;
            CHECK_EQ((weights[std::minmax(a, b)]), weight);
        }
        for (const auto& ring : best.rings) {
            CHECK_EQ(ring.size() % 2, 1u);
            members.insert(ring.begin(), ring.end());
            count += ring.size();
            for (std::size_t k = 0; k < ring.size(); ++k)
                doubled += weights[std::minmax(ring[k], ring[(k + 1) % ring.size()])];
        }
        CHECK_EQ(members.size(), count);
        std::vector<int> left(static_cast<std::size_t>(n), 2);
        CHECK_EQ(doubled, heaviest(pairs, 0, left));
    }
}

TEST("large parts are paired greedily, and still disjoint") {
    std::vector<WeightedPair> chain;
    for (int k = 0; k < 50; ++k) chain.push_back({k, k + 1, 1 + k % 3});
    const Pairing best = best_pairing(51, chain, 10);
    std::set<int> members;
    for (const auto& [a, b, weight] : best.pairs) members.insert({a, b});
    CHECK_EQ(members.size(), 2 * best.pairs.size());
    CHECK(best.pairs.size() > 10);
}
