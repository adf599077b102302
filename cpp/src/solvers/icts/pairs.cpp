#include "sidestep/solvers/icts/pairs.hpp"

#include <algorithm>
#include <utility>

#include "sidestep/model/collision.hpp"

namespace sidestep::icts {

namespace {

// One agent of a pair, also after the end of its diagram.
class Side {
  public:
    Side(const CostDiagram& diagram, bool disappears)
        : diagram_(diagram), disappears_(disappears) {}

    CostDiagram::Node first(Time t) const { return diagram_.first(std::min(t, diagram_.cost())); }
    CostDiagram::Node width(Time t) const { return t > diagram_.cost() ? 1 : diagram_.width(t); }
    Vertex place(CostDiagram::Node node, Time t) const {
        return disappears_ && t > diagram_.cost() ? kNowhere : diagram_.vertex(node);
    }
    // Calls visit for every node of the next level that can follow, until it returns true.
    template <class Visit>
    bool any_next(CostDiagram::Node node, Time t, Visit&& visit) const {
        if (t >= diagram_.cost()) return visit(node);
        for (const CostDiagram::Node next : diagram_.successors(node))
            if (visit(next)) return true;
        return false;
    }

  private:
    const CostDiagram& diagram_;
    bool disappears_;
};

class PairSearch {
  public:
    PairSearch(const Space& space, const Rules& rules, const CostDiagram& a, const CostDiagram& b)
        : space_(space),
          rules_(rules),
          a_(a, rules.disappear),
          b_(b, rules.disappear),
          end_(std::max(a.cost(), b.cost())) {
        for (Time t = 0; t <= end_; ++t) {
            first_.push_back(states_.size());
            states_.resize(states_.size() + static_cast<std::size_t>(a_.width(t)) * b_.width(t));
        }
    }

    bool run(Budget& budget) {
        states_[0] = kReached;
        for (Time t = 0; t < end_; ++t)
            if (!each_state(t, kReached, budget,
                            [&](CostDiagram::Node a, CostDiagram::Node b, std::uint8_t&) {
                                any_step(t, a, b, [](std::uint8_t& next) {
                                    next = kReached;
                                    return false;
                                });
                            }))
                return false;
        states_.back() = states_.back() == kReached ? kUseful : kUnseen;
        for (Time t = end_; t-- > 0;)
            if (!each_state(t, kReached, budget,
                            [&](CostDiagram::Node a, CostDiagram::Node b, std::uint8_t& state) {
                                if (any_step(t, a, b,
                                             [](std::uint8_t& next) { return next == kUseful; }))
                                    state = kUseful;
                            }))
                return false;
        return true;
    }

    bool solvable() const { return states_[0] == kUseful; }

    void mark(Survivors& survivors, Budget& budget) {
        for (Time t = 0; t <= end_; ++t)
            each_state(t, kUseful, budget,
                       [&](CostDiagram::Node a, CostDiagram::Node b, std::uint8_t&) {
                           survivors.first[a] = survivors.second[b] = 1;
                       });
    }

  private:
    enum State : std::uint8_t { kUnseen, kReached, kUseful };

    std::uint8_t& state(Time t, CostDiagram::Node a, CostDiagram::Node b) {
        return states_[first_[t] + static_cast<std::size_t>(a - a_.first(t)) * b_.width(t) +
                       (b - b_.first(t))];
    }
    // False: the budget ran out.
    template <class Visit>
    bool each_state(Time t, State wanted, Budget& budget, Visit&& visit) {
        for (CostDiagram::Node a = a_.first(t); a < a_.first(t) + a_.width(t); ++a) {
            if (!budget.tick()) return false;
            for (CostDiagram::Node b = b_.first(t); b < b_.first(t) + b_.width(t); ++b)
                if (state(t, a, b) == wanted) visit(a, b, state(t, a, b));
        }
        return true;
    }
    // Calls visit for the states that a collision-free step leads to, until it returns true.
    template <class Visit>
    bool any_step(Time t, CostDiagram::Node a, CostDiagram::Node b, Visit&& visit) {
        const Vertex from_a = a_.place(a, t), from_b = b_.place(b, t);
        return a_.any_next(a, t, [&](CostDiagram::Node next_a) {
            const Move move_a{from_a, a_.place(next_a, t + 1)};
            return b_.any_next(b, t, [&](CostDiagram::Node next_b) {
                const Move move_b{from_b, b_.place(next_b, t + 1)};
                return !collides(space_, rules_, move_a, move_b) &&
                       visit(state(t + 1, next_a, next_b));
            });
        });
    }

    const Space& space_;
    const Rules& rules_;
    Side a_, b_;
    Time end_;
    std::vector<std::size_t> first_;  // per level, the first of its states
    std::vector<std::uint8_t> states_;
};

}  // namespace

Outcome find_survivors(const Space& space, const Rules& rules, const CostDiagram& first,
                       const CostDiagram& second, Budget& budget, Survivors& survivors) {
    PairSearch search(space, rules, first, second);
    if (!search.run(budget)) return Outcome::out_of_budget;
    if (!search.solvable()) return Outcome::no_path;
    survivors.first.assign(first.size(), 0);
    survivors.second.assign(second.size(), 0);
    search.mark(survivors, budget);
    return budget.exhausted() ? Outcome::out_of_budget : Outcome::found;
}

std::int64_t joint_states(const CostDiagram& first, const CostDiagram& second) {
    std::int64_t sum = 0;
    for (Time t = 0; t <= std::max(first.cost(), second.cost()); ++t)
        sum += std::int64_t{t > first.cost() ? 1 : first.width(t)} *
               (t > second.cost() ? 1 : second.width(t));
    return sum;
}

}  // namespace sidestep::icts
