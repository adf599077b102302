// What is in the way of an agent's search among told paths: its superiors, and actions that it has
// given up; and the search for an equally long path without loops. Only told_paths.cpp needs it.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sidestep/dialogue/told_paths.hpp"
#include "sidestep/model/collision.hpp"
#include "sidestep/spacetime/search_loop.hpp"

namespace sidestep {

// Those whose told paths an agent may not collide with, as its search sees them. They are few, so
// that looking at all of them once per step is faster than looking up who is where.
class ToldPaths::Superiors {
  public:
    Superiors(const ToldPaths& told_paths, std::span<const AgentId> agents)
        : space_(told_paths.space()),
          rules_(told_paths.rules_),
          others_(told_paths.whereabouts_),
          agents_(agents),
          check_crossings_(checks_crossings(space_, rules_)) {
        for (const AgentId agent : agents_) last_ = std::max(last_, others_.end(agent));
        moves_.resize(agents_.size());
    }

    Time last() const { return last_; }
    std::int64_t bytes() const { return others_.bytes(); }
    bool taken(Vertex v, Time t) const {
        return std::any_of(agents_.begin(), agents_.end(),
                           [&](AgentId agent) { return others_.at(agent, t) == v; });
    }

    Time last_taken(Vertex v) const {
        Time last = -1;
        for (const AgentId agent : agents_) {
            const auto path = others_.path(agent);
            if (path.empty()) continue;
            if (others_.stays(agent) && path.back() == v) return kForever;
            for (Time t = others_.end(agent); t > last; --t)
                if (path[t] == v) last = t;
        }
        return last;
    }

    bool allows(Move move, Time t) const {
        look_at(t);
        return allowed(move);
    }

    template <class Visit>
    void each_step(Vertex from, Time t, Visit&& visit) const {
        look_at(t);
        each_allowed_step(space_, from, [&](Move move) { return allowed(move); }, visit);
    }

    // Is there no collision anywhere on the path, nor after its end?
    bool allow(std::span<const Vertex> path, bool stays) const {
        const Time end = static_cast<Time>(path.size()) - 1;
        for (Time t = 0; t < end; ++t)
            if (!allows({path[t], path[t + 1]}, t)) return false;
        if (stays) return last_taken(path.back()) < end;
        return !rules_.disappear ||
               may_disappear(rules_, [&] { return taken(path.back(), end + 1); });
    }

  private:
    void look_at(Time t) const {
        Move* next = moves_.data();
        for (const AgentId agent : agents_) {
            const Vertex here = others_.at(agent, t);
            *next = {here, others_.at(agent, t + 1)};
            next += here != kNowhere;
        }
        there_ = {moves_.data(), next};
    }

    // Does nobody that we have looked at collide with the move? As in model/collision.hpp, but one
    // look at each of them and one for all crossings: with `collides` DPCA* took 1.05 of its
    // instructions.
    bool allowed(Move move) const {
        const bool goes = move.from != move.to;
        for (const Move other : there_) {
            if (other.to == move.to) return false;
            if (!goes) continue;
            if (other.from == move.to && (!rules_.following || other.to == move.from)) return false;
            if (!rules_.following && other.to == move.from) return false;
        }
        if (!goes || !check_crossings_ || there_.empty()) return true;
        return !space_.any_crossing(move, [this](Move crossing) {
            return std::find(there_.begin(), there_.end(), crossing) != there_.end();
        });
    }

    const Space& space_;
    const Rules& rules_;
    const Whereabouts& others_;
    std::span<const AgentId> agents_;
    bool check_crossings_;
    Time last_ = -1;
    mutable std::vector<Move> moves_;
    mutable std::span<const Move> there_;  // of those who are there, in the step looked at last
};

// Superiors, and actions that the agent has given up. Most agents give up none, and are spared
// this.
class ToldPaths::Restrained {
  public:
    Restrained(const Superiors& superiors, const Space& space, std::span<const Action> given_up)
        : superiors_(superiors), space_(space), given_up_(given_up) {}

