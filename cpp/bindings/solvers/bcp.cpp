#include "sidestep/solvers/bcp.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>

#include "gil.hpp"
#include "lease.hpp"
#include "planner.hpp"
#include "sidestep/model/agents.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Bcp, "Bcp")

namespace sidestep::bindings {

namespace {

// A search in Python, which is called while the core runs without the GIL.
InnerSearch inner_search(const nb::object& search) {
    if (search.is_none()) return nullptr;
    return [search](Vertex from, Vertex goal, std::span<const double> bias) {
        using Bias = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
        return with_gil([&] {
            auto copy = std::make_unique_for_overwrite<double[]>(bias.size());
            std::copy(bias.begin(), bias.end(), copy.get());
            return nb::cast<std::vector<Vertex>>(
                search(from, goal, give<Bias>(std::move(copy), {bias.size()})));
        });
    };
}

void require_bias(const Space& space, std::int32_t width, double height, std::int32_t iterations,
                  std::int32_t longest, double seconds) {
    if (width != (space.is_grid() ? space.width() : 0))
        throw std::invalid_argument("the width is that of the grid, and 0 on a graph");
    require_within(height, 0.0, 1e6, "a height");
    require_within(iterations, 1, kLatest, "iterations");
    require_within(longest, 0, kLatest, "the longest path");
    if (!(seconds >= 0)) throw std::invalid_argument("seconds are a number, 0 or more");
}

IntVectorOut turn(Bcp& paths, const IntVector& positions, WatchedBudget& budget) {
    return next_moves(paths, positions, budget, [&](Budget& b, std::span<Vertex> moves) {
        paths.turn(view(positions), b, moves);
    });
}

}  // namespace

void bind_bcp(nb::module_& m) {
    nb::class_<Bcp> planner(m, "Bcp", "Units that plan alone around biased places.");
    planner
        .def(
            "__init__",
            [](Bcp* self, const Space& space, const Rules& rules, const Agents& agents,
               std::int32_t width, double height, bool in_cost, bool greedy, bool trimmed,
               bool first_only, bool discard_rest, std::int32_t iterations, std::int32_t longest,
               double seconds, const nb::object& inner) {
                require_unit_agents(space, agents);
                require_bias(space, width, height, iterations, longest, seconds);
                const BiasOptions options{width,
                                          height,
                                          in_cost,
                                          greedy,
                                          trimmed,
                                          first_only,
                                          discard_rest,
                                          iterations,
                                          longest,
                                          seconds,
                                          inner_search(inner)};
                new (self) Bcp(space, rules, options, agents.goals, agents.priorities);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(), nb::arg("width"),
            nb::arg("height"), nb::arg("in_cost"), nb::arg("greedy"), nb::arg("trimmed"),
            nb::arg("first_only"), nb::arg("discard_rest"), nb::arg("iterations"),
            nb::arg("longest"), nb::arg("seconds"), nb::arg("inner").none())
        .def("turn", &turn, nb::arg("positions").noconvert(), nb::arg("budget"),
             "One turn: plans if something is not as planned, then moves.")
        .def_prop_ro("plannings", &Bcp::plannings)
        .def_prop_ro("iterations", &Bcp::iterations)
        .def_prop_ro("collisions", &Bcp::collisions)
        .def_prop_ro("slowest_planning", &Bcp::slowest_planning)
        .def("__deepcopy__", [](const Bcp& paths, nb::handle) { return new Bcp(paths); });
    bind_changes(planner);
}

}  // namespace sidestep::bindings
