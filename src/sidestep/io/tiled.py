"""Maps of Tiled, as JSON (`.tmj`) or XML (`.tmx`): layers of tiles, of which some are walls.

A cell is a wall if the layer `walls` has a tile there, or if a tile of any layer has the boolean property
`blocked`. With a `floor`, it is a wall where that layer has none, too. Tiles may be numbers, CSV or base64,
packed by gzip or zlib. The four highest bits of a tile's number say how it is turned. Layers in groups are
layers; objects, pictures and what classes of tiles have by default are not looked at.
"""

from __future__ import annotations

import base64
import binascii
import os
import zlib
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..model.grid import Corners, Grid
from .cells import require_grid
from .files import Document, FilePath, Readable, load, source_of, store_bytes, store_text
from .format import Format, begins, is_object
from .images import png_of
from .jsonfile import INT32, Record, laid_out, record_of
from .tiles import MAX_CELLS, Patch, Region, TileLayer, free_cells, region_of, require_layer
from .tmx import tree_of

WALLS, BLOCKED = "walls", "blocked"
TILE = 16  # pixels of a tile that we draw

_NUMBER = 2**28 - 1  # without the bits that say how a tile is turned
_MAX_DEPTH = 16  # of groups in groups


def read_tiled(
    path: Readable,
    *,
    walls: str | None = WALLS,
    blocked: str | None = BLOCKED,
    floor: str | None = None,
    region: Region | None = None,
    connectivity: Literal[4, 8] = 4,
    corners: Corners = "none",
) -> Grid:
    """Reads a map of Tiled.

    Args:
        path: The file, `.tmj` or `.tmx`. Tilesets in other files are opened beside it.
        walls: The layer whose tiles are walls; None: there is none.
        blocked: The boolean property of tiles that are walls; None: tilesets are not looked at.
        floor: The layer without whose tiles a cell is a wall; None: there is none.
        region: The cells to read, as x, y, width and height. None: the map; of one without bounds, the cells
            from the first to the last with a tile, so that row 0 may be any.
        connectivity: As for `Grid`.
        corners: As for `Grid`.

    Returns:
        The map.

    Raises:
        FormatError: The file is malformed or has hexagons, or has neither such a layer nor such a property.
        InputError: The file cannot be read, or another argument is not valid.
    """
    document = load(path)
    root = _root(document)
    orientation = root.text("orientation") if root.has("orientation") else "orthogonal"
    if orientation not in ("orthogonal", "isometric"):
        raise root.error("orientation", f"must be orthogonal or isometric, not {orientation[:40]!r}")
    layers = list(_layers(root, 0))
    width, height = root.integer("width", low=0), root.integer("height", low=0)
    is_endless = root.flag("infinite") if root.has("infinite") else False
    region = region_of(layers, region, document.source, None if is_endless else (0, 0, width, height))
    numbers = None if blocked is None else _blocked(root, blocked, document)
    _require_walls(layers, walls, numbers, document.source)
    if floor is not None:
        require_layer(layers, floor, "floor", document.source)
    free = free_cells(layers, region, walls=walls, floor=floor, blocked=numbers)
    return Grid(free, connectivity, corners)


def _root(document: Document) -> Record:
    if is_object(document):
        return record_of(document)
    return Record(document.parsed(tree_of), "", document.source)


def _require_walls(
    layers: list[TileLayer], walls: str | None, numbers: npt.NDArray[np.int64] | None, source: str
) -> None:
    if walls is None or (walls == WALLS and numbers is not None and numbers.size):
        return  # a map with such properties needs no such layer
    require_layer(layers, walls, "walls", source)


def _layers(holder: Record, depth: int) -> Iterator[TileLayer]:
    if depth > _MAX_DEPTH:
        raise holder.error("layers", f"are in more than {_MAX_DEPTH} groups")
    for layer in holder.records("layers"):
        kind = layer.text("type")
        if kind == "group":
            yield from _layers(layer, depth + 1)
        elif kind == "tilelayer":
            name = layer.text("name") if layer.has("name") else ""
            parts = layer.records("chunks") if layer.has("chunks") else [layer]
            yield TileLayer(name, [_patch(part, layer) for part in parts])


def _patch(part: Record, layer: Record) -> Patch:
    low, high = -INT32, INT32
    x, y = (part.integer(name, low=low, high=high) if part.has(name) else 0 for name in ("x", "y"))
    width, height = part.integer("width", low=0), part.integer("height", low=0)
    if width * height > MAX_CELLS:
        raise part.error("width", f"times height is more than {MAX_CELLS} cells")
    tiles = _unpacked(part, layer, width * height) if isinstance(part.get("data"), str) else _listed(part)
    if tiles.size != width * height:
        raise part.error("data", f"has {tiles.size} tiles and not {width} x {height}")
    return Patch(x, y, (tiles & _NUMBER).reshape(height, width))


