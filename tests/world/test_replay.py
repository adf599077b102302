"""A trace that was edited is replayed, or refused with a sentence; the process goes on."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep import EventKind as K
from sidestep.world.replay import _events_by_step


def recorded() -> ss.Trace:
    problem = ss.Problem(ss.Grid(np.ones((3, 4), dtype=bool)), [(0, 0), (2, 3)], [(2, 3), (0, 0)])
    world = ss.World(problem, ss.WHCA())
    world.step(nodes=1000)
    world.block((1, 1))
    world.add(ss.Agent((2, 0), (0, 3)))
    for _ in range(4):
        world.step(nodes=1000)
    world.remove(2)
    world.step(nodes=1000)
    return world.trace


TRACE = recorded()


def with_event(*row: int) -> ss.Trace:
    return replace(TRACE, events=np.vstack([np.array([row], dtype=np.int32), TRACE.events]))


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ((0, K.BLOCK, -1, 2_000_000_000), "BLOCK at time 0: there is no vertex 2000000000"),
        ((0, K.FREE, -1, -7), "FREE at time 0: there is no vertex -7"),
        ((0, K.GOAL, 0, 12), "GOAL at time 0: there is no vertex 12"),
        ((0, K.GOAL, 2, 3), "GOAL at time 0: there is no agent 2"),
        ((0, K.PRIORITY, 99, 3), "no known kind or agent: .0, 5, 99, 3."),
        ((0, K.REMOVE, -1, 3), "no known kind or agent"),
        ((0, 77, 0, 3), "no known kind or agent"),
        ((0, K.REMOVE, 2, 3), "REMOVE at time 0: there is no agent 2"),
        ((0, K.SYNC, 0, 12), "SYNC at time 0: there is no vertex 12"),
        ((0, K.SYNC, 0, 11), "the step from time 0: two agents are in the same place"),
        ((0, K.ADD, 0, 3), "ADD at time 0: the next agent to be added is 1, not 0"),
        ((99, K.ADD, 2, 3), "an event at time 99, but its times are 0 to 6"),
        ((0, K.REFUSED, 2, 3), "the step from time 0: agent 2 moves before it was added"),
    ],
)
def test_an_event_that_cannot_have_happened_is_named(row: tuple[int, ...], says: str) -> None:
    with pytest.raises(ss.InputError, match=says):
        ss.replay_trace(with_event(*row))


def test_events_of_many_times_are_found_in_linear_time() -> None:
    count = 40_000
    rows = [(time, K.LATE, -1, 0) for time in reversed(range(count))] + [(5, K.RAISED, -1, 0)]
    positions = np.zeros((count, 3), dtype=np.int32)
    begin = time.thread_time()
    events_of, busy = _events_by_step(
        replace(TRACE, events=np.array(rows, dtype=np.int32), positions=positions)
    )
    found = [events_of(step).tolist() for step in range(count)]
    assert time.thread_time() - begin < 0.5
    assert found[5] == [[5, K.LATE, -1, 0], [5, K.RAISED, -1, 0]]
    assert sum(map(len, found)) == count + 1
    assert busy.tolist() == list(range(count))


def test_turns_of_which_nothing_is_told_cost_no_python_each() -> None:
    """A trace of a few bytes may claim as many of them as a file may."""
    problem = ss.Problem(ss.Grid(np.ones((1, 4), dtype=bool)), [(0, 0)], [(0, 3)])
    world = ss.World(problem, ss.WHCA())
    for _ in range(5):
        world.step()
    trace, turns = world.trace, 2**20
    still = np.repeat(trace.positions[-1:], turns, axis=0)
    long = replace(trace, positions=np.concatenate([trace.positions, still]))
    begin = time.thread_time()
    assert ss.replay_trace(long) == long
    assert time.thread_time() - begin < 3


@pytest.mark.parametrize("period", [1, 3])
def test_quiet_and_busy_turns_are_replayed_as_they_were(period: int) -> None:
    agents = [ss.Agent((0, column), (7, 7 - column), period=period) for column in range(4)]
    world = ss.World(ss.Problem.from_agents(ss.Grid(np.ones((8, 8), dtype=bool)), agents), ss.WHCA())
    for turn in range(60):
        if turn == 20:
            world.send(0, (3, 3))
        if turn == 30:
            world.add(ss.Agent(free_place(world), (5, 5)))
        world.step()
    assert ss.replay_trace(world.trace) == world.trace


def free_place(world: ss.World) -> object:
    taken = set(world.positions.tolist())
    return next(world.space.place(v) for v in range(64) if v not in taken)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"start_time": -1}, "start time"),
        ({"start_time": 2**40}, "the beginning of the trace"),
        ({"open": np.ones(5, dtype=bool)}, "the open of the trace"),
        ({"positions": TRACE.positions.astype(np.int64)}, "the positions of the trace"),
        ({"positions": TRACE.positions[:0]}, "the positions of the trace"),
        ({"events": TRACE.events[:, :3]}, "the events of the trace"),
        ({"headings": np.array([5, -1, -1], dtype=np.int32)}, "progress must be from 1 to 0"),
        ({"progress": np.array([5, 0, 0], dtype=np.int32)}, "the beginning of the trace"),
        ({"agents": replace(TRACE.agents, sizes=np.array([40_000, 1, 1], dtype=np.int32))}, "a size must be"),
        ({"agents": replace(TRACE.agents, starts=np.array([0], dtype=np.int32))}, "one entry per agent"),
    ],
)
def test_arrays_that_do_not_fit_are_named(changes: dict[str, Any], says: str) -> None:
    with pytest.raises(ss.InputError, match=says):
        ss.replay_trace(replace(TRACE, **changes))


def test_what_was_recorded_is_replayed_as_it_was() -> None:
    assert ss.replay_trace(TRACE) == TRACE
