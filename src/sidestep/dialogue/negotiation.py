"""How agents resolve the conflicts between their paths, one after another, until none is left.

Every agent plans alone and tells its path. As long as paths collide, the earliest conflict is resolved: those
in it agree on an order, by trying all of them (PCA*) or in a dialogue (DPCA*, DPCA*+), and the inferior
plans around the superior. An order is a commitment: when a superior changes its path later and comes in
the way, the inferior plans again without another word (as printed, they agree once more). Nobody knows all
orders; together they may be incomplete, or go round in a circle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import itemgetter
from typing import Any, Protocol

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.agents import NOWHERE
from ..model.arrays import IntArray
from .channel import Channel
from .hearing import Hearing
from .planners import PathPlanner, asking
from .transcript import Transcript
from .utterance import Action, Topic
from .voters import Voter

VERTEX = int(_core.CollisionKind.vertex.value)
PATIENCE = 100  # new paths per agent without a new order, after which orders that form a ring never settle
ROWS_PER_LOOK = 1024  # conflicts that are looked at between two looks at the clock
SETTLEMENTS = 3  # times that an agent may go before all others in a round


class OutOfBudget(Exception):  # noqa: N818  # not an error: the way out of a search
    """The budget ended before all conflicts were resolved."""


class Impasse(Exception):  # noqa: N818
    """Agents cannot resolve a conflict; the message says why, `agents` who."""

    def __init__(self, agents: tuple[int, ...], why: str) -> None:
        super().__init__(why)
        self.agents = agents


@dataclass(frozen=True)
class Manners:
    """How agents negotiate, where the thesis leaves it open or has none of it.

    Attributes:
        cache: an agent does not search again for a path that it has already.
        keep_orders: two who have an order and collide again keep to it, and only the inferior plans again;
            without, they resolve that like any other conflict, and everybody in it plans again.
        end_circles: paths that were told before, or that become longer for ever, are an impasse; without,
            only where orders and known paths are as they were, too, so that nothing would ever change.
        settle_circles: all the way, who would be in such an impasse, or has no path around its superiors,
            goes before all others, up to `SETTLEMENTS` times.
        stand: in a window, who is in an impasse stands and all others go on; without, nobody moves.
        ask_bystanders: those who collide with one in a dialogue, before or under a proposal, are asked for
            their votes.
        voter: says what agents vote, and why; None is the thesis's weighted sum, without reasons.
        planner: finds paths; None is the core's search.
    """

    cache: bool = True
    keep_orders: bool = True
    end_circles: bool = True
    settle_circles: bool = True
    stand: bool = True
    ask_bystanders: bool = False
    voter: Voter | None = None
    planner: PathPlanner | None = None

    @property
    def firsts_keep(self) -> bool:
        """Who goes first in an order keeps its path: nobody above it has come in the way."""
        return self.cache and self.keep_orders


class Negotiation:
    """One round: the told paths, the commitments of every agent, and what is said.

    Everybody is at `positions`, bound for `goals`, when it begins; it is a round of all, or `among` some.
    """

    def __init__(
        self,
        told_paths: _core.ToldPaths,
        channel: Channel,
        transcript: Transcript,
        budget: Budget,
        *,
        positions: IntArray,
        goals: IntArray,
        time: int = 0,
        window: int = 0,
        among: tuple[int, ...] | None = None,
        manners: Manners = Manners(),
    ) -> None:
        self.told_paths, self.channel, self.transcript, self.budget = told_paths, channel, transcript, budget
        self.manners, self.positions, self.goals = manners, positions, goals
        self.agents, self.time, self.window = len(positions), time, window
        self.hearing = None
        if manners.voter is not None:
            self.hearing = Hearing(manners.voter, transcript, channel, goals, time, window)
        self.core = _core.Commitments(
            told_paths,
            channel.core,
            firsts_keep=manners.firsts_keep,
            ask_bystanders=manners.ask_bystanders,
            find=self._planner(),
            vote=None if self.hearing is None else self.hearing.vote,
        )
        self.round = transcript.begin_round(time, among)
        self.replans = 0
        self.held: dict[tuple[int, ...], int] = {}  # the dialogues on hold, by those in them
        self._went_first: Counter[int] = Counter()
        self._seen: set[int] = set()  # what has been since the last order was adopted: never the same twice

    def _planner(self) -> Any:
        """What finds paths instead of the core's search, if anything does."""
        planner, space = self.manners.planner, self.transcript.space
        if planner is None:
            return None
        at = {"window": self.window, "time": self.time}
        return asking(planner, space, self.told_paths, self.positions, self.goals, **at)

    # Paths

    def exchange(self) -> None:
        """Everybody plans alone and tells its path."""
        self.channel.gather(self.positions)
        if self.manners.planner is None:
            failed = self.told_paths.plan_alone(self.budget.core)
            if failed != -1:
                self.no_path_alone(failed)
        else:
            self._ask_planner()
        return self.channel.core.announce_all(self.told_paths)

    def _ask_planner(self) -> None:
        """Everybody asks the planner for a path and tells it."""
        for agent in np.flatnonzero(self.positions != NOWHERE).tolist():
            path = self.path_below(agent)
            if path is None:
                self.no_path_alone(agent)
                path = self.told_paths.standing(agent)
            self.told_paths.tell(agent, path)

    def no_path_alone(self, agent: int) -> None:
        """An agent has no path even without the others."""
        if self.budget.exhausted:
            raise OutOfBudget
        raise Impasse((agent,), "has no path even without the others")

    def path_below(
        self, agent: int, above: Sequence[int] = (), gives_up: Iterable[Action] = ()
    ) -> IntArray | None:
        """The agent's path around its superiors and these others, without these actions; None if none."""
        actions = [(action.origin, action.place, action.time) for action in gives_up]
        path: IntArray | None
        path = self.core.path_below(agent, above, self.budget.core, actions)  # type: ignore[assignment]
        if path is None and self.budget.exhausted:
            raise OutOfBudget
        return path

    # The loop

    def resolve_with(self, resolver: Resolver) -> None:
        """Until no told paths collide; what was said is taken down, however it ends."""
        try:
            self._resolve_all(resolver)
        finally:
            self.take_down()

    def take_down(self, step: int = 0) -> None:
        """Puts what was said since the last time into the transcript."""
        self.transcript.note(self.round, self.channel.core.take_minutes(), step)

    def _resolve_all(self, resolver: Resolver) -> None:
        while len(found := self.told_paths.first_conflicts()):
            if self.budget.exhausted:
                raise OutOfBudget
            conflicts = rows_in_time(found, self.budget)
            broken = self.core.broken_order()
            if broken is None:
                resolver.resolve(self, conflicts)
                self._seen.clear()
            elif self.is_kept(*broken):
                self._keep_order(*broken)
            else:
                self._agree_again(resolver, conflicts, broken)

    def is_kept(self, superior: int, inferior: int) -> bool:
        """Does the inferior plan again without another word?"""
        return self.manners.keep_orders

    def _agree_again(
        self, resolver: Resolver, conflicts: Iterable[Sequence[int]], broken: tuple[int, int]
    ) -> None:
        """The first conflict is resolved, whether or not those in it have an order."""
        orders = self.core.orders
        resolver.resolve(self, conflicts)
        if self.core.orders > orders:
            self._seen.clear()
        else:
            self._notice_circle(broken)

    def _keep_order(self, superior: int, inferior: int) -> None:
        """The superior has come into the inferior's way: that plans again and tells everybody."""
        path = self.path_below(inferior)
        if path is None:
            why = f"{self.name(inferior)} has no path around those it has put above itself"
            return self._settle((superior, inferior), why)
        self.told_paths.tell(inferior, path)
        self.channel.core.announce(inferior, path)
        self.replans += 1
        return self._notice_circle((superior, inferior))

    def _notice_circle(self, pair: tuple[int, int]) -> None:
        """No order has come of that: if everything is as it was before, none ever will."""
        state = self.told_paths.fingerprint
        if not self.manners.end_circles:
            state = hash((state, self.told_paths.known))  # paths only become more: no others are known
        if state in self._seen:
            return self._settle(pair, "their orders lead back to the same paths again and again")
        if self.manners.end_circles and len(self._seen) >= PATIENCE * self.agents:
            return self._settle(pair, "their orders make each other's paths longer for ever")
        return self._seen.add(state)

    def _settle(self, pair: tuple[int, int], why: str) -> None:
        """Under its orders the second cannot go on: it goes before all others, who plan around it."""
        agent = pair[1]
        if not self.manners.settle_circles or self._went_first[agent] == SETTLEMENTS:
            return self.impasse(pair, why)
        self._went_first[agent] += 1
        self._seen.clear()
        self.core.put_on_top(agent)
        self.channel.core.go_first(agent)
        path = self.path_below(agent)
        if path is None:
            return self.no_path_alone(agent)
        self.told_paths.tell(agent, path)
        return self.channel.core.announce(agent, path)

    def impasse(self, agents: tuple[int, ...], why: str) -> None:
        """These agents do not know how to go on; the last one least of all."""
        raise Impasse(agents, why)

    def note_standing(self, agent: int, why: str) -> None:
        """An agent stays where it is; only in a window that is a way out."""
        self.impasse((agent,), why)

    def name(self, agent: int) -> str:
        return self.transcript.names[agent]


