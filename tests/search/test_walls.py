"""Walls that come and go under a finder: every answer is that of a finder made for the walls as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import maze_grid, random_grid
from tests.sizing import examples

from .reference import distances_from

HEURISTICS = ("auto", "true", "alt", "altbestp", "dead-end", "gateway")
GATE = ss.Grid.from_text(". . .\n# . #\n. . .")


def changed(grid: ss.Grid, is_open: np.ndarray) -> ss.Grid:
    return ss.Grid(is_open.reshape(grid.passable.shape), grid.connectivity, grid.corners)


def change_some(finder: ss.Finder, is_open: np.ndarray, random: np.random.Generator, count: int) -> None:
    """Turns some places around, in the finder and in the array."""
    for vertex in random.choice(len(is_open), count, replace=False).tolist():
        (finder.free if not is_open[vertex] else finder.block)(finder.space.place(vertex))
        is_open[vertex] = not is_open[vertex]


def check_against_reference(
    finder: ss.Finder, space: Any, is_open: np.ndarray, random: np.random.Generator, **terrain: Any
) -> None:
    start, *goals = (space.place(v) for v in random.choice(np.flatnonzero(is_open), 7))
    exact = distances_from(space, start, **terrain)
    for goal in goals:
        route = finder.path(start, goal)
        assert bool(route) == (goal in exact)
        if route:
            assert route.status is ss.Status.OPTIMAL
            assert (route.straight, route.diagonal) == exact[goal]
            assert is_open[route.vertices].all()


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("connectivity", [4, 8])
def test_ways_are_shortest_whatever_walls_change(heuristic, connectivity) -> None:
    for seed in range(3):
        random = np.random.default_rng(seed)
        grid = ss.Grid(random_grid(14, 17, 0.3, seed, fill_pockets=False).passable, connectivity)
        finder, is_open = ss.Finder(grid, heuristic=heuristic, region=5, landmarks=3), grid.open.copy()
        for count in (1, 6, 2, 20, 1):
            change_some(finder, is_open, random, count)
            check_against_reference(finder, changed(grid, is_open), is_open, random)
        finder.prepare()
        assert finder.is_prepared
        check_against_reference(finder, changed(grid, is_open), is_open, random)


@pytest.mark.parametrize("heuristic", HEURISTICS)
@pytest.mark.parametrize("connectivity", [4, 8])
def test_what_was_prepared_holds_while_walls_are_only_closed(heuristic, connectivity) -> None:
    """Also where a wall stands beside a gate, so that a way leads out of a region and back into it."""
    for seed in range(2):
        random = np.random.default_rng(seed)
        maze = maze_grid(21, 21, 3, seed)
        grid = ss.Grid(maze.passable, connectivity)
        finder, is_open = ss.Finder(grid, heuristic=heuristic, region=4, landmarks=3), grid.open.copy()
        for vertex in random.choice(np.flatnonzero(is_open), examples(20), replace=False).tolist():
            finder.block(grid.place(vertex))
            is_open[vertex] = False
            assert finder.is_prepared
            check_against_reference(finder, changed(grid, is_open), is_open, random)
            goal = grid.place(random.choice(np.flatnonzero(is_open)))
            start = grid.place(random.choice(np.flatnonzero(is_open)))
            distances = finder.distances_to(goal).array.reshape(-1)
            if heuristic != "dead-end":  # which says nothing of cells that are not on the way
                assert (finder.estimates(start, goal)[is_open] <= distances[is_open] + 1e-9).all()


def test_uneven_ground_and_graphs_have_walls_too() -> None:
    random = np.random.default_rng(5)
    grid = random_grid(12, 12, 0.25, 5, connectivity=8)
    factors = random.integers(1, 9, grid.passable.shape)  # those of walls count when they are opened
    finder, is_open = ss.Finder(grid, factors=factors, heuristic="alt"), grid.open.copy()
    for count in (3, 10, 1):
        change_some(finder, is_open, random, count)
        check_against_reference(finder, changed(grid, is_open), is_open, random, factors=factors)

    edges = random.integers(0, 25, (70, 2))
    edges = edges[edges[:, 0] != edges[:, 1]]
    costs = random.integers(1, 9, len(edges))
    graph = ss.Graph(25, edges, directed=True)
    finder, is_open = ss.Finder(graph, edge_costs=costs, heuristic="alt", landmarks=2), graph.open.copy()
    for count in (3, 4, 1):
        change_some(finder, is_open, random, count)
        kept = is_open[edges].all(axis=1)
        left = ss.Graph(25, edges[kept], directed=True)
        check_against_reference(finder, left, is_open, random, edge_costs=costs[kept])


def test_a_gate_that_closes_and_opens() -> None:
    """Prepared with the gate open, distances are used whether it is open or not."""
    finder = ss.Finder(GATE, heuristic="alt")
    assert finder.path((0, 0), (2, 0)).cost == 4
    finder.block((1, 1))
    finder.block((1, 1))  # it is closed: nothing to do
    assert finder.is_prepared
    assert finder.path((0, 0), (2, 0)).status is ss.Status.INFEASIBLE
    with pytest.raises(ss.InputError, match=r"start \(1, 1\) is blocked"):
        finder.path((1, 1), (0, 0))
    finder.free((1, 1))
    assert finder.is_prepared
    assert finder.path((0, 0), (2, 0)).cost == 4


def test_a_wall_that_opens_puts_prepared_distances_out_of_use() -> None:
    for heuristic in ("alt", "altbestp", "gateway"):
        finder = ss.Finder(GATE, heuristic=heuristic)
        finder.free((1, 0))
        assert not finder.is_prepared
        assert finder.path((0, 0), (2, 0)).places == [(0, 0), (1, 0), (2, 0)]
        finder.prepare()
        assert finder.is_prepared
        assert finder.path((0, 0), (2, 0)).cost == 2
        finder.block((1, 0))
        finder.free((1, 2))
        assert not finder.is_prepared
        finder.block((1, 2))
        assert finder.is_prepared
        assert finder.path((0, 0), (2, 0)).cost == 4


def test_preparing_that_runs_out_of_time_changes_nothing() -> None:
    grid = ss.Grid(np.ones((60, 60), dtype=bool))
    finder = ss.Finder(grid, heuristic="alt")
    finder.block((30, 30))
    with pytest.raises(ss.LimitError, match="time limit"):
        finder.prepare(budget=ss.Budget(0.0))
    assert finder.path((30, 29), (30, 31)).cost == 4


def test_a_search_under_way_begins_again() -> None:
    finder = ss.Finder(GATE)
    search = finder.search((0, 0), (2, 0))
    assert search.run().cost == 4
    finder.free((1, 0))
    assert not search.done
    assert search.route.places == [(0, 0)]
    assert "walls changed" in search.route.reason
    assert search.run().cost == 2
    finder.block((0, 0))
    for _ in range(2):
        with pytest.raises(ss.InputError, match=r"start \(0, 0\) is blocked"):
            search.run()
    finder.free((0, 0))
    finder.block((2, 0))
    with pytest.raises(ss.InputError, match=r"goal \(2, 0\) is blocked"):
        search.run()
    search.retarget((2, 1))
    assert search.run().cost == 3


def test_a_distance_map_is_of_the_walls_that_there_were() -> None:
    finder = ss.Finder(GATE)
    before = finder.distances_to((0, 0))
    finder.free((1, 0))
    finder.block((1, 1))
    after = finder.distances_to((0, 0))
    assert (before.at((2, 0)), after.at((2, 0))) == (4, 2)
    assert before.step([(2, 1)]).tolist() == [[1, 1]]
    assert after.step([(2, 1), (1, 0)]).tolist() == [[2, 0], [0, 0]]
    with pytest.raises(ss.InputError, match="blocked"):
        after.path((1, 1))
