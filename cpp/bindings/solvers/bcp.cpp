#include "sidestep/solvers/bcp.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.hpp"
#include "budget.hpp"

namespace sidestep::bindings {

namespace {

// A search in Python, which is called while the core runs without the GIL.
InnerSearch inner_search(const nb::object& search) {
    if (search.is_none()) return nullptr;
    return [search](Vertex from, Vertex goal, std::span<const double> bias) {
        using Bias = nb::ndarray<nb::numpy, double, nb::ndim<1>>;
        nb::gil_scoped_acquire held;
        auto copy = std::make_unique_for_overwrite<double[]>(bias.size());
        std::copy(bias.begin(), bias.end(), copy.get());
        return nb::cast<std::vector<Vertex>>(
            search(from, goal, give<Bias>(std::move(copy), {bias.size()})));
    };
}

IntVectorOut turn(BiasedPaths& paths, const IntVector& positions, WatchedBudget& budget) {
    auto moves = std::make_unique_for_overwrite<std::int32_t[]>(positions.size());
    budget.run([&](Budget& b) {
        paths.turn(view(positions), b, {moves.get(), positions.size()});
        return 0;
    });
    return give<IntVectorOut>(std::move(moves), {positions.size()});
}

}  // namespace

void bind_biased(nb::module_& m) {
    nb::class_<BiasedPaths>(m, "BiasedPaths", "Units that plan alone around biased places.")
        .def(
            "__init__",
            [](BiasedPaths* self, const Space& space, const Rules& rules, const IntVector& goals,
               const IntVector& priorities, std::int32_t width, double height, bool in_cost,
               bool greedy, bool trimmed, bool first_only, std::int32_t iterations,
               std::int32_t longest, double seconds, const nb::object& inner) {
                require_size(priorities, goals.size(), "priorities");
                const BiasOptions options{
                    width,      height,     in_cost, greedy,  trimmed,
                    first_only, iterations, longest, seconds, inner_search(inner)};
                new (self) BiasedPaths(space, rules, options, view(goals), view(priorities));
            },
            nb::arg("space"), nb::arg("rules"), nb::kw_only(), nb::arg("goals").noconvert(),
            nb::arg("priorities").noconvert(), nb::arg("width"), nb::arg("height"),
            nb::arg("in_cost"), nb::arg("greedy"), nb::arg("trimmed"), nb::arg("first_only"),
            nb::arg("iterations"), nb::arg("longest"), nb::arg("seconds"), nb::arg("inner").none())
        .def("turn", &turn, nb::arg("positions").noconvert(), nb::arg("budget"),
             "One turn: plans if something is not as planned, then moves.")
        .def("set_open", &BiasedPaths::set_open, nb::arg("vertex"), nb::arg("open"))
        .def("set_goal", &BiasedPaths::set_goal, nb::arg("agent"), nb::arg("goal"))
        .def("set_priority", &BiasedPaths::set_priority, nb::arg("agent"), nb::arg("priority"))
        .def("add_agent", &BiasedPaths::add_agent, nb::arg("goal"))
        .def_prop_ro("plannings", &BiasedPaths::plannings)
        .def_prop_ro("iterations", &BiasedPaths::iterations)
        .def_prop_ro("collisions", &BiasedPaths::collisions)
        .def_prop_ro("slowest_planning", &BiasedPaths::slowest_planning)
        .def("__deepcopy__",
             [](const BiasedPaths& paths, nb::handle) { return new BiasedPaths(paths); });
}

}  // namespace sidestep::bindings