class Resolver(Protocol):
    """A way to resolve a conflict: PCA*'s or a dialogue."""

    def resolve(self, talks: Negotiation, conflicts: Iterable[Sequence[int]]) -> None:
        """Settles the first conflict by an order of those in it.

        `conflicts` has the first one of every two agents, in the order of their turn: rows of time, kind,
        agent, agent, place.
        """
        ...


def rows_in_time(conflicts: IntArray, budget: Budget) -> Iterator[list[int]]:
    """The rows one by one, as they are asked for. A crowd has many: the budget may end meanwhile.

    Lists of all would be looked through again and again by Python's collector.

    Raises:
        OutOfBudget: The budget ended before all rows were asked for.
    """
    return chain.from_iterable(_some_at_a_time(conflicts, budget))


def _some_at_a_time(conflicts: IntArray, budget: Budget) -> Iterator[list[list[int]]]:
    for first in range(0, len(conflicts), ROWS_PER_LOOK):
        if first and budget.exhausted:
            raise OutOfBudget
        yield conflicts[first : first + ROWS_PER_LOOK].tolist()


def topics_of(conflicts: Iterable[Sequence[int]], *, pairs: bool) -> Iterator[Topic]:
    """The conflicts one by one: always of two agents, or of all that would be in one place at one time."""
    if pairs:
        return (Topic(time, place, (one, other)) for time, _, one, other, place in conflicts)
    return _crowds_of(conflicts)


def _crowds_of(conflicts: Iterable[Sequence[int]]) -> Iterator[Topic]:
    for time, rows in groupby(conflicts, key=itemgetter(0)):
        at_once = list(rows)
        together: dict[int, set[int]] = {}
        for _, kind, one, other, place in at_once:
            if kind == VERTEX:
                together.setdefault(place, set()).update((one, other))
        for _, kind, one, other, place in at_once:
            if kind != VERTEX:
                yield Topic(time, place, (one, other))
            elif place in together:
                yield Topic(time, place, tuple(sorted(together.pop(place))))
