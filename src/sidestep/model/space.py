"""Where agents can be: a grid or a graph."""

from __future__ import annotations

from .graph import Graph
from .grid import Grid

Space = Grid | Graph


def covered_cells(space: Space, vertex: int, size: int) -> list[int]:
    """The vertices that an agent of this size covers, row by row, if its top left cell is this one."""
    if size == 1 or not isinstance(space, Grid):
        return [vertex]
    return [vertex + row * space.width + col for row in range(size) for col in range(size)]
