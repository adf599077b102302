#include "sidestep/combinatorial/nearest.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <unordered_set>
#include <utility>

#include "sidestep/distance/distance.hpp"

namespace sidestep {

namespace {

constexpr std::int32_t kNothing = -1, kLookFurther = 8;

// What one taker has found so far, nearest first, and how far it has looked.
struct Outlook {
    std::vector<std::int64_t> keys;  // distance * things + thing
    std::size_t next = 0;
    std::int32_t most;
    Cost whole = -1;  // all places up to this distance have been looked at
    bool is_all = false;
};

class Market {
  public:
    Market(const Space& space, std::span<const Vertex> places,
           std::span<const std::uint8_t> reserved, std::span<const Match> permits)
        : space_(space),
          reserved_(reserved),
          things_(static_cast<std::int64_t>(places.size())),
          first_(static_cast<std::size_t>(space.size()), kNothing),
          following_(places.size(), kNothing),
          seen_(static_cast<std::size_t>(space.size()), 0) {
        for (std::size_t thing = 0; thing < places.size(); ++thing)
            following_[thing] =
                std::exchange(first_[places[thing]], static_cast<std::int32_t>(thing));
        for (const Match& permit : permits) permitted_.insert(number(permit.taker, permit.thing));
    }

    std::int32_t thing_of(std::int64_t key) const {
        return static_cast<std::int32_t>(key % things_);
    }

    // Looks at the places that are nearest to a taker, more of them than before, in whole levels. A
    // look is as long as its places are many, or as the budget says; false: it ran out.
    bool look(std::int32_t taker, Vertex from, Outlook& outlook, Budget* budget) {
        ++look_;
        queue_.clear();
        if (space_.is_open(from)) enter(from);
        Cost distance = 0;
        std::size_t head = 0;
        while (head < queue_.size() && std::cmp_less(queue_.size(), outlook.most)) {
            ++distance;
            for (const std::size_t level = queue_.size(); head < level; ++head) {
                if (head % 64 == 0 && budget && !budget->tick()) return false;
                for (const Vertex u : space_.predecessors(queue_[head]))
                    if (enter(u) && distance > outlook.whole) collect(taker, u, distance, outlook);
            }
        }
        if (outlook.whole < 0 && !queue_.empty()) collect(taker, from, 0, outlook);
        outlook.whole = distance;
        outlook.is_all = head == queue_.size();
        outlook.most =
            outlook.most < kFarthest / kLookFurther ? outlook.most * kLookFurther : kFarthest;
        std::sort(outlook.keys.begin(), outlook.keys.end());
        return true;
    }

  private:
    static constexpr std::int32_t kFarthest = std::numeric_limits<std::int32_t>::max();

    std::int64_t number(std::int32_t taker, std::int32_t thing) const {
        return taker * things_ + thing;
    }

    bool enter(Vertex v) {
        if (std::exchange(seen_[v], look_) == look_) return false;
        queue_.push_back(v);
        return true;
    }

    void collect(std::int32_t taker, Vertex v, Cost distance, Outlook& outlook) const {
        for (std::int32_t thing = first_[v]; thing != kNothing; thing = following_[thing])
            if (!reserved_[thing] || permitted_.contains(number(taker, thing)))
                outlook.keys.push_back(distance * things_ + thing);
    }

    const Space& space_;
    std::span<const std::uint8_t> reserved_;
    std::int64_t things_;
    std::vector<std::int32_t> first_, following_;  // the things of a place, as a chain
    std::unordered_set<std::int64_t> permitted_;
    std::vector<std::uint32_t> seen_;  // in which look
    std::vector<Vertex> queue_;
    std::uint32_t look_ = 0;
};

}  // namespace

Matches nearest(const Space& space, std::span<const Vertex> from, std::span<const Vertex> places,
                std::span<const std::uint8_t> reserved, std::span<const Match> permits,
                Budget& budget, std::int32_t look_first) {
    Matches found;
    Market market(space, places, reserved, permits);
    std::vector<Outlook> outlooks(from.size(), Outlook{.keys = {}, .most = look_first});
    using Head = std::pair<std::int64_t, std::int32_t>;
    std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
    bool any_found = false;
    // The next thing that a taker would have goes to the others' next ones, unless there is none.
    const auto offer = [&](std::int32_t taker) {
        Outlook& outlook = outlooks[taker];
        while (outlook.next == outlook.keys.size()) {
            if (outlook.is_all) return;
            outlook.keys.clear();
            outlook.next = 0;
            if (!market.look(taker, from[taker], outlook, any_found ? &budget : nullptr)) {
                if (found.missed < 0) found.missed = taker;
                outlook.is_all = true;
                outlook.keys.clear();
                return;
            }
            any_found = any_found || outlook.is_all || !outlook.keys.empty();
        }
        heads.emplace(outlook.keys[outlook.next++], taker);
    };
    for (std::size_t taker = 0; taker < from.size(); ++taker)
        offer(static_cast<std::int32_t>(taker));
    std::vector<std::uint8_t> taken(places.size(), 0);
    while (!heads.empty()) {
        const auto [key, taker] = heads.top();
        heads.pop();
        const std::int32_t thing = market.thing_of(key);
        if (std::exchange(taken[thing], 1))
            offer(taker);
        else
            found.pairs.push_back({taker, thing});
    }
    return found;
}

}  // namespace sidestep
