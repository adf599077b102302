#include "sidestep/solvers/eecbs/focal_search.hpp"

#include <algorithm>

namespace sidestep::eecbs {

namespace {
constexpr std::int32_t kStep = 2, kCollision = 3;  // what a step and a collision weigh
constexpr std::int32_t kManyCollisions = 1000;     // more make no difference
constexpr std::size_t kFewSlots = 1024;
}  // namespace

// One search with its inputs at hand; the buffers outlive it.
class FocalSearch::Run {
  public:
    Run(FocalSearch& own, AgentId agent, const cbs::ConstraintTable& constraints,
        const Occupants& others, Cost limit, Budget& budget)
        : own_(own),
          instance_(own.instance_),
          agent_(agent),
          goal_(instance_.goals[agent]),
          stays_(!instance_.vanishes(agent)),
          constraints_(constraints),
          others_(others),
          limit_(std::min(limit, constraints.latest_end())),
          budget_(budget) {}

    Outcome find(std::vector<Vertex>& path) {
        to_goal_ = instance_.distances_to(goal_, budget_);
        if (to_goal_.empty()) return Outcome::out_of_budget;
        const Vertex start = instance_.starts[agent_];
        least_ = std::max(to_goal_[start], constraints_.earliest_end());
        if (least_ > limit_ || constraints_.bans(start, 0)) return Outcome::no_path;
        own_.states_.clear();
        own_.open_.clear();
        own_.known_.clear(kFewSlots);
        relax(-1, start, 0, 0);
        for (std::int32_t index; (index = own_.open_.pop()) >= 0;) {
            if (index == end_) {
                trace_back(path);
                return Outcome::found;
            }
            State& state = own_.states_[index];
            if (state.closed) continue;  // a better copy of it came first
            state.closed = true;
            if (!budget_.spend() || !fits()) return Outcome::out_of_budget;
            ++own_.expanded_;
            const State from = state;  // the vector may grow
            if (from.vertex == goal_ && from.time >= constraints_.earliest_end())
                arrive(from, index);
            if (!stays_ && from.vertex == goal_) continue;  // gone, too early or not
            step(index, from, from.vertex);
            for (const Vertex to : instance_.space.successors(from.vertex)) step(index, from, to);
        }
        return Outcome::no_path;
    }

  private:
    // Memory is looked at when it has grown by a good part.
    bool fits() {
        if (own_.states_.size() < next_look_) return true;
        next_look_ = own_.states_.size() * 5 / 4 + kFewSlots;
        return budget_.fits(instance_.bytes() + others_.bytes() + own_.bytes());
    }

    // Who stays has yet to meet those who come later: the end of a path is a state of its own.
    // There is one at a time: the best so far.
    void arrive(const State& from, std::int32_t index) {
        const std::int32_t sum =
            from.collisions + others_.collisions_after(goal_, from.time, agent_, stays_);
        if (end_ >= 0 && own_.states_[end_].collisions <= sum) return;
        end_ = static_cast<std::int32_t>(own_.states_.size());
        own_.states_.push_back({goal_, from.time, sum, index, false});
        push(end_, from.time, sum);
    }

    void step(std::int32_t index, const State& from, Vertex to) {
        if (from.time + 1 + to_goal_[to] > limit_) return;
        const Move move{from.vertex, to};
        if (constraints_.bans(move, from.time)) return;
        relax(index, to, from.time + 1,
              from.collisions + others_.collisions(move, from.time, agent_));
    }

    void relax(std::int32_t parent, Vertex v, Time t, std::int32_t collisions) {
        std::int32_t& index = own_.known_.at(v, t, -1);
        if (index < 0) {
            index = static_cast<std::int32_t>(own_.states_.size());
            own_.states_.push_back({v, t, collisions, parent, false});
        } else {
            State& known = own_.states_[index];
            if (known.closed || known.collisions <= collisions) return;
            known = {v, t, collisions, parent, false};
        }
        push(index, t + to_goal_[v], collisions);
    }

    void push(std::int32_t index, Cost total, std::int32_t collisions) {
        const std::int32_t some = std::min(collisions, kManyCollisions);
        own_.open_.push(kStep * std::max(0, total - least_) + kCollision * some, some, index);
    }

    void trace_back(std::vector<Vertex>& path) const {
        path.clear();
        for (std::int32_t k = own_.states_[end_].parent; k >= 0; k = own_.states_[k].parent)
            path.push_back(own_.states_[k].vertex);
        std::reverse(path.begin(), path.end());
    }

    FocalSearch& own_;
    cbs::Instance& instance_;
    const AgentId agent_;
    const Vertex goal_;
    const bool stays_;
    const cbs::ConstraintTable& constraints_;
    const Occupants& others_;
    const Cost limit_;
    Budget& budget_;
    std::span<const Cost> to_goal_;
    Cost least_ = 0;
    std::int32_t end_ = -1;
    std::size_t next_look_ = 0;  // how many states there are then
};

Outcome FocalSearch::find(AgentId agent, const cbs::ConstraintTable& constraints,
                          const Occupants& others, Cost limit, Budget& budget,
                          std::vector<Vertex>& path) {
    return Run(*this, agent, constraints, others, limit, budget).find(path);
}

}  // namespace sidestep::eecbs
