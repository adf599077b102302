// The search of search.hpp, written once for everything that may be in its way.
//
// `Others` says where and when somebody else is: last(), last_taken(v), taken(v, t), bytes(),
// allows(move, t), and each_step(from, t, visit), which calls visit(to) for every vertex that may
// be gone to from `from` in the step after t: first `from` itself, then its successors in their
// order. If it says how many turns_per_move() a move takes, a move that begins at t ends that much
// later; else it takes one.
#pragma once

#include <algorithm>
#include <vector>

#include "sidestep/model/collision.hpp"
#include "sidestep/spacetime/search.hpp"

namespace sidestep {

// What each_step is for others who know no quicker way than to ask allowed(move) one by one.
template <class Allowed, class Visit>
void each_allowed_step(const Space& space, Vertex from, Allowed&& allowed, Visit&& visit) {
    if (allowed(Move{from, from})) visit(from);
    for (const Vertex to : space.successors(from))
        if (allowed(Move{from, to})) visit(to);
}

// Those who have reserved their paths. What of these is in the way of a body is for who derives
// from it.
class ReservedPaths {
  public:
    ReservedPaths(const Space& space, const Rules& rules, const Reservations& reservations)
        : space_(space), rules_(rules), reservations_(reservations) {}

    Time last() const { return reservations_.last(); }
    std::int64_t bytes() const { return reservations_.bytes(); }

  protected:
    const Space& space_;
    const Rules& rules_;
    const Reservations& reservations_;
};

// Estimates of the cost to go. All are consistent, so a state is final when it is first expanded.
struct ExactEstimate {
    DistanceMap& distances;
    Budget& budget;
    Cost operator()(Vertex v) const { return distances.at(v, budget); }
};

struct NoEstimate {
    Cost operator()(Vertex) const { return 0; }
};

// One search with its inputs at hand; the buffers outlive it.
template <class Others, class Estimate>
class SpaceTimeSearch::Run {
  public:
    Run(SpaceTimeSearch& buffers, const Space& space, const Rules& rules, const Others& others,
        const SearchTask& task, Estimate estimate, Budget& budget)
        : open_(buffers.open_),
          table_(buffers.table_),
          space_(space),
          rules_(rules),
          others_(others),
          task_(task),
          estimate_(estimate),
          budget_(budget) {
        // After their last move nothing moves any more: one layer stands for all later steps.
        last_layer_ = task.window ? task.window + turns() - 1  // the last move may end outside
                                  : std::max(others.last() - task.now, 0) + 1;
        free_wait_at_ = task.window || rules.free_goal_wait ? task.goal : kNowhere;
        if (task.goal != kNowhere && !task.window && !rules.disappear && task.stays)
            goal_free_from_ = after(others.last_taken(task.goal));
        // Where every step counts, no path can cost less than the time until the goal is free.
        // Without this, the search would first look at every way to loiter until then.
        if (!rules.free_goal_wait) least_cost_ = std::max(goal_free_from_ - task.now, 0);
    }

    Outcome find(std::vector<Vertex>& path) {
        table_.prepare(space_.size(), last_layer_ + 1);
        for (auto& stack : open_) stack.clear();
        const Cost way = estimate(task_.start);
        if (way == kNotReady) return Outcome::out_of_budget;
        if (way >= kUnreachable || goal_free_from_ == kForever) return Outcome::no_path;
        base_ = std::max(way, least_cost_);
        relax(task_.start, 0, 0);
        for (std::size_t f = 0; f < open_.size(); ++f) {
            while (!open_[f].empty()) {
                const Node node = open_[f].back();
                open_[f].pop_back();
                auto& entry = table_.at(node.vertex, layer(node.steps));
                if (entry.g < 0) continue;  // a cheaper copy of it came first
                if (is_end(node)) {
                    trace_back(node, path);
                    return Outcome::found;
                }
                if (!budget_.spend() || !budget_.fits(table_.bytes() + others_.bytes()))
                    return Outcome::out_of_budget;
                const Cost g = entry.g;
                entry.g = -1 - g;
                if (!vanishes(node)) expand(node, g);
                if (not_ready_) return Outcome::out_of_budget;
            }
        }
        return Outcome::no_path;
    }

  private:
    // How long a move takes; known to the compiler for agents that move every turn.
    Time turns() const {
        if constexpr (requires(const Others& others) { others.turns_per_move(); })
            return others_.turns_per_move();
        else
            return 1;
    }

    Cost estimate(Vertex v) const {
        const Cost moves = estimate_(v);
        if (turns() == 1 || moves == kNotReady || moves >= kUnreachable) return moves;
        return static_cast<Cost>(
            std::min<std::int64_t>(std::int64_t{moves} * turns(), kUnreachable));
    }

    static Time after(Time t) { return t == kForever ? kForever : t + 1; }
    bool is_idle() const { return task_.goal == kNowhere; }
    std::int32_t layer(Time steps) const { return std::min(steps, last_layer_); }

    // An agent that disappears on arrival has no choice; it must not arrive where another follows.
    bool vanishes(Node node) const {
        return !is_idle() && rules_.disappear && node.vertex == task_.goal;
    }

    bool is_end(Node node) const {
        const Time t = task_.now + node.steps;
        if (vanishes(node))
            return may_disappear(rules_, [&] { return others_.taken(node.vertex, t + 1); });
        if (task_.window) return node.steps >= task_.window;
        if (is_idle()) return t > others_.last_taken(node.vertex) && space_.is_open(node.vertex);
        return node.vertex == task_.goal && t >= goal_free_from_;
    }

