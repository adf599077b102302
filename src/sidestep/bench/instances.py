"""Maps and problems made from a seed: the same arguments give the same instance on every machine.

Randomness is splitmix64 (Steele, Lea and Flood 2014) on 64-bit integers: no library generator whose
stream might change, and no floating point beyond one multiplication by the density.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ..arrays import BoolArray
from ..errors import InputError
from ..grid import Corners, Grid
from ..problem import Problem, Rules

MAX_CELLS = 2**26
MOST_IN_DIALOGUE = 150  # agents that fit the small maps of the dialogue thesis

Ids = npt.NDArray[np.int64]
_Band = tuple[int, int]  # the first cell of a room or corridor along one axis, and the one after its last


class _Random:
    """Draw k is the mixed value of `seed + k * gamma`: whole arrays of draws come at once."""

    _GAMMA = 0x9E3779B97F4A7C15

    def __init__(self, seed: int) -> None:
        if not _is_whole(seed) or not 0 <= seed < 2**64:
            raise InputError(f"seed must be a whole number from 0 to 2**64 - 1, not {seed!r}")
        self._seed = int(seed)
        self._drawn = 0

    def draws(self, count: int) -> npt.NDArray[np.uint64]:
        """The next `count` numbers of 64 random bits."""
        steps = np.arange(self._drawn + 1, self._drawn + 1 + count, dtype=np.uint64)
        self._drawn += count
        z = steps * np.uint64(self._GAMMA) + np.uint64(self._seed)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1; the bias of the remainder is beyond measuring."""
        return int(self.draws(1)[0]) % limit

    def order(self, count: int) -> Ids:
        """The numbers 0 to count - 1, shuffled: sorted by random keys, so that no loop is needed."""
        return np.argsort(self.draws(count), kind="stable").astype(np.int64)


def random_grid(
    height: int,
    width: int,
    density: float,
    seed: int,
    *,
    fill_pockets: bool = True,
    connectivity: Literal[4, 8] = 4,
    corners: Corners = "none",
) -> Grid:
    """Exactly `round(density * cells)` obstacles in random cells.

    Then, unless `fill_pockets` is False, everything but the largest connected region is filled.
    """
    _check_size(height, width)
    if not _is_number(density) or not 0 <= density < 1:
        raise InputError(f"density must be a number from 0 to below 1, not {density!r}")
    cells = height * width
    obstacles = round(float(density) * cells)
    if obstacles == cells:
        raise InputError(f"density {density} leaves no cell of {height} x {width} free")
    passable = np.ones(cells, dtype=np.bool_)
    passable[_Random(seed).order(cells)[:obstacles]] = False
    grid = Grid(passable.reshape(height, width), connectivity, corners)
    return _largest_region(grid) if fill_pockets else grid


def cave_grid(
    height: int,
    width: int,
    seed: int,
    *,
    connectivity: Literal[4, 8] = 4,
    corners: Corners = "none",
) -> Grid:
    """A cave: noise of 45% rock, smoothed five times by majority in 3x3; the largest hall is kept."""
    _check_size(height, width)
    if min(height, width) < 8:
        raise InputError(f"a cave needs at least 8 x 8 cells, not {height} x {width}")
    random = _Random(seed)
    rock = np.ones((height, width), dtype=np.bool_)
    while rock.all():  # a small cave may close up: then the next noise is tried
        rock = (random.draws(height * width) % np.uint64(100) < np.uint64(45)).reshape(height, width)
        for _ in range(5):
            rock = _rock_around(rock) >= 5
    return _largest_region(Grid(~rock, connectivity, corners))


def _rock_around(rock: BoolArray) -> npt.NDArray[np.int8]:
    """Per cell: how much of its 3x3 block is rock. Outside the map, all is."""
    padded = np.pad(rock, 1, constant_values=True)
    height, width = rock.shape
    count = np.zeros((height, width), dtype=np.int8)
    for row, col in product(range(3), range(3)):
        count += padded[row : row + height, col : col + width]
    return count


def room_grid(
    height: int,
    width: int,
    room: int,
    seed: int,
    *,
    connectivity: Literal[4, 8] = 4,
    corners: Corners = "none",
) -> Grid:
    """Rooms of `room` x `room` cells between walls one cell thick; the last ones may be smaller.

    Doors are one cell wide, at a random place in their wall. A random tree of doors connects all
    rooms; of the other walls, every second one (at random) gets a door too.
    """
    _check_size(height, width)
    _check_count("room", room)
    random = _Random(seed)
    plan = _FloorPlan(height, width, room)
    tree, others = plan.random_tree(random)
    extra = [wall for wall in others if random.below(2)]
    for wall in tree + extra:
        rows, cols = plan.wall_between(*wall)
        plan.open(_one_of(rows, random), _one_of(cols, random))
    return Grid(plan.passable, connectivity, corners)


