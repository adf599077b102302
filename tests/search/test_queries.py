"""The front door of search: what is kept for a space, what is not, and how large a map may be."""

from __future__ import annotations

import gc
import threading
from itertools import pairwise
from time import process_time
from weakref import ref

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import maze_grid, random_grid, room_grid
from sidestep.search import kept
from sidestep.search.kept import finder_for

from .reference import distances_from

WALL = "....\n.##.\n...."


def test_a_loop_of_queries_compiles_a_space_once() -> None:
    grid, graph = ss.Grid.from_text(WALL), ss.Graph(3, [(0, 1), (1, 2)])
    for space in (grid, graph):
        first = finder_for(space, {})
        assert finder_for(space, {}) is first
        assert finder_for(space, {"heuristic": "none"}) is not first
        assert finder_for(space, {"budget": ss.Budget(5.0)}) is first
    twin = ss.Grid(grid.passable)
    assert twin == grid
    assert finder_for(twin, {}) is not finder_for(grid, {})


def test_answers_are_those_of_a_finder_and_name_the_space_asked_about() -> None:
    grid = room_grid(31, 31, 5, 1)
    finder, cells = ss.Finder(grid), np.argwhere(grid.passable).tolist()
    for start, goal in zip(cells[::37], cells[::-41], strict=False):
        route, other = ss.shortest_path(grid, start, goal), finder.path(start, goal)
        assert route.space is grid
        assert np.array_equal(route.vertices, other.vertices)
        assert (route.cost, route.expanded) == (other.cost, other.expanded)
    distances = ss.distance_map(grid, cells[0])
    assert distances.space is grid
    assert np.array_equal(distances.array, finder.distances_to(cells[0]).array)
    assert ss.shortest_path(grid, cells[0], cells[-1], algorithm="bfs").space is grid


def test_a_space_is_not_kept_alive_and_its_finder_goes_with_it() -> None:
    grid = ss.Grid.from_text(WALL)
    ss.shortest_path(grid, (0, 0), (2, 3))
    gone = ref(grid)
    number = id(grid)
    del grid
    assert gone() is None  # at once, without the garbage collector
    assert not [key for key in kept._kept if key[0] == number]


def test_only_some_finders_are_kept() -> None:
    grids = [ss.Grid.from_text(WALL) for _ in range(kept.MOST_KEPT + 5)]
    for grid in grids:
        ss.shortest_path(grid, (0, 0), (2, 3))
    assert len(kept._kept) <= kept.MOST_KEPT
    gc.collect()
    assert all(ss.shortest_path(grid, (0, 0), (2, 3)).cost == 5 for grid in grids)


def test_a_grid_that_was_changed_is_another_one() -> None:
    grid = ss.Grid.from_text("...\n...\n...")
    assert ss.shortest_path(grid, (0, 0), (0, 2)).cost == 2
    walled = np.array(grid.passable)
    walled[0, 1] = False
    grid.passable = ss.Grid(walled).passable
    assert ss.shortest_path(grid, (0, 0), (0, 2)).cost == 4
    grid.passable.flags.writeable = True
    grid.passable[1, 1] = False
    assert ss.shortest_path(grid, (0, 0), (0, 2)).cost == 6
    grid.connectivity, grid.corners = 8, "free"
    assert ss.shortest_path(grid, (0, 0), (0, 2), steps="unit").cost == 4


def test_factors_count_as_they_are_now() -> None:
    grid, factors = ss.Grid(np.ones((3, 3), bool)), np.ones((3, 3), dtype=int)
    assert ss.shortest_path(grid, (0, 0), (0, 2), factors=factors).cost == 2
    factors[0, 1] = 9
    assert ss.shortest_path(grid, (0, 0), (0, 2), factors=factors).cost == 4
    assert ss.shortest_path(grid, (0, 0), (0, 2), factors=factors.tolist()).cost == 4
    with pytest.raises(ss.InputError, match="an option is one of"):
        ss.shortest_path(grid, (0, 0), (0, 2), factor=factors)


