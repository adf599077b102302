#include "sidestep/solvers/lns.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>
#include <tuple>

#include "sidestep/solvers/lns/mender.hpp"

namespace sidestep {

namespace {

constexpr auto kLook = std::chrono::milliseconds(1);

// The end of a run is left to repairs that only make it better.
constexpr std::int32_t kCold = 900;  // thousandths of the budget
// Where kAuto begins. On larger maps there are fewer repairs per agent, and all have to gain.
constexpr std::int32_t kWarm = 1500;
constexpr std::int32_t kMostWarmPlaces = 1000;

}  // namespace

Lns::Lns(const Space& space, Rules rules, const Agents& agents, Options options, std::uint64_t seed)
    : space_(space),
      rules_(rules),
      roads_(space),
      fields_(roads_),
      options_(options),
      seed_(seed),
      starts_(roads_.spots(agents.positions)),
      goals_(roads_.spots(agents.goals)),
      priorities_(agents.priorities) {
    if (options_.temperature == kAuto)
        options_.temperature = roads_.size() <= kMostWarmPlaces ? kWarm : 0;
}

bool Lns::prepare(Budget& budget) {
    while (planned_agents_.size() < starts_.size()) {
        const std::size_t a = planned_agents_.size();
        PlannedAgent planned{starts_[a], goals_[a], nullptr, 0};
        if (goals_[a] != kNowhere) {
            const Fields::Field* field = fields_.to(goals_[a], starts_[a], budget);
            if (!field) return false;
            planned.field = field;
            planned.distance = field->known(starts_[a]);
            possible_ = possible_ && planned.distance < kUnreachable;
            least_ += planned.distance;
        }
        planned_agents_.push_back(planned);
    }
    return true;
}

Outcome Lns::begin(std::vector<SpotPath> paths, Budget& budget) {
    lanes_.clear();
    if (!budget.has_time_to_write(Timelines::bytes_at_first(roads_))) return Outcome::out_of_budget;
    LivePlan plan(space_, rules_, roads_, planned_agents_, options_.margin);
    if (!plan.begin(std::move(paths), budget)) return Outcome::out_of_budget;
    for (AgentId a = 0; a < plan.size(); ++a) {
        plan.lift(a);
        const bool fits = plan.lines().allows(plan.path(a), plan.parks(a));
        plan.lay(a);
        if (!fits) return Outcome::no_path;
        if (!budget.tick(static_cast<std::int64_t>(plan.path(a).size())))
            return Outcome::out_of_budget;
    }
    const std::int64_t bytes = plan.bytes() * options_.lanes;
    if (!budget.fits(fields_.bytes() + bytes) || !budget.has_time_to_write(bytes))
        return Outcome::out_of_budget;
    for (std::int32_t lane = 0; lane < options_.lanes; ++lane)
        lanes_.push_back(
            std::make_unique<Improver>(plan, mix(seed_ + mix(static_cast<std::uint64_t>(lane)))));
    best_ = plan.cost();
    best_at_ = 0;
    note(budget);
    return Outcome::found;
}

Outcome Lns::mend(std::vector<SpotPath> paths, Budget& budget) {
    if (!budget.has_time_to_write(Timelines::bytes_at_first(roads_))) return Outcome::out_of_budget;
    Mender mender(space_, rules_, roads_, planned_agents_, options_.margin, seed_);
    const Outcome outcome = mender.mend(paths, budget);
    return outcome == Outcome::found ? begin(std::move(paths), budget) : outcome;
}

Outcome Lns::plan_all(std::int64_t restarts, Budget& budget) {
    std::vector<AgentId> order(starts_.size());
    std::iota(order.begin(), order.end(), 0);
    // Idle agents last, since they can stay anywhere.
    const auto key = [&](AgentId a) {
        const PlannedAgent& planned = planned_agents_[a];
        return std::tuple(priorities_[a], planned.goal != kNowhere, planned.distance);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](AgentId a, AgentId b) { return key(a) > key(b); });
    std::vector<SpotPath> paths(starts_.size());
    for (std::int64_t k = 0; k <= restarts; ++k) {
        ++attempts_;
        const Outcome outcome = attempt(order, paths, budget);
        if (outcome == Outcome::found) return begin(std::move(paths), budget);
        if (outcome == Outcome::out_of_budget || order.front() == failed_) return outcome;
        const auto place = std::find(order.begin(), order.end(), failed_);
        std::rotate(order.begin(), place, place + 1);
    }
    return Outcome::no_path;
}

