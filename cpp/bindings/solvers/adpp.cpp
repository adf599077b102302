#include "sidestep/solvers/adpp.hpp"

#include <nanobind/stl/vector.h>

#include "agents.hpp"
#include "arrays.hpp"
#include "budget.hpp"
#include "lease.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Adpp, "Adpp")

namespace sidestep::bindings {

namespace {

// Everybody exactly once.
void require_order(const IntVector& order) {
    std::vector<std::uint8_t> seen(order.size(), 0);
    for (const AgentId agent : view(order)) {
        if (agent < 0 || agent >= static_cast<AgentId>(order.size()) || seen[agent])
            throw std::invalid_argument("an order has every agent once");
        seen[agent] = 1;
    }
}

// An empty path: it has none any more.
void tell(Adpp& agents, AgentId reader, AgentId writer, const IntVector& path, bool stays) {
    require_agent(agents, reader);
    require_agent(agents, writer);
    if (!agents.is_above(writer, reader))
        throw std::invalid_argument("only who is above writes to an agent");
    if (path.size() > 0) {
        require_path(agents.space(), view(path));
        if (path(0) != agents.start(writer))
            throw std::invalid_argument("a path begins where its agent starts");
    }
    agents.tell(reader, writer, view(path), stays);
}

}  // namespace

void bind_adpp(nb::module_& m) {
    nb::class_<Adpp>(m, "Adpp", "Agents with fixed priorities that all plan at once.")
        .def(
            "__init__",
            [](Adpp* self, const Space& space, const Rules& rules, const IntVector& starts,
               const IntVector& goals, const IntVector& order, bool always) {
                require_places(space, starts, goals);
                require_size(order, starts.size(), "order");
                require_order(order);
                new (self) Adpp(space, rules, view(starts), view(goals), view(order), always);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("starts").noconvert(),
            nb::arg("goals").noconvert(), nb::arg("order").noconvert(), nb::kw_only(),
            nb::arg("always"))
        .def(
            "run_seeded",
            [](Adpp& agents, std::uint64_t seed, WatchedBudget& budget) {
                return budget.run([&](Budget& b) { return agents.run_seeded(seed, b); });
            },
            nb::arg("seed"), nb::arg("budget"),
            "One acts at a time, drawn by the seed; False: the budget ran out.")
        .def(
            "run_threads",
            [](Adpp& agents, std::int32_t threads, WatchedBudget& budget) {
                require_within(threads, 1, 1024, "threads");
                return budget.run([&](Budget& b) { return agents.run_threads(threads, b); });
            },
            nb::arg("threads"), nb::arg("budget"),
            "Several act at once, on threads; False: the budget ran out.")
        .def("tell", &tell, nb::arg("reader"), nb::arg("writer"), nb::arg("path").noconvert(),
             nb::arg("stays"), "An agent is told the path of one above, which may be none.")
        .def(
            "act",
            [](Adpp& agents, AgentId agent, WatchedBudget& budget) {
                require_agent(agents, agent);
                return budget.run([&](Budget& b) { return agents.act(agent, b); });
            },
            nb::arg("agent"), nb::arg("budget"),
            "One agent reads what it was told and plans, if need be; False: the budget ran out.")
        .def("path", &path_of<Adpp>, "What the agent has found; empty if nothing.")
        .def("distances", &distances<Adpp>, nb::arg("budget"))
        .def(
            "blockers",
            [](Adpp& agents, AgentId agent, WatchedBudget& budget) {
                require_agent(agents, agent);
                return budget.run([&](Budget& b) { return agents.blockers(agent, b); });
            },
            nb::arg("agent"), nb::arg("budget"),
            "Enough of those above an agent without a path to leave it none.")
        .def_prop_ro("letters", [](const Adpp& agents) { return agents.counts().letters; })
        .def_prop_ro("vertices", [](const Adpp& agents) { return agents.counts().vertices; })
        .def_prop_ro("searches", [](const Adpp& agents) { return agents.counts().searches; });
}

}  // namespace sidestep::bindings
