"""Judges traces: what happened in a world whose walls, goals and agents may change at any time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..model.agents import IDLE, NO_FACING
from ..model.arrays import BoolArray
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.grid import Grid
from ..model.trace import Trace
from .body_steps import BodyStepJudge
from .ground import ABSENT, Ints
from .presence import judge_who_is_there
from .tasks import judge_tasks
from .turning import facing_fault, judge_turning
from .unit_steps import UnitStepJudge
from .violation import Report, ViolationKind, ViolationLog


def validate_trace(trace: Trace, *, limit: int = 1000) -> Report:
    """Judges what happened in a world, whose walls, goals and agents may change at any time.

    A step from t to t+1 is judged with the walls as of t, after the changes of that time. Nobody has to
    be on a goal at the end. An agent that the outside world has put somewhere (a SYNC) has made no move,
    but must not share its vertex.

    Args:
        trace: What happened.
        limit: How many violations to list; all are counted.

    Returns:
        The report: truthy if nothing is wrong. It has no cost.

    Raises:
        InputError: An argument is of another type.
    """
    if not isinstance(trace, Trace):
        raise InputError(f"a trace is a Trace, not {type(trace).__name__}")
    log = ViolationLog(trace.space, limit)
    if fault := _trace_shape_fault(trace):
        log.add_one(ViolationKind.SHAPE, time=trace.start_time, detail=fault)
        return log.report()
    events = _readable_events(trace, log)
    _judge_steps_of_trace(trace, events, log)
    goals = _goals_by_row(trace, events)
    _judge_presence(trace, events, goals, log)
    _judge_placements(trace, events, log)
    _judge_arrivals(trace, events, goals, log)
    _judge_jams(trace, events, goals, log)
    judge_tasks(trace, (events.row, events.kind, events.agent, events.value), log)
    return log.report()


@dataclass(frozen=True)
class _Events:
    """The columns of a trace's events, in order of time, with the row of the positions for the time."""

    row: Ints
    kind: Ints
    agent: Ints
    value: Ints

    def where(self, which: Any) -> _Events:
        return _Events(self.row[which], self.kind[which], self.agent[which], self.value[which])

    def of(self, *kinds: EventKind) -> _Events:
        return self.where(np.logical_or.reduce([self.kind == int(kind) for kind in kinds]))

    def between(self, start: int, stop: int) -> _Events:
        """Those of the rows from start to before stop."""
        return self.where(slice(*np.searchsorted(self.row, [start, stop])))


def _trace_shape_fault(trace: Trace) -> str:
    n_agents, n = len(trace.names), trace.space.n
    positions = trace.positions
    if positions.ndim != 2 or positions.dtype.kind not in "iu" or positions.shape[1] != n_agents:
        return f"the positions of {n_agents} agents are an array with a row of {n_agents} vertex ids per time"
    if len(positions) == 0:
        return "the trace has no rows: nothing has happened in it"
    if any(array.shape != (n_agents,) for array in (trace.starts, trace.goals, trace.priorities)):
        return f"the trace of {n_agents} agents needs as many starts, goals and priorities"
    if trace.open.shape != (n,) or trace.open.dtype != np.bool_:
        return f"the walls of a trace are an array of {n} bools, one per vertex"
    if trace.events.ndim != 2 or trace.events.shape[1] != 4 or trace.events.dtype.kind not in "iu":
        return "the events of a trace are rows of whole numbers (time, kind, agent, value)"
    return _body_fault(trace) or facing_fault(trace.space, trace.facings, trace.sizes, trace.periods)


def _body_fault(trace: Trace) -> str:
    n_agents = len(trace.names)
    bodies = (trace.sizes, trace.periods, trace.headings, trace.progress)
    if any(array.shape != (n_agents,) or array.dtype.kind not in "iu" for array in bodies):
        return f"the trace of {n_agents} agents needs as many sizes, periods, headings and progress"
    if n_agents and (
        min(trace.sizes.min(), trace.periods.min()) < 1 or trace.headings.max() >= trace.space.n
    ):
        return "the sizes and periods of a trace begin at 1, and its headings are vertices"
    if not isinstance(trace.space, Grid) and np.any(trace.sizes > 1):
        return "only on a grid can an agent be larger than a vertex"
    if isinstance(trace.space, Grid) and np.any(trace.sizes > min(trace.space.height, trace.space.width)):
        return "no agent can be larger than the grid"
    return ""


_OF_AN_AGENT = [kind for kind in EventKind if kind.needs_agent]
_OF_A_VERTEX = (
    EventKind.BLOCK,
    EventKind.FREE,
    EventKind.ADD,
    EventKind.SYNC,
    EventKind.SET_OUT,
    EventKind.TURNED_BACK,
    EventKind.ERRAND,
)


