#include "sidestep/search/finder.hpp"

#include <algorithm>
#include <utility>

namespace sidestep::search {

Map grid_map(const Terrain& terrain) {
    const bool even = terrain.factors.empty() && terrain.corner_cost == 0;
    if (even && terrain.connectivity == 4)
        return Lattice<4>(terrain.passable, terrain.width, terrain.corners, terrain.scale);
    if (even) return Lattice<8>(terrain.passable, terrain.width, terrain.corners, terrain.scale);
    return WeightedLattice(terrain);
}

Map graph_map(std::int32_t size, std::span<const Move> edges, std::span<const std::int32_t> lengths,
              bool directed) {
    std::vector<Network::Step> steps;
    for (std::size_t edge = 0; edge < edges.size(); ++edge) {
        const auto length = static_cast<std::uint32_t>(lengths.empty() ? 1 : lengths[edge]);
        steps.push_back({edges[edge].from, edges[edge].to, length});
        if (!directed) steps.push_back({edges[edge].to, edges[edge].from, length});
    }
    return Network(size, steps);
}

namespace {

template <class M, class Queue, class Known>
class SearcherOf final : public Searcher {
  public:
    SearcherOf(const M& map, const Geometry& geometry, std::shared_ptr<const Estimate> estimate)
        : search_(map),
          geometry_(geometry),
          estimate_(std::move(estimate)),
          aim_(estimate_ ? estimate_->aim() : nullptr) {}

    void renew(const Map& map, const Geometry& geometry) override {
        search_.on(std::get<M>(map));
        geometry_ = geometry;
        if (aim_) aim_ = estimate_->aim();
    }
    bool begin(Vertex start, Vertex goal, Budget& budget) override {
        start_ = start;
        goal_ = goal;
        if (!aim_at(goal, budget)) return false;
        with_guess([&](const auto& guess) { search_.begin(start, goal, guess); });
        return true;
    }
    bool retarget(Vertex goal, Budget& budget) override {
        goal_ = goal;
        if (!aim_at(goal, budget)) return false;
        with_guess([&](const auto& guess) { search_.retarget(goal, guess); });
        return true;
    }
    bool walk_to(Vertex start, Budget& budget) override {
        start_ = start;
        if (!aim_at(goal_, budget)) return false;
        return with_guess([&](const auto& guess) { return search_.walk_to(start, guess, budget); });
    }
    Ending run(Budget& budget) override { return run_within(kFar, budget); }
    Ending run_within(Length reach, Budget& budget) override {
        return with_guess([&](const auto& guess) { return search_.run(guess, budget, reach); });
    }
    Length known(Vertex v) const override { return search_.known(v); }
    Vertex most_promising() const override {
        return with_guess([&](const auto& guess) { return search_.most_promising(guess); });
    }
    Length path(Vertex v, std::vector<Vertex>& out) const override { return search_.path(v, out); }
    std::size_t bytes() const override { return search_.bytes(); }

  private:
    bool aim_at(Vertex goal, Budget& budget) {
        geometry_.aim(goal);
        return !aim_ || aim_->set(start_, goal, budget);
    }
    template <class Work>
    auto with_guess(Work&& work) const {
        return aim_ ? work(Asked(*aim_)) : work(geometry_);
    }
    template <class Work>
    auto with_guess(Work&& work) {
        return aim_ ? work(Asked(*aim_)) : work(geometry_);
    }

    AStar<M, Queue, Known> search_;
    Geometry geometry_;
    std::shared_ptr<const Estimate> estimate_;
    std::unique_ptr<Aim> aim_;
    Vertex start_ = kNowhere, goal_ = kNowhere;
};

// Not a lambda in `Finder::searcher`: clang 16 without optimisation forgets the virtual functions
// of a class that only a generic lambda makes.
template <class M, class Known>
std::unique_ptr<Searcher> searcher_on(const M& map, QueueKind queue, const Geometry& geometry,
                                      std::shared_ptr<const Estimate> estimate) {
    switch (queue) {
        case QueueKind::heap:
            return std::make_unique<SearcherOf<M, HeapQueue, Known>>(map, geometry,
                                                                     std::move(estimate));
        case QueueKind::list:
            return std::make_unique<SearcherOf<M, ListQueue, Known>>(map, geometry,
                                                                     std::move(estimate));
        case QueueKind::buckets:
            break;
    }
    return std::make_unique<SearcherOf<M, BucketQueue, Known>>(map, geometry, std::move(estimate));
}

class FourWaySearcher final : public PathSearcher {
  public:
    FourWaySearcher(const FourWay::Grid& map, const Geometry& geometry) : search_(map, geometry) {}

    void renew(const Map& map, const Geometry&) override {
        search_.on(std::get<FourWay::Grid>(map));
    }
    bool begin(Vertex start, Vertex goal, Budget&) override {
        search_.begin(start, goal);
        return true;
    }
    Ending run(Budget& budget) override { return search_.run(budget); }
    Vertex most_promising() const override { return search_.most_promising(); }
    Length path(Vertex v, std::vector<Vertex>& out) const override { return search_.path(v, out); }

