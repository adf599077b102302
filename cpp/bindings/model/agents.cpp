#include "sidestep/model/agents.hpp"

#include "agents.hpp"
#include "arrays.hpp"

namespace sidestep::bindings {

namespace {

std::vector<std::int32_t> vertices(const Space& space, const IntVector& values) {
    for (const Vertex v : view(values)) require_vertex_or_nowhere(space, v);
    return {view(values).begin(), view(values).end()};
}

Agents agents(const Space& space, const IntVector& positions, const IntVector& goals,
              const IntVector& priorities, const IntVector& sizes, const IntVector& periods,
              const IntVector& facings) {
    const std::size_t count = positions.size();
    require_size(goals, count, "goals");
    require_size(priorities, count, "priorities");
    require_size(facings, count, "facings");
    Agents all{vertices(space, positions),
               vertices(space, goals),
               {view(priorities).begin(), view(priorities).end()},
               bodies(space, sizes, periods, count),
               {view(facings).begin(), view(facings).end()}};
    require_agents(space, all);
    return all;
}

}  // namespace

void bind_agents(nb::module_& m) {
    nb::class_<Agents>(m, "Agents", "The table of agents: an entry per agent in every column.")
        .def(
            "__init__",
            [](Agents* self, const Space& space, const IntVector& positions, const IntVector& goals,
               const IntVector& priorities, const IntVector& sizes, const IntVector& periods,
               const IntVector& facings) {
                new (self)
                    Agents(agents(space, positions, goals, priorities, sizes, periods, facings));
            },
            nb::arg("space"), nb::arg("positions").noconvert(), nb::arg("goals").noconvert(),
            nb::arg("priorities").noconvert(), nb::arg("sizes").noconvert(),
            nb::arg("periods").noconvert(), nb::arg("facings").noconvert())
        .def("__len__", &Agents::size);
}

}  // namespace sidestep::bindings
