#include "sidestep/solvers/cbs/symmetry.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace sidestep::cbs {

namespace {

bool has_arrived(const Instance& instance, AgentPath of, Time t) {
    return !instance.is_idle(of.agent) && t >= static_cast<Time>(of.path.size()) - 1;
}

bool keeps_all(const Instance& instance, AgentPath of, std::span<const Constraint> all) {
    return std::all_of(all.begin(), all.end(),
                       [&](const Constraint& c) { return keeps(instance, of, c); });
}

}  // namespace

// ------------------------------------------------------------------------------------- target

bool is_target(const Instance& instance, const Conflict& conflict, AgentPath a, AgentPath b) {
    if (instance.rules.disappear || !instance.counts_every_step()) return false;
    if (conflict.reason != Reason::vertex && conflict.reason != Reason::stop) return false;
    return has_arrived(instance, a, conflict.time) || has_arrived(instance, b, conflict.time);
}

Split target_split(const Instance& instance, const Conflict& conflict, AgentPath a, AgentPath b) {
    const Time t = conflict.time;
    const bool is_first = has_arrived(instance, a, t);
    const Vertex goal = instance.goals[is_first ? a.agent : b.agent];
    Split split;
    (is_first ? split.first : split.second).push_back(Constraint::later(t));
    (is_first ? split.second : split.first).push_back(Constraint::avoid(goal, t, kForever));
    return split;
}

// ----------------------------------------------------------------------------------- corridor

// Follows the chain both ways, to where it branches or ends or one of the two starts: who starts
// inside a corridor does not come through all of it.
std::optional<Corridors::Corridor> Corridors::find(Vertex inside, Vertex start_a,
                                                   Vertex start_b) const {
    const auto is_inside = [&](Vertex v) {
        return instance_.space.successors(v).size() == 2 && v != start_a && v != start_b;
    };
    if (!is_inside(inside)) return std::nullopt;
    Corridor corridor{{kNowhere, kNowhere}, {inside, inside}, 2};
    for (const int side : {0, 1}) {
        Vertex before = inside, v = instance_.space.successors(inside)[side];
        while (is_inside(v)) {
            if (v == inside) return std::nullopt;  // a ring
            const auto near = instance_.space.successors(v);
            const Vertex next = near[0] == before ? near[1] : near[0];
            corridor.last[side] = v;
            ++corridor.length;
            before = v;
            v = next;
        }
        corridor.ends[side] = v;
    }
    if (corridor.ends[0] == corridor.ends[1]) return std::nullopt;
    return corridor;
}

// The distances to an end of a corridor for those who do not come out of it.
std::span<const Cost> Corridors::distances_around(Vertex last, Vertex end, Budget& budget) {
    auto& table = around_[static_cast<std::uint64_t>(last) << 32 | static_cast<std::uint32_t>(end)];
    if (!table.empty()) return table;
    table.assign(instance_.space.size(), kUnreachable);
    table[end] = 0;
    std::vector<Vertex> queue{end};
    for (std::size_t k = 0; k < queue.size(); ++k) {
        if (!budget.tick()) break;  // the search ends, whatever this says
        const Vertex v = queue[k];
        for (const Vertex u : instance_.space.predecessors(v)) {
            if (table[u] != kUnreachable || (v == end && u == last)) continue;
            table[u] = table[v] + 1;
            queue.push_back(u);
        }
    }
    return table;
}

// The first time at which the agent can be there under its constraints without coming from
// `barred`; limit + 1 if that is later than the limit. `distances` must not be too long.
Time Corridors::earliest_at(Vertex end, Vertex start, std::span<const Cost> distances,
                            Vertex barred, const ConstraintTable& table, Time limit,
                            Budget& budget) {
    if (distances[start] > limit) return limit + 1;
    here_.assign(1, start);
    for (Time t = 0; t < limit && !here_.empty(); ++t) {
        then_.clear();
        ++stamp_;
        for (const Vertex from : here_) {
            if (from == end) return t;
            if (!budget.tick()) return t;  // the search ends, whatever this says
            const auto step = [&](Vertex to) {
                if (t + 1 + distances[to] > limit || stamps_[to] == stamp_) return;
                if (to == end && from == barred) return;
                if (table.bans(Move{from, to}, t)) return;
                stamps_[to] = stamp_;
                then_.push_back(to);
            };
            step(from);
            for (const Vertex to : instance_.space.successors(from)) step(to);
        }
        here_.swap(then_);
    }
    const bool there = std::find(here_.begin(), here_.end(), end) != here_.end();
    return there ? limit : limit + 1;
}

