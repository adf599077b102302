"""Grids, graphs and rules in our JSON files (the format is described in docs/formats.md)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..model.errors import InputError
from ..model.graph import Graph
from ..model.grid import Grid
from ..model.rules import FIRST_RULES, RULES, Rules
from ..model.space import Space
from .jsonfile import INT32, Record, is_number, kind_of

MAX_GRAPH = 2**24  # a graph's memory grows with its vertices, which cost a file nothing to claim


def space_entry(space: Space) -> dict[str, Any]:
    """A space as a JSON object."""
    if isinstance(space, Grid):
        return {
            "kind": "grid",
            "connectivity": int(space.connectivity),
            "corners": space.corners,
            "rows": str(space).split("\n"),
        }
    if space.n > MAX_GRAPH:
        raise InputError(f"a file may hold a graph of at most {MAX_GRAPH} vertices, not {space.n}")
    return {
        "kind": "graph",
        "n": space.n,
        "directed": space.directed,
        "edges": space.edges.tolist(),
        "positions": None if space.positions is None else space.positions.tolist(),
        "edge_conflicts": space.edge_conflicts.tolist(),
    }


def space_from(record: Record) -> Space:
    """The space of such an object."""
    kind = record.text("kind")
    if kind not in ("grid", "graph"):
        raise record.error("kind", f"must be 'grid' or 'graph', not {kind[:40]!r}")
    space = _grid_from(record) if kind == "grid" else _graph_from(record)
    record.done()
    return space


def _grid_from(record: Record) -> Grid:
    connectivity = record.integer("connectivity") if record.has("connectivity") else 4
    corners = record.text("corners") if record.has("corners") else "none"
    passable = _passable(record)
    with record.model_errors():
        return Grid(passable, connectivity, corners)  # type: ignore[arg-type]  # the grid checks them


def _passable(record: Record) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    rows = record.items("rows")
    if not rows:
        raise record.error("rows", "must have at least one row")
    for index, row in enumerate(rows):
        name = f"rows[{index}]"
        if not isinstance(row, str):
            raise record.error(name, f"must be a string, not {kind_of(row)}")
        if len(row) != len(rows[0]):
            raise record.error(name, f"has {len(row)} cells where the first row has {len(rows[0])}")
        if not set(row) <= {".", "#"}:
            raise record.error(name, "must be made of '.' and '#'")
    cells = np.frombuffer("".join(rows).encode("ascii"), dtype=np.uint8)
    return (cells == ord(".")).reshape(len(rows), -1) if cells.size else np.empty((len(rows), 0), np.bool_)


def _graph_from(record: Record) -> Graph:
    n = record.integer("n", low=1, high=MAX_GRAPH)
    edges = record.pairs("edges", low=0, high=n - 1)
    conflicts = record.pairs("edge_conflicts", low=0, high=INT32) if record.has("edge_conflicts") else []
    with record.model_errors():
        return Graph(
            n,
            edges,
            directed=record.flag("directed") if record.has("directed") else False,
            positions=_positions(record, n) if record.has("positions") else None,
            edge_conflicts=conflicts,
        )


def _positions(record: Record, n: int) -> list[list[float]]:
    points = record.items("positions")
    if len(points) != n:
        raise record.error("positions", f"must have one point per vertex, {n}, not {len(points)}")
    for index, point in enumerate(points):
        if not isinstance(point, list) or len(point) != 2 or not all(map(is_number, point)):
            raise record.error(f"positions[{index}]", "must be two numbers")
    return points


def rules_entry(rules: Rules) -> dict[str, Any]:
    """Rules as a JSON object: the first ones, and those of others that are not as usual."""
    return {
        rule.name: value
        for rule in RULES
        if (value := getattr(rules, rule.name)) != rule.default or rule.name in FIRST_RULES
    }


def rules_from(record: Record) -> Rules:
    """The rules of such an object; what it leaves out is as in `Rules()`."""
    given: dict[str, Any] = {
        rule.name: record.text(rule.name) if rule.choices else record.flag(rule.name)
        for rule in RULES
        if record.has(rule.name)
    }
    record.done()
    with record.model_errors():
        return Rules(**given)
