#include "sidestep/distance/step_costs.hpp"

namespace sidestep {

StepCosts::StepCosts(const Space& space)
    : width_(space.width()), costs_(static_cast<std::size_t>(space.size()) * kDirections, 1) {}

StepCosts crisscross(const Space& space, std::int32_t against) {
    StepCosts costs(space);
    for (Vertex v = 0; v < space.size(); ++v) {
        const std::int32_t row = space.row(v), col = space.col(v);
        const bool goes_right = row % 2 == 0, goes_down = col % 2 == 0;
        if (goes_right ? col > 0 : col + 1 < space.width())
            costs.set(v, goes_right ? v - 1 : v + 1, against);
        if (goes_down ? row > 0 : row + 1 < space.height())
            costs.set(v, goes_down ? v - space.width() : v + space.width(), against);
    }
    return costs;
}

}  // namespace sidestep
