#include "sidestep/combinatorial/assignment.hpp"

#include "arrays.hpp"

namespace sidestep::bindings {

namespace {

using Costs = PassedArray<std::int64_t, nb::ndim<2>>;

constexpr std::int64_t kDearest = std::int64_t{1} << 40;  // sums of them cannot overflow

IntVectorOut assigned(const Costs& costs) {
    const std::size_t rows = costs.shape(0), columns = costs.shape(1);
    if (rows > columns) throw std::invalid_argument("there must be a column for every row");
    const std::span<const std::int64_t> all{costs.data(), rows * columns};
    for (const std::int64_t cost : all)
        if (cost < -kDearest || cost > kDearest)
            throw std::invalid_argument("a cost is at most 2^40 either way");
    return copy_out(
        assign(all, static_cast<std::int32_t>(rows), static_cast<std::int32_t>(columns)));
}

}  // namespace

void bind_assignment(nb::module_& m) {
    m.def("assign", &assigned, nb::arg("costs").noconvert(),
          "The column of every row so that the sum of the costs is least.");
}

}  // namespace sidestep::bindings