def _readable_events(trace: Trace, log: ViolationLog) -> _Events:
    """The events that make sense, the others reported: they are left out, or put where their time belongs."""
    time, kind, agent, value = trace.events.astype(np.int64).T
    row = time - trace.start_time
    lowest_value = np.where(kind == EventKind.GOAL, IDLE, 0)
    has_value = np.isin(kind, (*_OF_A_VERTEX, EventKind.GOAL))
    is_behind = kind == EventKind.BEHIND
    faults = {
        "its time is not in the trace": (row < 0) | (row >= len(trace.positions)),
        "there is no such kind of event": ~np.isin(kind, list(EventKind)),
        "there is no such agent": np.isin(kind, _OF_AN_AGENT) & ((agent < 0) | (agent >= len(trace.names))),
        "there is no such agent in front": is_behind & ((value < -1) | (value >= len(trace.names))),
        "it began later": (kind == EventKind.STUCK) & (value > time),
        "there is no such vertex": has_value & ((value < lowest_value) | (value >= trace.space.n)),
    }
    usable = np.ones(len(time), dtype=np.bool_)
    for detail, wrong in faults.items():
        _add_events(_Events(time, kind, agent, value).where(usable & wrong), 0, detail, log)
        usable &= ~wrong
    events = _Events(row, kind, agent, value).where(usable)
    early = np.flatnonzero(np.diff(events.row) < 0) + 1
    _add_events(events.where(early), trace.start_time, "it is listed after a later one", log)
    return events.where(np.argsort(events.row, kind="stable"))


def _add_events(events: _Events, start_time: int, detail: str, log: ViolationLog) -> None:
    log.add(ViolationKind.EVENT, start_time + events.row, (events.agent,), detail=detail)


def _judge_steps_of_trace(trace: Trace, events: _Events, log: ViolationLog) -> None:
    appeared = events.of(EventKind.ADD, EventKind.SYNC)
    placed = np.zeros(trace.positions.shape, dtype=np.bool_)
    placed[appeared.row, appeared.agent] = True
    _judge_starts_of_trace(trace, placed[0], log)
    _judge_facings(trace, events, placed, log)
    walls = _periods_between_wall_changes(trace, events)
    if np.any(trace.sizes != 1) or np.any(trace.periods != 1):
        bodies = BodyStepJudge(trace.space, trace.rules, trace.sizes, trace.periods, log)
        headings = _headings_at_first(trace, events) if trace.start_time > 0 else None
        bodies.judge(trace.positions, walls, trace.start_time, placed, headings)
        return
    steps = UnitStepJudge(trace.space, trace.rules, trace.positions.shape, log)
    steps.judge_first_row(trace.positions[0], trace.start_time)
    for start, stop, is_open in walls:
        rows = slice(start, stop + 1)
        steps.judge(trace.positions[rows], is_open, trace.start_time + start, placed[start + 1 : stop + 1])


def _judge_facings(trace: Trace, events: _Events, placed: BoolArray, log: ViolationLog) -> None:
    """Every turn is told, once, by one who has to turn and at a time when a step begins."""
    turns = events.of(EventKind.TURNED)
    wrong = (trace.facings[turns.agent] == NO_FACING) | (turns.row >= len(placed) - 1)
    first = np.unique(turns.row * max(len(trace.names), 1) + turns.agent, return_index=True)[1]
    wrong |= ~np.isin(np.arange(len(turns.row)), first)
    _add_events(turns.where(wrong), trace.start_time, "the agent cannot turn then", log)
    if not isinstance(trace.space, Grid) or not np.any(trace.facings != NO_FACING):
        return
    turns = turns.where(~wrong)
    facings = np.empty(placed.shape, dtype=np.int64)
    current = trace.facings.astype(np.int64)
    for row in range(len(facings)):
        facings[row] = current
        now = turns.between(row, row + 1)
        current[now.agent] = now.value
    judge_turning(trace.space, trace.positions, facings, log, start_time=trace.start_time, placed=placed[1:])


def _headings_at_first(trace: Trace, events: _Events) -> Ints:
    """Where agents were on their way to at the first row, but for those whose way ended just then."""
    headings = np.where(trace.progress > 0, trace.headings, ABSENT).astype(np.int64)
    stopped = events.between(0, 1).of(EventKind.TURNED_BACK, EventKind.SYNC, EventKind.REMOVE)
    headings[stopped.agent] = ABSENT
    return headings


def _judge_starts_of_trace(trace: Trace, placed: BoolArray, log: ViolationLog) -> None:
    """Before the first row nobody moves: an agent that is in it and was not put there is on its start."""
    row = trace.positions[0]
    known = (row != ABSENT) & (trace.starts != ABSENT) & ~placed
    strayed = np.flatnonzero(known & (row != trace.starts))
    log.add(ViolationKind.START, np.full_like(strayed, trace.start_time), (strayed,), row[strayed])


