"""A lattice of rooms with walls between them, whose doors a random tree opens."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from .draws import Random

Band = tuple[int, int]  # the first cell of a room or corridor along one axis, and the one after its last


class FloorPlan:
    """A lattice of rooms, walls one cell thick between them, all doors still closed."""

    def __init__(self, height: int, width: int, side: int) -> None:
        self.rows, self.cols = _bands(height, side), _bands(width, side)
        self.passable = np.zeros((height, width), dtype=np.bool_)
        for row in self.rows:
            for col in self.cols:
                self.open(row, col)

    def open(self, rows: Band, cols: Band) -> None:
        self.passable[slice(*rows), slice(*cols)] = True

    def random_tree(self, random: Random) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The walls (pairs of room numbers) whose doors connect all rooms without a loop; and the others."""
        walls = list(self._walls())
        leader = list(range(len(self.rows) * len(self.cols)))
        tree: list[tuple[int, int]] = []
        others: list[tuple[int, int]] = []
        for index in random.order(len(walls)).tolist():
            first, second = (_find(leader, room) for room in walls[index])
            (others if first == second else tree).append(walls[index])
            leader[first] = second
        return tree, others

    def _walls(self) -> Iterator[tuple[int, int]]:
        across = len(self.cols)
        for room in range(len(self.rows) * across):
            if (room + 1) % across:
                yield room, room + 1
            if room + across < len(self.rows) * across:
                yield room, room + across

    def wall_between(self, first: int, second: int) -> tuple[Band, Band]:
        """The rows and columns of the wall between a room and its right or lower neighbour."""
        (row, col), (below, right) = divmod(first, len(self.cols)), divmod(second, len(self.cols))
        if row == below:
            return self.rows[row], (self.cols[col][1], self.cols[right][0])
        return (self.rows[row][1], self.rows[below][0]), self.cols[col]


def _bands(length: int, side: int) -> list[Band]:
    return [(begin, min(begin + side, length)) for begin in range(0, length, side + 1)]


def _find(leader: list[int], item: int) -> int:
    """The leader of an item's set, halving the way there for the next time."""
    while leader[item] != item:
        leader[item] = leader[leader[item]]
        item = leader[item]
    return item
