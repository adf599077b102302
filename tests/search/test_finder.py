"""Shortest ways against Dijkstra with exact costs, on grids of all kinds and on graphs."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import cave_grid, maze_grid, random_grid, room_grid
from tests.sizing import some_of

from .reference import Exact, cost_along, distances_from

QUEUES = ("buckets", "heap", "list")


def grid_of(seed: int, connectivity: int = 8, corners: str = "none", side: int = 14) -> ss.Grid:
    grid = random_grid(side, side + 3, 0.3, seed, fill_pockets=False)
    return ss.Grid(grid.passable, connectivity, corners)


def free_cells(grid: ss.Grid, seed: int, count: int) -> list[tuple[int, int]]:
    cells = np.argwhere(grid.passable)
    return [tuple(cells[i]) for i in np.random.default_rng(seed).integers(0, len(cells), count)]


def check_all_from(space: Any, start: Any, goals: list[Any], finder: ss.Finder, **terrain: Any) -> None:
    exact = distances_from(space, start, **terrain)
    for goal in goals:
        route = finder.path(start, goal)
        if goal not in exact:
            assert not route
            assert route.status is ss.Status.INFEASIBLE
            assert route.cost == math.inf
            assert len(route) == 0
            continue
        assert route.status is ss.Status.OPTIMAL
        assert (route.places[0], route.places[-1]) == (start, goal)
        assert (route.straight, route.diagonal) == exact[goal] == cost_along(space, route.places, **terrain)
        assert route.cost == pytest.approx(float(exact[goal]), abs=1e-12)


# Every kind of map


@pytest.mark.parametrize("queue", QUEUES)
@pytest.mark.parametrize(
    ("connectivity", "corners", "steps"),
    [
        (4, "none", None),
        (8, "none", None),
        (8, "one", None),
        (8, "free", "octile"),
        (8, "none", "unit"),
        (8, "free", "unit"),
    ],
)
def test_a_way_is_as_short_as_the_exact_reference(connectivity, corners, steps, queue) -> None:
    for seed in range(6):
        grid = grid_of(seed, connectivity, corners)
        terrain = {} if steps is None else {"steps": steps}
        finder = ss.Finder(grid, queue=queue, **terrain)
        start, *goals = free_cells(grid, seed, 12)
        check_all_from(grid, start, [*goals, start], finder, **terrain)


@pytest.mark.parametrize("queue", QUEUES)
@pytest.mark.parametrize("connectivity", [4, 8])
@pytest.mark.parametrize("most", [3, 255])
def test_entering_a_cell_costs_its_factor(connectivity, most, queue) -> None:
    for seed in range(4):
        grid = grid_of(seed, connectivity)
        factors = np.random.default_rng(seed).integers(1, most + 1, grid.passable.shape)
        finder = ss.Finder(grid, factors=factors, queue=queue)
        start, *goals = free_cells(grid, seed, 10)
        check_all_from(grid, start, goals, finder, factors=factors)


@pytest.mark.parametrize("corners", ["one", "free"])
def test_a_diagonal_past_a_corner_costs_more(corners) -> None:
    for seed in range(4):
        grid = grid_of(seed, 8, corners)
        start, *goals = free_cells(grid, seed, 10)
        check_all_from(grid, start, goals, ss.Finder(grid, corner_cost=2), corner_cost=2)


def test_a_dear_corner_is_walked_around() -> None:
    grid = ss.Grid.from_text(". .\n# .", 8, "one")
    assert ss.shortest_path(grid, (0, 0), (1, 1)).places == [(0, 0), (1, 1)]
    assert ss.shortest_path(grid, (0, 0), (1, 1), corner_cost=1).places == [(0, 0), (0, 1), (1, 1)]


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("heuristic", ["auto", "true", "alt", "altbestp"])
def test_graphs_have_shortest_ways_too(directed, heuristic) -> None:
    random = np.random.default_rng(4)
    for _ in range(5):
        edges = [(u, v) for u, v in random.integers(0, 30, (70, 2)) if u != v]
        graph = ss.Graph(30, edges, directed=directed)
        costs = random.integers(1, 50, len(edges))
        for terrain in ({}, {"edge_costs": costs}):
            finder = ss.Finder(graph, heuristic=heuristic, landmarks=3, **terrain)
            for start in (0, 11):
                check_all_from(graph, start, list(range(30)), finder, **terrain)


@pytest.mark.parametrize("queue", QUEUES)
@pytest.mark.parametrize("heuristic", ["none", "euclidean", "chebyshev", "true", "alt", "altbestp"])
def test_every_heuristic_finds_the_shortest_way(heuristic, queue) -> None:
    for seed, connectivity in ((1, 4), (2, 8)):
        grid = grid_of(seed, connectivity)
        start, *goals = free_cells(grid, seed, 10)
        check_all_from(grid, start, goals, ss.Finder(grid, heuristic=heuristic, queue=queue))


@pytest.mark.parametrize("connectivity", [4, 8])
@pytest.mark.parametrize("heuristic", ["dead-end", "gateway"])
def test_regions_lose_no_way(heuristic, connectivity) -> None:
    for seed in some_of(range(10)):
        for grid in (maze_grid(21, 21, 2, seed), cave_grid(24, 24, seed), random_grid(20, 20, 0.35, seed)):
            ground = ss.Grid(grid.passable, connectivity)
            start, *goals = free_cells(ground, seed, 6)
            finder = ss.Finder(ground, heuristic=heuristic, region=4 + seed % 5)
            check_all_from(ground, start, goals, finder)


def test_long_ways_are_exact() -> None:
    passable = np.ones((900, 900), dtype=bool)
    passable[450, 1:-1] = False
    route = ss.shortest_path(ss.Grid(passable, 8), (0, 449), (899, 451))
    assert (route.straight, route.diagonal) == (3, 897)  # 450 to the right, around the wall, 448 back
    assert route.cost == 3 + 897 * math.sqrt(2)


def test_exact_costs_compare_as_real_numbers() -> None:
    values = [Exact(a, b) for a in range(-8, 9) for b in range(-6, 7)]
    for one in values:
        for other in values:
            real = one != other and float(one) < float(other)
            assert (one < other) == real


# Many queries


@pytest.mark.parametrize("connectivity", [4, 8])
def test_a_batch_is_the_queries_one_by_one(connectivity) -> None:
    grid = grid_of(5, connectivity, side=30)
    finder = ss.Finder(grid)
    starts, goals = free_cells(grid, 1, 40), free_cells(grid, 2, 40)
    routes = finder.paths(starts, goals)
    assert len(routes) == 40
    assert [len(vertices) for vertices in routes] == np.diff(routes.ends, prepend=0).tolist()
    for index, (start, goal) in enumerate(zip(starts, goals, strict=True)):
        route = finder.path(start, goal)
        assert routes[index].tolist() == route.vertices.tolist()
        assert routes.costs[index] == route.cost
    assert routes[-1].tolist() == routes[39].tolist()
    assert len(finder.paths([], [])) == 0


def test_a_batch_that_runs_out_of_budget_has_what_was_found() -> None:
    grid = ss.Grid(np.ones((40, 40), dtype=bool))
    routes = ss.Finder(grid).paths([(0, 0)] * 50, [(39, 39)] * 50, budget=ss.Budget(nodes=1000))
    assert 0 < len(routes) < 50
    assert (routes.costs == 78).all()
    assert len(routes.vertices) == 79 * len(routes)


def test_searches_do_not_remember_each_other() -> None:
    """More than 65,536 of them, so that the stamps of the buffers run out once."""
    grid = ss.Grid.from_text(". . .\n. # .\n. . .")
    finder = ss.Finder(grid)
    ends = [(0, 0), (2, 2), (0, 2), (2, 0)]
    starts = np.array([ends[i % 4] for i in range(70_000)])
    goals = np.array([ends[(i // 4 + i % 3) % 4] for i in range(70_000)])
    assert np.array_equal(finder.paths(starts, goals).costs, np.abs(starts - goals).sum(axis=1))


def test_two_threads_may_ask_one_finder() -> None:
    grid = grid_of(3, 8, side=40)
    finder, expected = ss.Finder(grid), ss.Finder(grid)
    starts, goals = free_cells(grid, 1, 200), free_cells(grid, 2, 200)
    right = expected.paths(starts, goals).costs
    answers: list[Any] = []
    threads = [threading.Thread(target=lambda: answers.append(finder.paths(starts, goals))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert all(np.array_equal(answer.costs, right) for answer in answers)


def test_the_same_query_gives_the_same_way() -> None:
    grid = room_grid(40, 40, 6, 1, connectivity=8)
    ways = [ss.shortest_path(grid, (0, 0), (38, 38), heuristic=h).vertices.tolist() for h in ("auto", "auto")]
    assert ways[0] == ways[1]


# Limits


def test_a_limit_ends_a_search_with_the_way_so_far() -> None:
    grid = ss.Grid(np.ones((60, 60), dtype=bool), 8)
    route = ss.shortest_path(grid, (0, 0), (59, 30), node_limit=10)
    assert not route
    assert route.status is ss.Status.TIMEOUT
    assert "10 nodes" in route.reason
    assert route.expanded == 10
    assert route.places[0] == (0, 0)
    assert route.cost == pytest.approx(float(cost_along(grid, route.places)))
    nothing = ss.shortest_path(grid, (0, 0), (59, 30), time_limit=0.0, heuristic="true")
    assert nothing.status is ss.Status.TIMEOUT
    assert "time limit" in nothing.reason


def test_preprocessing_that_takes_too_long_is_an_error() -> None:
    grid = ss.Grid(np.ones((60, 60), dtype=bool))
    for heuristic in ("alt", "altbestp", "gateway"):
        with pytest.raises(ss.LimitError, match="not ready: the time limit"):
            ss.Finder(grid, heuristic=heuristic, budget=ss.Budget(0.0))
    with pytest.raises(ss.LimitError, match="memory"):
        ss.Finder(grid, heuristic="gateway", budget=ss.Budget(memory=10))
    with pytest.raises(ss.LimitError, match="time"):
        ss.Finder(grid).distances_to((0, 0), budget=ss.Budget(0.0))


# Bad input


GRID = ss.Grid.from_text(". .\n# .")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"heuristic": "octil"}, "did you mean 'octile'"),
        ({"heuristic": "octile"}, "octile steps"),
        ({"steps": "octile"}, "connectivity 8"),
        ({"steps": "diagonal"}, "unit, octile"),
        ({"queue": "stack"}, "buckets, heap, list"),
        ({"factors": [[1, 2]]}, "shape"),
        ({"factors": [[1, 0], [1, 1]]}, "from 1 to 255"),
        ({"factors": [[1, 256], [1, 1]]}, "from 1 to 255"),
        ({"factors": [[1.5, 1], [1, 1]]}, "whole numbers"),
        ({"corner_cost": 1}, "corners 'one' or 'free'"),
        ({"edge_costs": [1]}, "for graphs"),
        ({"landmarks": 0}, "landmarks"),
        ({"region": 2}, "region"),
        ({"heuristic": "gateway", "factors": [[1, 2], [1, 1]]}, "all cells cost the same"),
        ({"limit": 3}, "an option is one of"),
        ({"budget": 3}, "a budget is a Budget"),
    ],
)
def test_options_that_make_no_sense(options, sentence) -> None:
    with pytest.raises(ss.InputError, match=sentence):
        ss.shortest_path(GRID, (0, 0), (1, 1), **options)


def test_more_that_makes_no_sense() -> None:
    finder = ss.Finder(GRID)
    with pytest.raises(ss.InputError, match=r"goal \(1, 0\) is blocked"):
        finder.path((0, 0), (1, 0))
    with pytest.raises(ss.InputError, match="outside the grid"):
        finder.path((0, 0), (2, 0))
    with pytest.raises(ss.InputError, match="1 starts and 2 goals"):
        finder.paths([(0, 0)], [(0, 0), (1, 1)])
    with pytest.raises(ss.InputError, match=r"starts\[1\] = \(1, 0\) is blocked"):
        finder.paths([(0, 0), (1, 0)], [(0, 0), (1, 1)])
    with pytest.raises(ss.InputError, match="outside"):
        finder.paths([(0, 9)], [(0, 0)])
    with pytest.raises(ss.InputError, match="algorithm is one of"):
        finder.path((0, 0), (1, 1), algorithm="dijkstra")
    with pytest.raises(ss.InputError, match="Grid or a Graph"):
        ss.Finder("map")
    with pytest.raises(ss.InputError, match="overestimates"):
        ss.Finder(ss.Grid(GRID.passable, 8), heuristic="manhattan")
    graph = ss.Graph(3, [(0, 1)])
    for options in ({"heuristic": "manhattan"}, {"heuristic": "gateway"}, {"steps": "octile"}):
        with pytest.raises(ss.InputError, match="grid"):
            ss.Finder(graph, **options)
    for costs in ([1, 2], [0], [0.5]):
        with pytest.raises(ss.InputError, match="edge_costs"):
            ss.Finder(graph, edge_costs=costs)
    with pytest.raises(ss.InputError, match="outside the graph"):
        ss.Finder(graph).paths([7], [0])


@pytest.mark.parametrize("heuristic", ["none", "octile", "euclidean", "true", "alt", "dead-end", "gateway"])
def test_a_bias_keeps_a_way_away_from_places(heuristic: str) -> None:
    """A hill in the middle of open ground; where it is infinite, nobody may go."""
    grid = ss.Grid(np.ones((7, 9), dtype=bool), 8, "none")
    finder = ss.Finder(grid, heuristic=heuristic)
    hill = np.zeros(grid.n)
    hill[grid.vertex((3, 4))] = 50
    around = finder.path((3, 0), (3, 8), bias=hill)
    assert around.status is ss.Status.SOLVED
    assert (3, 4) not in around.places
    wall = np.zeros(grid.n)
    wall[[grid.vertex((row, 4)) for row in range(7)]] = np.inf
    assert finder.path((3, 0), (3, 8), bias=wall).status is ss.Status.INFEASIBLE
    assert finder.path((3, 0), (3, 8), bias=np.zeros(grid.n)).cost == finder.path((3, 0), (3, 8)).cost


@pytest.mark.parametrize("bias", [[0.0], np.full(63, -1.0), np.full(63, np.nan), "hill", np.zeros((7, 9))])
def test_a_bias_is_a_number_per_vertex(bias: Any) -> None:
    with pytest.raises(ss.InputError, match="a bias is a number of steps, 0 or more"):
        ss.Finder(ss.Grid(np.ones((7, 9), dtype=bool))).path((0, 0), (1, 1), bias=bias)


def test_a_bias_is_for_astar() -> None:
    with pytest.raises(ss.InputError, match='a bias is for "astar"'):
        ss.Finder(ss.Grid(np.ones((7, 9), dtype=bool))).path(
            (0, 0), (1, 1), bias=np.zeros(63), algorithm="bfs"
        )
