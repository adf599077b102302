#include "sidestep/dialogue/told_paths.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>

#include "paths.hpp"
#include "planner.hpp"
#include "shared.hpp"
#include "sidestep/model/agents.hpp"

namespace sidestep::bindings {

namespace {

void require_present(const ToldPaths& told_paths, AgentId agent) {
    require_agent(told_paths, agent);
    if (told_paths.position(agent) == kNowhere)
        throw std::invalid_argument("agent " + std::to_string(agent) + " is not there");
}

// None: there is no path, or the budget ran out.
nb::object find(ToldPaths& told_paths, AgentId agent, const std::vector<AgentId>& superiors,
                WatchedBudget& budget) {
    require_present(told_paths, agent);
    for (const AgentId superior : superiors) require_agent(told_paths, superior);
    std::vector<Vertex> path;
    const Outcome outcome =
        budget.run([&](Budget& b) { return told_paths.find(agent, superiors, b, path); });
    return outcome == Outcome::found ? nb::cast(copy_out(path)) : nb::none();
}

void tell(ToldPaths& told_paths, AgentId agent, const IntVector& path) {
    require_agent(told_paths, agent);
    require_path(told_paths.space(), view(path));
    told_paths.tell(agent, view(path));
}

// All told paths: a row per time (in a window: all of its times), a column per agent, -1 after its
// end.
IntMatrixOut paths(const ToldPaths& told_paths) {
    const auto count = static_cast<std::size_t>(told_paths.size());
    std::size_t rows = static_cast<std::size_t>(told_paths.window()) + 1;
    for (AgentId a = 0; a < told_paths.size(); ++a)
        rows = std::max(rows, told_paths.path(a).size());
    auto vertices = std::make_unique_for_overwrite<std::int32_t[]>(rows * count);
    std::fill_n(vertices.get(), rows * count, kNowhere);
    for (std::size_t a = 0; a < count; ++a) {
        std::size_t row = 0;
        for (const Vertex v : told_paths.path(static_cast<AgentId>(a)))
            vertices[row++ * count + a] = v;
    }
    return give<IntMatrixOut>(std::move(vertices), {rows, count});
}

IntMatrixOut first_conflicts(const ToldPaths& told_paths) {
    return conflict_rows(told_paths.first_conflicts());
}

}  // namespace

void bind_told_paths(nb::module_& m) {
    nb::class_<ToldPaths> planner(m, "ToldPaths", "The paths that agents have told each other.");
    planner
        .def(
            "__init__",
            [](ToldPaths* self, const Space& space, const Rules& rules, const Agents& agents,
               Time window, bool cache, bool loop_free) {
                require_unit_agents(space, agents);
                require_within(window, 0, ToldPaths::kLongestWindow, "a window");
                new (self) ToldPaths(space, rules, {window, cache, loop_free}, agents.positions,
                                     agents.goals);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(), nb::arg("window"),
            nb::arg("cache"), nb::arg("loop_free") = true)
        .def(
            "begin",
            [](ToldPaths& told_paths, const IntVector& positions) {
                require_positions(told_paths, positions);
                told_paths.begin(view(positions));
            },
            nb::arg("positions").noconvert(), "Everybody is there and has told nothing.")
        .def(
            "set_window",
            [](ToldPaths& told_paths, Time window) {
                require_within(window, 0, ToldPaths::kLongestWindow, "a window");
                told_paths.set_window(window);
            },
            nb::arg("window"), "From begin() on, everybody plans this many steps ahead.")
        .def(
            "plan_alone",
            [](ToldPaths& told_paths, WatchedBudget& budget) {
                return budget.run([&](Budget& b) { return told_paths.plan_alone(b); });
            },
            nb::arg("budget"), "Everybody tells a path of its own; who found none first, or -1.")
        .def("find", &find, nb::arg("agent"), nb::arg("superiors"), nb::arg("budget"),
             "A path that collides with no superior's; None if there is none or the budget ended.")
        .def("tell", &tell, nb::arg("agent"), nb::arg("path").noconvert())
        .def("standing",
             [](const ToldPaths& told_paths, AgentId agent) {
                 require_present(told_paths, agent);
                 return copy_out(told_paths.standing(agent));
             })
        .def("path", &path_of<ToldPaths>)
        .def("paths", &paths, "All told paths as a matrix: a column per agent, -1 after its end.")
        .def("cost",
             [](ToldPaths& told_paths, AgentId agent) {
                 require_told(told_paths, agent);
                 return told_paths.cost(agent);
             })
        .def("count",
             [](const ToldPaths& told_paths, AgentId agent) {
                 require_agent(told_paths, agent);
                 return told_paths.count(agent);
             })
        .def("collide",
             [](const ToldPaths& told_paths, AgentId one, AgentId other) {
                 require_agent(told_paths, one);
                 require_agent(told_paths, other);
                 return told_paths.collide(one, other);
             })
        .def(
            "connects",
            [](const ToldPaths& told_paths, Vertex from, Vertex to) {
                require_vertex(told_paths.space(), from);
                require_vertex(told_paths.space(), to);
                return told_paths.space().is_open(to) && told_paths.space().connects(from, to);
            },
            nb::arg("here"), nb::arg("there"), "Can one step from here to there?")
        .def("first_conflicts", &first_conflicts,
             "Rows of time, kind, agent, agent, vertex: the first conflict of every pair.")
        .def_prop_ro("fingerprint", &ToldPaths::fingerprint)
        .def_prop_ro("known", &ToldPaths::known, "How many paths the caches of all agents have.")
        .def("distances", &distances<ToldPaths>, nb::arg("budget"))
        .def("__deepcopy__",
             [](const ToldPaths& told_paths, nb::handle) { return new ToldPaths(told_paths); });
    bind_changes(planner);
}

}  // namespace sidestep::bindings
