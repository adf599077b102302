#include "sidestep/space_time.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace sidestep {

void StateTable::prepare(std::int32_t vertices, std::int32_t layers) {
    if (++stamp_ == 0) {  // wrapped: old stamps could be taken for new ones
        dense_.clear();
        slots_.clear();
        blocks_.clear();
        stamp_ = 1;
    }
    const std::uint64_t states = static_cast<std::uint64_t>(vertices) * layers;
    hashed_ = states > kMaxDense;
    layers_ = hashed_ ? (layers + 7) / 8 : layers;
    blocks_in_use_ = 0;
    if (hashed_)
        use_slots(kFewSlots);
    else if (dense_.size() < states)
        dense_.resize(states, Entry{0, 0});
}

std::int64_t StateTable::bytes() const {
    return static_cast<std::int64_t>(dense_.size() * sizeof(Entry) + slots_.size() * sizeof(Slot) +
                                     blocks_.size() * sizeof(Block));
}

void StateTable::use_slots(std::size_t count) {
    if (slots_.size() < count) slots_.resize(count);
    slots_in_use_ = count;
    slot_shift_ = 64 - std::countr_zero(count);
}

// The slot of a key, or the free one where it belongs.
std::size_t StateTable::probe(std::uint64_t key) const {
    std::size_t k = key * 0x9E3779B97F4A7C15u >> slot_shift_;
    while (slots_[k].stamp == stamp_ && slots_[k].key != key) k = (k + 1) & (slots_in_use_ - 1);
    return k;
}

StateTable::Block& StateTable::block(std::uint64_t key) {
    std::size_t k = probe(key);
    if (slots_[k].stamp != stamp_) {
        if (blocks_in_use_ * 2 >= slots_in_use_) {
            grow();
            k = probe(key);
        }
        if (blocks_.size() == blocks_in_use_) blocks_.resize(blocks_.size() * 2 + 64);
        slots_[k] = {key, stamp_, static_cast<std::uint32_t>(blocks_in_use_++)};
    }
    return blocks_[slots_[k].block];
}

void StateTable::grow() {
    std::vector<Slot> used;
    for (std::size_t k = 0; k < slots_in_use_; ++k)
        if (slots_[k].stamp == stamp_) used.push_back(std::exchange(slots_[k], Slot{}));
    use_slots(slots_in_use_ * 2);
    for (const Slot& slot : used) slots_[probe(slot.key)] = slot;
}

namespace {

// Estimates of the cost to go. All are consistent, so a state is final when it is first expanded.
struct ExactEstimate {
    DistanceMap& distances;
    Budget& budget;
    Cost operator()(Vertex v) const { return distances.at(v, budget); }
};

struct NoEstimate {
    Cost operator()(Vertex) const { return 0; }
};

}  // namespace

// One search with its inputs at hand; the buffers outlive it.
template <class Estimate>
class SpaceTimeSearch::Run {
  public:
    Run(SpaceTimeSearch& buffers, const Space& space, const Rules& rules,
        const Reservations& reservations, const SearchTask& task, Estimate estimate, Budget& budget)
        : open_(buffers.open_),
          table_(buffers.table_),
          space_(space),
          rules_(rules),
          reservations_(reservations),
          task_(task),
          estimate_(estimate),
          budget_(budget),
          check_crossings_(!rules.crossing && space.has_crossings()) {
        // After the last reservation nothing moves any more: one layer stands for all later steps.
        last_layer_ = task.window ? task.window : std::max(reservations.last() - task.now, 0) + 1;
        free_wait_at_ = task.window || rules.free_goal_wait ? task.goal : kNowhere;
        if (task.goal != kNowhere && !task.window && !rules.disappear && task.stays)
            goal_free_from_ = after(reservations.last_taken(task.goal));
        // Where every step counts, no path can cost less than the time until the goal is free.
        // Without this, the search would first look at every way to loiter until then.
        if (!rules.free_goal_wait) least_cost_ = std::max(goal_free_from_ - task.now, 0);
    }

