// LaCAM and LaCAM* (Okumura 2023, 2023b): depth-first search over configurations, the places of all
// agents at once.
//
// PIBT makes the successor of a configuration. When the search comes back to one, somebody is told
// where to go, in all ways one after another, then the next agent as well: so that all successors
// come in the end, but hardly any has to. Without a time limit it finds a plan or proves that there
// is none. After the first plan it goes on (LaCAM*): cheaper ways to known configurations are
// passed on to what follows them, and when nothing is left, the plan is optimal for
// `time_off_goal`.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sidestep/distance/fields.hpp"
#include "sidestep/distance/roads.hpp"
#include "sidestep/model/agents.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/rules.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/solvers/configurations.hpp"
#include "sidestep/solvers/guidance.hpp"
#include "sidestep/solvers/inheritance.hpp"
#include "sidestep/spacetime/search.hpp"

namespace sidestep {

class Lacam {
  public:
    using Total = std::int64_t;
    static constexpr Total kNoPlan = std::numeric_limits<Total>::max();

    Lacam(const Space& space, Rules rules, const Agents& agents, Inheritance::Options options,
          Guidance::Options guide, int threads, std::uint64_t seed);
    Lacam(const Lacam&) = delete;
    Lacam& operator=(const Lacam&) = delete;

    // Searches on. `found`: a plan, or a cheaper one than before. `no_path`: nothing is left to
    // search, so there is no plan, or none cheaper than the last.
    Outcome run(Budget& budget);

    // The last plan: rows of all agents' vertices, a row per time, and how many rows.
    std::vector<Vertex> plan() const;
    std::size_t plan_rows() const { return chain().size(); }
    // Its time off goal, and the least that any plan has.
    Total cost() const { return best_; }
    Total lower_bound() const { return least_; }

    std::int32_t agents() const { return static_cast<std::int32_t>(travels_.size()); }
    std::int64_t configurations() const { return configurations_.size(); }
    std::int64_t steps() const { return steps_; }
    std::int64_t bytes() const;

  private:
    using Number = Configurations::Number;

    // One agent more that is told where to go: one of a tree, whose root tells nobody.
    struct Told {
        std::int32_t parent;
        AgentId agent;
        Spot spot;
        std::int32_t depth;
    };
    struct ToldTree {
        std::vector<Told> entries;
        std::size_t next = 0;
    };
    struct Edge {
        Number to;
        std::int32_t next;
        Total cost;
    };
    struct Node {
        Total g, h;
        Number parent;
        std::int32_t edges = -1, told = -1;  // none yet
        bool visited = false;
    };

    // What a step leads to.
    struct Successor {
        std::uint64_t hash;
        Total cost, h;
    };

    std::vector<Number> chain() const;  // the configurations of the plan, last one first
    bool prepare(Budget& budget);
    Outcome expand(Number node, Budget& budget);
    bool guide(Number node, std::uint64_t draw, Budget& budget);
    bool is_stalled(Total h);
    bool counts_hindrance(Total h);
    bool tell(Number node);
    void tell_more(ToldTree& tree, std::int32_t parent);
    void go_to(Number node);
    void sort_order();
    void follow_order();
    bool measure(Number node, Budget& budget);
    void arrive(Number node);
    Number next_to_visit(Number known) const;
    Number add(Number parent, Total g, Total h, std::uint64_t hash);
    void connect(Number from, Number to, Total cost);
    bool relax(Budget& budget);
    bool is_home(std::size_t agent, Spot s) const {
        return s == kNowhere || !travels_[agent].field || s == travels_[agent].goal;
    }

    const Space& space_;
    Rules rules_;
    Roads roads_;
    Fields fields_;
    Inheritance moves_;
    std::optional<Guidance> guidance_;
    int threads_;  // that find distances
    std::uint64_t seed_;
    std::vector<Spot> starts_, goals_;
    std::vector<std::int32_t> priorities_;
    std::vector<Travel> travels_;
    std::vector<Cost> distances_;   // at the beginning; -1 if it has no goal
    std::vector<AgentId> by_rank_;  // by priority, then those with a long way first
    std::vector<std::int32_t> rank_;
    bool has_priorities_ = false;

    Configurations configurations_;
    std::vector<Node> nodes_;
    std::vector<Edge> edges_;
    std::vector<ToldTree> trees_;
    std::vector<Number> open_, cheaper_;  // cheaper_: what follows them has to hear of it

    // The configuration at hand, in whose order agents decide, and what comes after it.
    Number current_ = -1;
    std::vector<Spot> here_, there_;
    std::vector<std::uint16_t> since_, since_then_;
    std::vector<AgentId> order_, order_then_;
    std::vector<Inheritance::Fixed> fixed_;
    Successor next_{};

    // Guidance: where agents are guided to, the configuration that its paths lead to, and whether
    // the search stalls: the least distance that was left, how long ago that was, and how long it
    // does without.
    std::vector<Spot> guided_;
    Number guided_next_ = -1;
    Total nearest_ = kNoPlan;
    std::int32_t since_nearest_ = 0, unguided_ = 0;
    Total least_left_ = kNoPlan;  // the least sum of distances so far
    std::int32_t since_least_ = 0;
    bool unhindered_ = false;  // in a jam, in turn with hindrance

    Number goal_ = -1;
    Total best_ = kNoPlan, least_ = 0;
    std::int64_t steps_ = 0;
    std::int64_t told_entries_ = 0;
    bool prepared_ = false, impossible_ = false;
};

}  // namespace sidestep
