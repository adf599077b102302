"""`python -m benchmarks.groups`: do groups keep to the budget of a turn on a map of 1024x1024 cells?

CPU time of giving an order, of the turns after it, and of the turns after a wall has closed on the shared
path, beside the budget of a turn. A turn is over its budget by more than a millisecond if something in it
does not ask.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import numpy as np

from sidestep import WHCA, Grid, Problem, World, move_group
from sidestep.instances import cave_grid, maze_grid, random_grid
from sidestep.papers.timing import thread_milliseconds

SIDE = 1024
ORDER_MS = 5.0  # an order is given within this
SLACK_MS = 1.0
MAPS: dict[str, Callable[[int], Grid]] = {
    "open": lambda seed: Grid(np.ones((SIDE, SIDE), dtype=bool)),
    "scattered": lambda seed: random_grid(SIDE, SIDE, 0.2, seed),
    "cave": lambda seed: cave_grid(SIDE, SIDE, seed),
    "maze": lambda seed: maze_grid(SIDE, SIDE, 5, seed),
}


def main() -> None:
    """Prints a row per kind of map; the exit code is 1 if an order or a turn took too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=50)
    parser.add_argument("--milliseconds", type=float, default=16.0, help="the budget of a turn")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--stuck-after", type=int, default=50, help="as of a World: 0 looks for no jams")
    given = parser.parse_args()
    columns = ("order", "first turn", "worst turn", "path after", "wall: worst", "path after", "over")
    print(f"{given.units} units, turns of {given.milliseconds:g} ms; CPU ms, turns until a path is known")
    print(f"{'':10}" + "".join(f"{column:>13}" for column in columns))
    fine = True
    for name, make in MAPS.items():
        row, is_fine = measured(make(given.seed), given.units, given.milliseconds, given.stuck_after)
        print(f"{name:10}" + "".join(f"{value:>13}" for value in row), flush=True)
        fine = fine and is_fine
    sys.exit(not fine)


def measured(grid: Grid, units: int, budget: float, stuck_after: int) -> tuple[list[str], bool]:
    """An order across the map, and a wall on the path when the units are on it."""
    cells = np.argwhere(grid.passable)
    corner = np.abs(cells).sum(axis=1)
    starts = [tuple(cell) for cell in cells[np.argsort(corner, kind="stable")[:units]].tolist()]
    world = World(Problem(grid, starts, [None] * units), WHCA(), stuck_after=stuck_after or None)
    world.step(1.0)
    groups = []
    goal = tuple(cells[np.argmax(corner)].tolist())
    order = thread_milliseconds(lambda: groups.append(move_group(world, range(units), goal)))
    (group,) = groups

    def turns(count: int) -> tuple[list[float], int]:
        times, searching = [], 0
        for _ in range(count):
            times.append(thread_milliseconds(lambda: world.step(budget / 1000)))
            searching += not group.path_is_known
        return times, searching

    set_out, searching = turns(60)
    if not len(group.path):
        return [f"{order:.2f}", "no path"], False
    ahead = next(v for v in group.path[len(group.path) // 2 :].tolist() if v not in world.positions)
    world.block(grid.place(ahead))
    after, again = turns(60)
    over = sum(time > budget + SLACK_MS for time in set_out + after)
    shown = [f"{time:.2f}" for time in (order, set_out[0], max(set_out))]
    return [
        *shown,
        str(searching),
        f"{max(after):.2f}",
        str(again),
        str(over),
    ], order <= ORDER_MS and not over


if __name__ == "__main__":
    main()
