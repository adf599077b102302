#include "sidestep/solvers/icts.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace sidestep::icts {

namespace {

constexpr std::int32_t kMostPacked = 0xFFFF;

std::uint64_t pack(std::int32_t high, std::int32_t low) {
    return static_cast<std::uint64_t>(high) << 16 | static_cast<std::uint64_t>(low);
}

}  // namespace

void CostTree::clear(std::size_t agents) {
    agents_ = agents;
    key_.assign(agents * kBits / 64 + 1, 0);
    seen_.clear(key_.size());
    open_.clear();
}

bool CostTree::add(std::span<const Cost> increments, Cost bound) {
    std::fill(key_.begin(), key_.end(), 0);
    for (std::size_t k = 0; k < agents_; ++k) {
        if (increments[k] > kMostPacked) return false;
        key_[k * kBits / 64] |= static_cast<std::uint64_t>(increments[k]) << (k * kBits % 64);
    }
    const auto [number, is_new] = seen_.insert(key_.data());
    if (is_new) open_[bound].nodes.push_back(number);
    return true;
}

void CostTree::take(bool newest, std::span<Cost> increments) {
    Bucket& bucket = open_.begin()->second;
    const std::uint64_t* key = seen_[newest ? bucket.nodes.back() : bucket.nodes[bucket.taken]];
    for (std::size_t k = 0; k < agents_; ++k)
        increments[k] = static_cast<Cost>(key[k * kBits / 64] >> (k * kBits % 64) & 0xFFFF);
    newest ? bucket.nodes.pop_back() : static_cast<void>(++bucket.taken);
    if (bucket.taken == bucket.nodes.size()) open_.erase(open_.begin());
}

Icts::Icts(Space space, Rules rules, Options options, std::span<const Vertex> starts,
           std::span<const Vertex> goals)
    : space_(std::move(space)),
      rules_(rules),
      options_(options),
      distances_(space_),
      joint_(space_, rules_, holding_),
      agents_(starts.size()) {
    if (starts.size() > kMostPacked) throw std::invalid_argument("too many agents for ICTS");
    for (std::size_t a = 0; a < starts.size(); ++a)
        agents_[a].journey = {starts[a], goals[a], nullptr, rules.disappear, kUnreachable};
}

// The tree

Outcome Icts::solve(const Task& task, Budget& budget) {
    members_.assign(task.agents.begin(), task.agents.end());
    cost_limit_ = task.cost_limit;
    walls_.clear();
    for (const auto& path : task.illegal) walls_.push_back(CostDiagram::of_path(path));
    strangers_.assign(task.avoid.begin(), task.avoid.end());

    lower_bound_ = 0;
    for (const AgentId a : members_) {
        if (!get_ready(agents_[a], budget)) return Outcome::out_of_budget;
        if (agents_[a].base == kUnreachable) {
            lower_bound_ = kUnreachable;
            return Outcome::no_path;
        }
        lower_bound_ += agents_[a].base;
    }
    std::vector<Cost> increments(members_.size(), 0);
    tree_.clear(members_.size());
    tree_.add(increments, lower_bound_);
    while (!tree_.empty()) {
        lower_bound_ = tree_.lowest_bound();
        if (lower_bound_ > cost_limit_) return Outcome::no_path;
        if (!budget.spend()) return Outcome::out_of_budget;
        ++statistics_.tree_nodes;
        tree_.take(options_.independence, increments);
        Cost sum = 0;
        for (std::size_t k = 0; k < members_.size(); ++k) {
            Agent& agent = agents_[members_[k]];
            sum += agent.cost = agent.base + increments[k];
        }
        const Outcome outcome = visit(budget);
        if (outcome != Outcome::no_path) return outcome;
        if (!expand(sum)) return Outcome::out_of_budget;
        const std::int64_t more = tree_.bytes() - std::exchange(tree_bytes_, tree_.bytes());
        if (!holding_.add(more, budget)) return Outcome::out_of_budget;
    }
    return Outcome::no_path;
}