// Everybody around those before it; failed_ is who finds no way.
Outcome Lns::attempt(std::span<const AgentId> order, std::vector<SpotPath>& paths, Budget& budget) {
    if (!budget.has_time_to_write(Timelines::bytes_at_first(roads_))) return Outcome::out_of_budget;
    Timelines lines(space_, rules_, roads_, options_.margin);
    Intervals search;
    IntervalTask task;
    task.salt = mix(seed_ + static_cast<std::uint64_t>(attempts_));
    task.held = fields_.bytes();
    failed_ = kNobody;
    for (const AgentId agent : order) {
        const PlannedAgent& planned = planned_agents_[agent];
        task.start = planned.start;
        task.goal = planned.goal;
        task.field = planned.field;
        const Outcome outcome = search.run(lines, task, budget, paths[agent]);
        if (outcome == Outcome::no_path) failed_ = agent;
        if (outcome != Outcome::found) return outcome;
        if (!lines.make_room(static_cast<Time>(paths[agent].size()) - 1, budget))
            return Outcome::out_of_budget;
        lines.put(paths[agent], stays(agent));
    }
    return Outcome::found;
}

Outcome Lns::run(std::int64_t nodes, Budget& budget) {
    if (best_ == least_) return Outcome::no_path;
    const std::int64_t before = best_;
    const bool in_time = options_.lanes == 1 ? run_alone(nodes, budget) : run_round(nodes, budget);
    if (best_ < before) {
        best_at_ = repairs();
        note(budget);
    }
    if (!in_time || budget.exhausted()) return Outcome::out_of_budget;
    const bool impatient = options_.patience > 0 && repairs() - best_at_ > options_.patience;
    return best_ == least_ || impatient ? Outcome::no_path : Outcome::found;
}

// How much of the limits of nodes and of time is used up, in thousandths: of the one that will come
// first. 0 if there are none.
std::int32_t Lns::spent_of(const Budget& budget) const {
    const double nodes = static_cast<double>(budget.nodes());
    double most = nodes / (nodes + static_cast<double>(budget.nodes_left()) + 1);
    if (options_.seconds > 0) most = std::max(most, budget.elapsed() / options_.seconds);
    return static_cast<std::int32_t>(1000 * std::min(most, 1.0));
}

// It falls from the first value to nothing. If nobody knows when the end will come, it falls while
// the plan does not become better.
std::int32_t Lns::temperature(const Budget& budget) const {
    const std::int32_t spent = spent_of(budget);
    if (spent > 0) return options_.temperature * std::max(kCold - spent, 0) / kCold;
    const std::int64_t idle = repairs() - best_at_, slow = 100 * std::int64_t{agents()} + 1;
    return static_cast<std::int32_t>(options_.temperature * slow / (slow + idle));
}

bool Lns::run_alone(std::int64_t nodes, Budget& budget) {
    Improver& lane = *lanes_.front();
    const std::int64_t end = budget.nodes() + nodes;
    const std::int64_t last_repair =
        options_.patience > 0 ? best_at_ + options_.patience : lane.repairs() + nodes;
    while (budget.nodes() < end && lane.repairs() <= last_repair && lane.best() > least_) {
        if (!lane.repair(temperature(budget), budget)) return false;
        if (lane.best() == best_) continue;
        best_ = lane.best();
        best_at_ = lane.repairs();
        note(budget);
    }
    return true;
}

