#include "sidestep/solvers/cbs/constrained_diagram.hpp"

#include <algorithm>

namespace sidestep::cbs {

using Kind = Constraint::Kind;

bool ConstrainedDiagram::contains(Vertex v, Time t) const {
    if (t > last()) return stays_ && v == goal_;
    const auto nodes = level(t);
    return std::any_of(nodes.begin(), nodes.end(), [v](const Node& n) { return n.vertex == v; });
}

bool ConstrainedDiagram::survives_one(const Constraint& c) const {
    if (c.kind == Kind::avoid_move) return only(c.begin) != c.from || only(c.begin + 1) != c.to;
    return only(c.begin) != c.to;
}

bool ConstrainedDiagram::survives(std::span<const Constraint> constraints) const {
    if (constraints.size() == 1) {
        const Constraint& c = constraints[0];
        if (c.kind == Kind::avoid_move || (c.kind == Kind::avoid && c.begin == c.end))
            return survives_one(c);
    }
    for (const Constraint& c : constraints) {
        if (c.kind == Kind::later && cost_ <= c.begin) return false;
        if (c.kind == Kind::within && cost_ > c.begin) return false;
        if (c.kind == Kind::avoid && c.to == goal_ && stays_ && c.end > last()) return false;
    }
    const auto bans = [&](Vertex from, Vertex to, Time t) {  // arriving on `to` at t
        for (const Constraint& c : constraints) {
            if (c.kind == Kind::avoid && c.to == to && c.begin <= t && t <= c.end) return true;
            if (c.kind == Kind::avoid_move && c.from == from && c.to == to && c.begin + 1 == t)
                return true;
        }
        return false;
    };
    if (bans(kNowhere, nodes_[0].vertex, 0)) return false;
    std::vector<std::uint8_t> here(1, 1), then;
    for (Time t = 0; t < last(); ++t) {
        const auto nodes = level(t), following = level(t + 1);
        then.assign(following.size(), 0);
        bool any = false;
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            if (!here[k]) continue;
            for (const std::int32_t to : next(nodes[k])) {
                if (then[to] || bans(nodes[k].vertex, following[to].vertex, t + 1)) continue;
                then[to] = 1;
                any = true;
            }
        }
        if (!any) return false;
        here.swap(then);
    }
    return true;
}

std::unique_ptr<ConstrainedDiagram> DiagramBuilder::build(AgentId agent,
                                                          const ConstraintTable& constraints,
                                                          Cost cost, Budget& budget) {
    goal_ = instance_.goals[agent];
    // Where waits on the goal are free, a cheapest path may be late; but once nothing forbids
    // anything any more it goes straight home.
    const Time last = instance_.counts_every_step() ? cost : constraints.last() + 1 + cost;
    if (!draft_forward(agent, constraints, cost, last, budget)) return nullptr;
    draft_backward(goal_);
    auto diagram = std::make_unique<ConstrainedDiagram>(goal_, !instance_.vanishes(agent), cost);
    keep(*diagram, cost);
    return diagram;
}

bool DiagramBuilder::draft_forward(AgentId agent, const ConstraintTable& constraints, Cost cost,
                                   Time last, Budget& budget) {
    const auto to_goal = instance_.distances_to(goal_, budget);
    if (to_goal.empty()) return false;
    const bool vanishes = instance_.vanishes(agent);
    drafts_.assign(1, {instance_.starts[agent], 0, kUnreachable, 0, 0, 0});
    level_.assign({0, 1});
    edges_.clear();
    for (Time t = 0; t < last; ++t) {
        const std::int32_t begin = level_[t], end = level_[t + 1];
        for (std::int32_t k = begin; k < end; ++k) {
            if (!budget.tick()) {
                for (std::size_t j = static_cast<std::size_t>(end); j < drafts_.size(); ++j)
                    place_[drafts_[j].vertex] = kNone;
                return false;
            }
            const Draft from = drafts_[k];
            drafts_[k].first = static_cast<std::int32_t>(edges_.size());
            const auto step = [&](Vertex to) {
                const Cost g = from.g + step_cost(from.vertex, to, goal_);
                if (g + to_goal[to] > cost || (vanishes && to == goal_ && t + 1 < last)) return;
                if (constraints.bans(Move{from.vertex, to}, t)) return;
                if (place_[to] == kNone) {
                    place_[to] = static_cast<std::int32_t>(drafts_.size());
                    drafts_.push_back({to, g, kUnreachable, 0, 0, 0});
                }
                Draft& draft = drafts_[place_[to]];
                draft.g = std::min(draft.g, g);
                edges_.push_back(place_[to]);
            };
            step(from.vertex);
            for (const Vertex to : instance_.space.successors(from.vertex)) step(to);
            drafts_[k].count = static_cast<std::int32_t>(edges_.size()) - drafts_[k].first;
        }
        for (std::size_t k = static_cast<std::size_t>(end); k < drafts_.size(); ++k)
            place_[drafts_[k].vertex] = kNone;
        level_.push_back(static_cast<std::int32_t>(drafts_.size()));
    }
    return true;
}

void DiagramBuilder::draft_backward(Vertex goal) {
    for (std::int32_t k = level_[level_.size() - 2]; k < level_.back(); ++k)
        if (drafts_[k].vertex == goal) drafts_[k].rest = 0;
    for (std::int32_t k = level_[level_.size() - 2]; k-- > 0;) {
        Draft& draft = drafts_[k];
        for (std::int32_t e = draft.first; e < draft.first + draft.count; ++e) {
            const Draft& to = drafts_[edges_[e]];
            draft.rest = std::min(draft.rest, to.rest + step_cost(draft.vertex, to.vertex, goal));
        }
    }
}

// Copies what lies on paths of least cost.
void DiagramBuilder::keep(ConstrainedDiagram& diagram, Cost cost) {
    const auto on_path = [&](const Draft& draft) { return draft.g + draft.rest == cost; };
    for (std::size_t t = 0; t + 1 < level_.size(); ++t) {
        std::int32_t number = 0;
        for (std::int32_t k = level_[t]; k < level_[t + 1]; ++k)
            if (on_path(drafts_[k])) drafts_[k].number = number++;
    }
    for (std::size_t t = 0; t + 1 < level_.size(); ++t) {
        diagram.first_.push_back(static_cast<std::int32_t>(diagram.nodes_.size()));
        for (std::int32_t k = level_[t]; k < level_[t + 1]; ++k) {
            const Draft& draft = drafts_[k];
            if (!on_path(draft)) continue;
            const auto first = static_cast<std::int32_t>(diagram.edges_.size());
            for (std::int32_t e = draft.first; e < draft.first + draft.count; ++e) {
                const Draft& to = drafts_[edges_[e]];
                const Cost step = step_cost(draft.vertex, to.vertex, goal_);
                if (on_path(to) && draft.g + step + to.rest == cost)
                    diagram.edges_.push_back(to.number);
            }
            diagram.nodes_.push_back(
                {draft.vertex, first, static_cast<std::int32_t>(diagram.edges_.size()) - first});
        }
    }
    diagram.first_.push_back(static_cast<std::int32_t>(diagram.nodes_.size()));
    diagram.nodes_.shrink_to_fit();
    diagram.edges_.shrink_to_fit();
}

}  // namespace sidestep::cbs
