#include "sidestep/fleet/dependencies.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>

#include "agents.hpp"
#include "lease.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Dependencies, "this dependency graph")

namespace sidestep::bindings {

namespace {

constexpr std::int32_t kFarthestAhead = 1 << 20;

// Rows that begin where the released visits end; who is gone stays gone.
void require_rows(const Dependencies& graph, const IntMatrix& rows) {
    if (rows.shape(0) == 0 || rows.shape(1) != graph.size())
        throw std::invalid_argument("a plan has a row per time and a column per agent");
    for (std::size_t a = 0; a < graph.size(); ++a) {
        const auto agent = static_cast<AgentId>(a);
        if (rows(0, a) != graph.place(agent, graph.released(agent)))
            throw std::invalid_argument("agent " + std::to_string(a) +
                                        " does not begin where its released visits end");
        for (std::size_t t = 0; t < rows.shape(0); ++t) {
            if (rows(t, a) != kNowhere) require_place(graph.space(), rows(t, a), graph.bodies()[a]);
            if (t > 0 && rows(t, a) != kNowhere && rows(t - 1, a) == kNowhere)
                throw std::invalid_argument("agent " + std::to_string(a) + " is gone, and returns");
        }
    }
}

// True: taken. False: the budget ended. A ring: (step, agents). Without True nothing has changed.
using Taken = std::pair<bool, std::optional<std::pair<Time, std::vector<AgentId>>>>;

Taken take(Dependencies& graph, const IntMatrix& rows, WatchedBudget& budget) {
    require_rows(graph, rows);
    return budget.run([&](Budget& b) -> Taken {
        Dependencies next = graph.committed();
        const PlanRows plan{{rows.data(), rows.size()}, rows.shape(1)};
        if (next.add(plan, b)) {
            graph = std::move(next);
            return {true, std::nullopt};
        }
        if (!next.ring()) return {false, std::nullopt};
        return {false, std::pair{next.ring()->step, next.ring()->agents}};
    });
}

// Rows (agent, visit, place; a place of -2 is not said). The answer: the rows that cannot be true,
// of which nothing is taken.
std::vector<std::int32_t> hear(Dependencies& graph, const IntMatrix& reports) {
    if (reports.shape(1) != 3) throw std::invalid_argument("a report has three numbers");
    std::vector<std::int32_t> untrue;
    for (std::size_t k = 0; k < reports.shape(0); ++k) {
        const AgentId agent = reports(k, 0);
        require_agent(graph, agent);
        const std::int32_t number = reports(k, 1);
        const bool is_old = number >= 0 && number < graph.finished(agent);
        if (is_old) continue;  // late or doubled
        const bool is_true = number >= 0 && number <= graph.released(agent) &&
                             (reports(k, 2) == -2 || reports(k, 2) == graph.place(agent, number));
        if (is_true)
            graph.finish(agent, number);
        else
            untrue.push_back(static_cast<std::int32_t>(k));
    }
    return untrue;
}

// Per agent the number of the first visit, where its places begin, and the places of all.
using Ahead = std::tuple<IntVectorOut, IntVectorOut, IntVectorOut>;

// The visits of every agent after `before(a)` up to `last(a)`.
template <class Before, class Last>
Ahead ahead_of(const Dependencies& graph, Before&& before, Last&& last) {
    std::vector<std::int32_t> first, begin{0}, places;
    first.reserve(graph.size());
    begin.reserve(graph.size() + 1);
    places.reserve(graph.size() * 4);
    for (AgentId a = 0; a < static_cast<AgentId>(graph.size()); ++a) {
        first.push_back(before(a) + 1);
        for (std::int32_t number = first.back(); number <= last(a); ++number)
            places.push_back(graph.place(a, number));
        begin.push_back(static_cast<std::int32_t>(places.size()));
    }
    return {copy_out(first), copy_out(begin), copy_out(places)};
}

// What is released and not finished.
Ahead commands(const Dependencies& graph) {
    return ahead_of(
        graph, [&](AgentId a) { return graph.finished(a); },
        [&](AgentId a) { return graph.released(a); });
}

// The next visits that are not released, at most this many of each agent.
Ahead planned(const Dependencies& graph, std::int32_t most) {
    require_within(most, 0, kFarthestAhead, "most");
    return ahead_of(
        graph, [&](AgentId a) { return graph.released(a); },
        [&](AgentId a) {
            return graph.released(a) + std::min(most, graph.total(a) - graph.released(a));
        });
}

// Per agent: finished, released, all, where its released visits end, and where its finished do.
IntMatrixOut counts(const Dependencies& graph) {
    auto data = std::make_unique_for_overwrite<std::int32_t[]>(graph.size() * 5);
    for (std::size_t k = 0; k < graph.size(); ++k) {
        const auto a = static_cast<AgentId>(k);
        const std::int32_t row[] = {graph.finished(a), graph.released(a), graph.total(a),
                                    graph.place(a, graph.released(a)),
                                    graph.place(a, graph.finished(a))};
        std::copy(std::begin(row), std::end(row), data.get() + k * 5);
    }
    return give<IntMatrixOut>(std::move(data), {graph.size(), 5});
}

IntMatrixOut table(const std::vector<std::int32_t>& values, std::size_t columns) {
    auto data = std::make_unique_for_overwrite<std::int32_t[]>(values.size());
    std::copy(values.begin(), values.end(), data.get());
    return give<IntMatrixOut>(std::move(data), {values.size() / columns, columns});
}

// A row per link: agent and visit that come before, agent and visit that come after.
IntMatrixOut links(const Dependencies& graph) {
    std::vector<std::int32_t> rows;
    graph.each_link([&](const Dependencies::Visit& before, const Dependencies::Visit& after) {
        rows.insert(rows.end(), {before.agent, before.number, after.agent, after.number});
    });
    return table(rows, 4);
}

// A row per visit that the next one of the agent waits for: other agent, its visit, the place.
IntMatrixOut waits(const Dependencies& graph, AgentId agent) {
    require_agent(graph, agent);
    std::vector<std::int32_t> rows;
    for (const auto& wait : graph.waits(agent))
        rows.insert(rows.end(), {wait.other, wait.number, wait.place});
    return table(rows, 3);
}

}  // namespace

void bind_dependencies(nb::module_& m) {
    nb::class_<Dependencies>(m, "Dependencies",
                             "Who must have left a place before another enters it.")
        .def(
            "__init__",
            [](Dependencies* self, const Space& space, const Rules& rules, const Agents& agents) {
                require_agents(space, agents);
                new (self) Dependencies(space, rules, agents);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("agents"))
        .def("take", &take, nb::arg("rows").noconvert(), nb::arg("budget"))
        .def("hear", &hear, nb::arg("reports").noconvert())
        .def(
            "release",
            [](Dependencies& self, std::int32_t ahead, std::int32_t worth) {
                require_within(ahead, 1, kFarthestAhead, "ahead");
                require_within(worth, 0, kFarthestAhead, "worth");
                self.release(ahead, worth);
            },
            nb::arg("ahead"), nb::arg("worth"))
        .def("turned", &Dependencies::turned)
        .def("commands", &commands)
        .def("planned", &planned, nb::arg("most"))
        .def("counts", &counts)
        .def("links", &links)
        .def("waits", &waits, nb::arg("agent"));
}

}  // namespace sidestep::bindings
