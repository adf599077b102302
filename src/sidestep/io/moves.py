"""Moves turned into positions, for the formats that tell where agents start and then only how they move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..model.arrays import IntArray
from ..model.errors import FormatError, InputError
from ..model.grid import Grid
from .cells import Spot, outside_of
from .files import Document

Up = Literal["row+1", "row-1"]  # what the letter U does: programs disagree about where up is


@dataclass(frozen=True)
class Moves:
    """Runs of equal moves of one agent: rows down and columns to the right per move, and how many moves.

    A move is to a cell beside the last one, or none at all.
    """

    down: npt.NDArray[np.int8]
    right: npt.NDArray[np.int8]
    times: npt.NDArray[np.int64]

    @classmethod
    def same(cls, down: int, right: int, times: int) -> Moves:
        """One run."""
        steps = np.array([[down], [right]], dtype=np.int8)
        return cls(steps[0], steps[1], np.array([times], dtype=np.int64))

    @classmethod
    def joined(cls, parts: Sequence[Moves]) -> Moves:
        """Some after another; there must be one."""
        columns = ("down", "right", "times")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in columns))

    def __len__(self) -> int:
        return int(self.times.sum())

    def ends(self, start: Spot) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The rows and the columns where the runs end, the start before all."""
        rows = start.row + np.cumsum(self.down * self.times)
        cols = start.col + np.cumsum(self.right * self.times)
        return np.concatenate([[start.row], rows]), np.concatenate([[start.col], cols])


def row_of_up(u: Up) -> int:
    """What U adds to the row, or an InputError."""
    if not isinstance(u, str) or u not in ("row+1", "row-1"):
        raise InputError(f"u must be 'row+1' or 'row-1', not {u!r}")
    return 1 if u == "row+1" else -1


def step_table(steps: dict[str, tuple[int, int]]) -> npt.NDArray[np.int8]:
    """Rows down and columns to the right per letter, as an array to look up the codes of letters in."""
    table = np.zeros((2, 128), dtype=np.int8)
    for letter, step in steps.items():
        table[:, ord(letter)] = step
    return table


def walked(
    grid: Grid, starts: Sequence[Spot], moves: Sequence[Moves], names: Sequence[str], document: Document
) -> IntArray:
    """The (makespan + 1, n) array of all positions; who has no moves left stays.

    Moves into walls are left to the judge, but there is no vertex for a cell outside the map.
    """
    makespan = max(map(len, moves), default=0)
    document.check_positions(makespan, len(moves))
    vertices = np.empty((makespan + 1, len(moves)), dtype=np.int32)
    for agent, (start, path) in enumerate(zip(starts, moves, strict=True)):
        fault = _way_out(grid, start, path)
        if fault:
            raise FormatError(f"agent {names[agent]} {fault}", source=document.source, line=start.line)
        column, length = vertices[:, agent], len(path)
        column[0] = start.row * grid.width + start.col
        steps = path.down.astype(np.int32) * grid.width + path.right
        np.cumsum(np.repeat(steps, path.times), dtype=np.int32, out=column[1 : length + 1])
        column[1 : length + 1] += column[0]
        column[length + 1 :] = column[length]
    return vertices


def _way_out(grid: Grid, start: Spot, path: Moves) -> str:
    """Where moves leave the map, if they do. A run is straight, so that its end tells, however long it is."""
    rows, cols = path.ends(start)
    outside = (rows < 0) | (rows >= grid.height) | (cols < 0) | (cols >= grid.width)
    if not outside.any():
        return ""
    run = int(np.argmax(outside)) - 1
    row, col, down, right = (int(array[run]) for array in (rows, cols, path.down, path.right))
    to_edge = {(1, 0): grid.height - row, (-1, 0): row + 1, (0, 1): grid.width - col, (0, -1): col + 1}
    rest = to_edge[down, right]
    spot = Spot(row + down * rest, col + right * rest)
    time = int(path.times[:run].sum()) + rest
    return (
        f"leaves the map at time {time}: {outside_of(grid, spot)}; "
        "is it the right map, and is u the right way up?"
    )
