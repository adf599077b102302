"""The session of a solver whose state lives in one object of the core."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from ..budget import Budget
from ..model.agents import NOWHERE
from ..model.arrays import IntArray
from ..model.events import EventKind
from ..model.problem import Problem
from ..model.support import Support, honoured_by, supported
from .session import Moves, PartView, SomeMoves, View

MANY_GONE = 64  # agents of the core: if they are more than are left, too, they are forgotten

# What the core is told of a change. Of a SYNC it is told nothing: it is given all positions in every turn.
_TELL: dict[EventKind, Callable[[Any, View, int, int], None]] = {
    EventKind.GOAL: lambda core, view, agent, goal: core.set_goal(agent, goal),
    EventKind.BLOCK: lambda core, view, agent, vertex: core.set_open(vertex, False, view.time),
    EventKind.FREE: lambda core, view, agent, vertex: core.set_open(vertex, True, view.time),
    EventKind.PRIORITY: lambda core, view, agent, priority: core.set_priority(agent, priority),
    EventKind.ADD: lambda core, view, agent, vertex: core.add_agent(vertex, *view.body(agent)),
    EventKind.REMOVE: lambda core, view, agent, vertex: core.remove_agent(agent),
}


class CoreSession(ABC):
    """Tells the core of changes, all solvers alike, and then asks it for a turn.

    Who is gone for good is forgotten now and then: from then on the core's agents have numbers of their own.

    Args:
        solver: The solver that opened the session.
        core: An object of the core that has `set_goal`, `set_open`, `set_priority`, `add_agent` and
            `remove_agent`; if it has `forget_all_but`, those that are gone are forgotten.
    """

    def __init__(self, solver: Any, core: Any) -> None:
        self.solver, self.core = solver, core
        self._added: set[int] = set()  # the newcomers that the core has; after a failed turn they come again
        self._known: IntArray | None = None  # per agent of the core the world's number; None: the same

    @property
    def honours(self) -> tuple[str, ...]:
        """What the solver says it honours."""
        return honoured_by(self.solver)

    def supports(self, problem: Problem) -> Support:
        """What the solver says to such a problem."""
        return supported(self.solver, problem)

    def step(self, view: View, *, budget: Budget) -> Moves:
        """One turn: the core hears of all changes, then it says where everybody goes next."""
        part, known = self.hear(view), self._known
        moves = self.turn(part, budget)
        self._forget_the_gone(part.positions)
        return moves if known is None else SomeMoves(known, moves, view.n_agents)

    def hear(self, view: View) -> View:
        """Tells the core of all changes; returns what it knows of the view."""
        for _, kind, agent, value in view.changes:
            number = agent
            if kind == EventKind.ADD:
                if agent in self._added:
                    continue
                self._added.add(agent)
                if self._known is not None:
                    self._known = np.append(self._known, np.int32(agent))
            if agent >= 0 and self._known is not None and (number := self._number(agent)) < 0:
                continue  # it is gone, and forgotten
            if (tell := _TELL.get(EventKind(kind))) is not None:
                tell(self.core, view, agent if kind == EventKind.ADD else number, value)
        part = view if self._known is None else PartView(view, self._known)
        if view.changes:
            self.changed(part)
        return part

    not_kept: ClassVar[tuple[str, ...]] = ("solver", "core")  # attributes that every session makes itself

    def saved(self) -> dict[str, Any]:
        """Its state, for a session that was opened by the same planner for the same problem."""
        kept = {name: value for name, value in self.__dict__.items() if name not in self.not_kept}
        return {"core": self.core.saved(), "kept": kept}

    def load(self, state: dict[str, Any]) -> None:
        """Goes on from such a state."""
        self.core.load(state["core"])
        self.__dict__.update(state["kept"])

    def changed(self, view: View) -> None:  # noqa: B027  # a hook that few need
        """What is private to a solver hears of `view.changes`, which the core knows already."""

    def forgot(self, kept: IntArray) -> None:  # noqa: B027  # a hook that few need
        """What is private to a solver hears which of the core's agents are left, with new numbers."""

    @abstractmethod
    def turn(self, view: View, budget: Budget) -> IntArray:
        """Where everybody goes next."""

    def _number(self, agent: int) -> int:
        """The core's number of an agent; -1 if it is forgotten."""
        assert self._known is not None
        number = int(self._known.searchsorted(agent))
        return number if number < len(self._known) and self._known[number] == agent else -1

    def _forget_the_gone(self, positions: IntArray) -> None:
        if len(positions) <= MANY_GONE or not hasattr(self.core, "forget_all_but"):
            return
        left = int(np.count_nonzero(positions != NOWHERE))
        if len(positions) - left <= max(MANY_GONE, left):
            return
        kept = np.flatnonzero(positions != NOWHERE).astype(np.int32)
        self.core.forget_all_but(kept)
        self._known = kept if self._known is None else self._known[kept]
        self.forgot(kept)
