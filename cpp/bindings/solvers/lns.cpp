#include "sidestep/solvers/lns.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "agents.hpp"
#include "arrays.hpp"
#include "budget.hpp"
#include "lease.hpp"
#include "sidestep/model/agents.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Lns, "Lns")

namespace sidestep::bindings {

namespace {

// A column of a plan as a path, up to where its agent arrives for good; empty if it does not lead
// from start to goal step by step over open places.
SpotPath path_in(const Lns& search, const IntMatrix& plan, std::size_t column) {
    const Space& space = search.space();
    std::size_t rows = plan.shape(0);
    while (rows > 1 && plan(rows - 1, column) == kNowhere) --rows;
    while (rows > 1 && plan(rows - 1, column) == plan(rows - 2, column)) --rows;
    SpotPath path;
    for (std::size_t t = 0; t < rows; ++t) {
        const Vertex v = plan(t, column), before = t == 0 ? v : plan(t - 1, column);
        if (!space.contains(v) || !space.is_open(v)) return {};
        if (v != before && !space.connects(before, v)) return {};
        path.push_back(search.roads().spot(v));
    }
    const auto agent = static_cast<AgentId>(column);
    const Spot goal = search.goal(agent);
    if (path.front() != search.start(agent)) return {};
    if (goal == kNowhere) return path;
    if (path.back() != goal) return {};
    // Who disappears does so when it is first there.
    const bool came_by = std::find(path.begin(), path.end() - 1, goal) != path.end() - 1;
    return came_by && !search.stays(agent) ? SpotPath{} : path;
}

std::vector<SpotPath> paths_in(const Lns& search, const IntMatrix& plan) {
    if (plan.shape(0) < 1 || plan.shape(1) != static_cast<std::size_t>(search.agents()))
        throw std::invalid_argument("a plan has a row per time and a column per agent");
    if (plan.shape(0) > static_cast<std::size_t>(kLatest))
        throw std::invalid_argument("a plan of that many steps is too long");
    std::vector<SpotPath> paths;
    for (std::size_t a = 0; a < plan.shape(1); ++a) paths.push_back(path_in(search, plan, a));
    return paths;
}

IntMatrixOut plan_of(const Lns& search) {
    if (!search.has_plan()) throw std::invalid_argument("there is no plan yet");
    const std::vector<SpotPath> paths = search.paths();
    std::size_t rows = 1;
    for (const SpotPath& path : paths) rows = std::max(rows, path.size());
    auto data = std::make_unique_for_overwrite<std::int32_t[]>(rows * paths.size());
    for (std::size_t a = 0; a < paths.size(); ++a) {
        const Vertex last = search.stays(static_cast<AgentId>(a))
                                ? search.roads().vertex(paths[a].back())
                                : kNowhere;
        for (std::size_t t = 0; t < rows; ++t)
            data[t * paths.size() + a] =
                t < paths[a].size() ? search.roads().vertex(paths[a][t]) : last;
    }
    return give<IntMatrixOut>(std::move(data), {rows, paths.size()});
}

using Row = nb::typed<nb::tuple, double, std::int64_t, std::int64_t>;

nb::typed<nb::list, Row> history_of(const Lns& search) {
    nb::typed<nb::list, Row> rows;
    for (const Lns::Row& row : search.history())
        rows.append(nb::make_tuple(row.seconds, row.nodes, row.cost));
    return rows;
}

}  // namespace

void bind_lns(nb::module_& m) {
    nb::class_<Lns>(m, "Lns", "Large neighbourhood search over a whole plan.")
        .def(
            "__init__",
            [](Lns* self, const Space& space, const Rules& rules, const Agents& agents, Time margin,
               std::int32_t lanes, std::int32_t threads, std::int32_t temperature,
               std::int64_t patience, double seconds, std::uint64_t seed) {
                require_unit_agents(space, agents);
                require_apart(space, agents);
                require_within<Time>(margin, 0, Timelines::kMostMargin, "a margin");
                require_within(lanes, 1, Lns::kMostLanes, "lanes");
                require_within(threads, 1, Lns::kMostLanes, "threads");
                require_within(temperature, Lns::kAuto, 1'000'000, "a temperature");
                require_within<std::int64_t>(patience, 0, std::int64_t{1} << 60, "patience");
                require_within(seconds, 0.0, 1e18, "seconds");
                new (self) Lns(space, rules, agents,
                               {margin, lanes, threads, temperature, patience, seconds}, seed);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(), nb::arg("margin"),
            nb::arg("lanes"), nb::arg("threads"), nb::arg("temperature"), nb::arg("patience"),
            nb::arg("seconds"), nb::arg("seed"), nb::keep_alive<1, 2>())
        .def(
            "prepare",
            [](Lns& search, WatchedBudget& budget) {
                return budget.run([&](Budget& b) { return search.prepare(b); });
            },
            nb::arg("budget"), "Finds all distances; False if the budget ended first.")
        .def(
            "begin",
            [](Lns& search, const IntMatrix& plan, WatchedBudget& budget) {
                if (!search.is_prepared()) throw std::invalid_argument("prepare comes first");
                std::vector<SpotPath> paths = paths_in(search, plan);
                if (std::ranges::any_of(paths, &SpotPath::empty))
                    throw std::invalid_argument("a plan leads from starts to goals, step by step");
                return budget.run([&](Budget& b) { return search.begin(std::move(paths), b); });
            },
            nb::arg("plan").noconvert(), nb::arg("budget"),
            "Takes a plan to improve; `no_path` if its agents collide.")
        .def(
            "mend",
            [](Lns& search, const IntMatrix& plan, WatchedBudget& budget) {
                if (!search.is_prepared()) throw std::invalid_argument("prepare comes first");
                std::vector<SpotPath> paths = paths_in(search, plan);
                return budget.run([&](Budget& b) { return search.mend(std::move(paths), b); });
            },
            nb::arg("plan").noconvert(), nb::arg("budget"),
            "The same for a plan with collisions or without some paths: these are planned anew.")
        .def(
            "plan_all",
            [](Lns& search, std::int64_t restarts, WatchedBudget& budget) {
                if (!search.is_prepared()) throw std::invalid_argument("prepare comes first");
                require_within<std::int64_t>(restarts, 0, std::int64_t{1} << 60, "restarts");
                return budget.run([&](Budget& b) { return search.plan_all(restarts, b); });
            },
            nb::arg("restarts"), nb::arg("budget"),
            "Plans all agents one after another; who finds no way plans first next time.")
        .def(
            "run",
            [](Lns& search, std::int64_t nodes, WatchedBudget& budget) {
                if (!search.has_plan()) throw std::invalid_argument("there is no plan yet");
                require_within<std::int64_t>(nodes, 1, std::int64_t{1} << 60, "nodes");
                return budget.run([&](Budget& b) { return search.run(nodes, b); });
            },
            nb::arg("nodes"), nb::arg("budget"), "Repairs until about this many nodes are spent.")
        .def_prop_ro("plan", &plan_of, nb::rv_policy::move, "The best plan, a row per time.")
        .def_prop_ro("is_possible", &Lns::is_possible)
        .def_prop_ro("cost", &Lns::cost)
        .def_prop_ro("lower_bound", &Lns::lower_bound)
        .def_prop_ro("history", &history_of, "Rows (seconds, nodes, cost).")
        .def_prop_ro("repairs", &Lns::repairs)
        .def_prop_ro("accepted", &Lns::accepted)
        .def_prop_ro("attempts", &Lns::attempts, "How often all agents were planned.")
        .def_prop_ro("failed", &Lns::failed, "Who found no way in the last attempt, or -1.")
        .def_prop_ro("bytes", &Lns::bytes);
}

}  // namespace sidestep::bindings
