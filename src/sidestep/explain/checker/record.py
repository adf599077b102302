"""What happened, as the checker reads it: positions, goals and walls at every time."""

from __future__ import annotations

import numpy as np

from ...model.arrays import BoolArray, IntArray
from ...model.events import EventKind
from ...model.graph import Graph
from ...model.grid import Grid
from ..grounds import Grounds
from .terrain import Terrain


class Record:
    """A plan, or a trace in which things change."""

    def __init__(self, grounds: Grounds) -> None:
        problem, plan, trace = grounds.problem, grounds.plan, grounds.trace
        self.space, self.rules, self.names = problem.space, problem.rules, problem.names
        self.problem, self.trace = problem, trace
        if trace is not None:
            self.rows, self.first = np.asarray(trace.positions), trace.start_time
        else:
            self.rows = problem.starts[None, :] if plan is None else np.asarray(plan.vertices)
            self.first = 0
        self.last = self.first + len(self.rows) - 1
        self.width = self.space.width if isinstance(self.space, Grid) else 1
        self.diagonal = isinstance(self.space, Grid) and self.space.connectivity == 8
        self.lanes = isinstance(self.space, Graph) and len(self.space.edge_conflicts) > 0
        self._terrains: dict[tuple[bytes, int], Terrain] = {}
        self._now: tuple[int, BoolArray, IntArray] | None = None

    def at(self, agent: int, time: int) -> int:
        """Where an agent is; after the end, as at the end."""
        return int(self.rows[min(max(time - self.first, 0), len(self.rows) - 1), agent])

    def goals(self, time: int) -> IntArray:
        """Everybody's goals for the step that begins at a time."""
        return self._state(time)[1]

    def open(self, time: int) -> BoolArray:
        """What is open in the step that begins at a time."""
        return self._state(time)[0]

    def terrain(self, time: int, size: int = 1) -> Terrain:
        """Where an agent of a size can go in the step that begins at a time."""
        is_open = self.open(time)
        key = is_open.tobytes(), size
        if key not in self._terrains:
            self._terrains[key] = Terrain(self.space, self.rules, is_open, size)
        return self._terrains[key]

    def changes(self) -> list[tuple[int, EventKind, int, int]]:
        """What came from outside, as rows of the trace."""
        rows = [] if self.trace is None else self.trace.events.tolist()
        return [
            (when, EventKind(kind), agent, value)
            for when, kind, agent, value in rows
            if kind < EventKind.ARRIVED
        ]

    def _state(self, time: int) -> tuple[BoolArray, IntArray]:
        if self.trace is None:
            return self.problem.space.open, self.problem.goals
        if self._now is None or self._now[0] != time:
            is_open, goals = self.trace.open.copy(), self.trace.goals.copy()
            for when, kind, agent, value in self.changes():
                if when > time:
                    break
                if kind is EventKind.GOAL:
                    goals[agent] = value
                elif kind in (EventKind.BLOCK, EventKind.FREE):
                    is_open[value] = kind is EventKind.FREE
            self._now = time, is_open, goals
        return self._now[1], self._now[2]
