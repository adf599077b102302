#include "sidestep/search/estimate.hpp"
#include "enums.hpp"

#include <nanobind/nanobind.h>

namespace nb = nanobind;

namespace sidestep::bindings {

void bind_estimate(nb::module_& m) {
    using Kind = search::Geometry::Kind;
    bind_enum<Kind>(m, "Geometry", "Estimates by geometry.",
                    {{"none", Kind::none},
                     {"manhattan", Kind::manhattan},
                     {"octile", Kind::octile},
                     {"chebyshev", Kind::chebyshev},
                     {"euclidean", Kind::euclidean}});
}

}  // namespace sidestep::bindings
