#include "sidestep/distance/distance.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>

#include "arrays.hpp"
#include "budget.hpp"
#include "lease.hpp"

namespace sidestep::bindings {

namespace {

// Distances with the space they refer to.
class OwnedDistances {
  public:
    OwnedDistances(const Space& space, std::int64_t cap_bytes)
        : space_(space), distances_(space_, static_cast<std::size_t>(cap_bytes)) {
        if (cap_bytes < 0) throw std::invalid_argument("a cap is a number of bytes, 0 or more");
    }

    // A map in use: what nobody uses may be forgotten at once, to keep to the cap.
    class Held {
      public:
        Held(Distances& all, Vertex goal, Vertex origin)
            : all_(all), goal_(goal), map_(all.acquire(goal, origin)) {}
        ~Held() { all_.release(goal_); }
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;
        DistanceMap* operator->() { return &map_; }

      private:
        Distances& all_;
        Vertex goal_;
        DistanceMap& map_;
    };
    Held map(Vertex goal, Vertex origin) {
        require_vertex(space_, goal);
        require_vertex(space_, origin);
        return Held(distances_, goal, origin);
    }
    // -1: no way.
    std::int32_t at(Vertex goal, Vertex origin, Vertex v, WatchedBudget& budget) {
        require_vertex(space_, v);
        Held distances = map(goal, origin);
        const Cost cost = budget.run([&](Budget& b) { return distances->at(v, b); });
        if (cost == kNotReady) throw std::runtime_error("the budget ran out");
        return cost >= kUnreachable ? -1 : cost;
    }
    IntVectorOut all(Vertex goal, Vertex origin, const IntVector& vertices, WatchedBudget& budget) {
        for (const Vertex v : view(vertices)) require_vertex(space_, v);
        Held distances = map(goal, origin);
        auto costs = std::make_unique_for_overwrite<std::int32_t[]>(vertices.size());
        const bool known = budget.run([&](Budget& b) {
            return std::ranges::all_of(view(vertices), [&, k = 0](Vertex v) mutable {
                const Cost cost = distances->at(v, b);
                costs[k++] = cost >= kUnreachable ? -1 : cost;
                return cost != kNotReady;
            });
        });
        if (!known) throw std::runtime_error("the budget ran out");
        return give<IntVectorOut>(std::move(costs), {vertices.size()});
    }
    // Empty: no way.
    IntVectorOut path(Vertex goal, Vertex origin, Vertex v, WatchedBudget& budget) {
        require_vertex(space_, v);
        Held distances = map(goal, origin);
        std::vector<Vertex> vertices;
        const Cost cost = budget.run([&](Budget& b) { return distances->path(v, b, vertices); });
        if (cost == kNotReady) throw std::runtime_error("the budget ran out");
        return copy_out(vertices);
    }
    void set_open(Vertex v, bool open) {
        require_vertex(space_, v);
        space_.set_open(v, open);
        distances_.changed(v);
    }
    std::int64_t bytes() const { return static_cast<std::int64_t>(distances_.bytes()); }

  private:
    Space space_;
    Distances distances_;
};

std::tuple<IntVectorOut, IntVectorOut, bool> around(const Space& space, Vertex goal,
                                                    std::int32_t most) {
    require_vertex(space, goal);
    const Surroundings found = surroundings(space, goal, most);
    return {copy_out(found.vertices), copy_out(found.distances), found.complete};
}

// -1: no way.
IntVectorOut table(const Space& space, Vertex goal, WatchedBudget& budget) {
    require_vertex(space, goal);
    const auto n = static_cast<std::size_t>(space.size());
    auto costs = std::make_unique_for_overwrite<std::int32_t[]>(n);
    const std::span<Cost> all{costs.get(), n};
    if (!budget.run([&](Budget& b) { return distance_table(space, goal, b, all); }))
        throw std::runtime_error("the budget ran out");
    std::replace(all.begin(), all.end(), kUnreachable, Cost{-1});
    return give<IntVectorOut>(std::move(costs), {n});
}

}  // namespace

}  // namespace sidestep::bindings

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::bindings::OwnedDistances, "Distances")

namespace sidestep::bindings {

void bind_distance(nb::module_& m) {
    nb::class_<OwnedDistances>(m, "Distances", "Exact distances by Reverse Resumable A*.")
        .def(nb::init<const Space&, std::int64_t>(), nb::arg("space"),
             nb::arg("cap_bytes") = static_cast<std::int64_t>(Distances::kDefaultCap))
        .def("at", &OwnedDistances::at, nb::arg("goal"), nb::arg("origin"), nb::arg("vertex"),
             nb::arg("budget"), "The distance to the goal, -1 if there is no way.")
        .def("all", &OwnedDistances::all, nb::arg("goal"), nb::arg("origin"),
             nb::arg("vertices").noconvert(), nb::arg("budget"),
             "The distances of several vertices, found in this order.")
        .def("path", &OwnedDistances::path, nb::arg("goal"), nb::arg("origin"), nb::arg("vertex"),
             nb::arg("budget"), "A shortest path to the goal, empty if there is none.")
        .def("set_open", &OwnedDistances::set_open)
        .def_prop_ro("bytes", &OwnedDistances::bytes);

    m.def("surroundings", &around, nb::arg("space"), nb::arg("goal"), nb::arg("most"),
          "The vertices nearest to a goal, nearest first, in whole levels until there are `most`; "
          "their distances; and whether these are all that have a way.");
    m.def("distance_table", &table, nb::arg("space"), nb::arg("goal"), nb::arg("budget"),
          "The distances of all vertices to the goal, -1 where there is no way.");
}

}  // namespace sidestep::bindings
