"""Layers of tiles as games have them, and the grid that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..model.arrays import BoolArray, is_whole
from ..model.errors import FormatError, InputError

MAX_CELLS = 2**24  # a grid's memory grows with its cells, and two tiles that are far apart claim all between

Region = tuple[int, int, int, int]  # x and y of the upper left cell, width and height


@dataclass(frozen=True)
class Patch:
    """A rectangle of a layer: its upper left cell, and per cell the number of its tile; 0 is none."""

    x: int
    y: int
    tiles: npt.NDArray[np.int64]


@dataclass(frozen=True)
class TileLayer:
    """A layer by its name."""

    name: str
    patches: Sequence[Patch]


def region_of(
    layers: Sequence[TileLayer], asked: Region | None, source: str, whole: Region | None = None
) -> Region:
    """The cells to look at: those asked for, or the whole map, or else all between those with tiles."""
    if asked is not None:
        _check(asked)
    found = asked or whole or _used(layers, source)
    if not 1 <= found[2] * found[3] <= MAX_CELLS:
        raise FormatError(
            f"the map is {found[2]} x {found[3]} cells, and may have {MAX_CELLS}: say which with region=",
            source=source,
        )
    return found


def _check(region: Any) -> None:
    fits = isinstance(region, (tuple, list)) and len(region) == 4 and all(map(is_whole, region))
    if not fits or region[2] < 1 or region[3] < 1 or any(abs(number) > 2**31 for number in region):
        raise InputError(f"region must be x, y, width and height in cells, not {region!r}")


def _used(layers: Sequence[TileLayer], source: str) -> Region:
    corners = [
        (
            patch.x + int(cols.min()),
            patch.y + int(rows.min()),
            patch.x + int(cols.max()),
            patch.y + int(rows.max()),
        )
        for layer in layers
        for patch in layer.patches
        for rows, cols in [np.nonzero(patch.tiles)]
        if rows.size
    ]
    if not corners:
        raise FormatError("there are no tiles in this map", source=source)
    left, top = (min(one[index] for one in corners) for index in (0, 1))
    right, bottom = (max(one[index] for one in corners) for index in (2, 3))
    return left, top, right - left + 1, bottom - top + 1


def laid(layer: TileLayer, region: Region) -> npt.NDArray[np.int64]:
    """The tiles of a layer in a region; 0 where there is none."""
    x, y, width, height = region
    found = np.zeros((height, width), dtype=np.int64)
    for patch in layer.patches:
        rows, cols = patch.tiles.shape
        top, left = max(patch.y, y), max(patch.x, x)
        bottom, right = min(patch.y + rows, y + height), min(patch.x + cols, x + width)
        if top < bottom and left < right:
            found[top - y : bottom - y, left - x : right - x] = patch.tiles[
                top - patch.y : bottom - patch.y, left - patch.x : right - patch.x
            ]
    return found


def free_cells(
    layers: Sequence[TileLayer],
    region: Region,
    *,
    walls: str | None,
    floor: str | None,
    blocked: npt.NDArray[np.int64] | None = None,
) -> BoolArray:
    """Per cell whether it is free: no tile on `walls`, one on `floor`, and none of those `blocked`."""
    free: BoolArray = np.ones((region[3], region[2]), dtype=np.bool_)
    has_floor: BoolArray = np.zeros_like(free)
    for layer in layers:
        tiles = laid(layer, region)
        if layer.name == walls:
            free &= tiles == 0
        if layer.name == floor:
            has_floor |= tiles != 0
        if blocked is not None and blocked.size:
            free &= ~np.isin(tiles, blocked)
    return free if floor is None else free & has_floor


def require_layer(layers: Sequence[TileLayer], name: str, option: str, source: str) -> None:
    """A FormatError that lists the layers, unless one has this name."""
    names = [layer.name for layer in layers]
    if name not in names:
        known = ", ".join(repr(one[:40]) for one in names[:5]) or "none"
        raise FormatError(
            f"no layer of tiles is called {name[:40]!r}: say with {option}= which, of {known}", source=source
        )
