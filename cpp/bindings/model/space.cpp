#include "sidestep/model/space.hpp"

#include "arrays.hpp"
#include "sidestep/model/components.hpp"

namespace sidestep::bindings {

namespace {

IntVectorOut components(const Space& space) {
    Components all(space);
    Budget unlimited;
    all.find(unlimited);
    return copy_out(all.labels());
}

using BoolVector = PassedArray<bool, nb::ndim<1>>;

// What is compiled is never changed from Python: others may be searching it.
Space with_open(const Space& space, const BoolVector& open) {
    if (open.size() != static_cast<std::size_t>(space.size()))
        throw std::invalid_argument("there must be one entry per vertex");
    Space copy = space;
    for (Vertex v = 0; v < space.size(); ++v) copy.set_open(v, open.data()[v]);
    return copy;
}

}  // namespace

void bind_space(nb::module_& m) {
    nb::class_<Space>(m, "Space", "A compiled grid or graph.")
        .def_static(
            "grid",
            [](const BoolMatrix& passable, int connectivity, int corners) {
                require_grid(passable, connectivity, corners);
                const auto* cells = reinterpret_cast<const std::uint8_t*>(passable.data());
                return Space::grid({cells, passable.size()},
                                   static_cast<std::int32_t>(passable.shape(1)), connectivity,
                                   static_cast<Corners>(corners));
            },
            nb::arg("passable").noconvert(), nb::arg("connectivity"), nb::arg("corners"),
            "`corners` is how many of the two cells beside a diagonal may be blocked.")
        .def_static(
            "graph",
            [](std::int32_t n, const IntPairs& edges, bool directed, const IntPairs& conflicts) {
                require_edges(n, view(edges));
                require_pairs(view(conflicts), static_cast<std::int32_t>(edges.shape(0)), "edge");
                return Space::graph(n, view(edges), directed, view(conflicts));
            },
            nb::arg("n"), nb::arg("edges").noconvert(), nb::arg("directed"),
            nb::arg("conflicts").noconvert())
        .def_prop_ro("size", &Space::size)
        .def_prop_ro("copies", &Space::copies,
                     "How many share its memory: in Python, in worlds, in planners.")
        .def_prop_ro("bytes", &Space::bytes, "What they take together.")
        .def("is_open",
             [](const Space& space, Vertex v) {
                 require_vertex(space, v);
                 return space.is_open(v);
             })
        .def("with_open", &with_open, nb::arg("open").noconvert(),
             "A copy in which these vertices are open and no others.")
        .def("successors",
             [](const Space& space, Vertex v) {
                 require_vertex(space, v);
                 const Adjacent near = space.successors(v);
                 return copy_out(std::vector(near.begin(), near.end()));
             })
        .def("components", &components,
             "Per vertex the number of its connected component, -1 for closed vertices.");
}

}  // namespace sidestep::bindings
