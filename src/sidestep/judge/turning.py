"""Judges agents that have to turn: a step is a quarter of a turn, a move straight ahead, or a wait."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..model.agents import NO_FACING
from ..model.arrays import BoolArray
from ..model.grid import Grid
from ..model.space import Space
from .ground import ABSENT, Ints, Positions
from .violation import ViolationKind, ViolationLog

UP, RIGHT, DOWN, LEFT = range(4)


def facing_fault(space: Space, facings: npt.NDArray[Any], sizes: Positions, periods: Positions) -> str:
    """What is wrong with the facings that agents have at first, one each; empty if nothing is."""
    if facings.shape != sizes.shape or facings.dtype.kind not in "iu":
        return f"{len(sizes)} agents need as many facings"
    if np.any((facings < NO_FACING) | (facings > LEFT)):
        return "a facing is 0 up, 1 right, 2 down or 3 left, and -1 of an agent that need not turn"
    turning = facings != NO_FACING
    if not turning.any():
        return ""
    if not isinstance(space, Grid) or space.connectivity != 4:
        return "agents turn only on grids with connectivity=4"
    bulky = turning & ((sizes != 1) | (periods != 1))
    return "agents that turn have a size and a period of 1" if bulky.any() else ""


def judge_turning(
    grid: Grid,
    positions: Positions,
    facings: Ints,
    log: ViolationLog,
    *,
    start_time: int = 0,
    placed: BoolArray | None = None,
) -> None:
    """Judges all steps between the rows.

    Args:
        grid: Where the agents are.
        positions: A vertex per time and agent.
        facings: Which way each looks; an agent that need not turn has NO_FACING throughout.
        log: Where violations go.
        start_time: The time of the first row.
        placed: Per step and agent whether the outside world put it where it is.
    """
    turning = facings[0] != NO_FACING
    before, after = positions[:-1], positions[1:]
    old, new = facings[:-1], facings[1:]
    known = turning & (before != ABSENT) & (after != ABSENT)
    if placed is not None:
        known &= ~placed
    moves = known & (before != after)
    quarters = (new - old) % 4
    too_far = known & ((new < UP) | (new > LEFT) | (quarters == 2) | (moves & (quarters != 0)))
    sideways = moves & ~too_far & (_direction(grid, before, after) != old)
    strange = ~turning & ((new != NO_FACING) | (old != NO_FACING))
    for wrong, detail in (
        (too_far, "turns by more than a quarter, or in the step of a move"),
        (sideways, "moves another way than it faces"),
        (strange, "has a facing, though it need not turn"),
    ):
        step, agent = np.nonzero(wrong)
        log.add(ViolationKind.FACING, start_time + 1 + step, (agent,), after[step, agent], detail)


def _direction(grid: Grid, before: Positions, after: Positions) -> Ints:
    """Which way each step leads; -2 for one that leads to none of the four cells beside."""
    row, col = np.divmod(before.astype(np.int64), grid.width)
    to_row, to_col = np.divmod(after.astype(np.int64), grid.width)
    down, right = to_row - row, to_col - col
    ways = [
        (down == -1) & (right == 0),
        (down == 0) & (right == 1),
        (down == 1) & (right == 0),
        (down == 0) & (right == -1),
    ]
    return np.select(ways, [UP, RIGHT, DOWN, LEFT], -2)
