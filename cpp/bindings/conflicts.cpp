#include "sidestep/conflicts.hpp"

#include "arrays.hpp"

namespace sidestep::bindings {

namespace {

// `vertices` is a plan of shape (T+1, N); rows of the answer: time, kind, agent, agent, vertex.
IntMatrixOut conflicts(const Space& space, const Rules& rules, const IntMatrix& vertices) {
    const std::size_t steps = vertices.shape(0), agents = vertices.shape(1);
    std::vector<std::vector<Vertex>> paths(agents);
    for (std::size_t a = 0; a < agents; ++a)
        for (std::size_t t = 0; t < steps; ++t) {
            const Vertex v = vertices(t, a);
            if (v == kNowhere) break;
            require_vertex(space, v);
            paths[a].push_back(v);
        }
    const std::vector<std::span<const Vertex>> spans(paths.begin(), paths.end());
    const auto found = find_conflicts(space, rules, spans);
    auto rows = std::make_unique_for_overwrite<std::int32_t[]>(found.size() * 5);
    for (std::size_t k = 0; k < found.size(); ++k) {
        const Conflict& c = found[k];
        const std::int32_t row[] = {c.time, static_cast<std::int32_t>(c.kind), c.first, c.second,
                                    c.place};
        std::copy(std::begin(row), std::end(row), rows.get() + k * 5);
    }
    return give<IntMatrixOut>(std::move(rows), {found.size(), 5});
}

}  // namespace

void bind_conflicts(nb::module_& m) {
    nb::enum_<ConflictKind>(m, "ConflictKind")
        .value("vertex", ConflictKind::vertex)
        .value("swap", ConflictKind::swap)
        .value("crossing", ConflictKind::crossing)
        .value("following", ConflictKind::following);
    m.def("find_conflicts", &conflicts, nb::arg("space"), nb::arg("rules"),
          nb::arg("vertices").noconvert());
}

}  // namespace sidestep::bindings
