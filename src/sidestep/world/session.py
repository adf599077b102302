"""What a planner sees of a world, and what it must provide to run in one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.problem import Problem


class View:
    """The world at the beginning of a turn.

    `positions` has a vertex per agent, -1 for those that are gone. `changes` has the rows
    (time, kind, agent, value) of everything that came from outside since the planner's last turn; see
    `EventKind`.
    """

    __slots__ = ("_core", "changes", "positions", "time")

    time: int
    positions: IntArray
    changes: Sequence[tuple[int, int, int, int]]

    def __init__(self, core: _core.World, changes: Sequence[tuple[int, int, int, int]]) -> None:
        self._core = core
        self.time = core.time
        self.positions = core.positions
        self.changes = changes

    def with_changes(self, changes: Sequence[tuple[int, int, int, int]]) -> View:
        """The same view with other changes, for a planner inside of a planner."""
        return View(self._core, changes)

    @property
    def space(self) -> _core.Space:
        """The compiled space as it is now."""
        return self._core.space

    @property
    def sizes(self) -> IntArray:
        """Per agent how many cells it covers in a row."""
        return self._core.sizes

    @property
    def periods(self) -> IntArray:
        """Per agent how many turns a move takes it."""
        return self._core.periods

    @property
    def headings(self) -> IntArray:
        """Per agent the vertex that it is moving to over several turns; -1 if it is in no such move."""
        return self._core.headings

    @property
    def progress(self) -> IntArray:
        """Per agent the turns that such a move has taken so far."""
        return self._core.progress

    @property
    def goals(self) -> IntArray:
        """Per agent the vertex of its goal, -1 for idle ones."""
        return self._core.goals

    @property
    def priorities(self) -> IntArray:
        """Per agent its priority; higher goes first."""
        return self._core.priorities


class Session(Protocol):
    """A planner at work in one world. It must survive `copy.deepcopy`, for snapshots."""

    def step(self, view: View, *, budget: Budget) -> IntArray:
        """Where every agent goes next: int32 vertices, one per agent; its own vertex to wait.

        An agent whose moves take several turns is given the same vertex in each of them.
        """
        ...


class Planner(Protocol):
    """Anything that can open a session: every online solver does."""

    def session(self, problem: Problem, *, seed: int = 0) -> Session:
        """A fresh session for a world that begins as this problem."""
        ...


class MeasuringSession(Session, Protocol):
    """A session that knows how far its agents have to go."""

    def distances(self, budget: Budget) -> IntArray:
        """Per agent the length of its way by itself; nothing if the budget ran out."""
        ...


def repeats(session: Session) -> bool:
    """Does the session know that from now on it would only do again what it has done before?"""
    return getattr(session, "repeats", False)