bool Lns::run_round(std::int64_t nodes, Budget& budget) {
    const std::int64_t left = budget.nodes_left() / options_.lanes;
    const std::int64_t share = std::min(nodes, std::max<std::int64_t>(left, 1));
    const std::int32_t warmth = temperature(budget);
    std::atomic<bool> stopped = false;
    std::atomic<std::size_t> next = 0, done = 0;
    // Only the thread that was called may ask who watches; the others hear of it.
    const auto caller = std::this_thread::get_id();
    const auto poll = [&] {
        if (std::this_thread::get_id() == caller && !budget.look()) stopped = true;
        return stopped.load();
    };
    std::vector<std::atomic<std::int64_t>> stores(lanes_.size());
    std::vector<Budget> budgets;
    for (auto& store : stores) {
        store = share;
        budgets.push_back(budget.for_thread(store, options_.lanes, poll));
    }
    const auto work = [&] {
        for (std::size_t k; (k = next++) < lanes_.size(); ++done) run_lane(k, warmth, budgets[k]);
    };
    std::vector<std::thread> others;
    for (std::int32_t k = 1; k < std::min(options_.threads, options_.lanes); ++k)
        others.emplace_back(work);
    work();
    while (done < lanes_.size() && !poll()) std::this_thread::sleep_for(kLook);
    for (std::thread& other : others) other.join();
    for (const Budget& part : budgets) budget.charge(part.nodes(), part.moves());
    const bool merged = merge(budget);
    if (budget.nodes_left() <= 0) budget.end(Stop::nodes);
    return merged && budget.look();
}

void Lns::run_lane(std::size_t lane, std::int32_t temperature, Budget& budget) {
    Improver& improver = *lanes_[lane];
    improver.remember_changes(true);
    while (improver.best() > least_ && improver.repair(temperature, budget)) {
    }
    improver.restore_best();
}

// The best lane's plan, and what still fits of the others; then all have it.
bool Lns::merge(Budget& budget) {
    const auto cheaper = [](const auto& a, const auto& b) { return a->best() < b->best(); };
    const auto first = std::min_element(lanes_.begin(), lanes_.end(), cheaper);
    for (auto lane = lanes_.begin(); lane != lanes_.end(); ++lane) {
        if (lane == first) continue;
        for (Improver::Change& change : (*lane)->changes())
            (*first)->try_change(change.agents, change.paths, budget);
    }
    best_ = (*first)->best();
    for (auto lane = lanes_.begin(); lane != lanes_.end(); ++lane)
        if (lane != first && !(*lane)->adopt((*first)->plan_paths(), budget)) return false;
    return true;
}

// Rows are thinned out when there are too many.
void Lns::note(const Budget& budget) {
    const Row row{budget.elapsed(), budget.nodes(), best_};
    if (history_.size() > 1 && row.nodes - history_[history_.size() - 2].nodes < nodes_per_row_) {
        history_.back() = row;
        return;
    }
    history_.push_back(row);
    if (history_.size() < kMostRows) return;
    std::size_t kept = 0;
    for (std::size_t k = 0; k < history_.size(); k += 2) history_[kept++] = history_[k];
    history_.resize(kept);
    history_.push_back(row);
    nodes_per_row_ = 2 * row.nodes / static_cast<std::int64_t>(kMostRows);
}

std::vector<SpotPath> Lns::paths() const { return lanes_.front()->best_paths(); }

std::int64_t Lns::repairs() const {
    std::int64_t all = 0;
    for (const auto& lane : lanes_) all += lane->repairs();
    return all;
}

std::int64_t Lns::accepted() const {
    std::int64_t all = 0;
    for (const auto& lane : lanes_) all += lane->accepted();
    return all;
}

std::int64_t Lns::bytes() const {
    std::int64_t all = roads_.bytes() + fields_.bytes();
    for (const auto& lane : lanes_) all += lane->bytes();
    return all;
}

}  // namespace sidestep
