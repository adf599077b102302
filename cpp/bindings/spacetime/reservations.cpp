#include "sidestep/spacetime/reservations.hpp"

#include "arrays.hpp"

namespace sidestep::bindings {

void bind_reservations(nb::module_& m) {
    nb::class_<Reservations>(m, "Reservations", "Who will be where, when.")
        .def(nb::init<std::int32_t, std::int32_t>(), nb::arg("vertices"), nb::arg("agents"))
        .def(
            "reserve",
            [](Reservations& table, AgentId agent, Time start, const IntVector& path, bool park) {
                table.reserve(agent, start, view(path), park);
            },
            nb::arg("agent"), nb::arg("start"), nb::arg("path").noconvert(), nb::arg("park"))
        .def("release", &Reservations::release, nb::arg("agent"))
        .def("add_agent", [](Reservations& reservations) { reservations.add_agent(); })
        .def("advance", &Reservations::advance, nb::arg("now"))
        .def("holder", &Reservations::holder, nb::arg("vertex"), nb::arg("time"))
        .def("taken", &Reservations::taken, nb::arg("vertex"), nb::arg("time"))
        .def("last_taken", &Reservations::last_taken, nb::arg("vertex"))
        .def(
            "allows",
            [](const Reservations& table, const Space& space, const Rules& rules, Vertex from,
               Vertex to, Time t) { return table.allows(space, rules, {from, to}, t); },
            nb::arg("space"), nb::arg("rules"), nb::arg("origin"), nb::arg("target"),
            nb::arg("time"));
}

}  // namespace sidestep::bindings
