"""How agents settle the conflicts between their paths, one after another, until none is left.

Every agent plans alone and tells its path. As long as paths collide, the earliest conflict is settled: those
in it agree on an order, by trying all of them (PCA*) or in a dialogue (DPCA*, DPCA*+), and whoever is below
plans around whoever is above. An order is a commitment: when a superior changes its path later and comes in
the way, the inferior plans again without another word. Nobody knows all orders; together they may be
incomplete, or go round in a circle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from .. import _core
from ..arrays import IntArray
from ..budget import Budget
from .channel import Channel
from .transcript import Transcript
from .utterance import NO_DIALOGUE, Act, Order, Row, Stage, Topic

Finder = Callable[[int, list[int]], IntArray | None]  # an agent's path around those above it

VERTEX = int(_core.ConflictKind.vertex.value)


class OutOfBudget(Exception):  # noqa: N818  # not an error: the way out of a search
    """The budget ended before all conflicts were settled."""


class Impasse(Exception):  # noqa: N818
    """Agents cannot settle a conflict; the message says why, `agents` who."""

    def __init__(self, agents: tuple[int, ...], why: str) -> None:
        super().__init__(why)
        self.agents = agents


class Negotiation:
    """One round: the told paths, the commitments of every agent, and what is said.

    `find` is the path planner; unless one is given it is the core's search. Without a `cache` of paths an
    agent also searches again for a path that it has already.
    """

    def __init__(
        self,
        parley: _core.Parley,
        channel: Channel,
        transcript: Transcript,
        budget: Budget,
        *,
        agents: int,
        time: int = 0,
        cache: bool = True,
        find: Finder | None = None,
    ) -> None:
        self.parley, self.channel, self.transcript, self.budget = parley, channel, transcript, budget
        self.superiors: list[set[int]] = [set() for _ in range(agents)]
        self.round = transcript.begin_round(time)
        self.replans = 0
        self.cache, self._find = cache, find
        self.said: list[Row] = []
        self.held: dict[tuple[int, ...], int] = {}  # the dialogues on hold, by those in them
        self._seen: set[int] = set()  # the paths told since the last order was adopted

    # Paths

    def exchange(self, positions: IntArray) -> None:
        """Everybody plans alone and tells its path."""
        self.channel.gather(positions)
        if self._find is None:
            failed = self.parley.plan_alone(self.budget.core)
            if failed != -1:
                self.no_path_alone(failed)
        else:
            for agent in range(len(positions)):
                path = self.path_below(agent, set())
                if path is None:
                    return self.no_path_alone(agent)
                self.parley.tell(agent, path)
        paths = self.parley.paths()
        self.channel.count_paths(paths)
        return self.transcript.note_paths(self.round, paths, self.channel.hears)

    def no_path_alone(self, agent: int) -> None:
        """An agent has no path even without the others."""
        if self.budget.exhausted:
            raise OutOfBudget
        raise Impasse((agent,), "has no path even without the others")

    def path_below(self, agent: int, above: set[int]) -> IntArray | None:
        """The agent's path around its superiors and these others; None if there is none."""
        superiors = sorted(self.superiors[agent] | above)
        if self._find is not None:
            return self._find(agent, superiors)
        path: IntArray | None = self.parley.find(agent, superiors, self.budget.core)  # type: ignore[assignment]
        if path is None and self.budget.exhausted:
            raise OutOfBudget
        return path

    # The loop

    def settle_with(self, settler: Settler) -> None:
        """Until no told paths collide; what was said is taken down, however it ends."""
        try:
            self._settle_all(settler)
        finally:
            self.take_down()

    def take_down(self) -> None:
        """Counts what was said since the last time and puts it into the transcript."""
        self.channel.count(self.said)
        self.transcript.note(self.said)
        self.said = []

    def _settle_all(self, settler: Settler) -> None:
        superiors = self.superiors
        while conflicts := self.parley.first_conflicts().tolist():
            for _, _, one, other, _ in conflicts:
                if other in superiors[one]:
                    self._keep_order(other, one)
                    break
                if one in superiors[other]:
                    self._keep_order(one, other)
                    break
            else:
                settler.settle(self, conflicts)

    def _keep_order(self, superior: int, inferior: int) -> None:
        """The superior has come into the inferior's way: that plans again and tells everybody."""
        path = self.path_below(inferior, set())
        if path is None:
            why = f"{self.name(inferior)} has no path around those it has put above itself"
            return self.impasse((superior, inferior), why)
        self.parley.tell(inferior, path)
        self.announce(inferior, path)
        self.replans += 1
        if self.parley.fingerprint in self._seen:
            return self.impasse(
                (superior, inferior), "their orders lead back to the same paths again and again"
            )
        return self._seen.add(self.parley.fingerprint)

    def commit(self, order: Order) -> None:
        """From now on these orders hold."""
        for superior, inferior in order:
            self.superiors[inferior].add(superior)
        self._seen.clear()

    def impasse(self, agents: tuple[int, ...], why: str) -> None:
        """These agents do not know how to go on; the last one least of all."""
        raise Impasse(agents, why)

    # Talking

    def name(self, agent: int) -> str:
        return self.transcript.names[agent]

    def announce(self, agent: int, path: IntArray) -> None:
        """Outside of any dialogue, an agent tells everybody in reach its path."""
        hearers = self.channel.audience(agent)
        self.say(NO_DIALOGUE, Stage.EXCHANGE, agent, hearers, Act.NEW_PATH, path=path)

    def conclude(self, dialogue: int, order: Order, paths: dict[int, IntArray], *, known: bool) -> None:
        """Those in a conflict adopt an order for good and tell the paths that come of it.

        Those paths are told to everybody, or, if they are `known` to those in the conflict, to all others.
        """
        agents = tuple(paths)
        for agent in agents:
            others = tuple([other for other in agents if other != agent])
            self.say(dialogue, Stage.CLOSING, agent, others, Act.ADOPT, order=order)
        self.commit(order)
        for agent, path in paths.items():
            self.parley.tell(agent, path)
            hearers = self.channel.audience(agent)
            if known:
                hearers = tuple([other for other in hearers if other not in paths])
            self.say(dialogue, Stage.CLOSING, agent, hearers, Act.NEW_PATH, path=path)

    def say(
        self,
        dialogue: int,
        stage: Stage,
        speaker: int,
        hearers: tuple[int, ...],
        act: Act,
        *,
        order: Order = (),
        path: IntArray | None = None,
        vote: float | None = None,
    ) -> None:
        """One utterance."""
        self.said.append((self.round, dialogue, stage, speaker, hearers, act, order, path, vote))


class Settler(Protocol):
    """A way to settle a conflict: PCA*'s or a dialogue."""

    def settle(self, talks: Negotiation, conflicts: list[list[int]]) -> None:
        """Settles the first conflict by an order of those in it.

        `conflicts` has the first one of every two agents, in the order of their turn: rows of time, kind,
        agent, agent, place.
        """
        ...


def topics_of(conflicts: list[list[int]], *, pairs: bool) -> Iterator[Topic]:
    """The conflicts one by one: always of two agents, or of all that would be in one place at one time."""
    together: dict[tuple[int, int], set[int]] = {}
    if not pairs:
        for time, kind, one, other, place in conflicts:
            if kind == VERTEX:
                together.setdefault((time, place), set()).update((one, other))
    for time, kind, one, other, place in conflicts:
        if pairs or kind != VERTEX:
            yield Topic(time, place, (one, other))
        elif (time, place) in together:
            yield Topic(time, place, tuple(sorted(together.pop((time, place)))))
