"""Other libraries that find one way at a time, each asked in the fastest manner that we found.

Without diagonals all steps cost the same; then breadth-first search, or a class for that case, may be faster
than the A* that a library has for everything. A pathfinder is made for a map once, which is not timed. Grids
are 4-connected with unit costs, or 8-connected with octile costs and no corners cut. Cells are (row, col) for
us; what they are for others stays here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from sidestep import Finder, Grid, shortest_path
from sidestep.model.grid import Cell

Path = Sequence[Sequence[int]]  # of (row, col)


class Pathfinder(NamedTuple):
    """`ask(start, goal)` is what is timed; `read` makes a path of cells of its answer."""

    ask: Callable[[Cell, Cell], Any]
    read: Callable[[Any], Path]


Make = Callable[[Grid], Pathfinder]

SQRT2 = math.sqrt(2)
STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))


def sidestep_loop(grid: Grid) -> Pathfinder:
    """`shortest_path` in a plain loop, as somebody writes it who has read the first page."""
    return Pathfinder(lambda start, goal: shortest_path(grid, start, goal), lambda route: route.places)


def sidestep_with(**options: Any) -> Make:
    """One query after another of a `Finder` that was made before."""

    def make(grid: Grid) -> Pathfinder:
        return Pathfinder(Finder(grid, **options).path, lambda route: route.places)

    return make


def tcod(grid: Grid) -> Pathfinder:
    """Its AStar, or its Pathfinder where corners matter, with whole numbers for costs: a good fraction."""
    path = import_module("tcod.path")
    cost = np.ascontiguousarray(grid.passable, dtype=np.int8)
    if grid.connectivity == 4:
        finder = path.AStar(cost, diagonal=0)  # its paths are without their start
        return Pathfinder(
            lambda start, goal: (start, finder.get_path(*start, *goal)), lambda found: [found[0], *found[1]]
        )
    straight, diagonal = 13860, 19601
    graph = path.CustomGraph(cost.shape)
    for step in STRAIGHT:
        graph.add_edge(step, straight, cost=cost)
    for step in DIAGONAL:
        graph.add_edge(step, diagonal, cost=cost, condition=_corners_free(grid, step))
    graph.set_heuristic(cardinal=straight, diagonal=diagonal)

    def ask(start: Cell, goal: Cell) -> Any:
        finder = path.Pathfinder(graph)
        finder.add_root(start)
        return finder.path_to(goal)

    return Pathfinder(ask, lambda cells: cells)


def _corners_free(grid: Grid, step: tuple[int, int]) -> Any:
    """Per cell: are the two cells beside this diagonal free?"""
    padded = np.pad(grid.passable, 1)
    rows, cols = step
    height, width = grid.passable.shape
    beside = padded[1 + rows : 1 + rows + height, 1 : 1 + width]
    return np.ascontiguousarray(beside & padded[1 : 1 + height, 1 + cols : 1 + cols + width], dtype=np.int8)


def w9(on_four: str, on_eight: str) -> Make:
    """Its algorithms for one agent: one without diagonals and one with them."""

    def make(grid: Grid) -> Pathfinder:
        algorithm = on_four if grid.connectivity == 4 else on_eight
        envs, finders = import_module("w9_pathfinding.envs"), import_module("w9_pathfinding.pf")
        options: dict[str, Any] = {}
        if grid.connectivity == 8:
            movement = envs.DiagonalMovement.only_when_no_obstacle
            options = {"diagonal_movement": movement, "diagonal_movement_cost_multiplier": SQRT2}
        finder = getattr(finders, algorithm)(envs.Grid(np.where(grid.passable, 1, -1).tolist(), **options))
        return Pathfinder(
            lambda start, goal: finder.find_path(start[::-1], goal[::-1]),
            lambda path: [(y, x) for x, y in path],
        )

    return make


def python_pathfinding(grid: Grid) -> Pathfinder:
    """The package `pathfinding`: breadth first from both ends, or A*. Queries need a clean grid."""
    movement = import_module("pathfinding.core.diagonal_movement").DiagonalMovement
    if grid.connectivity == 4:
        finders = import_module("pathfinding.finder.bi_breadth_first")
        finder = finders.BiBreadthFirstFinder(diagonal_movement=movement.never)
    else:
        finders = import_module("pathfinding.finder.a_star")
        finder = finders.AStarFinder(diagonal_movement=movement.only_when_no_obstacle)
    ground = import_module("pathfinding.core.grid").Grid(matrix=grid.passable.astype(int).tolist())

    def ask(start: Cell, goal: Cell) -> Any:
        ground.cleanup()
        return finder.find_path(ground.node(start[1], start[0]), ground.node(goal[1], goal[0]), ground)[0]

    return Pathfinder(ask, lambda path: [(node.y, node.x) for node in path])


def networkx(grid: Grid) -> Pathfinder:
    """On a graph with an edge per step: breadth first from both ends, or astar_path."""
    nx = import_module("networkx")
    graph = nx.Graph()
    graph.add_weighted_edges_from(_edges(grid))
    if grid.connectivity == 4:
        return Pathfinder(
            lambda start, goal: nx.bidirectional_shortest_path(graph, start, goal), lambda cells: cells
        )
    return Pathfinder(
        lambda start, goal: nx.astar_path(graph, start, goal, heuristic=_octile), lambda cells: cells
    )


def rustworkx(grid: Grid) -> Pathfinder:
    """astar_shortest_path on a graph with an edge per step."""
    rx = import_module("rustworkx")
    graph = rx.PyGraph(multigraph=False)
    cells = [(int(row), int(col)) for row, col in np.argwhere(grid.passable)]
    index = dict(zip(cells, graph.add_nodes_from(cells), strict=True))
    graph.add_edges_from([(index[a], index[b], cost) for a, b, cost in _edges(grid)])
    guess = _manhattan if grid.connectivity == 4 else _octile

    def ask(start: Cell, goal: Cell) -> Any:
        return rx.astar_shortest_path(
            graph, index[start], lambda cell: cell == goal, float, lambda cell: guess(cell, goal)
        )

    return Pathfinder(ask, lambda ids: [cells[i] for i in ids])


def _edges(grid: Grid) -> Iterator[tuple[Cell, Cell, float]]:
    """Every edge once: to the right and downwards."""
    free = grid.passable
    for row, col in np.argwhere(free).tolist():
        right, below = col + 1 < grid.width, row + 1 < grid.height
        if right and free[row, col + 1]:
            yield (row, col), (row, col + 1), 1.0
        if below and free[row + 1, col]:
            yield (row, col), (row + 1, col), 1.0
        if grid.connectivity == 4 or not below:
            continue
        for side in (-1, 1):
            other = col + side
            if 0 <= other < grid.width and free[row + 1, other] and free[row + 1, col] and free[row, other]:
                yield (row, col), (row + 1, other), SQRT2


def _manhattan(a: Cell, b: Cell) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _octile(a: Cell, b: Cell) -> float:
    rows, cols = abs(a[0] - b[0]), abs(a[1] - b[1])
    return max(rows, cols) + (SQRT2 - 1) * min(rows, cols)


RIVALS: dict[str, Make] = {
    "tcod": tcod,
    "w9 A*": w9("AStar", "AStar"),
    "w9 BFS or Dijkstra": w9("BFS", "Dijkstra"),
    "rustworkx": rustworkx,
    "networkx": networkx,
    "pathfinding": python_pathfinding,
}
OURS: dict[str, Make] = {
    "sidestep": sidestep_loop,
    "sidestep, ALT": sidestep_with(heuristic="alt"),
    "sidestep, gateway": sidestep_with(heuristic="gateway"),
}