// Children raise the cost of one of those who failed. False: a cost is too high to be stored.
bool Icts::expand(Cost sum) {
    Cost bound = sum;
    for (const Failure& failure : failures_) bound += std::min(failure.increase, kUnreachable / 4);
    std::vector<Cost> increments;
    for (const AgentId a : members_) increments.push_back(agents_[a].cost - agents_[a].base);
    for (std::size_t k = 0; k < members_.size(); ++k) {
        const auto& failed = failures_.front().agents;
        if (std::find(failed.begin(), failed.end(), members_[k]) == failed.end()) continue;
        const Agent& agent = agents_[members_[k]];
        const Cost next = next_cost(agent.journey, agent.cost);
        if (next == kUnreachable) continue;
        const Cost before = std::exchange(increments[k], next - agent.base);
        const bool fits = tree_.add(increments, std::max(bound, sum + next - agent.cost));
        increments[k] = before;
        if (!fits) return false;
    }
    return true;
}

// Are there paths of exactly these costs? no_path: `failures_` says for whom there are none.
Outcome Icts::visit(Budget& budget) {
    failures_.clear();
    return options_.independence ? visit_apart(budget) : visit_together(budget);
}

// As in the paper: all pairs, then everybody at once.
Outcome Icts::visit_together(Budget& budget) {
    for (const AgentId a : members_) agents_[a].group = 0;
    const Outcome outcome = search(members_, {}, budget);
    if (outcome == Outcome::found) set_paths(members_, found_);
    failures_.assign(1, {members_, 1});  // no matter who it was: all get children
    return outcome;
}

// Everybody alone at first; those whose paths conflict find a way around each other or are merged.
Outcome Icts::visit_apart(Budget& budget) {
    groups_.clear();
    for (const AgentId a : members_) {
        agents_[a].group = static_cast<std::int32_t>(groups_.size());
        groups_.push_back({a});
    }
    Outcome outcome = check_known_pairs(budget);
    if (outcome != Outcome::found) return outcome;
    outcome = plan_alone(budget);
    while (outcome == Outcome::found) {
        const auto conflict = first_conflict(active_except({}));
        if (!conflict) return failures_.empty() ? Outcome::found : Outcome::no_path;
        outcome = settle(*conflict, budget);
    }
    return outcome;
}

// Pairs that have been incompatible before are asked first: most nodes need no more.
Outcome Icts::check_known_pairs(Budget& budget) {
    for (const auto& [a, b] : rivals_) {
        if (agents_[a].group < 0 || agents_[b].group < 0) continue;
        if (check_pair(a, b, budget) == Outcome::out_of_budget) return Outcome::out_of_budget;
    }
    for (const Quarrel& quarrel : quarrels_) {
        bool repeated = true;
        for (std::size_t k = 0; k < quarrel.agents.size() && repeated; ++k) {
            const Agent& agent = agents_[quarrel.agents[k]];
            repeated = agent.group >= 0 && agent.cost == quarrel.costs[k];
        }
        if (repeated) fail(quarrel.agents, 1);
    }
    return failures_.empty() ? Outcome::found : Outcome::no_path;
}

Outcome Icts::plan_alone(Budget& budget) {
    Time horizon = 0;
    for (const AgentId a : members_) horizon = std::max(horizon, agents_[a].cost);
    traffic_.clear(space_.size(), horizon);
    const std::int64_t more = traffic_.bytes() - std::exchange(traffic_bytes_, traffic_.bytes());
    if (!holding_.add(more, budget)) return Outcome::out_of_budget;
    for (const auto& path : strangers_) traffic_.add(path, !rules_.disappear);
    for (const AgentId a : members_) agents_[a].path.clear();
    for (const AgentId a : members_) {
        const Outcome outcome = search({a}, {}, budget);
        if (outcome == Outcome::out_of_budget) return outcome;
        if (outcome == Outcome::found)
            set_paths({a}, found_);
        else
            fail({a}, 1);  // only the paths that must be avoided can do that
    }
    return Outcome::found;
}

// The first conflict between the present paths of some agents.
std::optional<Conflict> Icts::first_conflict(const Members& agents) {
    std::vector<std::span<const Vertex>> paths;
    for (const AgentId a : agents) paths.push_back(agents_[a].path);
    const auto conflicts = find_conflicts(space_, rules_, paths);
    if (conflicts.empty()) return std::nullopt;
    Conflict conflict = conflicts.front();
    conflict.first = agents[conflict.first];
    conflict.second = agents[conflict.second];
    return conflict;
}

Icts::Members Icts::active_except(const Members& agents) const {
    Members others;
    for (const AgentId a : members_)
        if (agents_[a].group >= 0 && std::find(agents.begin(), agents.end(), a) == agents.end())
            others.push_back(a);
    return others;
}

