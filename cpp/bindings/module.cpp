// The table of contents of sidestep._core. Nothing but bindings/ knows Python.
#include <nanobind/nanobind.h>

#include "gil.hpp"

namespace nb = nanobind;

// One line per function bind_NAME. Types that others need for default values come first.
#define SIDESTEP_BINDINGS(BIND) \
    BIND(rules)                 \
    BIND(space)                 \
    BIND(agents)                \
    BIND(collision)             \
    BIND(budget)                \
    BIND(random)                \
    BIND(distance)              \
    BIND(reservations)          \
    BIND(search)                \
    BIND(conflicts)             \
    BIND(told_paths)            \
    BIND(channel)               \
    BIND(commitments)           \
    BIND(pebbles)               \
    BIND(joint)                 \
    BIND(cooperation)           \
    BIND(adpp)                  \
    BIND(dmrcp)                 \
    BIND(assignment)            \
    BIND(nearest)               \
    BIND(lra)                   \
    BIND(pibt)                  \
    BIND(lacam)                 \
    BIND(lns)                   \
    BIND(bcp)                   \
    BIND(crowd)                 \
    BIND(cbs)                   \
    BIND(bounds)                \
    BIND(eecbs)                 \
    BIND(epibt)                 \
    BIND(pbs)                   \
    BIND(icts)                  \
    BIND(estimate)              \
    BIND(finder)                \
    BIND(dependencies)          \
    BIND(simulator)             \
    BIND(world)

namespace sidestep::bindings {
#define DECLARE(name) void bind_##name(nb::module_& m);
SIDESTEP_BINDINGS(DECLARE)
}  // namespace sidestep::bindings

NB_MODULE(_core, m) {
    m.doc() = "The compiled core of sidestep: space, distances, reservations, searches, guard.";
#define CALL(name) sidestep::bindings::bind_##name(m);
    SIDESTEP_BINDINGS(CALL)
    sidestep::bindings::sleep_at_the_end();
}
