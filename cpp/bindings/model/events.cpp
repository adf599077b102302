#include "sidestep/model/events.hpp"

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace sidestep::bindings {

void bind_events(nb::module_& m) {
    nb::enum_<EventKind> kinds(m, "EventKind", "The kinds of events, with the numbers of files.");
    for (const auto& [kind, name] : kEventNames) kinds.value(name, kind);
}

}  // namespace sidestep::bindings
