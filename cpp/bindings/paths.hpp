// Paths as matrices: a row per time, a column per agent, -1 where an agent is gone.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "arrays.hpp"
#include "sidestep/distance/distance.hpp"
#include "sidestep/spacetime/conflicts.hpp"
#include "sidestep/spacetime/traffic.hpp"

namespace sidestep::bindings {

// Every column up to where its agent is gone.
inline std::vector<std::vector<Vertex>> columns(const Space& space, const IntMatrix& matrix) {
    std::vector<std::vector<Vertex>> paths(matrix.shape(1));
    for (std::size_t column = 0; column < paths.size(); ++column)
        for (std::size_t row = 0; row < matrix.shape(0); ++row) {
            const Vertex v = matrix(row, column);
            if (v == kNowhere) break;
            paths[column].push_back(v);
        }
    for (const auto& path : paths)
        if (!path.empty()) require_path(space, path);
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

    const Traffic* read(const std::optional<IntMatrix>& matrix) {
        if (!matrix) return nullptr;
        traffic_.clear();
        AgentId agent = 0;
        for (const auto& path : columns(space_, *matrix))
            if (!path.empty()) traffic_.add(agent++, path, path.size() == matrix->shape(0));
        return &traffic_;
    }

  private:
    const Space& space_;
    Traffic traffic_;
};

// A limit of costs that sums cannot exceed; none: no limit.
inline Cost limit(std::optional<Cost> cost) {
    return std::clamp(cost.value_or(kUnreachable), Cost{-1}, kUnreachable);
}

}  // namespace sidestep::bindings
