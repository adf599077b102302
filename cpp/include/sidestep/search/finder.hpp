// Single-agent search on one map, whatever it is made of: the searches are templates over the map
// and the queue; here they become plain calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <variant>
#include <vector>

#include "sidestep/model/budget.hpp"
#include "sidestep/search/astar.hpp"
#include "sidestep/search/biased.hpp"
#include "sidestep/search/estimate.hpp"
#include "sidestep/search/flood.hpp"
#include "sidestep/search/four_way.hpp"
#include "sidestep/search/lattice.hpp"
#include "sidestep/search/network.hpp"
#include "sidestep/search/walk.hpp"
#include "sidestep/search/weighted.hpp"

namespace sidestep::search {

class Partition;

using Map = std::variant<Lattice<4>, Lattice<8>, WeightedLattice, Network>;
enum class QueueKind : std::uint8_t { buckets, heap, list };

Map grid_map(const Terrain& terrain);
Map graph_map(std::int32_t size, std::span<const Move> edges, std::span<const std::int32_t> lengths,
              bool directed);

// Searches one after another, with the memory that they need.
class PathSearcher {
  public:
    virtual ~PathSearcher() = default;
    // The walls have changed, perhaps with the map in another place: begin again.
    virtual void renew(const Map& map, const Geometry& geometry) = 0;
    // False: the budget ran out before there was an estimate.
    virtual bool begin(Vertex start, Vertex goal, Budget& budget) = 0;
    virtual Ending run(Budget& budget) = 0;
    virtual Vertex most_promising() const = 0;
    // The path to a vertex that has been found is appended to `out`; its length is returned.
    virtual Length path(Vertex v, std::vector<Vertex>& out) const = 0;
};

// The same for a search that goes on while its ends move.
class Searcher : public PathSearcher {
  public:
    virtual bool retarget(Vertex goal, Budget& budget) = 0;
    // The start moves to a vertex that has been found. False: the budget ran out: begin again.
    virtual bool walk_to(Vertex start, Budget& budget) = 0;
    // Stops before the first vertex that is `reach` away from the start.
    virtual Ending run_within(Length reach, Budget& budget) = 0;
    virtual Length known(Vertex v) const = 0;
    virtual std::size_t bytes() const = 0;
};

// Many searches at once: their paths one after another.
struct Batch {
    std::vector<Vertex> vertices;
    std::vector<std::int64_t> ends;     // per search: where its path ends in `vertices`
    std::vector<std::int64_t> lengths;  // -1: no path
};

class Finder {
  public:
    Finder(Map map, Geometry geometry) : Finder(std::make_shared<Map>(std::move(map)), geometry) {}
    Finder(std::shared_ptr<Map> map, Geometry geometry)
        : map_(std::move(map)), geometry_(geometry) {}

    // The map as it is. Who holds it keeps it: a change then makes a copy.
    struct Walls {
        std::shared_ptr<Map> map;
        Geometry geometry;
        std::uint64_t version;  // counts changes
    };
    Walls walls() const;
    std::uint64_t version() const;
    std::int32_t size() const;
    // A vertex opens or closes. On a grid, `passable` is as it is now; geometry may change with it.
    void set_open(Vertex v, bool open, std::span<const std::uint8_t> passable,
                  const Geometry& geometry);

    // The estimate of all later searches; none: geometry.
    void use(std::shared_ptr<const Estimate> estimate);
    std::shared_ptr<const Estimate> estimate() const;
    std::size_t estimate_bytes() const;

    // It may be used while its walls are held, and they have not changed. A sparse one takes memory
    // only where it has been, and is slower.
    std::unique_ptr<Searcher> searcher(QueueKind queue, const Walls& walls,
                                       bool sparse = false) const;

    // The path is appended to `out`; if the budget ran out, one to the most promising vertex.
    struct Found {
        Ending ending;
        Length length;
    };
    Found find(Vertex start, Vertex goal, QueueKind queue, Budget& budget,
               std::vector<Vertex>& out);

    // The same with something added to the estimate of every vertex: see biased.hpp.
    Found find_biased(Vertex start, Vertex goal, std::span<const std::int64_t> bias, Budget& budget,
                      std::vector<Vertex>& out) const;

    // False: the budget ran out.
    bool find_all(std::span<const Vertex> starts, std::span<const Vertex> goals, QueueKind queue,
                  Budget& budget, Batch& out);

  private:
    std::unique_ptr<PathSearcher> fastest(QueueKind queue, const Walls& walls) const;
    PathSearcher& kept(QueueKind queue, const Walls& walls);
    static Found find_with(PathSearcher& searcher, Vertex start, Vertex goal, Budget& budget,
                           std::vector<Vertex>& out);

    mutable std::mutex choosing_;  // never for long, so that nobody waits for a search
    std::shared_ptr<Map> map_;
    Geometry geometry_;
    std::uint64_t version_ = 0;
    std::shared_ptr<const Estimate> estimate_;
    std::mutex searching_;
    std::unique_ptr<PathSearcher> kept_;  // its memory serves one batch after another
    QueueKind kept_queue_ = QueueKind::buckets;
    std::uint64_t kept_version_ = 0;
    std::shared_ptr<const Estimate> kept_estimate_;
};

// Empty: the budget ran out.
std::vector<Length> flood(const Map& map, std::span<const Vertex> sources, Heading heading,
                          Budget& budget);

// Estimates that must look at the map first. Nothing: the budget ran out.
std::shared_ptr<const Estimate> landmarks(const Finder& finder, std::size_t count, bool best_only,
                                          Budget& budget);
std::shared_ptr<const Estimate> dead_ends(const Finder& finder, const Partition& partition);
std::shared_ptr<const Estimate> gateways(const Finder& finder, const Terrain& terrain,
                                         std::int32_t side, Budget& budget);
std::shared_ptr<const Estimate> true_distances(const Finder& finder);

// The vertex after v on a shortest way to where the distances are 0; -1 is no way. `kNowhere`: v
// has no way, or is there.
Vertex downhill(const Map& map, std::span<const std::int64_t> distances, Vertex v);

}  // namespace sidestep::search
