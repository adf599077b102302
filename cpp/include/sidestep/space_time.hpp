// Cooperative search of one agent in space and time (Silver 2005): A* over (vertex, time) against the
// reservation table, to the goal or to the end of a window.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sidestep/budget.hpp"
#include "sidestep/distance.hpp"
#include "sidestep/reservations.hpp"
#include "sidestep/space.hpp"

namespace sidestep {

enum class Outcome : std::uint8_t { found, no_path, out_of_budget };

struct SearchTask {
    Vertex start = kNowhere;
    Vertex goal = kNowhere;            // kNowhere: idle, any place where it may stay will do
    DistanceMap* distances = nullptr;  // exact distances to the goal; null: geometry only
    Time now = 0;
    Time window = 0;  // search this many steps, then take the terminal edge; 0: all the way
    Cost cost_limit = kUnreachable;
};

// States (vertex, steps) with what A* must know of them. Dense and stamped while that fits, so that
// nothing is cleared between searches; hashed on 64-bit keys for long plans on large maps.
class StateTable {
   public:
    struct Entry {
        std::uint32_t stamp;
        Cost g;  // negative once closed: -1 - g
        Vertex parent;
    };

    void prepare(std::uint64_t states);
    std::int64_t bytes() const { return bytes_; }
    bool fresh(const Entry& entry) const { return entry.stamp != stamp_; }
    void fill(Entry& entry, Cost g, Vertex parent) { entry = {stamp_, g, parent}; }

    // The reference holds until the next call.
    Entry& at(std::uint64_t key) { return hashed_ ? find(key) : dense_[key]; }

   private:
    struct Keyed {
        std::uint64_t key;
        Entry entry;
    };
    static constexpr std::uint64_t kMaxDense = std::uint64_t{1} << 24;

    Entry& find(std::uint64_t key);
    void grow();
    void count_bytes();

    std::int64_t bytes_ = 0;
    bool hashed_ = false;
    std::uint32_t stamp_ = 0;
    std::vector<Entry> dense_;
    std::vector<Keyed> sparse_;
    std::size_t used_ = 0;
};

class SpaceTimeSearch {
   public:
    // The cheapest path from (start, now) that collides with no reservation. In a window it has
    // window + 1 vertices (fewer only if the agent disappears on the way); else it ends where the
    // agent can stay for good.
    Outcome run(const Space& space, const Rules& rules, const Reservations& reservations,
                const SearchTask& task, Budget& budget, std::vector<Vertex>& path);

   private:
    struct Node {
        Vertex vertex;
        Time steps;
    };
    template <class Estimate>
    class Run;

    // One stack per f - f(start): the latest, deepest node of the lowest f comes first.
    std::vector<std::vector<Node>> open_;
    StateTable table_;
};

}  // namespace sidestep
