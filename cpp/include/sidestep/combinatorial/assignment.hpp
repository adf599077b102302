// Who takes what, so that the sum of the costs is least: the Hungarian method.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sidestep {

// `costs` has a row per taker and a column per thing, at least as many things as takers. Returns
// the column of every row; all different. Of equally good assignments always the same one.
std::vector<std::int32_t> assign(std::span<const std::int64_t> costs, std::int32_t rows,
                                 std::int32_t columns);

}  // namespace sidestep
