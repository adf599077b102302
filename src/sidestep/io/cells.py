"""Cells and agents as other programs' files write them, so that every mistake names its file and line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..model.agents import ATTRIBUTES, IDLE
from ..model.errors import FormatError, InputError
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.rules import Rules

CellArray = npt.NDArray[np.int64]  # (k, 2): row and column, not yet checked against any grid

_NUMBER = "-?[0-9]{1,10}"  # longer ones are on no map


@dataclass(frozen=True)
class Spot:
    """A cell and the line of the file that names it; JSON has fields instead of lines."""

    row: int
    col: int
    line: int | None = None

    def __str__(self) -> str:
        return f"row {self.row}, column {self.col}"


def require_grid(grid: object) -> Grid:
    """The grid, or an InputError that says what was given instead."""
    if not isinstance(grid, Grid):
        raise InputError(f"this format is about a Grid, not a {type(grid).__name__}")
    return grid


def number_pairs(text: str, separator: str, *, source: str, line: int) -> CellArray:
    """The pairs of `(1,2)(3,4)`, each followed by the separator or (the last, or all) by nothing."""
    packed = "".join(text.split())
    if not re.fullmatch(rf"(?:\({_NUMBER},{_NUMBER}\)(?:{re.escape(separator)})?)*", packed):
        raise FormatError(f"expected cells like (1,2){separator}(3,4){separator}", source=source, line=line)
    numbers = [int(number) for number in re.findall(r"(?<=[(,])-?[0-9]+", packed)]
    return np.array(numbers, dtype=np.int64).reshape(-1, 2)


def vertices_of(grid: Grid, cells: CellArray, *, source: str, line: int) -> npt.NDArray[np.int32]:
    """The vertex ids of cells; one outside the grid is an error. Walls are left to the judge."""
    rows, cols = cells[:, 0], cells[:, 1]
    outside = (rows < 0) | (rows >= grid.height) | (cols < 0) | (cols >= grid.width)
    if outside.any():
        row, col = cells[int(np.argmax(outside))].tolist()
        raise FormatError(outside_of(grid, Spot(row, col, line)), source=source, line=line)
    return (rows * grid.width + cols).astype(np.int32)


def problem_of(
    grid: Grid,
    starts: Sequence[Spot],
    goals: Sequence[Spot],
    *,
    source: str,
    rules: Rules,
    names: Sequence[str] | None = None,
) -> Problem:
    """The problem of these agents, with every check of the model made here, where the lines are known.

    Without names they are a0, a1, … Names that are given are different ones already.
    """
    Problem(grid, [], [], rules=rules)  # wrong arguments are not the file's fault
    called = names or [f"a{index}" for index in range(len(starts))]
    seen: dict[tuple[str, int], str] = {}
    for name, *pair in zip(called, starts, goals, strict=True):
        for what, spot in zip(("start", "goal"), pair, strict=True):
            vertex = _open_vertex(grid, spot, f"the {what} of agent {name}", source)
            if what == "goal" and rules.shared_goals:
                continue
            first = seen.setdefault((what, vertex), name)
            if first != name:
                raise FormatError(
                    f"agents {first} and {name} have the same {what}, {spot}", source=source, line=spot.line
                )
    return Problem(
        grid,
        [(spot.row, spot.col) for spot in starts],
        [(spot.row, spot.col) for spot in goals],
        rules=rules,
        names=called,
    )


def _open_vertex(grid: Grid, spot: Spot, whose: str, source: str) -> int:
    if not (0 <= spot.row < grid.height and 0 <= spot.col < grid.width):
        raise FormatError(f"{whose}: {outside_of(grid, spot)}", source=source, line=spot.line)
    if not grid.passable[spot.row, spot.col]:
        raise FormatError(f"{whose}, {spot}, is in a wall", source=source, line=spot.line)
    return grid.vertex((spot.row, spot.col))


def outside_of(grid: Grid, spot: Spot) -> str:
    """What is wrong with a cell that is not on the map."""
    return f"{spot} is outside the map of {grid.height} rows and {grid.width} columns"


def refuse_extras(problem: Problem, what: str) -> None:
    """An InputError if agents have more to them than a start and a goal: the file would lose it."""
    for attribute in ATTRIBUTES:
        odd = problem.agents.unusual(attribute)
        if odd.size:
            value = getattr(problem, attribute.column)[odd[0]]
            raise InputError(
                f"agent {problem.names[odd[0]]} has a {attribute.field} of {value}, which {what} cannot keep"
            )


def refuse_idle(problem: Problem, what: str) -> None:
    """An InputError if an agent has no goal."""
    idle = np.flatnonzero(problem.goals == IDLE)
    if idle.size:
        raise InputError(f"agent {problem.names[idle[0]]} has no goal, which {what} cannot say")
