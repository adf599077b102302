"""The connected regions of a grid."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model.grid import Grid
from .draws import Ids

_AT_ONCE = 1 << 17  # longer work of numpy on indices could not be interrupted for too long


def largest_region(grid: Grid) -> Grid:
    """The grid with all but its largest region filled; of equal ones the first in reading order stays."""
    regions = regions_of(grid)
    sizes = np.bincount(regions[grid.open], minlength=grid.n)
    kept = (regions == np.argmax(sizes)) & grid.open
    return Grid(kept.reshape(grid.passable.shape), grid.connectivity, grid.corners)


def regions_of(grid: Grid) -> Ids:
    """Per vertex, the smallest vertex that it is connected to.

    Every round, each region takes the number of its smallest neighbour and passes it on to all its
    cells, so that whole arrays do the work of a search.
    """
    first, second = _adjacent(grid)
    region = np.arange(grid.n, dtype=np.int64)
    while True:
        a, b = region[first], region[second]
        apart = a != b
        if not apart.any():
            return region
        first, second = first[apart], second[apart]
        lower, higher = np.minimum(a[apart], b[apart]), np.maximum(a[apart], b[apart])
        for begin in range(0, len(lower), _AT_ONCE):
            part = slice(begin, begin + _AT_ONCE)
            np.minimum.at(region, higher[part], lower[part])
        while not np.array_equal(region, shorter := region[region]):
            region = shorter


def _adjacent(grid: Grid) -> tuple[Ids, Ids]:
    """Pairs of free cells side by side. Diagonals connect nothing new unless both corners may be walls."""
    free, ids = grid.passable, np.arange(grid.n, dtype=np.int64).reshape(grid.passable.shape)
    steps: list[tuple[Any, Any]] = [(np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])]
    if grid.connectivity == 8 and grid.corners == "free":
        steps += [(np.s_[:-1, :-1], np.s_[1:, 1:]), (np.s_[:-1, 1:], np.s_[1:, :-1])]
    both = [(ids[here], ids[there], free[here] & free[there]) for here, there in steps]
    return (
        np.concatenate([here[joined] for here, _, joined in both]),
        np.concatenate([there[joined] for _, there, joined in both]),
    )