    Time last() const {
        Time last = superiors_.last();
        for (const Action& action : given_up_) last = std::max(last, action.time);
        return last;
    }
    std::int64_t bytes() const { return superiors_.bytes(); }
    bool taken(Vertex v, Time t) const { return superiors_.taken(v, t) || gives_up({v, v}, t - 1); }
    Time last_taken(Vertex v) const {
        Time last = superiors_.last_taken(v);
        for (const Action& action : given_up_)
            if (action.from == kNowhere && action.to == v) last = std::max(last, action.time);
        return last;
    }
    bool allows(Move move, Time t) const {
        return superiors_.allows(move, t) && !gives_up(move, t);
    }
    template <class Visit>
    void each_step(Vertex from, Time t, Visit&& visit) const {
        each_allowed_step(space_, from, [&](Move move) { return allows(move, t); }, visit);
    }
    bool allow(std::span<const Vertex> path, bool stays) const {
        const Time end = static_cast<Time>(path.size()) - 1;
        for (Time t = 0; t < end; ++t)
            if (gives_up({path[t], path[t + 1]}, t)) return false;
        if (stays && last_taken(path.back()) >= end) return false;
        return superiors_.allow(path, stays);
    }

  private:
    bool gives_up(Move move, Time t) const {
        return std::any_of(given_up_.begin(), given_up_.end(), [&](const Action& action) {
            if (action.from == kNowhere) return action.to == move.to && action.time == t + 1;
            return action.from == move.from && action.to == move.to && action.time == t;
        });
    }

    const Superiors& superiors_;
    const Space& space_;
    std::span<const Action> given_up_;
};

// A search for a path as long as a given one, from and to where that leads, that comes back to no
// place. Depth first, since most are found at once, and given up soon, since some have to loop.
class ToldPaths::LoopFree {
  public:
    LoopFree(const Superiors& others, DistanceMap& distances, Budget& budget,
             std::span<const Vertex> path, Vertex goal, std::int32_t vertices)
        : others_(others),
          distances_(distances),
          budget_(budget),
          path_(path.begin(), path.end()),
          goal_(goal),
          been_(static_cast<std::size_t>(vertices), false),
          patience_(kPatience + 4 * static_cast<std::int64_t>(path.size())),
          rest_(distances.at(path.back(), budget)) {}

    bool find() {
        const Time last = static_cast<Time>(path_.size()) - 1;
        Time t = 0;
        been_[path_[0]] = true;
        while (t < last) {
            if (--patience_ < 0 || !budget_.tick()) return false;
            choose_from(t, last);
            if (choices_.empty()) return false;
            const Choice next = choices_.back();
            choices_.pop_back();
            for (; t >= next.time; --t)  // back to where there was a choice
                if (path_[t] != path_[t - 1]) been_[path_[t]] = false;
            t = next.time;
            path_[t] = next.place;
            been_[next.place] = true;
        }
        return true;
    }
    std::span<const Vertex> path() const { return path_; }

  private:
    static constexpr std::int64_t kPatience = 500;
    struct Choice {
        Time time;
        Vertex place;
    };

    // Where the path may lead from where it is at t.
    void choose_from(Time t, Time last) {
        const Vertex from = path_[t];
        const auto before = static_cast<std::ptrdiff_t>(choices_.size());
        others_.each_step(from, t, [&](Vertex to) {
            budget_.generate(1);
            const bool comes_back = to != from && been_[to];
            const bool is_end = t + 1 == last;
            if (comes_back || (is_end ? to != path_.back() : to == goal_)) return;
            const Cost way = distances_.at(to, budget_);
            if (way != kNotReady && way - rest_ <= last - t - 1) choices_.push_back({t + 1, to});
        });
        std::reverse(choices_.begin() + before, choices_.end());  // the first is tried first
    }

    const Superiors& others_;
    DistanceMap& distances_;
    Budget& budget_;
    std::vector<Vertex> path_;
    const Vertex goal_;
    std::vector<bool> been_;
    std::vector<Choice> choices_;
    std::int64_t patience_;
    const Cost rest_;  // from its end
};

}  // namespace sidestep
