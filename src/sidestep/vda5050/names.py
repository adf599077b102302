"""What the places and lanes of a graph are called in messages, and where they are."""

from __future__ import annotations

from dataclasses import dataclass

from ..io.layout import Layout
from ..model.errors import InputError
from ..model.graph import Graph
from .messages import NodePosition


@dataclass(frozen=True)
class Names:
    """The names of a layout, looked up both ways.

    Attributes:
        names: What each vertex is called.
        points: Where it is, in metres.
    """

    names: tuple[str, ...]
    points: tuple[tuple[float, float], ...]
    _vertices: dict[str, int]
    _edges: dict[tuple[int, int], str]

    @classmethod
    def of(cls, graph: Graph, layout: Layout) -> Names:
        """The names of a layout for a graph that has the same places, and no lanes beyond the layout's."""
        if not isinstance(layout, Layout):
            raise InputError(f"nodes are called as in an io.Layout, not a {type(layout).__name__}")
        lanes = [(u, v) for u, v in layout.graph.edges.tolist()]
        edges = dict(zip(lanes, layout.edge_names, strict=True))
        if not layout.graph.directed:
            edges |= {(v, u): name for (u, v), name in edges.items() if (v, u) not in edges}
        wanted = {(u, v) for u, v in graph.edges.tolist()}
        wanted |= set() if graph.directed else {(v, u) for u, v in wanted}
        if graph.n != layout.graph.n or not wanted <= edges.keys():
            raise InputError("the layout has other places or fewer lanes than the graph of the problem")
        if layout.graph.positions is None:
            raise InputError("the graph of the layout has no positions, which nodes need")
        points = tuple((float(x), float(y)) for x, y in layout.graph.positions.tolist())
        return cls(layout.names, points, {name: v for v, name in enumerate(layout.names)}, edges)

    def vertex(self, name: str) -> int | None:
        """The vertex of this name, or None."""
        return self._vertices.get(name)

    def leads(self, source: int, target: int) -> bool:
        """Whether there is a lane from one vertex to another."""
        return (source, target) in self._edges

    def edge(self, source: int, target: int) -> str:
        """What the lane from one vertex to another is called."""
        return self._edges[source, target]

    def position(self, vertex: int, map_id: str) -> NodePosition:
        """Where a vertex is, as messages have it."""
        x, y = self.points[vertex]
        return NodePosition(x=x, y=y, map_id=map_id)
