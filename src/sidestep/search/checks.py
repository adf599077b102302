"""What is passed to a search, or a sentence on what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

import numpy as np
import numpy.typing as npt

from ..budget import Budget
from ..model.arrays import BoolArray, IntArray, int32_array, is_whole
from ..model.errors import InputError
from ..model.graph import Graph
from ..model.grid import Grid
from ..model.space import Space


def checked_space(space: Any) -> Space:
    """The space, or a sentence that it is none."""
    if not isinstance(space, (Grid, Graph)):
        raise InputError(f"a space is a Grid or a Graph, not {type(space).__name__}")
    return space


def checked_open(is_open: Any, space: Space) -> BoolArray:
    """Per vertex whether it is open, as it was saved."""
    if not isinstance(is_open, np.ndarray) or is_open.dtype != np.bool_ or is_open.shape != (space.n,):
        raise InputError("walls are one bool per vertex")
    return is_open


def checked_budget(budget: Any) -> Budget:
    """The budget, or one without limits."""
    if budget is None:
        return Budget()
    if not isinstance(budget, Budget):
        raise InputError(f"a budget is a Budget, not {budget!r}")
    return budget


def checked_name(value: Any, names: Iterable[str], what: str) -> str:
    """One of the names."""
    known = list(names)
    if isinstance(value, str) and value in known:
        return value
    near = get_close_matches(value, known, 1) if isinstance(value, str) else []
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise InputError(f"{what} is one of {', '.join(known)}, not {value!r}{hint}")


def checked_count(value: Any, what: str, low: int, high: int) -> int:
    """A whole number in a range."""
    if not is_whole(value) or not low <= value <= high:
        raise InputError(f"{what} must be a whole number from {low} to {high}, not {value!r}")
    return int(value)


def open_vertex(space: Space, is_open: BoolArray, place: Any, what: str) -> int:
    """The vertex of a place that is not blocked."""
    vertex = space.vertex(place)
    if not is_open[vertex]:
        raise InputError(f"the {what} {space.place(vertex)} is blocked")
    return vertex


def open_vertices(space: Space, is_open: BoolArray, places: Any, what: str) -> IntArray:
    """The same for an array: (n, 2) of cells on a grid, (n,) of vertices on a graph."""
    array = int32_array(places, what)
    if isinstance(space, Grid):
        array = array.reshape(0, 2) if array.size == 0 else array
        if array.ndim != 2 or array.shape[1] != 2:
            raise InputError(f"{what} must be an (n, 2) array of cells, not one of shape {array.shape}")
        if ((array < 0) | (array >= space.passable.shape)).any():
            raise InputError(
                f"{what}: a cell is outside the {space.height} x {space.width} cells of the grid"
            )
        vertices = (array[:, 0] * np.int32(space.width) + array[:, 1]).astype(np.int32)
    else:
        vertices = array.reshape(-1) if array.size == 0 else array
        if vertices.ndim != 1:
            raise InputError(f"{what} must be an array of vertices, not one of shape {array.shape}")
        if ((vertices < 0) | (vertices >= space.n)).any():
            raise InputError(f"{what}: a vertex is outside the graph of {space.n} vertices")
    blocked = np.flatnonzero(~is_open[vertices])
    if blocked.size:
        raise InputError(f"{what}[{blocked[0]}] = {space.place(vertices[blocked[0]])} is blocked")
    return vertices


def checked_bias(bias: Any, vertices: int, scale: int) -> npt.NDArray[np.int64]:
    """What is added to the heuristic per vertex, in `scale` parts of a step; -1 where the way may not go."""
    try:
        steps = np.asarray(bias, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        steps = np.empty(0)
    if steps.shape != (vertices,) or np.isnan(steps).any() or (steps < 0).any():
        raise InputError(f"a bias is a number of steps, 0 or more, for each of the {vertices} vertices")
    return np.where(np.isinf(steps), -1, np.minimum(np.rint(steps * scale), 2**52)).astype(np.int64)
