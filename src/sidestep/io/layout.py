"""Lane graphs of other programs: a graph whose places and lanes have names, and what else is said of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..model.errors import FormatError, InputError
from ..model.graph import Graph
from .jsonfile import repeated


@dataclass(frozen=True)
class Layout:
    """A lane graph with the names that its places have elsewhere.

    What a file says beyond that is kept as it is, in the details, and written again in the same format. A
    file of another format has the graph, the names and the stations, and no details.

    Attributes:
        graph: The places and the lanes between them, one edge per lane, with positions in metres.
        names: What each vertex is called; no two are called the same.
        edge_names: What each edge is called. Some programs give the same name twice.
        stations: Places with a purpose by name, and the vertices from which each is served.
        form: The name of the format that the details are in; empty if there are none.
        details: What the file says beside its places and lanes.
        vertex_details: The same of each vertex.
        edge_details: The same of each edge.
    """

    graph: Graph
    names: tuple[str, ...]
    edge_names: tuple[str, ...]
    stations: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    form: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)
    vertex_details: tuple[Mapping[str, Any], ...] = ()
    edge_details: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def from_graph(cls, graph: Graph, names: Iterable[str] | None = None) -> Layout:
        """Names the vertices of a graph, so that other programs can be told of it.

        Args:
            graph: A graph with positions. An edge that may be used both ways becomes two lanes.
            names: What each vertex is called; None: `n0`, `n1`, …

        Returns:
            The layout. An edge is called after its two ends.

        Raises:
            InputError: It is no graph or has no positions, or the names are not different ones for all.
        """
        if not isinstance(graph, Graph):
            raise InputError(f"a layout is about a Graph, not a {type(graph).__name__}")
        if graph.positions is None:
            raise InputError("this graph has no positions, which other programs need: Graph(positions=...)")
        called = tuple(f"n{vertex}" for vertex in range(graph.n)) if names is None else tuple(names)
        if len(called) != graph.n or not all(isinstance(name, str) and name for name in called):
            raise InputError(f"names must be {graph.n} texts, one per vertex")
        twice = repeated(list(called))
        if twice is not None:
            raise InputError(f"two vertices are called {twice[:40]!r}")
        lanes = graph if graph.directed else _both_ways(graph)
        edge_names = tuple(f"{called[u]}-{called[v]}" for u, v in lanes.edges.tolist())
        return cls(lanes, called, edge_names)

    def vertex(self, name: str) -> int:
        """Looks up a place.

        Args:
            name: What a vertex is called, or a station, which stands for the first vertex that serves it.

        Returns:
            The vertex.

        Raises:
            InputError: Nothing has this name.
        """
        if name in self.names:
            return self.names.index(name)
        if self.stations.get(name):
            return self.stations[name][0]
        raise InputError(f"there is no place called {name!r} in this layout")


def _both_ways(graph: Graph) -> Graph:
    edges = np.stack([graph.edges, graph.edges[:, ::-1]], axis=1).reshape(-1, 2)
    pairs = graph.edge_conflicts
    conflicts = np.concatenate([2 * pairs + (i, j) for i in (0, 1) for j in (0, 1)]) if len(pairs) else None
    return Graph(graph.n, edges, directed=True, positions=graph.positions, edge_conflicts=conflicts)


def require_layout(layout: object, what: str) -> Layout:
    """The layout, if the format can hold it, or an InputError."""
    if not isinstance(layout, Layout):
        raise InputError(f"{what} is written from a Layout, not from a {type(layout).__name__}")
    if len(layout.graph.edge_conflicts):
        raise InputError(f"two edges of this graph conflict with each other, which {what} cannot say")
    return layout


def details_of(layout: Layout, form: str) -> tuple[Mapping[str, Any], list[Any], list[Any]]:
    """What is kept of a file, of its vertices and of its edges, if that is in the words of this format."""
    if layout.form != form:
        return {}, [{}] * layout.graph.n, [{}] * len(layout.edge_names)
    return layout.details, list(layout.vertex_details), list(layout.edge_details)


class Lanes:
    """The lanes of a file while it is read: places by their names, and ends that exist.

    Args:
        source: The name of the file.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._vertices: dict[str, int] = {}
        self._points: list[tuple[float, float]] = []
        self._vertex_details: list[Mapping[str, Any]] = []
        self._pairs: list[tuple[int, int]] = []
        self._edge_names: list[str] = []
        self._edge_details: list[Mapping[str, Any]] = []

    def add_place(
        self, name: str, point: tuple[float, float], details: Mapping[str, Any], error: Any
    ) -> None:
        """A place; `error` makes the error that says where in the file a mistake is."""
        if name in self._vertices:
            raise error(f"is a second place called {name[:40]!r}: give each a name of its own")
        self._vertices[name] = len(self._points)
        self._points.append(point)
        self._vertex_details.append(details)

    def place(self, name: str, error: Any) -> int:
        """The vertex of this name."""
        if name not in self._vertices:
            raise error(f"names the place {name[:40]!r}, which is not in this file")
        return self._vertices[name]

    def add_lane(self, name: str, ends: tuple[int, int], details: Mapping[str, Any], error: Any) -> None:
        """A lane from its first end to its second."""
        if ends[0] == ends[1]:
            raise error("leads from a place to itself: leave it out, since an agent can always wait")
        self._pairs.append(ends)
        self._edge_names.append(name)
        self._edge_details.append(details)

    def layout(
        self, form: str, stations: Mapping[str, tuple[int, ...]], details: Mapping[str, Any]
    ) -> Layout:
        """All that was read."""
        if not self._points:
            raise FormatError("there are no places in this layout", source=self._source)
        graph = Graph(len(self._points), self._pairs, directed=True, positions=self._points)
        return Layout(
            graph,
            tuple(self._vertices),
            tuple(self._edge_names),
            stations,
            form,
            details,
            tuple(self._vertex_details),
            tuple(self._edge_details),
        )


def chosen_part(kind: str, names: Sequence[str], asked: str | None, source: str) -> str:
    """Which layout or level of a file is read: the one that was asked for, or else the only one."""
    if not names:
        raise FormatError(f"there is no {kind} in it", source=source)
    shown = ", ".join(repr(name[:40]) for name in names[:5])
    if asked is None and len(names) > 1:
        raise FormatError(
            f"there are {len(names)} {kind}s: say which with {kind}=, one of {shown}", source=source
        )
    if asked is not None and asked not in names:
        raise InputError(f"{source} has no {kind} {asked!r}, only {shown}")
    return names[0] if asked is None else asked
