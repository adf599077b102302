#include "sidestep/solvers/icts/cost_diagram.hpp"

#include <algorithm>
#include <unordered_map>

namespace sidestep::icts {

namespace {

// How many steps an agent at v needs at least, if it is not to arrive before its time is up.
class Remaining {
  public:
    Remaining(const CostDiagram::Journey& journey, Budget& budget)
        : journey_(journey), budget_(budget) {}

    // With `steps` left after the move: may the agent be at v? Nothing: the budget ran out.
    std::optional<bool> allows(Vertex v, Cost steps) const {
        if (v == journey_.goal) {
            if (steps == 0) return true;
            return !journey_.disappears && journey_.detour <= steps;
        }
        const Cost distance = journey_.distances->at(v, budget_);
        if (distance == kNotReady) return std::nullopt;
        return distance <= steps;
    }

  private:
    const CostDiagram::Journey& journey_;
    Budget& budget_;
};

}  // namespace

std::optional<CostDiagram> CostDiagram::build(const Space& space, const Journey& journey, Cost cost,
                                              Budget& budget) {
    CostDiagram diagram;
    const Remaining remaining(journey, budget);
    std::unordered_map<Vertex, Node> on_level;  // only looked up, so its order does not matter
    diagram.first_ = {0, 1};
    diagram.vertex_ = {journey.start};
    diagram.edge_ = {0};
    for (Time t = 0; t < cost; ++t) {
        on_level.clear();
        const auto reach = [&](Vertex v) {
            const auto allowed = remaining.allows(v, cost - t - 1);
            if (!allowed) return false;
            if (!*allowed) return true;
            const auto [found, is_new] = on_level.try_emplace(v, static_cast<Node>(diagram.size()));
            if (is_new) diagram.vertex_.push_back(v);
            diagram.edges_.push_back(found->second);
            return true;
        };
        for (Node node = diagram.first_[t]; node < diagram.first_[t + 1]; ++node) {
            if (!budget.tick()) return std::nullopt;
            const Vertex from = diagram.vertex_[node];
            for (const Vertex to : space.successors(from))
                if (!reach(to)) return std::nullopt;
            if (!reach(from)) return std::nullopt;
            diagram.edge_.push_back(static_cast<std::uint32_t>(diagram.edges_.size()));
        }
        diagram.first_.push_back(static_cast<Node>(diagram.size()));
    }
    diagram.edge_.push_back(static_cast<std::uint32_t>(diagram.edges_.size()));
    return diagram;
}

CostDiagram CostDiagram::of_path(std::span<const Vertex> path) {
    CostDiagram diagram;
    diagram.vertex_.assign(path.begin(), path.end());
    for (Node node = 0; node <= path.size(); ++node) {
        diagram.first_.push_back(node);
        diagram.edge_.push_back(std::min(node, static_cast<Node>(path.size()) - 1));
        if (node > 0 && node < path.size()) diagram.edges_.push_back(node);
    }
    return diagram;
}

CostDiagram::Node CostDiagram::widest() const {
    Node most = 0;
    for (Time t = 0; t <= cost(); ++t) most = std::max(most, width(t));
    return most;
}

std::int64_t CostDiagram::bytes() const {
    return static_cast<std::int64_t>(sizeof(CostDiagram) + first_.capacity() * sizeof(Node) +
                                     vertex_.capacity() * sizeof(Vertex) +
                                     edge_.capacity() * sizeof(std::uint32_t) +
                                     edges_.capacity() * sizeof(Node));
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

bool trim(const CostDiagram& diagram, std::span<std::uint8_t> alive) {
    const auto last = static_cast<CostDiagram::Node>(diagram.size()) - 1;
    for (CostDiagram::Node node = last; node-- > 0;) {  // backwards: nodes that lead nowhere
        if (!alive[node]) continue;
        const auto near = diagram.successors(node);
        alive[node] = std::any_of(near.begin(), near.end(), [&](auto next) { return alive[next]; });
    }
    if (!alive[0] || !alive[last]) return false;
    std::vector<std::uint8_t> reached(diagram.size(), 0);
    reached[0] = 1;
    for (CostDiagram::Node node = 0; node < last; ++node) {
        alive[node] &= reached[node];
        if (alive[node])
            for (const auto next : diagram.successors(node)) reached[next] = 1;
    }
    return true;
}

}  // namespace sidestep::icts
