"""Octile distance, for the last column of MovingAI scenarios: diagonals cost sqrt 2 and cut no corners."""

from __future__ import annotations

from heapq import heappop, heappush
from math import sqrt

from ..grid import Cell, Grid

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
        """The length of a shortest path, or None where there is no path."""
        source, target = self._index(start), self._index(goal)
        best = {source: (0, 0)}  # straight and diagonal moves, counted apart: sums stay exact
        queue = [(self._estimate(source, target), source)]
        closed = set()
        while queue:
            _, cell = heappop(queue)
            if cell == target:
                return _length(best[cell])
            if cell in closed:
                continue
            closed.add(cell)
            straight, diagonal = best[cell]
            for neighbour, slanted in self._neighbours(cell):
                moves = (straight, diagonal + 1) if slanted else (straight + 1, diagonal)
                if neighbour not in best or _length(moves) < _length(best[neighbour]):
                    best[neighbour] = moves
                    heappush(queue, (_length(moves) + self._estimate(neighbour, target), neighbour))
        return None

    def _index(self, cell: Cell) -> int:
        return (cell[0] + 1) * self._stride + cell[1] + 1

    def _estimate(self, cell: int, target: int) -> float:
        row, col = divmod(cell, self._stride)
        goal_row, goal_col = divmod(target, self._stride)
        short, long = sorted((abs(row - goal_row), abs(col - goal_col)))
        return long - short + short * _ROOT2

    def _neighbours(self, cell: int) -> list[tuple[int, bool]]:
        free, stride = self._free, self._stride
        found = [(cell + step, False) for step in (-stride, -1, 1, stride) if free[cell + step]]
        for vertical in (-stride, stride):
            for side in (-1, 1):
                if free[cell + vertical] and free[cell + side] and free[cell + vertical + side]:
                    found.append((cell + vertical + side, True))
        return found


def _length(moves: tuple[int, int]) -> float:
    return moves[0] + moves[1] * _ROOT2
