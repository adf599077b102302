"""Route graphs of Nav2: GeoJSON with a Point per node and a line per directed edge.

The properties of a node have an `id`, those of an edge an `id`, a `startid` and an `endid`. What else is
said (`frame`, `metadata`, `operations`, `cost`, `overridable`, the geometry of an edge) is kept. Nav2's own
examples give an `id` to two edges, so names of edges may repeat; those of nodes may not.
"""

from __future__ import annotations

from typing import Any

from .files import Document, FilePath, Readable, load, store_text
from .format import Format, is_object
from .jsonfile import INT32, Record, is_number, laid_out, record_of
from .layout import Lanes, Layout, details_of, require_layout

_LINES = ("LineString", "MultiLineString")


def read_route_graph(path: Readable) -> Layout:
    """Reads a route graph of Nav2.

    Args:
        path: The file.

    Returns:
        The layout: the names are the ids, as texts. It has no stations.

    Raises:
        FormatError: The file is malformed, or its nodes are in different frames.
        InputError: The file cannot be read.
    """
    root = record_of(load(path))
    if root.text("type") != "FeatureCollection":
        raise root.error("type", "must be 'FeatureCollection'")
    root.refuse_unwieldy("features")
    lanes, edges, frames = Lanes(root.source), list[Record](), set[str]()
    for feature in root.records("features"):
        kind = feature.record("geometry").text("type")
        if kind == "Point":
            frames.add(_add_node(lanes, feature))
        elif kind in _LINES:
            edges.append(feature)
        else:
            raise feature.error("geometry.type", f"must be Point or {' or '.join(_LINES)}, not {kind[:40]!r}")
    if len(frames) > 1:
        first, second = sorted(frames)[:2]
        raise root.error(
            "features", f"are in the frames {first[:40]!r} and {second[:40]!r}: transform them to one"
        )
    for edge in edges:
        _add_edge(lanes, edge)
    return lanes.layout("route-graph", {}, root.rest("features"))


def _add_node(lanes: Lanes, feature: Record) -> str:
    """Adds a node and returns its frame."""
    properties, geometry = feature.record("properties"), feature.record("geometry")
    point = geometry.items("coordinates")
    if len(point) < 2 or not all(map(is_number, point)):
        raise geometry.error("coordinates", "must be the numbers x and y")
    lanes.add_place(
        str(properties.integer("id", low=0)),
        (float(point[0]), float(point[1])),
        {
            "feature": feature.rest("type", "properties", "geometry"),
            "properties": properties.rest("id"),
            "geometry": geometry.rest("type", "coordinates"),
            "more": point[2:],
        },
        lambda said: properties.error("id", said),
    )
    return properties.text("frame") if properties.has("frame") else "map"


def _add_edge(lanes: Lanes, feature: Record) -> None:
    properties = feature.record("properties")
    ends = [
        lanes.place(
            str(properties.integer(end, low=0, high=INT32)),
            lambda said, end=end: properties.error(end, said),
        )
        for end in ("startid", "endid")
    ]
    feature.record("geometry").items("coordinates")
    lanes.add_lane(
        str(properties.integer("id", low=0)),
        (ends[0], ends[1]),
        {**feature.rest("type", "properties"), "properties": properties.rest("id", "startid", "endid")},
        lambda said: properties.error("endid", said),
    )


def write_route_graph(layout: Layout, path: FilePath) -> None:
    """Writes a route graph of Nav2.

    Args:
        layout: The layout, from any format or from `Layout.from_graph`. What a route graph said beyond the
            graph is written again. The ids of other layouts are numbered, nodes and edges together, and
            nodes have their names in `metadata`.
        path: The file.

    Raises:
        InputError: It is no layout, some edges of it conflict, or the file cannot be written.
    """
    store_text(path, dumps_route_graph(layout))


def dumps_route_graph(layout: Layout) -> str:
    """The text of such a file."""
    layout = require_layout(layout, "a route graph")
    details, of_nodes, of_edges = details_of(layout, "route-graph")
    is_ours = layout.form != "route-graph"
    ids = list(range(layout.graph.n)) if is_ours else [int(name) for name in layout.names]
    edge_ids = [layout.graph.n + edge for edge in range(len(layout.edge_names))] if is_ours else None
    points: Any = layout.graph.positions
    nodes = [
        _node(
            number,
            point,
            more if not is_ours else {"properties": {"frame": "map", "metadata": {"name": name}}},
        )
        for number, name, point, more in zip(ids, layout.names, points.tolist(), of_nodes, strict=True)
    ]
    edges = [
        _edge(
            edge_ids[index] if edge_ids else int(layout.edge_names[index]), [ids[u], ids[v]], of_edges[index]
        )
        for index, (u, v) in enumerate(layout.graph.edges.tolist())
    ]
    for edge, (u, v) in zip(edges, layout.graph.edges.tolist(), strict=True):
        edge.setdefault("geometry", {"type": "LineString", "coordinates": points[[u, v]].tolist()})
    return laid_out({"type": "FeatureCollection", **details, "features": [*nodes, *edges]})


def _node(number: int, point: list[float], more: Any) -> dict[str, Any]:
    return {
        "type": "Feature",
        "properties": {"id": number, **more.get("properties", {})},
        "geometry": {
            "type": "Point",
            "coordinates": [*point, *more.get("more", [])],
            **more.get("geometry", {}),
        },
        **more.get("feature", {}),
    }


def _edge(number: int, ends: list[int], more: Any) -> dict[str, Any]:
    rest = {name: value for name, value in more.items() if name != "properties"}
    properties = {"id": number, "startid": ends[0], "endid": ends[1], **more.get("properties", {})}
    return {"type": "Feature", "properties": properties, **rest}


def _is_geojson(document: Document) -> bool:
    return is_object(document) and record_of(document).values.get("type") == "FeatureCollection"


ROUTE_GRAPH_FORMAT = Format(
    name="route-graph",
    title="Nav2 route graph, GeoJSON",
    called="a route graph of Nav2",
    sniff=_is_geojson,
    loads={Layout: read_route_graph},
    dumps={Layout: dumps_route_graph},
    suffixes=(".geojson",),
    to="route-graph",
)
