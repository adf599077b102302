#include "sidestep/dialogue/told_paths.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>

#include "paths.hpp"
#include "planner.hpp"
#include "sidestep/model/agents.hpp"

namespace sidestep::bindings {

namespace {

// None: there is no path, or the budget ran out.
nb::object find(Parley& parley, AgentId agent, const std::vector<AgentId>& superiors,
                WatchedBudget& budget) {
    require_agent(parley, agent);
    for (const AgentId superior : superiors) require_agent(parley, superior);
    std::vector<Vertex> path;
    const Outcome outcome =
        budget.run([&](Budget& b) { return parley.find(agent, superiors, b, path); });
    return outcome == Outcome::found ? nb::cast(copy_out(path)) : nb::none();
}

void tell(Parley& parley, AgentId agent, const IntVector& path) {
    require_agent(parley, agent);
    if (path.size() == 0) throw std::invalid_argument("a path has at least one vertex");
    for (const Vertex v : view(path)) require_vertex(parley.space(), v);
    parley.tell(agent, view(path));
}

// All told paths: a row per time (in a window: all of its times), a column per agent, -1 after its
// end.
IntMatrixOut paths(const Parley& parley) {
    const auto count = static_cast<std::size_t>(parley.size());
    std::size_t rows = static_cast<std::size_t>(parley.window()) + 1;
    for (AgentId a = 0; a < parley.size(); ++a) rows = std::max(rows, parley.path(a).size());
    auto vertices = std::make_unique_for_overwrite<std::int32_t[]>(rows * count);
    std::fill_n(vertices.get(), rows * count, kNowhere);
    for (std::size_t a = 0; a < count; ++a) {
        std::size_t row = 0;
        for (const Vertex v : parley.path(static_cast<AgentId>(a))) vertices[row++ * count + a] = v;
    }
    return give<IntMatrixOut>(std::move(vertices), {rows, count});
}

IntMatrixOut first_conflicts(const Parley& parley) {
    return conflict_rows(parley.first_conflicts());
}

IntVectorOut distances(Parley& parley, WatchedBudget& budget) {
    return distances_of(parley.size(), budget,
                        [&](AgentId agent, Budget& b) { return parley.distance(agent, b); });
}

}  // namespace

void bind_parley(nb::module_& m) {
    nb::class_<Parley> planner(m, "Parley", "The paths that agents have told each other.");
    planner
        .def(
            "__init__",
            [](Parley* self, const Space& space, const Rules& rules, const Agents& agents,
               Time window, bool cache) {
                new (self) Parley(space, rules, {window, cache}, agents.positions, agents.goals);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(), nb::arg("window"),
            nb::arg("cache"))
        .def(
            "begin",
            [](Parley& parley, const IntVector& positions) {
                require_size(positions, static_cast<std::size_t>(parley.size()), "positions");
                parley.begin(view(positions));
            },
            nb::arg("positions").noconvert(), "Everybody is there and has told nothing.")
        .def("set_window", &Parley::set_window, nb::arg("window"),
             "From begin() on, everybody plans so many steps ahead.")
        .def(
            "plan_alone",
            [](Parley& parley, WatchedBudget& budget) {
                return budget.run([&](Budget& b) { return parley.plan_alone(b); });
            },
            nb::arg("budget"), "Everybody tells a path of its own; who found none first, or -1.")
        .def("find", &find, nb::arg("agent"), nb::arg("superiors"), nb::arg("budget"),
             "A path that collides with no superior's; None if there is none or the budget ended.")
        .def("tell", &tell, nb::arg("agent"), nb::arg("path").noconvert())
        .def("standing",
             [](const Parley& parley, AgentId agent) {
                 require_agent(parley, agent);
                 return copy_out(parley.standing(agent));
             })
        .def("path",
             [](const Parley& parley, AgentId agent) {
                 require_agent(parley, agent);
                 return copy_out(parley.path(agent));
             })
        .def("paths", &paths, "All told paths as a matrix: a column per agent, -1 after its end.")
        .def("cost",
             [](Parley& parley, AgentId agent) {
                 require_agent(parley, agent);
                 return parley.cost(agent);
             })
        .def("count",
             [](const Parley& parley, AgentId agent) {
                 require_agent(parley, agent);
                 return parley.count(agent);
             })
        .def("collide",
             [](const Parley& parley, AgentId one, AgentId other) {
                 require_agent(parley, one);
                 require_agent(parley, other);
                 return parley.collide(one, other);
             })
        .def("first_conflicts", &first_conflicts,
             "Rows of time, kind, agent, agent, vertex: the first conflict of every pair.")
        .def_prop_ro("fingerprint", &Parley::fingerprint)
        .def("distances", &distances, nb::arg("budget"))
        .def("__deepcopy__", [](const Parley& parley, nb::handle) { return new Parley(parley); });
    bind_changes(planner);
}

}  // namespace sidestep::bindings
