#include "sidestep/combinatorial/pebbles.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "agents.hpp"
#include "arrays.hpp"

namespace sidestep::bindings {

namespace {

std::optional<std::pair<AgentId, Trap>> stuck(const Space& space, const Rules& rules,
                                              const IntVector& starts, const IntVector& goals) {
    require_places(space, starts, goals);
    const auto found = find_stuck(space, rules, view(starts), view(goals));
    if (!found) return std::nullopt;
    return std::pair(found->agent, found->trap);
}

}  // namespace

void bind_pebbles(nb::module_& m) {
    nb::enum_<Trap>(m, "Trap", "Where agents cannot pass each other.")
        .value("full", Trap::full)
        .value("ring", Trap::ring)
        .value("tree", Trap::tree);
    m.def("find_stuck", &stuck, nb::arg("space"), nb::arg("rules"), nb::arg("starts").noconvert(),
          nb::arg("goals").noconvert(),
          "An agent that can never be served together with the others, or None.");
}

}  // namespace sidestep::bindings
