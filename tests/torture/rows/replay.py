"""Edited traces: each is replayed, or refused with an error of ours."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import sidestep as ss
from sidestep.io.files import Document
from sidestep.io.tracefile import dumps_trace, read_trace

from ..row import Failed, Row

NUMBERS = [-(2**31), -2, -1, 0, 1, 2, 3, 5, 7, 40, 1000, 2_000_000_000, 2**31 - 1]
ARRAYS = ("open", "positions", "events", "headings", "progress")
MAP = ss.Grid.from_text("""
    . . . . .
    . # . # .
    . . . . .
    . . . . .
""")
LANES = ss.Graph(6, [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0), (1, 4)])


@cache
def recorded(number: int) -> ss.Trace:
    """A trace with changes of all kinds; of agents of several sizes and speeds in every third of them."""
    draw = random.Random(number)
    grid = number % 4 != 3
    space = MAP if grid else LANES
    large = grid and number % 3 == 0
    agents = [
        ss.Agent((2, 0) if grid else 0, (2, 3) if grid else 3, size=1 + large, period=1 + large),
        ss.Agent((0, 4) if grid else 5, (0, 0) if grid else 2),
    ]
    rules = ss.Rules(at_goal=draw.choice(["stay", "disappear"]))
    world = ss.World(
        ss.Problem.from_agents(space, agents, rules=rules), ss.WHCA(), trace_limit=draw.choice([None, 3])
    )
    for turn in range(8):
        if turn == 2:
            taken = set(world.positions.tolist())
            start = next(v for v in range(space.n - 1, -1, -1) if world.open[v] and v not in taken)
            world.add(ss.Agent((0, 1) if grid else start, name="c"))
            world.block((0, 2) if grid else 2)
        if turn == 4:
            world.send("c", (1, 4) if grid else 1)
            world.sync({"c": world.where("c")})
            world.free((0, 2) if grid else 2)
        if turn == 6 and world.where("c") is not None:
            world.remove("c")
        world.step(nodes=draw.choice([0, 1000]))
    return world.trace


def edited(draw: random.Random, value: Any) -> Any:
    """A value of JSON with something else somewhere in it."""
    if isinstance(value, dict) and value:
        name = draw.choice(sorted(value))
        return {**value, name: edited(draw, value[name])}
    if isinstance(value, list) and value and draw.random() < 0.9:
        place = draw.randrange(len(value))
        twist = draw.random()
        if twist < 0.15:
            return value[:place] + value[place + 1 :]
        if twist < 0.3:
            return [*value, value[place]]
        return [*value[:place], edited(draw, value[place]), *value[place + 1 :]]
    if isinstance(value, str):
        return draw.choice(
            ["block", "add", "remove", "sync", "goal", "refused", "set_out", "turned_back", value]
        )
    return draw.choice(NUMBERS)


def as_file(draw: random.Random, trace: ss.Trace) -> ss.Trace:
    """The trace that an edited file holds, if it holds one."""
    entry = json.loads(dumps_trace(trace))
    for _ in range(draw.choice([1, 1, 2, 4])):
        entry = edited(draw, entry)
    return read_trace(Document(json.dumps(entry)))


def as_arrays(draw: random.Random, trace: ss.Trace) -> ss.Trace:
    """The trace with other arrays, which no file may hold."""
    arrays = {}
    for name in draw.sample(ARRAYS, draw.choice([1, 1, 2])):
        array = np.array(getattr(trace, name))
        for _ in range(draw.choice([1, 3])):
            if array.size:
                array.flat[draw.randrange(array.size)] = draw.choice(NUMBERS)
        shape = draw.random()
        if shape < 0.1:
            array = array[1:]
        elif shape < 0.2:
            array = array.astype(draw.choice([np.int64, np.float64, np.bool_, np.int32]))
        elif shape < 0.3:
            array = array.reshape(-1)
        arrays[name] = array
    start = draw.choice([trace.start_time] * 8 + NUMBERS)
    return replace(trace, start_time=start, **arrays)


def one(number: int) -> int:
    """Edits a trace and replays what comes of it."""
    draw = random.Random(number)
    trace = recorded(draw.randrange(24))
    try:
        other = draw.choice([as_file, as_file, as_arrays])(draw, trace)
        again = ss.replay_trace(other)
    except ss.SidestepError:
        return 1
    if again.positions.shape != other.positions.shape:
        raise Failed("the replay is not as long as the trace")
    if number % 8 == 0 and ss.replay_trace(trace) != trace:
        raise Failed("the trace itself is not replayed as it was")
    return 2


ROW = Row(
    "replay",
    "an edited trace is replayed, or refused with an error of ours",
    full=200_000,
    weight=2,
    unit="edited traces",
    one=one,
)