// Two agents conflict: one of them goes around everybody else at the same cost, or their groups
// become one. (Found means that it goes on: with fewer conflicts, fewer groups or one failure
// more.)
Outcome Icts::settle(const Conflict& conflict, Budget& budget) {
    Outcome outcome = check_pair(conflict.first, conflict.second, budget);
    if (outcome != Outcome::found)
        return outcome == Outcome::no_path ? Outcome::found : Outcome::out_of_budget;
    for (const Members& movers : {Members{conflict.first}, Members{conflict.second}}) {
        outcome = search(movers, active_except(movers), budget);
        if (outcome == Outcome::found) set_paths(movers, found_);
        if (outcome != Outcome::no_path) return outcome;
    }
    return merge(conflict, budget);
}

// Two groups become one. Their joint search grows from the two that conflict: it takes in the
// agents in its way, so that it ends early if it can, and fails with as few agents as possible.
Outcome Icts::merge(Conflict conflict, Budget& budget) {
    const auto [a, b] = std::minmax(agents_[conflict.first].group, agents_[conflict.second].group);
    Members core;
    for (;;) {
        for (const AgentId agent : {conflict.first, conflict.second})
            if (std::find(core.begin(), core.end(), agent) == core.end()) core.push_back(agent);
        std::sort(core.begin(), core.end());
        const Outcome outcome = solve_core(core, budget);
        if (outcome != Outcome::found)
            return outcome == Outcome::no_path ? Outcome::found : Outcome::out_of_budget;
        Members both = groups_[a];
        if (a != b) both.insert(both.end(), groups_[b].begin(), groups_[b].end());
        const auto next = first_conflict(both);
        if (!next) {
            for (const AgentId agent : both) agents_[agent].group = a;
            if (a != b) groups_[b].clear();
            std::sort(both.begin(), both.end());
            groups_[a] = std::move(both);
            return Outcome::found;
        }
        conflict = *next;
    }
}

// Gives agents paths that agree with each other. no_path: some or all of them have failed.
Outcome Icts::solve_core(const Members& core, Budget& budget) {
    if (options_.pruning != Pruning::none)
        for (std::size_t i = 0; i < core.size(); ++i)
            for (std::size_t j = i + 1; j < core.size(); ++j)
                if (const Outcome outcome = check_pair(core[i], core[j], budget);
                    outcome != Outcome::found)
                    return outcome;
    const Outcome outcome = search(core, {}, budget);
    if (outcome == Outcome::found) set_paths(core, found_);
    if (outcome != Outcome::no_path) return outcome;
    Quarrel quarrel;
    for (std::size_t k = 0; k < core.size(); ++k)
        if ((joint_.culprits() & blame_of(k)) != 0) {
            quarrel.agents.push_back(core[k]);
            quarrel.costs.push_back(agents_[core[k]].cost);
        }
    fail(quarrel.agents, 1);
    const auto bytes = static_cast<std::int64_t>(sizeof(Quarrel) + quarrel.agents.size() * 8);
    if (walls_.empty()) quarrels_.push_back(std::move(quarrel));
    return holding_.add(bytes, budget) ? Outcome::no_path : Outcome::out_of_budget;
}

// no_path: the two cannot have their costs together; they are out of the node with a failure.
Outcome Icts::check_pair(AgentId a, AgentId b, Budget& budget) {
    if (options_.pruning == Pruning::none) return Outcome::found;
    Pair* known = pair(a, agents_[a].cost, b, agents_[b].cost, budget);
    if (!known) return Outcome::out_of_budget;
    if (known->compatible) return Outcome::found;
    if (!find_increase(a, b, *known, budget)) return Outcome::out_of_budget;
    const auto both = std::minmax(a, b);
    if (std::find(rivals_.begin(), rivals_.end(), std::pair<AgentId, AgentId>(both)) ==
        rivals_.end())
        rivals_.emplace_back(both);
    fail({both.first, both.second}, known->increase);
    return Outcome::no_path;
}

void Icts::fail(Members agents, Cost increase) {
    for (const AgentId a : agents) {
        if (!agents_[a].path.empty()) traffic_.remove(agents_[a].path, !rules_.disappear);
        std::erase(groups_[agents_[a].group], a);
        agents_[a].group = -1;
    }
    failures_.push_back({std::move(agents), increase});
}

