#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "arrays.hpp"
#include "budget.hpp"
#include "enums.hpp"
#include "gil.hpp"
#include "shared.hpp"
#include "sidestep/dialogue/commitments.hpp"

SIDESTEP_ONE_CALL_AT_A_TIME(sidestep::Commitments, "Commitments")

namespace sidestep::bindings {

namespace {

using Pairs = std::vector<std::pair<AgentId, AgentId>>;

Order order_of(const Pairs& pairs) {
    Order order;
    for (const auto& [superior, inferior] : pairs) order.push_back({superior, inferior});
    return order;
}

using ActionTuple = std::tuple<Vertex, Vertex, Time>;  // from (-1: none), to, time

// A function of an agent, its superiors and what it has given up that returns a path or None; or
// None for the search.
PathFinder path_finder(nb::object find, const ToldPaths& told_paths) {
    if (find.is_none()) return {};
    return [find, &told_paths](AgentId agent, const std::vector<AgentId>& superiors,
                               std::span<const Action> given_up) {
        return with_gil([&] {
            std::vector<ActionTuple> actions;
            for (const Action& action : given_up)
                actions.emplace_back(action.from, action.to, action.time);
            const nb::object path = find(agent, superiors, actions);
            std::optional<std::vector<Vertex>> found;
            if (path.is_none()) return found;
            const auto array = nb::cast<IntVector>(path);
            const auto vertices = view(array);
            require_path(told_paths.space(), vertices);
            found.emplace(vertices.begin(), vertices.end());
            return found;
        });
    };
}

// A function of what a proposal means to an agent that returns its vote, or None, which is a veto;
// or None for the weighted sum.
Voter voter_of(nb::object vote) {
    if (vote.is_none()) return {};
    return [vote](const Stake& stake) {
        return with_gil([&] {
            const nb::object said =
                vote(stake.dialogue, stake.agent, stake.proposer, pairs_of(stake.order),
                     tuple_of(stake.before), tuple_of(stake.after), stake.cost, stake.longer,
                     stake.conflicts, stake.more, stake.unsettled, stake.sum);
            std::optional<double> value;
            if (said.is_none()) return value;
            value = nb::cast<double>(said);
            if (!std::isfinite(*value)) throw std::invalid_argument("a vote is a finite number");
            return value;
        });
    };
}

void require_action(const ToldPaths& told_paths, const ActionTuple& action) {
    const auto& [from, to, time] = action;
    require_vertex_or_nowhere(told_paths.space(), from);
    require_vertex(told_paths.space(), to);
    require_time(time, "a time");
}

// What the dialogues work on is theirs until the call ends.
class Inside {
  public:
    explicit Inside(const Commitments& commitments) {
        told_paths_.take(&commitments.told_paths(), "ToldPaths", Lease::Kind::inside);
        channel_.take(&commitments.channel(), "Channel", Lease::Kind::inside);
    }

