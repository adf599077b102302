#include "sidestep/combinatorial/nearest.hpp"

#include <nanobind/stl/pair.h>

#include <utility>

#include "arrays.hpp"
#include "budget.hpp"

namespace sidestep::bindings {

namespace {

using Flags = PassedArray<bool, nb::ndim<1>>;

void require_vertices(const Space& space, const IntVector& vertices) {
    for (const Vertex v : view(vertices)) require_vertex(space, v);
}

// The pairs as rows, and the first taker that there was no time for, or -1.
std::pair<IntMatrixOut, std::int32_t> matched(const Space& space, const IntVector& from,
                                              const IntVector& places, const Flags& reserved,
                                              const IntPairs& permits, std::int32_t look_first,
                                              WatchedBudget& budget) {
    require_vertices(space, from);
    require_vertices(space, places);
    if (reserved.size() != places.size())
        throw std::invalid_argument("it is said of every thing whether it is reserved");
    if (look_first < 1) throw std::invalid_argument("at least one place is looked at");
    std::vector<Match> named;
    for (const auto& [taker, thing] : view(permits)) {
        if (taker < 0 || std::cmp_greater_equal(taker, from.size()) || thing < 0 ||
            std::cmp_greater_equal(thing, places.size()))
            throw std::out_of_range("a permit names no taker or no thing");
        named.push_back({taker, thing});
    }
    const std::span<const std::uint8_t> flags{
        reinterpret_cast<const std::uint8_t*>(reserved.data()), reserved.size()};
    const Matches found = budget.run([&](Budget& b) {
        return nearest(space, view(from), view(places), flags, named, b, look_first);
    });
    auto rows = std::make_unique_for_overwrite<std::int32_t[]>(2 * found.pairs.size());
    for (std::size_t k = 0; k < found.pairs.size(); ++k) {
        rows[2 * k] = found.pairs[k].taker;
        rows[2 * k + 1] = found.pairs[k].thing;
    }
    return {give<IntMatrixOut>(std::move(rows), {found.pairs.size(), 2}), found.missed};
}

}  // namespace

void bind_nearest(nb::module_& m) {
    m.def(
        "nearest", &matched, nb::arg("space"), nb::arg("origins").noconvert(),
        nb::arg("places").noconvert(), nb::arg("reserved").noconvert(),
        nb::arg("permits").noconvert(), nb::arg("look_first"), nb::arg("budget"),
        "Who takes what, shortest way first, as rows; and who was missed for lack of time, or -1.");
}

}  // namespace sidestep::bindings
