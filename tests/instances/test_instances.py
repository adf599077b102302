"""Generated maps and problems: what each promises, and that a seed means the same everywhere."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidestep import Graph, Grid, InputError, Problem, Rules
from sidestep.instances import cave_grid, maze_grid, random_grid, random_problem, room_grid, warehouse_grid
from sidestep.io import read_map
from tests.sizing import examples

DATA = Path(os.environ.get("SIDESTEP_DATA") or "/nonexistent") / "movingai"

sizes = st.integers(1, 20)
seeds = st.integers(0, 2**64 - 1)


def reached(grid: Grid, start: tuple[int, int]) -> set[tuple[int, int]]:
    """The cells connected to a cell, by plain search: the slow and obvious way."""
    diagonal = grid.connectivity == 8 and grid.corners == "free"
    steps = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (diagonal and r and c) or abs(r) + abs(c) == 1]
    seen, queue = {start}, [start]
    while queue:
        row, col = queue.pop()
        for down, right in steps:
            cell = (row + down, col + right)
            inside = 0 <= cell[0] < grid.height and 0 <= cell[1] < grid.width
            if inside and grid.passable[cell] and cell not in seen:
                seen.add(cell)
                queue.append(cell)
    return seen


def free_cells(grid: Grid) -> set[tuple[int, int]]:
    return {(int(row), int(col)) for row, col in zip(*np.nonzero(grid.passable), strict=True)}


def regions(grid: Grid) -> list[set[tuple[int, int]]]:
    left, found = free_cells(grid), []
    while left:
        found.append(reached(grid, min(left)))
        left -= found[-1]
    return found


# Grids


@settings(max_examples=examples(60), deadline=None)
@given(height=sizes, width=sizes, density=st.floats(0, 0.9), seed=seeds)
def test_random_grid_has_exactly_so_many_obstacles(
    height: int, width: int, density: float, seed: int
) -> None:
    obstacles = round(density * (height * width))
    if obstacles == height * width:
        with pytest.raises(InputError, match="leaves no cell"):
            random_grid(height, width, density, seed, fill_pockets=False)
        return
    grid = random_grid(height, width, density, seed, fill_pockets=False)
    assert grid.passable.shape == (height, width)
    assert np.count_nonzero(~grid.passable) == obstacles


@settings(max_examples=examples(60), deadline=None)
@given(
    height=sizes,
    width=sizes,
    seed=seeds,
    connectivity=st.sampled_from([4, 8]),
    corners=st.sampled_from(["none", "one", "free"]),
)
def test_filled_pockets_leave_the_largest_region(
    height: int, width: int, seed: int, connectivity: Any, corners: Any
) -> None:
    shape = {"connectivity": connectivity, "corners": corners}
    density = 0.4 if height * width > 1 else 0
    raw = random_grid(height, width, density, seed, fill_pockets=False, **shape)
    filled = random_grid(height, width, density, seed, **shape)
    largest = max(regions(raw), key=len)  # the first of the largest
    assert free_cells(filled) == largest
    assert (filled.connectivity, filled.corners) == (connectivity, corners)


@settings(max_examples=examples(40), deadline=None)
@given(height=sizes, width=sizes, room=st.integers(1, 6), seed=seeds)
def test_rooms_are_whole_and_all_connected(height: int, width: int, room: int, seed: int) -> None:
    grid = room_grid(height, width, room, seed)
    assert len(regions(grid)) == 1
    inside_row, inside_col = (np.arange(side) % (room + 1) < room for side in (height, width))
    assert grid.passable[np.ix_(inside_row, inside_col)].all()
    assert not grid.passable[np.ix_(~inside_row, ~inside_col)].any()
    for wall in grid.passable[np.ix_(inside_row, ~inside_col)].T:
        pieces = np.split(wall, range(room, len(wall), room))
        assert all(np.count_nonzero(piece) <= 1 for piece in pieces)


@settings(max_examples=examples(40), deadline=None)
@given(height=sizes, width=sizes, seed=seeds)
def test_a_maze_is_perfect(height: int, width: int, seed: int) -> None:
    """Connected, and with one edge fewer than cells there is no loop."""
    grid = maze_grid(height, width, 1, seed)
    assert len(regions(grid)) == 1
    free = grid.passable
    edges = np.count_nonzero(free[1:] & free[:-1]) + np.count_nonzero(free[:, 1:] & free[:, :-1])
    assert edges == np.count_nonzero(free) - 1


@pytest.mark.parametrize("corridor", [2, 3, 5])
def test_a_wide_maze_is_the_narrow_one_widened(corridor: int) -> None:
    narrow = maze_grid(9, 13, 1, seed=4).passable
    widths = [np.where(np.arange(side) % 2, 1, corridor) for side in narrow.shape]
    wide = np.repeat(np.repeat(narrow, widths[0], axis=0), widths[1], axis=1)
    assert maze_grid(*wide.shape, corridor, seed=4) == Grid(wide)


@settings(max_examples=examples(20), deadline=None)
@given(height=st.integers(8, 40), width=st.integers(8, 40), seed=seeds)
def test_a_cave_is_one_hall(height: int, width: int, seed: int) -> None:
    grid = cave_grid(height, width, seed)
    assert grid.passable.shape == (height, width)
    assert len(regions(grid)) == 1


def test_warehouse() -> None:
    assert str(warehouse_grid(2, 2, 3, 1, 1, margin=1)) == (
        "###########\n#.........#\n#.###.###.#\n#.........#\n#.###.###.#\n#.........#\n###########"
    )
    assert warehouse_grid(1, 1, 2, 2, 3, margin=0).passable.shape == (10, 4)


@pytest.mark.skipif(
    not DATA.is_dir(), reason="the MovingAI files are not here: SIDESTEP_DATA does not name their folder"
)
@pytest.mark.parametrize("numbers", [(10, 20, 10, 2, 1), (20, 40, 10, 2, 1)])
def test_warehouses_are_those_of_movingai(numbers: tuple[int, ...]) -> None:
    path = DATA / "map" / f"warehouse-{'-'.join(map(str, numbers))}.map"
    assert warehouse_grid(*numbers) == read_map(path)


def test_every_generator_passes_the_moves_on() -> None:
    moves: dict[str, Any] = {"connectivity": 8, "corners": "one"}
    for grid in (
        random_grid(8, 8, 0.2, 0, **moves),
        room_grid(8, 8, 3, 0, **moves),
        maze_grid(8, 8, 1, 0, **moves),
        warehouse_grid(1, 1, 2, 1, 1, **moves),
        cave_grid(8, 8, 0, **moves),
    ):
        assert (grid.connectivity, grid.corners) == (8, "one")


def test_seeds_mean_the_same_on_every_machine() -> None:
    """Digests of fixed instances: if one changes, published experiments change with it."""
    grid = random_grid(32, 32, 0.2, 1)
    made = {
        "random": grid.passable,
        "room": room_grid(32, 32, 4, 2).passable,
        "maze": maze_grid(33, 33, 2, 3).passable,
        "cave": cave_grid(40, 40, 4).passable,
        "starts": random_problem(grid, 100, 5).starts.astype("<i4"),
        "goals": random_problem(grid, 100, 5).goals.astype("<i4"),
    }
    assert {name: sha256(array.tobytes()).hexdigest()[:16] for name, array in made.items()} == DIGESTS


DIGESTS = {
    "random": "5b42bc6dd5b29901",
    "room": "7a524f14a362ab2a",
    "maze": "92ab1c3713cc4514",
    "cave": "f43bf42cdd71cfbd",
    "starts": "4bded4e51ce2b954",
    "goals": "3760745c3cca3a09",
}


def test_the_random_numbers_are_splitmix64() -> None:
    """The first numbers of the reference stream of seed 0."""
    from sidestep.instances.draws import Random

    random = Random(0)
    assert random.draws(2).tolist() == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4]
    assert random.draws(1).tolist() == [0x06C45D188009454F]
    assert sorted(random.order(10).tolist()) == list(range(10))
    assert all(0 <= random.below(3) < 3 for _ in range(20))


def test_different_seeds_differ() -> None:
    grids = {random_grid(16, 16, 0.3, seed) for seed in range(10)}
    assert len(grids) == 10
    assert random_grid(16, 16, 0.3, 3) in grids


def test_a_million_cells_take_seconds_at_most() -> None:
    begin = process_time()
    grid = random_grid(1000, 1000, 0.4, seed=1)
    random_problem(grid, 1000, seed=1)
    assert process_time() - begin < 5


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: random_grid(0, 5, 0.1, 0), "height must be a whole number from 1, not 0"),
        (lambda: random_grid(5, -1, 0.1, 0), "width must be a whole number from 1, not -1"),
        (lambda: random_grid(5, 5.0, 0.1, 0), "width must be a whole number"),  # type: ignore[arg-type]
        (lambda: random_grid(True, 5, 0.1, 0), "height must be a whole number"),
        (lambda: random_grid(2**20, 2**20, 0.1, 0), "at most 67108864 cells"),
        (lambda: random_grid(5, 5, 1, 0), "density must be a number from 0 to below 1"),
        (lambda: random_grid(5, 5, -0.1, 0), "density must be a number"),
        (lambda: random_grid(5, 5, float("nan"), 0), "density must be a number"),
        (lambda: random_grid(5, 5, "20%", 0), "density must be a number"),  # type: ignore[arg-type]
        (lambda: random_grid(1, 1, 0.6, 0), "density 0.6 leaves no cell of 1 x 1 free"),
        (lambda: random_grid(5, 5, 0.1, -1), "seed must be a whole number"),
        (lambda: random_grid(5, 5, 0.1, 2**64), "seed must be a whole number"),
        (lambda: random_grid(5, 5, 0.1, None), "seed must be a whole number"),  # type: ignore[arg-type]
        (lambda: random_grid(5, 5, 0.1, 0, connectivity=6), "connectivity must be 4 or 8"),  # type: ignore[arg-type]
        (lambda: room_grid(5, 5, 0, 0), "room must be a whole number from 1"),
        (lambda: maze_grid(5, 5, 0, 0), "corridor must be a whole number from 1"),
        (lambda: warehouse_grid(0), "columns must be a whole number from 1"),
        (lambda: warehouse_grid(aisle=0), "aisle must be a whole number from 1"),
        (lambda: warehouse_grid(margin=-1), "margin must be a whole number from 0"),
        (lambda: warehouse_grid(10**5, 10**5), "at most 67108864 cells"),
        (lambda: cave_grid(7, 20, 0), "a cave needs at least 8 x 8 cells, not 7 x 20"),
    ],
)
def test_parameters_out_of_range(make: Any, says: str) -> None:
    with pytest.raises(InputError, match=says):
        make()


# Problems


@settings(max_examples=examples(60), deadline=None)
@given(height=sizes, width=sizes, seed=seeds, data=st.data())
def test_goals_are_reachable_and_nothing_is_shared(
    height: int, width: int, seed: int, data: st.DataObject
) -> None:
    density = 0.4 if height * width > 1 else 0
    grid = random_grid(height, width, density, seed, fill_pockets=False)
    agents = data.draw(st.integers(0, int(grid.passable.sum())))
    problem = random_problem(grid, agents, seed)  # Problem itself refuses shared starts and goals
    assert problem.n_agents == agents
    found = regions(grid)
    for agent in problem.agents:
        assert any({agent.start, agent.goal} <= region for region in found)


def test_a_smaller_problem_begins_a_larger_one() -> None:
    grid = random_grid(20, 20, 0.3, 1, fill_pockets=False)
    small, large = random_problem(grid, 10, 2), random_problem(grid, 200, 2)
    assert large.starts[:10].tolist() == small.starts.tolist()
    assert large.goals[:10].tolist() == small.goals.tolist()


def test_all_cells_may_be_taken_but_no_more() -> None:
    grid = Grid.from_text("..#.\n#...")
    assert sorted(random_problem(grid, 6, 0).starts.tolist()) == [0, 1, 3, 5, 6, 7]
    with pytest.raises(InputError, match="7 agents do not fit: the grid has 6 free cells"):
        random_problem(grid, 7, 0)


def test_rules_are_passed_on() -> None:
    rules = Rules(following=False)
    problem = random_problem(Grid.from_text("..."), 2, 0, rules=rules)
    assert isinstance(problem, Problem)
    assert problem.rules == rules


def test_wrong_arguments_of_random_problem() -> None:
    grid = Grid.from_text("...")
    for agents in (-1, 1.0, True, None):
        with pytest.raises(InputError, match="agents must be a whole number from 0"):
            random_problem(grid, agents, 0)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="needs a Grid, not a Graph"):
        random_problem(Graph(2, [(0, 1)]), 1, 0)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="seed must be"):
        random_problem(grid, 1, 0.5)  # type: ignore[arg-type]
