"""Navigation graphs of Open-RMF: YAML with levels of vertices and lanes.

A vertex is `[x, y, {name: ..., ...}]` in metres and a lane `[from, to, {...}]`, by the indices of the
vertices of its level; a lane both ways is two lanes. The name may be empty or missing. What else is said of
vertices and lanes (`is_charger`, `speed_limit`, `dock_name`, …) is kept. Levels are connected by lifts only,
and each is a layout of its own.

PyYAML reads it: `pip install 'sidestep[io]'`.
"""

from __future__ import annotations

from typing import Any

from .files import FilePath, Readable, load, store_text
from .format import Format, yaml_begins
from .layout import Lanes, Layout, chosen_part, details_of, require_layout
from .yamlfile import Node, written, yaml_of


def read_rmf(path: Readable, *, level: str | None = None) -> Layout:
    """Reads a level of a navigation graph.

    Args:
        path: The file.
        level: The name of the level, which must be said if the file has several.

    Returns:
        The layout. A vertex without a name is called by its index. All that have names are stations.

    Raises:
        FormatError: The file is malformed, or is a building of the traffic editor, which is in pixels.
        InputError: The file cannot be read, or has no such level.
        MissingExtraError: PyYAML is not installed.
    """
    root = yaml_of(load(path))
    fields = root.mapping("a navigation graph")
    if "coordinate_system" in fields or "graphs" in fields:
        raise root.error(
            "this is a building of the traffic editor: make a navigation graph of it "
            "by building_map_generator nav"
        )
    name, chosen = _chosen(root, level)
    lanes = Lanes(root.source)
    stations = _add_vertices(lanes, chosen.field("vertices", "a level"))
    _add_lanes(lanes, chosen.field("lanes", "a level"), len(stations))
    rest = {
        key: node.plain()
        for key, node in chosen.mapping("a level").items()
        if key not in ("vertices", "lanes")
    }
    others = {key: node.plain() for key, node in fields.items() if key != "levels"}
    named = {one: (vertex,) for vertex, one in enumerate(stations) if one}
    return lanes.layout("rmf", named, {"root": others, "level": name, "rest": rest})


def _chosen(root: Node, level: str | None) -> tuple[str, Node]:
    levels = root.field("levels", "a navigation graph").mapping("levels")
    name = chosen_part("level", list(levels), level, root.source)
    return name, levels[name]


def _add_vertices(lanes: Lanes, vertices: Node) -> list[str]:
    """Adds the vertices, and returns their names as they are given."""
    entries = vertices.items("vertices")
    given = [_name(entry) for entry in entries]
    taken = set(given)
    for index, (entry, name) in enumerate(zip(entries, given, strict=True)):
        x, y, *more = entry.items("a vertex")
        called = name or str(index)
        while not name and called in taken:
            called = "_" + called
        lanes.add_place(
            called,
            (x.number("x"), y.number("y")),
            more[0].plain() if more else {},
            lambda said, entry=entry: entry.error(f"this vertex {said}"),
        )
    return given


def _name(entry: Node) -> str:
    parts = entry.items("a vertex")
    if not 2 <= len(parts) <= 3:
        raise entry.error(f"a vertex is [x, y, {{name: ...}}], not a list of {len(parts)}")
    named = parts[2].mapping("what is said of a vertex").get("name") if len(parts) == 3 else None
    if named is None or named.is_empty:
        return ""
    return named.text("the name of a vertex")


def _add_lanes(lanes: Lanes, entries: Node, vertices: int) -> None:
    for index, entry in enumerate(entries.items("lanes")):
        parts = entry.items("a lane")
        if not 2 <= len(parts) <= 3:
            raise entry.error(f"a lane is [from, to, {{...}}], not a list of {len(parts)}")
        ends = [part.integer("an end of a lane") for part in parts[:2]]
        for end in ends:
            if not 0 <= end < vertices:
                raise entry.error(f"this lane names vertex {end}: the level has 0 to {vertices - 1}")
        if len(parts) == 3:
            parts[2].mapping("what is said of a lane")
        lanes.add_lane(
            str(index),
            (ends[0], ends[1]),
            parts[2].plain() if len(parts) == 3 else {},
            lambda said, entry=entry: entry.error(f"this lane {said}"),
        )


def write_rmf(layout: Layout, path: FilePath) -> None:
    """Writes a navigation graph of one level.

    Args:
        layout: The layout, from any format or from `Layout.from_graph`. What a navigation graph said beyond
            the graph is written again; otherwise vertices have their names, and the level is called L1.
        path: The file.

    Raises:
        InputError: It is no layout, some edges of it conflict, or the file cannot be written.
    """
    store_text(path, dumps_rmf(layout))


def dumps_rmf(layout: Layout) -> str:
    """The text of such a file."""
    layout = require_layout(layout, "a navigation graph")
    details, of_vertices, of_edges = details_of(layout, "rmf")
    if layout.form != "rmf":
        of_vertices = [{"name": name} for name in layout.names]
    others: dict[str, Any] = details.get("root", {"building_name": "building"})
    rest: dict[str, Any] = details.get("rest", {})
    lines = [f"{written(key)}: {written(value)}" for key, value in others.items()]
    lines += ["levels:", f"  {written(details.get('level', 'L1'))}:"]
    lines += [f"    {written(key)}: {written(value)}" for key, value in rest.items()]
    points: Any = layout.graph.positions
    lines += _listed("vertices", zip(points.tolist(), of_vertices, strict=True))
    lines += _listed("lanes", zip(layout.graph.edges.tolist(), of_edges, strict=True))
    return "\n".join(lines) + "\n"


def _listed(key: str, entries: Any) -> list[str]:
    found = [f"      - {written([*numbers, details])}" for numbers, details in entries]
    return [f"    {key}:", *found] if found else [f"    {key}: []"]


RMF_FORMAT = Format(
    name="rmf",
    title="Open-RMF navigation graph, YAML",
    called="a navigation graph of Open-RMF",
    sniff=yaml_begins('"?building_name"?', '"?levels"?', "lifts", "doors"),
    loads={Layout: read_rmf},
    dumps={Layout: dumps_rmf},
    suffixes=(".yaml",),
    to="rmf",
)