void Icts::set_paths(const Members& members, std::vector<std::vector<Vertex>>& paths) {
    for (std::size_t k = 0; k < members.size(); ++k) {
        Agent& agent = agents_[members[k]];
        if (!agent.path.empty() && options_.independence)
            traffic_.remove(agent.path, !rules_.disappear);
        agent.path = paths[k];
    }
    if (options_.independence)
        for (const AgentId a : members) traffic_.add(agents_[a].path, !rules_.disappear);
}

// The low level: a joint search over the diagrams of the members, around the walls and the present
// paths of some others. Found: the paths are in `found_`.
Outcome Icts::search(const Members& members, std::span<const AgentId> around, Budget& budget) {
    walkers_.clear();
    for (const AgentId a : members) {
        const CostDiagram* own = diagram(a, agents_[a].cost, budget);
        if (!own) return Outcome::out_of_budget;
        walkers_.push_back({own});
    }
    const Outcome pruned = prune(members, budget);
    if (pruned != Outcome::found) return pruned;
    std::vector<CostDiagram> others;
    others.reserve(around.size());
    for (const AgentId a : around) others.push_back(CostDiagram::of_path(agents_[a].path));
    for (const CostDiagram& diagram : others) walkers_.push_back({&diagram});
    for (const CostDiagram& diagram : walls_) walkers_.push_back({&diagram});

    const Occupied* traffic = nullptr;
    if (options_.independence) {
        for (const AgentId a : members)
            if (!agents_[a].path.empty()) traffic_.remove(agents_[a].path, !rules_.disappear);
        traffic = &traffic_;
    }
    ++statistics_.joint_searches;
    statistics_.largest_group =
        std::max(statistics_.largest_group, static_cast<std::int32_t>(members.size()));
    const Outcome outcome = joint_.run(walkers_, traffic, budget);
    if (outcome == Outcome::found) {
        found_.resize(members.size());
        for (std::size_t k = 0; k < members.size(); ++k) joint_.copy_path(k, found_[k]);
    }
    if (traffic)
        for (const AgentId a : members)
            if (!agents_[a].path.empty()) traffic_.add(agents_[a].path, !rules_.disappear);
    return outcome;
}

// Takes out of the walkers' diagrams what some other member rules out. no_path: nothing is left.
Outcome Icts::prune(const Members& members, Budget& budget) {
    if (options_.pruning == Pruning::none || members.size() < 2) return Outcome::found;
    const bool enhanced = options_.pruning == Pruning::enhanced && members.size() > 2;
    if (enhanced) {
        alive_.resize(std::max(alive_.size(), members.size()));
        for (std::size_t k = 0; k < members.size(); ++k)
            alive_[k].assign(walkers_[k].diagram->size(), 1);
    }
    const auto keep = [&](const std::vector<std::uint8_t>& left, std::size_t mine,
                          std::size_t other) {
        bool all = true;
        for (std::size_t n = 0; n < left.size(); ++n) {
            alive_[mine][n] &= left[n];
            all &= left[n] != 0;
        }
        if (!all) walkers_[mine].pruned_by |= blame_of(other);
    };
    for (std::size_t i = 0; i < members.size(); ++i)
        for (std::size_t j = i + 1; j < members.size(); ++j) {
            const AgentId a = members[i], b = members[j];
            Pair* known = pair(a, agents_[a].cost, b, agents_[b].cost, budget);
            if (!known) return Outcome::out_of_budget;
            if (!known->compatible) return Outcome::no_path;
            if (!enhanced) continue;
            const Survivors* left = survivors(a, b, *known, budget);
            if (!left) return Outcome::out_of_budget;
            keep(left->first, i, j);
            keep(left->second, j, i);
        }
    if (!enhanced) return Outcome::found;
    for (std::size_t k = 0; k < members.size(); ++k) {
        if (!trim(*walkers_[k].diagram, alive_[k])) {
            joint_.give_up(walkers_[k].pruned_by | blame_of(k));
            return Outcome::no_path;
        }
        if (walkers_[k].pruned_by != 0) walkers_[k].alive = alive_[k].data();
    }
    return Outcome::found;
}

// Diagrams and pairs, kept

bool Icts::get_ready(Agent& agent, Budget& budget) {
    if (agent.base != kNotReady) return true;
    CostDiagram::Journey& journey = agent.journey;
    if (!journey.distances) journey.distances = &distances_.acquire(journey.goal, journey.start);
    const Cost base = journey.distances->at(journey.start, budget);
    if (base == kNotReady) return false;
    journey.detour = shortest_detour(space_, journey.goal, *journey.distances, budget);
    if (journey.detour == kNotReady) return false;
    agent.base = base;
    return true;
}

