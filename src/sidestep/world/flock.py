"""Followers that flock behind their leader (the A* review: one route for the leader, a swarm behind it).

The three rules of flocks: a follower keeps *near* the leader, since it heads for a place of its own beside
the trail of the leader; it goes in the *same direction*, since the place moves as the leader does; and it
keeps *apart* from the others, since no two have the same place and the planner lets nobody collide.
"""

from __future__ import annotations

from collections.abc import Mapping

from .. import _core
from ..model.grid import Grid
from .shared_path import cells_apart

ABREAST = (0, 1, -1)  # lanes beside the trail: its middle, then left and right
ROW = 2  # cells from one row of followers to the next
AFRESH = 3  # turns in which all followers are once given the place where the leader leads them now
LAGGARDS = 3  # the leader waits if one of this many followers is left behind ...
SLACK = 6  # ... by more than this many cells
PATIENCE = 12  # turns that it waits at most, and then goes on at least


class Flock:
    """Places behind a leader, for the followers in order of how near they were to it at first.

    Args:
        grid: The space.
        leader: The vertex of the leader.
        followers: By unit its vertex.
    """

    def __init__(self, grid: Grid, leader: int, followers: Mapping[int, int]) -> None:
        self.grid = grid
        self._trail = [leader]  # the vertices that the leader has been on, one after another
        ranked = sorted(followers, key=lambda unit: (cells_apart(self.grid, leader, followers[unit]), unit))
        self._rank = {unit: rank for rank, unit in enumerate(ranked)}
        self._spots: dict[int, int] = {}
        self._longest = self._lag(len(ranked)) + ROW + 1  # of the trail, as far as somebody needs it
        self._waited = 0  # turns; negative while it goes on

    def leader_is_at(self, vertex: int) -> None:
        """Adds to the trail where the leader is now.

        Args:
            vertex: Its vertex.
        """
        if vertex != self._trail[-1]:
            self._trail = [*self._trail, vertex][-self._longest :]

    def spot(self, unit: int, time: int, space: _core.Space) -> int:
        """Names the place of a follower.

        Args:
            unit: The follower.
            time: Turns since the group set out: not all places move in the same turn.
            space: The core's form of the space.

        Returns:
            A vertex on the trail or beside it.
        """
        rank = self._rank[unit]
        if unit not in self._spots or (time + rank) % AFRESH == 0:
            self._spots[unit] = self._beside_trail(rank, space)
        return self._spots[unit]

    def waits(self, positions: Mapping[int, int]) -> bool:
        """Says whether the leader should wait for those left behind, for some turns at most.

        Args:
            positions: By follower its vertex.

        Returns:
            True if so.
        """
        here = self._trail[-1]
        behind = sum(
            cells_apart(self.grid, here, vertex) > self._lag(self._rank[unit]) + SLACK
            for unit, vertex in positions.items()
        )
        if self._waited < 0 or behind * LAGGARDS < max(len(positions), 1):
            self._waited = min(self._waited + 1, 0)
            return False
        self._waited += 1
        if self._waited > PATIENCE:
            self._waited = -PATIENCE
        return True

    @staticmethod
    def _lag(rank: int) -> int:
        return ROW * (rank // len(ABREAST) + 1)

    def _beside_trail(self, rank: int, space: _core.Space) -> int:
        place = max(len(self._trail) - 1 - self._lag(rank), 0)
        on_trail, lane = self._trail[place], ABREAST[rank % len(ABREAST)]
        (row, col), width = self.grid.place(on_trail), self.grid.width
        ahead = self._trail[min(place + ROW, len(self._trail) - 1)]
        down, right = _sign(ahead // width - row), _sign(ahead % width - col)
        row, col = row + lane * right, col - lane * down
        if not (0 <= row < self.grid.height and 0 <= col < width):
            return on_trail
        beside = row * width + col
        near = {on_trail}.union(space.successors(on_trail).tolist())
        return beside if beside in near else on_trail


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
