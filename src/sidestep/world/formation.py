"""Places around a goal, and which unit of a group takes which of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..model.arrays import BoolArray, IntArray
from ..model.errors import InputError

Offsets = npt.NDArray[np.float64]

CHOICE = 4  # places per unit that are looked at around the goal


def in_formation(offsets: Offsets, places: Offsets) -> IntArray:
    """Which place each unit takes, so that they stand to each other as before as nearly as possible.

    `offsets` are from the middle of the units, `places` from the goal. Units that are too far apart for the
    places come closer, all in the same proportion.
    """
    spread, room = np.abs(offsets).max(initial=0.0), np.abs(places).max(initial=0.0)
    wanted = offsets * min(1.0, room / spread) if spread > 0 else offsets
    squares = sum((wanted[:, None, axis] - places[:, axis]) ** 2 for axis in range(2))
    return _core.assign(np.rint(squares * 256).astype(np.int64))


def among(some: Collection[int] | IntArray, vertices: IntArray, n: int) -> BoolArray:
    """Which of the vertices, all below n, are among these.

    Not `np.isin`: the first call of that imports a large part of numpy, in the middle of a turn.
    """
    marked = np.zeros(n, dtype=np.bool_)
    marked[some if isinstance(some, np.ndarray) else np.fromiter(some, np.int64, len(some))] = True
    return marked[vertices]


def places_around(space: _core.Space, goal: int, count: int, taken: Collection[int], shown: Any) -> IntArray:
    """The places nearest to a goal, the goal first, without those taken; enough of them to choose.

    `shown` is what an error calls the goal.
    """
    some = CHOICE * count + 8
    vertices, distances, _ = _core.surroundings(space, goal, some + len(taken))
    free = ~among(taken, vertices, space.size)
    vertices, distances = vertices[free], distances[free]
    if len(vertices) < count:
        room = "1 unit" if len(vertices) == 1 else f"{len(vertices)} units"
        raise InputError(f"around {shown} there is room for {room}, not for {count}")
    nearest: IntArray = vertices[np.lexsort((vertices, distances))[:some]]
    return nearest
