"""A trace: what happened in a world, turn by turn, as arrays that replay and that the judge can read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .arrays import BoolArray, IntArray, frozen_state, read_only
from .events import EventKind
from .rules import Rules
from .space import Space

USUAL = {"sizes": 1, "periods": 1, "headings": -1, "progress": 0}  # of agents of one cell and turn


@dataclass(frozen=True, eq=False)
class Trace:
    """Row k of `positions` is the state at time `start_time + k`, after the changes of that time.

    An agent that is not there has vertex -1. `open`, `starts`, `goals` and `priorities` are those at
    `start_time`, before its changes; agents added later have -1, -1 and 0 there. `events` has rows
    (time, kind, agent, value). `sizes` and `periods` are of all agents, for good. An agent that is in the
    middle of a move of several turns at `start_time` is on its way to its vertex of `headings` and has
    `progress` turns behind it; others have -1 and 0 there.
    """

    space: Space
    rules: Rules
    names: tuple[str, ...]
    start_time: int
    open: BoolArray
    starts: IntArray
    goals: IntArray
    priorities: IntArray
    positions: IntArray
    events: IntArray
    sizes: IntArray = None  # type: ignore[assignment]  # left out: all of one cell
    periods: IntArray = None  # type: ignore[assignment]  # left out: all move every turn
    headings: IntArray = None  # type: ignore[assignment]  # left out: nobody is in the middle of a move
    progress: IntArray = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        for name, usual in USUAL.items():
            if getattr(self, name) is None:
                values = read_only(np.full(len(self.names), usual, dtype=np.int32))
                object.__setattr__(self, name, values)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trace):
            return NotImplemented
        arrays = ("open", "starts", "goals", "priorities", "positions", "events", *USUAL)
        plain = ("space", "rules", "names", "start_time")
        return all(getattr(self, name) == getattr(other, name) for name in plain) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in arrays
        )

    __hash__ = None  # type: ignore[assignment]  # compared by value, and large

    def __setstate__(self, state: dict[str, Any]) -> None:
        frozen_state(self, state)

    def count(self, kind: EventKind) -> int:
        """How many rows of this kind there are."""
        return int(np.count_nonzero(self.events[:, 1] == kind))
