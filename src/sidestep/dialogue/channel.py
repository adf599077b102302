"""Who hears whom, and how much is said: the range of communication is part of each algorithm."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..arrays import BoolArray, IntArray
from ..errors import InputError
from ..grid import Grid
from ..problem import Space
from .utterance import Row

Reach = Literal["all", "window", "ring"] | int

# What a message takes in a plain binary form: a head, and each agent, vertex and vote in it.
HEAD_BYTES, AGENT_BYTES, VERTEX_BYTES, VOTE_BYTES = 4, 4, 4, 8


class Channel:
    """Says who hears an agent that speaks to everybody, and counts messages (one per hearer) and bytes.

    `reach` is "all"; "window", which is as far as two agents can meet within `window` steps; "ring", where
    each agent hears only the one before it; or a number of cells. A graph has no cells: all are in reach.
    """

    def __init__(self, space: Space, reach: Reach = "all", *, window: int = 0) -> None:
        is_cells = isinstance(reach, int) and not isinstance(reach, bool) and reach >= 0
        if reach not in ("all", "window", "ring") and not is_cells:
            raise InputError(f"reach must be 'all', 'window', 'ring' or a number of cells, not {reach!r}")
        self.space, self.reach = space, reach
        self.cells = reach if isinstance(reach, int) else None
        self.set_window(window)
        self.messages = self.bytes = 0
        self.hears: BoolArray = np.zeros((0, 0), dtype=np.bool_)
        self._audiences: dict[int, tuple[int, ...]] = {}

    def set_window(self, window: int) -> None:
        """From now on agents plan so many steps ahead."""
        if self.reach == "window":
            self.cells = 2 * window

    def gather(self, positions: IntArray) -> None:
        """Everybody is there now; -1 is nowhere, and hears nothing. Row i of `hears` is who hears agent i."""
        present = positions != -1
        hears = present & present[:, None]
        if self.reach == "ring":
            hears = _next_in_ring(present)
        elif self.cells is not None and isinstance(self.space, Grid):
            for places in np.divmod(positions, self.space.width):
                hears &= np.abs(places - places[:, None]) <= self.cells
        hears.ravel()[:: len(positions) + 1] = False  # nobody hears itself
        self.hears = hears
        self._audiences = {}

    def audience(self, speaker: int) -> tuple[int, ...]:
        """Who hears an agent that speaks to everybody."""
        audience = self._audiences.get(speaker)
        if audience is None:
            audience = self._audiences[speaker] = tuple(self.hears[speaker].nonzero()[0].tolist())
        return audience

    def count_paths(self, paths: IntArray) -> None:
        """Everybody has told a path, the columns of a matrix, to everybody."""
        hearers = int(np.count_nonzero(self.hears))
        vertices = len(paths) * hearers - int(self.hears.sum(axis=1) @ (paths == -1).sum(axis=0))
        self.messages += hearers
        self.bytes += hearers * HEAD_BYTES + vertices * VERTEX_BYTES

    def count_token(self, agents: int, vertices: int) -> None:
        """A token with the paths of so many agents has been passed on to one other."""
        self.messages += 1
        self.bytes += HEAD_BYTES + agents * AGENT_BYTES + vertices * VERTEX_BYTES

    def count_letters(self, letters: int, vertices: int) -> None:
        """So many messages, each with a path to one other, with so many vertices in all of them."""
        self.messages += letters
        self.bytes += letters * HEAD_BYTES + vertices * VERTEX_BYTES

    def count(self, rows: Iterable[Row]) -> None:
        """So much has been said."""
        messages = size = 0
        for _, _, _, _, hearers, _, order, path, vote in rows:
            count = len(hearers)
            messages += count
            size += count * (HEAD_BYTES + 2 * AGENT_BYTES * len(order))
            if path is not None:
                size += count * VERTEX_BYTES * len(path)
            elif vote is not None:
                size += count * VOTE_BYTES
        self.messages += messages
        self.bytes += size


def _next_in_ring(present: BoolArray) -> BoolArray:
    hears: npt.NDArray[np.bool_] = np.zeros((len(present), len(present)), dtype=np.bool_)
    ring = np.flatnonzero(present)
    hears[ring, np.roll(ring, -1)] = True
    return hears
