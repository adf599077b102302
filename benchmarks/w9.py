"""The nearest rival, w9-pathfinding: our problems in its terms, and its paths in ours.

Its cells are (x, y). It answers with one path per agent, each ending when the agent is on its goal for
good, or with an empty list where it finds no plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from sidestep import Grid, Plan, Problem, SidestepError
from sidestep.model.arrays import IntArray
from sidestep.solvers.solver import path_matrix

from .contenders import Algorithm

MAX_LENGTH = 1000  # of a path; its default of 100 steps is too short for the larger maps
OUTSIDE = (-1, -1)  # where an agent without a path is: the judge refuses that

Cells = list[tuple[int, int]]
Paths = Sequence[Sequence[tuple[int, int]]]


class MissingRivalError(SidestepError, ImportError):
    """w9-pathfinding is not installed."""

    def __init__(self) -> None:
        super().__init__("w9-pathfinding is not installed here; `make bench` builds an environment with it")


class W9:
    """Plans with w9-pathfinding. Swaps are forbidden, as they are for us."""

    name = "w9"

    def __init__(self) -> None:
        try:
            self._grid = import_module("w9_pathfinding.envs").Grid
            self._mapf = import_module("w9_pathfinding.mapf")
        except ImportError as error:
            raise MissingRivalError from error

    def prepare(self, problem: Problem, algorithm: Algorithm) -> Callable[[], Any]:
        """The call that is timed; all that can be done before it is done here."""
        grid = problem.space
        assert isinstance(grid, Grid)
        weights = np.where(grid.passable, 1, -1).tolist()
        solver = getattr(self._mapf, algorithm.w9)(self._grid(weights=weights, edge_collision=True))
        starts, goals = places(grid, problem.starts), places(grid, problem.goals)
        options = {"window_size": algorithm.window, "max_time": algorithm.seconds}
        given = {name: value for name, value in options.items() if value is not None}
        return lambda: _asked(solver, starts, goals, given)

    def plan(self, problem: Problem, answer: Paths) -> Plan | None:
        """Its paths as a plan, still to be judged."""
        return plan_of_paths(problem, answer) if answer else None


def _asked(solver: Any, starts: Cells, goals: Cells, options: dict[str, Any]) -> Paths:
    """What it answers; nothing if it says that its time is up."""
    try:
        answer: Paths = solver.mapf(starts, goals, max_length=MAX_LENGTH, **options)
    except RuntimeError:
        return []
    return answer


def places(grid: Grid, vertices: IntArray) -> list[tuple[int, int]]:
    """Vertices as (x, y)."""
    return [(int(col), int(row)) for row, col in grid.cells(vertices)]


def plan_of_paths(problem: Problem, paths: Paths) -> Plan:
    """Paths of (x, y), one per agent, as a plan: agents stay where their paths end."""
    grid = problem.space
    assert isinstance(grid, Grid)
    return Plan(problem, path_matrix(problem, [_vertices(grid, path) for path in paths]))


def _vertices(grid: Grid, path: Sequence[tuple[int, int]]) -> IntArray:
    """A path as vertices. A place outside the grid must not pass for the cell that its number would have."""
    x, y = np.array(path or [OUTSIDE], dtype=np.int32).T
    inside = (x >= 0) & (x < grid.width) & (y >= 0) & (y < grid.height)
    return np.where(inside, y * grid.width + x, -1).astype(np.int32)
