"""Who is there when it should be."""

from __future__ import annotations

import numpy as np

from ..model.arrays import BoolArray
from .ground import ABSENT, Positions
from .violation import ViolationKind, ViolationLog


def judge_who_is_there(positions: Positions, expected: BoolArray, start_time: int, log: ViolationLog) -> None:
    """Report who is missing and who is there though it should not be; `expected` is per row and agent."""
    present = positions != ABSENT
    rows, agents = np.nonzero(expected & ~present)
    log.add(ViolationKind.ABSENT, start_time + rows, (agents,))
    rows, agents = np.nonzero(present & ~expected)
    log.add(ViolationKind.PRESENT, start_time + rows, (agents,), positions[rows, agents])
