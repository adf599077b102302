#include "sidestep/model/collision.hpp"
#include "enums.hpp"

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace sidestep::bindings {

void bind_collision(nb::module_& m) {
    bind_enum<CollisionKind>(m, "CollisionKind", "In which way two agents collide.",
                             {{"vertex", CollisionKind::vertex},
                              {"swap", CollisionKind::swap},
                              {"crossing", CollisionKind::crossing},
                              {"following", CollisionKind::following}});
}

}  // namespace sidestep::bindings
