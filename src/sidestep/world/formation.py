"""Places around a goal, and which unit of a group takes which of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _core
from ..model.arrays import IntArray
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
    squares = ((wanted[:, None, :] - places[None, :, :]) ** 2).sum(axis=2)
    return _core.assign(np.rint(squares * 256).astype(np.int64))


def places_around(space: _core.Space, goal: int, count: int, taken: Collection[int], shown: Any) -> IntArray:
    """The places nearest to a goal, the goal first, without those taken; enough of them to choose.

    `shown` is what an error calls the goal.
    """
    some = CHOICE * count + 8
    vertices, distances, _ = _core.surroundings(space, goal, some + len(taken))
    free = ~np.isin(vertices, list(taken))
    vertices, distances = vertices[free], distances[free]
    if len(vertices) < count:
        room = "1 unit" if len(vertices) == 1 else f"{len(vertices)} units"
        raise InputError(f"around {shown} there is room for {room}, not for {count}")
    nearest: IntArray = vertices[np.lexsort((vertices, distances))[:some]]
    return nearest
