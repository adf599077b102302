"""Who hears whom, and how much is said: the range of communication is part of each algorithm."""

from __future__ import annotations

from typing import Literal

import numpy as np

from .. import _core
from ..model.agents import NOWHERE
from ..model.arrays import IntArray, is_whole
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.space import Space

Reach = Literal["all", "window", "ring"] | int


class Channel:
    """Says who hears an agent that speaks to everybody, and counts messages (one per hearer) and bytes.

    `reach` is "all"; "window", which is as far as two agents can meet within `window` steps; "ring", where
    each agent hears only the one before it; or a number of cells. A graph has no cells: all are in reach.
    """

    def __init__(self, space: Space, reach: Reach = "all", *, window: int = 0) -> None:
        reach = int(reach) if is_whole(reach) else reach
        if reach not in ("all", "window", "ring") and not (is_whole(reach) and int(reach) >= 0):
            raise InputError(f"reach must be 'all', 'window', 'ring' or a number of cells, not {reach!r}")
        self.space, self.reach = space, reach
        self.core = _core.Channel(space.width if isinstance(space, Grid) else 1)
        self.set_window(window)

    def set_window(self, window: int) -> None:
        """From now on agents plan this many steps ahead."""
        self.cells: int | None = None  # how far one is heard; None: everywhere
        if self.reach == "ring":
            self.core.set_reach(_core.Reach.ring, 0)
        elif self.reach != "all" and isinstance(self.space, Grid):
            cells = self.reach if isinstance(self.reach, int) else 2 * window
            self.cells = min(cells, self.space.n)
            self.core.set_reach(_core.Reach.cells, self.cells)

    def around(self, vertex: int, positions: IntArray) -> set[int]:
        """The agents that are in reach of a place, one that is there included."""
        there = positions != NOWHERE
        if self.cells is not None and isinstance(self.space, Grid):
            rows, columns = np.divmod(positions, self.space.width)
            row, column = divmod(vertex, self.space.width)
            there &= (abs(rows - row) <= self.cells) & (abs(columns - column) <= self.cells)
        return set(np.flatnonzero(there).tolist())

    def gather(self, positions: IntArray) -> None:
        """Everybody is there now; -1 is nowhere, and hears nothing."""
        self.core.gather(positions)

    def audience(self, speaker: int) -> tuple[int, ...]:
        """Who hears an agent that speaks to everybody."""
        return self.core.audience(speaker)

    @property
    def messages(self) -> int:
        """The number of messages so far."""
        return self.core.messages

    @property
    def bytes(self) -> int:
        """What they take in a plain binary form: numbers of 4 bytes, votes of 8."""
        return self.core.bytes

    def count(self, messages: int, *, agents: int = 0, vertices: int = 0) -> None:
        """Counts messages that are in no transcript, with the agents and vertices in all of them."""
        self.core.count(messages, agents, vertices)