def _one_of(cells: _Band, random: _Random) -> _Band:
    cell = cells[0] + random.below(cells[1] - cells[0])
    return cell, cell + 1


def maze_grid(
    height: int,
    width: int,
    corridor: int,
    seed: int,
    *,
    connectivity: Literal[4, 8] = 4,
    corners: Corners = "none",
) -> Grid:
    """A perfect maze: between any two places there is one way. Corridors are `corridor` cells wide.

    Walls are one cell thick; the corridors at the bottom and on the right may be narrower.
    """
    _check_size(height, width)
    _check_count("corridor", corridor)
    plan = _FloorPlan(height, width, corridor)
    tree, _ = plan.random_tree(_Random(seed))
    for wall in tree:
        plan.open(*plan.wall_between(*wall))
    return Grid(plan.passable, connectivity, corners)


class _FloorPlan:
    """A lattice of rooms, walls one cell thick between them, all doors still closed."""

    def __init__(self, height: int, width: int, side: int) -> None:
        self.rows, self.cols = _bands(height, side), _bands(width, side)
        self.passable = np.zeros((height, width), dtype=np.bool_)
        for row in self.rows:
            for col in self.cols:
                self.open(row, col)

    def open(self, rows: _Band, cols: _Band) -> None:
        self.passable[slice(*rows), slice(*cols)] = True

    def random_tree(self, random: _Random) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """The walls (pairs of room numbers) whose doors connect all rooms without a loop; and the others."""
        walls = list(self._walls())
        leader = list(range(len(self.rows) * len(self.cols)))
        tree: list[tuple[int, int]] = []
        others: list[tuple[int, int]] = []
        for index in random.order(len(walls)).tolist():
            first, second = (_find(leader, room) for room in walls[index])
            (others if first == second else tree).append(walls[index])
            leader[first] = second
        return tree, others

    def _walls(self) -> Iterator[tuple[int, int]]:
        across = len(self.cols)
        for room in range(len(self.rows) * across):
            if (room + 1) % across:
                yield room, room + 1
            if room + across < len(self.rows) * across:
                yield room, room + across

    def wall_between(self, first: int, second: int) -> tuple[_Band, _Band]:
        """The rows and columns of the wall between a room and its right or lower neighbour."""
        (row, col), (below, right) = divmod(first, len(self.cols)), divmod(second, len(self.cols))
        if row == below:
            return self.rows[row], (self.cols[col][1], self.cols[right][0])
        return (self.rows[row][1], self.rows[below][0]), self.cols[col]


def _bands(length: int, side: int) -> list[_Band]:
    return [(begin, min(begin + side, length)) for begin in range(0, length, side + 1)]


def _find(leader: list[int], item: int) -> int:
    """The leader of an item's set, halving the way there for the next time."""
    while leader[item] != item:
        leader[item] = leader[leader[item]]
        item = leader[item]
    return item


def warehouse_grid(
    columns: int = 10,
    rows: int = 20,
    shelf_width: int = 10,
    shelf_height: int = 2,
    aisle: int = 1,
    *,
    margin: int | None = None,
    connectivity: Literal[4, 8] = 4,
    corners: Corners = "none",
) -> Grid:
    """Shelves in `columns` and `rows` with aisles between them, inside an outer wall.

    The numbers are those in the names of the MovingAI warehouses: the default is the map
    warehouse-10-20-10-2-1. `margin` is the free space on the left and on the right; by default
    it grows with the columns as it does there.
    """
    counts = {
        "columns": columns,
        "rows": rows,
        "shelf_width": shelf_width,
        "shelf_height": shelf_height,
        "aisle": aisle,
    }
    for name, value in counts.items():
        _check_count(name, value)
    if margin is None:
        margin = 5 * columns // 2
    elif not _is_whole(margin) or margin < 0:
        raise InputError(f"margin must be a whole number from 0, not {margin!r}")
    height = rows * (shelf_height + aisle) + aisle + 2
    width = columns * (shelf_width + aisle) - aisle + 2 * margin + 2
    _check_size(height, width)
    passable = np.zeros((height, width), dtype=np.bool_)
    passable[1:-1, 1:-1] = True
    for top in range(1 + aisle, height - 1, shelf_height + aisle):
        for shelf in range(columns):
            left = 1 + margin + shelf * (shelf_width + aisle)
            passable[top : top + shelf_height, left : left + shelf_width] = False
    return Grid(passable, connectivity, corners)