// The end where `a` goes, if each of two that met comes from one end and goes to the other, in
// opposite directions; else -1.
int Corridors::side_of_first(const Corridor& corridor, AgentPath a, AgentPath b, Time met) const {
    const auto end_reached = [&](AgentPath of, Time t, Time step) {
        for (; t >= 0 && t < static_cast<Time>(of.path.size()); t += step)
            for (const int side : {0, 1})
                if (of.path[t] == corridor.ends[side]) return side;
        return -1;
    };
    const int side = end_reached(a, met + 1, 1);
    if (side < 0 || end_reached(a, met, -1) != 1 - side || end_reached(b, met + 1, 1) != 1 - side ||
        end_reached(b, met, -1) != side)
        return -1;
    return side;
}

std::optional<Split> Corridors::split(const Conflict& conflict, AgentPath a,
                                      std::span<const Constraint> constraints_a, AgentPath b,
                                      std::span<const Constraint> constraints_b,
                                      ConstraintTable& table, Budget& budget) {
    if (instance_.space.is_directed()) return std::nullopt;
    if (conflict.reason != Reason::vertex && conflict.reason != Reason::swap) return std::nullopt;
    const std::array<AgentPath, 2> who{a, b};
    const std::array<std::span<const Constraint>, 2> constraints{constraints_a, constraints_b};
    const std::array<Vertex, 2> starts{instance_.starts[a.agent], instance_.starts[b.agent]};
    const Time met = conflict.time;
    auto found = find(instance_.at(a.agent, a.path, met), starts[0], starts[1]);
    if (!found && conflict.reason == Reason::swap)
        found = find(instance_.at(b.agent, b.path, met), starts[0], starts[1]);
    if (!found) return std::nullopt;

    const int side = side_of_first(*found, a, b, met);
    if (side < 0) return std::nullopt;

    std::array<Time, 2> at_end, arrival;
    const std::array<int, 2> sides{side, 1 - side};
    for (const int k : {0, 1}) {
        const Vertex end = found->ends[sides[k]];
        arrival[k] = static_cast<Time>(std::find(who[k].path.begin(), who[k].path.end(), end) -
                                       who[k].path.begin());
        const auto distances = instance_.distances_to(end, budget);
        if (distances.empty()) return std::nullopt;
        at_end[k] = arrival[k];
        if (distances[starts[k]] < arrival[k]) {
            table.load(constraints[k], instance_.goals[who[k].agent], true);
            at_end[k] = earliest_at(end, starts[k], distances, kNowhere, table, arrival[k], budget);
        }
    }
    Split split;
    for (const int k : {0, 1}) {
        const Vertex end = found->ends[sides[k]];
        const Time limit = at_end[1 - k] + found->length;
        const auto distances = distances_around(found->last[sides[k]], end, budget);
        table.load(constraints[k], instance_.goals[who[k].agent], true);
        const Time around =
            earliest_at(end, starts[k], distances, found->last[sides[k]], table, limit + 1, budget);
        const Time until = std::min(around - 1, limit);
        if (arrival[k] > until) return std::nullopt;  // it would not have to change anything
        (k == 0 ? split.first : split.second).push_back(Constraint::avoid(end, 0, until));
    }
    return split;
}

// ---------------------------------------------------------------------------------- rectangle

namespace {

// A vertex that all cheapest paths pass at this time, in coordinates in which both agents go
// towards higher numbers, relative to the place of the conflict.
struct Spot {
    std::int32_t x, y;
    Time time;
};

constexpr std::size_t kMostSpots = 6;

class Rectangle {
  public:
    Rectangle(const Instance& instance, const Conflict& conflict, AgentPath a,
              const ConstrainedDiagram& diagram_a, AgentPath b, const ConstrainedDiagram& diagram_b,
              Budget& budget)
        : instance_(instance),
          space_(instance.space),
          who_{a, b},
          diagrams_{&diagram_a, &diagram_b},
          centre_(a.path[conflict.time]),
          met_(conflict.time),
          budget_(budget) {}

    std::optional<Split> best() {
        for (const int k : {0, 1}) {
            spots_[k] = spots(*diagrams_[k], -1);
            goals_[k] = spots(*diagrams_[k], 1);
        }
        for (const int down : {1, -1})
            for (const int right : {1, -1}) {
                down_ = down;
                right_ = right;
                for (const Spot& s : spots_[0])
                    for (const Spot& other : spots_[1]) consider_starts(turned(s), turned(other));
            }
        return best_;
    }

