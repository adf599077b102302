#include "sidestep/solvers/cbs/heuristic.hpp"

#include <algorithm>
#include <utility>

#include "sidestep/model/collision.hpp"

namespace sidestep::cbs {

namespace {

constexpr std::size_t kMostPairs = 1 << 14;  // of vertices per level of two diagrams
constexpr std::int64_t kMostPairNodes = 64;  // of the tree of two agents
constexpr std::int64_t kMostCoverSteps = 5000;

// A diagram seen as going on for ever.
struct Endless {
    const ConstrainedDiagram& diagram;
    Vertex after;  // where the agent is then

    std::size_t width(Time t) const { return t > diagram.last() ? 1 : diagram.level(t).size(); }
    Vertex vertex(Time t, std::size_t k) const {
        return t > diagram.last() ? after : diagram.level(t)[k].vertex;
    }
    template <class Visit>
    void each_next(Time t, std::size_t k, Visit&& visit) const {
        if (t >= diagram.last()) return visit(std::size_t{0});
        for (const std::int32_t next : diagram.next(diagram.level(t)[k]))
            visit(static_cast<std::size_t>(next));
    }
};

}  // namespace

bool go_together(const Instance& instance, AgentId a, const ConstrainedDiagram& diagram_a,
                 AgentId b, const ConstrainedDiagram& diagram_b, Budget& budget) {
    const Endless one{diagram_a, instance.vanishes(a) ? kNowhere : instance.goals[a]};
    const Endless two{diagram_b, instance.vanishes(b) ? kNowhere : instance.goals[b]};
    using Pair = std::pair<std::int32_t, std::int32_t>;
    std::vector<Pair> here{{0, 0}}, then;
    std::vector<std::uint8_t> seen;
    const Time last = std::max(diagram_a.last(), diagram_b.last());
    for (Time t = 0; t <= last; ++t) {
        const std::size_t columns = two.width(t + 1), size = one.width(t + 1) * columns;
        if (size > kMostPairs) return true;
        seen.assign(size, 0);
        then.clear();
        for (const auto& [i, j] : here) {
            if (!budget.tick()) return true;
            const Vertex from_a = one.vertex(t, i), from_b = two.vertex(t, j);
            one.each_next(t, i, [&](std::size_t ni) {
                const Move move_a{from_a, one.vertex(t + 1, ni)};
                two.each_next(t, j, [&](std::size_t nj) {
                    auto& known = seen[ni * columns + nj];
                    const Move move_b{from_b, two.vertex(t + 1, nj)};
                    if (known || collides(instance.space, instance.rules, move_a, move_b)) return;
                    known = 1;
                    then.emplace_back(static_cast<std::int32_t>(ni), static_cast<std::int32_t>(nj));
                });
            });
        }
        if (then.empty()) return false;
        here.swap(then);
    }
    return true;
}

namespace {

// One connected part of the graph, by branch and bound over its vertices.
class Cover {
  public:
    explicit Cover(std::vector<Edge> edges, std::int32_t size)
        : edges_(std::move(edges)), value_(size, 0) {
        std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
            return a.weight != b.weight
                       ? a.weight > b.weight
                       : std::pair(a.first, a.second) < std::pair(b.first, b.second);
        });
    }

    Cost least() {
        best_ = 0;
        std::vector<Cost> heaviest(value_.size(), 0);
        for (const Edge& e : edges_) {
            heaviest[e.first] = std::max(heaviest[e.first], e.weight);
            heaviest[e.second] = std::max(heaviest[e.second], e.weight);
        }
        for (const Cost weight : heaviest) best_ += weight;
        const Cost bound = matching();
        branch(0);
        return steps_ > kMostCoverSteps ? bound : best_;
    }

  private:
    // Edges that share no vertex must each be paid for.
    Cost matching() const {
        std::vector<std::uint8_t> used(value_.size(), 0);
        Cost sum = 0;
        for (const Edge& e : edges_) {
            const Cost open = e.weight - value_[e.first] - value_[e.second];
            if (open <= 0 || used[e.first] || used[e.second]) continue;
            used[e.first] = used[e.second] = 1;
            sum += open;
        }
        return sum;
    }

