#include "sidestep/search/estimate.hpp"

namespace sidestep::search {

Geometry::Geometry(Kind kind, std::int32_t width, Scale scale)
    : is_round_(kind == Kind::euclidean), width_(kind == Kind::none ? 0 : width) {
    if (kind == Kind::none) return;
    longer_ = scale.straight;
    if (kind == Kind::manhattan) shorter_ = scale.straight;
    if (kind == Kind::octile) shorter_ = scale.diagonal - scale.straight;
}

}  // namespace sidestep::search