def test_threads_may_ask_about_one_grid() -> None:
    grid = room_grid(41, 41, 6, 3)
    cells = np.argwhere(grid.passable).tolist()
    wanted = [ss.Finder(grid).path(cells[0], cell).cost for cell in cells[::50]]
    found: dict[int, list[float]] = {}

    def ask(number: int) -> None:
        found[number] = [ss.shortest_path(grid, cells[0], cell).cost for cell in cells[::50]]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(costs == wanted for costs in found.values())


# How large a map may be


def test_weighted_maps_may_be_large() -> None:
    grid = ss.Grid(np.ones((1024, 1024), bool), 8)
    factors = np.full((1024, 1024), 3)
    factors[:, 500] = 255
    route = ss.shortest_path(grid, (0, 0), (0, 1023), factors=factors)
    assert (route.straight, route.diagonal) == (1022 * 3 + 255, 0)


def test_the_error_names_the_limit_of_what_a_search_can_count() -> None:
    grid = ss.Grid(np.ones((1000, 1000), bool), 8)
    most = 2**47 // 665_857
    with pytest.raises(ss.InputError, match=f"add up to 255000000, .* up to {most} steps"):
        ss.Finder(grid, factors=np.full((1000, 1000), 255))
    on_four = ss.Finder(ss.Grid(grid.passable), factors=np.full((1000, 1000), 255))
    assert on_four.path((0, 0), (999, 999)).cost == 1998 * 255


def test_uneven_ground_is_exact_on_small_maps() -> None:
    random = np.random.default_rng(5)
    for seed, corner in enumerate(("none", "one", "free")):
        grid = ss.Grid(random_grid(18, 23, 0.25, seed).passable, 8, corner)
        factors = random.integers(1, 6, grid.passable.shape)
        extra = 0 if corner == "none" else 3
        start = np.argwhere(grid.passable)[0].tolist()
        exact = distances_from(grid, tuple(start), factors=factors, corner_cost=extra)
        finder = ss.Finder(grid, factors=factors, corner_cost=extra)
        for goal, cost in list(exact.items())[::7]:
            route = finder.path(start, goal)
            assert (route.straight, route.diagonal) == cost


# What a change of walls costs


