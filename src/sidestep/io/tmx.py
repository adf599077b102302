"""TMX, the XML of Tiled, as the same tree that its JSON is: so that there is one reader of both."""

from __future__ import annotations

import re
from typing import Any

from .files import Document
from .xmlfile import Element, xml_of

_WHOLE = "-?[0-9]{1,10}"


def tree_of(document: Document) -> dict[str, Any]:
    """A map or a tileset as its JSON would be, but for what nobody asks for."""
    root = xml_of(document)
    if root.name == "tileset":
        return _tileset(root)
    if root.name != "map":
        raise root.error(f"a file of Tiled is a map or a tileset, not a {root.name[:40]!r}")
    return {
        "type": "map",
        "orientation": root.attributes.get("orientation", "orthogonal"),
        "width": _integer(root, "width"),
        "height": _integer(root, "height"),
        "infinite": root.attributes.get("infinite", "0") != "0",
        "layers": _layers(root),
        "tilesets": [_tileset(one) for one in root.all("tileset")],
    }


def _integer(element: Element, name: str, usual: int | None = None) -> int:
    value = element.attributes.get(name, None if usual is None else str(usual))
    if value is None:
        raise element.error(f"this {element.name} has no {name}")
    if not re.fullmatch(_WHOLE, value):
        raise element.error(f"the {name} of a {element.name} must be a whole number, not {value[:40]!r}")
    return int(value)


def _layers(element: Element) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for child in element.children:
        name = child.attributes.get("name", "")
        if child.name == "layer":
            found.append({"type": "tilelayer", "name": name, **_tiles(child)})
        elif child.name == "group":
            found.append({"type": "group", "name": name, "layers": _layers(child)})
    return found


def _tiles(layer: Element) -> dict[str, Any]:
    data = next(layer.all("data"), None)
    if data is None:
        raise layer.error("this layer has no data")
    size = {"width": _integer(layer, "width"), "height": _integer(layer, "height")}
    how: dict[str, Any] = {
        name: data.attributes[name] for name in ("encoding", "compression") if name in data.attributes
    }
    chunks = [
        {name: _integer(chunk, name) for name in ("x", "y", "width", "height")}
        | {"data": _numbers(chunk, data)}
        for chunk in data.all("chunk")
    ]
    return {**size, **how, "chunks": chunks} if chunks else {**size, **how, "data": _numbers(data, data)}


def _numbers(holder: Element, data: Element) -> Any:
    """The tiles of a layer or a chunk: as numbers, or as the text that base64 is."""
    encoding = data.attributes.get("encoding")
    if encoding is None:
        return [_integer(tile, "gid", 0) for tile in holder.all("tile")]
    if encoding != "csv":
        return holder.text
    words = holder.text.replace("\n", "").split(",")
    wrong = next((word for word in words if not re.fullmatch(r"\s*[0-9]{1,10}\s*", word)), None)
    if wrong is not None:
        raise data.error(
            f"the tiles of a layer are whole numbers with commas between them, not {wrong[:40]!r}"
        )
    return [int(word) for word in words]


def _tileset(element: Element) -> dict[str, Any]:
    tiles = [
        {
            "id": _integer(tile, "id"),
            "properties": [_property(one) for some in tile.all("properties") for one in some.all("property")],
        }
        for tile in element.all("tile")
    ]
    found: dict[str, Any] = {"tiles": tiles}
    if "firstgid" in element.attributes:
        found["firstgid"] = _integer(element, "firstgid")
    if "source" in element.attributes:
        found["source"] = element.attributes["source"]
    return found


def _property(element: Element) -> dict[str, Any]:
    value: Any = element.attributes.get("value", "")
    kind = element.attributes.get("type", "string")
    return {
        "name": element.attributes.get("name", ""),
        "type": kind,
        "value": value == "true" if kind == "bool" else value,
    }
