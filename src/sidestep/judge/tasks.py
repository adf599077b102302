"""Judges what a trace says of tasks: who had which, that it was done in order, and that none was lost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np

from ..model.events import EventKind
from ..model.trace import Trace
from .ground import ABSENT, Ints
from .violation import ViolationKind, ViolationLog

Row = tuple[int, int, int, int]  # the row of the positions, kind, agent, value
OF_TASKS = (
    *(EventKind.TASK, EventKind.ERRAND, EventKind.DUE),
    *(EventKind.TAKEN, EventKind.FINISHED, EventKind.GIVEN_BACK),
)


@dataclass
class _Known:
    """A task as the trace has told of it."""

    errands: list[int] = field(default_factory=list)
    holder: int | None = None
    since: int = 0
    over: bool = False


class TaskJudge:
    """Reads the events of tasks in order. Of a trace that was cut, earlier tasks are not known."""

    def __init__(self, trace: Trace, log: ViolationLog) -> None:
        self.trace, self.log = trace, log
        self.tasks: dict[int, _Known] = {}
        self.last: _Known | None = None
        self.of: dict[int, int] = {}  # by agent: the number of its task
        self.moved: dict[tuple[int, int], int] = {}  # where an agent was in a row before it was put elsewhere

    def judge(self, rows: Iterable[Row]) -> None:
        """All events of a trace, in order of time."""
        rows = list(rows)
        for row, kind, agent, value in reversed(rows):
            if kind in (EventKind.DISPLACED, EventKind.REMOVE):
                self.moved[row, agent] = value
        for event in rows:
            if event[1] in OF_TASKS:
                for detail in self._read(*event):
                    self._add(event[0], event[2], detail)
        for agent, number in self.of.items():
            if self.trace.positions[-1, agent] == ABSENT:
                self._add(len(self.trace.positions) - 1, agent, f"task {number} is lost with its agent")

    def _add(self, row: int, agent: int, detail: str) -> None:
        time = self.trace.start_time + row
        self.log.add(ViolationKind.EVENT, np.array([time]), (np.array([agent]),), detail=detail)

    def _read(self, row: int, kind: int, agent: int, value: int) -> Iterator[str]:
        """What is wrong with one event."""
        if kind == EventKind.TASK:
            if value in self.tasks or value < 0:
                yield f"task {value} is there already, or has no number"
            self.last = self.tasks[value] = _Known()
        elif kind == EventKind.ERRAND:
            if self.last is None:
                yield "the errand belongs to no task"
            else:
                self.last.errands.append(value)
        elif kind == EventKind.TAKEN:
            yield from self._take(row, agent, value)
        elif kind == EventKind.FINISHED:
            yield from self._finish(row, agent, value)
        elif kind == EventKind.GIVEN_BACK:
            yield from self._let_go(agent, value)

    def _take(self, row: int, agent: int, number: int) -> Iterator[str]:
        task = self.tasks.get(number)
        if task is None:
            if self.trace.start_time == 0:
                yield f"there is no task {number}"
            task = self.tasks[number] = _Known()
        if task.over or task.holder is not None:
            yield f"task {number} is finished or under way"
        if agent in self.of:
            yield f"the agent has task {self.of[agent]}"
        if self.trace.positions[row, agent] == ABSENT and (row, agent) not in self.moved:
            yield "the agent is not there"
        task.holder, task.since, self.of[agent] = agent, row, number

    def _let_go(self, agent: int, number: int) -> Iterator[str]:
        held = self.of.pop(agent, None)
        task = self.tasks.get(number)
        if held != number and (held is not None or self.trace.start_time == 0):
            yield f"the agent does not have task {number}"
        if task is not None:
            task.holder = None

    def _finish(self, row: int, agent: int, number: int) -> Iterator[str]:
        held, task = self.of.get(agent), self.tasks.get(number)
        yield from self._let_go(agent, number)
        if task is None:
            return
        task.over = True
        if held == number and not self._has_visited(agent, task.errands, task.since, row):
            yield f"the agent has not been to all places of task {number}, in order"

    def _has_visited(self, agent: int, places: list[int], since: int, until: int) -> bool:
        """Was the agent in all these places, one after another, and now in the last?"""
        seen = self.trace.positions[since : until + 1, agent].tolist()
        also = [self.moved.get((row, agent), ABSENT) for row in range(since, until + 1)]
        at = 0
        for place in places:
            while at < len(seen) and place not in (seen[at], also[at]):
                at += 1
        return at < len(seen) and (not places or places[-1] in (seen[-1], also[-1]))


def judge_tasks(trace: Trace, columns: Iterable[Ints], log: ViolationLog) -> None:
    """Columns: per event its row of the positions, kind, agent and value, in order of time."""
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    if any(row[1] in OF_TASKS for row in rows):
        TaskJudge(trace, log).judge(rows)
