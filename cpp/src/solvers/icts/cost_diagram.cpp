#include "sidestep/solvers/icts/cost_diagram.hpp"

#include <algorithm>
#include <unordered_map>

namespace sidestep::icts {

namespace {

// How many steps an agent at v needs at least, if it is not to arrive before its time is up.
class Remaining {
  public:
    Remaining(const Mdd::Traveller& traveller, Budget& budget)
        : traveller_(traveller), budget_(budget) {}

    // With `steps` left after the move: may the agent be at v? Nothing: the budget ran out.
    std::optional<bool> allows(Vertex v, Cost steps) const {
        if (v == traveller_.goal) {
            if (steps == 0) return true;
            return !traveller_.disappears && traveller_.detour <= steps;
        }
        const Cost distance = traveller_.distances->at(v, budget_);
        if (distance == kNotReady) return std::nullopt;
        return distance <= steps;
    }

  private:
    const Mdd::Traveller& traveller_;
    Budget& budget_;
};

}  // namespace

std::optional<Mdd> Mdd::build(const Space& space, const Traveller& traveller, Cost cost,
                              Budget& budget) {
    Mdd mdd;
    const Remaining remaining(traveller, budget);
    std::unordered_map<Vertex, Node> on_level;  // only looked up, so its order does not matter
    mdd.first_ = {0, 1};
    mdd.vertex_ = {traveller.start};
    mdd.edge_ = {0};
    for (Time t = 0; t < cost; ++t) {
        on_level.clear();
        const auto reach = [&](Vertex v) {
            const auto allowed = remaining.allows(v, cost - t - 1);
            if (!allowed) return false;
            if (!*allowed) return true;
            const auto [found, is_new] = on_level.try_emplace(v, static_cast<Node>(mdd.size()));
            if (is_new) mdd.vertex_.push_back(v);
            mdd.edges_.push_back(found->second);
            return true;
        };
        for (Node node = mdd.first_[t]; node < mdd.first_[t + 1]; ++node) {
            if (!budget.tick()) return std::nullopt;
            const Vertex from = mdd.vertex_[node];
            for (const Vertex to : space.successors(from))
                if (!reach(to)) return std::nullopt;
            if (!reach(from)) return std::nullopt;
            mdd.edge_.push_back(static_cast<std::uint32_t>(mdd.edges_.size()));
        }
        mdd.first_.push_back(static_cast<Node>(mdd.size()));
    }
    mdd.edge_.push_back(static_cast<std::uint32_t>(mdd.edges_.size()));
    return mdd;
}

Mdd Mdd::of_path(std::span<const Vertex> path) {
    Mdd mdd;
    mdd.vertex_.assign(path.begin(), path.end());
    for (Node node = 0; node <= path.size(); ++node) {
        mdd.first_.push_back(node);
        mdd.edge_.push_back(std::min(node, static_cast<Node>(path.size()) - 1));
        if (node > 0 && node < path.size()) mdd.edges_.push_back(node);
    }
    return mdd;
}

Mdd::Node Mdd::widest() const {
    Node most = 0;
    for (Time t = 0; t <= cost(); ++t) most = std::max(most, width(t));
    return most;
}

std::int64_t Mdd::bytes() const {
    return static_cast<std::int64_t>(
        sizeof(Mdd) + first_.capacity() * sizeof(Node) + vertex_.capacity() * sizeof(Vertex) +
        edge_.capacity() * sizeof(std::uint32_t) + edges_.capacity() * sizeof(Node));
}

Cost shortest_detour(const Space& space, Vertex goal, DistanceMap& distances, Budget& budget) {
    Cost best = kUnreachable;
    for (const Vertex v : space.successors(goal)) {
        const Cost distance = distances.at(v, budget);
        if (distance == kNotReady) return kNotReady;
        best = std::min(best, distance + 1);
    }
    return std::min(best, kUnreachable);
}

bool trim(const Mdd& mdd, std::span<std::uint8_t> alive) {
    const auto last = static_cast<Mdd::Node>(mdd.size()) - 1;
    for (Mdd::Node node = last; node-- > 0;) {  // backwards: whoever leads nowhere
        if (!alive[node]) continue;
        const auto near = mdd.successors(node);
        alive[node] = std::any_of(near.begin(), near.end(), [&](auto next) { return alive[next]; });
    }
    if (!alive[0] || !alive[last]) return false;
    std::vector<std::uint8_t> reached(mdd.size(), 0);
    reached[0] = 1;
    for (Mdd::Node node = 0; node < last; ++node) {
        alive[node] &= reached[node];
        if (alive[node])
            for (const auto next : mdd.successors(node)) reached[next] = 1;
    }
    return true;
}

}  // namespace sidestep::icts
