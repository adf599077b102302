#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "budget.hpp"
#include "enums.hpp"
#include "lease.hpp"
#include "sidestep/search/finder.hpp"
#include "sidestep/search/regions.hpp"

namespace sidestep::bindings {

namespace {

using namespace sidestep::search;

using ByteMatrix = PassedArray<std::uint8_t, nb::ndim<2>>;
using LongVector = PassedArray<std::int64_t, nb::ndim<1>>;
using LongVectorOut = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

std::span<const std::int64_t> long_view(const LongVector& array) {
    return {array.data(), array.size()};
}

// Lengths as Python knows them; -1: no way.
std::int64_t shown(Length length) {
    return length >= kFar ? -1 : static_cast<std::int64_t>(length);
}

LongVectorOut shown(std::span<const Length> lengths) {
    auto data = std::make_unique_for_overwrite<std::int64_t[]>(lengths.size());
    std::transform(lengths.begin(), lengths.end(), data.get(),
                   [](Length length) { return shown(length); });
    return give<LongVectorOut>(std::move(data), {lengths.size()});
}

LongVectorOut copy_long(std::span<const std::int64_t> values) {
    auto data = std::make_unique_for_overwrite<std::int64_t[]>(values.size());
    std::copy(values.begin(), values.end(), data.get());
    return give<LongVectorOut>(std::move(data), {values.size()});
}

constexpr std::int64_t kMostBias = std::int64_t{1} << 52;

[[noreturn]] void out_of_budget() { throw std::runtime_error("the budget ran out"); }

// A search that is under way; it keeps what it runs on.
class PathSearch {
  public:
    PathSearch(std::shared_ptr<Finder> finder, QueueKind queue) : finder_(std::move(finder)) {
        const Finder::Walls walls = finder_->walls();
        version_ = walls.version;
        searcher_ = finder_->searcher(queue, walls, true);  // many may be under way at once
    }

    bool begin(Vertex start, Vertex goal, WatchedBudget& budget) {
        require(start);
        require(goal);
        const auto walls = held();
        begun_ = aimed_ = false;
        return begun_ = aimed_ =
                   budget.run([&](Budget& b) { return searcher_->begin(start, goal, b); });
    }
    bool retarget(Vertex goal, WatchedBudget& budget) {
        require(goal);
        require_begun();
        const auto walls = held();
        aimed_ = false;
        return aimed_ = budget.run([&](Budget& b) { return searcher_->retarget(goal, b); });
    }
    // False: the search has to begin again. Also where no way to the vertex has been found.
    bool walk_to(Vertex start, WatchedBudget& budget) {
        require(start);
        require_begun();
        const auto walls = held();
        if (aimed_ && searcher_->known(start) != kFar &&
            budget.run([&](Budget& b) { return searcher_->walk_to(start, b); }))
            return true;
        return begun_ = aimed_ = false;
    }
    Ending run(WatchedBudget& budget, std::int64_t reach) {
        require_aimed();
        const auto walls = held();
        const Length most = reach < 0 ? kFar : static_cast<Length>(reach);
        return budget.run([&](Budget& b) { return searcher_->run_within(most, b); });
    }
    Vertex most_promising() const {
        require_aimed();
        const auto walls = held();
        return searcher_->most_promising();
    }
    // The length of a path to a vertex that has been found, and the path.
    std::tuple<std::int64_t, IntVectorOut> path(Vertex v) const {
        require(v);
        require_begun();
        const auto walls = held();
        if (searcher_->known(v) == kFar)
            throw std::invalid_argument("no way to it has been found yet");
        std::vector<Vertex> path;
        const Length length = searcher_->path(v, path);
        return {shown(length), copy_out(path)};
    }
    std::int64_t bytes() const { return static_cast<std::int64_t>(searcher_->bytes()); }

  private:
    void require(Vertex v) const {
        if (v < 0 || v >= finder_->size())
            throw std::invalid_argument("there is no vertex " + std::to_string(v));
    }
    // The map as it was when the search was made; while it is held, nobody changes it.
    Finder::Walls held() const {
        Finder::Walls walls = finder_->walls();
        if (walls.version != version_)
            throw std::invalid_argument("walls have changed since the search was made");
        return walls;
    }
    void require_begun() const {
        if (!begun_) throw std::invalid_argument("the search has not begun");
    }
    void require_aimed() const {
        require_begun();
        if (!aimed_) throw std::invalid_argument("the budget ran out before there was an estimate");
    }

