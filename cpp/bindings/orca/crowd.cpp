#include "sidestep/orca/crowd.hpp"

#include <algorithm>
#include <limits>

#include "arrays.hpp"
#include "budget.hpp"
#include "lease.hpp"
#include "saving.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::orca::Crowd, "Crowd")

namespace sidestep::bindings {

namespace {

using orca::Crowd;
using orca::Manners;
using orca::Vec;
using Places = PassedArray<double, nb::shape<-1, 2>>;
using Numbers = PassedArray<double, nb::ndim<1>>;
using PlacesOut = nb::ndarray<nb::numpy, double, nb::shape<-1, 2>>;

std::span<const Vec> view(const Places& array) {
    static_assert(sizeof(Vec) == 2 * sizeof(double));
    return {reinterpret_cast<const Vec*>(array.data()), array.shape(0)};
}

std::span<const double> view(const Numbers& array) { return {array.data(), array.shape(0)}; }

PlacesOut copy_out(std::span<const Vec> places) {
    auto data = std::make_unique_for_overwrite<double[]>(2 * places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
        data[2 * k] = places[k].row;
        data[2 * k + 1] = places[k].col;
    }
    return give<PlacesOut>(std::move(data), {places.size(), 2});
}

void require_agent(const Crowd& crowd, AgentId agent) {
    if (agent < 0 || static_cast<std::size_t>(agent) >= crowd.places().size())
        throw std::invalid_argument("there is no agent " + std::to_string(agent));
}

constexpr double kFarthest = 1e9;   // of coordinates, radii, speeds and seconds
constexpr double kSmallest = 1e-9;  // of radii
constexpr double kShortest = std::numeric_limits<double>::min();  // of seconds

void require_place(Vec place) {
    require_within(place.row, -kFarthest, kFarthest, "a row");
    require_within(place.col, -kFarthest, kFarthest, "a column");
}

void make(Crowd* self, const Places& places, const Numbers& radii, const Numbers& max_speeds,
          double horizon, double wall_horizon, std::int32_t neighbours, double keep_right) {
    if (radii.shape(0) != places.shape(0) || max_speeds.shape(0) != places.shape(0))
        throw std::invalid_argument("radii and speeds must have one entry per agent");
    for (const Vec place : view(places)) require_place(place);
    for (const double radius : view(radii))
        require_within(radius, kSmallest, kFarthest, "a radius");
    for (const double speed : view(max_speeds)) require_within(speed, 0.0, kFarthest, "a speed");
    for (const double seconds : {horizon, wall_horizon})
        require_within(seconds, kShortest, kFarthest, "a horizon");
    require_within(neighbours, 0, 1 << 20, "neighbours");
    require_within(keep_right, -1.0, 1.0, "keep_right");
    const Manners manners{horizon, wall_horizon, neighbours, keep_right};
    new (self) Crowd(manners, view(places), view(radii), view(max_speeds));
}

void set_walls(Crowd& crowd, const BoolMatrix& passable) {
    require_grid(passable, 4, 0);
    if (crowd.has_walls()) throw std::invalid_argument("a crowd has its walls already");
    const auto* cells = reinterpret_cast<const std::uint8_t*>(passable.data());
    crowd.set_walls({cells, passable.size()}, static_cast<std::int32_t>(passable.shape(1)));
}

void follow(Crowd& crowd, const IntMatrix& plan) {
    if (plan.shape(1) != crowd.places().size() || plan.shape(0) == 0)
        throw std::invalid_argument("a plan has a column per agent and at least one row");
    if (!crowd.has_walls()) throw std::invalid_argument("only a crowd among walls follows a plan");
    for (std::size_t k = 0; k < plan.size(); ++k)
        require_within(plan.data()[k], 0, crowd.cells() - 1, "a vertex");
    crowd.follow({plan.data(), plan.size()});
}

std::int64_t steps(Crowd& crowd, double dt, std::int64_t count, WatchedBudget& budget) {
    require_within(dt, kShortest, crowd.shortest_horizon(), "the seconds of a step");
    return budget.run([&](Budget& b) {
        std::int64_t made = 0;
        while (made < count && crowd.step(dt, b)) ++made;
        return made;
    });
}

BoolVectorOut arrived(const Crowd& crowd, double tolerance) {
    const std::size_t n = crowd.places().size();
    auto there = std::make_unique_for_overwrite<bool[]>(n);
    for (std::size_t a = 0; a < n; ++a)
        there[a] = crowd.has_arrived(static_cast<AgentId>(a), tolerance);
    return give<BoolVectorOut>(std::move(there), {n});
}

}  // namespace

void bind_crowd(nb::module_& m) {
    nb::class_<Crowd> crowd_class(m, "Crowd",
                                  "Round agents that avoid each other in continuous space.");
    bind_saving(crowd_class);
    crowd_class
        .def("__init__", &make, nb::arg("places").noconvert(), nb::arg("radii").noconvert(),
             nb::arg("max_speeds").noconvert(), nb::kw_only(), nb::arg("horizon"),
             nb::arg("wall_horizon"), nb::arg("neighbours"), nb::arg("keep_right"))
        .def("set_walls", &set_walls, nb::arg("passable").noconvert())
        .def("follow", &follow, nb::arg("plan").noconvert())
        .def(
            "set_goal",
            [](Crowd& crowd, AgentId agent, double row, double col) {
                require_agent(crowd, agent);
                require_place({row, col});
                crowd.set_goal(agent, {row, col});
            },
            nb::arg("agent"), nb::arg("row"), nb::arg("col"))
        .def(
            "set_place",
            [](Crowd& crowd, AgentId agent, double row, double col) {
                require_agent(crowd, agent);
                require_place({row, col});
                crowd.set_place(agent, {row, col});
            },
            nb::arg("agent"), nb::arg("row"), nb::arg("col"))
        .def(
            "fits",
            [](const Crowd& crowd, double row, double col, double radius) {
                require_place({row, col});
                return crowd.fits({row, col}, radius);
            },
            nb::arg("row"), nb::arg("col"), nb::arg("radius"))
        .def("steps", &steps, nb::arg("dt"), nb::arg("count"), nb::arg("budget"),
             "Makes steps of dt seconds; returns how many the budget allowed.")
        .def("arrived", &arrived, nb::arg("tolerance"))
        .def("places", [](const Crowd& crowd) { return copy_out(crowd.places()); })
        .def("velocities", [](const Crowd& crowd) { return copy_out(crowd.velocities()); })
        .def("goals", [](const Crowd& crowd) { return copy_out(crowd.goals()); });
}

}  // namespace sidestep::bindings
