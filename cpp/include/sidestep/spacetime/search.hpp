// Cooperative search of one agent in space and time (Silver 2005): A* over (vertex, time) against
// the reservation table, to the goal or to the end of a window.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sidestep/distance/distance.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/model/space.hpp"
#include "sidestep/spacetime/reservations.hpp"

namespace sidestep {

enum class Outcome : std::uint8_t { found, no_path, out_of_budget };

struct SearchTask {
    Vertex start = kNowhere;
    Vertex goal = kNowhere;            // kNowhere: idle, any place where it may stay will do
    DistanceMap* distances = nullptr;  // exact distances to the goal; null: geometry only
    Time now = 0;
    Time window = 0;  // search this many steps, then take the terminal edge; 0: all the way
    Cost cost_limit = kUnreachable;
    bool stays = true;  // without a window: the end must be free for good, not only on arrival
};

// States (vertex, layer of time) with what A* must know of them; stamped, so that nothing is
// cleared between searches. All layers of a vertex lie side by side, because a search comes back to
// a vertex at the times around the first. A table that fits the cache is dense; a larger one
// consists of blocks of eight layers, a cache line each, found through a hash table that begins
// small in every search.
class StateTable {
  public:
    struct Entry {
        std::uint32_t stamp;
        Cost g;  // -1 - g once closed
    };

    void prepare(std::int32_t vertices, std::int32_t layers);
    std::int64_t bytes() const;
    bool fresh(const Entry& entry) const { return entry.stamp != stamp_; }
    void fill(Entry& entry, Cost g) { entry = {stamp_, g}; }
    bool closed_with(const Entry& entry, Cost g) const {
        return !fresh(entry) && entry.g == -1 - g;
    }

    // The reference holds until the next call.
    Entry& at(Vertex v, std::int32_t layer) {
        if (!hashed_) return dense_[static_cast<std::uint64_t>(v) * layers_ + layer];
        return block(static_cast<std::uint64_t>(v) * layers_ + (layer >> 3)).entries[layer & 7];
    }

  private:
    struct alignas(64) Block {
        std::array<Entry, 8> entries;
    };
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t stamp = 0;
        std::uint32_t block = 0;
    };
    static constexpr std::uint64_t kMaxDense = std::uint64_t{3} << 19;
    static constexpr std::size_t kFewSlots = 1024;

    Block& block(std::uint64_t key);
    std::size_t probe(std::uint64_t key) const;
    void use_slots(std::size_t count);
    void grow();

    bool hashed_ = false;
    std::uint32_t stamp_ = 0;
    std::uint64_t layers_ = 0;  // per vertex; hashed: blocks of them
    std::vector<Entry> dense_;
    std::vector<Slot> slots_;  // the first slots_in_use_, a power of two, are this search's
    std::size_t slots_in_use_ = 0;
    int slot_shift_ = 0;
    std::vector<Block> blocks_;
    std::size_t blocks_in_use_ = 0;
};

class SpaceTimeSearch {
  public:
    SpaceTimeSearch() = default;
    // Its buffers are not worth copying.
    SpaceTimeSearch(const SpaceTimeSearch&) {}
    SpaceTimeSearch& operator=(const SpaceTimeSearch&) = delete;

    // The cheapest path from (start, now) that collides with no reservation. In a window it has
    // window + 1 vertices (fewer only if the agent disappears on the way); else it ends where the
    // agent can stay for good.
    Outcome run(const Space& space, const Rules& rules, const Reservations& reservations,
                const SearchTask& task, Budget& budget, std::vector<Vertex>& path);

    // The same for an agent that is large or slow. `places` is where it fits, see Space::for_size.
    Outcome run(const Space& places, const Rules& rules, const Reservations& reservations,
                Body body, const SearchTask& task, Budget& budget, std::vector<Vertex>& path);

    // The same among others who are known in another way: search_loop.hpp.
    template <class Others>
    Outcome run_among(const Space& space, const Rules& rules, const Others& others,
                      const SearchTask& task, Budget& budget, std::vector<Vertex>& path);

  private:
    struct Node {
        Vertex vertex;
        Time steps;
    };
    template <class Others, class Estimate>
    class Run;
    template <class Others>
    static bool stays_for_free(const Space& space, const Rules& rules, const Others& others,
                               const SearchTask& task);

    // One stack per f - f(start): the latest, deepest node of the lowest f comes first.
    std::vector<std::vector<Node>> open_;
    StateTable table_;
};

}  // namespace sidestep
