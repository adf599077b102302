#include "sidestep/world/world.hpp"

#include <nanobind/stl/pair.h>

#include "agents.hpp"
#include "arrays.hpp"
#include "bodies.hpp"
#include "saving.hpp"

namespace sidestep::bindings {

namespace {

// The record up to now: positions (T+1, N), with -1 before an agent was added.
IntMatrixOut history(const World& world) {
    const std::size_t agents = world.positions().size(), times = world.rows().size() + 1;
    auto data = std::make_unique_for_overwrite<std::int32_t[]>(times * agents);
    std::fill_n(data.get(), times * agents, kNowhere);
    for (std::size_t t = 0; t + 1 < times; ++t) {
        const World::Row& row = world.rows()[t];
        for (std::size_t k = 0; k < row.where.size(); ++k)
            data[t * agents + static_cast<std::size_t>(row.agent(k))] = row.where[k];
    }
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

void require_agent(const World& world, AgentId agent) {
    bindings::require_agent(world.bodies(), agent);
}

void require_some(const World& world, const IntVector& agents) {
    for (const AgentId agent : view(agents)) require_agent(world, agent);
}

// What every agent has: `name` of all there ever were, and `name`_of of those that are asked for.
template <class Value>
void bind_column(nb::class_<World>& bound, const std::string& name, Value value) {
    const auto of = [value](const World& world, std::span<const AgentId> agents) {
        auto data = std::make_unique_for_overwrite<std::int32_t[]>(agents.size());
        for (std::size_t k = 0; k < agents.size(); ++k) data[k] = value(world, agents[k]);
        return give<IntVectorOut>(std::move(data), {agents.size()});
    };
    bound.def_prop_ro(
        name.c_str(),
        [value](const World& world) {
            const std::size_t count = world.bodies().size();
            auto data = std::make_unique_for_overwrite<std::int32_t[]>(count);
            for (std::size_t k = 0; k < count; ++k) data[k] = value(world, static_cast<AgentId>(k));
            return give<IntVectorOut>(std::move(data), {count});
        },
        nb::rv_policy::automatic);
    bound.def((name + "_of").c_str(),
              [of](const World& world, const IntVector& agents) {
                  require_some(world, agents);
                  return of(world, view(agents));
              },
              nb::arg("agents").noconvert());
}

void bind_columns(nb::class_<World>& bound) {
    const auto bind = [&bound](const char* name, auto value) { bind_column(bound, name, value); };
    bind("positions", [](const World& w, AgentId a) { return w.positions()[a]; });
    bind("goals", [](const World& w, AgentId a) { return w.goals()[a]; });
    bind("priorities", [](const World& w, AgentId a) { return w.priorities()[a]; });
    bind("sizes", [](const World& w, AgentId a) { return w.bodies()[a].size; });
    bind("periods", [](const World& w, AgentId a) { return w.bodies()[a].period; });
    bind("facings", [](const World& w, AgentId a) { return w.facings()[a]; });
    bind("headings", [](const World& w, AgentId a) { return w.headings()[a]; });
    bind("progress", [](const World& w, AgentId a) { return w.progress()[a]; });
}

BoolVectorOut copy_out(std::span<const std::uint8_t> open) {
    auto data = std::make_unique_for_overwrite<bool[]>(open.size());
    std::copy(open.begin(), open.end(), data.get());
    return give<BoolVectorOut>(std::move(data), {open.size()});
}

constexpr Time kMostPatient = 1'000'000;  // turns

void require_present(const World& world, AgentId agent) {
    require_agent(world, agent);
    if (world.positions()[agent] == kNowhere)
        throw std::invalid_argument("agent " + std::to_string(agent) + " is no longer there");
}

// Who is in the middle of a move has somewhere to go, and has begun.
void require_move(const World& world, AgentId agent, Vertex heading, Time progress) {
    const Body& body = world.bodies()[agent];
    if (heading == kNowhere && progress == 0) return;
    require_present(world, agent);
    require_place(world.space(), heading, body);
    require_within(progress, 1, body.period - 1, "progress");
}

void resume(World& world, const IntVector& headings, const IntVector& progress) {
    require_size(headings, world.positions().size(), "headings");
    require_size(progress, world.positions().size(), "progress");
    if (!world.rows().empty() || world.event_count() > 0)
        throw std::invalid_argument("a world is resumed before anything happens in it");
    for (AgentId agent = 0; agent < static_cast<AgentId>(world.bodies().size()); ++agent)
        require_move(world, agent, view(headings)[agent], view(progress)[agent]);
    world.resume(view(headings), view(progress));
}

void record_fault(World& world, std::int32_t kind) {
    const auto fault = static_cast<EventKind>(kind);
    if (fault != EventKind::late && fault != EventKind::raised)
        throw std::invalid_argument(std::to_string(kind) + " is no fault of a whole turn");
    world.record_fault(fault);
}

void record_seen(World& world, std::int32_t kind, AgentId agent, std::int32_t value) {
    const auto seen = static_cast<EventKind>(kind);
    if (!is_reported(seen))
        throw std::invalid_argument(std::to_string(kind) + " is not reported: the world sees it");
    if (needs_agent(seen) || agent != kNobody) require_agent(world, agent);
    world.record_seen(seen, agent, value);
}

// Turns of which nothing was told: who is found elsewhere went there, the others waited or were on
// their way.
void go_again(World& world, const IntMatrix& landed) {
    const std::size_t count = world.bodies().size();
    if (landed.shape(1) < count)
        throw std::invalid_argument("there are places of " + std::to_string(landed.shape(1)) +
                                    " agents, not of " + std::to_string(count));
    std::vector<Vertex> targets(count);
    for (std::size_t row = 0; row < landed.shape(0); ++row) {
        for (std::size_t a = 0; a < count; ++a) {
            const Vertex here = world.positions()[a], there = landed(row, a);
            const bool stays = there == kNowhere || there == here;
            const bool on_its_way = stays && world.headings()[a] != kNowhere;
            targets[a] = on_its_way ? world.headings()[a] : stays ? here : there;
        }
        world.advance(targets);
    }
}

// What comes from outside while the world runs.
void bind_changes(nb::class_<World>& world) {
    world
        .def(
            "set_goal",
            [](World& self, AgentId agent, Vertex goal) {
                require_agent(self, agent);
                require_vertex_or_nowhere(self.space(), goal);
                self.set_goal(agent, goal);
            },
            nb::arg("agent"), nb::arg("goal"))
        .def(
            "set_open",
            [](World& self, Vertex v, bool open) {
                require_vertex(self.space(), v);
                self.set_open(v, open);
            },
            nb::arg("vertex"), nb::arg("open"))
        .def(
            "set_priority",
            [](World& self, AgentId agent, std::int32_t priority) {
                require_agent(self, agent);
                self.set_priority(agent, priority);
            },
            nb::arg("agent"), nb::arg("priority"))
        .def(
            "add",
            [](World& self, Vertex position, std::int32_t size, Time period, Facing facing) {
                const Body newcomer = body(self.space(), size, period);
                require_place(self.space(), position, newcomer);
                require_facing(self.space(), newcomer, facing);
                return self.add(position, newcomer, facing);
            },
            nb::arg("position"), nb::arg("size"), nb::arg("period"), nb::arg("facing"))
        .def(
            "remove",
            [](World& self, AgentId agent) {
                require_present(self, agent);
                self.remove(agent);
            },
            nb::arg("agent"))
        .def(
            "sync",
            [](World& self, AgentId agent, Vertex position) {
                require_present(self, agent);
                require_place(self.space(), position, self.bodies()[agent]);
                self.sync(agent, position);
            },
            nb::arg("agent"), nb::arg("position"));
}

}  // namespace

void bind_world(nb::module_& m) {
    nb::class_<World> world_class(m, "World", "The truth about positions, walls, goals and time.");
    world_class
        .def(
            "__init__",
            [](World* self, const Space& space, const Rules& rules, Time time, const Agents& agents,
               Time keep, Time patience) {
                require_agents(space, agents);
                require_time(time, "a time");
                require_time(keep, "what is kept");
                require_within(patience, 0, kMostPatient, "patience");
                new (self) World(
                    space, rules,
                    {time, {}, agents.positions, agents.goals, agents.priorities, agents.facings},
                    agents.bodies, keep, patience);
            },
            nb::arg("space"), nb::arg("rules"), nb::arg("time"), nb::arg("agents"), nb::arg("keep"),
            nb::arg("patience") = 0)
        .def("resume", &resume, nb::arg("headings").noconvert(), nb::arg("progress").noconvert(),
             "Begins in the middle of moves.")
        .def(
            "advance",
            [](World& world, const IntVector& targets) {
                require_size(targets, world.positions().size(), "moves");
                return world.advance(view(targets));
            },
            nb::arg("targets").noconvert(), "One turn; returns how many moves were refused.")
        .def(
            "advance_some",
            [](World& world, const IntVector& agents, const IntVector& targets) {
                require_size(targets, agents.size(), "moves");
                require_some(world, agents);
                return world.advance(view(agents), view(targets));
            },
            nb::arg("agents").noconvert(), nb::arg("targets").noconvert(),
            "One turn in which all others wait.")
        .def("go_again", &go_again, nb::arg("landed").noconvert(),
             "Turns by where everybody was after each, if nothing else was recorded of them.")
        .def(
            "wait", [](World& world) { return world.advance({}); },
            "One turn in which everybody waits.")
        .def(
            "watch",
            [](World& world, Time keep, Time patience) {
                require_time(keep, "what is kept");
                require_within(patience, 0, kMostPatient, "patience");
                world.watch(keep, patience);
            },
            nb::arg("keep"), nb::arg("patience"))
        .def("record_fault", &record_fault)
        .def_prop_ro("space", &World::space, nb::rv_policy::copy, "As it is now: a copy.")
        .def("is_open",
             [](const World& world, Vertex v) {
                 require_vertex(world.space(), v);
                 return world.is_open(v);
             })
        .def("record_seen", &record_seen)
        .def(
            "occupant",
            [](const World& world, Vertex v, std::int32_t size) {
                require_vertex(world.space(), v);
                return world.occupant(v, body(world.space(), size, 1));
            },
            nb::arg("vertex"), nb::arg("size") = 1)
        .def(
            "bound_for",
            [](const World& world, Vertex goal, std::int32_t size, AgentId but) {
                require_vertex(world.space(), goal);
                return world.bound_for(goal, but, body(world.space(), size, 1));
            },
            nb::arg("goal"), nb::arg("size"), nb::arg("but"))
        .def("position",
             [](const World& world, AgentId agent) {
                 require_agent(world, agent);
                 return world.positions()[agent];
             })
        .def("body_of",
             [](const World& world, AgentId agent) {
                 require_agent(world, agent);
                 const Body& body = world.bodies()[agent];
                 return std::pair(body.size, body.period);
             })
        .def_prop_ro("time", &World::time)
        .def_prop_ro("unfinished", &World::unfinished)
        .def_prop_ro(
            "present", [](const World& w) { return copy_out(w.present()); },
            nb::rv_policy::automatic, "Who is there, by number.")
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
        .def_prop_ro("first_time", &World::first_time)
        .def("first_open", [](const World& w) { return copy_out(w.first_space().open()); })
        .def("first_positions", [](const World& w) { return copy_out(w.first_state().positions); })
        .def("first_goals", [](const World& w) { return copy_out(w.first_state().goals); })
        .def("first_priorities",
             [](const World& w) { return copy_out(w.first_state().priorities); })
        .def("first_facings", [](const World& w) { return copy_out(w.first_facings()); })
        .def("first_headings", [](const World& w) { return copy_out(w.first_state().headings); })
        .def("first_progress", [](const World& w) { return copy_out(w.first_state().progress); })
        .def("__deepcopy__", [](const World& world, nb::handle) { return new World(world); });
    bind_columns(world_class);
    bind_changes(world_class);
    bind_saving(world_class);
}

}  // namespace sidestep::bindings
