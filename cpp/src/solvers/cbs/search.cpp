#include "sidestep/solvers/cbs/search.hpp"

#include <algorithm>
#include <tuple>

#include "sidestep/solvers/cbs/heuristic.hpp"

namespace sidestep::cbs {

Search::Search(SharedState& shared, const Options& options, std::vector<AgentId> agents,
               std::vector<SetId> sets, bool is_pair)
    : shared_(shared),
      instance_(shared.instance),
      options_(options),
      agents_(std::move(agents)),
      root_sets_(std::move(sets)),
      is_pair_(is_pair),
      splitting_(shared, options_),
      traffic_(shared.traffic[is_pair]),
      now_(agents_.size(), nullptr) {}

Outcome Search::run(Budget& budget, const Limits& limits) {
    budget_ = &budget;
    if (!plan_root()) return budget.exhausted() ? Outcome::out_of_budget : Outcome::no_path;
    while (Node* node = pop()) {
        lower_bound_ = std::max(lower_bound_, node->g + node->h);
        if (lower_bound_ > limits.cost) return Outcome::no_path;
        if (node->conflicts.empty()) {
            recall(*node);
            return Outcome::found;
        }
        if (statistics_.expanded >= limits.expanded) return Outcome::out_of_budget;
        recall(*node);
        if (!node->evaluated) {
            const Cost before = node->h;
            if (!evaluate(*node)) return Outcome::out_of_budget;
            node->evaluated = true;
            if (node->h > before) {
                push(*node);
                continue;
            }
        }
        if (!budget.spend() || !budget.fits(shared_.bytes() + bytes_))
            return Outcome::out_of_budget;
        ++statistics_.expanded;
        const Outcome outcome = expand(*node);
        if (outcome == Outcome::out_of_budget) return outcome;
        if (outcome == Outcome::found) return outcome;
    }
    return Outcome::no_path;
}

bool Search::plan_root() {
    Node& root = nodes_.emplace_back();
    traffic_.clear();
    for (std::int32_t k = 0; k < count(); ++k) {
        Route& route = routes_.emplace_back();
        route.agent = k;
        route.set = root_sets_[k];
        shared_.load(route.set);
        const Outcome outcome = shared_.low_level.find(agents_[k], shared_.table, &traffic_,
                                                       *budget_, route.path, route.cost);
        if (outcome != Outcome::found) return false;
        traffic_.add(agents_[k], route.path, !instance_.vanishes(agents_[k]));
        root.g += route.cost;
        root.routes.push_back(&route);
        now_[k] = &route;
        for (std::int32_t j = 0; j < k; ++j)
            find_between(instance_, j, k, agent_path(j, now_[j]), agent_path(k, now_[k]),
                         root.conflicts);
        if (!budget_->tick()) return false;
    }
    lower_bound_ = root.g;
    ++statistics_.generated;
    push(root);
    return true;
}

void Search::push(Node& node) {
    open_.push_back(
        {node.g + node.h, static_cast<std::int32_t>(node.conflicts.size()), pushed_++, &node});
    std::push_heap(open_.begin(), open_.end(), [](const Open& a, const Open& b) {
        return std::tuple(a.f, a.conflicts, -a.number) > std::tuple(b.f, b.conflicts, -b.number);
    });
}

Search::Node* Search::pop() {
    if (open_.empty()) return nullptr;
    std::pop_heap(open_.begin(), open_.end(), [](const Open& a, const Open& b) {
        return std::tuple(a.f, a.conflicts, -a.number) > std::tuple(b.f, b.conflicts, -b.number);
    });
    Node* node = open_.back().node;
    open_.pop_back();
    return node;
}

// The routes of a node: its own, else its nearest ancestor's.
void Search::recall(const Node& node) {
    std::fill(now_.begin(), now_.end(), nullptr);
    for (const Node* n = &node; n; n = n->parent)
        for (auto it = n->routes.rbegin(); it != n->routes.rend(); ++it)
            if (!now_[(*it)->agent]) now_[(*it)->agent] = *it;
}

// False: the budget ran out.
bool Search::evaluate(Node& node) {
    if (!classify(node)) return false;
    if (options_.heuristic == Heuristic::none) return true;
    Dependencies dependencies(shared_, options_);
    for (const Conflict& conflict : node.conflicts) {
        const Route &a = *now_[conflict.first], &b = *now_[conflict.second];
        if (!dependencies.add({conflict.first, agents_[conflict.first], a.set, a.cost},
                              {conflict.second, agents_[conflict.second], b.set, b.cost},
                              conflict.weight == Weight::cardinal, *budget_))
            return false;
    }
    node.h = std::max(node.h, dependencies.least_cost());
    return true;
}

bool Search::classify(Node& node) {
    for (Conflict& conflict : node.conflicts)
        if (!splitting_.weigh(conflict, party(conflict.first), party(conflict.second), *budget_))
            return false;
    return true;
}

// found: the node itself has become a plan.
Outcome Search::expand(Node& node) {
    for (;;) {
        const Conflict conflict = splitting_.choose(node.conflicts);
        if (!is_pair_) lay_out(now_);
        std::vector<Node*> children;
        bool bypassed = false;
        for (auto& imposed :
             splitting_.split(conflict, party(conflict.first), party(conflict.second))) {
            Node& child = nodes_.emplace_back();
            child.parent = &node;
            child.imposed = std::move(imposed);
            child.g = node.g;
            auto routes = now_;
            const Outcome outcome = impose(child, routes);
            if (outcome == Outcome::out_of_budget) return outcome;
            if (outcome == Outcome::no_path) {
                nodes_.pop_back();
                continue;
            }
            find_conflicts(node, child, routes);
            ++statistics_.generated;
            if (options_.bypass && child.g == node.g &&
                child.conflicts.size() < node.conflicts.size()) {
                adopt(node, child);
                nodes_.pop_back();
                bypassed = true;
                break;
            }
            child.h = std::max(0, node.g + node.h - child.g);
            children.push_back(&child);
        }
        if (!bypassed) {
            ++statistics_.conflicts[static_cast<std::size_t>(conflict.reason)];
            open_children(node, children);
            return Outcome::no_path;
        }
        // What did not lead on stays behind the node; it is never looked at again.
        ++statistics_.bypassed;
        if (node.conflicts.empty()) return Outcome::found;
        if (!classify(node)) return Outcome::out_of_budget;
    }
}

// The node itself is done with.
void Search::open_children(Node& node, std::span<Node* const> children) {
    for (Node* child : children) {
        bytes_ += static_cast<std::int64_t>(sizeof(Node) + sizeof(Open) +
                                            child->imposed.size() * sizeof(Imposed) +
                                            child->conflicts.size() * sizeof(Conflict));
        push(*child);
    }
    node.conflicts.clear();
    node.conflicts.shrink_to_fit();
}

void Search::lay_out(const std::vector<const Route*>& routes) {
    traffic_.clear();
    for (std::int32_t k = 0; k < count(); ++k)
        if (routes[k]) traffic_.add(agents_[k], routes[k]->path, !instance_.vanishes(agents_[k]));
}

// Replans the agents that break what the child imposes.
Outcome Search::impose(Node& child, std::vector<const Route*>& routes) {
    std::vector<std::int32_t> broken;
    for (const Imposed& imposed : child.imposed) {
        gathered_.clear();
        add_for_others(imposed.constraint, instance_.goals[agents_[imposed.agent]], gathered_);
        for (std::int32_t k = 0; k < count(); ++k) {
            const AgentPath who = agent_path(k, routes[k]);
            const auto kept = [&](const Constraint& c) { return keeps(instance_, who, c); };
            const bool keeps_all = k == imposed.agent
                                       ? kept(imposed.constraint)
                                       : std::all_of(gathered_.begin(), gathered_.end(), kept);
            if (!keeps_all && std::find(broken.begin(), broken.end(), k) == broken.end())
                broken.push_back(k);
        }
    }
    for (std::size_t j = 0; j < broken.size(); ++j) {
        if (j > 0 || is_pair_) lay_out(routes);
        const Outcome outcome = replan(child, broken[j], routes);
        if (outcome != Outcome::found) return outcome;
        routes[broken[j]] = child.routes.back();
    }
    if (broken.size() > 1 && !is_pair_) lay_out(now_);
    return Outcome::found;
}

Outcome Search::replan(Node& child, std::int32_t agent, const std::vector<const Route*>& routes) {
    gathered_ = shared_.sets[root_sets_[agent]].constraints;
    for (const Node* n = &child; n; n = n->parent)
        for (const Imposed& imposed : n->imposed) {
            if (imposed.agent == agent)
                gathered_.push_back(imposed.constraint);
            else
                add_for_others(imposed.constraint, instance_.goals[agents_[imposed.agent]],
                               gathered_);
        }
    const SetId set = shared_.sets.intern(agents_[agent], gathered_);
    shared_.load(set);
    Route route{agent, set, 0, {}};
    const Outcome outcome = shared_.low_level.find(agents_[agent], shared_.table, &traffic_,
                                                   *budget_, route.path, route.cost);
    if (outcome != Outcome::found) return outcome;
    child.g += route.cost - routes[agent]->cost;
    bytes_ += static_cast<std::int64_t>(sizeof(Route) + route.path.size() * sizeof(Vertex));
    child.routes.push_back(&routes_.emplace_back(std::move(route)));
    return Outcome::found;
}

// Those of the parent between agents that kept their paths, and new ones of the others.
void Search::find_conflicts(const Node& parent, Node& child,
                            const std::vector<const Route*>& routes) {
    const auto has_moved = [&](std::int32_t k) { return routes[k] != now_[k]; };
    for (const Conflict& c : parent.conflicts)
        if (!has_moved(c.first) && !has_moved(c.second)) child.conflicts.push_back(c);
    for (const Route* route : child.routes) {
        const std::int32_t k = route->agent;
        for (std::int32_t j = 0; j < count(); ++j) {
            if (j == k || (has_moved(j) && j < k)) continue;  // a pair that moved is looked at once
            const auto [first, second] = std::minmax(j, k);
            find_between(instance_, first, second, agent_path(first, routes[first]),
                         agent_path(second, routes[second]), child.conflicts);
        }
    }
}

// The node takes the paths of a child, but not its constraints.
void Search::adopt(Node& node, const Node& child) {
    for (const Route* route : child.routes) {
        Route own = *route;
        own.set = now_[route->agent]->set;
        bytes_ += static_cast<std::int64_t>(sizeof(Route) + own.path.size() * sizeof(Vertex));
        node.routes.push_back(&routes_.emplace_back(std::move(own)));
        now_[route->agent] = node.routes.back();
    }
    node.conflicts = child.conflicts;
}

}  // namespace sidestep::cbs