def _listed(part: Record) -> npt.NDArray[np.int64]:
    return np.array(part.integers("data", low=0, high=2**32 - 1), dtype=np.int64)


def _unpacked(part: Record, layer: Record, cells: int) -> npt.NDArray[np.int64]:
    encoding = layer.text("encoding") if layer.has("encoding") else "csv"
    packing = layer.text("compression") if layer.has("compression") else ""
    if encoding != "base64" or packing not in ("", "gzip", "zlib"):
        raise layer.error(
            "compression",
            f"{packing[:20]!r} of {encoding[:20]!r} is not read: save the map as CSV, gzip or zlib",
        )
    try:
        data = base64.b64decode("".join(part.text("data").split()), validate=True)
        if packing:
            data = zlib.decompressobj(wbits=47).decompress(data, 4 * cells + 4)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise part.error("data", f"is not {packing} base64: {str(error)[:60]}") from None
    if len(data) % 4:
        raise part.error("data", "must have four bytes per tile")
    return np.frombuffer(data, dtype="<u4").astype(np.int64)


# Tilesets


def _blocked(root: Record, name: str, document: Document) -> npt.NDArray[np.int64]:
    """The numbers of the tiles that have a property."""
    found: list[int] = []
    for tileset in root.records("tilesets") if root.has("tilesets") else []:
        first = tileset.integer("firstgid", low=1, high=_NUMBER)
        own = _elsewhere(tileset, document) if tileset.has("source") else tileset
        if own.has("tileproperties"):
            raise own.error(
                "tileproperties", "is as of before Tiled 1.2: save the map anew, or say blocked=None"
            )
        tiles = own.records("tiles") if own.has("tiles") and isinstance(own.get("tiles"), list) else []
        found += [first + number for number in _with_property(tiles, name)]
    return np.array(found, dtype=np.int64)


def _elsewhere(tileset: Record, document: Document) -> Record:
    if document.folder is None:
        raise tileset.error("source", "is another file: read both from a folder, or say blocked=None")
    return _root(load(document.beside(tileset.text("source"), "tileset")))


def _with_property(tiles: list[Record], name: str) -> Iterator[int]:
    for tile in tiles:
        for one in tile.records("properties") if tile.has("properties") else []:
            if one.text("name") != name:
                continue
            if one.flag("value"):
                yield tile.integer("id", low=0, high=_NUMBER)


# Writing


def write_tiled(grid: Grid, path: FilePath) -> None:
    """Writes a map of Tiled: JSON with a layer `walls`, and beside it a picture of its one tile.

    Args:
        grid: The map. Connectivity and corners are not part of the format.
        path: The file, `.tmj`; the picture has the same name and ends in `.png`.

    Raises:
        InputError: It is no grid, or a file cannot be written.
    """
    grid = require_grid(grid)
    picture = os.path.splitext(source_of(path))[0] + ".png"
    store_bytes(picture, png_of(np.full((TILE, TILE), 64, dtype=np.uint8)))
    store_text(path, _text(grid, os.path.basename(picture)))


def _text(grid: Grid, picture: str) -> str:
    common = {"x": 0, "y": 0, "visible": True, "opacity": 1, "type": "tilelayer"}
    layer = {"id": 1, "name": WALLS, "width": grid.width, "height": grid.height, **common}
    tileset: dict[str, Any] = {
        "firstgid": 1,
        "name": WALLS,
        "image": picture,
        **{"imagewidth": TILE, "imageheight": TILE, "tilewidth": TILE, "tileheight": TILE},
        **{"columns": 1, "tilecount": 1, "margin": 0, "spacing": 0},
        "tiles": [{"id": 0, "properties": [{"name": BLOCKED, "type": "bool", "value": True}]}],
    }
    return laid_out(
        {
            "type": "map",
            "version": "1.10",
            "tiledversion": "1.11.0",
            "orientation": "orthogonal",
            "renderorder": "right-down",
            **{"width": grid.width, "height": grid.height, "tilewidth": TILE, "tileheight": TILE},
            **{"infinite": False, "nextlayerid": 2, "nextobjectid": 1, "compressionlevel": -1},
            "tilesets": [tileset],
            "layers": [{**layer, "data": np.where(grid.passable, 0, 1).ravel().tolist()}],
        }
    )


_IS_XML = begins(r"(<\?xml[^>]{0,200}>\s*)?<map[\s>]")


def _is_tiled(document: Document) -> bool:
    if not is_object(document):
        return _IS_XML(document)
    return {"layers", "tilewidth"} <= record_of(document).values.keys()


TILED_FORMAT = Format(
    name="tiled",
    title="Tiled map, JSON or XML (`.tmx`)",
    called="a map of Tiled",
    sniff=_is_tiled,
    loads={Grid: read_tiled},
    writes={Grid: write_tiled},
    suffixes=(".tmj",),
    to="tiled",
)
