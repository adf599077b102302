"""What the review says of many units with one order: a shared path, detours, and a leader.

As printed, the shared path is searched from the middle of the starts to that of the goals, and each unit's
own ten steps at both ends are searched by themselves, all without regard to other units. Ours is
`move_group`, in a world where nobody collides.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from ...instances import cave_grid
from ...model.arrays import IntArray
from ...model.grid import Cell, Grid
from ...model.problem import Problem
from ...move_group import move_group
from ...search import Finder
from ...solvers.whca import WHCA
from ...world import World
from ..timing import timed

SIDE = 256
UNITS = 16
OWN_STEPS = 10
DETOURS = 0.5
TURNS = 1500  # after which one that has not arrived never does
NODES = 50_000  # per turn

Numbers = dict[str, float]


@dataclass(frozen=True)
class Order:
    """Units near each other, and the places around a goal that each is sent to."""

    grid: Grid
    starts: list[Cell]
    goals: list[Cell]


def order(seed: int) -> Order:
    """Across a cave, from the left to the right."""
    grid = cave_grid(SIDE, SIDE, seed)
    cells = np.argwhere(grid.passable)
    draw = np.random.default_rng(seed)
    left, right = (cells[side] for side in (cells[:, 1] < SIDE // 8, cells[:, 1] >= SIDE - SIDE // 8))
    ends = (_nearest(grid, tuple(some[draw.integers(len(some))].tolist())) for some in (left, right))
    starts, goals = ends
    return Order(grid, starts, goals)


def _nearest(grid: Grid, middle: Cell) -> list[Cell]:
    """As many cells as there are units, the nearest to one of them by the way there."""
    distances = Finder(grid).distances_to(middle).array
    order_ = np.argsort(distances, axis=None, kind="stable")[:UNITS]
    return [grid.place(int(vertex)) for vertex in order_]


# As printed


def shared(seed: int, queue: str) -> Numbers:
    """Expansions and lengths of one way for all but its ends, and of a way for each unit."""
    sent = order(seed)
    finder = Finder(sent.grid, queue=queue)
    alone = [finder.path(*ends) for ends in zip(sent.starts, sent.goals, strict=True)]
    path = finder.path(_middle(sent.starts), _middle(sent.goals))
    own = min(OWN_STEPS, (len(path) - 1) // 2)
    first, last = path.places[own], path.places[len(path) - 1 - own]
    ends = [
        (finder.path(start, first), finder.path(last, goal))
        for start, goal in zip(sent.starts, sent.goals, strict=True)
    ]
    expanded = path.expanded + sum(route.expanded for both in ends for route in both)
    middle = len(path) - 1 - 2 * own
    lengths = [sum(len(route) - 1 for route in both) + middle for both in ends]
    return {
        "group effort": expanded / sum(route.expanded for route in alone),
        "group longer": sum(lengths) / sum(len(route) - 1 for route in alone),
    }


def _middle(cells: list[Cell]) -> Cell:
    """The one that is nearest to the middle of all."""
    places = np.array(cells, dtype=np.float64)
    return cells[int(np.argmin(((places - places.mean(axis=0)) ** 2).sum(axis=1)))]


# Ours


def marched(seed: int) -> Numbers:
    """Groups in a world beside units that each go their own way to the same places."""
    sent = order(seed)
    group = _march(sent, {})
    goals = [sent.grid.place(goal) for goal in group.world.goals.tolist()]
    alone = _march(sent, None, goals)
    detours, led = _march(sent, {"detours": DETOURS, "seed": seed}), _march(sent, {"leader": 0})
    return {
        "group effort": _ratio(group.first, alone.first),
        "group cpu": _ratio(group.cpu, alone.cpu),
        "group longer": _ratio(group.steps, alone.steps),
        "detours cells": _ratio(detours.cells, group.cells),
        "leader spread": _ratio(led.spread, group.spread),
        "leader longer": _ratio(led.steps, alone.steps),
        "arrived": 100 * fmean(march.arrived for march in (group, detours, led)),
        "alone arrived": 100 * alone.arrived,
    }


def _ratio(one: float, other: float) -> float:
    return one / other if other else float("nan")


@dataclass(frozen=True)
class March:
    """A run of a world until all have arrived, or too long."""

    world: World
    cpu: float  # seconds, the order included
    first: float  # of these, the order and the first turn

    @property
    def positions(self) -> IntArray:
        return self.world.trace.positions

    @property
    def arrived(self) -> float:
        """The share of the units."""
        return float((self.world.positions == self.world.goals).mean())

    @property
    def steps(self) -> int:
        """The turns until each unit's last arrival, all together."""
        off = self.positions != self.world.goals
        return int(np.where(off.any(axis=0), len(off) - np.argmax(off[::-1], axis=0), 0).sum())

    @property
    def cells(self) -> int:
        """How many cells somebody has been on."""
        return len(np.unique(self.positions))

    @property
    def spread(self) -> float:
        """How far units are from their middle, in the mean over the turns in which most are under way."""
        under_way = (self.positions != self.world.goals).mean(axis=1) > 0.5
        grid = self.world.space
        assert isinstance(grid, Grid)
        cells = grid.cells(self.positions[under_way].ravel()).reshape(-1, UNITS, 2)
        return float(np.abs(cells - cells.mean(axis=1, keepdims=True)).max(axis=2).mean())


def _march(sent: Order, style: dict[str, Any] | None, goals: list[Cell] | None = None) -> March:
    """A group in this style, or units that go alone to these goals."""
    world = World(Problem(sent.grid, sent.starts, goals or [None] * UNITS), WHCA())

    def begin() -> None:
        if style is not None:
            move_group(world, range(UNITS), _middle(sent.goals), **style)
        world.step(nodes=NODES)

    def go_on() -> None:
        while not world.done and world.time < TURNS:
            world.step(nodes=NODES)

    first, rest = timed(begin)[1].cpu, timed(go_on)[1].cpu
    return March(world, first + rest, first)
