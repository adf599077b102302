#include "sidestep/solvers/cbs/conflicts.hpp"

#include <algorithm>

#include "sidestep/model/collision.hpp"

namespace sidestep::cbs {

namespace {

Move move_at(const Instance& instance, AgentPath a, Time t) {
    return {instance.at(a.agent, a.path, t), instance.at(a.agent, a.path, t + 1)};
}

}  // namespace

void find_between(const Instance& instance, std::int32_t first, std::int32_t second, AgentPath a,
                  AgentPath b, std::vector<Conflict>& found) {
    const auto add = [&](Time t, Reason reason) {
        found.push_back({first, second, t, reason, Weight::unknown, nullptr});
    };
    const auto last = static_cast<Time>(std::max(a.path.size(), b.path.size())) - 1;
    // Nobody is there for good who disappears.
    const bool is_for_good = !instance.vanishes(a.agent) && !instance.vanishes(b.agent);
    Vertex a0 = a.path[0], b0 = b.path[0];
    for (Time t = 0;; ++t) {
        if (a0 == b0) add(t, t == last && is_for_good ? Reason::stop : Reason::vertex);
        if (t == last) break;
        const Vertex a1 = instance.at(a.agent, a.path, t + 1),
                     b1 = instance.at(b.agent, b.path, t + 1);
        const auto kind = collision_on_the_way(instance.space, instance.rules, {a0, a1}, {b0, b1});
        if (kind) add(t, static_cast<Reason>(*kind));
        if (a1 == kNowhere || b1 == kNowhere) break;
        a0 = a1;
        b0 = b1;
    }
}

Split plain_split(const Instance& instance, const Conflict& conflict, AgentPath a, AgentPath b) {
    const Time t = conflict.time;
    const Move moves[2] = {move_at(instance, a, t), move_at(instance, b, t)};
    Split split;
    const auto give = [&](Constraint of_a, Constraint of_b) {
        split.first.push_back(of_a);
        split.second.push_back(of_b);
    };
    switch (conflict.reason) {
        case Reason::swap:
            if (instance.rules.following) {
                give(Constraint::avoid_move(moves[0], t), Constraint::avoid_move(moves[1], t));
                break;
            }
            [[fallthrough]];
        case Reason::following:
            // An agent on a vertex at t keeps all others off it at t + 1, if they may not follow.
            if (moves[0].to == moves[1].from)
                give(Constraint::avoid(moves[0].to, t + 1), Constraint::avoid(moves[1].from, t));
            else
                give(Constraint::avoid(moves[0].from, t), Constraint::avoid(moves[1].to, t + 1));
            break;
        case Reason::crossing:
            give(Constraint::avoid_move(moves[0], t), Constraint::avoid_move(moves[1], t));
            break;
        case Reason::stop: {
            // Both would stay there for good. Who has a goal has no choice.
            const Vertex v = moves[0].from;
            split.first_possible = instance.is_idle(a.agent);
            split.second_possible = instance.is_idle(b.agent);
            give(Constraint::no_stop(v), Constraint::no_stop(v));
            break;
        }
        default:
            give(Constraint::avoid(moves[0].from, t), Constraint::avoid(moves[1].from, t));
    }
    return split;
}

bool keeps(const Instance& instance, AgentPath of, const Constraint& c) {
    using Kind = Constraint::Kind;
    const auto& path = of.path;
    const auto end = static_cast<Time>(path.size()) - 1;
    const auto at = [&](Time t) { return instance.at(of.agent, path, t); };
    switch (c.kind) {
        case Kind::avoid:
            for (Time t = c.begin; t <= std::min(c.end, end); ++t)
                if (path[t] == c.to) return false;
            return c.end <= end || at(std::max(c.begin, end + 1)) != c.to;
        case Kind::avoid_move:
            return at(c.begin) != c.from || at(c.begin + 1) != c.to;
        case Kind::visit:
            return at(c.begin) == c.to;
        case Kind::visit_move:
            return at(c.begin) == c.from && at(c.begin + 1) == c.to;
        case Kind::later:
            return end > c.begin;
        case Kind::within:
            return end <= c.begin;
        case Kind::no_stop:
            return path.back() != c.to;
    }
    return false;
}

}  // namespace sidestep::cbs
