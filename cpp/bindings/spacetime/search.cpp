#include "sidestep/spacetime/search.hpp"

#include "arrays.hpp"
#include "budget.hpp"
#include "enums.hpp"
#include "shared.hpp"

namespace sidestep::bindings {

namespace {

// One search by itself; None: there is no path. Batches go through Cooperation.
nb::object search(const Space& space, const Rules& rules, const Reservations& reservations,
                  Vertex start, Vertex goal, Time now, Time window, Cost cost_limit, bool exact,
                  WatchedBudget& budget) {
    require_vertex(space, start);
    require_vertex(space, goal);
    require_within(now, reservations.now(), kLatest, "a time");
    require_time(window, "a window");
    require_within(cost_limit, -1, kUnreachable, "a limit of costs");
    if (reservations.vertices() != space.size())
        throw std::invalid_argument("the reservations are of another space");
    Distances distances(space);
    SearchTask task{start, goal,   exact ? &distances.acquire(goal, start) : nullptr,
                    now,   window, cost_limit};
    SpaceTimeSearch searcher;
    std::vector<Vertex> path;
    const Outcome outcome = budget.run(
        [&](Budget& b) { return searcher.run(space, rules, reservations, task, b, path); });
    if (outcome == Outcome::out_of_budget) throw std::runtime_error("the budget ran out");
    return outcome == Outcome::found ? nb::cast(copy_out(path)) : nb::none();
}

}  // namespace

void bind_search(nb::module_& m) {
    bind_enum<Outcome>(m, "Outcome", "How the search of one agent ended.",
                       {{"found", Outcome::found},
                        {"no_path", Outcome::no_path},
                        {"out_of_budget", Outcome::out_of_budget}});

    m.def("search", &search, nb::arg("space"), nb::arg("rules"), nb::arg("reservations"),
          nb::kw_only(), nb::arg("start"), nb::arg("goal"), nb::arg("now") = 0,
          nb::arg("window") = 0, nb::arg("cost_limit") = kUnreachable, nb::arg("exact") = true,
          nb::arg("budget"));
}

}  // namespace sidestep::bindings
