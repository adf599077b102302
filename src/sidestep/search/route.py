"""The way of one unit, and many of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.arrays import IntArray
from ..model.result import Status
from ..model.space import Space
from .lengths import FloatArray, LongArray

if TYPE_CHECKING:
    from .coordinates import Coordinates


@dataclass(frozen=True)
class Route:
    """A way from a start to a goal, or what there is instead; truthy only if it leads to the goal.

    Attributes:
        space: Where it is.
        status: As of a `Result`: optimal; solved, by a search that does not look for the shortest way;
            timeout, with the way so far; infeasible: there is no way; gave_up.
        vertices: From the start on; none if there is no way.
        cost: In straight steps: `straight` plus `diagonal` times the square root of two; infinite if there is
            no way.
        straight: The part of the cost that is in straight steps; with unit steps all of it.
        diagonal: The part of the cost that is in diagonal steps of the square root of two.
        expanded: How many nodes the search expanded.
        reason: A sentence for people where the way does not lead to the goal.
        visited: The vertices in the order in which they were visited, for algorithms other than A*; else
            None.
    """

    space: Space
    status: Status
    vertices: IntArray
    cost: float
    straight: int
    diagonal: int
    expanded: int
    reason: str = ""
    visited: IntArray | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        return self.status in (Status.OPTIMAL, Status.SOLVED)

    def __len__(self) -> int:
        """The number of places on it."""
        return len(self.vertices)

    @property
    def places(self) -> list[Any]:
        """Cells `(row, col)` on a grid, vertex ids on a graph."""
        return [self.space.place(vertex) for vertex in self.vertices.tolist()]

    def points(self, coordinates: Coordinates) -> FloatArray:
        """Converts the way to the coordinates of a game.

        Args:
            coordinates: Where the game has its cells.

        Returns:
            An (n, 2) array: the middles of its cells as (x, y).
        """
        return coordinates.points(np.array(self.places).reshape(-1, 2))


@dataclass(frozen=True)
class Routes:
    """Many ways; `routes[k]` has the vertices of one, none if there is no way.

    Attributes:
        space: Where they are.
        vertices: Those of all ways, one after another.
        ends: Per way where it ends in `vertices`.
        costs: Per way its cost in straight steps; infinite if none was found.
    """

    space: Space
    vertices: IntArray
    ends: LongArray
    costs: FloatArray

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, index: int) -> IntArray:
        """Looks one way up.

        Args:
            index: Which one.

        Returns:
            Its vertices; none if there is no way.
        """
        index = range(len(self.ends))[index]
        return self.vertices[self.ends[index - 1] if index else 0 : self.ends[index]]

    def __iter__(self) -> Iterator[IntArray]:
        return (self[index] for index in range(len(self)))