  private:
    FourWay search_;
};

}  // namespace

Finder::Walls Finder::walls() const {
    const std::lock_guard lock(choosing_);
    return {map_, geometry_, version_};
}

std::uint64_t Finder::version() const {
    const std::lock_guard lock(choosing_);
    return version_;
}

std::int32_t Finder::size() const {
    return std::visit([](const auto& map) { return map.size(); }, *walls().map);
}

void Finder::set_open(Vertex v, bool open, std::span<const std::uint8_t> passable,
                      const Geometry& geometry) {
    const std::lock_guard lock(choosing_);
    if (map_.use_count() > 1) map_ = std::make_shared<Map>(*map_);
    const auto change = [&]<class M>(M& map) {
        if constexpr (requires { map.changed(passable, v); })
            map.changed(passable, v);
        else
            map.set_open(v, open);
    };
    std::visit(change, *map_);
    geometry_ = geometry;
    ++version_;
}

void Finder::use(std::shared_ptr<const Estimate> estimate) {
    const std::lock_guard lock(choosing_);
    estimate_ = std::move(estimate);
}

std::shared_ptr<const Estimate> Finder::estimate() const {
    const std::lock_guard lock(choosing_);
    return estimate_;
}

std::size_t Finder::estimate_bytes() const {
    const auto estimate = this->estimate();
    return estimate ? estimate->bytes() : 0;
}

std::unique_ptr<Searcher> Finder::searcher(QueueKind queue, const Walls& walls, bool sparse) const {
    return std::visit(
        [&]<class M>(const M& map) {
            return sparse ? searcher_on<M, PagedGround>(map, queue, walls.geometry, estimate())
                          : searcher_on<M, Ground>(map, queue, walls.geometry, estimate());
        },
        *walls.map);
}

std::vector<Length> flood(const Map& map, std::span<const Vertex> sources, Heading heading,
                          Budget& budget) {
    Flood flood;
    const auto go = [&](const auto& ground) {
        flood.begin(ground, sources);
        return flood.run(ground, heading, budget);
    };
    if (!std::visit(go, map)) return {};
    return std::move(flood.lengths);
}

std::unique_ptr<PathSearcher> Finder::fastest(QueueKind queue, const Walls& walls) const {
    const auto* grid = std::get_if<FourWay::Grid>(walls.map.get());
    if (grid && queue == QueueKind::buckets && !estimate() && FourWay::fits(*grid, walls.geometry))
        return std::make_unique<FourWaySearcher>(*grid, walls.geometry);
    return searcher(queue, walls);
}

PathSearcher& Finder::kept(QueueKind queue, const Walls& walls) {
    if (auto estimate = this->estimate();
        !kept_ || kept_queue_ != queue || kept_estimate_ != estimate) {
        kept_estimate_ = std::move(estimate);
        kept_ = fastest(queue, walls);
        kept_queue_ = queue;
    } else if (kept_version_ != walls.version) {
        kept_->renew(*walls.map, walls.geometry);
    }
    kept_version_ = walls.version;
    return *kept_;
}

Finder::Found Finder::find_with(PathSearcher& searcher, Vertex start, Vertex goal, Budget& budget,
                                std::vector<Vertex>& out) {
    if (!searcher.begin(start, goal, budget)) {
        out.push_back(start);
        return {Ending::out_of_budget, 0};
    }
    const Ending ending = searcher.run(budget);
    if (ending == Ending::no_path) return {ending, kFar};
    const Vertex end = ending == Ending::found ? goal : searcher.most_promising();
    return {ending, searcher.path(end, out)};
}

Finder::Found Finder::find(Vertex start, Vertex goal, QueueKind queue, Budget& budget,
                           std::vector<Vertex>& out) {
    const std::lock_guard lock(searching_);
    const Walls now = walls();
    return find_with(kept(queue, now), start, goal, budget, out);
}

Finder::Found Finder::find_biased(Vertex start, Vertex goal, std::span<const std::int64_t> bias,
                                  Budget& budget, std::vector<Vertex>& out) const {
    Walls now = walls();
    now.geometry.aim(goal);
    const auto estimate = this->estimate();
    const std::unique_ptr<Aim> aim = estimate ? estimate->aim() : nullptr;
    if (aim && !aim->set(start, goal, budget)) return {Ending::out_of_budget, kFar};
    const auto search = [&](const auto& map, const auto& guess) -> Found {
        BiasedSearch biased(map, guess, bias);
        const Ending ending = biased.run(start, goal, budget);
        if (ending != Ending::found) return {ending, kFar};
        return {ending, biased.path(out)};
    };
    return std::visit(
        [&](const auto& map) { return aim ? search(map, Asked(*aim)) : search(map, now.geometry); },
        *now.map);
}

bool Finder::find_all(std::span<const Vertex> starts, std::span<const Vertex> goals,
                      QueueKind queue, Budget& budget, Batch& out) {
    const std::lock_guard lock(searching_);
    const Walls now = walls();
    PathSearcher& searcher = kept(queue, now);
    for (std::size_t i = 0; i < starts.size(); ++i) {
        const std::size_t before = out.vertices.size();
        const Found found = find_with(searcher, starts[i], goals[i], budget, out.vertices);
        if (found.ending == Ending::out_of_budget) {
            out.vertices.resize(before);
            return false;
        }
        out.ends.push_back(static_cast<std::int64_t>(out.vertices.size()));
        const bool is_path = found.ending == Ending::found;
        out.lengths.push_back(is_path ? static_cast<std::int64_t>(found.length) : -1);
    }
    return true;
}

Vertex downhill(const Map& map, std::span<const std::int64_t> distances, Vertex v) {
    Vertex next = kNowhere;
    const auto look = [&](Vertex u, Length length, int) {
        const bool is_on_the_way = distances[u] >= 0 && distances[v] > 0 &&
                                   distances[u] + static_cast<std::int64_t>(length) == distances[v];
        if (is_on_the_way && next == kNowhere) next = u;
    };
    std::visit([&](const auto& ground) { ground.successors(v, look); }, map);
    return next;
}

}  // namespace sidestep::search
