"""Generators of maps: the same seed gives the same map on every machine."""

from __future__ import annotations

from itertools import product
from typing import Unpack

import numpy as np
import numpy.typing as npt

from ..model.arrays import BoolArray, is_number, is_whole
from ..model.errors import InputError
from ..model.grid import Grid, GridShape
from .draws import Random
from .floor_plan import Band, FloorPlan
from .regions import largest_region
from .sizes import check_count, check_size


def random_grid(
    height: int,
    width: int,
    density: float,
    seed: int,
    *,
    fill_pockets: bool = True,
    **shape: Unpack[GridShape],
) -> Grid:
    """Makes a map with obstacles in random cells.

    Args:
        height: How many rows.
        width: How many columns.
        density: The share of blocked cells, from 0 to below 1: exactly `round(density * cells)` are drawn.
        seed: The same seed gives the same map on every machine.
        fill_pockets: Whether then everything but the largest connected region is filled.
        **shape: `connectivity` and `corners`, as for `Grid`.

    Returns:
        The map.

    Raises:
        InputError: An argument is not valid, or no cell would be left free.
    """
    height, width = check_size(height, width)
    if not is_number(density) or not 0 <= density < 1:
        raise InputError(f"density must be a number from 0 to below 1, not {density!r}")
    cells = height * width
    obstacles = round(float(density) * cells)
    if obstacles == cells:
        raise InputError(f"density {density} leaves no cell of {height} x {width} free")
    passable = np.ones(cells, dtype=np.bool_)
    passable[Random(seed).order(cells)[:obstacles]] = False
    grid = Grid(passable.reshape(height, width), **shape)
    return largest_region(grid) if fill_pockets else grid


def cave_grid(
    height: int,
    width: int,
    seed: int,
    **shape: Unpack[GridShape],
) -> Grid:
    """Makes a cave: noise of 45% rock, smoothed five times by majority in 3x3. Only the largest hall is kept.

    Args:
        height: How many rows, at least 8.
        width: How many columns, at least 8.
        seed: The same seed gives the same map on every machine.
        **shape: `connectivity` and `corners`, as for `Grid`.

    Returns:
        The map.

    Raises:
        InputError: An argument is not valid.
    """
    height, width = check_size(height, width)
    if min(height, width) < 8:
        raise InputError(f"a cave needs at least 8 x 8 cells, not {height} x {width}")
    random = Random(seed)
    rock = np.ones((height, width), dtype=np.bool_)
    while rock.all():  # a small cave may close up: then the next noise is tried
        rock = (random.draws(height * width) % np.uint64(100) < np.uint64(45)).reshape(height, width)
        for _ in range(5):
            rock = _rock_around(rock) >= 5
    return largest_region(Grid(~rock, **shape))


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
    **shape: Unpack[GridShape],
) -> Grid:
    """Makes square rooms between walls one cell thick; the last ones may be smaller.

    Doors are one cell wide, at a random place in their wall. A random tree of doors connects all
    rooms; each of the other walls gets a door, too, with a probability of one half.

    Args:
        height: How many rows of cells.
        width: How many columns of cells.
        room: The side of a room in cells.
        seed: The same seed gives the same map on every machine.
        **shape: `connectivity` and `corners`, as for `Grid`.

    Returns:
        The map.

    Raises:
        InputError: An argument is not valid.
    """
    plan = FloorPlan(*check_size(height, width), check_count("room", room))
    random = Random(seed)
    tree, others = plan.random_tree(random)
    extra = [wall for wall in others if random.below(2)]
    for wall in tree + extra:
        rows, cols = plan.wall_between(wall)
        plan.open(_one_of(rows, random), _one_of(cols, random))
    return Grid(plan.passable, **shape)


def _one_of(cells: Band, random: Random) -> Band:
    cell = cells[0] + random.below(cells[1] - cells[0])
    return cell, cell + 1


def maze_grid(
    height: int,
    width: int,
    corridor: int,
    seed: int,
    **shape: Unpack[GridShape],
) -> Grid:
    """Makes a perfect maze: between any two places there is one way.

    Walls are one cell thick; the corridors at the bottom and on the right may be narrower.

    Args:
        height: How many rows.
        width: How many columns.
        corridor: How many cells wide corridors are.
        seed: The same seed gives the same map on every machine.
        **shape: `connectivity` and `corners`, as for `Grid`.

    Returns:
        The map.

    Raises:
        InputError: An argument is not valid.
    """
    plan = FloorPlan(*check_size(height, width), check_count("corridor", corridor))
    tree, _ = plan.random_tree(Random(seed))
    for wall in tree:
        plan.open(*plan.wall_between(wall))
    return Grid(plan.passable, **shape)


def warehouse_grid(
    columns: int = 10,
    rows: int = 20,
    shelf_width: int = 10,
    shelf_height: int = 2,
    aisle: int = 1,
    *,
    margin: int | None = None,
    **shape: Unpack[GridShape],
) -> Grid:
    """Makes a warehouse: shelves with aisles between them, inside an outer wall.

    The numbers are those in the names of the MovingAI warehouses: the default is the map
    warehouse-10-20-10-2-1.

    Args:
        columns: How many shelves beside each other.
        rows: How many shelves below each other.
        shelf_width: How many cells wide a shelf is.
        shelf_height: How many cells high a shelf is.
        aisle: How many cells wide aisles are.
        margin: How many columns are free on the left and on the right; if None, two and a half per column of
            shelves, rounded down.
        **shape: `connectivity` and `corners`, as for `Grid`.

    Returns:
        The map.

    Raises:
        InputError: An argument is not valid.
    """
    columns, rows = check_count("columns", columns), check_count("rows", rows)
    shelf_width = check_count("shelf_width", shelf_width)
    shelf_height = check_count("shelf_height", shelf_height)
    aisle = check_count("aisle", aisle)
    if margin is None:
        margin = 5 * columns // 2
    elif not is_whole(margin) or margin < 0:
        raise InputError(f"margin must be a whole number from 0, not {margin!r}")
    height = rows * (shelf_height + aisle) + aisle + 2
    width = columns * (shelf_width + aisle) - aisle + 2 * int(margin) + 2
    height, width = check_size(height, width)
    passable = np.zeros((height, width), dtype=np.bool_)
    passable[1:-1, 1:-1] = True
    for top in range(1 + aisle, height - 1, shelf_height + aisle):
        for shelf in range(columns):
            left = 1 + margin + shelf * (shelf_width + aisle)
            passable[top : top + shelf_height, left : left + shelf_width] = False
    return Grid(passable, **shape)
