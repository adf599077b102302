// Estimates that must look at the map before they can say anything.
#include <algorithm>
#include <utility>

#include "sidestep/search/finder.hpp"
#include "sidestep/search/landmarks.hpp"
#include "sidestep/search/regions.hpp"

namespace sidestep::search {

namespace {

// A vertex of the largest part of the map.
Vertex in_largest_part(const Map& map, std::int32_t size) {
    std::vector<std::uint8_t> seen(size, 0);
    std::vector<Vertex> part;
    std::size_t largest = 0;
    Vertex best = 0;
    for (Vertex root = 0; root < size; ++root) {
        if (seen[root]) continue;
        part.assign(1, root);
        seen[root] = 1;
        for (std::size_t i = 0; i < part.size(); ++i) {
            const auto see = [&](Vertex u, Length, int) {
                if (seen[u]++ == 0) part.push_back(u);
                seen[u] = 1;
            };
            std::visit([&](const auto& ground) { ground.successors(part[i], see); }, map);
        }
        if (part.size() > largest) {
            largest = part.size();
            best = root;
        }
    }
    return best;
}

Vertex farthest(std::span<const Length> lengths) {
    std::size_t best = 0;
    Length most = 0;
    for (std::size_t v = 0; v < lengths.size(); ++v)
        if (lengths[v] != kFar && lengths[v] > most) {
            most = lengths[v];
            best = v;
        }
    return static_cast<Vertex>(best);
}

bool is_symmetric(const Map& map) {
    return std::visit([](const auto& ground) { return ground.is_symmetric(); }, map);
}

}  // namespace

// Each landmark is as far as possible from those before it; the first from an arbitrary vertex.
std::shared_ptr<const Estimate> landmarks(const Finder& finder, std::size_t count, bool best_only,
                                          Budget& budget) {
    const Finder::Walls walls = finder.walls();
    const bool symmetric = is_symmetric(*walls.map);
    const std::int64_t tables = symmetric ? 1 : 2;
    const auto entry = static_cast<std::int64_t>(sizeof(Length) + sizeof(std::uint32_t));
    if (!budget.fits(static_cast<std::int64_t>(count) * finder.size() * tables * entry))
        return nullptr;
    std::vector<Length> to, from;
    const Vertex seed = in_largest_part(*walls.map, finder.size());
    std::vector<Length> nearest = flood(*walls.map, std::span(&seed, 1), Heading::home, budget);
    if (nearest.empty()) return nullptr;
    for (std::size_t landmark = 0; landmark < count; ++landmark) {
        const Vertex place = farthest(nearest);
        const auto home = flood(*walls.map, std::span(&place, 1), Heading::home, budget);
        if (home.empty()) return nullptr;
        to.insert(to.end(), home.begin(), home.end());
        if (!symmetric) {
            const auto away = flood(*walls.map, std::span(&place, 1), Heading::away, budget);
            if (away.empty()) return nullptr;
            from.insert(from.end(), away.begin(), away.end());
        }
        if (landmark == 0) nearest = home;
        for (std::size_t v = 0; v < home.size(); ++v) nearest[v] = std::min(nearest[v], home[v]);
    }
    return std::make_shared<Landmarks>(walls.geometry, best_only, count, to, from);
}

std::shared_ptr<const Estimate> dead_ends(const Finder& finder, const Partition& partition) {
    return std::make_shared<DeadEnds>(finder.walls().geometry, partition);
}

namespace {

// At least as long as any way that there is: twice that from one gate of each part of the map.
// 0: the budget ran out.
Length longest_way(const Map& map, const Regions& regions, Length along_a_gate, Budget& budget) {
    Length longest = 1;
    std::vector<std::uint8_t> covered(regions.gates().size(), 0);
    for (std::size_t gate = 0; gate < covered.size(); ++gate) {
        if (covered[gate]) continue;
        const auto lengths = flood(map, regions.gates()[gate].cells, Heading::home, budget);
        if (lengths.empty()) return 0;
        longest = std::max(longest, lengths[farthest(lengths)]);
        for (std::size_t other = gate; other < covered.size(); ++other)
            if (lengths[regions.gates()[other].cells.front()] != kFar) covered[other] = 1;
    }
    return 2 * (longest + along_a_gate);
}

}  // namespace

std::shared_ptr<const Estimate> gateways(const Finder& finder, const Terrain& terrain,
                                         std::int32_t side, Budget& budget) {
    const Finder::Walls walls = finder.walls();
    // The distance between two gates is that of their nearest cells: narrow gates say more.
    Regions regions(Partition(terrain.passable, terrain.width, side), std::max(side / 4, 1));
    const auto gates = static_cast<std::int64_t>(regions.gates().size());
    if (!budget.fits(gates * gates * static_cast<std::int64_t>(sizeof(std::uint32_t))))
        return nullptr;
    const Length longest = longest_way(*walls.map, regions,
                                       terrain.scale.diagonal * static_cast<Length>(side), budget);
    if (longest == 0) return nullptr;
    auto all = std::make_shared<Gateways>(walls.geometry, std::move(regions), longest);
    for (GateId gate = 0; gate < gates; ++gate) {
        const auto lengths =
            flood(*walls.map, all->regions().gates()[gate].cells, Heading::home, budget);
        if (lengths.empty()) return nullptr;
        all->learn(gate, lengths);
    }
    return all;
}

// True distances

namespace {

class TrueDistance final : public Estimate {
  public:
    explicit TrueDistance(const Finder& finder) : finder_(finder) {}
    std::unique_ptr<Aim> aim() const override { return std::make_unique<Aimed>(finder_); }
    std::size_t bytes() const override { return finder_.size() * sizeof(Length); }

  private:
    class Aimed final : public Aim {
      public:
        explicit Aimed(const Finder& finder) : finder_(finder) {}
        // If the budget runs out, the next call for the same goal goes on where this one stopped.
        bool set(Vertex, Vertex goal, Budget& budget) override {
            const auto go = [&](const auto& map) {
                if (goal != goal_) flood_.begin(map, std::span(&goal, 1));
                goal_ = goal;
                return flood_.run(map, Heading::home, budget);
            };
            return std::visit(go, *finder_.walls().map);
        }
        Length at(Vertex v) const override { return flood_.lengths[v]; }

      private:
        const Finder& finder_;
        Vertex goal_ = kNowhere;
        Flood flood_;
    };
    const Finder& finder_;
};

}  // namespace

std::shared_ptr<const Estimate> true_distances(const Finder& finder) {
    return std::make_shared<TrueDistance>(finder);
}

}  // namespace sidestep::search
