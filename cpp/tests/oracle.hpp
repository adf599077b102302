// What a plan costs at least, by looking at everything: Dijkstra over joint positions.
//
// For the sum of costs a state also says who has committed to stay: an agent pays for every step
// until then and never moves again. For time_off_goal only waits on one's own goal are free. The
// space is finite, so "unsolvable" is a proof. It shares nothing with the core but the names of its
// types; exponential, so for tiny worlds only.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plain.hpp"

namespace oracle {

using plain::Ground;
using sidestep::kNowhere;
using sidestep::Move;
using sidestep::Rules;
using sidestep::Vertex;

// May two agents not do this in one step? kNowhere: it disappears, or is gone.
inline bool clash(const Ground& ground, const Rules& rules, Move a, Move b) {
    if (a.from == kNowhere || b.from == kNowhere) return false;
    if (a.to != kNowhere && a.to == b.to) return true;
    const bool a_moves = a.to != kNowhere && a.to != a.from;
    const bool b_moves = b.to != kNowhere && b.to != b.from;
    const bool a_follows = a_moves && a.to == b.from, b_follows = b_moves && b.to == a.from;
    if (a_follows && b_follows) return true;
    if (!rules.following && (a_follows || b_follows)) return true;
    return !rules.crossing && a_moves && b_moves && ground.cross(a, b);
}

class Oracle {
  public:
    Oracle(const Ground& ground, const Rules& rules, std::vector<Vertex> starts,
           std::vector<Vertex> goals)
        : ground_(ground), rules_(rules), starts_(std::move(starts)), goals_(std::move(goals)) {
        for (Vertex v = 0; v < ground.size(); ++v) {
            near_.emplace_back(1, v);
            for (Vertex u = 0; u < ground.size(); ++u)
                if (ground.connects(v, u)) near_.back().push_back(u);
        }
    }

    // The cost of the cheapest plan, if there is one.
    std::optional<int> cheapest() {
        std::uint64_t states = 1;
        for (std::size_t k = 0; k < starts_.size(); ++k) states *= per_agent();
        best_.assign(states, kUnseen);
        queue_.assign(1, {});
        std::vector<Place> places;
        for (std::size_t a = 0; a < starts_.size(); ++a) places.push_back({starts_[a], false});
        reach(encode(places), 0);
        for (std::size_t cost = 0; cost < queue_.size(); ++cost)
            for (std::size_t k = 0; k < queue_[cost].size(); ++k) {
                const std::uint64_t state = queue_[cost][k];
                if (best_[state] != static_cast<int>(cost)) continue;
                const auto from = decode(state);
                if (finished(from)) return static_cast<int>(cost);
                to_.assign(from.size(), {});
                step(from, 0, static_cast<int>(cost));
            }
        return std::nullopt;
    }

  private:
    static constexpr int kUnseen = 1 << 30;

    struct Place {
        Vertex vertex = kNowhere;
        bool committed = false;
    };

    bool idle(std::size_t a) const { return goals_[a] == kNowhere; }
    bool home(std::size_t a, Place place) const {
        return idle(a) || place.vertex == goals_[a] || place.vertex == kNowhere;
    }
    bool finished(const std::vector<Place>& places) const {
        for (std::size_t a = 0; a < places.size(); ++a)
            if (!home(a, places[a])) return false;
        return true;
    }

    std::uint64_t per_agent() const { return 2 * (static_cast<std::uint64_t>(ground_.size()) + 1); }
    std::uint64_t encode(const std::vector<Place>& places) const {
        std::uint64_t state = 0;
        for (const Place place : places)
            state = state * per_agent() + 2 * static_cast<std::uint64_t>(place.vertex + 1) +
                    (place.committed ? 1 : 0);
        return state;
    }
    std::vector<Place> decode(std::uint64_t state) const {
        std::vector<Place> places(starts_.size());
        for (std::size_t a = places.size(); a-- > 0; state /= per_agent()) {
            const auto own = state % per_agent();
            places[a] = {static_cast<Vertex>(own / 2) - 1, own % 2 == 1};
        }
        return places;
    }

    void reach(std::uint64_t state, int cost) {
        if (best_[state] <= cost) return;
        best_[state] = cost;
        if (queue_.size() <= static_cast<std::size_t>(cost)) queue_.resize(cost + 1);
        queue_[cost].push_back(state);
    }

    // Lets agent a and all after it do whatever agrees with those before.
    void step(const std::vector<Place>& from, std::size_t a, int cost) {
        if (a == from.size()) {
            reach(encode(to_), cost);
            return;
        }
        const Place here = from[a];
        const auto go = [&](Place there, int price) {
            for (std::size_t b = 0; b < a; ++b)
                if (clash(ground_, rules_, {here.vertex, there.vertex},
                          {from[b].vertex, to_[b].vertex}))
                    return;
            to_[a] = there;
            step(from, a + 1, cost + price);
        };
        if (here.vertex == kNowhere || (rules_.disappear && here.vertex == goals_[a]))
            return go({kNowhere, false}, 0);
        if (here.committed) return go(here, 0);
        const bool at_goal = here.vertex == goals_[a];
        if (at_goal && !rules_.free_goal_wait) go({here.vertex, true}, 0);
        for (const Vertex v : near_[here.vertex]) {
            const bool free_wait = rules_.free_goal_wait && at_goal && v == here.vertex;
            go({v, false}, idle(a) || free_wait ? 0 : 1);
        }
    }

    const Ground& ground_;
    Rules rules_;
    std::vector<Vertex> starts_, goals_;
    std::vector<std::vector<Vertex>> near_;
    std::vector<int> best_;
    std::vector<std::vector<std::uint64_t>> queue_;
    std::vector<Place> to_;
};

// The cost of the cheapest plan; nothing if there is none.
inline std::optional<int> cheapest(const Ground& ground, const Rules& rules,
                                   std::vector<Vertex> starts, std::vector<Vertex> goals) {
    return Oracle(ground, rules, std::move(starts), std::move(goals)).cheapest();
}

}  // namespace oracle
