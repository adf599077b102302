"""A general graph: numbered vertices, edges between them, and pairs of edges that collide."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from .arrays import BoolArray, FrozenSlots, IntArray, float_array, int32_array, is_whole, read_only
from .errors import InputError, MissingExtraError
from .grid import MAX_VERTICES

_CONFLICTS = "edge_conflicts"  # as an attribute of a networkx graph


class Graph(FrozenSlots):
    """Numbered vertices and the edges between them.

    Args:
        n: The number of vertices, which are `0..n-1`.
        edges: An (m, 2) array of vertex pairs. No edge leads from a vertex to itself.
        directed: False if every edge may be used both ways, True if only from its first to its second vertex.
        positions: An (n, 2) array of (x, y), for drawing only.
        edge_conflicts: A (k, 2) array of edge indices: two agents may not use the two edges of such a pair in
            the same step, in any direction, unless the rules allow crossing.

    Raises:
        InputError: An argument is none of these.
    """

    __slots__ = ("__weakref__", "directed", "edge_conflicts", "edges", "n", "positions")

    n: int
    edges: IntArray
    directed: bool
    positions: npt.NDArray[np.float64] | None
    edge_conflicts: IntArray

    def __init__(
        self,
        n: int,
        edges: Any,
        *,
        directed: bool = False,
        positions: Any = None,
        edge_conflicts: Any = None,
    ) -> None:
        if not is_whole(n) or not 1 <= n <= MAX_VERTICES:
            raise InputError(f"a graph has from 1 to {MAX_VERTICES} vertices, not {n!r}")
        if not isinstance(directed, (bool, np.bool_)):
            raise InputError(f"directed must be True or False, not {directed!r}")
        self.n = int(n)
        self.directed = bool(directed)
        self.edges = _pairs(edges, "edges", below=self.n, unit="vertex")
        loops = np.flatnonzero(self.edges[:, 0] == self.edges[:, 1])
        if loops.size:
            raise InputError(f"edge {loops[0]} leads from vertex {self.edges[loops[0], 0]} to itself")
        self.edge_conflicts = _pairs(
            () if edge_conflicts is None else edge_conflicts,
            "edge_conflicts",
            below=len(self.edges),
            unit="edge",
        )
        self.positions = None if positions is None else _positions(positions, self.n)

    @classmethod
    def from_networkx(cls, graph: Any) -> Graph:
        """Makes a graph from one of networkx.

        Args:
            graph: A `networkx` graph, directed or not. Its nodes become vertices in its order: node
                `list(graph)[v]` is vertex v. Edges from a node to itself are left out, since an agent can
                always wait; of several edges between two nodes one is left. If all nodes have a `pos`, two
                numbers (x, y), these are where they are drawn. Pairs of edges that conflict are those of
                `to_networkx`.

        Returns:
            The graph.

        Raises:
            InputError: It is no such graph, it has no nodes, or a `pos` is none.
        """
        if not all(hasattr(graph, one) for one in ("nodes", "edges", "is_directed")):
            raise InputError(f"from_networkx takes a graph of networkx, not {type(graph).__name__}")
        vertex_of = {node: vertex for vertex, node in enumerate(graph.nodes)}
        pairs = dict.fromkeys(
            (vertex_of[edge[0]], vertex_of[edge[1]]) for edge in graph.edges if edge[0] != edge[1]
        )
        conflicts = _indices_of_conflicts(getattr(graph, "graph", {}), vertex_of, pairs, graph.is_directed())
        drawn = [data.get("pos") for _, data in graph.nodes(data=True)]
        positions = None if any(one is None for one in drawn) else drawn
        return cls(
            len(vertex_of),
            list(pairs),
            directed=graph.is_directed(),
            positions=positions,
            edge_conflicts=conflicts,
        )

    def to_networkx(self) -> Any:
        """Makes a graph of networkx. What `from_networkx` makes of it may have its edges in another order.

        Returns:
            A `networkx.DiGraph` or `networkx.Graph` whose nodes are the vertices, in order, with their
            positions as `pos`. Pairs of edges that conflict, each edge as its two vertices, are in
            `graph["edge_conflicts"]`.

        Raises:
            InputError: Two edges connect the same vertices, so that a conflict would not say which it is
                about.
            MissingExtraError: networkx is not installed.
        """
        try:
            networkx = import_module("networkx")
        except ImportError as error:
            raise MissingExtraError("networkx", "graphs") from error
        made = networkx.DiGraph() if self.directed else networkx.Graph()
        made.add_nodes_from(range(self.n))
        edges = [(u, v) for u, v in self.edges.tolist()]
        made.add_edges_from(edges)
        if self.positions is not None:
            for vertex, point in enumerate(self.positions.tolist()):
                made.nodes[vertex]["pos"] = tuple(point)
        if len(self.edge_conflicts):
            if made.number_of_edges() < len(edges):
                raise InputError("two edges of this graph connect the same vertices, and some edges conflict")
            made.graph[_CONFLICTS] = [
                (edges[one], edges[other]) for one, other in self.edge_conflicts.tolist()
            ]
        return made

    @property
    def open(self) -> BoolArray:
        """Per vertex whether an agent may be there; on a graph, everywhere."""
        return np.broadcast_to(np.True_, self.n)

    def vertex(self, place: Any) -> int:
        """Checks a place, which on a graph is a vertex itself.

        Args:
            place: A vertex id.

        Returns:
            The same, as an int.

        Raises:
            InputError: It is no vertex of this graph.
        """
        if not is_whole(place):
            raise InputError(f"a place on a graph is a vertex id, not {place!r}")
        if not 0 <= place < self.n:
            raise InputError(f"vertex {place} is outside the graph of {self.n} vertices")
        return int(place)

    def place(self, vertex: int) -> int:
        """Converts a vertex to a place, which on a graph is the same.

        Args:
            vertex: A vertex id, which is not checked.

        Returns:
            The same, as an int.
        """
        return int(vertex)

    def _repr_svg_(self) -> str | None:
        from ..viewer.sketch import sketch_of_space  # noqa: PLC0415  # only notebooks ask for pictures

        return sketch_of_space(self)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Graph)
            and (self.n, self.directed) == (other.n, other.directed)
            and np.array_equal(self.edges, other.edges)
            and np.array_equal(self.edge_conflicts, other.edge_conflicts)
            and (self.positions is None) == (other.positions is None)
            and (self.positions is None or np.array_equal(self.positions, other.positions))  # type: ignore[arg-type]
        )

    def __hash__(self) -> int:
        return hash((self.n, self.directed, self.edges.tobytes(), self.edge_conflicts.tobytes()))

    def __repr__(self) -> str:
        kind = "directed, " if self.directed else ""
        return f"Graph({kind}{self.n} vertices, {len(self.edges)} edges)"


def _indices_of_conflicts(
    said: Any, vertex_of: dict[Any, int], pairs: dict[tuple[int, int], None], directed: bool
) -> list[tuple[int, int]]:
    """The pairs of edges that conflict, by their indices."""
    index = {pair: number for number, pair in enumerate(pairs)}
    if not directed:
        index |= {(v, u): number for (u, v), number in index.items()}
    try:
        return [
            (index[vertex_of[a], vertex_of[b]], index[vertex_of[c], vertex_of[d]])
            for (a, b), (c, d) in said.get(_CONFLICTS, ())
        ]
    except (KeyError, TypeError, ValueError):
        raise InputError(f"{_CONFLICTS} of a networkx graph must be pairs of its edges") from None


def _pairs(values: Any, what: str, *, below: int, unit: str) -> IntArray:
    array = int32_array(values, what)
    if array.size == 0:
        return read_only(np.empty((0, 2), dtype=np.int32))
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(f"{what} must be an (m, 2) array, not one of shape {array.shape}")
    outside = np.flatnonzero(((array < 0) | (array >= below)).any(axis=1))
    if outside.size:
        raise InputError(
            f"{what}[{outside[0]}] = {array[outside[0]].tolist()} names no {unit}: ids are 0 to {below - 1}"
        )
    return array


def _positions(values: Any, n: int) -> npt.NDArray[np.float64]:
    array = float_array(values, "positions must be an (n, 2) array of numbers")
    if array.shape != (n, 2):
        raise InputError(f"positions must be an array of shape ({n}, 2), not {array.shape}")
    if not np.isfinite(array).all():
        raise InputError("positions must be finite")
    return read_only(array)
