// Exact distances to a goal, found on demand: Reverse Resumable A* (Silver 2005, algorithm 1).
//
// One DistanceMap per distinct goal, shared by all agents that head for it. The search runs
// backwards from the goal towards the place where the first of them stood, and is resumed whenever
// a distance is asked for that it has not reached yet. Its closed list is a paged array: a map
// costs memory only where its search has been, and a map that has been everywhere is a complete
// distance table.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/model/space.hpp"

namespace sidestep {

using Cost = std::int32_t;
inline constexpr Cost kUnreachable = std::numeric_limits<Cost>::max() / 4;
inline constexpr Cost kNotReady = -1;  // the budget ran out before the distance was known

// The distances of all vertices to a goal at once, by breadth-first search: `table` has one entry
// per vertex. False: the budget ran out.
bool distance_table(const Space& space, Vertex goal, Budget& budget, std::span<Cost> table);

// The vertices from which a goal is nearest, nearest first: whole levels of a breadth-first search
// until there are `most` vertices or no more.
struct Surroundings {
    std::vector<Vertex> vertices;
    std::vector<Cost> distances;
    bool complete = false;  // these are all vertices with a way to the goal
};
Surroundings surroundings(const Space& space, Vertex goal, std::int32_t most);

// What a search may use where nothing but its length counts: a number of vertices, the same on
// every machine.
struct Steps {
    std::int64_t left = 0;
    bool tick() { return left > 0 && left-- > 0; }
};

// Fixed-size zeroed blocks, recycled between maps.
class PagePool {
  public:
    explicit PagePool(std::size_t page_bytes, std::size_t pages_per_slab = 64)
        : page_bytes_(page_bytes), pages_per_slab_(pages_per_slab) {}
    PagePool(const PagePool&) = delete;
    PagePool& operator=(const PagePool&) = delete;
    std::byte* take();
    void give_back(std::byte* page) { free_.push_back(page); }
    std::size_t bytes_in_use() const { return (made_ - free_.size()) * page_bytes_; }
    std::size_t bytes() const { return made_ * page_bytes_; }

  private:
    std::size_t page_bytes_, pages_per_slab_;
    std::size_t made_ = 0;
    std::vector<std::unique_ptr<std::byte[]>> slabs_;
    std::vector<std::byte*> free_;
};

class DistanceMap {
  public:
    static constexpr std::size_t kPageBytes = 512;
    static constexpr int kNarrowBits = 8, kWideBits = 7;  // log2 of the words on a page

    DistanceMap(const Space& space, PagePool& pool, Vertex goal, Vertex origin);
    ~DistanceMap() { clear(); }
    // Its pool goes, too: no page has to be given back.
    void abandon() { pages_.clear(); }
    DistanceMap(const DistanceMap&) = delete;
    DistanceMap& operator=(const DistanceMap&) = delete;

    // The exact distance from v to the goal, kUnreachable, or kNotReady.
    Cost at(Vertex v, Budget& budget) {
        const std::uint32_t word = load(v);
        return word & kClosed ? decode(word) : resume(v, budget);
    }
    Cost at(Vertex v, Steps& steps) {
        const std::uint32_t word = load(v);
        return word & kClosed ? decode(word) : resume(v, steps);
    }

    // How many steps were taken since the map was made or last changed where the search has been. A
    // map of the same origin that has taken as many knows the same, if only `at(v, steps)` is used.
    std::int64_t taken() const { return taken_; }
    Vertex origin() const { return origin_; }
    void catch_up(std::int64_t taken);

    // A shortest path from v to the goal is appended to `path`; returns its length, or as `at`
    // does.
    Cost path(Vertex v, Budget& budget, std::vector<Vertex>& path);

    // Has the search touched v or a vertex beside it, so that a change of v could matter?
    bool touches(Vertex v) const;

    // Gives back room that only a search under way needs.
    void rest();

    // What the map takes besides its pages.
    std::size_t overhead() const;

    // Forgets everything and starts again: the map has changed where the search has been.
    void restart();

  private:
    // A word is 0 for an unseen vertex, else (distance + 1) * 2 + closed.
    // Words are 16 bits wide until a distance no longer fits; then the map is widened to 32.
    static constexpr std::uint32_t kClosed = 1;
    static std::uint32_t encode(Cost g) { return static_cast<std::uint32_t>(g + 1) << 1; }
    static Cost decode(std::uint32_t word) { return static_cast<Cost>(word >> 1) - 1; }

