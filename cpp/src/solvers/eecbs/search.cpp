#include <algorithm>
#include <tuple>
#include <utility>

#include "sidestep/solvers/branches.hpp"
#include "sidestep/solvers/cbs/heuristic.hpp"
#include "sidestep/solvers/eecbs.hpp"

namespace sidestep::eecbs {

namespace {
constexpr std::int64_t kParts = 1024;  // of a unit of cost, in estimates
constexpr Cost kMostPerPair = 2;       // that a bypass may cost for every pair that it parts
}  // namespace

Search::Search(const Space& space, const Rules& rules, std::span<const Vertex> starts,
               std::span<const Vertex> goals, Factor factor, const cbs::Options& options)
    : instance_(space, rules, starts, goals),
      shared_(instance_),
      options_(options),
      splitting_(shared_, options_),
      factor_(factor),
      lists_(factor),
      others_(space, rules, static_cast<std::int32_t>(starts.size())),
      focal_(instance_),
      now_(starts.size(), nullptr),
      met_(starts.size(), 0) {}

Outcome Search::run(Budget& budget) {
    budget_ = &budget;
    if (!budget.look()) return Outcome::out_of_budget;
    const Outcome root = plan_root();
    if (root != Outcome::found) return root;
    while (Node* node = choose()) {
        go_to(*node);
        if (node->conflicts.empty()) return Outcome::found;
        if (!budget.spend() || !budget.fits(bytes())) return Outcome::out_of_budget;
        ++counts_.expanded;
        const Outcome outcome = expand(*node);
        counts_.low_level = shared_.low_level.expanded() + focal_.expanded();
        if (outcome != Outcome::no_path) return outcome;
    }
    return budget.exhausted() ? Outcome::out_of_budget : Outcome::no_path;
}

Outcome Search::plan_root() {
    Node& root = nodes_.emplace_back();
    for (AgentId a = 0; a < count(); ++a) {
        gathered_.clear();
        Route route{a, shared_.sets.intern(a, gathered_), 0, {}};
        const Outcome outcome = find_path(route);
        if (outcome != Outcome::found) return outcome;
        root.bound += route.least;
        root.cost += route.cost();
        root.changes.push_back({nullptr, &keep(std::move(route))});
        lay(nullptr, root.changes.back().after);
        if (!budget_->fits(bytes())) return Outcome::out_of_budget;
    }
    current_ = &root;
    if (!find_conflicts(root, root)) return Outcome::out_of_budget;
    lower_bound_ = root.bound;
    ++counts_.generated;
    open(root);
    return Outcome::found;
}

Listed Search::listed(const Node& node) const {
    return {node.number, node.bound + node.h, node.cost, node.estimate, node.pairs};
}

void Search::open(Node& node) {
    node.estimate = estimate(node);
    lists_.add(listed(node));
}

// The node that comes next, out of the lists; null: there is none, or the budget ran out.
Search::Node* Search::choose() {
    while (!lists_.empty()) {
        lower_bound_ = std::max<std::int64_t>(lower_bound_, lists_.best_bound().bound);
        const std::int64_t limit = factor_.times(lower_bound_);
        const bool promising = lists_.most_promising().cost <= limit;
        const bool estimated = !promising && lists_.best_estimate().cost <= limit;
        const Listed taken = promising   ? lists_.most_promising()
                             : estimated ? lists_.best_estimate()
                                         : lists_.best_bound();
        Node& node = nodes_[static_cast<std::size_t>(taken.node)];
        lists_.remove(taken);
        if (promising || estimated) {
            ++(promising ? counts_.from_focal : counts_.from_open);
            return &node;
        }
        // What raises the bound is looked at closely first: its conflicts may have to cost more.
        if (!node.evaluated) {
            go_to(node);
            const Cost before = node.h;
            if (!raise_bound(node)) return nullptr;
            node.evaluated = true;
            if (node.h > before) {
                lists_.add(listed(node));
                continue;
            }
        }
        ++counts_.from_cleanup;
        return &node;
    }
    return nullptr;
}

// ------------------------------------------------------------------------- from one node to
// another

void Search::lay(const Route* before, const Route* after) {
    if (before) others_.take(before->agent);
    if (!after) return;
    others_.put(after->agent, after->path, stays(after->agent));
    now_[after->agent] = after;
}

void Search::go_to(Node& node) {
    walk(
        current_, &node, [this](const Node& n) { undo(n); },
        [this](const Node& n) {
            for (const Change& change : n.changes) lay(change.before, change.after);
        });
    current_ = &node;
}

// --------------------------------------------------------------------------------- conflicts,
// bounds

// False: the budget ran out.
bool Search::classify(Node& node) {
    for (cbs::Conflict& conflict : node.conflicts)
        if (!splitting_.weigh(conflict, party(conflict.first), party(conflict.second), *budget_))
            return false;
    return true;
}

// What pairs of agents cost beyond their own least costs. False: the budget ran out.
bool Search::raise_bound(Node& node) {
    if (!classify(node)) return false;
    if (options_.heuristic == cbs::Heuristic::none) return true;
    cbs::Dependencies dependencies(shared_, options_);
    for (const cbs::Conflict& conflict : node.conflicts) {
        const Route &a = *now_[conflict.first], &b = *now_[conflict.second];
        if (!dependencies.add({a.agent, a.agent, a.set, a.least},
                              {b.agent, b.agent, b.set, b.least},
                              conflict.weight == cbs::Weight::cardinal, *budget_))
            return false;
    }
    node.h = std::max(node.h, dependencies.least_cost());
    return true;
}

// Those of the parent between agents that kept their paths, and new ones, read off the occupants.
// False: the budget ended.
bool Search::find_conflicts(const Node& parent, Node& child) {
    std::vector<cbs::Conflict> all;
    const auto has_changed = [&](AgentId a) {
        return std::any_of(child.changes.begin(), child.changes.end(),
                           [a](const Change& change) { return change.after->agent == a; });
    };
    if (&parent != &child)
        for (const cbs::Conflict& c : parent.conflicts)
            if (!has_changed(c.first) && !has_changed(c.second)) all.push_back(c);
    std::vector<AgentId> others;
    for (std::size_t k = 0; k < child.changes.size(); ++k) {
        const AgentId a = child.changes[k].after->agent;
        if (!budget_->tick(others_.steps())) return false;
        others.clear();
        others_.each_collision(a, now_[a]->path, stays(a), [&](AgentId b) {
            if (!std::exchange(met_[b], 1)) others.push_back(b);
        });
        std::sort(others.begin(), others.end());
        for (const AgentId b : others) {
            met_[b] = 0;
            // A pair of which both have changed is looked at once.
            const bool known = std::any_of(
                child.changes.begin(), child.changes.begin() + static_cast<std::ptrdiff_t>(k),
                [b](const Change& change) { return change.after->agent == b; });
            if (known) continue;
            const auto [first, second] = std::minmax(a, b);
            cbs::find_between(instance_, first, second, party(first), party(second), all);
        }
    }
    child.conflicts = std::move(all);
    std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
    for (const cbs::Conflict& c : child.conflicts) pairs.emplace_back(c.first, c.second);
    std::sort(pairs.begin(), pairs.end());
    child.pairs =
        static_cast<std::int32_t>(std::unique(pairs.begin(), pairs.end()) - pairs.begin());
    return true;
}

// -----------------------------------------------------------------------------------------
// children

// no_path: its children are open; found: the node itself has become a plan.
Outcome Search::expand(Node& node) {
    for (;;) {
        if (!classify(node)) return Outcome::out_of_budget;
        const cbs::Conflict conflict = splitting_.choose(node.conflicts);
        std::vector<Node*> children;
        bool bypassed = false;
        for (auto& imposed :
             splitting_.split(conflict, party(conflict.first), party(conflict.second))) {
            Node& child = nodes_.emplace_back();
            child.number = static_cast<std::int32_t>(nodes_.size()) - 1;
            const Outcome outcome = make_child(node, std::move(imposed), child);
            if (outcome == Outcome::out_of_budget) return outcome;
            if (outcome == Outcome::no_path) {
                nodes_.pop_back();
                continue;
            }
            ++counts_.generated;
            if (options_.bypass && pays(node, child)) {
                adopt(node, child);
                nodes_.pop_back();
                bypassed = true;
                break;
            }
            children.push_back(&child);
        }
        if (!bypassed) {
            ++counts_.conflicts[static_cast<std::size_t>(conflict.reason)];
            learn(node, children);
            for (Node* child : children) open(*child);
            node.conflicts = {};
            return Outcome::no_path;
        }
        ++counts_.bypassed;
        if (node.conflicts.empty()) return end_with(node);
    }
}

// A node that has become a plan: the end, unless it is only within the factor of its own bound.
// Then it waits until the best bound is high enough.
Outcome Search::end_with(Node& node) {
    if (node.cost <= factor_.times(lower_bound_)) return Outcome::found;
    open(node);
    return Outcome::no_path;
}

// Are the paths of a child worth taking over? Each must be within the factor of what its agent
// costs at least in the node: that the sum is would not be enough for the node's own children, in
// which another agent may cost more.
bool Search::pays(const Node& node, const Node& child) const {
    const auto within = [this](const Change& change) {
        return change.after->cost() <= factor_.times(change.before->least);
    };
    return child.pairs < node.pairs &&
           child.cost - node.cost <= kMostPerPair * (node.pairs - child.pairs) &&
           std::all_of(child.changes.begin(), child.changes.end(), within);
}

// Leaves the node under work as it is.
Outcome Search::make_child(Node& node, std::vector<cbs::Imposed> imposed, Node& child) {
    child.parent = &node;
    child.depth = node.depth + 1;
    child.imposed = std::move(imposed);
    child.bound = node.bound;
    child.cost = node.cost;
    Outcome outcome = Outcome::found;
    for (const AgentId agent : broken_by(child.imposed)) {
        outcome = replan(child, agent);
        if (outcome != Outcome::found) break;
    }
    if (outcome == Outcome::found && !find_conflicts(node, child)) outcome = Outcome::out_of_budget;
    undo(child);
    child.h = std::max(0, node.bound + node.h - child.bound);
    bytes_ += static_cast<std::int64_t>(
        sizeof(Node) + 4 * sizeof(Listed) + child.imposed.size() * sizeof(cbs::Imposed) +
        child.changes.size() * sizeof(Change) + child.conflicts.size() * sizeof(cbs::Conflict));
    return outcome;
}

void Search::undo(const Node& node) {
    for (auto it = node.changes.rbegin(); it != node.changes.rend(); ++it)
        lay(it->after, it->before);
}

// The agents that break what is imposed, by their own constraints or by those of others.
std::vector<AgentId> Search::broken_by(const std::vector<cbs::Imposed>& all) {
    std::vector<AgentId> broken;
    for (const cbs::Imposed& imposed : all) {
        gathered_.clear();
        cbs::add_for_others(imposed.constraint, instance_.goals[imposed.agent], gathered_);
        for (AgentId a = 0; a < count(); ++a) {
            const auto kept = [&](const cbs::Constraint& c) {
                return cbs::keeps(instance_, party(a), c);
            };
            const bool keeps_all = a == imposed.agent
                                       ? kept(imposed.constraint)
                                       : std::all_of(gathered_.begin(), gathered_.end(), kept);
            if (!keeps_all && std::find(broken.begin(), broken.end(), a) == broken.end())
                broken.push_back(a);
        }
    }
    return broken;
}

Outcome Search::replan(Node& child, AgentId agent) {
    gathered_.clear();
    for (const Node* n = &child; n; n = n->parent)
        for (const cbs::Imposed& imposed : n->imposed) {
            if (imposed.agent == agent)
                gathered_.push_back(imposed.constraint);
            else
                cbs::add_for_others(imposed.constraint, instance_.goals[imposed.agent], gathered_);
        }
    const Route* before = now_[agent];
    Route route{agent, shared_.sets.intern(agent, gathered_), 0, {}};
    others_.take(agent);
    const Outcome outcome = find_path(route);
    others_.put(agent, before->path, stays(agent));
    if (outcome != Outcome::found) return outcome;
    // A set with more constraints cannot cost less, whatever set the path was found under.
    child.bound += route.least - before->least;
    child.cost += route.cost() - before->cost();
    child.changes.push_back({before, &keep(std::move(route))});
    lay(before, child.changes.back().after);
    return Outcome::found;
}

// The least cost of a route under its set, then a path within the factor of it that collides least
// with the others. The agent itself is not among them.
Outcome Search::find_path(Route& route) {
    const auto set = static_cast<std::size_t>(route.set);
    if (set >= leasts_.size()) leasts_.resize(set + 1, kNotReady);
    shared_.load(route.set);
    if (leasts_[set] == kNotReady) {
        const Outcome outcome = shared_.low_level.find(route.agent, shared_.table, nullptr,
                                                       *budget_, route.path, route.least);
        if (outcome == Outcome::out_of_budget) return outcome;
        leasts_[set] = outcome == Outcome::found ? route.least : kUnreachable;
    }
    route.least = leasts_[set];
    if (route.least == kUnreachable) return Outcome::no_path;
    const auto limit = static_cast<Cost>(factor_.times(route.least));
    const Outcome outcome =
        focal_.find(route.agent, shared_.table, others_, limit, *budget_, route.path);
    const auto end = static_cast<Time>(route.path.size()) - 1;
    if (outcome == Outcome::found && !others_.make_room(end, *budget_))
        return Outcome::out_of_budget;
    return outcome;
}

// The node takes the paths of a child, but not its constraints.
void Search::adopt(Node& node, Node& child) {
    for (const Change& change : child.changes) {
        Route own = *change.after;
        own.set = change.before->set;
        own.least = change.before->least;
        const Route* kept = &keep(std::move(own));
        const auto mine =
            std::find_if(node.changes.begin(), node.changes.end(),
                         [&](const Change& c) { return c.after->agent == kept->agent; });
        lay(now_[kept->agent], kept);
        if (mine != node.changes.end())
            mine->after = kept;
        else
            node.changes.push_back({change.before, kept});
    }
    node.cost = child.cost;
    node.conflicts = std::move(child.conflicts);
    node.pairs = child.pairs;
}

Search::Route& Search::keep(Route route) {
    bytes_ += static_cast<std::int64_t>(sizeof(Route) + route.path.size() * sizeof(Vertex));
    return routes_.emplace_back(std::move(route));
}

// ----------------------------------------------------------------------------------------
// estimates

// How the best child compares with what its parent led to expect: no dearer, and one pair less.
void Search::learn(const Node& node, std::span<Node* const> children) {
    if (children.empty()) return;
    const Node* best =
        *std::min_element(children.begin(), children.end(), [](const Node* a, const Node* b) {
            return std::tuple(a->cost, a->pairs) < std::tuple(b->cost, b->pairs);
        });
    ++learned_;
    cost_error_ += best->cost - node.cost;
    distance_error_ += best->pairs - (node.pairs - 1);
}

// Each pair to go takes 1 / (1 - distance error) steps, each of which costs the cost error.
std::int64_t Search::estimate(const Node& node) const {
    const std::int64_t steps = std::max<std::int64_t>(1, learned_ - distance_error_);
    const std::int64_t per_pair = std::max<std::int64_t>(0, cost_error_) * kParts / steps;
    return node.cost * kParts + node.pairs * std::min(per_pair, kParts * kParts);
}

}  // namespace sidestep::eecbs
