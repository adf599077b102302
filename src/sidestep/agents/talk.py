"""How those in reach come to paths that do not collide: what is the same whatever they say to each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from .. import _core
from ..model.agents import IDLE
from ..model.arrays import IntArray
from ..model.to_core import compile_rules, compile_space
from . import messages as m
from .knowledge import Vertices
from .link import Link

if TYPE_CHECKING:
    from .agent import Brief

NO_PATH = "has no path even without the others"


class Talk(ABC):
    """An agent's side of a round of talking. When it is quiet, it knows a path of everybody in reach.

    Args:
        brief: What it knows from the beginning.
        link: What it speaks through.

    Attributes:
        kinds: of messages that it understands.
        near: who is in reach in this round, with incarnations.
        place: where the agent is.
        quiet: it has nothing more to say.
    """

    kinds: ClassVar[tuple[type[m.Message], ...]] = ()

    def __init__(self, brief: Brief, link: Link) -> None:
        self.brief, self.me, self.link = brief, brief.agent, link
        self.near: Mapping[int, int] = {}
        self.place = -1
        self.quiet = False

    @abstractmethod
    def begin(self, tick: m.Tick, near: Mapping[int, int]) -> bool:
        """A round begins; says whether the agent can take part in it."""

    @abstractmethod
    def hear(self, message: m.Message) -> None:
        """Takes in what another says in this round."""

    @abstractmethod
    def go_on(self) -> None:
        """Whatever can be done now is done."""

    @abstractmethod
    def path(self, agent: int) -> Vertices:
        """The path of an agent in reach, or its own, as far as it is known."""

    @property
    @abstractmethod
    def vanishing(self) -> frozenset[int]:
        """Who is gone after the end of its path."""

    def _be_quiet(self) -> None:
        self.quiet = True
        self.link.send(m.Quiet, (m.WORLD,))

    def _give_up(self, why: str) -> None:
        self.link.send(m.Stuck, (m.WORLD,), why=why)


class Settled(Talk):
    """Talk of those who do not argue.

    Attributes:
        walls: places of the dead.
        goal: where the agent goes; nowhere if the dead cut it off, so that it makes room for the others.
        paths: what is known.
    """

    def __init__(self, brief: Brief, link: Link) -> None:
        super().__init__(brief, link)
        self._known_walls: frozenset[int] = frozenset()

    def begin(self, tick: m.Tick, near: Mapping[int, int]) -> bool:
        """Where it is, who is there, and whether the dead stand in its way."""
        self.near, self.place, self.quiet = near, tick.place, False
        self.walls = {place for _, place in tick.dead if place != tick.place}
        self.goal = tick.goal
        self.paths: dict[int, Vertices] = {}
        walls, self._known_walls = self._known_walls, frozenset(self.walls)
        if self.walls and self.goal != IDLE:
            space = compile_space(self.brief.space)
            if not is_way(space, self.place, self.goal, self.walls):
                if walls != self._known_walls:
                    self.link.report("cut off")
                self.goal = IDLE
        return True

    def path(self, agent: int) -> Vertices:
        """The path of an agent in reach, or its own, as far as it is known."""
        return self.paths.get(agent, ())

    @property
    def vanishing(self) -> frozenset[int]:
        """Who is gone after the end of its path."""
        return frozenset()

    def ground(self) -> tuple[_core.Space, _core.Rules]:
        """The map without the places of the dead, and the rules."""
        space = compile_space(self.brief.space)
        if self.walls:
            is_open = self.brief.space.open.copy()
            is_open[list(self.walls)] = False
            space = space.with_open(is_open)
        return space, compile_rules(self.brief.rules)


class Ranked(Settled):
    """Talk of those who have an order from the beginning, and plan all the way.

    Attributes:
        members: who takes part in this round, in that order.
    """

    def begin(self, tick: m.Tick, near: Mapping[int, int]) -> bool:
        """Who takes part."""
        self.members = [agent for agent in self.brief.protocol.order if agent == self.me or agent in near]
        self._stays: dict[int, bool] = {}
        return super().begin(tick, near)

    @property
    def vanishing(self) -> frozenset[int]:
        """Who is gone after the end of its path."""
        return frozenset(agent for agent, stays in self._stays.items() if not stays)

    @property
    def stays(self) -> bool:
        """Does it stay at the end of its path for good?"""
        return self.brief.rules.at_goal == "stay" or self.goal == IDLE

    def lineup(self, places: Mapping[int, int]) -> tuple[IntArray, IntArray]:
        """Where all members are, and their goals, of which it knows its own alone."""
        starts = np.array([places[agent] for agent in self.members], dtype=np.int32)
        goals = np.full(len(starts), IDLE, dtype=np.int32)
        goals[self.members.index(self.me)] = self.goal
        return starts, goals


def is_way(space: _core.Space, start: int, goal: int, closed: Collection[int]) -> bool:
    """Is there a way that does not go through these places?"""
    seen, ask = {start} | set(closed), [start]
    while ask:
        vertex = ask.pop()
        if vertex == goal:
            return goal not in closed
        new = [v for v in space.successors(vertex) if v not in seen]
        seen.update(new)
        ask.extend(new)
    return False
