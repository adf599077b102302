"""The two ways in which agents agree on an order: by comparing costs (PCA*) and by a dialogue (DPCA*)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations

from .. import _core
from ..model.arrays import IntArray
from .actions import ByActions
from .negotiation import Negotiation, OutOfBudget, topics_of
from .utterance import Order, Topic
from .voters import Weights

NOTHING_WORKS = "in every order an agent has no path left"
NOT_ACCEPTED = "every order leaves an agent without a path, or is not accepted"


class ByCost:
    """PCA*: all orders of those in the conflict are tried, and the one that costs least is adopted."""

    def resolve(self, talks: Negotiation, conflicts: Iterable[Sequence[int]]) -> None:
        """Ties go to the lower-numbered agent."""
        topic = next(topics_of(conflicts, pairs=False))
        before = {agent: talks.told_paths.path(agent) for agent in topic.agents}
        best: tuple[int, Order, dict[int, IntArray]] | None = None
        for ranked in permutations(topic.agents):
            order = tuple(combinations(ranked, 2))
            paths = self._try(talks, ranked, before)
            cost = sum(talks.told_paths.cost(agent) for agent in topic.agents)
            for agent, path in before.items():
                talks.told_paths.tell(agent, path)
            if paths is not None and (best is None or cost < best[0]):
                best = cost, order, paths
            if talks.budget.exhausted:
                raise OutOfBudget
        if best is None:
            return talks.impasse(topic.agents, NOTHING_WORKS)
        _, order, paths = best
        number = talks.transcript.begin_dialogue(topic)
        told = [paths[agent] for agent in topic.agents]
        return talks.core.conclude(number, topic.agents, order, told, known=False)

    def _try(
        self, talks: Negotiation, ranked: tuple[int, ...], before: dict[int, IntArray]
    ) -> dict[int, IntArray] | None:
        """Everybody plans around those before it; the first one may have its path already."""
        paths = {}
        for place, agent in enumerate(ranked):
            known = place == 0 and talks.manners.firsts_keep
            path = before[agent] if known else talks.path_below(agent, ranked[:place])
            if path is None:
                return None
            talks.told_paths.tell(agent, path)
            paths[agent] = path
        return paths


class ByDialogue:
    """DPCA*: a dialogue between two (`pairs`), or between all agents of the conflict (DPCA*+).

    In the *opening* everybody says whether it has an earlier conflict, which has to be resolved first. In the
    *proposal* stage everybody proposes an order, at first that it goes before all others. In the *evaluation*
    each order is tried: those above tell their paths, those below plan around them, and all vote by how much
    longer their path becomes and how many more conflicts it has; without a path they veto. Between more than
    two, an order may leave some of them in conflict, and is then expanded in further proposals. In the
    *closing* the order with the lowest sum of votes is adopted. From the first proposal on this is one call
    of the core. With `actions`, they go on to talk about single actions where no order helps.
    """

    def __init__(self, weights: Weights, *, pairs: bool = True, actions: bool = False) -> None:
        self.weights = _core.Weights(weights.length, weights.conflicts, weights.partial)
        self.pairs = pairs
        self.by_actions = ByActions(weights) if actions else None
        self.sizes: dict[int, int] = {}  # how many dialogues there were of how many agents

    def resolve(self, talks: Negotiation, conflicts: Iterable[Sequence[int]]) -> None:
        """Opens a dialogue for every conflict. The first can go on; who waits for it puts others on hold."""
        topics = topics_of(conflicts, pairs=self.pairs)
        first = next(topics)
        self._put_on_hold(talks, first, topics)
        number = talks.held.pop(first.agents, None)
        if number is None:
            number = talks.transcript.begin_dialogue(first)
        talks.transcript.take_up(number, first)
        if not self.debate(talks, number, first.agents):
            talks.impasse(first.agents, NOTHING_WORKS if talks.manners.voter is None else NOT_ACCEPTED)

    def debate(self, talks: Negotiation, number: int, agents: tuple[int, ...]) -> bool:
        """One dialogue until an order is adopted; False if in every order an agent has no path left."""
        self.sizes[len(agents)] = self.sizes.get(len(agents), 0) + 1
        verdict = talks.core.debate(number, agents, self.weights, talks.budget.core)
        if verdict == _core.Verdict.out_of_budget:
            raise OutOfBudget
        if verdict != _core.Verdict.nothing_works:
            return True
        topic = talks.transcript.topics[number]
        return self.by_actions is not None and self.by_actions.resolve(talks, number, topic)

    def _put_on_hold(self, talks: Negotiation, first: Topic, later: Iterable[Topic]) -> None:
        """An agent that has an earlier conflict says so, once."""
        earliest = dict.fromkeys(first.agents, first.time)
        for topic in later:
            time, _, agents = topic
            waits = False
            for agent in agents:
                if earliest.setdefault(agent, time) < time:
                    waits = True
            if not waits or agents in talks.held:
                continue
            number = talks.held[agents] = talks.transcript.begin_dialogue(topic)
            for agent in agents:
                act = _core.Act.hold if earliest[agent] < time else _core.Act.no_earlier
                others = [other for other in agents if other != agent]
                talks.channel.core.say(number, _core.Stage.opening, agent, others, act)