@pytest.mark.parametrize("connectivity", [4, 8])
def test_a_wall_costs_no_more_on_a_large_map(connectivity) -> None:
    """Seconds of CPU: blocking, asking nearby and freeing, on a map of 256 times as many cells."""

    def seconds(side: int) -> float:
        finder = ss.Finder(ss.Grid(np.ones((side, side), bool), connectivity))
        finder.path((0, 0), (3, 3))
        begin = process_time()
        for column in range(300):
            place = (side // 2, column % side)
            finder.block(place)
            finder.path((0, 0), (3, 3))
            finder.free(place)
        return process_time() - begin

    assert min(seconds(1024) for _ in range(3)) < 12 * min(seconds(64) for _ in range(3))


def test_a_wall_that_came_and_went_leaves_what_was_prepared_in_use() -> None:
    finder = ss.Finder(ss.Grid(np.ones((9, 9), bool)), heuristic="alt", landmarks=2)
    finder.block((4, 4))
    finder.free((4, 4))
    assert finder.is_prepared


# The searches before A*, and what heuristics know


def test_greedy_and_best_first_use_the_heuristic_that_was_asked_for() -> None:
    """Greedy with true distances is never wrong; best first with them goes straight to the goal."""
    for seed in range(3):
        grid = maze_grid(31, 31, 1, seed)
        cells = np.argwhere(grid.passable).tolist()
        exact, plain = ss.Finder(grid, heuristic="true"), ss.Finder(grid)
        shortest = plain.path(cells[0], cells[-1])
        for algorithm in ("greedy", "best-first"):
            route = exact.path(cells[0], cells[-1], algorithm=algorithm)
            assert route.cost == shortest.cost
            assert len(route.visited) == len(route)
        assert not plain.path(cells[0], cells[-1], algorithm="greedy")
        best = plain.path(cells[0], cells[-1], algorithm="best-first")
        assert len(best.visited) > len(best)


def test_best_first_leaves_out_what_the_heuristic_rules_out() -> None:
    grid = ss.Grid.from_text("...#...\n...#...\n...#...")
    finder = ss.Finder(grid, heuristic="dead-end", region=4)
    route = finder.path((0, 0), (0, 6), algorithm="best-first")
    assert route.status is ss.Status.INFEASIBLE
    assert route.visited.tolist() == []


def test_dead_end_knows_at_once_that_two_parts_are_not_connected() -> None:
    passable = np.ones((64, 64), bool)
    passable[:, 31] = False
    for connectivity in (4, 8):
        finder = ss.Finder(ss.Grid(passable, connectivity), heuristic="dead-end")
        route = finder.path((5, 5), (5, 60))
        assert (route.status, route.expanded) == (ss.Status.INFEASIBLE, 0)
        assert finder.path((5, 5), (60, 5))
        finder.free((40, 31))
        assert finder.path((5, 5), (5, 60))
        finder.block((40, 31))
        assert finder.path((5, 5), (5, 60)).expanded == 0
        search = finder.search((5, 5), (5, 60))
        assert search.run().status is ss.Status.INFEASIBLE
        search.retarget((60, 5))
        assert search.run().status is ss.Status.OPTIMAL


# Many searches under way, in sections


def test_many_interrupted_searches_take_little_memory() -> None:
    """300 on a map of a million cells: 8 bytes per cell each would be 2.4 GB."""
    finder = ss.Finder(ss.Grid(random_grid(1024, 1024, 0.1, 1).passable, 8))
    cells = np.argwhere(finder.space.passable)
    searches = []
    for number in range(300):
        search = finder.search(cells[number * 2999].tolist(), cells[-1 - number].tolist())
        search.run(nodes=1000)
        searches.append(search)
    assert sum(not search.done for search in searches) > 150
    assert sum(search.memory for search in searches) < 100e6
    route = searches[0].run()
    assert route.cost == finder.path(route.places[0], route.places[-1]).cost


def test_sections_join_while_pursuer_and_target_move() -> None:
    grid = ss.Grid(random_grid(40, 40, 0.2, 6).passable, 8)
    finder, cells = ss.Finder(grid), np.argwhere(grid.passable).tolist()
    here, target = tuple(cells[0]), tuple(cells[-1])
    search = finder.search(here, target)
    walked = [here]
    for turn in range(400):
        section = search.run(nodes=60)
        walked += section.places[1:4]
        search.walk_to(walked[-1])
        if turn % 4 == 3:
            target = tuple(cells[-1 - turn // 4])
            search.retarget(target)
        if walked[-1] == target:
            break
    assert walked[-1] == target
    for one, other in pairwise(walked):
        assert finder.path(one, other).cost <= 2**0.5
    assert finder.search(here, target).run().cost == finder.path(here, target).cost


def test_a_budget_that_is_at_work_in_another_thread_is_not_said_to_have_run_out() -> None:
    said: list[str] = []
    small = ss.Finder(ss.Grid(np.ones((3, 3), dtype=bool)))

    def elsewhere() -> None:
        for ask in (small.distances_to, ss.RRA(small.space, (0, 0), (2, 2)).distance):
            with pytest.raises(RuntimeError, match="in use in another thread"):
                ask((0, 0), budget=budget)
            said.append(ask.__name__)

    def stop() -> bool:
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()
        return True

    budget = ss.Budget(stop=stop)
    with pytest.raises(ss.LimitError, match="asked to stop"):
        ss.Finder(ss.Grid(np.ones((2000, 2000), dtype=bool))).distances_to((0, 0), budget=budget)
    assert said == ["distances_to", "distance"]
