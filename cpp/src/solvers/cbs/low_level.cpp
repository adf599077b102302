#include "sidestep/solvers/cbs/low_level.hpp"

#include <algorithm>
#include <bit>

namespace sidestep::cbs {

namespace {
constexpr std::int32_t kManyConflicts = 1000;  // more make no difference
constexpr std::int32_t kParkedConflicts = 64;  // standing for good where another one does
}  // namespace

void LowLevel::clear() {
    states_.clear();
    open_.clear();
    if (slots_.empty() || ++stamp_ == 0) {
        slots_.assign(std::max<std::size_t>(slots_.size(), 1024), Slot{});
        stamp_ = 1;
    }
    shift_ = 64 - std::countr_zero(slots_.size());
}

// The number of the state with this key; a new one gets the next.
std::int32_t& LowLevel::slot(std::uint64_t key, bool& is_new) {
    if (states_.size() * 2 >= slots_.size()) grow();
    std::size_t k = key * 0x9E3779B97F4A7C15u >> shift_;
    while (slots_[k].stamp == stamp_ && slots_[k].key != key) k = (k + 1) & (slots_.size() - 1);
    is_new = slots_[k].stamp != stamp_;
    if (is_new) slots_[k] = {key, stamp_, static_cast<std::int32_t>(states_.size())};
    return slots_[k].state;
}

void LowLevel::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    shift_ = 64 - std::countr_zero(slots_.size());
    for (const Slot& slot : old) {
        if (slot.stamp != stamp_) continue;
        std::size_t k = slot.key * 0x9E3779B97F4A7C15u >> shift_;
        while (slots_[k].stamp == stamp_) k = (k + 1) & (slots_.size() - 1);
        slots_[k] = slot;
    }
}

// One search with its inputs at hand; the buffers outlive it.
class LowLevel::Run {
  public:
    Run(LowLevel& own, AgentId agent, const ConstraintTable& constraints, const Traffic* traffic,
        Budget& budget)
        : own_(own),
          instance_(own.instance_),
          agent_(agent),
          goal_(instance_.goals[agent]),
          is_idle_(instance_.is_idle(agent)),
          vanishes_(instance_.vanishes(agent)),
          counts_every_step_(instance_.counts_every_step()),
          constraints_(constraints),
          traffic_(traffic),
          budget_(budget) {
        last_layer_ = std::max({constraints.last(), traffic ? traffic->settled() : 0,
                                instance_.avoid ? instance_.avoid->settled() : 0}) +
                      1;
    }

    Outcome find(std::vector<Vertex>& path, Cost& cost) {
        const Vertex start = instance_.starts[agent_];
        if (constraints_.earliest_end() > constraints_.latest_end()) return Outcome::no_path;
        if (constraints_.earliest_end() == kForever || constraints_.bans(start, 0))
            return Outcome::no_path;
        if (!prepare()) return Outcome::out_of_budget;
        own_.clear();
        relax(-1, start, 0, 0, 0, 0);
        for (std::int32_t index; (index = own_.open_.pop()) >= 0;) {
            State& state = own_.states_[index];
            if (state.closed) continue;  // a better copy of it came first
            state.closed = true;
            if (is_end(state)) {
                trace_back(index, path);
                cost = is_idle_ ? 0 : state.g;
                return Outcome::found;
            }
            if (!budget_.spend() || !budget_.fits(instance_.bytes() + own_.bytes()))
                return Outcome::out_of_budget;
            ++own_.expanded_;
            if (vanishes_ && state.vertex == goal_) continue;  // gone before it was allowed to be
            expand(index, state);
        }
        return Outcome::no_path;
    }

  private:
    // Distances to the goal and to wherever the agent has to be on its way. `rest_[k]` is the least
    // cost from visit k to the goal.
    bool prepare() {
        if (is_idle_) return true;
        to_goal_ = instance_.distances_to(goal_, budget_);
        if (to_goal_.empty()) return false;
        least_ = constraints_.earliest_end();
        const auto visits = constraints_.visits();
        rest_.resize(visits.size());
        for (std::size_t k = visits.size(); k-- > 0;) {
            const auto [v, t] = visits[k];
            to_visit_.push_back(instance_.distances_to(v, budget_));
            if (to_visit_.back().empty()) return false;
            rest_[k] = k + 1 == visits.size() ? to_goal_[v] : to_visit(k + 1)[v] + rest_[k + 1];
            rest_[k] = std::min(rest_[k], kUnreachable);
            // The goal may be visited after the arrival for good, any other place only before.
            if (v != goal_) least_ = std::max(least_, t + to_goal_[v]);
        }
        return true;
    }
    std::span<const Cost> to_visit(std::size_t k) const { return to_visit_[rest_.size() - 1 - k]; }

