// The table of contents of sidestep._core. Nothing but bindings/ knows Python.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace sidestep::bindings {
void bind_space(nb::module_& m);
void bind_agents(nb::module_& m);
void bind_budget(nb::module_& m);
void bind_random(nb::module_& m);
void bind_distance(nb::module_& m);
void bind_reservations(nb::module_& m);
void bind_space_time(nb::module_& m);
void bind_conflicts(nb::module_& m);
void bind_parley(nb::module_& m);
void bind_dialogue(nb::module_& m);
void bind_pebbles(nb::module_& m);
void bind_joint(nb::module_& m);
void bind_cooperation(nb::module_& m);
void bind_adpp(nb::module_& m);
void bind_altruism(nb::module_& m);
void bind_assignment(nb::module_& m);
void bind_local_repair(nb::module_& m);
void bind_biased(nb::module_& m);
void bind_orca(nb::module_& m);
void bind_cbs(nb::module_& m);
void bind_icts(nb::module_& m);
void bind_search(nb::module_& m);
void bind_world(nb::module_& m);
}  // namespace sidestep::bindings

NB_MODULE(_core, m) {
    using namespace sidestep::bindings;
    m.doc() = "The compiled core of sidestep: space, distances, reservations, searches, guard.";
    bind_space(m);
    bind_agents(m);
    bind_budget(m);
    bind_random(m);
    bind_distance(m);
    bind_reservations(m);
    bind_space_time(m);
    bind_conflicts(m);
    bind_parley(m);
    bind_dialogue(m);
    bind_pebbles(m);
    bind_joint(m);
    bind_cooperation(m);
    bind_adpp(m);
    bind_altruism(m);
    bind_assignment(m);
    bind_local_repair(m);
    bind_biased(m);
    bind_orca(m);
    bind_cbs(m);
    bind_icts(m);
    bind_search(m);
    bind_world(m);
}
