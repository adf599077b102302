"""No estimate is above the exact distance, on every cell of many maps; and what it is worth."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import cave_grid, maze_grid, random_grid, room_grid

from .reference import distances_from

ON_FOUR = ("none", "manhattan", "chebyshev", "euclidean", "true", "alt", "altbestp", "dead-end", "gateway")
ON_EIGHT = ("none", "octile", "chebyshev", "euclidean", "true", "alt", "altbestp", "dead-end", "gateway")
EXACT = 1e-9


def maps(connectivity: int, seed: int) -> list[ss.Grid]:
    """A maze, a cave, rooms, and scattered obstacles with pockets that nothing leads to."""
    made = [
        maze_grid(19, 23, 1 + seed % 2, seed),
        cave_grid(22, 20, seed),
        room_grid(20, 24, 4, seed),
        random_grid(18, 18, 0.35, seed, fill_pockets=False),
    ]
    return [ss.Grid(grid.passable, connectivity) for grid in made]


def exact(grid: ss.Grid, goal: tuple[int, int], **terrain: object) -> np.ndarray:
    """Per vertex: the distance to the goal by the finder's own flood, which the next test checks."""
    return ss.Finder(grid, **terrain).distances_to(goal).array.reshape(-1)  # type: ignore[arg-type]


@pytest.mark.parametrize("connectivity", [4, 8])
def test_a_distance_map_is_exact(connectivity) -> None:
    for grid in maps(connectivity, 0):
        goal = tuple(np.argwhere(grid.passable)[7].tolist())
        reference = distances_from(grid, goal)  # all steps are as long as their way back
        array = ss.distance_map(grid, goal).array
        for cell in np.ndindex(grid.passable.shape):
            expected = float(reference[cell]) if cell in reference else np.inf
            assert array[cell] == pytest.approx(expected, abs=1e-12)


def check_admissible(grid: ss.Grid, heuristic: str, seed: int, **terrain: object) -> None:
    cells = np.argwhere(grid.passable)
    finder = ss.Finder(grid, heuristic=heuristic, region=4 + seed % 7, landmarks=4, **terrain)  # type: ignore[arg-type]
    random = np.random.default_rng(seed)
    for _ in range(3):
        start, goal = (tuple(cells[i].tolist()) for i in random.integers(0, len(cells), 2))
        guesses, distances = finder.estimates(start, goal), exact(grid, goal, **terrain)
        on_the_way = grid.open.copy()
        if heuristic == "dead-end":  # it says nothing of cells that no shortest way from the start passes
            from_start = exact(grid, start, **terrain)
            on_the_way &= np.isfinite(from_start + distances)
            on_the_way &= from_start + distances <= from_start[grid.vertex(goal)] + EXACT
        assert (guesses[on_the_way] <= distances[on_the_way] + EXACT).all()
        assert guesses[grid.vertex(goal)] == 0 or np.isinf(distances[grid.vertex(start)])
        assert np.isnan(guesses[~grid.open]).all()


@pytest.mark.parametrize("heuristic", ON_FOUR)
def test_an_estimate_is_never_too_high_on_four(heuristic) -> None:
    for seed in range(8):
        for grid in maps(4, seed):
            check_admissible(grid, heuristic, seed)


@pytest.mark.parametrize("heuristic", ON_EIGHT)
def test_an_estimate_is_never_too_high_on_eight(heuristic) -> None:
    for seed in range(8):
        for grid in maps(8, seed):
            check_admissible(grid, heuristic, seed)


@pytest.mark.parametrize("heuristic", ["octile", "chebyshev", "euclidean", "true", "alt", "altbestp"])
def test_an_estimate_is_never_too_high_on_uneven_ground(heuristic) -> None:
    """Entering a cell has a price, so that the way back costs something else than the way there."""
    for seed in range(6):
        for grid in maps(8, seed)[::2]:
            factors = np.random.default_rng(seed).integers(2, 9, grid.passable.shape)
            check_admissible(grid, heuristic, seed, factors=factors)


@pytest.mark.parametrize("heuristic", ["chebyshev", "true", "alt", "altbestp", "dead-end", "gateway"])
def test_an_estimate_is_never_too_high_with_unit_diagonals(heuristic) -> None:
    for seed in range(4):
        for grid in maps(8, seed):
            check_admissible(grid, heuristic, seed, steps="unit")


@pytest.mark.slow
@pytest.mark.parametrize("connectivity", [4, 8])
def test_an_estimate_is_never_too_high_on_many_maps(connectivity) -> None:
    for seed in range(100):
        for grid in maps(connectivity, seed):
            for heuristic in ON_FOUR if connectivity == 4 else ON_EIGHT:
                check_admissible(grid, heuristic, seed)


def test_true_distance_is_exact_and_unreachable_is_infinite() -> None:
    grid = ss.Grid.from_text(". . # .\n. . # .", 8)
    guesses = ss.Finder(grid, heuristic="true").estimates((0, 0), (1, 1))
    assert guesses[0] == pytest.approx(np.sqrt(2))
    assert guesses[[3, 7]].tolist() == [np.inf, np.inf]


def test_euclidean_overestimates_where_diagonals_cost_one() -> None:
    """bcp2006 uses it there knowingly; the way it finds is then not called optimal."""
    grid = ss.Grid(np.ones((5, 5), dtype=bool), 8)
    finder = ss.Finder(grid, steps="unit", heuristic="euclidean")
    guesses = finder.estimates((0, 0), (4, 4))
    assert guesses[0] > exact(grid, (4, 4), steps="unit")[0]
    assert finder.path((0, 0), (4, 4)).status is ss.Status.SOLVED


@pytest.mark.parametrize("connectivity", [4, 8])
def test_informed_heuristics_expand_less_than_geometry_in_mazes(connectivity) -> None:
    maze = maze_grid(65, 65, 2, 3)
    grid = ss.Grid(maze.passable, connectivity)
    cells = np.argwhere(grid.passable)
    random = np.random.default_rng(0)
    starts, goals = (cells[random.integers(0, len(cells), 40)] for _ in range(2))

    def expanded(heuristic: str) -> int:
        budget = ss.Budget()
        ss.Finder(grid, heuristic=heuristic).paths(starts, goals, budget=budget)
        return budget.nodes

    geometry = expanded("manhattan" if connectivity == 4 else "octile")
    for heuristic in ("true", "alt", "altbestp", "dead-end", "gateway"):
        assert expanded(heuristic) < 0.9 * geometry
    assert expanded("true") <= expanded("alt") <= expanded("altbestp")


def test_preprocessing_says_how_much_memory_it_takes() -> None:
    grid = maze_grid(64, 64, 2, 3)
    assert ss.Finder(grid).memory == 0
    assert ss.Finder(grid, heuristic="alt", landmarks=4).memory == 4 * 4 * grid.n
    assert ss.Finder(grid, heuristic="alt", landmarks=8).memory == 8 * 4 * grid.n
    assert ss.Finder(grid, heuristic="true").memory == 8 * grid.n
    gateway, dead_end = (ss.Finder(grid, heuristic=name).memory for name in ("gateway", "dead-end"))
    assert gateway > dead_end >= 4 * grid.n
