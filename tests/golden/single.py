"""Searches of one agent: ways, distances and estimates, with all heuristics, queues and kinds of terrain."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import sidestep as ss

from . import parts, problems, surface
from .parts import Cases, Parts
from .problems import Draws

HEURISTICS = (
    *("auto", "none", "manhattan", "octile", "chebyshev", "euclidean"),
    *("true", "alt", "altbestp", "dead-end", "gateway"),
)
ALGORITHMS = ("astar", "dfs", "bfs", "greedy", "best-first")
QUEUES = ("buckets", "heap", "list")


def cases() -> Cases:
    """Finders, distance maps and searches bit by bit."""
    for heuristic in HEURISTICS:
        for seed in range(4):
            yield f"finder {heuristic} {seed}", partial(found, heuristic, seed)
    for algorithm in ALGORITHMS:
        for seed in range(4):
            yield f"way {algorithm} {seed}", partial(one_way, algorithm, seed)
    for queue in QUEUES:
        yield f"bit by bit {queue}", partial(bit_by_bit, queue)
    for kind in problems.SPACES:
        yield f"distances {kind}", partial(distances, kind)
        yield f"backwards {kind}", partial(backwards, kind)
    yield "coordinates", coordinates


def _map(seed: int) -> tuple[ss.Grid, dict[str, Any]]:
    """A map and the costs of its steps: even, unit steps, factors, and corners that cost more."""
    shape = ((4, "none"), (8, "none"), (8, "one"), (8, "free"))[seed % 4]
    grid = surface.random_grid(24, 26, 0.25, seed, connectivity=shape[0], corners=shape[1])
    draws = Draws(seed)
    factors = np.array([1 + draws.below(9) for _ in range(grid.n)]).reshape(grid.passable.shape)
    costs: tuple[dict[str, Any], ...] = ({"factors": factors}, {"steps": "unit"}, {}, {"corner_cost": 2})
    return grid, costs[seed % 4]


def _places(space: ss.Grid | ss.Graph, seed: int, count: int) -> list[Any]:
    draws, free = Draws(seed + 70), np.flatnonzero(space.open).tolist()
    return [space.place(vertex) for vertex in draws.some(free, count)]


def found(heuristic: str, seed: int) -> Parts:
    """Single and many queries, before and after walls change."""
    grid, costs = _map(seed)
    places = _places(grid, seed, 12)
    try:
        finder = ss.Finder(grid, heuristic=heuristic, landmarks=4, region=8, **costs)
    except ss.InputError as error:
        return {"refused": type(error).__name__}
    ends = list(zip(places[::2], places[1::2], strict=True))
    before = [_route(finder.path(*pair)) for pair in ends]
    many = finder.paths(places[:6], places[6:])
    estimates = finder.estimates(*ends[0])
    finder.block(grid.place(int(finder.path(*ends[1]).vertices[1])))
    finder.free(grid.place(int(np.flatnonzero(~grid.open)[0])))
    after = [_route(finder.path(*pair, budget=ss.Budget(None, 400))) for pair in ends[1:]]
    return {
        "ways": before,
        "many": [many.vertices, many.ends, many.costs],
        "estimates": estimates,
        "after": [after, finder.is_prepared],
    }


def _route(route: ss.Route) -> Any:
    return parts.of_route(route)["route"]


def one_way(algorithm: str, seed: int) -> Parts:
    """`shortest_path` on grids and graphs, also with too few nodes."""
    grid, costs = _map(seed)
    graph = problems.random_space(("graph", "directed")[seed % 2], Draws(seed), 8)
    lengths = [1 + edge % 7 for edge in range(len(graph.edges))]
    routes = []
    for space, options in ((grid, costs), (graph, {}), (graph, {"edge_costs": lengths})):
        start, goal = _places(space, seed, 2)
        for nodes in (None, 30):
            routes.append(
                ss.shortest_path(space, start, goal, algorithm=algorithm, node_limit=nodes, **options)
            )
    return {"ways": [_route(route) for route in routes]}


def bit_by_bit(queue: str) -> Parts:
    """A search that is resumed, whose goal moves and whose walls change."""
    grid, costs = _map(2)
    start, goal, other = _places(grid, 5, 3)
    finder = ss.Finder(grid, queue=queue, **costs)
    search, routes = finder.search(start, goal), []
    for _ in range(4):
        routes.append(search.run(nodes=25))
    search.retarget(other)
    routes += [search.run(nodes=40), search.run(distance=12.0), search.run()]
    finder.block(grid.place(int(routes[-1].vertices[2])))
    routes += [search.run(nodes=10), search.run()]
    return {"ways": [_route(route) for route in routes], "done": search.done}


def distances(kind: str) -> Parts:
    """Distance maps, with the steps and ways that they give."""
    space = problems.random_space(kind, Draws(3), 9)
    places = _places(space, 9, 8)
    near = ss.distance_map(space, *places[:2])
    return {
        "array": near.array,
        "steps": near.step(places),
        "ways": [_route(near.path(place)) for place in places[2:]],
    }


def backwards(kind: str) -> Parts:
    """Reverse Resumable A*, on demand, before and after a wall."""
    space = problems.random_space(kind, Draws(4), 9)
    goal, origin, *others = _places(space, 11, 10)
    search = ss.RRA(space, goal, origin)
    before = [search.distance(place) for place in others]
    search.block(others[0])
    return {"steps": [before, [search.distance(place) for place in others[1:]]]}


def coordinates() -> Parts:
    """Points of a game and cells of the grid."""
    game = ss.Coordinates(cell_size=0.75, origin=(-3.0, 1.5))
    points = [[k * 0.37 - 2, k * 0.61 + 2] for k in range(20)]
    return {"cells": game.cells(points), "points": game.points([[k, 2 * k - 7] for k in range(20)])}