// Null: the budget ran out.
const CostDiagram* Icts::diagram(AgentId agent, Cost cost, Budget& budget) {
    Agent& owner = agents_[agent];
    const auto index = static_cast<std::size_t>(cost - owner.base);
    if (owner.diagrams.size() <= index) owner.diagrams.resize(index + 1);
    auto& diagram = owner.diagrams[index];
    if (diagram) return diagram.get();
    auto built = CostDiagram::build(space_, owner.journey, cost, budget);
    if (!built) return nullptr;
    ++statistics_.diagrams;
    diagram = std::make_unique<CostDiagram>(std::move(*built));
    holding_.kept(static_cast<std::int64_t>(distances_.bytes()));
    return holding_.add(diagram->bytes(), budget) ? diagram.get() : nullptr;
}

// What is known of two agents at two costs; a joint search of the two if nothing is. Null: the
// budget ran out.
Icts::Pair* Icts::pair(AgentId a, Cost cost_a, AgentId b, Cost cost_b, Budget& budget) {
    if (a > b) {
        std::swap(a, b);
        std::swap(cost_a, cost_b);
    }
    const Cost more_a = cost_a - agents_[a].base, more_b = cost_b - agents_[b].base;
    if (std::max(more_a, more_b) > kMostPacked) return nullptr;
    const std::uint64_t key = pack(a, b) << 32 | pack(more_a, more_b);
    if (const auto found = pairs_.find(key); found != pairs_.end()) return &found->second;
    const CostDiagram* first = diagram(a, cost_a, budget);
    const CostDiagram* second = first ? diagram(b, cost_b, budget) : nullptr;
    if (!second) return nullptr;
    const Walker two[] = {{first}, {second}};
    const Outcome outcome = joint_.run(two, nullptr, budget);
    if (outcome == Outcome::out_of_budget) return nullptr;
    ++statistics_.pairs;
    Pair& known = pairs_[key];
    known.compatible = outcome == Outcome::found;
    if (known.compatible) known.increase = 0;
    return holding_.add(sizeof(Pair) + 32, budget) ? &known : nullptr;
}

// By how much the costs of an incompatible pair must rise together: tries all ways to share one,
// two, three and so on, but never more than the cost limit allows.
bool Icts::find_increase(AgentId a, AgentId b, Pair& known, Budget& budget) {
    if (known.increase > 0) return true;
    const Agent &first = agents_[a], &second = agents_[b];
    const Cost step_a = next_cost(first.journey, first.cost) - first.cost;
    const Cost step_b = next_cost(second.journey, second.cost) - second.cost;
    const bool fixed = std::min(step_a, step_b) > kUnreachable / 2;  // neither can cost more
    const Cost most = fixed ? 1 : std::max(Cost{1}, cost_limit_ - lower_bound_ + 1);
    for (Cost total = 1; total <= most; ++total) {
        known.increase = total;
        for (Cost more = 0; more <= total; ++more) {
            if ((more > 0 && more < step_a) || (total - more > 0 && total - more < step_b))
                continue;
            if (!budget.tick()) return false;
            const Pair* raised = pair(a, first.cost + more, b, second.cost + total - more, budget);
            if (!raised) return false;
            if (raised->compatible) return true;
        }
    }
    return true;
}

// Null: the budget ran out.
const Survivors* Icts::survivors(AgentId a, AgentId b, Pair& known, Budget& budget) {
    if (known.survivors) return known.survivors.get();
    const CostDiagram* first = diagram(a, agents_[a].cost, budget);
    const CostDiagram* second = first ? diagram(b, agents_[b].cost, budget) : nullptr;
    if (!second) return nullptr;
    const std::int64_t states = joint_states(*first, *second);
    auto left = std::make_unique<Survivors>();
    if (!holding_.add(states, budget)) return nullptr;
    const Outcome outcome = find_survivors(space_, rules_, *first, *second, budget, *left);
    holding_.drop(states);
    if (outcome != Outcome::found) return nullptr;
    known.survivors = std::move(left);
    const auto bytes = static_cast<std::int64_t>(first->size() + second->size());
    return holding_.add(bytes, budget) ? known.survivors.get() : nullptr;
}

}  // namespace sidestep::icts
