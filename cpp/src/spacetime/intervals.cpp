#include "sidestep/spacetime/intervals.hpp"

#include <algorithm>

#include "sidestep/model/random.hpp"

namespace sidestep {

namespace {

constexpr std::size_t kFewNodes = 1024;

}  // namespace

std::int64_t Intervals::bytes() const {
    return static_cast<std::int64_t>(nodes_.capacity() * sizeof(Node) +
                                     states_.capacity() * sizeof(States));
}

void Intervals::prepare(const Timelines& lines, const IntervalTask& task) {
    lines_ = &lines;
    task_ = task;
    const Rules& rules = lines.rules();
    const bool idle = task.goal == kNowhere;
    vanishes_ = rules.disappear && !idle;
    free_wait_ = rules.free_goal_wait && !idle && !vanishes_;
    goal_free_ = task.now;
    if (!idle && !vanishes_ && task.stays)
        goal_free_ = std::max(task.now, lines.free_from(task.goal));
    // Where every step counts, no path costs less than the time until its goal is free.
    least_ = free_wait_ || goal_free_ == kForever ? 0 : goal_free_ - task.now;
    nodes_.clear();
    std::fill_n(open_.begin(), highest_, -1);
    highest_ = 0;
    forget_states();
    next_look_ = 0;
    found_ = -1;
}

// Nothing is known of any spot: its stamp is an old one.
void Intervals::forget_states() {
    states_.resize(static_cast<std::size_t>(lines_->roads().size()));
    if (++stamp_ != 0) return;
    std::fill(states_.begin(), states_.end(), States{});  // old stamps could be taken for new ones
    stamp_ = 1;
}

Outcome Intervals::run(const Timelines& lines, const IntervalTask& task, Budget& budget,
                       std::vector<Spot>& path) {
    prepare(lines, task);
    if (goal_free_ == kForever) return Outcome::no_path;
    const Time end = lines.next_taken(task.start, task.now);
    if (end != kForever && end <= task.now + lines.margin()) return Outcome::no_path;
    base_ = estimate(way(task.start), task.now, 0);
    if (base_ >= kUnreachable) return Outcome::no_path;
    reach(task.start, way(task.start), task.now, end, 0, -1);
    const Outcome outcome = find(budget);
    if (outcome == Outcome::found) trace_intervals(nodes_, found_, task_.now, path);
    return outcome;
}

Outcome Intervals::find(Budget& budget) {
    for (std::size_t f = 0; f < highest_; ++f)
        while (open_[f] >= 0) {
            const std::int32_t number = open_[f];
            const Node& node = nodes_[number];
            open_[f] = node.open_next;
            if (node.beaten) continue;
            if (is_end(node)) {
                found_ = number;
                cost_ = task_.goal == kNowhere ? 0 : node.cost;
                return Outcome::found;
            }
            if (!budget.spend() || !fits(budget)) return Outcome::out_of_budget;
            if (!(vanishes_ && node.spot == task_.goal)) expand(number);
        }
    return Outcome::no_path;
}

// Memory is looked at when it has grown by a good part.
bool Intervals::fits(Budget& budget) {
    if (nodes_.size() < next_look_) return true;
    next_look_ = nodes_.size() * 5 / 4 + kFewNodes;
    return budget.fits(task_.held + lines_->bytes() + bytes());
}

bool Intervals::is_end(const Node& node) const {
    if (task_.goal == kNowhere) return node.end == kForever;
    if (node.spot != task_.goal) return false;
    if (!vanishes_) return node.end == kForever || !task_.stays;
    // Only a start can be entered behind: all other arrivals were chosen so.
    return lines_->rules().following || node.end == kForever ||
           node.end > node.arrival + lines_->margin() + 1;
}

// What a path through this state costs at least, with this way to go from there.
Cost Intervals::estimate(Cost way, Time arrival, Cost cost) const {
    if (!task_.field) return arrival - task_.now;
    return std::max(cost + way, least_);
}

// Ways that lead closer are pushed last, so that they are looked at first. In which order the rest
// comes depends on the salt.
void Intervals::expand(std::int32_t number) {
    const Node node = nodes_[number];
    const auto next = lines_->roads().next(node.spot);
    const auto count = static_cast<std::int32_t>(next.size());
    if (count == 0) return;
    const std::uint64_t drawn = mix(task_.salt + static_cast<std::uint64_t>(node.spot));
    auto k = static_cast<std::int32_t>(scaled(drawn, static_cast<std::uint32_t>(count - 1)));
    const Cost here = way(node.spot);
    closer_.clear();
    for (std::int32_t i = 0; i < count; ++i) {
        const Spot to = next[k];
        const Cost there = way(to);
        const bool possible = node.cost + 1 + there <= task_.bound &&
                              (task_.tube.empty() || task_.tube[to] == task_.tube_mark);
        if (possible && there < here)
            closer_.push_back({k, to, there});
        else if (possible)
            leave(number, node, {k, to, there});
        if (++k == count) k = 0;
    }
    if (drawn & 1) std::reverse(closer_.begin(), closer_.end());
    for (const Way& way_closer : closer_) leave(number, node, way_closer);
}

void Intervals::leave(std::int32_t number, const Node& node, const Way& way) {
    if (free_wait_ && node.spot == task_.goal && node.end != kForever)
        return leave_goal(number, node, way);
    const Time last = node.end == kForever ? kForever - 2 : node.end - 1 - lines_->margin();
    const bool vanishes = vanishes_ && way.to == task_.goal;
    // The earliest arrival in every interval that can be reached.
    for (Time t = node.arrival; t <= last;) {
        t = lines_->departure(node.spot, way.edge, way.to, t, last, vanishes);
        if (t == kForever) return;
        const Cost cost = node.cost + (t + 1 - node.arrival);
        if (cost + way.left > task_.bound) return;
        const Time end = lines_->next_taken(way.to, t + 1);
        reach(way.to, way.left, t + 1, end, cost, number);
        if (end == kForever) return;
        t = end;
    }
}

// Waiting is free: to leave later is as cheap, and then less is waited elsewhere. So every time
// counts, and the latest is looked at first.
void Intervals::leave_goal(std::int32_t number, const Node& node, const Way& way) {
    const Time last = node.end - 1 - lines_->margin();
    for (Time t = node.arrival; t <= last; ++t) {
        t = lines_->departure(node.spot, way.edge, way.to, t, last, false);
        if (t == kForever) return;
        const Time end = lines_->next_taken(way.to, t + 1);
        reach(way.to, way.left, t + 1, end, node.cost + 1, number);
    }
}

void Intervals::reach(Spot s, Cost way, Time arrival, Time end, Cost cost, std::int32_t parent) {
    const Cost total = estimate(way, arrival, cost);
    if (total > task_.bound || total >= kUnreachable) return;
    States& states = states_[s];
    if (states.stamp != stamp_) states = {stamp_, -1};
    // Who is there earlier can wait; so it is better if it has not paid more by then.
    const Cost wait = free_wait_ && s == task_.goal ? 0 : 1;
    const auto beats = [wait](Time a, Cost a_cost, Time b, Cost b_cost) {
        return a <= b && a_cost + (b - a) * wait <= b_cost;
    };
    std::int32_t* link = &states.first;
    while (*link >= 0) {
        Node& other = nodes_[*link];
        if (other.end != end) {
            link = &other.next;
        } else if (beats(other.arrival, other.cost, arrival, cost)) {
            return;
        } else if (beats(arrival, cost, other.arrival, other.cost)) {
            other.beaten = true;
            *link = other.next;
        } else {
            link = &other.next;
        }
    }
    const auto f = static_cast<std::size_t>(total - base_);
    if (f >= open_.size()) open_.resize(f + 8, -1);
    highest_ = std::max(highest_, f + 1);
    const auto number = static_cast<std::int32_t>(nodes_.size());
    nodes_.push_back({s, arrival, end, cost, parent, states.first, open_[f], false});
    states.first = open_[f] = number;
}

}  // namespace sidestep