    // An agent whose place has closed is not at home there: it pays until it leaves.
    Cost wait_cost(Vertex v) const {
        return (is_idle() || v == free_wait_at_) && space_.is_open(v) ? 0 : 1;
    }

    void expand(Node node, Cost g) {
        const Vertex from = node.vertex;
        const bool nothing_moves = !task_.window && node.steps >= last_layer_;
        std::int64_t moves = 0;
        others_.each_step(from, task_.now + node.steps, [&](Vertex to) {
            ++moves;
            if (to != from)
                relax(to, node.steps + turns(), g + turns());
            else if (!nothing_moves)
                relax(from, node.steps + 1, g + wait_cost(from));
        });
        budget_.generate(moves);
    }

    void relax(Vertex v, Time steps, Cost g) {
        auto& entry = table_.at(v, layer(steps));
        if (!table_.fresh(entry) && (entry.g < 0 || entry.g <= g)) return;
        table_.fill(entry, g);
        const Cost h = estimate(v);
        if (h == kNotReady) not_ready_ = true;
        const Cost total = std::max(g + h, least_cost_);
        // Of no use at this cost; but a cheaper way to it may still be found, so it is not closed.
        if (h == kNotReady || h >= kUnreachable || total > task_.cost_limit) return;
        const std::size_t f = static_cast<std::size_t>(total - base_);
        if (f >= open_.size()) open_.resize(f + 8);
        open_[f].push_back({v, steps});
    }

    // States do not remember where they came from; the costs tell. That halves the table, and only
    // the states of one path have to be looked at again.
    void trace_back(Node end, std::vector<Vertex>& path) {
        path.assign(1, end.vertex);
        Vertex v = end.vertex;
        std::int32_t at = layer(end.steps);
        Cost g = table_.at(v, at).g;
        Vertex next = kNowhere;
        while (at > 0) {
            const Vertex here = v;
            step_back(v, at, g, next);
            next = here;
            path.insert(path.end(), v == here ? 1 : turns(), v);
        }
        std::reverse(path.begin(), path.end());
    }

    // Goes from a state to one from which it was reached at this cost. `next` is where the path
    // goes from here. Of equal paths we take the one that waits early, because an agent that
    // hurries ahead only to wait there is in everybody's way; but it waits rather than swing to and
    // fro.
    void step_back(Vertex& v, std::int32_t& at, Cost& g, Vertex next) {
        const bool may_stay_in_layer = !task_.window && at == last_layer_;
        const auto reached_from = [&](Vertex u, std::int32_t from) {
            const Cost cost = u == v ? wait_cost(v) : turns();
            if (!table_.closed_with(table_.at(u, from), g - cost)) return false;
            if (!others_.allows({u, v}, task_.now + from)) return false;
            v = u;
            at = from;
            g -= cost;
            return true;
        };
        const auto reached = [&](Vertex u) {
            if (u == v) return reached_from(u, at - 1);
            // The last layer is reached also by what ends after it.
            const std::int32_t earliest = std::max(at - turns(), 0);
            const std::int32_t latest = may_stay_in_layer ? at : at - turns();
            for (std::int32_t from = latest; from >= earliest; --from)
                if (reached_from(u, from)) return true;
            return false;
        };
        if (space_.is_open(v))
            for (const Vertex u : space_.predecessors(v))
                if (u != next && reached(u)) return;
        if (reached(v)) return;
        if (next != kNowhere && space_.is_open(v) && space_.connects(next, v) && reached(next))
            return;
        reached(task_.start);  // which may have closed, and is then nobody's predecessor
    }

    std::vector<std::vector<Node>>& open_;
    StateTable& table_;
    const Space& space_;
    const Rules& rules_;
    const Others& others_;
    const SearchTask& task_;
    Estimate estimate_;
    Budget& budget_;
    std::int32_t last_layer_ = 0;
    Vertex free_wait_at_ = kNowhere;
    Time goal_free_from_ = 0;
    Cost least_cost_ = 0, base_ = 0;
    bool not_ready_ = false;
};

template <class Others>
Outcome SpaceTimeSearch::run_among(const Space& space, const Rules& rules, const Others& others,
                                   const SearchTask& task, Budget& budget,
                                   std::vector<Vertex>& path) {
    if (stays_for_free(space, rules, others, task)) {
        path.assign(static_cast<std::size_t>(task.window) + 1, task.start);
        return Outcome::found;
    }
    const auto search = [&](auto estimate) {
        return Run<Others, decltype(estimate)>(*this, space, rules, others, task, estimate, budget)
            .find(path);
    };
    if (task.goal == kNowhere) return search(NoEstimate{});
    if (task.distances) return search(ExactEstimate{*task.distances, budget});
    return search(space.estimate_to(task.goal));
}

// In a window, an agent that stands where it wants to be and where nobody else comes has nothing to
// search for: staying costs nothing, and everything else does. In a crowd that is most agents.
template <class Others>
bool SpaceTimeSearch::stays_for_free(const Space& space, const Rules& rules, const Others& others,
                                     const SearchTask& task) {
    const bool at_home = task.goal == kNowhere || (task.goal == task.start && !rules.disappear);
    if (!task.window || !at_home || !space.is_open(task.start)) return false;
    for (Time t = task.now + 1; t <= task.now + task.window; ++t)
        if (others.taken(task.start, t)) return false;
    return true;
}

}  // namespace sidestep
