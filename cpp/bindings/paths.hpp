// Paths as matrices: a row per time, a column per agent, -1 where an agent is gone.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "sidestep/distance/distance.hpp"
#include "sidestep/model/budget.hpp"
#include "sidestep/spacetime/conflicts.hpp"
#include "sidestep/spacetime/traffic.hpp"

namespace sidestep::bindings {

// Calls visit(path) for every column, up to where its agent is gone, as long as there is time. Some
// columns are read at once, since their numbers lie side by side.
template <class Visit>
void for_each_column(const IntMatrix& matrix, Budget& budget, Visit&& visit) {
    constexpr std::size_t kAtOnce = 16;
    const std::size_t rows = matrix.shape(0), count = matrix.shape(1);
    std::vector<std::vector<Vertex>> paths(kAtOnce);
    for (std::size_t first = 0; first < count; first += kAtOnce) {
        if (!budget.tick(static_cast<std::int64_t>(rows))) return;
        const std::size_t some = std::min(kAtOnce, count - first);
        for (std::size_t k = 0; k < some; ++k) paths[k].clear();
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t k = 0; k < some; ++k)
                if (paths[k].size() == row && matrix(row, first + k) != kNowhere)
                    paths[k].push_back(matrix(row, first + k));
        for (std::size_t k = 0; k < some; ++k) {
            if (!budget.tick(static_cast<std::int64_t>(paths[k].size()))) return;
            visit(paths[k]);
        }
    }
}

// If the budget ends, only some of them.
inline std::vector<std::vector<Vertex>> columns(const Space& space, const IntMatrix& matrix,
                                                Budget& budget) {
    std::vector<std::vector<Vertex>> paths;
    paths.reserve(matrix.shape(1));
    for_each_column(matrix, budget, [&](const std::vector<Vertex>& path) {
        if (!path.empty()) require_path(space, path);
        paths.push_back(path);
    });
    return paths;
}

// A row per conflict: time, kind, first agent, second agent, place.
inline IntMatrixOut conflict_rows(const std::vector<Conflict>& found) {
    auto rows = std::make_unique_for_overwrite<std::int32_t[]>(found.size() * 5);
    for (std::size_t k = 0; k < found.size(); ++k) {
        const Conflict& c = found[k];
        const std::int32_t row[] = {c.time, static_cast<std::int32_t>(c.kind), c.first, c.second,
                                    c.place};
        std::copy(std::begin(row), std::end(row), rows.get() + k * 5);
    }
    return give<IntMatrixOut>(std::move(rows), {found.size(), 5});
}

// Paths of others as a search takes them; of those that were there before, nothing is left.
class Others {
  public:
    Others(const Space& space, const Rules& rules) : space_(space), traffic_(space, rules) {}

    // If the budget ends, only some of them.
    const Traffic* read(const std::optional<IntMatrix>& matrix, Budget& budget) {
        if (!matrix) return nullptr;
        traffic_.clear();
        AgentId agent = 0;
        for_each_column(*matrix, budget, [&](const std::vector<Vertex>& path) {
            if (path.empty()) return;
            require_path(space_, path);
            traffic_.add(agent++, path, path.size() == matrix->shape(0));
            budget.keeps(traffic_.bytes() - std::exchange(counted_, traffic_.bytes()));
        });
        return &traffic_;
    }
    // To be called before they end, if the budget goes on.
    void give_back(Budget& budget) { budget.keeps(-std::exchange(counted_, 0)); }

  private:
    const Space& space_;
    Traffic traffic_;
    std::int64_t counted_ = 0;  // bytes that the budget knows of
};

// A limit of costs that sums cannot exceed; none: no limit.
inline Cost limit(std::optional<Cost> cost) {
    return std::clamp(cost.value_or(kUnreachable), Cost{-1}, kUnreachable);
}

}  // namespace sidestep::bindings