    std::shared_ptr<Finder> finder_;
    std::uint64_t version_;
    std::unique_ptr<Searcher> searcher_;
    bool begun_ = false, aimed_ = false;
};

// Lengths are 48 bits wide, and two of them are added up. A cell and how a search came to it share
// 32 bits.
constexpr std::int64_t kLongestWay = std::int64_t{1} << 47;
constexpr std::int64_t kMostCells = std::int64_t{1} << 28;
constexpr int kMostFactor = 255;

class PathFinder {
  public:
    static std::unique_ptr<PathFinder> grid(const BoolMatrix& passable, int connectivity,
                                            int corners, bool octile,
                                            std::optional<ByteMatrix> factors, int corner_cost,
                                            Geometry::Kind geometry) {
        require_grid(passable, connectivity, corners);
        require_costs(passable, connectivity, octile, factors, corner_cost, geometry);
        auto made = std::make_unique<PathFinder>();
        made->passable_.assign(passable.data(), passable.data() + passable.size());
        made->terrain_ = {made->passable_,
                          static_cast<std::int32_t>(passable.shape(1)),
                          connectivity,
                          static_cast<Corners>(corners),
                          octile ? kOctileSteps : kUnitSteps,
                          {},
                          static_cast<std::uint32_t>(corner_cost)};
        made->kind_ = geometry;
        if (factors) {
            made->factors_.assign(factors->data(), factors->data() + factors->size());
            for (std::size_t k = 0; k < passable.size(); ++k)
                made->open_with_[made->factors_[k]] += passable.data()[k];
        }
        Terrain terrain = made->terrain_;
        terrain.factors = made->factors_;
        made->finder_ = std::make_shared<Finder>(grid_map(terrain), made->geometry());
        return made;
    }
    static std::unique_ptr<PathFinder> graph(std::int32_t size, const IntPairs& edges,
                                             std::optional<IntVector> lengths, bool directed) {
        require_edges(size, view(edges));
        auto made = std::make_unique<PathFinder>();
        const auto given = lengths ? view(*lengths) : std::span<const std::int32_t>{};
        if (lengths && given.size() != edges.shape(0))
            throw std::invalid_argument("there must be one length per edge");
        for (const std::int32_t length : given)
            require_within<std::int64_t>(length, 1, kLongestWay / size, "a length");
        made->finder_ =
            std::make_shared<Finder>(graph_map(size, view(edges), given, directed), Geometry());
        return made;
    }

    void use_landmarks(std::int32_t count, bool best_only, WatchedBudget& budget) {
        require_within(count, 1, 1 << 16, "landmarks");
        use(budget.run([&](Budget& b) {
            return landmarks(*finder_, static_cast<std::size_t>(count), best_only, b);
        }));
    }
    void use_dead_ends(std::int32_t side) {
        require_side(side);
        if (!partition_ || partition_->side() != side)
            partition_.emplace(passable_, terrain_.width, side);
        else
            for (const Vertex v : changed_) partition_->change(passable_, v);
        changed_ = {};
        use(dead_ends(*finder_, *partition_));
    }
    void use_gateways(std::int32_t side, WatchedBudget& budget) {
        require_side(side);
        const std::vector<std::uint8_t> passable = passable_;  // which another thread may change
        Terrain terrain = terrain_;
        terrain.passable = passable;
        use(budget.run([&](Budget& b) { return gateways(*finder_, terrain, side, b); }));
    }
    void use_true_distances() { use(true_distances(*finder_)); }
    // A vertex opens or closes. What was prepared is used as before: the caller says when it no
    // longer holds, and when it does again.
    void set_open(Vertex v, bool open) {
        require(v);
        if (!passable_.empty()) {
            if ((passable_[v] != 0) == open) return;
            passable_[v] = open;
            if (partition_) changed_.push_back(v);
            if (changed_.size() > passable_.size() / 64)
                partition_.reset();  // all of it is quicker
            if (!factors_.empty()) open_with_[factors_[v]] += open ? 1 : -1;
        }
        finder_->set_open(v, open, passable_, geometry());
    }
    void use_prepared(bool use) { finder_->use(use ? prepared_ : nullptr); }
    // The same map, which stays as it is now whatever becomes of this one.
    std::unique_ptr<PathFinder> kept() const {
        auto twin = std::make_unique<PathFinder>();
        const Finder::Walls walls = finder_->walls();
        twin->finder_ = std::make_shared<Finder>(walls.map, walls.geometry);
        return twin;
    }
    std::int64_t estimate_bytes() const {
        return static_cast<std::int64_t>(prepared_ ? prepared_->bytes() : 0);
    }

