"""A lattice of rooms with walls between them, whose doors a random tree opens."""

from __future__ import annotations

import numpy as np

from .draws import Ids, Random

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

    def random_tree(self, random: Random) -> tuple[list[int], list[int]]:
        """The walls whose doors connect all rooms without a loop; and the others. See `wall_between`."""
        rooms = len(self.rows) * len(self.cols)
        walls = self._walls()
        leader = list(range(rooms))
        tree: list[int] = []
        others: list[int] = []
        for wall in walls[random.order(len(walls))].tolist():
            first, second = (_find(leader, room) for room in divmod(wall, rooms))
            (others if first == second else tree).append(wall)
            leader[first] = second
        return tree, others

    def _walls(self) -> Ids:
        """A number for every two rooms side by side: that of the first, times all rooms, and the second's."""
        across, rooms = len(self.cols), len(self.rows) * len(self.cols)
        room = np.arange(rooms, dtype=np.int64)
        beside = np.stack([room + 1, room + across], axis=1)
        exists = np.stack([(room + 1) % across != 0, room + across < rooms], axis=1)
        numbers: Ids = (room[:, None] * rooms + beside)[exists]
        return numbers

    def wall_between(self, wall: int) -> tuple[Band, Band]:
        """The rows and columns of the wall between a room and its right or lower neighbour."""
        first, second = divmod(wall, len(self.rows) * len(self.cols))
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
