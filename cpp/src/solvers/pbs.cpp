#include "sidestep/solvers/pbs.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sidestep/model/random.hpp"
#include "sidestep/solvers/branches.hpp"
#include "sidestep/solvers/cbs/conflicts.hpp"

namespace sidestep {

Pbs::Pbs(const Space& space, const Rules& rules, std::span<const Vertex> starts,
         std::span<const Vertex> goals, std::span<const std::int32_t> priorities)
    : superiors_(space, rules),
      rest_(space, rules),
      instance_(space, rules, starts, goals, &superiors_),
      table_(space.size(), &superiors_),
      low_level_(instance_),
      others_(space, rules, static_cast<std::int32_t>(starts.size())),
      priorities_(priorities.begin(), priorities.end()),
      now_(starts.size(), nullptr),
      above_(starts.size()),
      below_(starts.size()),
      marks_(starts.size(), 0) {}

std::int64_t Pbs::bytes() const {
    return instance_.bytes() + low_level_.bytes() + superiors_.bytes() + rest_.bytes() +
           others_.bytes() + bytes_;
}

Outcome Pbs::run(Budget& budget) {
    budget_ = &budget;
    if (!budget.look()) return Outcome::out_of_budget;
    const Outcome root = plan_root();
    if (root != Outcome::found) return root;
    while (!stack_.empty()) {
        Node& node = *stack_.back();
        stack_.pop_back();
        go_to(node);
        if (node.collisions.empty()) {
            counts_.orders = node.depth;
            return Outcome::found;
        }
        if (!budget.spend() || !budget.fits(bytes())) return Outcome::out_of_budget;
        ++counts_.expanded;
        expand(node);
        counts_.low_level = low_level_.expanded();
        if (budget.exhausted()) return Outcome::out_of_budget;
    }
    return Outcome::no_path;
}

Outcome Pbs::plan_root() {
    Node& root = nodes_.emplace_back();
    current_ = &root;
    for (AgentId a = 0; a < count(); ++a) {
        const Outcome outcome = replan(root, a);
        if (outcome != Outcome::found) return outcome;
        if (!budget_->fits(bytes())) return Outcome::out_of_budget;
    }
    lower_bound_ = root.cost;
    if (!find_collisions(root, root)) return Outcome::out_of_budget;
    ++counts_.generated;
    stack_.push_back(&root);
    return Outcome::found;
}

// Which of two branches comes first: the one in which an agent with a goal is above one without,
// then the higher priority, then the cheaper one, then the one that collides less.
bool Pbs::goes_first(const Node* a, const Node* b) const {
    const auto rank = [this](const Node* n) {
        return std::tuple(instance_.is_idle(n->superior), -std::int64_t{priorities_[n->superior]},
                          n->cost, n->collisions.size());
    };
    return rank(a) < rank(b);
}

// The earliest collision, whichever way round the two are put.
void Pbs::expand(Node& node) {
    const Collision met = *std::min_element(
        node.collisions.begin(), node.collisions.end(), [](const Collision& a, const Collision& b) {
            return std::tuple(a.time, a.first, a.second) < std::tuple(b.time, b.first, b.second);
        });
    Node* one = make_child(node, met.first, met.second);
    if (budget_->exhausted()) return;
    Node* other = make_child(node, met.second, met.first);
    if (budget_->exhausted()) return;
    if (one && other && goes_first(one, other)) std::swap(one, other);
    if (one) stack_.push_back(one);
    if (other) stack_.push_back(other);
    node.collisions = {};
}

// Null: somebody has no path under that order, or the same orders were tried before.
Pbs::Node* Pbs::make_child(Node& node, AgentId superior, AgentId inferior) {
    const auto pair =
        static_cast<std::uint64_t>(superior) << 32 | static_cast<std::uint32_t>(inferior);
    const std::uint64_t orders = node.orders + mix(pair + 1);
    if (!seen_.insert(orders).second) {
        ++counts_.duplicates;
        return nullptr;
    }
    Node& child = nodes_.emplace_back();
    child.parent = &node;
    child.depth = node.depth + 1;
    child.superior = superior;
    child.inferior = inferior;
    child.cost = node.cost;
    child.orders = orders;
    above_[inferior].push_back(superior);
    below_[superior].push_back(inferior);
    const bool settled = settle(child) && find_collisions(node, child);
    undo(child);
    if (!settled) {
        nodes_.pop_back();
        return nullptr;
    }
    ++counts_.generated;
    bytes_ += static_cast<std::int64_t>(sizeof(Node) + child.changes.size() * sizeof(Change) +
                                        child.collisions.size() * sizeof(Collision));
    return &child;
}

// The inferior plans again, then those below it who now collide with somebody above them, superiors
// first.
bool Pbs::settle(Node& child) {
    for (const AgentId agent : inferiors_of(child.inferior)) {
        if (agent != child.inferior && !meets_superior(agent)) continue;
        if (replan(child, agent) != Outcome::found) return false;
    }
    return true;
}

// Everybody above an agent, marked; the marks hold until the next call.
const std::vector<AgentId>& Pbs::superiors_of(AgentId agent) {
    for (const AgentId a : found_) marks_[a] = 0;
    found_.clear();
    const auto add = [&](AgentId of) {
        for (const AgentId a : above_[of])
            if (!std::exchange(marks_[a], 1)) found_.push_back(a);
    };
    add(agent);
    for (std::size_t k = 0; k < found_.size(); ++k) add(found_[k]);
    return found_;
}

// An agent and everybody below it, superiors first.
std::vector<AgentId> Pbs::inferiors_of(AgentId agent) const {
    std::vector<AgentId> sorted;
    std::vector<std::uint8_t> seen(now_.size(), 0);
    std::vector<std::pair<AgentId, std::size_t>> open{{agent, 0}};
    seen[agent] = 1;
    while (!open.empty()) {
        auto& [a, next] = open.back();
        if (next == below_[a].size()) {
            sorted.push_back(a);
            open.pop_back();
            continue;
        }
        const AgentId b = below_[a][next++];
        if (!std::exchange(seen[b], 1)) open.emplace_back(b, 0);
    }
    std::reverse(sorted.begin(), sorted.end());
    return sorted;
}

bool Pbs::meets_superior(AgentId agent) {
    superiors_of(agent);
    bool meets = false;
    others_.each_collision(agent, now_[agent]->path, stays(agent),
                           [&](AgentId other) { meets |= marks_[other] != 0; });
    return meets;
}

// The cheapest path around everybody above; of equally cheap ones, one that collides least with the
// rest.
Outcome Pbs::replan(Node& child, AgentId agent) {
    superiors_.clear();
    rest_.clear();
    superiors_of(agent);
    for (AgentId a = 0; a < count(); ++a) {
        if (a == agent || !now_[a]) continue;
        if (!budget_->tick(static_cast<std::int64_t>(now_[a]->path.size())))
            return Outcome::out_of_budget;
        (marks_[a] ? superiors_ : rest_).add(a, now_[a]->path, stays(a));
    }
    table_.load({}, instance_.goals[agent], stays(agent));
    Route route{agent, 0, {}};
    const Outcome outcome =
        low_level_.find(agent, table_, &rest_, *budget_, route.path, route.cost);
    if (outcome != Outcome::found) return outcome;
    if (!others_.make_room(static_cast<Time>(route.path.size()) - 1, *budget_))
        return Outcome::out_of_budget;
    ++counts_.replanned;
    const Route* before = now_[agent];
    child.cost += route.cost - (before ? before->cost : 0);
    bytes_ += static_cast<std::int64_t>(sizeof(Route) + route.path.size() * sizeof(Vertex));
    child.changes.push_back({before, &routes_.emplace_back(std::move(route))});
    lay(before, child.changes.back().after);
    return Outcome::found;
}

// Those of the parent between agents that kept their paths, and new ones, read off the occupants.
// False: the budget ended.
bool Pbs::find_collisions(const Node& parent, Node& child) {
    const auto changed_before = [&](AgentId a, std::size_t most) {
        return std::any_of(child.changes.begin(),
                           child.changes.begin() + static_cast<std::ptrdiff_t>(most),
                           [a](const Change& change) { return change.after->agent == a; });
    };
    std::vector<Collision> all;
    const std::size_t changes = child.changes.size();
    if (&parent != &child)
        for (const Collision& c : parent.collisions)
            if (!changed_before(c.first, changes) && !changed_before(c.second, changes))
                all.push_back(c);
    std::vector<AgentId> met;
    std::vector<cbs::Conflict> found;
    for (std::size_t k = 0; k < changes; ++k) {
        const AgentId a = child.changes[k].after->agent;
        if (!budget_->tick(others_.steps())) return false;
        met.clear();
        others_.each_collision(a, now_[a]->path, stays(a), [&](AgentId b) { met.push_back(b); });
        std::sort(met.begin(), met.end());
        met.erase(std::unique(met.begin(), met.end()), met.end());
        for (const AgentId b : met) {
            if (changed_before(b, k)) continue;  // a pair of which both have changed comes once
            const auto [first, second] = std::minmax(a, b);
            found.clear();
            cbs::find_between(instance_, first, second, agent_path(first), agent_path(second),
                              found);
            if (!found.empty()) all.push_back({found.front().time, first, second});
        }
    }
    child.collisions = std::move(all);
    return true;
}

void Pbs::lay(const Route* before, const Route* after) {
    if (before) others_.take(before->agent);
    if (!after) return;
    others_.put(after->agent, after->path, stays(after->agent));
    now_[after->agent] = after;
}

void Pbs::redo(const Node& node) {
    above_[node.inferior].push_back(node.superior);
    below_[node.superior].push_back(node.inferior);
    for (const Change& change : node.changes) lay(change.before, change.after);
}

void Pbs::undo(const Node& node) {
    for (auto it = node.changes.rbegin(); it != node.changes.rend(); ++it)
        lay(it->after, it->before);
    above_[node.inferior].pop_back();
    below_[node.superior].pop_back();
}

void Pbs::go_to(Node& node) {
    walk(current_, &node, [this](const Node& n) { undo(n); }, [this](const Node& n) { redo(n); });
    current_ = &node;
}

}  // namespace sidestep
