"""Scenes of Godot 4 (`.tscn`): the layers of tiles in them, of which some are walls.

Since Godot 4.3 a layer is a node TileMapLayer, whose `tile_map_data` is a number of 2 bytes, the version,
and then 12 bytes per cell: x and y, and what tile it is. Before, all layers were in one node TileMap:
`layer_0/name` and, as three numbers of 32 bits per cell, `layer_0/tile_data`. Bytes are written as numbers
or as base64.

A cell is a wall if the layer `walls` has a tile there and, with a `floor`, if that layer has none. What the
physics of a tileset says is not looked at. Godot's scenes hold more than we know of, so they are only read.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..model.errors import FormatError
from ..model.grid import Corners, Grid
from .files import Document, Readable, load
from .format import Format, begins
from .tiles import Patch, Region, TileLayer, free_cells, region_of, require_layer

WALLS = "Walls"

_NONE = 2**16 - 1  # the source of a cell without a tile
_LOGICAL_LINE = re.compile(r'(?:[^"\n]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)  # texts may go over several
_NODE = re.compile(r"\[node\s(.*)\]\s*\Z", re.DOTALL)
_FIELD = re.compile(r'\b(\w++)="((?:[^"\\]++|\\.)*+)"', re.DOTALL)
_ENTRY = re.compile(r"(?:layer_([0-9]{1,4})/)?(name|tile_data|tile_map_data) = (.*)\Z", re.DOTALL)
_ARRAY = re.compile(r'Packed(Byte|Int32)Array\(\s*+(?:"([A-Za-z0-9+/=\s]*+)"|([-0-9,\s]*+))\s*+\)\s*+\Z')


@dataclass
class _Layer:
    """A layer while its node is read."""

    name: str = ""
    cells: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 3), dtype=np.int64))


def read_godot(
    path: Readable,
    *,
    walls: str | None = WALLS,
    region: Region | None = None,
    floor: str | None = None,
    connectivity: Literal[4, 8] = 4,
    corners: Corners = "none",
) -> Grid:
    """Reads the tiles of a scene of Godot 4.

    Args:
        path: The file, a `.tscn`.
        walls: The layer whose tiles are walls; None: there is none. A TileMapLayer is called as its node is.
        region: The cells to read, as x, y, width and height. None: those from the first to the last with a
            tile of any layer, so that row 0 may be any.
        floor: The layer without whose tiles a cell is a wall; None: there is none.
        connectivity: As for `Grid`.
        corners: As for `Grid`.

    Returns:
        The map, of square tiles.

    Raises:
        FormatError: The file is malformed, or has no such layer.
        InputError: The file cannot be read, or another argument is not valid.
    """
    document = load(path)
    layers = [TileLayer(one.name, _patches(one.cells)) for one in document.parsed(_layers)]
    for name, option in ((walls, "walls"), (floor, "floor")):
        if name is not None:
            require_layer(layers, name, option, document.source)
    region = region_of(layers, region, document.source)
    return Grid(free_cells(layers, region, walls=walls, floor=floor), connectivity, corners)


def _patches(cells: npt.NDArray[np.int64]) -> list[Patch]:
    """One patch per row of 256 cells or less: two tiles that are far apart do not claim all between."""
    used = cells[cells[:, 2] != _NONE]
    keys = (used[:, 1] + 2**15) * 2**8 + (used[:, 0] + 2**15) // 2**8
    order = np.argsort(keys, kind="stable")
    used, keys = used[order], keys[order]
    found = []
    for part in np.split(used, np.flatnonzero(np.diff(keys)) + 1) if len(used) else []:
        left = int(part[:, 0].min())
        tiles = np.zeros((1, int(part[:, 0].max()) - left + 1), dtype=np.int64)
        tiles[0, part[:, 0] - left] = 1
        found.append(Patch(left, int(part[0, 1]), tiles))
    return found


def _layers(document: Document) -> list[_Layer]:
    found: list[_Layer] = []
    of_node: dict[str, _Layer] = {}
    kind = name = ""
    for line, text in _logical_lines(document):
        if text.startswith("["):
            node = _NODE.match(text)
            fields = dict(_FIELD.findall(node[1])) if node else {}
            kind, name, of_node = fields.get("type", ""), fields.get("name", ""), {}
            if kind == "TileMapLayer":
                found.append(of_node.setdefault("", _Layer(name)))
            continue
        entry = _ENTRY.match(text) if kind in ("TileMapLayer", "TileMap") else None
        if entry is None or (entry[1] is None) != (entry[2] == "tile_map_data"):
            continue
        key = entry[1] or ""
        if key not in of_node:
            found.append(of_node.setdefault(key, _Layer(f"Layer{key}")))
        if entry[2] == "name":
            of_node[key].name = entry[3].strip().removeprefix("&").strip('"')
        else:
            of_node[key].cells = _cells(entry[3], entry[2] == "tile_map_data", document.source, line)
    return found


def _logical_lines(document: Document) -> Iterator[tuple[int, str]]:
    """The lines with their numbers, where a text in quotes may go over several."""
    text, line, at = document.text, 1, 0
    while at < len(text):
        found = _LOGICAL_LINE.match(text, at)
        end = at if found is None else found.end()
        if end < len(text) and text[end] == '"':
            raise FormatError("a text in quotes does not end", source=document.source, line=line)
        yield line, text[at:end]
        line += text.count("\n", at, end + 1)
        at = end + 1


def _cells(value: str, is_newer: bool, source: str, line: int) -> npt.NDArray[np.int64]:
    """Per cell x, y and the source of its tile."""
    array = _ARRAY.match(value)
    if array is None or (array[1] == "Byte") != is_newer:
        kind = "PackedByteArray" if is_newer else "PackedInt32Array"
        raise FormatError(f"the tiles of a layer are a {kind} of numbers or base64", source=source, line=line)
    try:
        data = (
            base64.b64decode(array[2], validate=True) if array[2] is not None else _bytes(array[3], is_newer)
        )
    except (binascii.Error, ValueError):
        raise FormatError(
            "the tiles of a layer are not numbers of their size", source=source, line=line
        ) from None
    if is_newer:
        if data and data[:2] != b"\0\0":
            raise FormatError("the tiles are of a newer version than 0", source=source, line=line)
        data = data[2:]
    if len(data) % 12:
        raise FormatError("the tiles of a layer have 12 bytes per cell", source=source, line=line)
    cells = np.frombuffer(data, dtype="<i2").astype(np.int64).reshape(-1, 6)
    return np.column_stack([cells[:, :2], cells[:, 2] % 2**16])


def _bytes(text: str, is_newer: bool) -> bytes:
    numbers = [int(word) for word in text.split(",")] if text.strip() else []
    if is_newer:
        return bytes(numbers)
    if numbers and not -(2**31) <= min(numbers) <= max(numbers) < 2**31:
        raise ValueError
    return np.array(numbers, dtype="<i4").tobytes()


GODOT_FORMAT = Format(
    name="godot",
    title="Godot 4 scene with tiles",
    called="a scene of Godot",
    sniff=begins(r"\[gd_scene\b"),
    loads={Grid: read_godot},
    suffixes=(".tscn",),
)