    Outcome find(std::vector<Vertex>& path) {
        table_.prepare(space_.size(), last_layer_ + 1);
        for (auto& stack : open_) stack.clear();
        const Cost way = estimate_(task_.start);
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
                if (!budget_.spend() || !budget_.fits(table_.bytes() + reservations_.bytes()))
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
    static Time after(Time t) { return t == kForever ? kForever : t + 1; }
    bool is_idle() const { return task_.goal == kNowhere; }
    std::int32_t layer(Time steps) const { return std::min(steps, last_layer_); }

    // An agent that disappears on arrival has no choice; it must not arrive where another follows.
    bool vanishes(Node node) const {
        return !is_idle() && rules_.disappear && node.vertex == task_.goal;
    }

    bool is_end(Node node) const {
        const Time t = task_.now + node.steps;
        if (vanishes(node)) return rules_.following || !reservations_.taken(node.vertex, t + 1);
        if (task_.window) return node.steps == task_.window;
        if (is_idle())
            return t > reservations_.last_taken(node.vertex) && space_.is_open(node.vertex);
        return node.vertex == task_.goal && t >= goal_free_from_;
    }

    // An agent whose place has closed is not at home there: it pays until it leaves.
    Cost wait_cost(Vertex v) const {
        return (is_idle() || v == free_wait_at_) && space_.is_open(v) ? 0 : 1;
    }

    void expand(Node node, Cost g) {
        const Vertex from = node.vertex;
        const Time t = task_.now + node.steps;
        const std::uint64_t* here = reservations_.row(t);
        const std::uint64_t* next = reservations_.row(t + 1);
        const bool entered_behind = Reservations::bit(next, from);
        const bool nothing_moves = !task_.window && node.steps >= last_layer_;
        if (!entered_behind && !nothing_moves) {
            relax(from, node.steps + 1, g + wait_cost(from));
        }
        if (entered_behind && !rules_.following) return;
        const AgentId follower = entered_behind ? reservations_.holder(from, t + 1) : kNobody;
        for (const Vertex to : space_.successors(from)) {
            if (Reservations::bit(next, to)) continue;
            if (Reservations::bit(here, to)) {
                if (!rules_.following) continue;
                if (entered_behind && reservations_.holder(to, t) == follower) continue;  // swap
            }
            if (check_crossings_ && space_.any_crossing({from, to}, [&](Move other) {
                    return reservations_.moves(other, t);
                }))
                continue;
            relax(to, node.steps + 1, g + 1);
        }
    }

    void relax(Vertex v, Time steps, Cost g) {
        auto& entry = table_.at(v, layer(steps));
        if (!table_.fresh(entry) && (entry.g < 0 || entry.g <= g)) return;
        table_.fill(entry, g);
        const Cost h = estimate_(v);
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
            path.push_back(v);
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
            const Cost cost = u == v ? wait_cost(v) : 1;
            if (!table_.closed_with(table_.at(u, from), g - cost)) return false;
            if (!reservations_.allows(space_, rules_, {u, v}, task_.now + from)) return false;
            v = u;
            at = from;
            g -= cost;
            return true;
        };
        const auto reached = [&](Vertex u) {
            if (u != v && may_stay_in_layer && reached_from(u, at)) return true;
            return reached_from(u, at - 1);
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
    const Reservations& reservations_;
    const SearchTask& task_;
    Estimate estimate_;
    Budget& budget_;
    bool check_crossings_;
    std::int32_t last_layer_ = 0;
    Vertex free_wait_at_ = kNowhere;
    Time goal_free_from_ = 0;
    Cost least_cost_ = 0, base_ = 0;
    bool not_ready_ = false;
};

namespace {

// In a window, an agent that stands where it wants to be and where nobody else comes has nothing to
// search for: staying costs nothing, and everything else does. In a crowd that is most agents.
bool stays_for_free(const Space& space, const Rules& rules, const Reservations& reservations,
                    const SearchTask& task) {
    const bool at_home = task.goal == kNowhere || (task.goal == task.start && !rules.disappear);
    if (!task.window || !at_home || !space.is_open(task.start)) return false;
    for (Time t = task.now + 1; t <= task.now + task.window; ++t)
        if (reservations.taken(task.start, t)) return false;
    return true;
}

}  // namespace

Outcome SpaceTimeSearch::run(const Space& space, const Rules& rules,
                             const Reservations& reservations, const SearchTask& task,
                             Budget& budget, std::vector<Vertex>& path) {
    if (stays_for_free(space, rules, reservations, task)) {
        path.assign(static_cast<std::size_t>(task.window) + 1, task.start);
        return Outcome::found;
    }
    const auto search = [&](auto estimate) {
        return Run(*this, space, rules, reservations, task, estimate, budget).find(path);
    };
    if (task.goal == kNowhere) return search(NoEstimate{});
    if (task.distances) return search(ExactEstimate{*task.distances, budget});
    return search(space.estimate_to(task.goal));
}

}  // namespace sidestep
