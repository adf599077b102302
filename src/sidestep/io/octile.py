"""Octile distance, for the last column of MovingAI scenarios: diagonals cost sqrt 2 and cut no corners."""

from __future__ import annotations

from heapq import heappop, heappush
from math import sqrt

from ..model.grid import Cell, Grid

_ROOT2 = sqrt(2)


class OctileDistances:
    """A* between cells of one grid, whatever the grid's own connectivity is."""

    def __init__(self, grid: Grid) -> None:
        # A border of walls makes every neighbour of a free cell an index into the array.
        self._stride = grid.width + 2
        self._free = bytearray(self._stride * (grid.height + 2))
        for row, cells in enumerate(grid.passable, start=1):
            begin = row * self._stride + 1
            self._free[begin : begin + grid.width] = cells.tobytes()

    def between(self, start: Cell, goal: Cell) -> float | None:
        """The length of a shortest path, or None where there is no path.

        Straight and diagonal moves are counted apart, in whole numbers: equal lengths are then equal
        to the last bit, and among them the search follows the path that is nearest to its end.
        """
        source, target = self._index(start), self._index(goal)
        goal_row, goal_col = divmod(target, self._stride)
        lengths = {source: 0.0}
        queue = [(0.0, 0.0, source, 0, 0)]
        while queue:
            _, minus_length, cell, straight, diagonal = heappop(queue)
            if cell == target:
                return -minus_length
            if -minus_length > lengths[cell]:
                continue
            for neighbour, slanted in self._neighbours(cell):
                moves, slants = straight + (not slanted), diagonal + slanted
                length = moves + slants * _ROOT2
                if length < lengths.get(neighbour, length + 1):
                    lengths[neighbour] = length
                    row, col = divmod(neighbour, self._stride)
                    down, right = abs(row - goal_row), abs(col - goal_col)
                    whole = moves + abs(down - right) + (slants + min(down, right)) * _ROOT2
                    heappush(queue, (whole, -length, neighbour, moves, slants))
        return None

    def _index(self, cell: Cell) -> int:
        return (cell[0] + 1) * self._stride + cell[1] + 1

    def _neighbours(self, cell: int) -> list[tuple[int, bool]]:
        free, above, below = self._free, cell - self._stride, cell + self._stride
        found = [(there, False) for there in (above, cell - 1, cell + 1, below) if free[there]]
        for there in (above, below):
            for side in (-1, 1):
                if free[there] and free[cell + side] and free[there + side]:
                    found.append((there + side, True))
        return found
