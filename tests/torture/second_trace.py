"""The second judge of traces, in plain Python: see `second_judge`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import sidestep as ss
from sidestep import EventKind as Kind

from .second_judge import GONE, Found, Ground, Rows, Steps

OF_THE_WORLD = {Kind.BLOCK, Kind.FREE, Kind.LATE, Kind.RAISED, Kind.TASK, Kind.ERRAND, Kind.DUE}
WITH_A_VERTEX = {
    Kind.BLOCK,
    Kind.FREE,
    Kind.ADD,
    Kind.SYNC,
    Kind.SET_OUT,
    Kind.TURNED_BACK,
    Kind.GOAL,
    Kind.ERRAND,
}
KINDS = set(Kind)


class Told(NamedTuple):
    """An event of a row of positions."""

    kind: int
    agent: int
    value: int


@dataclass
class History:
    """A trace in plain lists: the events by row, and what they make of walls and goals."""

    trace: ss.Trace
    found: Found
    rows: Rows = field(default_factory=list)
    events: list[list[Told]] = field(default_factory=list)
    walls: list[set[int]] = field(default_factory=list)  # by row: what is open to the step that follows
    goals: Rows = field(default_factory=list)  # by row: after its changes

    def __post_init__(self) -> None:
        self.rows = self.trace.positions.tolist()
        self.events = [[] for _ in self.rows]
        last = None
        for time, kind, agent, value in self.trace.events.tolist():
            row = time - self.trace.start_time
            later = kind == Kind.STUCK and value > time
            if later or not self._makes_sense(row, kind, agent, value):
                self.tell(row, agent)
                continue
            if last is not None and row < last:
                self.tell(row, agent)
            last = row
            self.events[row].append(Told(kind, agent, value))
        is_open = set(self.trace.open.nonzero()[0].tolist())
        goals = self.trace.goals.tolist()
        for events in self.events:
            for event in events:
                if event.kind == Kind.BLOCK:
                    is_open.discard(event.value)
                elif event.kind == Kind.FREE:
                    is_open.add(event.value)
                elif event.kind == Kind.GOAL:
                    goals[event.agent] = event.value
            self.walls.append(set(is_open))
            self.goals.append(list(goals))

    def _makes_sense(self, row: int, kind: int, agent: int, value: int) -> bool:
        if not 0 <= row < len(self.rows) or kind not in KINDS:
            return False
        if kind not in OF_THE_WORLD and not 0 <= agent < len(self.trace.names):
            return False
        if kind == Kind.BEHIND:
            return GONE <= value < len(self.trace.names)
        least = GONE if kind == Kind.GOAL else 0
        return kind not in WITH_A_VERTEX or least <= value < self.trace.space.n

    def tell(self, row: int, agent: int) -> None:
        self.found.add("event", self.trace.start_time + row, *([agent] if agent >= 0 else []))

    def of(self, row: int, agent: int, *kinds: Kind) -> list[Told]:
        return [event for event in self.events[row] if event.agent == agent and event.kind in kinds]


def judge_trace(trace: ss.Trace) -> Found:
    """What is wrong with a trace whose arrays have the right shapes."""
    found = Found()
    history = History(trace, found)
    _judge_steps(trace, history, found)
    for agent in range(len(trace.names)):
        _judge_presence(trace, history, agent, found)
        _judge_claims(trace, history, agent)
    _judge_tasks(history)
    return found


def _judge_steps(trace: ss.Trace, history: History, found: Found) -> None:
    placed = {
        (row, event.agent)
        for row, events in enumerate(history.events)
        for event in events
        if event.kind in (Kind.ADD, Kind.SYNC)
    }
    for agent, (start, at) in enumerate(zip(trace.starts.tolist(), history.rows[0], strict=True)):
        if GONE not in (start, at) and start != at and (0, agent) not in placed:
            found.add("start", trace.start_time, agent, at=at)
    headings = None
    if trace.start_time > 0:
        headings = [
            heading if progress > 0 and not _was_stopped(history, agent) else GONE
            for agent, (heading, progress) in enumerate(
                zip(trace.headings.tolist(), trace.progress.tolist(), strict=True)
            )
        ]
    steps = Steps(Ground(trace.space), trace.rules, trace.sizes.tolist(), trace.periods.tolist(), found)
    steps.judge(history.rows, history.walls.__getitem__, trace.start_time, placed, headings)


def _was_stopped(history: History, agent: int) -> bool:
    return bool(history.of(0, agent, Kind.TURNED_BACK, Kind.SYNC, Kind.REMOVE))


def _judge_presence(trace: ss.Trace, history: History, agent: int, found: Found) -> None:
    """From row to row an agent stays, unless it is added, removed or disappears."""
    before = int(trace.starts[agent])
    for row, positions in enumerate(history.rows):
        expected = before != GONE
        if row > 0 and trace.rules.at_goal == "disappear" and before == history.goals[row - 1][agent]:
            expected = False
        words = history.of(row, agent, Kind.ADD, Kind.REMOVE)
        if words and expected and not any(word.kind == Kind.REMOVE for word in words):
            history.tell(row, agent)
        if words:
            expected = words[-1].kind == Kind.ADD
        here = positions[agent]
        if expected and here == GONE:
            found.add("absent", trace.start_time + row, agent)
        if not expected and here != GONE:
            found.add("present", trace.start_time + row, agent, at=here)
        before = here


def _judge_claims(trace: ss.Trace, history: History, agent: int) -> None:
    """Who was put somewhere is there, who has arrived is on its goal, and who is stuck is not."""
    for row, positions in enumerate(history.rows):
        here = positions[agent]
        words = history.of(row, agent, Kind.ADD, Kind.SYNC, Kind.REMOVE)
        if words and words[-1].kind != Kind.REMOVE and here not in (GONE, words[-1].value):
            history.tell(row, agent)
        excused = any(word.kind != Kind.ADD for word in words)
        goals = {history.goals[row][agent], (history.goals[row - 1] if row else trace.goals.tolist())[agent]}
        if not excused and history.of(row, agent, Kind.ARRIVED) and (here == GONE or here not in goals):
            history.tell(row, agent)
        excused = excused or bool(history.of(row, agent, Kind.GOAL))
        at_rest = here == GONE or history.goals[row][agent] in (GONE, here)
        if not excused and at_rest and history.of(row, agent, Kind.STUCK):
            history.tell(row, agent)


@dataclass
class Tasks:
    """Every task is announced once, has one agent at a time, is finished place by place, and never lost."""

    history: History
    places: dict[int, list[int]] = field(default_factory=dict)  # of those that were announced
    latest: list[int] | None = None  # the places of the last one
    since: dict[int, int] = field(default_factory=dict)  # by task under way: the row in which it was taken
    finished: set[int] = field(default_factory=set)
    of: dict[int, int] = field(default_factory=dict)  # by agent

    @property
    def was_cut(self) -> bool:
        return self.history.trace.start_time > 0

    def is_wrong(self, row: int, kind: int, agent: int, value: int) -> bool:
        if kind == Kind.TASK:
            return self._announce(value)
        if kind == Kind.ERRAND and self.latest is not None:
            self.latest.append(value)
        elif kind == Kind.TAKEN:
            return self._take(row, agent, value)
        elif kind in (Kind.FINISHED, Kind.GIVEN_BACK):
            return self._end(row, agent, value, finishes=kind == Kind.FINISHED)
        return kind == Kind.ERRAND and self.latest is None

    def _announce(self, task: int) -> bool:
        again = task in self.places
        self.places[task] = self.latest = []
        self.since.pop(task, None)
        self.finished.discard(task)
        return again or task < 0

    def _take(self, row: int, agent: int, task: int) -> bool:
        unknown = task not in self.places and not self.was_cut
        absent = self.history.rows[row][agent] == GONE and not _seen_before_a_jump(self.history, row, agent)
        wrong = unknown or absent or agent in self.of or task in self.finished or task in self.since
        self.places.setdefault(task, [])
        self.since[task] = row
        self.of[agent] = task
        return wrong

    def _end(self, row: int, agent: int, task: int, *, finishes: bool) -> bool:
        held = self.of.pop(agent, None)
        since = self.since.pop(task, 0)
        wrong = held != task and (held is not None or not self.was_cut)
        if finishes and task in self.places:
            self.finished.add(task)
            if held == task:
                wrong |= not _visited(self.history, agent, self.places[task], since, row)
        return wrong


def _judge_tasks(history: History) -> None:
    tasks = Tasks(history)
    for row, events in enumerate(history.events):
        for event in events:
            if event.kind == Kind.TURNED:
                history.tell(row, event.agent)  # nobody in these traces has a facing
            if tasks.is_wrong(row, *event):
                history.tell(row, event.agent)
    for agent in tasks.of:
        if history.rows[-1][agent] == GONE:
            history.tell(len(history.rows) - 1, agent)


def _seen_before_a_jump(history: History, row: int, agent: int) -> list[int]:
    """Where an agent was in a row before it was put elsewhere or taken away."""
    return [event.value for event in history.of(row, agent, Kind.DISPLACED, Kind.REMOVE)][:1]


def _visited(history: History, agent: int, places: list[int], since: int, until: int) -> bool:
    """Was the agent in these places in this order, and in the last of them at the end?"""
    seen = [
        {history.rows[row][agent], *_seen_before_a_jump(history, row, agent)}
        for row in range(since, until + 1)
    ]
    left = list(places)
    for here in seen:
        while left and left[0] in here:
            left.pop(0)
    return not left and (not places or places[-1] in seen[-1])
