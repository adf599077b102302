#include "sidestep/spacetime/soft_intervals.hpp"

#include <algorithm>
#include <tuple>

namespace sidestep {

// The heap has its greatest entry first: the best one is the greatest.
bool SoftIntervals::Entry::operator<(const Entry& other) const {
    return std::tuple(other.collisions, other.estimate, node) <
           std::tuple(collisions, estimate, other.node);
}

std::int64_t SoftIntervals::bytes() const {
    return static_cast<std::int64_t>(nodes_.capacity() * (sizeof(Node) + sizeof(Entry)) +
                                     states_.size() * 4 * sizeof(std::uint64_t));
}

Outcome SoftIntervals::run(const Timelines& soft, const Timelines* hard, const IntervalTask& task,
                           Budget& budget, std::vector<Spot>& path) {
    soft_ = &soft;
    hard_ = hard;
    task_ = task;
    vanishes_ = soft.rules().disappear && task.goal != kNowhere;
    nodes_.clear();
    open_.clear();
    states_.clear();
    if (hard_ && hard_->taken(task.start, task.now)) return Outcome::no_path;
    reach(task.start, task.now, soft.taken(task.start, task.now) ? 1 : 0, -1);
    while (!open_.empty()) {
        std::pop_heap(open_.begin(), open_.end());
        const std::int32_t number = open_.back().node;
        open_.pop_back();
        if (nodes_[number].beaten) continue;
        if (is_end(nodes_[number])) {
            collisions_ = nodes_[number].collisions;
            trace_intervals(nodes_, number, task_.now, path);
            return Outcome::found;
        }
        if (!budget.spend() || !budget.fits(task_.held + soft.bytes() + bytes()))
            return Outcome::out_of_budget;
        if (!(vanishes_ && nodes_[number].spot == task_.goal)) expand(number);
    }
    return Outcome::no_path;
}

// The first time after t at which somebody comes or goes.
Time SoftIntervals::stretch_end(Spot s, Time t) const {
    const Time soft = soft_->taken(s, t) ? soft_->next_free(s, t) : soft_->next_taken(s, t);
    return hard_ ? std::min(soft, hard_->next_taken(s, t)) : soft;
}

bool SoftIntervals::is_end(const Node& node) const {
    if (vanishes_)
        return node.spot == task_.goal &&
               (soft_->rules().following || !hard_ || !hard_->taken(node.spot, node.arrival + 1));
    return (task_.goal == kNowhere || node.spot == task_.goal) && node.end == kForever;
}

bool SoftIntervals::move_collides(Spot s, std::int32_t k, Spot to, Time t) const {
    const Timelines& lines = *soft_;
    const auto edge = lines.place(s) + 1 + k;
    if (lines.line_taken(lines.reverse(edge), t)) return true;
    for (const auto other : lines.crossing(edge))
        if (lines.line_taken(other, t)) return true;
    return !lines.rules().following && (lines.taken(to, t) || lines.taken(s, t + 1));
}

Time SoftIntervals::hard_departure(Spot s, std::int32_t k, Spot to, Time t, Time last) const {
    if (t > last) return kForever;
    return hard_ ? hard_->departure(s, k, to, t, last, vanishes_ && to == task_.goal) : t;
}

void SoftIntervals::expand(std::int32_t number) {
    const Node node = nodes_[number];
    const bool may_wait = node.end != kForever && !(hard_ && hard_->taken(node.spot, node.end));
    if (may_wait)
        reach(node.spot, node.end, node.collisions + (soft_->taken(node.spot, node.end) ? 1 : 0),
              number);
    const auto next = soft_->roads().next(node.spot);
    for (std::size_t k = 0; k < next.size(); ++k)
        leave(number, static_cast<std::int32_t>(k), next[k]);
}

// For every stretch of `to`, the earliest arrival, and the earliest without a collision of the
// move.
void SoftIntervals::leave(std::int32_t number, std::int32_t k, Spot to) {
    const Node node = nodes_[number];
    // After the end of all lines nothing changes: one departure there stands for all.
    const Time settled = std::max(soft_->end(), hard_ ? hard_->end() : 0);
    const Time last = node.end == kForever ? std::max(node.arrival, settled) : node.end - 1;
    for (Time t = node.arrival; t <= last;) {
        t = hard_departure(node.spot, k, to, t, last);
        if (t == kForever) return;
        const Time end = stretch_end(to, t + 1);
        const Time until = end == kForever ? last : std::min(last, end - 2);
        const std::int32_t there = node.collisions + (soft_->taken(to, t + 1) ? 1 : 0);
        if (move_collides(node.spot, k, to, t)) {
            reach(to, t + 1, there + 1, number);
            Time clean = t + 1;
            while (clean <= until && (clean != hard_departure(node.spot, k, to, clean, clean) ||
                                      move_collides(node.spot, k, to, clean)))
                ++clean;
            if (clean <= until) reach(to, clean + 1, there, number);
        } else {
            reach(to, t + 1, there, number);
        }
        if (end == kForever) return;
        t = std::max(t + 1, end - 1);
    }
}

void SoftIntervals::reach(Spot s, Time arrival, std::int32_t collisions, std::int32_t parent) {
    const Cost way = task_.field ? task_.field->at_least(s) : 0;
    const Cost estimate = arrival - task_.now + way;
    if (way >= kUnreachable || estimate > task_.bound) return;
    const Time end = stretch_end(s, arrival);
    const std::uint64_t key = static_cast<std::uint64_t>(s) << 32 | static_cast<std::uint32_t>(end);
    std::int32_t* link = &states_.try_emplace(key, -1).first->second;
    std::int32_t* const head = link;
    while (*link >= 0) {
        Node& other = nodes_[*link];
        if (other.arrival <= arrival && other.collisions <= collisions) return;
        if (arrival <= other.arrival && collisions <= other.collisions) {
            other.beaten = true;
            *link = other.next;
        } else {
            link = &other.next;
        }
    }
    const auto number = static_cast<std::int32_t>(nodes_.size());
    const std::int32_t first = *head;
    *head = number;
    nodes_.push_back({s, arrival, end, collisions, parent, first, false});
    open_.push_back({collisions, estimate, number});
    std::push_heap(open_.begin(), open_.end());
}

}  // namespace sidestep
