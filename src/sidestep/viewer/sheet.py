"""Where scenes are drawn: panels on a sheet, in pixels, with cells as large as there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..model.grid import Grid
from .layout import Points
from .scene import Scene

LARGEST_BODY = 96  # pixels
SMALLEST_BODY = (4, 9)  # the less, the more agents there are
BODY_ON_GRAPH = 0.6  # of the usual length of an edge
LEAST_WIDTH = 200  # of a panel with a title
TITLE, GAP, MARGIN = 30, 24, 8
BORDER = (2, 10)  # the wall around a map, thinner where cells are small


@dataclass(frozen=True)
class Panel:
    """Where a scene is drawn, in pixels of the sheet from its top left; `cell` is the side of a cell.

    `body` is the room for an agent: a cell, or less on a graph, whose edges should be seen between them,
    or more where cells are so small that agents would not be seen.
    """

    left: float
    top: float
    cell: float
    body: float
    bounds: tuple[float, float, float, float]  # what is seen: x and y at the top left and bottom right

    @property
    def width(self) -> float:
        return self.cell * (self.bounds[2] - self.bounds[0])

    @property
    def height(self) -> float:
        return self.cell * (self.bounds[3] - self.bounds[1])

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        """Where a point of the scene is on the sheet."""
        return self.left + (x - self.bounds[0]) * self.cell, self.top + (y - self.bounds[1]) * self.cell


@dataclass(frozen=True)
class Sheet:
    """The size of a picture in pixels, and the panels on it; both numbers are even, as films need them."""

    width: int
    height: int
    panels: tuple[Panel, ...]


def sheet_of(
    scenes: Sequence[Scene], width: float, height: float, *, titled: bool, finest: float = 1.0
) -> Sheet:
    """Panels side by side, from four on in two rows, with cells as large as fit into width and height.

    The cells of a grid have whole pixels, so that none looks larger than another. A map with more cells
    than pixels may be `finest` times larger than asked for, until its cells have one pixel.
    """
    columns = len(scenes) if len(scenes) <= 3 else -(-len(scenes) // 2)
    rows = -(-len(scenes) // columns)
    head = TITLE if titled else 0
    wide = (width - 2 * MARGIN - (columns - 1) * GAP) / columns
    high = (height - 2 * MARGIN - (rows - 1) * GAP) / rows - head
    fitted = [_fitted(scene, wide, high, finest) for scene in scenes]
    least = LEAST_WIDTH if titled else 1
    widths = [max(least, *(panel.width for panel in fitted[col::columns])) for col in range(columns)]
    heights = [max(panel.height for panel in fitted[row * columns :][:columns]) for row in range(rows)]
    lefts = MARGIN + np.cumsum([0.0, *(np.ceil(width) + GAP for width in widths)])
    tops = MARGIN + np.cumsum([0.0, *(np.ceil(height) + GAP + head for height in heights)])
    placed = tuple(
        replace(panel, left=float(lefts[index % columns]), top=float(tops[index // columns]) + head)
        for index, panel in enumerate(fitted)
    )
    return Sheet(_even(lefts[-1] - GAP + MARGIN), _even(tops[-1] - GAP + MARGIN), placed)


def _fitted(scene: Scene, width: float, height: float, finest: float) -> Panel:
    low, high = _extent(scene)
    across, down = np.maximum(high - low, 1e-9).tolist()
    share = 1.0 if isinstance(scene.space, Grid) else BODY_ON_GRAPH
    cell = min(LARGEST_BODY / share, (width - 2 * BORDER[1]) / across, (height - 2 * BORDER[1]) / down)
    if cell < 1:
        cell = min(1.0, cell * finest)
    elif isinstance(scene.space, Grid):
        cell = float(int(cell))
    border = float(np.clip(0.3 * cell // 1, *BORDER)) / cell
    bounds = (*(low - border).tolist(), *(high + border).tolist())
    room = 0.2 * cell * np.sqrt(across * down / max(len(scene.names), 1))
    return Panel(0, 0, cell, max(share * cell, float(np.clip(room, *SMALLEST_BODY))), bounds)


def _extent(scene: Scene) -> tuple[Points, Points]:
    if isinstance(scene.space, Grid):
        return np.zeros(2), np.array([scene.space.width, scene.space.height], dtype=np.float64)
    places = scene.places
    return places.min(axis=0) - 0.6, places.max(axis=0) + 0.6


def _even(pixels: float) -> int:
    return 2 * int(np.ceil(pixels / 2))
