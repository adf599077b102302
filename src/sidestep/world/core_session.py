"""The session of a solver whose state lives in one object of the core."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from ..budget import Budget
from ..model.arrays import IntArray
from ..model.events import EventKind
from ..model.problem import Problem
from ..model.support import Support, supported
from .session import View

# What the core is told of a change. Of a SYNC it is told nothing: it is given all positions in every turn.
_TELL: dict[EventKind, Callable[[Any, View, int, int], None]] = {
    EventKind.GOAL: lambda core, view, agent, goal: core.set_goal(agent, goal),
    EventKind.BLOCK: lambda core, view, agent, vertex: core.set_open(vertex, False, view.time),
    EventKind.FREE: lambda core, view, agent, vertex: core.set_open(vertex, True, view.time),
    EventKind.PRIORITY: lambda core, view, agent, priority: core.set_priority(agent, priority),
    EventKind.ADD: lambda core, view, agent, vertex: core.add_agent(
        vertex, int(view.sizes[agent]), int(view.periods[agent])
    ),
    EventKind.REMOVE: lambda core, view, agent, vertex: core.remove_agent(agent),
}


class CoreSession(ABC):
    """Tells the core of changes, all solvers alike, and then asks it for a turn.

    Args:
        solver: The solver that opened the session.
        core: An object of the core that has `set_goal`, `set_open`, `set_priority`, `add_agent` and
            `remove_agent`.
    """

    def __init__(self, solver: Any, core: Any) -> None:
        self.solver, self.core = solver, core
        self._added: set[int] = set()  # the newcomers that the core has; after a failed turn they come again

    @property
    def honours(self) -> tuple[str, ...]:
        """The attributes of agents that the solver says it honours."""
        honoured: tuple[str, ...] = getattr(self.solver, "honours", ())
        return honoured

    def supports(self, problem: Problem) -> Support:
        """What the solver says to such a problem."""
        return supported(self.solver, problem)

    def step(self, view: View, *, budget: Budget) -> IntArray:
        """One turn: the core hears of all changes, then it says where everybody goes next."""
        for _, kind, agent, value in view.changes:
            if kind == EventKind.ADD:
                if agent in self._added:
                    continue
                self._added.add(agent)
            if (tell := _TELL.get(EventKind(kind))) is not None:
                tell(self.core, view, agent, value)
        if view.changes:
            self.changed(view)
        return self.turn(view, budget)

    def changed(self, view: View) -> None:  # noqa: B027  # a hook that few need
        """What is private to a solver hears of `view.changes`, which the core knows already."""

    @abstractmethod
    def turn(self, view: View, budget: Budget) -> IntArray:
        """Where everybody goes next."""