    // The least cost of a path through this state; kUnreachable if there is none.
    Cost estimate(Vertex v, Time t, Cost g) const {
        if (is_idle_) return 0;
        if (to_goal_[v] >= kUnreachable) return kUnreachable;
        Cost total = g + to_goal_[v];
        const auto visits = constraints_.visits();
        std::size_t k = 0;
        while (k < visits.size() && visits[k].time < t) ++k;
        if (k < visits.size()) {
            const Cost way = to_visit(k)[v];
            if (way > visits[k].time - t) return kUnreachable;
            total = std::max(total, counts_every_step_ ? 0 : g + way + rest_[k]);
        }
        if (counts_every_step_) total = std::max(total, least_);
        return total > constraints_.latest_end() ? kUnreachable : total;
    }

    bool is_end(const State& state) const {
        if (is_idle_) return state.time == last_layer_ && constraints_.may_stop(state.vertex);
        if (state.vertex != goal_ || state.time < constraints_.earliest_end()) return false;
        if (vanishes_ && instance_.illegal && !instance_.illegal->lets_leave(goal_, state.time))
            return false;
        return state.time <= constraints_.latest_end() && keeps_visits(state.time);
    }

    // Will an agent that stays on its goal from t on be wherever it has to be?
    bool keeps_visits(Time t) const {
        for (const auto visit : constraints_.visits())
            if (visit.time > t && (vanishes_ || visit.vertex != goal_)) return false;
        return true;
    }

    void expand(std::int32_t index, const State& state) {
        if (is_idle_ && state.time >= last_layer_) return;
        const State from = state;  // the vector may grow
        const bool free_wait = !counts_every_step_ && from.vertex == goal_;
        step(index, from, from.vertex, is_idle_ || free_wait ? 0 : 1);
        for (const Vertex to : instance_.space.successors(from.vertex))
            step(index, from, to, is_idle_ ? 0 : 1);
    }

    void step(std::int32_t index, const State& from, Vertex to, Cost cost) {
        const Move move{from.vertex, to};
        if (constraints_.bans(move, from.time)) return;
        std::int32_t conflicts = from.conflicts;
        if (instance_.avoid) conflicts += instance_.avoid->conflicts(move, from.time);
        if (traffic_) {
            conflicts += traffic_->conflicts(move, from.time, agent_);
            if (is_idle_ && from.time + 1 == last_layer_ && traffic_->is_parked_on(agent_, to))
                conflicts += kParkedConflicts;
        }
        relax(index, to, from.time + 1, from.g + cost, conflicts, from.moves + (to != from.vertex));
    }

    void relax(std::int32_t parent, Vertex v, Time t, Cost g, std::int32_t conflicts,
               std::int32_t moves) {
        const Cost total = estimate(v, t, g);
        if (total >= kUnreachable) return;
        const std::uint64_t layer = static_cast<std::uint64_t>(std::min(t, last_layer_));
        bool is_new;
        const std::int32_t index = own_.slot(layer << 32 | static_cast<std::uint32_t>(v), is_new);
        const State state{v, t, g, conflicts, moves, parent, false};
        if (is_new) {
            own_.states_.push_back(state);
        } else {
            State& known = own_.states_[index];
            if (known.closed || !is_better(state, known)) return;
            known = state;
        }
        if (parent < 0) first_total_ = total;
        is_idle_ ? own_.open_.push(std::min(conflicts, kManyConflicts), moves, index)
                 : own_.open_.push(std::max(0, total - first_total_), conflicts, index);
    }

    bool is_better(const State& a, const State& b) const {
        if (a.g != b.g) return a.g < b.g;
        if (a.conflicts != b.conflicts) return a.conflicts < b.conflicts;
        return is_idle_ && a.moves < b.moves;
    }

    void trace_back(std::int32_t index, std::vector<Vertex>& path) const {
        path.clear();
        for (; index >= 0; index = own_.states_[index].parent)
            path.push_back(own_.states_[index].vertex);
        std::reverse(path.begin(), path.end());
        // Who is where it stays does not go on waiting. (Where every step counts the length is the
        // cost, and an agent may be told to arrive late.)
        if (is_idle_ || !counts_every_step_)
            while (path.size() > 1 && path[path.size() - 2] == path.back()) path.pop_back();
    }

    LowLevel& own_;
    Instance& instance_;
    const AgentId agent_;
    const Vertex goal_;
    const bool is_idle_, vanishes_, counts_every_step_;
    const ConstraintTable& constraints_;
    const Traffic* traffic_;
    Budget& budget_;
    Time last_layer_;
    Cost first_total_ = 0;  // the least cost that can be hoped for
    Cost least_ = 0;        // where every step counts, no path can cost less
    std::span<const Cost> to_goal_;
    std::vector<std::span<const Cost>> to_visit_;  // in reverse order
    std::vector<Cost> rest_;
};

Outcome LowLevel::find(AgentId agent, const ConstraintTable& constraints, const Traffic* traffic,
                       Budget& budget, std::vector<Vertex>& path, Cost& cost) {
    return Run(*this, agent, constraints, traffic, budget).find(path, cost);
}

}  // namespace sidestep::cbs