def _periods_between_wall_changes(trace: Trace, events: _Events) -> Iterator[tuple[int, int, BoolArray]]:
    """From the row of one change to that of the next, with what is open to the steps between them."""
    changes = events.of(EventKind.BLOCK, EventKind.FREE)
    is_open = trace.open.copy()
    for start, stop in pairwise(np.unique([0, *changes.row, len(trace.positions) - 1]).tolist()):
        now = changes.between(start, start + 1)
        is_open[now.value] = now.kind == EventKind.FREE
        yield start, stop, is_open


def _goals_by_row(trace: Trace, events: _Events) -> Ints:
    """Per row and agent: the goal after the changes of that time."""
    changes = events.of(EventKind.GOAL)
    goals = np.empty(trace.positions.shape, dtype=np.int64)
    current = trace.goals.astype(np.int64)
    for start, stop in pairwise(np.unique([0, *changes.row, len(goals)]).tolist()):
        now = changes.between(start, start + 1)
        current[now.agent] = now.value
        goals[start:stop] = current
    return goals


def _judge_presence(trace: Trace, events: _Events, goals: Ints, log: ViolationLog) -> None:
    """From row to row everybody stays, but for those added and removed, and those that disappear."""
    before = np.concatenate([trace.starts[None, :], trace.positions[:-1]])
    expected = before != ABSENT
    if trace.rules.at_goal == "disappear":
        expected[1:] &= before[1:] != goals[:-1]
    changes = events.of(EventKind.ADD, EventKind.REMOVE)
    _judge_additions(trace, changes, expected, log)
    expected[changes.row, changes.agent] = changes.kind == EventKind.ADD
    judge_who_is_there(trace.positions, expected, trace.start_time, log)


def _judge_additions(trace: Trace, changes: _Events, expected: BoolArray, log: ViolationLog) -> None:
    """Only who is not there can be added."""
    there = expected.copy()
    removed = changes.of(EventKind.REMOVE)
    there[removed.row, removed.agent] = False
    added = changes.of(EventKind.ADD)
    twice = added.where(there[added.row, added.agent])
    _add_events(twice, trace.start_time, "the agent is added though it is already there", log)


def _judge_placements(trace: Trace, events: _Events, log: ViolationLog) -> None:
    """Who is added or put somewhere is there: the last word of each time on each agent holds."""
    words = events.of(EventKind.ADD, EventKind.SYNC, EventKind.REMOVE)
    newest_first = words.where(slice(None, None, -1))
    _, last = np.unique(newest_first.row * len(trace.names) + newest_first.agent, return_index=True)
    placed = newest_first.where(last)
    spot = trace.positions[placed.row, placed.agent]
    elsewhere = (placed.kind != EventKind.REMOVE) & (spot != ABSENT) & (spot != placed.value)
    _add_events(placed.where(elsewhere), trace.start_time, "the agent is on another vertex", log)


def _judge_arrivals(trace: Trace, events: _Events, goals: Ints, log: ViolationLog) -> None:
    """Who has arrived is on its goal: the one it came with, or the one it was given on arrival.

    An agent that was removed or put elsewhere at the same time may have arrived before that.
    """
    moved = events.of(EventKind.SYNC, EventKind.REMOVE)
    excused = np.zeros(trace.positions.shape, dtype=np.bool_)
    excused[moved.row, moved.agent] = True
    arrived = events.of(EventKind.ARRIVED)
    spot = trace.positions[arrived.row, arrived.agent]
    goal_before = np.concatenate([trace.goals[None, :], goals[:-1]])[arrived.row, arrived.agent]
    on_goal = (spot != ABSENT) & ((spot == goals[arrived.row, arrived.agent]) | (spot == goal_before))
    untrue = ~on_goal & ~excused[arrived.row, arrived.agent]
    _add_events(arrived.where(untrue), trace.start_time, "the agent is not on its goal", log)


def _judge_jams(trace: Trace, events: _Events, goals: Ints, log: ViolationLog) -> None:
    """Who was stuck had a goal elsewhere. What changed at the same time came after that."""
    changed = events.of(EventKind.SYNC, EventKind.REMOVE, EventKind.GOAL)
    excused = np.zeros(trace.positions.shape, dtype=np.bool_)
    excused[changed.row, changed.agent] = True
    stuck = events.of(EventKind.STUCK)
    spot, goal = trace.positions[stuck.row, stuck.agent], goals[stuck.row, stuck.agent]
    untrue = ((spot == ABSENT) | (goal == IDLE) | (spot == goal)) & ~excused[stuck.row, stuck.agent]
    _add_events(stuck.where(untrue), trace.start_time, "the agent has nowhere to go", log)
