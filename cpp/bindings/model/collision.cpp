#include "sidestep/model/collision.hpp"

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace sidestep::bindings {

void bind_collision(nb::module_& m) {
    nb::enum_<CollisionKind>(m, "CollisionKind", "In which way two agents collide.")
        .value("vertex", CollisionKind::vertex)
        .value("swap", CollisionKind::swap)
        .value("crossing", CollisionKind::crossing)
        .value("following", CollisionKind::following);
}

}  // namespace sidestep::bindings
