#include "sidestep/spacetime/reservations.hpp"

#include "arrays.hpp"
#include "shared.hpp"

namespace sidestep::bindings {

namespace {

constexpr Time kFarthestAhead = 1 << 20;  // every step up to the last one takes memory

void require_vertex(const Reservations& table, Vertex v) {
    if (v < 0 || v >= table.vertices())
        throw std::invalid_argument("there is no vertex " + std::to_string(v));
}

// What was before `now` is forgotten.
void require_known(const Reservations& table, Time t) {
    require_within<Time>(t, table.now(), kLatest, "a time");
}

void reserve(Reservations& table, AgentId agent, Time start, const IntVector& path, bool park) {
    require_agent(table, agent);
    require_time(start, "a time");
    if (path.size() == 0) throw std::invalid_argument("a path has at least one vertex");
    for (const Vertex v : view(path)) require_vertex(table, v);
    if (start - table.now() + static_cast<std::int64_t>(path.size()) > kFarthestAhead)
        throw std::invalid_argument("a reservation reaches at most 2^20 steps ahead");
    table.reserve(agent, start, view(path), park);
}

bool allows(const Reservations& table, const Space& space, const Rules& rules, Vertex from,
            Vertex to, Time t) {
    if (table.vertices() != space.size())
        throw std::invalid_argument("the reservations are of another space");
    const Vertex move[] = {from, to};
    require_path(space, move);
    require_known(table, t);
    return table.allows(space, rules, {from, to}, t);
}

}  // namespace

void bind_reservations(nb::module_& m) {
    nb::class_<Reservations>(m, "Reservations", "Who will be where, when.")
        .def(
            "__init__",
            [](Reservations* self, std::int32_t vertices, std::int32_t agents) {
                require_within(vertices, 0, 1 << 26, "vertices");
                require_within(agents, 0, 1 << 20, "agents");
                new (self) Reservations(vertices, agents);
            },
            nb::arg("vertices"), nb::arg("agents"))
        .def("reserve", &reserve, nb::arg("agent"), nb::arg("start"), nb::arg("path").noconvert(),
             nb::arg("park"))
        .def(
            "release",
            [](Reservations& table, AgentId agent) {
                require_agent(table, agent);
                table.release(agent);
            },
            nb::arg("agent"))
        .def("add_agent", [](Reservations& reservations) { reservations.add_agent(); })
        .def(
            "advance",
            [](Reservations& table, Time now) {
                require_time(now, "a time");
                table.advance(now);
            },
            nb::arg("now"))
        .def(
            "holder",
            [](const Reservations& table, Vertex v, Time t) {
                require_vertex(table, v);
                require_known(table, t);
                return table.holder(v, t);
            },
            nb::arg("vertex"), nb::arg("time"))
        .def(
            "taken",
            [](const Reservations& table, Vertex v, Time t) {
                require_vertex(table, v);
                require_known(table, t);
                return table.taken(v, t);
            },
            nb::arg("vertex"), nb::arg("time"))
        .def(
            "last_taken",
            [](const Reservations& table, Vertex v) {
                require_vertex(table, v);
                return table.last_taken(v);
            },
            nb::arg("vertex"))
        .def("allows", &allows, nb::arg("space"), nb::arg("rules"), nb::arg("origin"),
             nb::arg("target"), nb::arg("time"));
}

}  // namespace sidestep::bindings
