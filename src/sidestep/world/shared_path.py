"""The path that a group shares: found bit by bit, within what a turn has left, and cut into waypoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.grid import Grid

STRIDE = 6  # steps from one waypoint to the next
NEAR = 3  # cells; who is so near to a waypoint heads for the next
NOTHING: IntArray = np.empty(0, dtype=np.int32)


class SharedPath:
    """A shortest path from one unit to the goal of its group.

    A search that a turn's budget ends goes on in the next one, on the walls as they were when it began; if
    its path is closed by the time it is found, another search begins.

    Args:
        grid: The space.
        goal: The vertex where it ends.
        own_steps: How many steps at both ends have no waypoints.

    Attributes:
        vertices: The path; empty before one is found, and where there is none.
        waypoints: Vertices along the middle of the path.
        is_known: False while the path is being looked for.
        before_the_end: A vertex of the last path where units can fall back to.
    """

    def __init__(self, grid: Grid, goal: int, own_steps: int) -> None:
        self.grid, self.goal, self.own_steps = grid, goal, own_steps
        self.vertices = NOTHING
        self.waypoints: list[int] = []
        self._cells: list[tuple[int, int]] = []  # of the waypoints
        self.is_known = False
        self.before_the_end = goal
        self._search: _core.Distances | None = None
        self._origin = -1
        self._outdated = False  # have walls changed since the search began?

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_search": None}  # a copy begins its search again

    def walls_changed(self, space: _core.Space) -> None:
        """Looks whether the path is still open.

        Args:
            space: The core's form of the space, with the walls as they are now.
        """
        self._outdated = True
        if self.is_known and not _is_open(space, self.vertices):
            self.is_known, self._search = False, None

    def find(self, space: _core.Space, origin: int, budget: Budget) -> bool:
        """Goes on looking for the path.

        Args:
            space: The core's form of the space, with the walls as they are now.
            origin: The vertex where it begins; a search under way keeps that of its beginning.
            budget: What may be used of it now.

        Returns:
            True if the path is known now, or that there is none.
        """
        if self._search is None:
            self._begin(space, origin)
        found = self._go_on(budget)
        while found is not None and self._outdated and not (len(found) and _is_open(space, found)):
            self._begin(space, origin)  # what was found is of walls that are no more
            found = self._go_on(budget)
        if found is None:
            return False
        own, end = self.own_steps, len(found) - 1
        if len(found):
            self.before_the_end = int(found[max(end - max(own, 2 * NEAR), 0)])
        self.vertices, self.is_known, self._search = found, True, None
        self.waypoints = found[own : max(len(found) - own, 0) : STRIDE].tolist()
        self._cells = [divmod(v, self.grid.width) for v in self.waypoints]
        return True

    def _begin(self, space: _core.Space, origin: int) -> None:
        self._search, self._origin, self._outdated = _core.Distances(space), origin, False

    def _go_on(self, budget: Budget) -> IntArray | None:
        if self._search is None:
            return None
        try:
            return self._search.path(self.goal, self._origin, self._origin, budget.core)
        except RuntimeError:  # out of budget: more of it next time
            return None

    def first_for(self, position: int, begin: int) -> int:
        """Which waypoint a unit heads for at first: the nearest of those that it may be beside already.

        Args:
            position: Its vertex.
            begin: The vertex of the unit where the path begins.

        Returns:
            The number of the waypoint.
        """
        ahead = cells_apart(self.grid, position, begin)
        last = (
            max(2 * ahead - self.own_steps, 0) // STRIDE
        )  # further along it cannot be, even by a winding way
        return self.nearest(position, last)

    def nearest(self, position: int, last: int) -> int:
        """Finds the nearest waypoint.

        Args:
            position: The vertex of a unit.
            last: The number of the last waypoint that is looked at.

        Returns:
            The number of the waypoint.
        """
        row, col = divmod(position, self.grid.width)
        apart = [max(abs(row - r), abs(col - c)) for r, c in self._cells[: last + 1]]
        return apart.index(min(apart)) if apart else 0

    def next_after(self, place: int, position: int) -> int:
        """Which waypoint a unit heads for: the first that it has neither reached nor passed.

        Args:
            place: The number of the one that it headed for.
            position: The vertex of the unit.

        Returns:
            The number of the waypoint; the number of all of them if none is left.
        """
        cells, last = self._cells, len(self._cells) - 1
        row, col = divmod(position, self.grid.width)
        while place <= last:
            here_row, here_col = cells[place]
            if max(abs(row - here_row), abs(col - here_col)) > NEAR:  # not reached; passed if it is nearer
                if place == last:  # to the next one than this one is
                    break
                next_row, next_col = cells[place + 1]
                left = max(abs(row - next_row), abs(col - next_col))
                if left >= max(abs(here_row - next_row), abs(here_col - next_col)):
                    break
            place += 1
        return place

    def beside(self, place: int, space: _core.Space) -> list[int]:
        """Finds places beside a waypoint that are about as far from the next.

        Args:
            place: The number of the waypoint.
            space: The core's form of the space.

        Returns:
            Vertices two steps from it at most.
        """
        waypoint = self.waypoints[place]
        following = self.waypoints[place + 1] if place + 1 < len(self.waypoints) else self.goal
        near = sorted(_within_two_steps(space, waypoint) - {waypoint})
        far = cells_apart(self.grid, waypoint, following)
        return [v for v in near if abs(cells_apart(self.grid, v, following) - far) <= 1]


def cells_apart(grid: Grid, one: int, other: int) -> int:
    """The larger of the differences in rows and columns: how far two vertices are apart on open ground."""
    width = grid.width
    return max(abs(one // width - other // width), abs(one % width - other % width))


def _is_open(space: _core.Space, vertices: IntArray) -> bool:
    return all(space.is_open(v) for v in vertices.tolist())


def _within_two_steps(space: _core.Space, vertex: int) -> set[int]:
    first: Sequence[int] = space.successors(vertex).tolist()
    return {vertex, *first}.union(*(space.successors(v).tolist() for v in first))
