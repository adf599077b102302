"""Generators of problems: the same seed gives the same problem on every machine."""

from __future__ import annotations

import numpy as np

from ..model.arrays import is_whole
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.rules import Rules
from .draws import Ids, Random
from .regions import regions_of
from .sizes import check_count

MOST_IN_DIALOGUE = 150  # agents that fit the small maps of the dialogue thesis


def random_problem(grid: Grid, agents: int, seed: int, *, rules: Rules = Rules()) -> Problem:
    """Draws random agents on a grid: no two starts alike, no two goals alike, every goal reachable from its
    start.

    Of two problems that differ only in the number of agents, the smaller is the beginning of the larger.

    Args:
        grid: Where they are.
        agents: How many.
        seed: The same seed gives the same problem on every machine.
        rules: The rules of the problem.

    Returns:
        The problem.

    Raises:
        InputError: An argument is not valid, or there are more agents than free cells.
    """
    if not isinstance(grid, Grid):
        raise InputError(f"random_problem needs a Grid, not a {type(grid).__name__}")
    if not is_whole(agents) or agents < 0:
        raise InputError(f"agents must be a whole number from 0, not {agents!r}")
    free = np.flatnonzero(grid.open)
    if agents > len(free):
        raise InputError(f"{agents} agents do not fit: the grid has {len(free)} free cells")
    random = Random(seed)
    starts = free[random.order(len(free))[:agents]]
    return Problem(
        grid,
        [grid.place(start) for start in starts],
        [grid.place(goal) for goal in _goals(grid, starts, free[random.order(len(free))])],
        rules=rules,
    )


def dialogue_problem(seed: int, *, fewest: int = 2, most: int = 40) -> Problem:
    """Draws an instance of the dialogue thesis: 16x16 cells, each blocked with a probability of 20%,
    8-connected.

    No two starts are alike and no two goals, but goals may be out of reach, as in the thesis: of about 1.5%
    of the instances with 2 to 40 agents, one is.

    Args:
        seed: The same seed gives the same problem on every machine.
        fewest: The least number of agents.
        most: The largest number of agents, at most 150; any number in between is as likely.

    Returns:
        The problem.

    Raises:
        InputError: The numbers are not valid.
    """
    check_count("fewest", fewest)
    if not is_whole(most) or not fewest <= most <= MOST_IN_DIALOGUE:
        raise InputError(
            f"most must be a whole number from {fewest} (the fewest) to {MOST_IN_DIALOGUE}, not {most!r}"
        )
    random = Random(seed)
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
    regions = regions_of(grid)
    waiting: dict[int, list[int]] = {}
    for cell, region in zip(shuffled[::-1].tolist(), regions[shuffled[::-1]].tolist(), strict=True):
        waiting.setdefault(region, []).append(cell)
    return [waiting[region].pop() for region in regions[starts].tolist()]
