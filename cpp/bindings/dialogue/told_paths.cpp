#include "sidestep/dialogue/told_paths.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.hpp"
#include "budget.hpp"
#include "paths.hpp"

namespace sidestep::bindings {

namespace {

void require_agent(const Parley& parley, AgentId agent) {
    if (agent < 0 || agent >= parley.size())
        throw std::invalid_argument("there is no agent " + std::to_string(agent));
}

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

// The distances of all agents to their goals, each by itself, -1 if there is no way; empty if the
// budget ran out.
IntVectorOut distances(Parley& parley, WatchedBudget& budget) {
    std::vector<std::int32_t> costs(parley.size());
    budget.run([&](Budget& b) {
        for (AgentId a = 0; a < parley.size(); ++a) {
            costs[a] = parley.distance(a, b);
            if (costs[a] == kNotReady) return costs.clear(), 0;
            if (costs[a] >= kUnreachable) costs[a] = -1;
        }
        return 0;
    });
    return copy_out(costs);
}

}  // namespace

void bind_parley(nb::module_& m) {
    nb::class_<Parley>(m, "Parley", "The paths that agents have told each other.")
        .def(
            "__init__",
            [](Parley* self, const Space& space, const Rules& rules, const IntVector& positions,
               const IntVector& goals, Time window, bool cache) {
                require_size(goals, positions.size(), "goals");
                new (self) Parley(space, rules, {window, cache}, view(positions), view(goals));
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("positions").noconvert(),
            nb::arg("goals").noconvert(), nb::kw_only(), nb::arg("window"), nb::arg("cache"))
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
        .def("set_open", &Parley::set_open, nb::arg("vertex"), nb::arg("open"))
        .def("set_goal", &Parley::set_goal, nb::arg("agent"), nb::arg("goal"))
        .def("add_agent", &Parley::add_agent, nb::arg("position"))
        .def("remove_agent", &Parley::remove_agent, nb::arg("agent"))
        .def("__deepcopy__", [](const Parley& parley, nb::handle) { return new Parley(parley); });
}

}  // namespace sidestep::bindings
