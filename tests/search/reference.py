"""Distances the slow and obvious way, from the description of a space alone: exact pairs of step counts."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from itertools import count, pairwise
from typing import Any, NamedTuple

import numpy as np

import sidestep as ss

SQRT2 = math.sqrt(2.0)


class Exact(NamedTuple):
    """`straight + diagonal * sqrt(2)`, compared without rounding."""

    straight: int
    diagonal: int

    def plus(self, other: Exact) -> Exact:
        return Exact(self.straight + other.straight, self.diagonal + other.diagonal)

    def __lt__(self, other: tuple[object, ...]) -> bool:
        assert isinstance(other, Exact)
        a, b = other.straight - self.straight, other.diagonal - self.diagonal
        if a >= 0 and b >= 0:
            return (a, b) != (0, 0)
        if a <= 0 and b <= 0:
            return False
        return (a > 0) == (a * a > 2 * b * b)

    def __float__(self) -> float:
        return self.straight + self.diagonal * SQRT2


ZERO = Exact(0, 0)


def steps_from(space: ss.Grid | ss.Graph, place: Any, **terrain: Any) -> list[tuple[Any, Exact]]:
    """Where one can go from a place, and what it costs."""
    if isinstance(space, ss.Graph):
        costs = terrain.get("edge_costs", [1] * len(space.edges))
        pairs = list(zip(space.edges.tolist(), costs, strict=True))
        ways = [(v, Exact(int(c), 0)) for (u, v), c in pairs if u == place]
        return ways + [(u, Exact(int(c), 0)) for (u, v), c in pairs if v == place and not space.directed]
    octile = terrain.get("steps", "octile" if space.connectivity == 8 else "unit") == "octile"
    factors = terrain.get("factors", np.ones(space.passable.shape, dtype=int))
    found = []
    for rows in (-1, 0, 1):
        for cols in (-1, 0, 1):
            diagonal = rows != 0 and cols != 0
            to = place[0] + rows, place[1] + cols
            if (rows, cols) == (0, 0) or (diagonal and space.connectivity == 4) or not is_free(space, to):
                continue
            beside = [(place[0] + rows, place[1]), (place[0], place[1] + cols)] if diagonal else []
            blocked = sum(not is_free(space, cell) for cell in beside)
            if blocked > {"none": 0, "one": 1, "free": 2}[space.corners]:
                continue
            factor = int(factors[to])
            cost = Exact(0, factor) if diagonal and octile else Exact(factor, 0)
            found.append((to, cost.plus(Exact(terrain.get("corner_cost", 0) if blocked else 0, 0))))
    return found


def is_free(grid: ss.Grid, cell: tuple[int, int]) -> bool:
    row, col = cell
    return 0 <= row < grid.height and 0 <= col < grid.width and bool(grid.passable[row, col])


def distances_from(space: ss.Grid | ss.Graph, start: Any, **terrain: Any) -> dict[Any, Exact]:
    """Dijkstra from a place to all that can be reached."""
    least: dict[Any, Exact] = {}
    order = count()
    heap: list[tuple[Exact, int, Any]] = [(ZERO, next(order), start)]
    while heap:
        cost, _, place = heappop(heap)
        if place in least:
            continue
        least[place] = cost
        for to, step in steps_from(space, place, **terrain):
            if to not in least:
                heappush(heap, (cost.plus(step), next(order), to))
    return least


def cost_along(space: ss.Grid | ss.Graph, places: list[Any], **terrain: Any) -> Exact:
    """What a way costs; a KeyError if it is none."""
    cost = ZERO
    for here, there in pairwise(places):
        options = sorted(step for to, step in steps_from(space, here, **terrain) if to == there)
        if not options:
            raise KeyError(f"no step from {here} to {there}")
        cost = cost.plus(options[0])
    return cost