    // The first edge that is not covered is, by its one end, its other end, or both.
    void branch(Cost sum) {
        if (++steps_ > kMostCoverSteps || sum + matching() >= best_) return;
        const auto open = std::find_if(edges_.begin(), edges_.end(), [this](const Edge& e) {
            return value_[e.first] + value_[e.second] < e.weight;
        });
        if (open == edges_.end()) {
            best_ = sum;
            return;
        }
        const Edge edge = *open;
        const Cost lack = edge.weight - value_[edge.first] - value_[edge.second];
        for (Cost part = 0; part <= lack; ++part) {
            value_[edge.first] += part;
            value_[edge.second] += lack - part;
            branch(sum + lack);
            value_[edge.first] -= part;
            value_[edge.second] -= lack - part;
        }
    }

    std::vector<Edge> edges_;
    std::vector<Cost> value_;
    Cost best_ = 0;
    std::int64_t steps_ = 0;
};

}  // namespace

Cost least_cover(std::vector<Edge> edges) {
    Cost sum = 0;
    while (!edges.empty()) {
        // Takes out the part that the first edge belongs to, and numbers its vertices anew.
        std::vector<std::int32_t> names{edges[0].first};
        const auto number = [&](std::int32_t v) {
            return static_cast<std::int32_t>(std::find(names.begin(), names.end(), v) -
                                             names.begin());
        };
        const auto is_in = [&](std::int32_t v) {
            return number(v) < static_cast<std::int32_t>(names.size());
        };
        for (bool grown = true; grown;) {
            grown = false;
            for (const Edge& e : edges) {
                if (is_in(e.first) == is_in(e.second)) continue;
                names.push_back(is_in(e.first) ? e.second : e.first);
                grown = true;
            }
        }
        std::vector<Edge> part;
        std::erase_if(edges, [&](const Edge& e) {
            if (!is_in(e.first)) return false;
            part.push_back({number(e.first), number(e.second), e.weight});
            return true;
        });
        sum += Cover(std::move(part), static_cast<std::int32_t>(names.size())).least();
    }
    return sum;
}

bool Dependencies::add(const Party& a, const Party& b, bool is_cardinal, Budget& budget) {
    if (shared_.instance.is_idle(a.agent) || shared_.instance.is_idle(b.agent)) return true;
    auto known = std::find_if(edges_.begin(), edges_.end(), [&](const Edge& e) {
        return e.first == a.position && e.second == b.position;
    });
    if (known != edges_.end() && (known->weight > 0 || !is_cardinal)) return true;
    Cost weight = is_cardinal;
    if (options_.heuristic != Heuristic::cg && !weigh(a, b, is_cardinal, budget, weight))
        return false;
    if (known != edges_.end())
        known->weight = weight;
    else if (weight > 0)
        edges_.push_back({a.position, b.position, weight});
    return true;
}

bool Dependencies::weigh(const Party& a, const Party& b, bool is_cardinal, Budget& budget,
                         Cost& weight) {
    const std::uint64_t key =
        static_cast<std::uint64_t>(a.set) << 32 | static_cast<std::uint32_t>(b.set);
    const auto found = shared_.pair_weights.find(key);
    if (found != shared_.pair_weights.end() && (found->second > 0 || !is_cardinal)) {
        weight = found->second;
        return true;
    }
    if (!is_cardinal) {
        const ConstrainedDiagram* diagram_a = shared_.diagram(a.set, a.cost, budget);
        const ConstrainedDiagram* diagram_b =
            diagram_a ? shared_.diagram(b.set, b.cost, budget) : nullptr;
        if (!diagram_b) return false;
        weight = !go_together(shared_.instance, a.agent, *diagram_a, b.agent, *diagram_b, budget);
    }
    if (weight > 0 && options_.heuristic == Heuristic::wdg)
        weight = std::max(weight, cost_together(a, b, budget) - a.cost - b.cost);
    if (budget.exhausted()) return false;
    shared_.pair_weights[key] = weight;
    return true;
}

// What the two cost at least if nobody else were there.
Cost Dependencies::cost_together(const Party& a, const Party& b, Budget& budget) {
    Options options = options_;
    options.heuristic = Heuristic::none;
    Search pair(shared_, options, {a.agent, b.agent}, {a.set, b.set}, true);
    pair.run(budget, {.expanded = kMostPairNodes});
    return pair.lower_bound();
}

}  // namespace sidestep::cbs
