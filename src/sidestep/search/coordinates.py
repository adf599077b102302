"""Where a game has its cells: points (x, y) of the game and cells (row, col) of the grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..model.arrays import IntArray, float_array
from ..model.errors import InputError
from .lengths import FloatArray

FARTHEST = 2**30  # cells from the origin


@dataclass(frozen=True)
class Coordinates:
    """Where a game has its square cells. Rows grow with y.

    A point on the border of two cells belongs to the one with the higher number.

    Attributes:
        cell_size: The side of a cell, in units of the game.
        origin: The corner (x, y) of cell (0, 0) with the least x and y.

    Raises:
        InputError: The size is not above 0, or something is no finite number.
    """

    cell_size: float = 1.0
    origin: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        size = _numbers(self.cell_size, "cell_size", ())
        if not size > 0:
            raise InputError(f"cell_size must be a number above 0, not {self.cell_size!r}")
        object.__setattr__(self, "cell_size", float(size))
        x, y = _numbers(self.origin, "origin", (2,))
        object.__setattr__(self, "origin", (float(x), float(y)))

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Finds the cell that a point is in.

        Args:
            x: The point's x.
            y: The point's y.

        Returns:
            The cell `(row, col)`; it need not be on the grid.

        Raises:
            InputError: The point is too far away or not finite.
        """
        row, col = self.cells([[x, y]])[0].tolist()
        return row, col

    def cells(self, points: Any) -> IntArray:
        """Finds the cells that points are in.

        Args:
            points: An (n, 2) array of (x, y).

        Returns:
            An (n, 2) array of (row, col).

        Raises:
            InputError: It is no such array, or a point is too far away.
        """
        found = np.floor((_numbers(points, "points", (-1, 2)) - self.origin) / self.cell_size)
        if found.size and np.abs(found).max() > FARTHEST:
            raise InputError("a point is more than a billion cells away from the origin")
        return found[:, ::-1].astype(np.int32)

    def point(self, row: int, col: int) -> tuple[float, float]:
        """Finds the middle of a cell.

        Args:
            row: The cell's row.
            col: The cell's column.

        Returns:
            The point (x, y).

        Raises:
            InputError: It is no cell.
        """
        x, y = self.points([[row, col]])[0].tolist()
        return x, y

    def points(self, cells: Any) -> FloatArray:
        """Finds the middles of cells.

        Args:
            cells: The cells, as `cells` returns them.

        Returns:
            An (n, 2) array of (x, y): a row per cell, in the same order.

        Raises:
            InputError: It is no (n, 2) array of numbers.
        """
        middles: FloatArray = (_numbers(cells, "cells", (-1, 2))[:, ::-1] + 0.5) * self.cell_size
        return middles + self.origin


def _numbers(values: Any, what: str, shape: tuple[int, ...]) -> FloatArray:
    numbers = float_array(values, f"{what} must be made of numbers, not {values!r}")
    fits = numbers.ndim == len(shape) and all(w in (-1, n) for w, n in zip(shape, numbers.shape, strict=True))
    if not fits:
        wanted = "one number" if not shape else "an (x, y) pair" if len(shape) == 1 else "an (n, 2) array"
        raise InputError(f"{what} must be {wanted}, not {values!r}")
    if not np.isfinite(numbers).all():
        raise InputError(f"{what} must be finite")
    return numbers
