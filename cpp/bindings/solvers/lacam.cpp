#include "sidestep/solvers/lacam.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "agents.hpp"
#include "arrays.hpp"
#include "budget.hpp"
#include "guidance.hpp"
#include "lease.hpp"
#include "sidestep/model/agents.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Lacam, "Lacam")

namespace sidestep::bindings {

namespace {

constexpr int kMostThreads = 64;

IntMatrixOut plan(const Lacam& search) {
    if (search.cost() == Lacam::kNoPlan) throw std::invalid_argument("there is no plan yet");
    const std::vector<Vertex> rows = search.plan();
    const auto agents = static_cast<std::size_t>(search.agents());
    auto data = std::make_unique_for_overwrite<std::int32_t[]>(rows.size());
    std::copy(rows.begin(), rows.end(), data.get());
    return give<IntMatrixOut>(std::move(data), {search.plan_rows(), agents});
}

}  // namespace

void bind_lacam(nb::module_& m) {
    nb::class_<Lacam>(m, "Lacam", "A search over configurations.")
        .def(
            "__init__",
            [](Lacam* self, const Space& space, const Rules& rules, const Agents& agents,
               bool hindrance, bool swap, std::int32_t guide, std::int32_t collision_cost,
               int threads, std::uint64_t seed) {
                require_unit_agents(space, agents);
                require_apart(space, agents);
                if (threads < 1 || threads > kMostThreads)
                    throw std::invalid_argument("there are 1 to 64 threads");
                new (self)
                    Lacam(space, rules, agents, {hindrance, swap},
                          guidance_options(space, agents, guide, collision_cost), threads, seed);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("agents"), nb::kw_only(),
            nb::arg("hindrance"), nb::arg("swap"), nb::arg("guide"), nb::arg("collision_cost"),
            nb::arg("threads"), nb::arg("seed"), nb::keep_alive<1, 2>())
        .def(
            "run",
            [](Lacam& search, WatchedBudget& budget) {
                return budget.run([&](Budget& b) { return search.run(b); });
            },
            nb::arg("budget"), "Searches on until there is a plan, or a cheaper one than before.")
        .def_prop_ro("plan", &plan, nb::rv_policy::move, "The last plan, a row per time.")
        .def_prop_ro("cost", &Lacam::cost, "The time off goal of the last plan.")
        .def_prop_ro("lower_bound", &Lacam::lower_bound)
        .def_prop_ro("configurations", &Lacam::configurations)
        .def_prop_ro("steps", &Lacam::steps)
        .def_prop_ro("bytes", &Lacam::bytes);
}

}  // namespace sidestep::bindings
