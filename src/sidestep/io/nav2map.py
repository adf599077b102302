"""Maps of Nav2's map server (and of ROS before it): YAML that names a picture, its resolution and its origin.

`image` is a path, from the folder of the YAML file. The occupancy of a pixel is 1 - shade, or with `negate:
1` the shade. In the mode trinary it is a wall above `occupied_thresh`, free below `free_thresh` and unknown
between; so it is in the mode scale, but that there what can be seen through is unknown, too. In the mode raw
the value of a pixel is its occupancy in percent, judged by the same thresholds, and above 100 it is unknown.
Row 0 is the top row of the picture, so the `origin`, the lower left corner, is below the last row of the
grid.

Pixels are smaller than robots: `robot` makes cells of the size of a robot, each of which is free if all of
it is.

PyYAML reads the file, and Pillow pictures other than PGM: `pip install 'sidestep[io]'`.
"""

from __future__ import annotations

import math
import os
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..model.arrays import BoolArray, is_whole
from ..model.errors import InputError
from ..model.grid import Corners, Grid
from .cells import require_grid
from .files import FilePath, Readable, load, source_of, store_bytes, store_text
from .format import Format, yaml_begins
from .images import pgm_of, read_shades
from .yamlfile import Node, written, yaml_of

FIELDS = ("image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh", "mode")
MODES = ("trinary", "scale", "raw")


def read_nav2_map(
    path: Readable,
    *,
    robot: float | None = None,
    unknown: bool = False,
    connectivity: Literal[4, 8] = 4,
    corners: Corners = "none",
) -> Grid:
    """Reads a map of Nav2's map server.

    Args:
        path: The YAML file, whose picture is opened beside it. A document without a folder has none.
        robot: How wide a robot is, in metres: a cell is as many pixels wide as that takes. None: a cell per
            pixel.
        unknown: Are cells free of which nobody knows whether they are?
        connectivity: As for `Grid`.
        corners: As for `Grid`.

    Returns:
        The map. Where the pixels do not make whole cells, those at the right and the bottom are walls.

    Raises:
        FormatError: The file or the picture is malformed, or has a field that is unknown.
        InputError: A file cannot be read, or another argument is not valid.
        MissingExtraError: PyYAML or Pillow is needed and not installed.
    """
    document = load(path)
    root = yaml_of(document)
    fields = root.mapping("a map of Nav2")
    for name, node in fields.items():
        if name not in FIELDS:
            raise node.error(f"{name[:40]!r} is not a field of such a map: those are {', '.join(FIELDS)}")
    _check_origin(root)
    free = _free(root, read_shades(document.beside(_image(root), "image")), unknown)
    return Grid(_coarse(free, _pixels(robot, _resolution(root))), connectivity, corners)


def _image(root: Node) -> str:
    return root.field("image", "a map of Nav2").text("image")


def _check_origin(root: Node) -> None:
    node = root.field("origin", "a map of Nav2")
    if len([one.number("origin") for one in node.items("origin")]) != 3:
        raise node.error("the origin is three numbers: x and y in metres, and a turn")


def _resolution(root: Node) -> float:
    node = root.field("resolution", "a map of Nav2")
    found = node.number("resolution")
    if not found > 0:
        raise node.error(f"the resolution is metres per pixel, above 0, not {found:g}")
    return found


def _free(
    root: Node, picture: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64] | None], unknown: bool
) -> BoolArray:
    shades, alpha = picture
    mode = _mode(root)
    low, high = _threshold(root, "free_thresh"), _threshold(root, "occupied_thresh")
    if low > high:
        raise root.error(f"free_thresh {low:g} is above occupied_thresh {high:g}")
    is_hidden: BoolArray = np.zeros(shades.shape, dtype=np.bool_)
    if mode == "raw":
        occupancy = np.rint(shades * 255) / 100
        is_hidden = occupancy > 1
    else:
        negate = root.field("negate", "a map of Nav2").plain()
        occupancy = shades if negate in (1, True) else 1 - shades
        if mode == "scale" and alpha is not None:
            is_hidden = np.less(alpha, 1)
    found: BoolArray = (occupancy <= high) | is_hidden if unknown else (occupancy < low) & ~is_hidden
    return found


def _mode(root: Node) -> str:
    node = root.mapping("a map of Nav2").get("mode")
    mode = "trinary" if node is None else node.text("mode")
    if node is not None and mode not in MODES:
        raise node.error(f"the mode must be {', '.join(MODES[:2])} or {MODES[2]}, not {mode[:40]!r}")
    return mode


def _threshold(root: Node, name: str) -> float:
    node = root.field(name, "a map of Nav2")
    found = node.number(name)
    if not 0 <= found <= 1:
        raise node.error(f"{name} must be from 0 to 1, not {found:g}")
    return found


def _pixels(robot: float | None, resolution: float) -> int:
    """How many pixels a cell is wide."""
    if robot is None:
        return 1
    if not isinstance(robot, (int, float)) or isinstance(robot, bool) or not 0 < robot < math.inf:
        raise InputError(f"robot must be a width in metres above 0, not {robot!r}")
    # The width of a robot in a file's decimals must not take a pixel more for the last of its bits.
    return max(1, math.ceil(min(robot / resolution, 2**31) - 1e-9))


def _coarse(free: BoolArray, pixels: int) -> BoolArray:
    if pixels == 1:
        return free
    rows, cols = (size // pixels for size in free.shape)
    found: BoolArray = np.zeros([-(-size // pixels) for size in free.shape], dtype=np.bool_)
    whole = free[: rows * pixels, : cols * pixels]
    found[:rows, :cols] = whole.reshape(rows, pixels, cols, pixels).all(axis=(1, 3))
    return found


def write_nav2_map(grid: Grid, path: FilePath, *, resolution: float = 1.0, pixels: int = 1) -> None:
    """Writes a map for Nav2's map server: a YAML file, and beside it a PGM of the same name.

    Args:
        grid: The map. Connectivity and corners are not part of the format.
        path: The YAML file.
        resolution: Metres per pixel.
        pixels: How many pixels a cell is wide.

    Raises:
        InputError: It is no grid, an argument is not valid, or a file cannot be written.
    """
    grid = require_grid(grid)
    if isinstance(resolution, bool) or not isinstance(resolution, (int, float)) or not 0 < resolution < 1e300:
        raise InputError(f"resolution must be metres per pixel above 0, not {resolution!r}")
    if not is_whole(pixels) or not 1 <= pixels <= 1024:
        raise InputError(f"pixels must be a whole number from 1 to 1024, not {pixels!r}")
    picture = os.path.splitext(source_of(path))[0] + ".pgm"
    shades = np.where(grid.passable, 254, 0).astype(np.uint8)
    store_bytes(picture, pgm_of(np.kron(shades, np.ones((pixels, pixels), dtype=np.uint8))))
    fields = {
        "image": os.path.basename(picture),
        "mode": "trinary",
        "resolution": float(resolution),
        "origin": [0.0, 0.0, 0.0],
        "negate": 0,
        "occupied_thresh": 0.65,
        "free_thresh": 0.25,
    }
    store_text(path, "".join(f"{name}: {written(value)}\n" for name, value in fields.items()))


NAV2_MAP_FORMAT = Format(
    name="nav2-map",
    title="Nav2 map, YAML with a picture",
    called="a map of Nav2",
    sniff=yaml_begins(*FIELDS),
    loads={Grid: read_nav2_map},
    writes={Grid: write_nav2_map},
    suffixes=(".yaml",),
    to="nav2-map",
)