  private:
    // What all cheapest paths have in common on a straight way to or from the place of the
    // conflict, the farthest first.
    std::vector<Spot> spots(const ConstrainedDiagram& diagram, Time step) const {
        std::vector<Spot> found;
        for (Time t = met_; t >= 0 && t <= diagram.last(); t += step) {
            const Vertex v = diagram.only(t);
            if (v == kNowhere) continue;
            const Spot spot{space_.row(v) - space_.row(centre_),
                            space_.col(v) - space_.col(centre_), t};
            if (std::abs(spot.x) + std::abs(spot.y) != std::abs(t - met_)) break;
            found.push_back(spot);
        }
        std::reverse(found.begin(), found.end());
        if (found.size() > kMostSpots) found.resize(kMostSpots);
        return found;
    }
    Spot turned(const Spot& s) const { return {s.x * down_, s.y * right_, s.time}; }

    // Both come from below in both coordinates, and neither starts behind the other.
    void consider_starts(const Spot& s, const Spot& other) {
        if (s.x > 0 || s.y > 0 || other.x > 0 || other.y > 0) return;
        const bool first_along_x = s.x <= other.x && s.y >= other.y;
        if (!first_along_x && !(s.x >= other.x && s.y <= other.y)) return;
        for (const Spot& g : goals_[0])
            for (const Spot& other_g : goals_[1]) {
                if (budget_.exhausted()) return;  // the search ends, whatever this says
                const Spot one = turned(g), two = turned(other_g);
                if (one.x < 0 || one.y < 0 || two.x < 0 || two.y < 0) continue;
                consider(s, other, first_along_x, std::min(one.x, two.x), std::min(one.y, two.y));
            }
    }

    // (x, y) is the far corner. The one that crosses along x is barred from the side there, at the
    // time at which it would arrive without a detour; likewise the other. If both reached theirs,
    // they would have been in one place on the way: their staircases run in step, and change sides.
    void consider(const Spot& s, const Spot& other, bool first_along_x, std::int32_t x,
                  std::int32_t y) {
        Split split;
        split.first = barrier(*diagrams_[0], s, first_along_x, x, y);
        split.second = barrier(*diagrams_[1], other, !first_along_x, x, y);
        if (split.first.size() + split.second.size() <= 2)
            return;  // no more than the conflict says
        if (keeps_all(instance_, who_[0], split.first) ||
            keeps_all(instance_, who_[1], split.second))
            return;
        if (!budget_.tick(diagrams_[0]->size() + diagrams_[1]->size())) return;
        const int slack =
            diagrams_[0]->survives(split.first) + diagrams_[1]->survives(split.second);
        const std::int32_t area =
            (x - std::max(s.x, other.x) + 1) * (y - std::max(s.y, other.y) + 1);
        if (best_ && std::pair(-slack, area) <= std::pair(-best_slack_, best_area_)) return;
        best_ = std::move(split);
        best_slack_ = slack;
        best_area_ = area;
    }

    // Only what is in the diagram: an agent there at that time has passed its spot.
    std::vector<Constraint> barrier(const ConstrainedDiagram& diagram, const Spot& from,
                                    bool along_x, std::int32_t x, std::int32_t y) const {
        std::vector<Constraint> all;
        const std::int32_t begin = along_x ? from.y : from.x, end = along_x ? y : x;
        for (std::int32_t k = begin; k <= end; ++k) {
            const std::int32_t row = along_x ? x : k, col = along_x ? k : y;
            const Time t = from.time + (row - from.x) + (col - from.y);
            const Vertex v = vertex(row, col);
            if (t <= diagram.last() && diagram.contains(v, t))
                all.push_back(Constraint::avoid(v, t));
        }
        return all;
    }
    // The width is the step from a vertex to the one below it; the corner is within the map, as
    // both agents pass beyond it or end there.
    Vertex vertex(std::int32_t x, std::int32_t y) const {
        return centre_ + x * down_ * space_.width() + y * right_;
    }

    const Instance& instance_;
    const Space& space_;
    const std::array<AgentPath, 2> who_;
    const std::array<const ConstrainedDiagram*, 2> diagrams_;
    const Vertex centre_;
    const Time met_;
    Budget& budget_;
    std::array<std::vector<Spot>, 2> spots_, goals_;
    int down_ = 1, right_ = 1;
    std::optional<Split> best_;
    int best_slack_ = 0;
    std::int32_t best_area_ = 0;
};

}  // namespace

std::optional<Split> rectangle_split(const Instance& instance, const Conflict& conflict,
                                     AgentPath a, const ConstrainedDiagram& diagram_a, AgentPath b,
                                     const ConstrainedDiagram& diagram_b, Budget& budget) {
    if (!instance.space.is_four_connected() || !instance.counts_every_step()) return std::nullopt;
    const Time t = conflict.time;
    if (conflict.reason != Reason::vertex || t > diagram_a.last() || t > diagram_b.last())
        return std::nullopt;
    return Rectangle(instance, conflict, a, diagram_a, b, diagram_b, budget).best();
}

}  // namespace sidestep::cbs
