// Cooperative search of one agent in space and time (Silver 2005): A* over (vertex, time) against the
// reservation table, to the goal or to the end of a window.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
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

// States (vertex, layer of time) with what A* must know of them. Dense and stamped while that fits, so
// that nothing is cleared between searches: all layers of a vertex lie side by side, because a search
// comes back to a vertex at the times around the first. Hashed for long plans on large maps.
class StateTable {
   public:
    struct Entry {
        std::uint32_t stamp;
        Cost g;  // -1 - g once closed
    };

    void prepare(std::int32_t vertices, std::int32_t layers);
    std::int64_t bytes() const { return bytes_; }
    bool fresh(const Entry& entry) const { return entry.stamp != stamp_; }
    void fill(Entry& entry, Cost g) { entry = {stamp_, g}; }
    bool closed_with(const Entry& entry, Cost g) const { return !fresh(entry) && entry.g == -1 - g; }

    // The reference holds until the next call.
    Entry& at(Vertex v, std::int32_t layer) {
        const std::uint64_t key = static_cast<std::uint64_t>(v) * layers_ + layer;
        return hashed_ ? find(key) : dense_[key];
    }

   private:
    struct Keyed {
        std::uint64_t key;
        Entry entry;
    };
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    static constexpr std::uint64_t kMaxDense = std::uint64_t{1} << 24;

    Entry& find(std::uint64_t key);
    void grow();
    void count_bytes();

    std::int64_t bytes_ = 0;
    bool hashed_ = false;
    std::uint32_t stamp_ = 0;
    std::uint64_t layers_ = 0, dense_size_ = 0;
    // From calloc: pages that no search touches cost nothing.
    std::unique_ptr<Entry[], Free> dense_;
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
