// Safe intervals where collisions are allowed but counted (soft: Li et al. 2022): the path with the
// fewest collisions, and of these the one that arrives first.
//
// The time of a spot is split where somebody comes or goes. To be where somebody is counts once for
// every such stretch that is entered, by a move or by waiting; a move against somebody's (a swap, a
// crossing, one that follows where that is forbidden) counts once more. A state is a spot with one
// of its stretches. It keeps all ways of which none is both earlier and with fewer collisions: a
// later one with fewer must not displace an earlier one, nor the other way round.
//
// `hard` lines, if there are any, must not be collided with at all.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sidestep/spacetime/intervals.hpp"
#include "sidestep/spacetime/timelines.hpp"

namespace sidestep {

class SoftIntervals {
  public:
    // task.bound limits the time of arrival.
    Outcome run(const Timelines& soft, const Timelines* hard, const IntervalTask& task,
                Budget& budget, std::vector<Spot>& path);
    // How many the last path has.
    std::int32_t collisions() const { return collisions_; }
    std::int64_t bytes() const;

  private:
    struct Node {
        Spot spot;
        Time arrival, end;  // of the stretch
        std::int32_t collisions;
        std::int32_t parent, next;
        bool beaten;
    };
    struct Entry {
        std::int32_t collisions;
        Cost estimate;
        std::int32_t node;
        bool operator<(const Entry& other) const;
    };

    Time stretch_end(Spot s, Time t) const;
    bool move_collides(Spot s, std::int32_t k, Spot to, Time t) const;
    Time hard_departure(Spot s, std::int32_t k, Spot to, Time t, Time last) const;
    void expand(std::int32_t number);
    void leave(std::int32_t number, std::int32_t k, Spot to);
    void reach(Spot s, Time arrival, std::int32_t collisions, std::int32_t parent);
    bool is_end(const Node& node) const;

    const Timelines* soft_ = nullptr;
    const Timelines* hard_ = nullptr;
    IntervalTask task_;
    bool vanishes_ = false;
    std::int32_t collisions_ = 0;
    std::vector<Node> nodes_;
    std::vector<Entry> open_;  // a heap
    std::unordered_map<std::uint64_t, std::int32_t> states_;
};

}  // namespace sidestep
