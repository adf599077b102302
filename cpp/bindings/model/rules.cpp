#include "sidestep/model/rules.hpp"

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace sidestep::bindings {

void bind_rules(nb::module_& m) {
    nb::class_<Rules>(m, "Rules", "The rules of a problem, as the core knows them.")
        .def(
            "__init__",
            [](Rules* self, bool following, bool crossing, bool disappear, bool free_goal_wait) {
                new (self) Rules{following, crossing, disappear, free_goal_wait};
            },
            nb::kw_only(), nb::arg("following"), nb::arg("crossing"), nb::arg("disappear"),
            nb::arg("free_goal_wait"));
}

}  // namespace sidestep::bindings
