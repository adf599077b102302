#include "sidestep/solvers/joint.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "agents.hpp"
#include "arrays.hpp"
#include "budget.hpp"
#include "enums.hpp"
#include "lease.hpp"
#include "paths.hpp"

namespace sidestep::bindings {

namespace {

// The planner of the core, with the outcome of its last plan.
struct Planner {
    Planner(const Space& space, const Rules& rules) : core(space, rules) {}

    JointPlanner core;
    Others illegal{core.space(), core.rules()}, avoid{core.space(), core.rules()};
    Outcome outcome = Outcome::no_path;
};

// All paths have the same length; an agent that is gone is nowhere.
IntMatrixOut matrix(const std::vector<std::vector<Vertex>>& paths) {
    const std::size_t rows = paths.empty() ? 1 : paths.front().size(), count = paths.size();
    auto data = std::make_unique_for_overwrite<std::int32_t[]>(rows * count);
    for (std::size_t column = 0; column < count; ++column)
        for (std::size_t row = 0; row < rows; ++row)
            data[row * count + column] = paths[column][row];
    return give<IntMatrixOut>(std::move(data), {rows, count});
}

// None: the outcome is no plan. Paths come and go as columns, -1 where an agent is gone.
nb::object plan(Planner& planner, const IntVector& starts, const IntVector& goals, bool decompose,
                Duplicates duplicates, bool pairs, bool partial, Cost at_least,
                std::optional<Cost> cost_limit, const std::optional<IntMatrix>& illegal,
                const std::optional<IntMatrix>& avoid, WatchedBudget& budget) {
    const Space& space = planner.core.space();
    require_places(space, starts, goals);
    require_within(at_least, 0, kUnreachable, "at_least");
    JointTask task{.starts = view(starts),
                   .goals = view(goals),
                   .decompose = decompose,
                   .duplicates = duplicates,
                   .pairs = pairs,
                   .partial = partial,
                   .at_least = at_least,
                   .cost_limit = limit(cost_limit)};
    std::vector<std::vector<Vertex>> paths;
    planner.outcome = budget.run([&](Budget& b) {
        task.illegal = planner.illegal.read(illegal, b);
        task.avoid = planner.avoid.read(avoid, b);
        return planner.core.plan(task, b, paths);
    });
    return planner.outcome == Outcome::found ? nb::cast(matrix(paths)) : nb::none();
}

}  // namespace

}  // namespace sidestep::bindings

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::bindings::Planner, "JointPlanner")

namespace sidestep::bindings {

void bind_joint(nb::module_& m) {
    bind_enum<Duplicates>(
        m, "Duplicates", "Which nodes of operator decomposition are the same.",
        {{"post_move", Duplicates::post_move}, {"standard", Duplicates::standard}});

    nb::class_<Planner>(m, "JointPlanner", "Optimal plans for groups of agents.")
        .def(nb::init<const Space&, const Rules&>(), nb::arg("space"), nb::arg("rules"))
        .def("plan", &plan, nb::arg("starts").noconvert(), nb::arg("goals").noconvert(),
             nb::kw_only(), nb::arg("decompose"), nb::arg("duplicates"), nb::arg("pairs"),
             nb::arg("partial") = true, nb::arg("at_least"), nb::arg("cost_limit").none(),
             nb::arg("illegal").none(), nb::arg("avoid").none(), nb::arg("budget"),
             "The cheapest paths as columns, or None: see `outcome`.")
        .def_ro("outcome", &Planner::outcome)
        .def_prop_ro("cost", [](const Planner& p) { return p.core.search().cost(); })
        .def_prop_ro(
            "lower_bound", [](const Planner& p) { return p.core.search().lower_bound(); },
            "What paths of the last group cost at least.")
        .def_prop_ro("expanded", [](const Planner& p) { return p.core.search().expanded(); })
        .def_prop_ro("expanded_standard",
                     [](const Planner& p) { return p.core.search().expanded_standard(); })
        .def_prop_ro("generated", [](const Planner& p) { return p.core.search().generated(); });
}

}  // namespace sidestep::bindings
