// A* on a grid without diagonals, on which every step costs one: what games ask for most. A step
// towards the goal leaves f as it is and any other raises it by two, so two stacks are the whole
// queue, and a comparison is the whole estimate. It expands what `AStar` on buckets expands, in the
// same order, in two thirds of the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/search/astar.hpp"
#include "sidestep/search/estimate.hpp"
#include "sidestep/search/ground.hpp"
#include "sidestep/search/lattice.hpp"

namespace sidestep::search {

class FourWay {
  public:
    using Grid = Lattice<4>;
    // Does it find ways on this map? The geometry must count steps.
    static bool fits(const Grid& map, const Geometry& geometry) {
        return map.scale() == kUnitSteps && geometry.counts_steps() &&
               static_cast<std::uint32_t>(map.size()) < ShortGround::kMost;
    }
    FourWay(const Grid& map, const Geometry& geometry)
        : map_(&map), geometry_(geometry), ground_(map.size()) {}

    // Another map of the same size, or the same one after a change: from the next beginning on.
    void on(const Grid& map) { map_ = &map; }
    void begin(Vertex start, Vertex goal);
    Ending run(Budget& budget);

    // The open vertex of lowest f, of several the nearest to the goal: the start if there is none.
    Vertex most_promising() const;
    Length path(Vertex v, std::vector<Vertex>& out) const {
        return way_back(*map_, ground_, start_, v, out);
    }

  private:
    // A stack that is asked for room once per expansion, not once per entry.
    class Pile {
      public:
        bool empty() const { return size_ == 0; }
        void clear() { size_ = 0; }
        void make_room() {
            if (size_ + kMostFound > entries_.size()) entries_.resize(2 * size_ + 64);
        }
        void push(Open open) { entries_[size_++] = open; }
        Open pop() { return entries_[--size_]; }
        const Open* begin() const { return entries_.data(); }
        const Open* end() const { return begin() + size_; }

      private:
        static constexpr std::size_t kMostFound = 4;  // in one expansion
        std::vector<Open> entries_;                   // more than are in use
        std::size_t size_ = 0;
    };

    const Grid* map_;
    Geometry geometry_;
    ShortGround ground_;
    Pile now_, later_;  // of the f that is being expanded, and of the next
    Vertex start_ = kNowhere, goal_ = kNowhere;
};

}  // namespace sidestep::search
