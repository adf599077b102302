"""What a grid or a graph says to moves: edges, corners, and lanes that two moves may not share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..model.arrays import BoolArray, read_only
from ..model.graph import Graph
from ..model.grid import Grid
from ..model.space import Space

Ints = npt.NDArray[np.int64]
Positions = npt.NDArray[np.signedinteger[Any]]

ABSENT = -1  # the vertex of an agent that is not there


@dataclass(frozen=True)
class Moves:
    """The moves of a block, one entry each: the step (0 is the block's first), who, from where, to where."""

    step: Ints
    agent: Ints
    source: Ints
    target: Ints
    start_time: int

    @classmethod
    def between(cls, before: Ints, after: Ints, start_time: int) -> Moves:
        step, agent = np.nonzero((before != after) & (before != ABSENT) & (after != ABSENT))
        return cls(step, agent, before[step, agent], after[step, agent], start_time)

    @property
    def times(self) -> Ints:
        return self.step + (self.start_time + 1)


@dataclass(frozen=True)
class Walk:
    """What a space says to moves: which break its edges or corners, and who needs which lane for itself.

    Entry k of the last three arrays: the move `mover[k]` uses `lane[k]`, and nobody may use `rival[k]`.
    """

    no_edge: BoolArray
    corner: BoolArray
    mover: Ints
    lane: Ints
    rival: Ints


NOBODY: Ints = read_only(np.empty(0, dtype=np.int64))


class GridGround:
    """Moves on a grid. A lane is one of the two diagonals of a 2x2 block, numbered by its top left cell."""

    def __init__(self, grid: Grid) -> None:
        self._width = grid.width
        self._diagonals = grid.connectivity == 8
        self._blocked_allowed = {"none": 0, "one": 1, "free": 2}[grid.corners]
        self.n_lanes = 2 * grid.n if self._diagonals else 0
        self.max_rivals = 1

    def walk(self, moves: Moves, is_open: BoolArray) -> Walk:
        width = self._width
        row, to_row = moves.source // width, moves.target // width
        col, to_col = moves.source - row * width, moves.target - to_row * width
        down, right = to_row - row, to_col - col
        near = (np.abs(down) <= 1) & (np.abs(right) <= 1)
        diagonal = near & (down != 0) & (right != 0)
        corner = np.zeros(len(near), dtype=np.bool_)
        if not self._diagonals:
            return Walk(~near | diagonal, corner, NOBODY, NOBODY, NOBODY)
        which = np.flatnonzero(diagonal)
        corner[which] = self._cuts_corner(moves.source[which], moves.target[which], right[which], is_open)
        top_left = np.minimum(row, to_row)[which] * width + np.minimum(col, to_col)[which]
        lane = 2 * top_left + (down[which] == right[which])
        return Walk(~near, corner, which, lane, lane ^ 1)

    def _cuts_corner(self, source: Ints, target: Ints, right: Ints, is_open: BoolArray) -> BoolArray:
        blocked: Ints = np.add(~is_open[source + right], ~is_open[target - right], dtype=np.int64)
        return blocked > self._blocked_allowed


class GraphGround:
    """Moves on a graph. A lane is an edge, or an arc where the graph is directed; parallel ones are one."""

    def __init__(self, graph: Graph) -> None:
        self._n = graph.n
        self._directed = graph.directed
        edges = graph.edges.astype(np.int64)
        self._lane_keys, lane_of_edge = np.unique(self._keys(edges[:, 0], edges[:, 1]), return_inverse=True)
        self.n_lanes = len(self._lane_keys)
        pairs = lane_of_edge[graph.edge_conflicts]
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]  # two agents on one edge swap, or meet at its end
        pairs = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
        self._rivals = pairs[:, 1]
        self._rivals_from = np.searchsorted(pairs[:, 0], np.arange(self.n_lanes + 1))
        self.max_rivals = int(np.diff(self._rivals_from).max(initial=1))

    def _keys(self, source: Ints, target: Ints) -> Ints:
        if not self._directed:
            source, target = np.minimum(source, target), np.maximum(source, target)
        return source * self._n + target

    def walk(self, moves: Moves, is_open: BoolArray) -> Walk:
        keys = self._keys(moves.source, moves.target)
        lane = np.searchsorted(self._lane_keys, keys)
        lane[lane == self.n_lanes] = 0
        no_edge = self._lane_keys[lane] != keys if self.n_lanes else np.ones(len(keys), dtype=np.bool_)
        return Walk(no_edge, np.zeros_like(no_edge), *self._lanes_in_conflict(lane, np.flatnonzero(~no_edge)))

    def _lanes_in_conflict(self, lane: Ints, on_edge: Ints) -> tuple[Ints, Ints, Ints]:
        """Every move on an edge, once per edge that conflicts with its own."""
        if self._rivals.size == 0:
            return NOBODY, NOBODY, NOBODY
        first = self._rivals_from[lane[on_edge]]
        number = self._rivals_from[lane[on_edge] + 1] - first
        mover = np.repeat(on_edge, number)
        nth = np.arange(len(mover)) - np.repeat(np.cumsum(number) - number, number)
        return mover, lane[mover], self._rivals[np.repeat(first, number) + nth]


def ground_of(space: Space) -> GridGround | GraphGround:
    """The ground of a space, read from its own arrays."""
    return GridGround(space) if isinstance(space, Grid) else GraphGround(space)