    bool is_wide() const { return page_bits_ == kWideBits; }
    template <class Word>
    static Word& word(std::byte* page, Vertex v) {
        constexpr Vertex mask = static_cast<Vertex>(kPageBytes / sizeof(Word)) - 1;
        return reinterpret_cast<Word*>(page)[v & mask];
    }
    std::uint32_t load(Vertex v) const {
        std::byte* page = pages_[static_cast<std::uint32_t>(v) >> page_bits_];
        if (!page) return 0;
        return is_wide() ? word<std::uint32_t>(page, v) : word<std::uint16_t>(page, v);
    }
    template <class Word>
    Word& slot(Vertex v);
    void widen();
    void clear();
    Cost resume(Vertex v, Budget& budget);
    Cost resume(Vertex v, Steps& steps);
    template <class Meter>
    Cost search_on(Vertex v, Meter& meter);
    template <class Word, class Meter>
    std::optional<Cost> resume_in(Vertex wanted, Meter& meter);
    template <class Meter>
    Cost leave_closed(Vertex v, Meter& meter);

    const Space& space_;
    PagePool& pool_;
    int page_bits_ = kNarrowBits;
    Vertex goal_, origin_;
    std::vector<std::byte*> pages_;
    // The queue: one stack per f, which never grows by more than 2 along an edge of cost 1.
    std::array<std::vector<Vertex>, 4> open_;
    Cost lowest_f_ = 0;
    std::int64_t taken_ = 0;
    bool counted_ = false;  // are its directory's bytes?
};

// The maps of all goals in use, and of some that were, up to a stated amount of memory; if that is
// 0, of those in use alone.
class Distances {
  public:
    explicit Distances(const Space& space, std::size_t cap_bytes = kDefaultCap)
        : space_(space), cap_bytes_(cap_bytes) {}
    Distances(const Distances&) = delete;
    Distances& operator=(const Distances&) = delete;
    ~Distances();

    // The map of a goal; the first to ask names the origin it is searched towards.
    DistanceMap& acquire(Vertex goal, Vertex origin);
    void release(Vertex goal);

    // A vertex has opened or closed: forgets what that affects.
    void changed(Vertex v);

    // Forgets the oldest maps that nobody uses while all together take more than the cap. What is
    // in use is never forgotten, so it alone can exceed it.
    void trim();
    std::size_t bytes() const;
    static constexpr std::size_t kDefaultCap = std::size_t{256} << 20;

  private:
    struct Entry {
        std::unique_ptr<DistanceMap> map;
        std::int32_t users = 0;
    };

    const Space& space_;
    std::size_t cap_bytes_;
    PagePool pool_{DistanceMap::kPageBytes};
    std::unordered_map<Vertex, Entry> maps_;
    std::vector<Vertex> unused_;  // oldest first
    std::size_t made_since_trim_ = 0;
};

// A space whose vertices open and close, and the distances on it. A copy finds its distances anew.
struct MeasuredSpace {
    explicit MeasuredSpace(Space places) : space(std::move(places)), distances(space) {}
    MeasuredSpace(const MeasuredSpace& other) : MeasuredSpace(other.space) {}
    MeasuredSpace& operator=(const MeasuredSpace&) = delete;

    void set_open(Vertex v, bool open) {
        space.set_open(v, open);
        distances.changed(v);
    }

    Space space;
    Distances distances;
};

// The map of one agent's goal: acquired when first asked for, until the goal changes.
class GoalDistances {
  public:
    GoalDistances() = default;
    // A copy belongs to an agent of other distances, and has to ask again.
    GoalDistances(const GoalDistances&) {}
    GoalDistances& operator=(const GoalDistances&) { return map_ = nullptr, *this; }
    GoalDistances(GoalDistances&& other) noexcept = default;
    GoalDistances& operator=(GoalDistances&& other) noexcept = default;

    DistanceMap& get(Distances& all, Vertex goal, Vertex origin) {
        if (!map_) map_ = &all.acquire(goal, origin);
        return *map_;
    }
    // To be called before the goal changes.
    void release(Distances& all, Vertex goal) {
        if (map_) all.release(goal);
        map_ = nullptr;
    }
    const DistanceMap* known() const { return map_; }

  private:
    DistanceMap* map_ = nullptr;
};

// Complete distance tables of goals, each made when first asked for and kept.
class DistanceTables {
  public:
    explicit DistanceTables(const Space& space) : space_(space) {}

    // The distances of all vertices to the goal; empty if that is not known yet.
    std::span<const Cost> known(Vertex goal) const {
        const auto found = tables_.find(goal);
        return found == tables_.end() ? std::span<const Cost>() : found->second;
    }
    // The same, made if need be; empty if the budget ran out.
    std::span<const Cost> to(Vertex goal, Budget& budget);

    // What all tables take, and what one more would.
    std::int64_t bytes() const { return static_cast<std::int64_t>(tables_.size()) * table_bytes(); }
    std::int64_t table_bytes() const {
        return static_cast<std::int64_t>(sizeof(Cost)) * space_.size();
    }

  private:
    const Space& space_;
    std::unordered_map<Vertex, std::vector<Cost>> tables_;
};

}  // namespace sidestep
