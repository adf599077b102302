"""Worlds that run for ever and solvers that are asked again and again: memory stays flat."""

from __future__ import annotations

import ctypes
import gc
import os
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import sidestep as ss
from sidestep.instances import random_grid, random_problem
from sidestep.solvers import SOLVERS

from ..row import Failed, Pace, Row, Tally

ROUND = 1100  # cases: turns and solves, ten to one
TURNS, SOLVES = 1_000_000, 100_000
KEPT = 50  # turns that a world keeps of its trace
WARM = 0.2  # of all rounds: until then memory may grow
MAY_GROW = 0.02, 2.0  # share of what there was, and megabytes


class Worlds:
    """One world per online planner, whose agents never run out of goals."""

    def __init__(self) -> None:
        names = [name for name in ss.solvers() if SOLVERS[name].info.online]
        self.worlds = [self.open(index, SOLVERS[name]()) for index, name in enumerate(names)]
        self.turn = cycle(self.worlds)
        self.draw = Random(0)

    @staticmethod
    def open(seed: int, planner: Any) -> ss.World:
        grid = random_grid(10, 10, 0.15, seed)
        world = ss.World(random_problem(grid, 8, seed), planner, seed=seed, trace_limit=KEPT)
        times = world.turn_times  # as many as it keeps, from the beginning
        times.extend(float(k) for k in range(times.maxlen or 0))
        return world

    def run(self, turns: int) -> None:
        world, draw = next(self.turn), self.draw
        places = [world.space.place(vertex) for vertex in np.flatnonzero(world.space.open).tolist()]
        for turn in range(turns):
            place, agent = draw.choice(places), draw.randrange(len(world.names))
            with suppress(ss.InputError):  # somebody else has that goal, or stands there
                if turn % 5 == 0:
                    world.send(agent, place)
                elif turn % 52 == 1:
                    world.block(place)
                elif turn % 52 == 2:
                    world.sync({agent: place})
                elif turn % 52 == 3:
                    world.set_priority(agent, turn)
            world.step(nodes=500)
        for place in places:  # what has closed opens again, so that the world stays alive
            world.free(place)


class Solves:
    """Every solver in turn, on some problems that are made anew each time."""

    def __init__(self) -> None:
        self.solvers = cycle([SOLVERS[name]() for name in ss.solvers()])
        self.number = 0

    def run(self, solves: int) -> None:
        for _ in range(solves):
            self.number += 1
            grid = random_grid(8, 8, 0.2, self.number % 500)
            problem = random_problem(grid, 3, self.number % 500)
            ss.solve(problem, next(self.solvers), node_limit=300)


def run(pace: Pace) -> Tally:
    """Rounds of turns and solves; what the process holds is read after each."""
    worlds, solves, held = Worlds(), Solves(), []
    turns = ROUND * 10 // 11
    for _ in pace:
        worlds.run(turns)
        solves.run(ROUND - turns)
        held.append(resident())
        pace.beat(checks=1)
    if len(held) < 50:
        return Tally(notes=f"too short to say whether it is flat: {held[-1]:.1f} MB")
    warm = held[int(len(held) * WARM) :]
    third = len(warm) // 3
    before, after = max(warm[:third]), max(warm[-third:])
    if after > before * (1 + MAY_GROW[0]) + MAY_GROW[1]:
        raise Failed(f"memory grows from {before:.1f} MB to {after:.1f} MB in {len(warm)} rounds of {ROUND}")
    return Tally(notes=f"{before:.1f} MB after a fifth, {after:.1f} MB at the end")


def resident() -> float:
    """Megabytes that the process holds, after all that is free was given back."""
    gc.collect()
    if hasattr(LIBC, "malloc_trim"):
        LIBC.malloc_trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


LIBC = ctypes.CDLL(None)


def needs() -> str:
    return "" if Path("/proc/self/statm").exists() else "there is no /proc to read memory from"


ROW = Row(
    name="soak",
    what="the memory of a process stays flat over a million turns and a hundred thousand solves",
    full=TURNS + SOLVES,
    unit="turns and solves",
    run=run,
    batch=ROUND,
    weight=3,
    needs=needs,
)
