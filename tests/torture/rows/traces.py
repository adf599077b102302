"""The judge of traces against the second one: what happened in worlds, and what mutations make of it."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

import sidestep as ss
from sidestep.model.arrays import read_only

from ..draws import any_problem, any_rules, told
from ..planners import RandomWalk, change
from ..row import Failed, Row
from ..second_judge import differences
from ..second_trace import judge_trace

BATCH = 20  # traces per world


def one(number: int) -> int:
    """What happened in one world, and mutations of that."""
    draw = Random(number)
    bodies = draw.random() < 0.5
    problem = any_problem(draw, most=4, side=5, bodies=bodies)
    world = ss.World(
        problem,
        RandomWalk(problem.space, number),
        trace_limit=draw.choice([None, None, 2, 4]),
        stuck_after=draw.choice([1, 2, 50]),
    )
    for _ in range(draw.randint(1, 10)):
        if draw.random() < 0.5:
            change(world, draw, bodies=bodies)
        world.step()
    trace = world.trace
    if world.planner_error is not None:
        raise world.planner_error
    compare(trace)
    for _ in range(BATCH - 1):
        mutant = trace
        for _ in range(draw.choice([1, 1, 1, 2, 4])):
            mutant = mutated(mutant, draw)
        compare(mutant)
    return 2 * BATCH


def compare(trace: ss.Trace) -> None:
    """The two judges say the same of a trace."""
    fault = differences(judge_trace(trace), ss.validate_trace(trace), trace.space)
    if fault:
        problem = ss.Problem(trace.space, [], [], rules=trace.rules)
        table = [column.tolist() for column in (trace.starts, trace.goals, trace.sizes, trace.periods)]
        first = [trace.start_time, trace.headings.tolist(), trace.progress.tolist()]
        walls = np.flatnonzero(~trace.open).tolist()
        raise Failed(
            f"{fault}; {told(problem)}; {table}; {first}; closed {walls}; "
            f"positions {trace.positions.tolist()}; events {trace.events.tolist()}"
        )


def mutated(trace: ss.Trace, draw: Random) -> ss.Trace:
    """The trace with one fault more, or only with another course."""
    kind = draw.randrange(10)
    if kind < 4:
        return replace(trace, positions=other_positions(trace, draw))
    if kind < 8:
        return replace(trace, events=other_events(trace, draw))
    if kind == 8:
        return replace(trace, rules=any_rules(draw, later=True))
    walls = np.array(trace.open)
    vertex = draw.randrange(len(walls))
    walls[vertex] = not walls[vertex]
    return replace(trace, open=read_only(walls))


def other_positions(trace: ss.Trace, draw: Random) -> Any:
    positions, (rows, agents) = np.array(trace.positions), trace.positions.shape
    row, agent, other = draw.randrange(rows), draw.randrange(agents), draw.randrange(agents)
    n, kind = trace.space.n, draw.randrange(5)
    if kind == 0:
        positions[row, agent] = draw.choice([-1, -2, n, draw.randrange(n), draw.randrange(n)])
    elif kind == 1:
        positions[row:, agent] = positions[row, draw.choice([agent, other])]
    elif kind == 2:
        positions[row:, [agent, other]] = positions[row:, [other, agent]]
    elif kind == 3 and row + 1 < rows:
        positions[row + 1 :, agent] = positions[row:-1, agent].copy()
    elif rows > 1:
        positions = positions[:-1]
    return read_only(positions)


def other_events(trace: ss.Trace, draw: Random) -> Any:
    events = trace.events.tolist()
    at, kind = draw.randrange(len(events) + 1), draw.randrange(4)
    if kind == 0 or not events:
        events.insert(at, any_event(trace, draw))
        return _array(events)
    at = min(at, len(events) - 1)
    if kind == 1:
        del events[at]
    elif kind == 2:
        column = draw.randrange(4)
        events[at][column] = draw.choice(
            [any_event(trace, draw)[column], min(events[at][column] + 1, 2**31 - 1), -7, 2**31 - 1]
        )
    else:
        other = draw.randrange(len(events))
        events[at], events[other] = events[other], events[at]
    return _array(events)


def any_event(trace: ss.Trace, draw: Random) -> list[int]:
    time = trace.start_time + draw.randrange(len(trace.positions))
    agent, kind = draw.randrange(len(trace.names)), draw.choice(list(ss.EventKind))
    there = int(trace.positions[time - trace.start_time, agent])
    value = draw.choice([there, there, draw.randrange(trace.space.n)])
    return [time, int(kind), -1 if kind in (ss.EventKind.BLOCK, ss.EventKind.FREE) else agent, value]


def _array(events: list[list[int]]) -> Any:
    return read_only(np.array(events, dtype=np.int32).reshape(-1, 4))


ROW = Row(
    name="traces",
    what="the judge and a second one, written for itself, find the same in every mutated trace",
    full=200_000,
    weight=4,
    unit="mutated traces",
    one=one,
    batch=BATCH,
)
