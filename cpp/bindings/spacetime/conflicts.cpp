#include "sidestep/spacetime/conflicts.hpp"

#include "budget.hpp"
#include "paths.hpp"

namespace sidestep::bindings {

namespace {

// `vertices` is a plan of shape (T+1, N); rows of the answer: time, kind, agent, agent, vertex.
IntMatrixOut conflicts(const Space& space, const Rules& rules, const IntMatrix& vertices,
                       WatchedBudget* budget) {
    const auto find = [&](Budget& b) {
        const auto paths = columns(space, vertices, b);
        const std::vector<std::span<const Vertex>> spans(paths.begin(), paths.end());
        return find_conflicts(space, rules, spans, b);
    };
    Budget unlimited;
    return conflict_rows(budget ? budget->run(find) : find(unlimited));
}

}  // namespace

void bind_conflicts(nb::module_& m) {
    m.def("find_conflicts", &conflicts, nb::arg("space"), nb::arg("rules"),
          nb::arg("vertices").noconvert(), nb::arg("budget") = nb::none(),
          "Rows in order of time; if the budget ends, only some of them.");
}

}  // namespace sidestep::bindings