    // How it ended, the length, and the path: to the goal, or as far as it got.
    std::tuple<Ending, std::int64_t, IntVectorOut> find(Vertex start, Vertex goal, QueueKind queue,
                                                        WatchedBudget& budget) {
        require(start);
        require(goal);
        std::vector<Vertex> path;
        const auto found =
            budget.run([&](Budget& b) { return finder_->find(start, goal, queue, b, path); });
        return {found.ending, shown(found.length), copy_out(path)};
    }
    // The same with something added to the estimate of every vertex, in parts of a length: negative
    // where nobody may go. Without a path it is empty.
    std::tuple<Ending, std::int64_t, IntVectorOut> find_biased(Vertex start, Vertex goal,
                                                               const LongVector& bias,
                                                               WatchedBudget& budget) {
        require(start);
        require(goal);
        if (static_cast<std::int32_t>(bias.size()) != finder_->size())
            throw std::invalid_argument("a bias has a number per vertex");
        for (const std::int64_t one : long_view(bias))
            if (one > kMostBias) throw std::invalid_argument("a bias is at most 2**52");
        std::vector<Vertex> path;
        const auto found = budget.run(
            [&](Budget& b) { return finder_->find_biased(start, goal, long_view(bias), b, path); });
        return {found.ending, shown(found.length), copy_out(path)};
    }
    // All paths one after another, where each ends, and their lengths; fewer than asked for if the
    // budget ran out.
    std::tuple<IntVectorOut, LongVectorOut, LongVectorOut> find_all(const IntVector& starts,
                                                                    const IntVector& goals,
                                                                    QueueKind queue,
                                                                    WatchedBudget& budget) {
        if (starts.size() != goals.size())
            throw std::invalid_argument("there must be as many goals as starts");
        for (const auto& array : {starts, goals})
            for (const Vertex v : view(array)) require(v);
        Batch batch;
        budget.run([&](Budget& b) {
            return finder_->find_all(view(starts), view(goals), queue, b, batch);
        });
        return {copy_out(batch.vertices), copy_long(batch.ends), copy_long(batch.lengths)};
    }
    LongVectorOut flood(const IntVector& sources, bool home, WatchedBudget& budget) {
        for (const Vertex v : view(sources)) require(v);
        const auto heading = home ? Heading::home : Heading::away;
        const Finder::Walls walls = finder_->walls();
        const auto lengths = budget.run(
            [&](Budget& b) { return search::flood(*walls.map, view(sources), heading, b); });
        if (lengths.empty()) out_of_budget();
        return shown(lengths);
    }
    // How it ended, the length of the path, the path, and who was visited in which order.
    std::tuple<Ending, std::int64_t, IntVectorOut, IntVectorOut> walk(Way way, Vertex start,
                                                                      Vertex goal,
                                                                      WatchedBudget& budget) {
        require(start);
        require(goal);
        const Finder::Walls walls = finder_->walls();
        std::vector<Vertex> visited, path;
        Length length = 0;
        const auto go = [&](const auto& map, const auto& guess, Budget& b) {
            Walk walk(map, way, guess);
            const Ending ending = walk.run(start, goal, b);
            visited = walk.visited();
            if (!visited.empty()) path = walk.path(visited.back());
            length = search::length_of(map, path);
            return ending;
        };
        const Ending ending = budget.run([&](Budget& b) {
            const auto on = [&](const auto& guess) {
                return std::visit([&](const auto& map) { return go(map, guess, b); }, *walls.map);
            };
            const auto estimate = finder_->estimate();
            const auto aim = estimate ? estimate->aim() : nullptr;
            if (aim) return aim->set(start, goal, b) ? on(Asked(*aim)) : Ending::out_of_budget;
            Geometry geometry = walls.geometry;
            geometry.aim(goal);
            return on(geometry);
        });
        return {ending, shown(length), copy_out(path), copy_out(visited)};
    }
    // The estimates of all these vertices in a search between two of them.
    LongVectorOut estimates(Vertex start, Vertex goal, const IntVector& vertices,
                            WatchedBudget& budget) {
        require(start);
        require(goal);
        std::vector<Length> guesses;
        Geometry geometry = finder_->walls().geometry;
        geometry.aim(goal);
        const auto estimate = finder_->estimate();  // which another thread may replace
        const auto aim = estimate ? estimate->aim() : nullptr;
        if (aim && !budget.run([&](Budget& b) { return aim->set(start, goal, b); }))
            out_of_budget();
        for (const Vertex v : view(vertices)) {
            require(v);
            guesses.push_back(aim ? aim->at(v) : geometry.at(v));
        }
        return shown(guesses);
    }
    std::unique_ptr<PathSearch> search(QueueKind queue) const {
        return std::make_unique<PathSearch>(finder_, queue);
    }
    // From each of these one step towards where the distances are 0; who has no step stays.
    IntVectorOut downhill(const LongVector& distances, const IntVector& vertices) const {
        require_all(distances);
        std::vector<Vertex> next;
        const Finder::Walls walls = finder_->walls();
        for (const Vertex v : view(vertices)) {
            require(v);
            const Vertex u = search::downhill(*walls.map, long_view(distances), v);
            next.push_back(u == kNowhere ? v : u);
        }
        return copy_out(next);
    }
    IntVectorOut downhill_path(const LongVector& distances, Vertex v) const {
        require_all(distances);
        require(v);
        std::vector<Vertex> path;
        const Finder::Walls walls = finder_->walls();
        for (; v != kNowhere; v = search::downhill(*walls.map, long_view(distances), v))
            path.push_back(v);
        return copy_out(path);
    }

