#include "sidestep/combinatorial/pairing.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "sidestep/combinatorial/assignment.hpp"

namespace sidestep {

namespace {

// The parts of a graph, as the lowest vertex of each.
std::vector<std::int32_t> part_of(std::int32_t vertices, const std::vector<WeightedPair>& pairs) {
    std::vector<std::int32_t> above(static_cast<std::size_t>(vertices));
    std::iota(above.begin(), above.end(), 0);
    const auto root = [&](std::int32_t v) {
        while (above[v] != v) v = above[v] = above[above[v]];
        return v;
    };
    for (const WeightedPair& p : pairs) {
        const std::int32_t one = root(p.first), other = root(p.second);
        above[std::max(one, other)] = std::min(one, other);
    }
    for (std::int32_t v = 0; v < vertices; ++v) above[v] = root(v);
    return above;
}

class Part {
  public:
    Part(std::vector<WeightedPair> pairs, Pairing& into) : pairs_(std::move(pairs)), into_(into) {
        for (const WeightedPair& p : pairs_) {
            names_.push_back(p.first);
            names_.push_back(p.second);
        }
        std::sort(names_.begin(), names_.end());
        names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    }

    std::int32_t size() const { return static_cast<std::int32_t>(names_.size()); }

    void pair_greedily() {
        std::sort(pairs_.begin(), pairs_.end(), [](const WeightedPair& a, const WeightedPair& b) {
            return std::tuple(-a.weight, a.first, a.second) <
                   std::tuple(-b.weight, b.first, b.second);
        });
        std::vector<std::uint8_t> taken(names_.size(), 0);
        for (const WeightedPair& p : pairs_) {
            const std::int32_t a = number(p.first), b = number(p.second);
            if (taken[a] || taken[b]) continue;
            taken[a] = taken[b] = 1;
            into_.pairs.push_back(p);
        }
    }

    void pair_best() {
        const std::size_t n = names_.size();
        weights_.assign(n * n, 0);
        for (const WeightedPair& p : pairs_) {
            const auto a = static_cast<std::size_t>(number(p.first)),
                       b = static_cast<std::size_t>(number(p.second));
            weights_[a * n + b] = weights_[b * n + a] = -p.weight;
        }
        const auto next = assign(weights_, size(), size());
        std::vector<std::uint8_t> seen(n, 0);
        for (std::int32_t a = 0; a < size(); ++a) {
            ring_.clear();
            for (std::int32_t b = a; !seen[b]; b = next[b]) {
                seen[b] = 1;
                ring_.push_back(b);
            }
            if (ring_.size() > 1) keep_ring();
        }
    }

  private:
    std::int32_t number(std::int32_t name) const {
        return static_cast<std::int32_t>(std::lower_bound(names_.begin(), names_.end(), name) -
                                         names_.begin());
    }
    std::int32_t weight(std::size_t k) const {  // from one of the ring to the next
        const auto a = static_cast<std::size_t>(ring_[k]),
                   b = static_cast<std::size_t>(ring_[(k + 1) % ring_.size()]);
        return static_cast<std::int32_t>(-weights_[a * names_.size() + b]);
    }

    void keep_ring() {
        const std::size_t n = ring_.size();
        std::size_t lightest = 0;
        for (std::size_t k = 1; k < n; ++k)
            if (weight(k) < weight(lightest)) lightest = k;
        if (n % 2 == 1 && weight(lightest) > 0) {
            auto& ring = into_.rings.emplace_back();
            for (const std::int32_t a : ring_) ring.push_back(names_[a]);
            return;
        }
        // Every second edge, whichever half is heavier; of an odd ring all but the lightest, 0.
        std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>((lightest + 1) % n),
                    ring_.end());
        const std::size_t edges = n % 2 == 1 ? n - 1 : n;
        std::int32_t sums[2] = {0, 0};
        for (std::size_t k = 0; k < edges; ++k) sums[k % 2] += weight(k);
        for (std::size_t k = sums[1] > sums[0]; k < edges; k += 2)
            if (weight(k) > 0)
                into_.pairs.push_back({names_[ring_[k]], names_[ring_[(k + 1) % n]], weight(k)});
    }

    std::vector<WeightedPair> pairs_;
    std::vector<std::int32_t> names_;
    std::vector<std::int64_t> weights_;  // negative, as costs
    std::vector<std::int32_t> ring_;
    Pairing& into_;
};

}  // namespace

Pairing best_pairing(std::int32_t vertices, std::vector<WeightedPair> pairs, std::int32_t most) {
    std::erase_if(pairs, [](const WeightedPair& p) { return p.weight <= 0; });
    const auto part = part_of(vertices, pairs);
    std::stable_sort(pairs.begin(), pairs.end(), [&](const WeightedPair& a, const WeightedPair& b) {
        return part[a.first] < part[b.first];
    });
    Pairing best;
    for (std::size_t begin = 0, end; begin < pairs.size(); begin = end) {
        end = begin;
        while (end < pairs.size() && part[pairs[end].first] == part[pairs[begin].first]) ++end;
        Part one({pairs.begin() + static_cast<std::ptrdiff_t>(begin),
                  pairs.begin() + static_cast<std::ptrdiff_t>(end)},
                 best);
        one.size() > most ? one.pair_greedily() : one.pair_best();
    }
    return best;
}

}  // namespace sidestep