  private:
    Lease told_paths_, channel_;
};

// None: there is no path, or the budget ran out.
nb::object path_below(const Commitments& commitments, AgentId agent,
                      const std::vector<AgentId>& others, WatchedBudget& budget,
                      const std::vector<ActionTuple>& give_up) {
    require_agent(commitments, agent);
    if (commitments.told_paths().position(agent) == kNowhere)
        throw std::invalid_argument("agent " + std::to_string(agent) + " is not there");
    for (const AgentId other : others) require_agent(commitments, other);
    std::vector<Action> actions;
    for (const ActionTuple& action : give_up) {
        require_action(commitments.told_paths(), action);
        actions.push_back({std::get<0>(action), std::get<1>(action), std::get<2>(action)});
    }
    const Inside inside(commitments);
    std::vector<Vertex> path;
    const Outcome outcome = budget.run(
        [&](Budget& b) { return commitments.path_below(agent, others, b, path, actions); });
    return outcome == Outcome::found ? nb::cast(copy_out(path)) : nb::none();
}

nb::object broken_order(const Commitments& commitments) {
    const Inside inside(commitments);
    const auto rank = commitments.broken_order();
    return rank ? nb::object(nb::make_tuple(rank->superior, rank->inferior)) : nb::none();
}

void conclude(Commitments& commitments, std::int32_t dialogue, const std::vector<AgentId>& agents,
              const Pairs& order, const std::vector<IntVector>& paths, bool known) {
    const Inside inside(commitments);
    require_distinct(commitments, agents);
    for (const auto& [superior, inferior] : order) {
        require_agent(commitments, superior);
        require_agent(commitments, inferior);
    }
    if (paths.size() != agents.size())
        throw std::invalid_argument("there must be one path per agent");
    std::vector<std::vector<Vertex>> told;
    for (const IntVector& path : paths) {
        const auto vertices = view(path);
        require_path(commitments.told_paths().space(), vertices);
        told.emplace_back(vertices.begin(), vertices.end());
    }
    commitments.conclude(dialogue, agents, order_of(order), told, known);
}

}  // namespace

void bind_commitments(nb::module_& m) {
    nb::class_<Weights>(m, "Weights", "What a vote is made of.")
        .def(
            "__init__",
            [](Weights* self, double length, double conflicts, double partial) {
                for (const double weight : {length, conflicts, partial})
                    if (!std::isfinite(weight)) throw std::invalid_argument("a weight is a number");
                new (self) Weights{length, conflicts, partial};
            },
            nb::arg("length"), nb::arg("conflicts"), nb::arg("partial"))
        .def("__deepcopy__", [](const Weights& weights, nb::handle) { return Weights(weights); });

    bind_enum<Commitments::Verdict>(m, "Verdict", "How a dialogue ended.",
                                    {{"adopted", Commitments::Verdict::adopted},
                                     {"nothing_works", Commitments::Verdict::nothing_works},
                                     {"out_of_budget", Commitments::Verdict::out_of_budget}});

    nb::class_<Commitments>(m, "Commitments",
                            "To which orders agents are committed, and their dialogues.")
        .def(
            "__init__",
            [](Commitments* self, ToldPaths& told_paths, Channel& channel, bool firsts_keep,
               bool ask_bystanders, nb::object find, nb::object vote) {
                new (self) Commitments(
                    told_paths, channel,
                    {firsts_keep, ask_bystanders, path_finder(find, told_paths), voter_of(vote)});
            },
            nb::arg("told_paths"), nb::arg("channel"), nb::kw_only(), nb::arg("firsts_keep"),
            nb::arg("ask_bystanders") = false, nb::arg("find") = nb::none(),
            nb::arg("vote") = nb::none(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        .def("path_below", &path_below, nb::arg("agent"), nb::arg("others"), nb::arg("budget"),
             nb::arg("give_up") = std::vector<ActionTuple>{},
             "The agent's path around its superiors and these others, without these actions (from "
             "or -1, to, time); None if there is none.")
        .def(
            "give_up",
            [](Commitments& commitments, AgentId agent, const ActionTuple& action) {
                require_agent(commitments, agent);
                require_action(commitments.told_paths(), action);
                commitments.give_up(
                    agent, {std::get<0>(action), std::get<1>(action), std::get<2>(action)});
            },
            nb::arg("agent"), nb::arg("action"), "From now on the agent does not do that.")
        .def(
            "put_on_top",
            [](Commitments& commitments, AgentId agent) {
                require_agent(commitments, agent);
                commitments.put_on_top(agent);
            },
            nb::arg("agent"))
        .def(
            "superiors",
            [](const Commitments& commitments, AgentId agent) {
                require_agent(commitments, agent);
                const auto above = commitments.superiors(agent);
                return std::vector<AgentId>(above.begin(), above.end());
            },
            nb::arg("agent"), "Whom the agent plans around, by number.")
        .def(
            "set_superiors",
            [](Commitments& commitments, AgentId agent, const std::vector<AgentId>& others) {
                require_agent(commitments, agent);
                require_distinct(commitments, others);
                for (const AgentId other : others)
                    if (other == agent) throw std::invalid_argument("nobody plans around itself");
                commitments.set_superiors(agent, others);
            },
            nb::arg("agent"), nb::arg("others"), "The agent plans around these from now on.")
        .def_prop_ro("orders", &Commitments::orders, "How many orders of two hold.")
        .def("broken_order", &broken_order,
             nb::sig("def broken_order(self) -> tuple[int, int] | None"),
             "The first two who collide although they have an order; None if nobody does.")
        .def("conclude", &conclude, nb::arg("dialogue"), nb::arg("agents"), nb::arg("order"),
             nb::arg("paths"), nb::kw_only(), nb::arg("known"),
             "An order is adopted for good, and the paths that come of it are told.")
        .def(
            "debate",
            [](Commitments& commitments, std::int32_t dialogue, const std::vector<AgentId>& agents,
               const Weights& weights, WatchedBudget& budget) {
                const Inside inside(commitments);
                require_distinct(commitments, agents);
                for (const AgentId agent : agents) require_told(commitments.told_paths(), agent);
                return budget.run(
                    [&](Budget& b) { return commitments.debate(dialogue, agents, weights, b); });
            },
            nb::arg("dialogue"), nb::arg("agents"), nb::arg("weights"), nb::arg("budget"),
            "A dialogue until an order is adopted.");
}

}  // namespace sidestep::bindings