  private:
    void use(std::shared_ptr<const Estimate> estimate) {
        if (!estimate) out_of_budget();
        prepared_ = std::move(estimate);
        finder_->use(prepared_);
    }
    // Its estimates are those of the cheapest open cell.
    Geometry geometry() const {
        if (passable_.empty()) return {};
        const auto least = std::find_if(open_with_.begin(), open_with_.end(),
                                        [](std::int32_t count) { return count > 0; });
        const Length cheapest = factors_.empty()            ? 1
                                : least == open_with_.end() ? kMostFactor
                                                            : least - open_with_.begin();
        const Scale scale{terrain_.scale.straight * cheapest, terrain_.scale.diagonal * cheapest};
        return {kind_, static_cast<std::int32_t>(passable_.size()), terrain_.width, scale};
    }
    void require(Vertex v) const {
        if (v < 0 || v >= finder_->size())
            throw std::invalid_argument("there is no vertex " + std::to_string(v));
    }

    void require_side(std::int32_t side) const {
        if (passable_.empty()) throw std::invalid_argument("only a grid has regions");
        require_within(side, 1, 1 << 16, "a side");
    }
    // Costs of steps that add up to no more than a length can be, and an estimate that holds.
    static void require_costs(const BoolMatrix& passable, int connectivity, bool octile,
                              const std::optional<ByteMatrix>& factors, int corner_cost,
                              Geometry::Kind geometry) {
        if (octile && connectivity != 8)
            throw std::invalid_argument("octile steps need connectivity 8");
        if ((geometry == Geometry::Kind::manhattan && connectivity == 8) ||
            (geometry == Geometry::Kind::octile && !octile))
            throw std::invalid_argument("this geometry overestimates ways on such a map");
        require_within(corner_cost, 0, kMostFactor, "the cost of a corner");
        const auto size = static_cast<std::int64_t>(passable.size());
        std::int64_t steps = size * (1 + corner_cost);
        if (factors) {
            if (factors->shape(0) != passable.shape(0) || factors->shape(1) != passable.shape(1))
                throw std::invalid_argument("there must be one factor per cell");
            steps = size * corner_cost;
            for (std::size_t k = 0; k < passable.size(); ++k) {
                if (factors->data()[k] < 1) throw std::invalid_argument("a factor is 1 or more");
                steps += factors->data()[k];
            }
        }
        // A shortest way enters no cell twice.
        const auto longest = static_cast<std::int64_t>(octile ? kOctileSteps.diagonal : 1);
        if (size > kMostCells || steps > kLongestWay / longest)
            throw std::invalid_argument("a way on this map may be longer than a length can be");
    }

    void require_all(const LongVector& distances) const {
        if (distances.size() != static_cast<std::size_t>(finder_->size()))
            throw std::invalid_argument("there must be one distance per vertex");
    }

    std::vector<std::uint8_t> passable_, factors_;
    std::array<std::int32_t, kMostFactor + 1> open_with_{};  // per factor: how many open cells
    Terrain terrain_{};
    Geometry::Kind kind_ = Geometry::Kind::none;
    std::shared_ptr<Finder> finder_;
    std::shared_ptr<const Estimate> prepared_;
    std::optional<Partition> partition_;  // for dead ends
    std::vector<Vertex> changed_;         // since it was made
};

}  // namespace

}  // namespace sidestep::bindings

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::bindings::PathSearch, "PathSearch")
SIDESTEP_THREADS_WAIT(sidestep::bindings::PathFinder, "PathFinder")

