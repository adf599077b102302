#include "sidestep/spacetime/conflicts.hpp"

#include "paths.hpp"

namespace sidestep::bindings {

namespace {

// `vertices` is a plan of shape (T+1, N); rows of the answer: time, kind, agent, agent, vertex.
IntMatrixOut conflicts(const Space& space, const Rules& rules, const IntMatrix& vertices) {
    const auto paths = columns(space, vertices);
    const std::vector<std::span<const Vertex>> spans(paths.begin(), paths.end());
    return conflict_rows(find_conflicts(space, rules, spans));
}

}  // namespace

void bind_conflicts(nb::module_& m) {
    m.def("find_conflicts", &conflicts, nb::arg("space"), nb::arg("rules"),
          nb::arg("vertices").noconvert());
}

}  // namespace sidestep::bindings
