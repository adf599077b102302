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

}  // namespace

void bind_space(nb::module_& m) {
    nb::class_<Space>(m, "Space", "A compiled grid or graph.")
        .def_static(
            "grid",
            [](const BoolMatrix& passable, int connectivity, int corners) {
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
        .def("set_open",
             [](Space& space, Vertex v, bool open) {
                 require_vertex(space, v);
                 space.set_open(v, open);
             })
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