namespace sidestep::bindings {

void bind_finder(nb::module_& m) {
    bind_enum<Ending>(m, "Ending", "How a single-agent search ended.",
                      {{"found", Ending::found},
                       {"no_path", Ending::no_path},
                       {"out_of_budget", Ending::out_of_budget},
                       {"far_enough", Ending::far_enough}});
    bind_enum<QueueKind>(
        m, "Queue", "What holds the open vertices of a search.",
        {{"buckets", QueueKind::buckets}, {"heap", QueueKind::heap}, {"list", QueueKind::list}});
    bind_enum<Way>(m, "Way", "The searches other than A*.",
                   {{"depth_first", Way::depth_first},
                    {"breadth_first", Way::breadth_first},
                    {"greedy", Way::greedy},
                    {"best_first", Way::best_first}});
    m.attr("STRAIGHT") = kOctileSteps.straight;
    m.attr("BIAS_UNIT") = kBiasUnit;
    m.attr("DIAGONAL") = kOctileSteps.diagonal;
    m.attr("LONGEST_WAY") = kLongestWay;
    m.attr("MOST_CELLS") = kMostCells;

    nb::class_<PathSearch>(m, "PathSearch", "A* that can be stopped and resumed.")
        .def("begin", &PathSearch::begin, nb::arg("start"), nb::arg("goal"), nb::arg("budget"))
        .def("retarget", &PathSearch::retarget, nb::arg("goal"), nb::arg("budget"))
        .def("walk_to", &PathSearch::walk_to, nb::arg("start"), nb::arg("budget"))
        .def("run", &PathSearch::run, nb::arg("budget"), nb::arg("reach") = -1)
        .def("most_promising", &PathSearch::most_promising)
        .def("path", &PathSearch::path, nb::arg("vertex"))
        .def_prop_ro("bytes", &PathSearch::bytes);

    nb::class_<PathFinder>(m, "PathFinder", "Single-agent search on one map.")
        .def_static("grid", &PathFinder::grid, nb::arg("passable").noconvert(),
                    nb::arg("connectivity"), nb::arg("corners"), nb::kw_only(), nb::arg("octile"),
                    nb::arg("factors").noconvert().none(), nb::arg("corner_cost"),
                    nb::arg("geometry"))
        .def_static("graph", &PathFinder::graph, nb::arg("n"), nb::arg("edges").noconvert(),
                    nb::arg("lengths").noconvert().none(), nb::arg("directed"))
        .def("use_landmarks", &PathFinder::use_landmarks, nb::arg("count"), nb::arg("best_only"),
             nb::arg("budget"))
        .def("use_dead_ends", &PathFinder::use_dead_ends, nb::arg("side"))
        .def("use_gateways", &PathFinder::use_gateways, nb::arg("side"), nb::arg("budget"))
        .def("use_true_distances", &PathFinder::use_true_distances)
        .def("set_open", &PathFinder::set_open, nb::arg("vertex"), nb::arg("open"))
        .def("use_prepared", &PathFinder::use_prepared, nb::arg("use"))
        .def("kept", &PathFinder::kept, "The same map, which does not change with this one.")
        .def_prop_ro("estimate_bytes", &PathFinder::estimate_bytes)
        .def("find", &PathFinder::find, nb::arg("start"), nb::arg("goal"), nb::arg("queue"),
             nb::arg("budget"))
        .def("find_biased", &PathFinder::find_biased, nb::arg("start"), nb::arg("goal"),
             nb::arg("bias").noconvert(), nb::arg("budget"))
        .def("find_all", &PathFinder::find_all, nb::arg("starts").noconvert(),
             nb::arg("goals").noconvert(), nb::arg("queue"), nb::arg("budget"))
        .def("flood", &PathFinder::flood, nb::arg("sources").noconvert(), nb::arg("home"),
             nb::arg("budget"))
        .def("walk", &PathFinder::walk, nb::arg("way"), nb::arg("start"), nb::arg("goal"),
             nb::arg("budget"))
        .def("estimates", &PathFinder::estimates, nb::arg("start"), nb::arg("goal"),
             nb::arg("vertices").noconvert(), nb::arg("budget"))
        .def("search", &PathFinder::search, nb::arg("queue"))
        .def("downhill", &PathFinder::downhill, nb::arg("distances").noconvert(),
             nb::arg("vertices").noconvert())
        .def("downhill_path", &PathFinder::downhill_path, nb::arg("distances").noconvert(),
             nb::arg("vertex"));
}

}  // namespace sidestep::bindings
