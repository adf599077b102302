"""What agents see of a grid: a square window around each, in three layers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

Window = npt.NDArray[np.float32]
Cells = npt.NDArray[np.int64]  # (n, 2): row and column


def windows(open_cells: npt.NDArray[np.bool_], cells: Cells, goals: Cells, radius: int) -> Window:
    """The windows of agents, as an (n, 3, d, d) array with d = 2 * radius + 1.

    The first layer is 1 at walls and outside of the map, the second at other agents, and the third at the
    goal or, if that is not in the window, at the cell of its border that row and column of the goal come
    down to.
    """
    size, count = 2 * radius + 1, len(cells)
    found = np.zeros((count, 3, size, size), dtype=np.float32)
    walls = np.pad(~open_cells, radius, constant_values=True)
    others = np.zeros(walls.shape, dtype=np.bool_)
    others[cells[:, 0] + radius, cells[:, 1] + radius] = True
    rows, cols = cells[:, 0], cells[:, 1]
    found[:, 0] = sliding_window_view(walls, (size, size))[rows, cols]
    found[:, 1] = sliding_window_view(others, (size, size))[rows, cols]
    found[:, 1, radius, radius] = 0
    towards = np.clip(goals - cells, -radius, radius) + radius
    found[np.arange(count), 2, towards[:, 0], towards[:, 1]] = 1
    return found
