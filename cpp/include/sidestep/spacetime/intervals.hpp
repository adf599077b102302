// Safe-interval path planning, SIPP (Phillips and Likhachev 2011), on time lines.
//
// A *safe interval* of a spot is a stretch of time in which nobody is there. A state of the search
// is a spot with one of its intervals, known by its end; of two ways to a state the one that
// arrives earlier is better, since it can wait for the other. So waits are no nodes, and the
// search has as many states as there are gaps between other agents.
//
//     Intervals search;
//     IntervalTask task;
//     task.start = s, task.goal = g, task.field = fields.to(g, s, budget);
//     if (search.run(lines, task, budget, path) == Outcome::found) lines.put(path, parks);
//
// The agent itself must not be in the lines. The path begins at task.now and ends where the agent
// arrives for good: it stays there if agents stay (`parks`), and is gone if they disappear.
//
// Under `time_off_goal` waiting on one's own goal is free, so that to arrive early is not all: an
// agent that has waited there has spent less. Then a state keeps all ways of which none is both
// earlier and cheaper. For agents without a goal the search finds the earliest place to stay.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sidestep/distance/fields.hpp"
#include "sidestep/spacetime/search.hpp"
#include "sidestep/spacetime/timelines.hpp"

namespace sidestep {

struct IntervalTask {
    Spot start = kNowhere;
    Spot goal = kNowhere;                  // kNowhere: idle, any place where it may stay will do
    const Fields::Field* field = nullptr;  // distances to the goal; null if idle
    Time now = 0;                          // when it is on its start
    Cost bound = kUnreachable;             // no path that costs more
    bool stays = true;                     // the goal must be free for good, not only on arrival
    std::uint64_t salt = 0;                // of equally good paths it decides which one is found
    std::span<const std::uint32_t> tube;   // by spot; if any, only spots with tube_mark are entered
    std::uint32_t tube_mark = 0;
    std::int64_t held = 0;  // bytes that the caller holds besides the lines
};

// The path that ends with a node: on the spot of each node from when it arrives until the next one
// does. A `Node` has a spot, an arrival and a parent, or -1.
template <class Node>
void trace_intervals(const std::vector<Node>& nodes, std::int32_t number, Time begin,
                     std::vector<Spot>& path) {
    Time until = nodes[number].arrival;
    path.resize(static_cast<std::size_t>(until - begin) + 1);
    for (std::int32_t n = number; n >= 0; n = nodes[n].parent) {
        const Node& node = nodes[n];
        std::fill(path.begin() + (node.arrival - begin), path.begin() + (until - begin) + 1,
                  node.spot);
        until = node.arrival - 1;
    }
}

class Intervals {
  public:
    // The cheapest path that collides with nobody in the lines. Where every step counts its cost is
    // its length less one.
    Outcome run(const Timelines& lines, const IntervalTask& task, Budget& budget,
                std::vector<Spot>& path);
    // What the last path costs.
    Cost cost() const { return cost_; }
    std::int64_t bytes() const;

  private:
    struct Node {
        Spot spot;
        Time arrival, end;  // end: the first time at which somebody else is there, or kForever
        Cost cost;
        std::int32_t parent;
        std::int32_t next;       // another node of the same spot, or -1
        std::int32_t open_next;  // the next one that costs as much, or -1
        bool beaten;
    };
    // The nodes of a spot, those of all its intervals.
    struct States {
        std::uint32_t stamp = 0;  // of the search that has reached it
        std::int32_t first = -1;
    };
    // A way out of a spot: the number of the edge, where it leads to, and what is left from there.
    struct Way {
        std::int32_t edge;
        Spot to;
        Cost left;
    };

    void prepare(const Timelines& lines, const IntervalTask& task);
    Outcome find(Budget& budget);
    void expand(std::int32_t number);
    void leave(std::int32_t number, const Node& node, const Way& way);
    void leave_goal(std::int32_t number, const Node& node, const Way& way);
    void reach(Spot s, Cost way, Time arrival, Time end, Cost cost, std::int32_t parent);
    void forget_states();
    bool is_end(const Node& node) const;
    bool fits(Budget& budget);
    Cost estimate(Cost way, Time arrival, Cost cost) const;
    Cost way(Spot s) const { return task_.field ? task_.field->at_least(s) : 0; }

    const Timelines* lines_ = nullptr;
    IntervalTask task_;
    bool vanishes_ = false, free_wait_ = false;
    Time goal_free_ = 0;
    Cost least_ = 0;  // what no path can cost less than
    Cost base_ = 0, cost_ = 0;
    std::int32_t found_ = -1;

    std::vector<Node> nodes_;
    std::vector<Way> closer_;
    std::vector<std::int32_t> open_;  // by cost above base_: the last node, or -1
    std::size_t highest_ = 0;         // stacks that may not be empty
    std::vector<States> states_;      // by spot
    std::uint32_t stamp_ = 0;
    std::size_t next_look_ = 0;
};

}  // namespace sidestep
