#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.hpp"
#include "budget.hpp"
#include "sidestep/dialogue/channel.hpp"
#include "sidestep/dialogue/commitments.hpp"

namespace sidestep::bindings {

namespace {

using Pairs = std::vector<std::pair<AgentId, AgentId>>;

template <class Values>
nb::tuple tuple_of(const Values& values) {
    nb::list list;
    for (const auto& value : values) list.append(value);
    return nb::tuple(list);
}

// Everything as Python has it, but stages and acts as numbers.
nb::tuple utterance(const Utterance& said) {
    nb::list order;
    for (const Rank& rank : said.order) order.append(nb::make_tuple(rank.superior, rank.inferior));
    return nb::make_tuple(said.dialogue, static_cast<int>(said.stage), said.speaker,
                          tuple_of(said.hearers), static_cast<int>(said.act), nb::tuple(order),
                          tuple_of(said.path), said.has_vote() ? nb::cast(said.vote) : nb::none());
}

nb::list utterances(const Minutes& minutes) {
    nb::list all;
    for (std::size_t k = 0; k < minutes.size(); ++k) all.append(utterance(minutes[k]));
    return all;
}

Order order_of(const Pairs& pairs) {
    Order order;
    for (const auto& [superior, inferior] : pairs) order.push_back({superior, inferior});
    return order;
}

// A function of an agent and its superiors that returns a path or None; or None for the search.
PathFinder path_finder(nb::object find) {
    if (find.is_none()) return {};
    return [find](AgentId agent, const std::vector<AgentId>& superiors) {
        nb::gil_scoped_acquire held;
        const nb::object path = find(agent, superiors);
        std::optional<std::vector<Vertex>> found;
        if (path.is_none()) return found;
        const auto vertices = view(nb::cast<IntVector>(path));
        found.emplace(vertices.begin(), vertices.end());
        return found;
    };
}

// None: there is no path, or the budget ran out.
nb::object path_below(const Talks& talks, AgentId agent, const std::vector<AgentId>& others,
                      WatchedBudget& budget) {
    std::vector<Vertex> path;
    const Outcome outcome =
        budget.run([&](Budget& b) { return talks.path_below(agent, others, b, path); });
    return outcome == Outcome::found ? nb::cast(copy_out(path)) : nb::none();
}

nb::object broken_order(const Talks& talks) {
    const auto rank = talks.broken_order();
    return rank ? nb::object(nb::make_tuple(rank->superior, rank->inferior)) : nb::none();
}

void conclude(Talks& talks, std::int32_t dialogue, const std::vector<AgentId>& agents,
              const Pairs& order, const std::vector<IntVector>& paths, bool known) {
    std::vector<std::vector<Vertex>> told;
    for (const IntVector& path : paths) {
        const auto vertices = view(path);
        told.emplace_back(vertices.begin(), vertices.end());
    }
    talks.conclude(dialogue, agents, order_of(order), told, known);
}

void bind_channel(nb::module_& m) {
    nb::enum_<Stage>(m, "Stage").value("opening", Stage::opening);
    nb::enum_<Act>(m, "Act").value("no_earlier", Act::no_earlier).value("hold", Act::hold);
    nb::enum_<Channel::Reach>(m, "Reach")
        .value("all", Channel::Reach::all)
        .value("cells", Channel::Reach::cells)
        .value("ring", Channel::Reach::ring);

    nb::class_<Minutes>(m, "Minutes", "What was said, in little space.")
        .def("utterances", &utterances,
             nb::sig("def utterances(self) -> list[tuple[int, int, int, tuple[int, ...], int, "
                     "tuple[tuple[int, int], ...], tuple[int, ...], float | None]]"),
             "Tuples: dialogue, stage, speaker, hearers, act, order, path, vote.");

    nb::class_<Channel>(m, "Channel", "Who hears whom, what is said, and how much.")
        .def(nb::init<std::int32_t>(), nb::arg("width"))
        .def("set_reach", &Channel::set_reach, nb::arg("reach"), nb::arg("cells"))
        .def(
            "gather",
            [](Channel& channel, const IntVector& positions) { channel.gather(view(positions)); },
            nb::arg("positions").noconvert())
        .def(
            "audience",
            [](Channel& channel, AgentId speaker) { return tuple_of(channel.audience(speaker)); },
            nb::arg("speaker"), nb::sig("def audience(self, speaker: int) -> tuple[int, ...]"))
        .def(
            "say",
            [](Channel& channel, std::int32_t dialogue, Stage stage, AgentId speaker,
               const std::vector<AgentId>& hearers,
               Act act) { channel.say({dialogue, stage, speaker, hearers, act}); },
            nb::arg("dialogue"), nb::arg("stage"), nb::arg("speaker"), nb::arg("hearers"),
            nb::arg("act"))
        .def(
            "announce",
            [](Channel& channel, AgentId speaker, const IntVector& path) {
                channel.announce(speaker, view(path));
            },
            nb::arg("speaker"), nb::arg("path").noconvert())
        .def(
            "announce_all",
            [](Channel& channel, const Parley& parley) {
                for (AgentId agent = 0; agent < parley.size(); ++agent)
                    if (!parley.path(agent).empty()) channel.announce(agent, parley.path(agent));
            },
            nb::arg("parley"), "Everybody tells its path.")
        .def("count", &Channel::count, nb::arg("messages"), nb::arg("agents"), nb::arg("vertices"))
        .def("take_minutes", &Channel::take_minutes)
        .def_prop_ro("messages", &Channel::messages)
        .def_prop_ro("bytes", &Channel::bytes)
        .def("__deepcopy__",
             [](const Channel& channel, nb::handle) { return new Channel(channel); });
}

void bind_talks(nb::module_& m) {
    nb::class_<Weights>(m, "Weights", "What a vote is made of.")
        .def(nb::init<double, double, double>(), nb::arg("length"), nb::arg("conflicts"),
             nb::arg("partial"))
        .def("__deepcopy__", [](const Weights& weights, nb::handle) { return Weights(weights); });

    nb::enum_<Talks::Verdict>(m, "Verdict")
        .value("adopted", Talks::Verdict::adopted)
        .value("nothing_works", Talks::Verdict::nothing_works)
        .value("out_of_budget", Talks::Verdict::out_of_budget);

    nb::class_<Talks>(m, "Talks", "To which orders agents are committed, and their dialogues.")
        .def(
            "__init__",
            [](Talks* self, Parley& parley, Channel& channel, bool cache, nb::object find) {
                new (self) Talks(parley, channel, cache, path_finder(find));
            },
            nb::arg("parley"), nb::arg("channel"), nb::kw_only(), nb::arg("cache"),
            nb::arg("find").none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("path_below", &path_below, nb::arg("agent"), nb::arg("others"), nb::arg("budget"),
             "The agent's path around its superiors and these others; None if there is none.")
        .def("put_on_top", &Talks::put_on_top, nb::arg("agent"))
        .def("broken_order", &broken_order,
             nb::sig("def broken_order(self) -> tuple[int, int] | None"),
             "The first two who collide although they have an order; None if nobody does.")
        .def("conclude", &conclude, nb::arg("dialogue"), nb::arg("agents"), nb::arg("order"),
             nb::arg("paths"), nb::kw_only(), nb::arg("known"),
             "An order is adopted for good, and the paths that come of it are told.")
        .def(
            "debate",
            [](Talks& talks, std::int32_t dialogue, const std::vector<AgentId>& agents,
               const Weights& weights, WatchedBudget& budget) {
                return budget.run(
                    [&](Budget& b) { return talks.debate(dialogue, agents, weights, b); });
            },
            nb::arg("dialogue"), nb::arg("agents"), nb::arg("weights"), nb::arg("budget"),
            "A dialogue until an order is adopted.");
}

}  // namespace

void bind_dialogue(nb::module_& m) {
    bind_channel(m);
    bind_talks(m);
}

}  // namespace sidestep::bindings