def random_problem(grid: Grid, agents: int, seed: int, *, rules: Rules = Rules()) -> Problem:
    """Random agents on a grid: no two starts alike, no two goals alike, every goal reachable from its start.

    Of two problems that differ only in the number of agents, the smaller is the beginning of the larger.
    """
    if not isinstance(grid, Grid):
        raise InputError(f"random_problem needs a Grid, not a {type(grid).__name__}")
    if not _is_whole(agents) or agents < 0:
        raise InputError(f"agents must be a whole number from 0, not {agents!r}")
    free = np.flatnonzero(grid.open)
    if agents > len(free):
        raise InputError(f"{agents} agents do not fit: the grid has {len(free)} free cells")
    random = _Random(seed)
    starts = free[random.order(len(free))[:agents]]
    return Problem(
        grid,
        [grid.place(start) for start in starts],
        [grid.place(goal) for goal in _goals(grid, starts, free[random.order(len(free))])],
        rules=rules,
    )


def dialogue_problem(seed: int, *, fewest: int = 2, most: int = 40) -> Problem:
    """An instance of the dialogue thesis: 16x16 cells, each blocked with a probability of 20%, 8-connected.

    There are `fewest` to `most` agents, any number as likely. No two starts are alike and no two goals, but
    goals may be out of reach, as in the thesis: of about 1.5% of the instances with 2 to 40 agents, one is.
    """
    _check_count("fewest", fewest)
    if not _is_whole(most) or not fewest <= most <= MOST_IN_DIALOGUE:
        raise InputError(
            f"most must be a whole number from {fewest} (the fewest) to {MOST_IN_DIALOGUE}, not {most!r}"
        )
    random = _Random(seed)
    agents = fewest + random.below(most - fewest + 1)
    passable = np.zeros(0, dtype=np.bool_)
    while passable.sum() < agents:  # almost always at the first attempt
        passable = random.draws(16 * 16) >= np.uint64(2**64 // 5)
    grid = Grid(passable.reshape(16, 16), 8, "free")
    free = np.flatnonzero(grid.open)
    starts, goals = ([grid.place(cell) for cell in free[random.order(len(free))[:agents]]] for _ in range(2))
    return Problem(grid, starts, goals, rules=Rules(cost="time_off_goal"))


def _goals(grid: Grid, starts: Ids, shuffled: Ids) -> list[int]:
    """Each start takes the next cell of its own region: a region has as many goals as starts."""
    regions = _regions(grid)
    waiting: dict[int, list[int]] = {}
    for cell, region in zip(shuffled[::-1].tolist(), regions[shuffled[::-1]].tolist(), strict=True):
        waiting.setdefault(region, []).append(cell)
    return [waiting[region].pop() for region in regions[starts].tolist()]


def _largest_region(grid: Grid) -> Grid:
    """The grid with all but its largest region filled; of equal ones the first in reading order stays."""
    regions = _regions(grid)
    sizes = np.bincount(regions[grid.open], minlength=grid.n)
    kept = (regions == np.argmax(sizes)) & grid.open
    return Grid(kept.reshape(grid.passable.shape), grid.connectivity, grid.corners)


def _regions(grid: Grid) -> Ids:
    """Per vertex, the smallest vertex that it is connected to.

    Every round, each region takes the number of its smallest neighbour and passes it on to all its
    cells, so that whole arrays do the work of a search.
    """
    first, second = _adjacent(grid)
    region = np.arange(grid.n, dtype=np.int64)
    while True:
        a, b = region[first], region[second]
        apart = a != b
        if not apart.any():
            return region
        first, second = first[apart], second[apart]
        np.minimum.at(region, np.maximum(a[apart], b[apart]), np.minimum(a[apart], b[apart]))
        while not np.array_equal(region, shorter := region[region]):
            region = shorter


def _adjacent(grid: Grid) -> tuple[Ids, Ids]:
    """Pairs of free cells side by side. Diagonals connect nothing new unless both corners may be walls."""
    free, ids = grid.passable, np.arange(grid.n, dtype=np.int64).reshape(grid.passable.shape)
    steps: list[tuple[Any, Any]] = [(np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1], np.s_[1:])]
    if grid.connectivity == 8 and grid.corners == "free":
        steps += [(np.s_[:-1, :-1], np.s_[1:, 1:]), (np.s_[:-1, 1:], np.s_[1:, :-1])]
    both = [(ids[here], ids[there], free[here] & free[there]) for here, there in steps]
    return (
        np.concatenate([here[joined] for here, _, joined in both]),
        np.concatenate([there[joined] for _, there, joined in both]),
    )


def _check_size(height: int, width: int) -> None:
    _check_count("height", height)
    _check_count("width", width)
    if height * width > MAX_CELLS:
        raise InputError(f"a generated map may have at most {MAX_CELLS} cells, not {height} x {width}")


def _check_count(name: str, value: int) -> None:
    if not _is_whole(value) or value < 1:
        raise InputError(f"{name} must be a whole number from 1, not {value!r}")


def _is_whole(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return _is_whole(value) or isinstance(value, (float, np.floating))
