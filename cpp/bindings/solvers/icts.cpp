#include "sidestep/solvers/icts.hpp"

#include <nanobind/stl/optional.h>

#include <optional>

#include "agents.hpp"
#include "arrays.hpp"
#include "budget.hpp"
#include "enums.hpp"
#include "lease.hpp"
#include "paths.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::icts::Icts, "Icts")

namespace sidestep::bindings {

using icts::Icts;
using icts::Pruning;

namespace {

using Paths = std::vector<std::vector<Vertex>>;

Outcome solve(Icts& solver, const IntVector& agents, std::optional<Cost> cost_limit,
              const std::optional<IntMatrix>& illegal, const std::optional<IntMatrix>& avoid,
              WatchedBudget& budget) {
    require_distinct(solver, view(agents));
    const auto columns_of = [&](const std::optional<IntMatrix>& matrix, Budget& b) {
        Paths paths = matrix ? columns(solver.space(), *matrix, b) : Paths();
        std::erase_if(paths, [](const auto& path) { return path.empty(); });
        return paths;
    };
    return budget.run([&](Budget& b) {
        const Paths walls = columns_of(illegal, b), strangers = columns_of(avoid, b);
        const Icts::Task task{view(agents), limit(cost_limit), walls, strangers};
        return solver.solve(task, b);
    });
}

}  // namespace

void bind_icts(nb::module_& m) {
    bind_enum<Pruning>(
        m, "Pruning", "What ICTS asks of pairs before it searches for all.",
        {{"none", Pruning::none}, {"simple", Pruning::simple}, {"enhanced", Pruning::enhanced}});

    nb::class_<Icts>(m, "Icts", "Increasing Cost Tree Search over the agents of a problem.")
        .def(
            "__init__",
            [](Icts* self, const Space& space, const Rules& rules, const IntVector& starts,
               const IntVector& goals, Pruning pruning, bool independence) {
                require_size(goals, starts.size(), "goals");
                for (const IntVector& places : {starts, goals})
                    for (const Vertex v : view(places)) require_vertex(space, v);
                new (self) Icts(space, rules, {pruning, independence}, view(starts), view(goals));
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("starts").noconvert(),
            nb::arg("goals").noconvert(), nb::kw_only(), nb::arg("pruning"),
            nb::arg("independence"))
        .def("solve", &solve, nb::arg("agents").noconvert(), nb::kw_only(),
             nb::arg("cost_limit") = nb::none(), nb::arg("illegal") = nb::none(),
             nb::arg("avoid") = nb::none(), nb::arg("budget"),
             "Optimal paths for some of the agents, as if the others were not there. `illegal` and "
             "`avoid` are paths of others, as columns, that must and that should be avoided.")
        .def("path", &path_of<Icts>, nb::arg("agent"),
             "After a task was solved: the path of one of its agents.")
        .def_prop_ro("lower_bound", &Icts::lower_bound, "What the last task costs at least.")
        .def_prop_ro("most_bytes", &Icts::most_bytes)
        .def_prop_ro("tree_nodes", [](const Icts& s) { return s.statistics().tree_nodes; })
        .def_prop_ro("diagrams", [](const Icts& s) { return s.statistics().diagrams; })
        .def_prop_ro("pairs", [](const Icts& s) { return s.statistics().pairs; })
        .def_prop_ro("joint_searches", [](const Icts& s) { return s.statistics().joint_searches; })
        .def_prop_ro("largest_group", [](const Icts& s) { return s.statistics().largest_group; });
}

}  // namespace sidestep::bindings
