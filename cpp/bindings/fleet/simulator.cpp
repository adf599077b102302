#include "sidestep/fleet/simulator.hpp"

#include <nanobind/stl/vector.h>

#include "agents.hpp"
#include "lease.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Simulator, "this simulator")

namespace sidestep::bindings {

namespace {

constexpr std::int32_t kMostTicks = 1 << 20;

std::vector<Drive> drives(const IntMatrix& table, std::size_t agents) {
    if (table.shape(0) != agents || table.shape(1) != 3)
        throw std::invalid_argument("a row of speed, acceleration and turn per agent");
    std::vector<Drive> all;
    for (std::size_t a = 0; a < agents; ++a) {
        require_within(table(a, 0), 1, kStepLength, "a speed");
        require_within(table(a, 1), 0, kStepLength, "an acceleration");
        require_within(table(a, 2), 0, kMostTicks, "a turn");
        all.push_back({table(a, 0), table(a, 1), table(a, 2)});
    }
    return all;
}

// Chances of delays, stops, losses and doublings; the shortest and longest delay; lateness.
Mishaps mishaps(const std::vector<double>& chances, const std::vector<std::int32_t>& ticks) {
    if (chances.size() != 4 || ticks.size() != 3)
        throw std::invalid_argument("four chances and three times");
    std::uint32_t scaled[4];
    for (int k = 0; k < 4; ++k) {
        require_within(chances[k], 0.0, 1.0, "a chance");
        scaled[k] = static_cast<std::uint32_t>(std::min(chances[k] * 4294967296.0, 4294967295.0));
    }
    for (const std::int32_t tick : ticks) require_within(tick, 0, kMostTicks, "a time");
    if (ticks[0] > ticks[1]) throw std::invalid_argument("the shortest delay is not the longest");
    return {scaled[0], scaled[1], scaled[2], scaled[3], ticks[0], ticks[1], ticks[2]};
}

// What a fleet commands: the number of the first place, where its places begin, all places.
void send(Simulator& simulator, const IntVector& first, const IntVector& begin,
          const IntVector& places) {
    const std::size_t agents = simulator.size();
    require_size(first, agents, "first");
    require_size(begin, agents + 1, "begin");
    for (std::size_t a = 0; a < agents; ++a) {
        const std::int32_t from = view(begin)[a], to = view(begin)[a + 1];
        if (from < 0 || from > to || static_cast<std::size_t>(to) > places.size())
            throw std::invalid_argument("the places of an agent begin where those before end");
        require_within(view(first)[a], 1, kForever - 1, "the number of a visit");
        for (const Vertex v : view(places).subspan(from, to - from))
            require_vertex_or_nowhere(simulator.space(), v);
        if (from < to)
            simulator.send(static_cast<AgentId>(a), view(first)[a],
                           view(places).subspan(from, to - from));
    }
}

IntMatrixOut reports(const Simulator& simulator) {
    const auto all = simulator.reports();
    auto data = std::make_unique_for_overwrite<std::int32_t[]>(all.size() * 3);
    for (std::size_t k = 0; k < all.size(); ++k) {
        const std::int32_t row[] = {all[k].agent, all[k].number, all[k].place};
        std::copy(std::begin(row), std::end(row), data.get() + k * 3);
    }
    return give<IntMatrixOut>(std::move(data), {all.size(), 3});
}

// Per agent: from, to, progress.
IntMatrixOut positions(const Simulator& simulator) {
    auto data = std::make_unique_for_overwrite<std::int32_t[]>(simulator.size() * 3);
    for (std::size_t k = 0; k < simulator.size(); ++k) {
        const auto at = simulator.position(static_cast<AgentId>(k));
        const std::int32_t row[] = {at.from, at.to, at.progress};
        std::copy(std::begin(row), std::end(row), data.get() + k * 3);
    }
    return give<IntMatrixOut>(std::move(data), {simulator.size(), 3});
}

BoolVectorOut stopped(const Simulator& simulator) {
    auto data = std::make_unique_for_overwrite<bool[]>(simulator.size());
    for (std::size_t k = 0; k < simulator.size(); ++k)
        data[k] = simulator.is_stopped(static_cast<AgentId>(k));
    return give<BoolVectorOut>(std::move(data), {simulator.size()});
}

}  // namespace

void bind_simulator(nb::module_& m) {
    nb::class_<Simulator>(m, "Simulator", "Robots that go where they were told, at their pace.")
        .def(
            "__init__",
            [](Simulator* self, const Space& space, const Agents& agents, const IntMatrix& table,
               const std::vector<double>& chances, const std::vector<std::int32_t>& ticks,
               std::uint64_t seed) {
                require_agents(space, agents);
                new (self) Simulator(space, agents.positions, drives(table, agents.size()),
                                     mishaps(chances, ticks), seed);
            },
            nb::arg("space"), nb::arg("agents"), nb::arg("drives").noconvert(), nb::arg("chances"),
            nb::arg("ticks"), nb::arg("seed"))
        .def("send", &send, nb::arg("first").noconvert(), nb::arg("begin").noconvert(),
             nb::arg("places").noconvert())
        .def("tick", &Simulator::tick)
        .def("reports", &reports)
        .def("positions", &positions)
        .def(
            "stop",
            [](Simulator& self, AgentId agent) {
                require_agent(self, agent);
                self.stop(agent);
            },
            nb::arg("agent"))
        .def("stopped", &stopped)
        .def("now", &Simulator::now);
}

}  // namespace sidestep::bindings
