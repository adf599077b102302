#include "sidestep/dialogue/channel.hpp"

#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "enums.hpp"
#include "shared.hpp"
#include "sidestep/dialogue/told_paths.hpp"

namespace sidestep::bindings {

namespace {

// Everything as Python has it, but stages and acts as numbers.
nb::tuple utterance(const Utterance& said) {
    return nb::make_tuple(said.dialogue, static_cast<int>(said.stage), said.speaker,
                          tuple_of(said.hearers), static_cast<int>(said.act), pairs_of(said.order),
                          tuple_of(said.path), said.has_vote() ? nb::cast(said.vote) : nb::none());
}

nb::list utterances(const Minutes& minutes) {
    nb::list all;
    for (std::size_t k = 0; k < minutes.size(); ++k) all.append(utterance(minutes[k]));
    return all;
}

}  // namespace

void bind_channel(nb::module_& m) {
    bind_enum<Stage>(m, "Stage", "A stage of a dialogue.", {{"opening", Stage::opening}});
    bind_enum<Act>(m, "Act", "A kind of utterance.",
                   {{"no_earlier", Act::no_earlier}, {"hold", Act::hold}});
    bind_enum<Channel::Reach>(m, "Reach", "Who hears what is told to everybody.",
                              {{"all", Channel::Reach::all},
                               {"cells", Channel::Reach::cells},
                               {"ring", Channel::Reach::ring}});

    nb::class_<Minutes>(m, "Minutes", "What was said, in little space.")
        .def("utterances", &utterances,
             nb::sig("def utterances(self) -> list[tuple[int, int, int, tuple[int, ...], int, "
                     "tuple[tuple[int, int], ...], tuple[int, ...], float | None]]"),
             "Tuples: dialogue, stage, speaker, hearers, act, order, path, vote.");

    nb::class_<Channel>(m, "Channel", "Who hears whom, what is said, and how much.")
        .def(
            "__init__",
            [](Channel* self, std::int32_t width) {
                if (width < 1) throw std::invalid_argument("a width is at least 1");
                new (self) Channel(width);
            },
            nb::arg("width"))
        .def(
            "set_reach",
            [](Channel& channel, Channel::Reach reach, std::int32_t cells) {
                if (cells < 0) throw std::invalid_argument("a reach is 0 cells or more");
                channel.set_reach(reach, cells);
            },
            nb::arg("reach"), nb::arg("cells"))
        .def(
            "gather",
            [](Channel& channel, const IntVector& positions) {
                for (const Vertex v : view(positions))
                    if (v < kNowhere)
                        throw std::invalid_argument("there is no vertex " + std::to_string(v));
                channel.gather(view(positions));
            },
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
        .def("go_first", &Channel::go_first, nb::arg("speaker"))
        .def(
            "announce_all",
            [](Channel& channel, const ToldPaths& told_paths) {
                for (AgentId agent = 0; agent < told_paths.size(); ++agent)
                    if (!told_paths.path(agent).empty())
                        channel.announce(agent, told_paths.path(agent));
            },
            nb::arg("told_paths"), "Everybody tells its path.")
        .def(
            "count",
            [](Channel& channel, std::int64_t messages, std::int64_t agents,
               std::int64_t vertices) {
                for (const std::int64_t number : {messages, agents, vertices})
                    require_within<std::int64_t>(number, 0, std::int64_t{1} << 40, "a count");
                channel.count(messages, agents, vertices);
            },
            nb::arg("messages"), nb::arg("agents"), nb::arg("vertices"))
        .def(
            "go_on_from",
            [](Channel& channel, std::int64_t messages, std::int64_t bytes) {
                for (const std::int64_t number : {messages, bytes})
                    require_within<std::int64_t>(number, 0, std::int64_t{1} << 50, "a count");
                channel.go_on_from(messages, bytes);
            },
            nb::arg("messages"), nb::arg("bytes"), "So much was said before.")
        .def("take_minutes", &Channel::take_minutes)
        .def_prop_ro("messages", &Channel::messages)
        .def_prop_ro("bytes", &Channel::bytes)
        .def("__deepcopy__",
             [](const Channel& channel, nb::handle) { return new Channel(channel); });
}

}  // namespace sidestep::bindings
