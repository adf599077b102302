#include "sidestep/solvers/bounds.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <tuple>

#include "agents.hpp"
#include "arrays.hpp"
#include "budget.hpp"
#include "lease.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::LowerBound, "LowerBound")

namespace sidestep::bindings {

namespace {

using Passages = std::vector<std::tuple<AgentId, AgentId, Cost>>;
using Groups = std::vector<std::tuple<std::vector<AgentId>, Cost>>;

Passages passages(const LowerBound& bound) {
    Passages all;
    for (const auto& [agent, other, cost] : bound.passages()) all.emplace_back(agent, other, cost);
    return all;
}

Groups groups(const LowerBound& bound) {
    Groups all;
    for (const auto& group : bound.groups()) all.emplace_back(group.agents, group.cost);
    return all;
}

Outcome run(LowerBound& bound, WatchedBudget& budget, std::optional<std::int64_t> enough) {
    const auto wanted = enough.value_or(std::numeric_limits<std::int64_t>::max());
    return budget.run([&](Budget& b) { return bound.run(b, wanted); });
}

}  // namespace

void bind_bounds(nb::module_& m) {
    nb::class_<LowerBound>(m, "LowerBound", "What any plan costs at least, and why.")
        .def(
            "__init__",
            [](LowerBound* self, const Space& space, const Rules& rules, const Agents& agents) {
                require_unit_agents(space, agents);
                require_apart(space, agents);
                new (self) LowerBound(space, rules, agents.positions, agents.goals);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::keep_alive<1, 2>())
        .def("run", &run, nb::arg("budget"), nb::kw_only(), nb::arg("enough") = nb::none(),
             "Works on until the value is enough, or nothing is left to try.")
        .def_prop_ro("value", &LowerBound::value)
        .def_prop_ro("is_done", &LowerBound::is_done)
        .def_prop_ro(
            "alone", [](const LowerBound& b) { return copy_out(b.alone()); }, nb::rv_policy::move,
            "What each agent costs at least by itself.")
        .def_prop_ro("passages", &passages, "Agent, who must pass its goal before, least cost.")
        .def_prop_ro("groups", &groups, "Disjoint groups and what each costs at least.")
        .def_prop_ro("pairs_compared",
                     [](const LowerBound& b) { return b.counts().pairs_compared; })
        .def_prop_ro("pairs_dependent",
                     [](const LowerBound& b) { return b.counts().pairs_dependent; })
        .def_prop_ro("groups_tried", [](const LowerBound& b) { return b.counts().groups_tried; })
        .def_prop_ro("bytes", &LowerBound::bytes);
}

}  // namespace sidestep::bindings
