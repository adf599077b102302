"""A* bit by bit, goals that move, the searches before A*, distance maps, RRA*, coordinates."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import maze_grid, random_grid, room_grid
from tests.sizing import some_of

from .reference import cost_along, distances_from

QUEUES = ("buckets", "heap", "list")
HEURISTICS = ("auto", "alt", "gateway", "true")
A, B, C, N, M, D, E, F, G, H = range(10)
FIGURE_1 = ss.Graph(10, [(A, B), (A, E), (B, C), (C, N), (C, D), (N, M), (E, F), (E, G), (E, H)])


def grids(seed: int) -> list[ss.Grid]:
    made = [random_grid(30, 30, 0.3, seed), room_grid(31, 31, 5, seed), maze_grid(31, 31, 1, seed)]
    return [ss.Grid(grid.passable, connectivity) for grid in made for connectivity in (4, 8)]


def corners(grid: ss.Grid) -> tuple[tuple[int, int], tuple[int, int]]:
    cells = np.argwhere(grid.passable)
    return tuple(cells[0].tolist()), tuple(cells[-1].tolist())


# Stopped and resumed


@pytest.mark.parametrize(("queue", "heuristic"), some_of(product(QUEUES, HEURISTICS)))
def test_a_search_resumed_to_the_end_costs_the_same(heuristic, queue) -> None:
    for grid in grids(2):
        start, goal = corners(grid)
        finder = ss.Finder(grid, heuristic=heuristic, queue=queue)
        whole, search = finder.path(start, goal), finder.search(start, goal)
        bits = 0
        while not search.done:
            route, bits = search.run(nodes=7), bits + 1
            assert route.places[0] == start
            assert route.cost == pytest.approx(float(cost_along(grid, route.places)))
        assert search.route.status is ss.Status.OPTIMAL
        assert (route.straight, route.diagonal) == (whole.straight, whole.diagonal)
        assert route.expanded == whole.expanded
        assert bits == max(1, -(-whole.expanded // 7))
        assert search.run(nodes=5).expanded == whole.expanded  # done is done


def test_the_way_so_far_leads_to_the_open_place_of_lowest_f() -> None:
    """In a corridor there is no choice: after k expansions it is k steps long."""
    grid = ss.Grid(np.ones((1, 20), dtype=bool))
    search = ss.Finder(grid).search((0, 0), (0, 19))
    assert search.route.places == [(0, 0)]
    assert "not run yet" in search.route.reason
    for expansions in range(1, 19):
        route = search.run(nodes=1)
        assert route.places == [(0, col) for col in range(expansions + 1)]
        assert not route
        assert "1 nodes" in route.reason
    assert search.run()


def test_of_equal_f_the_way_so_far_leads_to_the_one_nearest_to_the_goal() -> None:
    grid = ss.Grid(np.ones((9, 9), dtype=bool))
    for queue in ("buckets", "heap", "list"):
        route = ss.Finder(grid, queue=queue).search((0, 0), (8, 8)).run(nodes=5)
        assert len(route) == 6  # every step was one towards the goal


def test_a_search_ends_at_a_distance_from_the_start() -> None:
    for connectivity in (4, 8):
        grid = ss.Grid(np.ones((30, 30), dtype=bool), connectivity)
        search = ss.Finder(grid).search((0, 0), (29, 12))
        route = search.run(distance=6)
        assert 6 <= route.cost < 6 + math.sqrt(2) + 1e-9
        assert "distance of 6" in route.reason
        assert search.run().status is ss.Status.OPTIMAL


def test_a_search_stops_in_time() -> None:
    grid = ss.Grid(np.ones((300, 300), dtype=bool), 8)
    search = ss.Finder(grid, heuristic="none").search((0, 0), (299, 299))
    route = search.run(seconds=0.0)
    assert "time limit" in route.reason
    assert search.run().cost == pytest.approx(299 * math.sqrt(2))


def test_true_distances_too_are_found_bit_by_bit() -> None:
    """A time that is too short for all of them is not spent in vain."""
    grid = ss.Grid(np.ones((60, 60), dtype=bool))
    search = ss.Finder(grid, heuristic="true").search((0, 0), (59, 59))
    bits = 0
    while not search.done:
        route, bits = search.run(seconds=0.0), bits + 1
        assert bits < 100
    assert bits > 10
    assert route.cost == 118


def test_no_way_is_found_out() -> None:
    grid = ss.Grid.from_text(". # .")
    search = ss.Finder(grid).search((0, 0), (0, 2))
    route = search.run()
    assert search.done
    assert route.status is ss.Status.INFEASIBLE
    assert len(route) == 0


# Goals that move


@pytest.mark.parametrize(("queue", "heuristic"), some_of(product(QUEUES, [*HEURISTICS, "dead-end"])))
def test_a_goal_that_moves_is_reached_by_a_shortest_way(heuristic, queue) -> None:
    random = np.random.default_rng(1)
    for grid in grids(4):
        cells = np.argwhere(grid.passable)
        start, goal = corners(grid)
        exact = distances_from(grid, start)
        search = ss.Finder(grid, heuristic=heuristic, queue=queue).search(start, goal)
        for nodes in (10, None, 40, None, 3, None, None):
            search.run(nodes=nodes)
            goal = tuple(cells[random.integers(len(cells))].tolist())
            search.retarget(goal)
            assert not search.done
            assert search.route.places == [start]
        route = search.run()
        assert route.places[-1] == goal
        assert (route.straight, route.diagonal) == exact[goal]


def test_what_is_known_is_not_found_again() -> None:
    """A target that walks away along the way: each step costs a few expansions, not a new search."""
    grid = ss.Grid(maze_grid(61, 61, 1, 5).passable)
    start, goal = corners(grid)
    finder = ss.Finder(grid)
    ahead = finder.path(goal, start).places  # where the target walks: towards us
    search = finder.search(start, goal)
    first = search.run().expanded
    for place in ahead[1:20]:
        search.retarget(place)
        assert search.run().places[-1] == place
    assert search.route.expanded <= first + 19
    assert sum(finder.path(start, place).expanded for place in ahead[1:20]) > 10 * first


# Units that walk meanwhile


@pytest.mark.parametrize(("queue", "heuristic"), some_of(product(QUEUES, [*HEURISTICS, "dead-end"])))
def test_a_unit_that_walks_still_finds_a_shortest_way_from_where_it_is(heuristic, queue) -> None:
    random = np.random.default_rng(2)
    for grid in grids(6):
        cells = np.argwhere(grid.passable)
        here, goal = corners(grid)
        search = ss.Finder(grid, heuristic=heuristic, queue=queue).search(here, goal)
        for nodes in (8, 30, 1, 100, None, 20, None):
            section = search.run(nodes=nodes).places
            here = section[min(int(random.integers(1, 6)), len(section) - 1)] if section else here
            search.walk_to(here)
            assert search.route.places == [here]
            if random.integers(3) == 0:
                goal = tuple(cells[random.integers(len(cells))].tolist())
                search.retarget(goal)
        route = search.run()
        assert (route.places[0], route.places[-1]) == (here, goal)
        assert (route.straight, route.diagonal) == distances_from(grid, here)[goal]


def test_a_walk_along_the_way_is_not_searched_again() -> None:
    """Who has the whole way needs next to no more expansions, however often it says where it is."""
    grid = ss.Grid(random_grid(80, 80, 0.3, 5).passable)
    start, goal = corners(grid)
    search = ss.Finder(grid).search(start, goal)
    whole = search.run()
    for place in whole.places[1::3]:
        search.walk_to(place)
        assert search.run().cost == len(whole.places) - 1 - whole.places.index(place)
    assert search.route.expanded < 1.1 * whole.expanded


def test_a_search_in_sections_takes_up_what_it_knows() -> None:
    """A few nodes per frame, a step per frame: far fewer expansions than a search from every place."""
    grid = ss.Grid(maze_grid(61, 61, 1, 5).passable)
    here, goal = corners(grid)
    finder = ss.Finder(grid)
    once = finder.path(here, goal).expanded
    search, frames = finder.search(here, goal), 0
    while not search.done:
        section = search.run(nodes=100).places
        frames += 1
        if not search.done and len(section) > 1:
            search.walk_to(section[1])
    assert frames > 5
    assert search.route.expanded < 2 * once


def test_who_walks_where_the_search_has_not_been_begins_again() -> None:
    finder = ss.Finder(ss.Grid(np.ones((9, 9), dtype=bool)))
    search = finder.search((0, 0), (0, 8))
    search.run(nodes=3)
    search.walk_to((8, 0))
    assert search.run().cost == 16
    search.walk_to((8, 0))
    assert search.done  # it has not walked at all
    finder.block((4, 4))
    search.walk_to((7, 0))
    assert search.run().cost == 15


def test_a_goal_that_moves_to_where_no_way_leads_and_back() -> None:
    grid = ss.Grid.from_text(". . # .")
    search = ss.Finder(grid).search((0, 0), (0, 1))
    assert search.run()
    search.retarget((0, 3))
    assert search.run().status is ss.Status.INFEASIBLE
    search.retarget((0, 1))
    assert search.run().places == [(0, 0), (0, 1)]
    with pytest.raises(ss.InputError, match="blocked"):
        search.retarget((0, 2))
    for distance in (-1, "far", float("nan")):
        with pytest.raises(ss.InputError, match="distance"):
            search.run(distance=distance)


# Before A*


def test_the_orders_of_the_reviews_first_figure() -> None:
    finder = ss.Finder(FIGURE_1)
    lost = ss.Graph(11, FIGURE_1.edges)  # nobody finds vertex 10, so all are visited
    orders = {
        name: ss.Finder(lost).path(A, 10, algorithm=name).visited.tolist()  # type: ignore[union-attr]
        for name in ("dfs", "bfs")
    }
    assert orders["dfs"] == [A, B, C, N, M, D, E, F, G, H]
    assert orders["bfs"] == [A, B, E, C, F, G, H, N, D, M]
    assert finder.path(A, D, algorithm="dfs").places == [A, B, C, D]


@pytest.mark.parametrize("algorithm", ["dfs", "bfs", "best-first"])
def test_a_way_is_found_if_there_is_one(algorithm) -> None:
    for grid in grids(6):
        start, goal = corners(grid)
        finder = ss.Finder(grid)
        route, shortest = finder.path(start, goal, algorithm=algorithm), finder.path(start, goal)
        assert route
        assert (route.straight, route.diagonal) == cost_along(grid, route.places)
        assert route.cost >= shortest.cost - 1e-9
        is_shortest = algorithm == "bfs" and grid.connectivity == 4
        assert route.status is (ss.Status.OPTIMAL if is_shortest else ss.Status.SOLVED)
        if is_shortest:
            assert route.cost == shortest.cost
        assert route.expanded == len(route.visited)  # type: ignore[arg-type]


def test_best_first_expands_less_than_breadth_first() -> None:
    grid = random_grid(60, 60, 0.2, 1)
    start, goal = corners(grid)
    best, breadth = (ss.shortest_path(grid, start, goal, algorithm=name) for name in ("best-first", "bfs"))
    assert best.expanded < breadth.expanded / 4


def test_greedy_search_fails_in_a_dead_end_and_says_so() -> None:
    finder = ss.Finder(ss.Grid.from_text(". . . .\n. . # .\n. . . ."))
    assert finder.path((0, 0), (0, 3), algorithm="greedy").places == [(0, col) for col in range(4)]
    route = finder.path((1, 0), (1, 3), algorithm="greedy")
    assert not route
    assert route.status is ss.Status.GAVE_UP
    assert route.places == [(1, 0), (1, 1)]
    assert "nearer" in route.reason


@pytest.mark.parametrize("algorithm", ["dfs", "bfs", "best-first", "greedy"])
def test_they_keep_to_their_limits(algorithm) -> None:
    grid = ss.Grid(np.ones((20, 20), dtype=bool))
    route = ss.shortest_path(grid, (0, 0), (19, 19), algorithm=algorithm, node_limit=5)
    assert route.status is ss.Status.TIMEOUT
    assert route.expanded == 5
    lost = ss.shortest_path(ss.Grid.from_text(". # ."), (0, 0), (0, 2), algorithm=algorithm)
    assert lost.status is (ss.Status.GAVE_UP if algorithm == "greedy" else ss.Status.INFEASIBLE)


# Distance maps


@pytest.mark.parametrize("connectivity", [4, 8])
def test_units_follow_a_distance_map_to_the_goal(connectivity) -> None:
    grid = room_grid(25, 25, 4, 3, connectivity=connectivity)
    goal = corners(grid)[1]
    distances = ss.distance_map(grid, goal)
    units = np.argwhere(grid.passable)[::7]
    for unit in units[::5]:
        route = distances.path(tuple(unit))
        assert route.places[-1] == goal
        assert (route.straight, route.diagonal) == cost_along(grid, route.places)
        assert route.cost == distances.at(tuple(unit)) == distances.array[tuple(unit)]
    left = distances.array[units[:, 0], units[:, 1]]
    while left.any():
        units = distances.step(units)
        after = distances.array[units[:, 0], units[:, 1]]
        assert (after[left > 0] < left[left > 0]).all()
        left = after
    assert (units == goal).all()


def test_a_distance_map_of_several_goals_leads_to_the_nearest() -> None:
    grid = ss.Grid(np.ones((1, 11), dtype=bool))
    distances = ss.Finder(grid).distances_to((0, 0), (0, 10))
    assert distances.array.tolist() == [[0, 1, 2, 3, 4, 5, 4, 3, 2, 1, 0]]
    assert distances.step([(0, 4), (0, 6), (0, 0)]).tolist() == [[0, 3], [0, 7], [0, 0]]
    assert distances.memory == 8 * 11


def test_distances_are_those_of_the_way_there_not_of_the_way_back() -> None:
    graph = ss.Graph(3, [(0, 1), (1, 2), (2, 0)], directed=True)
    distances = ss.distance_map(graph, 0, edge_costs=[5, 7, 11])
    assert distances.array.tolist() == [0, 18, 11]
    assert distances.path(1).places == [1, 2, 0]
    assert distances.step([1, 0]).tolist() == [2, 0]


def test_where_there_is_no_way() -> None:
    distances = ss.distance_map(ss.Grid.from_text(". # ."), (0, 0))
    assert distances.at((0, 2)) == math.inf
    assert distances.path((0, 2)).status is ss.Status.INFEASIBLE
    assert distances.step([(0, 2)]).tolist() == [[0, 2]]
    with pytest.raises(ss.InputError, match="blocked"):
        distances.path((0, 1))
    with pytest.raises(ss.InputError, match="A goal is missing"):
        ss.Finder(ss.Grid.from_text(".")).distances_to()


# RRA*


def test_rra_answers_exact_distances_and_forgets_what_a_wall_affects() -> None:
    grid = random_grid(20, 20, 0.2, 1)
    start, goal = corners(grid)
    search = ss.RRA(grid, goal, start)
    assert search.goal == goal
    exact = distances_from(grid, goal)
    assert all(search.distance(cell) == float(cost) for cell, cost in exact.items())
    assert search.memory > 0
    wall = max(exact, key=lambda cell: 0 < float(exact[cell]) < 5)
    search.block(wall)
    passable = grid.passable.copy()
    passable[wall] = False
    changed = distances_from(ss.Grid(passable), goal)
    for cell in np.argwhere(passable):
        expected = changed.get(tuple(cell.tolist()))
        assert search.distance(tuple(cell)) == (None if expected is None else float(expected))
    search.free(wall)
    assert search.distance(start) == float(exact[start])


def test_rra_stops_at_its_limit() -> None:
    search = ss.RRA(ss.Grid(np.ones((1, 5000), dtype=bool)), (0, 0), (0, 4999))
    with pytest.raises(ss.LimitError, match="time limit"):
        search.distance((0, 4999), budget=ss.Budget(0.0))
    assert search.distance((0, 4999)) == 4999


# Coordinates


def test_points_of_a_game_and_cells() -> None:
    coordinates = ss.Coordinates(cell_size=2.0, origin=(-10.0, 4.0))
    assert coordinates.cell(-10.0, 4.0) == (0, 0)
    assert coordinates.cell(-6.1, 8.0) == (2, 1)
    assert coordinates.cell(-10.1, 3.9) == (-1, -1)
    assert coordinates.point(2, 1) == (-7.0, 9.0)
    cells = np.array([[0, 0], [3, 5], [-2, 7]])
    assert coordinates.cells(coordinates.points(cells)).tolist() == cells.tolist()
    grid = ss.Grid.from_text(". . .\n# # .")
    route = ss.shortest_path(grid, coordinates.cell(-9.5, 4.5), coordinates.cell(-5.5, 6.5))
    assert route.points(coordinates).tolist() == [[-9, 5], [-7, 5], [-5, 5], [-5, 7]]


@pytest.mark.parametrize("size", [0, -1, math.nan, math.inf, "1", None, [1]])
def test_a_cell_has_a_size(size) -> None:
    with pytest.raises(ss.InputError, match="cell_size"):
        ss.Coordinates(cell_size=size)


def test_points_that_are_none() -> None:
    with pytest.raises(ss.InputError, match="origin"):
        ss.Coordinates(1.0, (1, 2, 3))
    for points in ([1, 2], [["a", "b"]], [[1, math.nan]], None):
        with pytest.raises(ss.InputError, match="points"):
            ss.Coordinates().cells(points)
    with pytest.raises(ss.InputError, match="billion cells"):
        ss.Coordinates(1e-9).cell(1e6, 0)
