#include "sidestep/world/world.hpp"

#include "arrays.hpp"
#include "bodies.hpp"
#include "sidestep/model/agents.hpp"

namespace sidestep::bindings {

namespace {

// The record up to now: positions (T+1, N), with -1 before an agent was added.
IntMatrixOut history(const World& world) {
    const std::size_t agents = world.positions().size(), times = world.rows().size() + 1;
    auto data = std::make_unique_for_overwrite<std::int32_t[]>(times * agents);
    std::fill_n(data.get(), times * agents, kNowhere);
    for (std::size_t t = 0; t + 1 < times; ++t)
        std::copy(world.rows()[t].begin(), world.rows()[t].end(), data.get() + t * agents);
    std::copy(world.positions().begin(), world.positions().end(),
              data.get() + (times - 1) * agents);
    return give<IntMatrixOut>(std::move(data), {times, agents});
}

IntMatrixOut rows(std::span<const Event> events) {
    auto data = std::make_unique_for_overwrite<std::int32_t[]>(events.size() * 4);
    for (std::size_t k = 0; k < events.size(); ++k)
        std::copy(events[k].begin(), events[k].end(), data.get() + k * 4);
    return give<IntMatrixOut>(std::move(data), {events.size(), 4});
}

IntMatrixOut stuck_rows(const World& world) {
    const std::vector<Jams::Stuck> stuck = world.stuck();
    auto data = std::make_unique_for_overwrite<std::int32_t[]>(stuck.size() * 3);
    for (std::size_t k = 0; k < stuck.size(); ++k) {
        const std::int32_t row[] = {stuck[k].agent, stuck[k].since, stuck[k].behind};
        std::copy(std::begin(row), std::end(row), data.get() + k * 3);
    }
    return give<IntMatrixOut>(std::move(data), {stuck.size(), 3});
}

IntVectorOut of_bodies(const World& world, std::int32_t Body::* what) {
    std::vector<std::int32_t> values;
    for (const Body& body : world.bodies()) values.push_back(body.*what);
    return copy_out(values);
}

BoolVectorOut copy_out(std::span<const std::uint8_t> open) {
    auto data = std::make_unique_for_overwrite<bool[]>(open.size());
    std::copy(open.begin(), open.end(), data.get());
    return give<BoolVectorOut>(std::move(data), {open.size()});
}

}  // namespace

void bind_world(nb::module_& m) {
    nb::class_<World>(m, "World", "The truth about positions, walls, goals and time.")
        .def(
            "__init__",
            [](World* self, const Space& space, const Rules& rules, Time time, const Agents& agents,
               Time keep, Time patience) {
                new (self) World(space, rules,
                                 {time, {}, agents.positions, agents.goals, agents.priorities},
                                 agents.bodies, keep, patience);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("time"), nb::arg("agents"), nb::arg("keep"),
            nb::arg("patience") = 0)
        .def(
            "resume",
            [](World& world, const IntVector& headings, const IntVector& progress) {
                require_size(headings, world.positions().size(), "headings");
                require_size(progress, world.positions().size(), "progress");
                world.resume(view(headings), view(progress));
            },
            nb::arg("headings").noconvert(), nb::arg("progress").noconvert(),
            "Begins in the middle of moves.")
        .def(
            "advance",
            [](World& world, const IntVector& targets) {
                require_size(targets, world.positions().size(), "moves");
                return world.advance(view(targets));
            },
            nb::arg("targets").noconvert(), "One turn; returns how many moves were refused.")
        .def(
            "wait", [](World& world) { return world.advance({}); },
            "One turn in which everybody waits.")
        .def("record_fault",
             [](World& world, std::int32_t kind) {
                 world.record_fault(static_cast<EventKind>(kind));
             })
        .def("record_jam",
             [](World& world, std::int32_t kind, AgentId agent, std::int32_t value) {
                 world.record_jam(static_cast<EventKind>(kind), agent, value);
             })
        .def("set_goal", &World::set_goal, nb::arg("agent"), nb::arg("goal"))
        .def("set_open", &World::set_open, nb::arg("vertex"), nb::arg("open"))
        .def("set_priority", &World::set_priority, nb::arg("agent"), nb::arg("priority"))
        .def(
            "add",
            [](World& world, Vertex position, std::int32_t size, Time period) {
                return world.add(position, body(world.space(), size, period));
            },
            nb::arg("position"), nb::arg("size"), nb::arg("period"))
        .def("remove", &World::remove, nb::arg("agent"))
        .def("sync", &World::sync, nb::arg("agent"), nb::arg("position"))
        .def_prop_ro("space", &World::space, nb::rv_policy::reference_internal)
        .def("is_open", &World::is_open)
        .def(
            "occupant",
            [](const World& world, Vertex v, std::int32_t size) {
                return world.occupant(v, body(world.space(), size, 1));
            },
            nb::arg("vertex"), nb::arg("size") = 1)
        .def(
            "bound_for",
            [](const World& world, Vertex goal, std::int32_t size, AgentId but) {
                return world.bound_for(goal, but, body(world.space(), size, 1));
            },
            nb::arg("goal"), nb::arg("size"), nb::arg("but"))
        .def("position", [](const World& w, AgentId agent) { return w.positions()[agent]; })
        .def_prop_ro("time", &World::time)
        .def_prop_ro("unfinished", &World::unfinished)
        .def_prop_ro(
            "positions", [](const World& w) { return copy_out(w.positions()); },
            nb::rv_policy::move)
        .def_prop_ro(
            "goals", [](const World& w) { return copy_out(w.goals()); }, nb::rv_policy::move)
        .def_prop_ro(
            "priorities", [](const World& w) { return copy_out(w.priorities()); },
            nb::rv_policy::move)
        .def_prop_ro(
            "sizes", [](const World& w) { return of_bodies(w, &Body::size); }, nb::rv_policy::move)
        .def_prop_ro(
            "periods", [](const World& w) { return of_bodies(w, &Body::period); },
            nb::rv_policy::move)
        .def_prop_ro(
            "headings", [](const World& w) { return copy_out(w.headings()); }, nb::rv_policy::move)
        .def_prop_ro(
            "progress", [](const World& w) { return copy_out(w.progress()); }, nb::rv_policy::move)
        .def("stuck", &stuck_rows, "Who is stuck: rows of agent, since when, behind whom.")
        .def("history", &history)
        .def(
            "events",
            [](const World& world, std::size_t since) { return rows(world.events(since)); },
            nb::arg("since") = 0)
        .def(
            "changes",
            [](const World& world, std::size_t since) { return rows(world.changes(since)); },
            nb::arg("since"), "The events that came from outside, from the given one on.")
        .def_prop_ro("change_count", &World::change_count)
        .def("open", [](const World& w) { return copy_out(w.space().open()); })
        .def_prop_ro("event_count", &World::event_count)
        .def_prop_ro("first_time", [](const World& w) { return w.first_state().time; })
        .def("first_open", [](const World& w) { return copy_out(w.first_state().space.open()); })
        .def("first_positions", [](const World& w) { return copy_out(w.first_state().positions); })
        .def("first_goals", [](const World& w) { return copy_out(w.first_state().goals); })
        .def("first_priorities",
             [](const World& w) { return copy_out(w.first_state().priorities); })
        .def("first_headings", [](const World& w) { return copy_out(w.first_state().headings); })
        .def("first_progress", [](const World& w) { return copy_out(w.first_state().progress); })
        .def("__deepcopy__", [](const World& world, nb::handle) { return new World(world); });
}

}  // namespace sidestep::bindings
