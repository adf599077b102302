"""The Layout Interchange Format (LIF) of the VDMA, version 1.0.0: the lanes of driverless vehicles as JSON.

`layouts` has layouts with `nodes` (a `nodeId` and a `nodePosition` in metres), `edges` from a `startNodeId`
to an `endNodeId`, and `stations`, each with the `interactionNodeIds` from which it is served. A lane both
ways is two edges. What vehicles of a type may do is in `vehicleTypeEdgeProperties` and
`vehicleTypeNodeProperties`: an edge without the properties of a type is closed to it. All that is kept, and
none of it changes the graph, but that `vehicle_type` leaves out the edges that are closed to a type.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..model.errors import InputError
from .files import Document, FilePath, Readable, load, store_text
from .format import Format, is_object
from .jsonfile import Record, laid_out, record_of
from .layout import Lanes, Layout, chosen_part, details_of, require_layout

VERSION = "1.0.0"
ANY_VEHICLE = "vehicle"  # the type in a file that is written from a graph alone


def read_lif(path: Readable, *, layout: str | None = None, vehicle_type: str | None = None) -> Layout:
    """Reads a layout of a LIF file.

    Args:
        path: The file.
        layout: The `layoutId` of the layout, which must be said if the file has several.
        vehicle_type: The `vehicleTypeId` of vehicles: edges that are closed to them are left out. None: all
            edges.

    Returns:
        The layout: `nodeId` and `edgeId` are its names, and its edges lead one way.

    Raises:
        FormatError: The file is malformed.
        InputError: The file cannot be read, or has no such layout or type of vehicles.
    """
    root = record_of(load(path))
    root.refuse_unwieldy("metaInformation")
    root.record("metaInformation")
    root.refuse_unwieldy("layouts")
    chosen = _chosen(root, layout)
    lanes = Lanes(root.source)
    for node in chosen.records("nodes"):
        _add_node(lanes, node)
    edges = chosen.records("edges")
    for edge in edges if vehicle_type is None else _open_to(vehicle_type, edges):
        _add_edge(lanes, edge)
    details = {"root": root.rest("layouts"), "layout": chosen.rest("nodes", "edges")}
    return lanes.layout("lif", _stations(lanes, chosen), details)


def _chosen(root: Record, layout: str | None) -> Record:
    found: dict[str, Record] = {}
    for one in root.records("layouts"):
        if found.setdefault(one.text("layoutId"), one) is not one:
            raise one.error("layoutId", "is that of another layout, too: give each an id of its own")
    return found[chosen_part("layout", list(found), layout, root.source)]


def _add_node(lanes: Lanes, node: Record) -> None:
    position = node.record("nodePosition")
    point = position.number("x"), position.number("y")
    name = node.text("nodeId")
    rest = node.rest("nodeId", "nodePosition")
    more = position.rest("x", "y")
    lanes.add_place(
        name,
        point,
        {**rest, "nodePosition": more} if more else rest,
        lambda said: node.error("nodeId", said),
    )


def _add_edge(lanes: Lanes, edge: Record) -> None:
    ends = [
        lanes.place(edge.text(end), lambda said, end=end: edge.error(end, said))
        for end in ("startNodeId", "endNodeId")
    ]
    lanes.add_lane(
        edge.text("edgeId"),
        (ends[0], ends[1]),
        edge.rest("edgeId", "startNodeId", "endNodeId"),
        lambda said: edge.error("endNodeId", said),
    )


def _open_to(vehicle_type: str, edges: list[Record]) -> Iterable[Record]:
    types = [
        {one.text("vehicleTypeId") for one in edge.records("vehicleTypeEdgeProperties")} for edge in edges
    ]
    known = sorted(set().union(*types))
    if vehicle_type not in known:
        names = ", ".join(repr(name[:40]) for name in known[:5]) or "none"
        raise InputError(f"no edge is open to vehicles of the type {vehicle_type!r}: the file has {names}")
    return [edge for edge, one in zip(edges, types, strict=True) if vehicle_type in one]


def _stations(lanes: Lanes, chosen: Record) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for station in chosen.records("stations") if chosen.has("stations") else []:
        name = station.text("stationId")
        if name in found:
            raise station.error("stationId", f"is a second station called {name[:40]!r}")
        found[name] = tuple(_served_from(lanes, station))
    return found


def _served_from(lanes: Lanes, station: Record) -> Iterable[int]:
    for index, node in enumerate(station.items("interactionNodeIds")):
        where = f"interactionNodeIds[{index}]"
        if not isinstance(node, str):
            raise station.error(where, "must be a string, the nodeId of a node")
        yield lanes.place(node, lambda said, where=where: station.error(where, said))


# Writing


def write_lif(layout: Layout, path: FilePath) -> None:
    """Writes a LIF file.

    Args:
        layout: The layout, from any format or from `Layout.from_graph`. What a LIF file said beyond the graph
            is written again. Otherwise all edges are open to one type of vehicles, and the export is dated
            to the beginning of 1970, since the same layout gives the same bytes.
        path: The file.

    Raises:
        InputError: It is no layout, some edges of it conflict, or the file cannot be written.
    """
    store_text(path, dumps_lif(layout))


def dumps_lif(layout: Layout) -> str:
    """The text of such a file."""
    layout = require_layout(layout, "a LIF file")
    details, of_nodes, of_edges = details_of(layout, "lif")
    first = {
        "projectIdentification": "layout",
        "creator": "sidestep",
        "exportTimestamp": "1970-01-01T00:00:00Z",
        "lifVersion": VERSION,
    }
    said = details.get("layout") or {"layoutId": "layout", "layoutVersion": "1", "stations": _entries(layout)}
    return laid_out(
        {
            **details.get("root", {"metaInformation": first}),
            "layouts": [{**said, "nodes": _nodes(layout, of_nodes), "edges": _edges(layout, of_edges)}],
        }
    )


def _nodes(layout: Layout, details: list[Any]) -> list[dict[str, Any]]:
    points: Any = layout.graph.positions
    return [
        {
            "nodeId": name,
            **(
                {}
                if layout.form == "lif"
                else {"vehicleTypeNodeProperties": [{"vehicleTypeId": ANY_VEHICLE}]}
            ),
            **more,
            "nodePosition": {"x": x, "y": y, **more.get("nodePosition", {})},
        }
        for name, (x, y), more in zip(layout.names, points.tolist(), details, strict=True)
    ]


def _edges(layout: Layout, details: list[Any]) -> list[dict[str, Any]]:
    properties: dict[str, Any] = {"vehicleTypeId": ANY_VEHICLE, "rotationAllowed": True}
    return [
        {
            "edgeId": name,
            "startNodeId": layout.names[u],
            "endNodeId": layout.names[v],
            **({} if layout.form == "lif" else {"vehicleTypeEdgeProperties": [properties]}),
            **more,
        }
        for name, (u, v), more in zip(layout.edge_names, layout.graph.edges.tolist(), details, strict=True)
    ]


def _entries(layout: Layout) -> list[dict[str, Any]]:
    return [
        {"stationId": name, "interactionNodeIds": [layout.names[vertex] for vertex in vertices]}
        for name, vertices in layout.stations.items()
    ]


def _is_lif(document: Document) -> bool:
    return is_object(document) and {"metaInformation", "layouts"} <= record_of(document).values.keys()


LIF_FORMAT = Format(
    name="lif",
    title="VDMA LIF layout, JSON",
    called="a LIF layout",
    sniff=_is_lif,
    loads={Layout: read_lif},
    dumps={Layout: dumps_lif},
    suffixes=(".lif",),
    to="lif",
)
