#include "sidestep/solvers/lacam.hpp"

#include <algorithm>
#include <numeric>

#include "sidestep/model/random.hpp"

namespace sidestep {

namespace {

// Once in this many times the search goes back to its beginning instead of to a configuration that
// it knows, so that it leaves a part of the space in which it goes round in circles.
constexpr std::uint64_t kKnownPerRestart = 1000;
// Once there is a plan, it goes more often, and to any open configuration.
constexpr std::uint64_t kKnownPerJump = 100;
// With guidance, agents may all prefer to wait. If the sum of distances has not fallen for a few
// configurations, the next ones do without.
constexpr std::int32_t kPatience = 8, kUnguided = 24;
// With hindrance, agents may give way to each other for ever. If the sum of distances has not
// fallen below its least for as many steps, it is switched off, or on again.
constexpr std::int32_t kJam = 100;
// Guided paths are kept for as long if nobody disturbs them: plans cost as much, and it takes a
// third less time.
constexpr std::int32_t kRenewedEvery = 8;
constexpr std::uint16_t kLongest = std::numeric_limits<std::uint16_t>::max();

}  // namespace

Lacam::Lacam(const Space& space, Rules rules, const Agents& agents, Inheritance::Options options,
             Guidance::Options guide, int threads, std::uint64_t seed)
    : space_(space),
      rules_(rules),
      roads_(space, false, true),
      fields_(roads_, Fields::Kept::changes),
      moves_(space_, rules_, roads_, fields_, options),
      threads_(threads),
      seed_(seed),
      starts_(roads_.spots(agents.positions)),
      goals_(roads_.spots(agents.goals)),
      priorities_(agents.priorities),
      configurations_(agents.size(), roads_.size()),
      here_(agents.size()),
      there_(agents.size()),
      since_(agents.size()),
      since_then_(agents.size()) {
    if (guide.window > 0 && agents.size() <= Guidance::kMostAgents)
        guidance_.emplace(roads_, fields_, rules_,
                          Guidance::Options{guide.window, guide.collision, kRenewedEvery});
}

std::int64_t Lacam::bytes() const {
    return roads_.bytes() + fields_.bytes() + moves_.bytes() + configurations_.bytes() +
           (guidance_ ? guidance_->bytes() : 0) +
           static_cast<std::int64_t>(nodes_.size() * sizeof(Node) + edges_.size() * sizeof(Edge)) +
           told_entries_ * static_cast<std::int64_t>(sizeof(Told));
}

// Finds the fields of all goals, then the first configuration. False: the budget ran out; what was
// found is kept.
bool Lacam::prepare(Budget& budget) {
    if (!fields_.make(goals_, starts_, threads_, budget)) return false;
    while (travels_.size() < starts_.size()) {
        const std::size_t a = travels_.size();
        Travel travel{goals_[a], nullptr};
        if (goals_[a] != kNowhere) {
            travel.field = fields_.to(goals_[a], starts_[a], budget);
            if (!travel.field) return false;
            distances_.push_back(fields_.at(*travel.field, starts_[a], budget));
        } else {
            distances_.push_back(-1);
        }
        travels_.push_back(travel);
    }
    prepared_ = true;
    // Where memory is short, configurations need it more.
    if (guidance_ && !Budget(budget).fits(bytes() + guidance_->bytes())) guidance_.reset();
    impossible_ = std::ranges::count(distances_, kUnreachable) > 0;
    if (impossible_) return true;
    for (const Cost distance : distances_) least_ += std::max(distance, 0);
    by_rank_.resize(starts_.size());
    std::iota(by_rank_.begin(), by_rank_.end(), 0);
    std::stable_sort(by_rank_.begin(), by_rank_.end(), [&](AgentId a, AgentId b) {
        return std::pair(priorities_[a], distances_[a]) > std::pair(priorities_[b], distances_[b]);
    });
    rank_.resize(starts_.size());
    for (std::size_t k = 0; k < by_rank_.size(); ++k)
        rank_[by_rank_[k]] = static_cast<std::int32_t>(k);
    has_priorities_ = std::any_of(priorities_.begin(), priorities_.end(),
                                  [&](std::int32_t p) { return p != priorities_.front(); });
    there_ = starts_;
    for (std::size_t a = 0; a < starts_.size(); ++a) since_then_[a] = !is_home(a, starts_[a]);
    std::uint64_t hash = 0;
    for (std::size_t a = 0; a < there_.size(); ++a) hash += Configurations::hash(a, there_[a]);
    open_.push_back(add(-1, 0, least_, hash));
    return true;
}

Outcome Lacam::run(Budget& budget) {
    if (!prepared_ && !prepare(budget)) return Outcome::out_of_budget;
    if (impossible_) return Outcome::no_path;
    while (true) {
        const Total before = best_;
        if (!relax(budget)) return Outcome::out_of_budget;
        if (best_ < before) return Outcome::found;
        if (open_.empty()) return Outcome::no_path;
        const Number node = open_.back();
        if (nodes_[node].g + nodes_[node].h >= best_) {
            open_.pop_back();
        } else if (nodes_[node].h == 0) {
            open_.pop_back();
            goal_ = node;
            best_ = nodes_[node].g;
            return Outcome::found;
        } else if (!tell(node)) {
            open_.pop_back();
        } else if (expand(node, budget) == Outcome::out_of_budget) {
            return Outcome::out_of_budget;
        }
    }
}

// Who is told where to go in the next step from here: nobody when it is the first one. False: all
// successors have come.
bool Lacam::tell(Number node) {
    fixed_.clear();
    if (!nodes_[node].visited) return true;
    if (current_ != node) go_to(node);
    if (nodes_[node].told < 0) {
        nodes_[node].told = static_cast<std::int32_t>(trees_.size());
        trees_.emplace_back();
        tell_more(trees_.back(), -1);
    }
    const ToldTree& tree = trees_[nodes_[node].told];
    if (tree.next == tree.entries.size()) return false;
    for (auto k = static_cast<std::int32_t>(tree.next); k >= 0; k = tree.entries[k].parent)
        fixed_.push_back({tree.entries[k].agent, tree.entries[k].spot});
    return true;
}

// The next agent in the order is told to go everywhere that it can, in an order drawn by chance.
void Lacam::tell_more(ToldTree& tree, std::int32_t parent) {
    const std::int32_t depth = parent < 0 ? 0 : tree.entries[parent].depth + 1;
    std::int32_t present = 0;
    for (const AgentId agent : order_) {
        const Spot here = here_[agent];
        const bool leaves = rules_.disappear && here == travels_[agent].goal;
        if (here == kNowhere || leaves || present++ < depth) continue;
        const std::size_t first = tree.entries.size();
        for (const Spot s : roads_.next(here)) tree.entries.push_back({parent, agent, s, depth});
        tree.entries.push_back({parent, agent, here, depth});
        const auto count = static_cast<std::int32_t>(tree.entries.size() - first);
        const std::vector<Told> sorted(tree.entries.begin() + static_cast<std::ptrdiff_t>(first),
                                       tree.entries.end());
        const auto draw = static_cast<std::uint64_t>(steps_) << 8;
        std::size_t k = first;
        for (const std::int32_t drawn : shuffled(count, seed_, draw))
            tree.entries[k++] = sorted[drawn];
        told_entries_ += count;
        return;
    }
}

Outcome Lacam::expand(Number node, Budget& budget) {
    if (current_ != node) go_to(node);
    const std::uint64_t draw = mix(seed_ + mix(static_cast<std::uint64_t>(steps_)));
    if (!guide(node, draw, budget)) return Outcome::out_of_budget;
    const bool hindered = counts_hindrance(nodes_[node].h);
    const std::int64_t before = budget.nodes();
    const auto outcome =
        moves_.step({travels_, here_, order_, fixed_, guided_, draw, hindered}, there_, budget);
    if (outcome == Inheritance::Outcome::out_of_budget) return Outcome::out_of_budget;
    // What agents were told may contradict itself: then nobody decided, and yet it was a step.
    if (budget.nodes() == before && !budget.spend()) return Outcome::out_of_budget;
    if (!budget.fits(bytes() + configurations_.bytes_of_one())) return Outcome::out_of_budget;
    const bool done = outcome == Inheritance::Outcome::done;
    if (done && !measure(node, budget)) return Outcome::out_of_budget;
    ++steps_;
    if (nodes_[node].visited) {
        ToldTree& tree = trees_[nodes_[node].told];
        tell_more(tree, static_cast<std::int32_t>(tree.next++));
    }
    nodes_[node].visited = true;
    if (done) arrive(node);
    return Outcome::found;
}

// Finds where agents are guided to in the first step from a node. False: the budget ran out.
bool Lacam::guide(Number node, std::uint64_t draw, Budget& budget) {
    guided_.clear();
    if (!guidance_ || nodes_[node].visited || is_stalled(nodes_[node].h)) return true;
    if (node != guided_next_) guidance_->forget();
    guided_next_ = -1;
    guided_.resize(here_.size());
    return guidance_->plan(travels_, here_, order_, draw, guided_, budget);
}

bool Lacam::is_stalled(Total h) {
    if (unguided_ > 0) {
        --unguided_;
        return true;
    }
    ++since_nearest_;
    if (h < nearest_) {
        nearest_ = h;
        since_nearest_ = 0;
    }
    if (since_nearest_ < kPatience) return false;
    since_nearest_ = 0;
    nearest_ = kNoPlan;
    unguided_ = kUnguided - 1;
    return true;
}

// Whether hindrance counts in the next step, from a node with this sum of distances.
bool Lacam::counts_hindrance(Total h) {
    if (h < least_left_) {
        least_left_ = h;
        since_least_ = 0;
    } else if (++since_least_ == kJam) {
        since_least_ = 0;
        unhindered_ = !unhindered_;
    }
    return !unhindered_;
}

// What the step from a node to `there_` costs, and what is left to go. False: the budget ran out.
bool Lacam::measure(Number node, Budget& budget) {
    Successor next{configurations_.hash_of(node), 0, nodes_[node].h};
    for (std::size_t a = 0; a < here_.size(); ++a) {
        const Spot from = here_[a], to = there_[a];
        const bool home = is_home(a, to);
        since_then_[a] = home ? 0 : std::min<std::uint16_t>(since_[a], kLongest - 1) + 1;
        next.cost += travels_[a].field && !(is_home(a, from) && home);
        if (from == to) continue;
        next.hash += Configurations::hash(a, to) - Configurations::hash(a, from);
        if (!travels_[a].field || to == kNowhere) continue;
        const Cost change = fields_.change(*travels_[a].field, from, to, budget);
        if (change == Fields::kUnknown) return false;
        next.h += change;
    }
    next_ = next;
    return true;
}

// Everybody is `there_` now, coming from a node.
void Lacam::arrive(Number node) {
    const auto [hash, cost, h] = next_;
    const Number known = configurations_.find(there_, hash);
    if (known < 0) {
        const Number child = add(node, nodes_[node].g + cost, h, hash);
        connect(node, child, cost);
        open_.push_back(child);
        follow_order();
        std::swap(here_, there_);
        std::swap(since_, since_then_);
        current_ = child;
        if (!guided_.empty()) guided_next_ = child;
        return;
    }
    connect(node, known, cost);
    cheaper_.push_back(node);
    open_.push_back(next_to_visit(known));
}

// Where the search goes on when it has come to a configuration that it knows.
Lacam::Number Lacam::next_to_visit(Number known) const {
    const std::uint64_t drawn = mix(seed_ ^ mix(static_cast<std::uint64_t>(steps_) + 1));
    if (goal_ < 0) return drawn % kKnownPerRestart == 0 ? 0 : known;
    if (drawn % kKnownPerJump != 0) return known;
    return open_[static_cast<std::size_t>(mix(drawn) % open_.size())];
}

Lacam::Number Lacam::add(Number parent, Total g, Total h, std::uint64_t hash) {
    nodes_.push_back({g, h, parent});
    return configurations_.add(there_, since_then_, hash);
}

void Lacam::connect(Number from, Number to, Total cost) {
    edges_.push_back({to, nodes_[from].edges, cost});
    nodes_[from].edges = static_cast<std::int32_t>(edges_.size()) - 1;
}

// Passes cheaper ways on to what follows. False: the budget ran out; the rest is done later.
bool Lacam::relax(Budget& budget) {
    while (!cheaper_.empty()) {
        const Number node = cheaper_.back();
        cheaper_.pop_back();
        for (std::int32_t e = nodes_[node].edges; e >= 0; e = edges_[e].next) {
            Node& next = nodes_[edges_[e].to];
            const Total g = nodes_[node].g + edges_[e].cost;
            if (g >= next.g) continue;
            next.g = g;
            next.parent = node;
            cheaper_.push_back(edges_[e].to);
            if (edges_[e].to == goal_) best_ = g;
            if (goal_ >= 0 && g + next.h < best_) open_.push_back(edges_[e].to);
        }
        if (!budget.tick()) return false;
    }
    return true;
}

void Lacam::go_to(Number node) {
    configurations_.read(node, here_, since_);
    current_ = node;
    sort_order();
}

// By priority, then who has been off its goal for longest, then by the way at the beginning.
void Lacam::sort_order() {
    order_ = by_rank_;
    std::sort(order_.begin(), order_.end(), [&](AgentId a, AgentId b) {
        if (priorities_[a] != priorities_[b]) return priorities_[a] > priorities_[b];
        if (since_[a] != since_[b]) return since_[a] > since_[b];
        return rank_[a] < rank_[b];
    });
}

// The same for the configuration that follows, in one pass: who is still on the way keeps its
// place.
void Lacam::follow_order() {
    if (order_.size() != by_rank_.size()) return;
    order_then_.clear();
    for (const AgentId agent : order_)
        if (since_then_[agent] > 1) order_then_.push_back(agent);
    for (const AgentId agent : by_rank_)
        if (since_then_[agent] == 1) order_then_.push_back(agent);
    for (const AgentId agent : by_rank_)
        if (since_then_[agent] == 0) order_then_.push_back(agent);
    if (has_priorities_)
        std::stable_sort(order_then_.begin(), order_then_.end(),
                         [&](AgentId a, AgentId b) { return priorities_[a] > priorities_[b]; });
    std::swap(order_, order_then_);
}

std::vector<Lacam::Number> Lacam::chain() const {
    std::vector<Number> nodes;
    for (Number node = goal_; node >= 0; node = nodes_[node].parent) nodes.push_back(node);
    return nodes;
}

std::vector<Vertex> Lacam::plan() const {
    const std::vector<Number> nodes = chain();
    std::vector<Vertex> rows;
    rows.reserve(nodes.size() * starts_.size());
    std::vector<Spot> spots(starts_.size());
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
        configurations_.read(*node, spots);
        for (const Spot s : spots) rows.push_back(roads_.vertex(s));
    }
    return rows;
}

}  // namespace sidestep
