"""A trace: what happened in a world, turn by turn, as arrays that replay and that the judge can read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .agents import NO_FACING, AgentTable, HasAgents
from .arrays import BoolArray, IntArray, frozen_state, read_only
from .events import EventKind
from .rules import Rules
from .space import Space

AT_REST = {"headings": -1, "progress": 0}  # of agents in no move of several turns


@dataclass(frozen=True, eq=False)
class Trace(HasAgents):
    """What happened in a world. Row k of `positions` is the state at `start_time + k`, after its changes.

    Attributes:
        agents: All agents there ever were. `starts`, `goals` and `priorities` are those at `start_time`,
            before its changes; agents added later have -1, -1 and 0 there. Sizes and periods are for good.
            `facings` are those at `start_time` or, of agents added later, with which they were added; TURNED
            events change them.
        rules: The rules of the world.
        start_time: The time of the first row.
        open: Per vertex whether it was open at `start_time`, before its changes.
        positions: A vertex per time and agent, -1 for one that is not there.
        events: Rows (time, kind, agent, value): see `EventKind`.
        headings: Per agent the vertex that it was moving to at `start_time` in a move of several turns, else
            -1. Left out: nobody was.
        progress: Per agent the turns of that move that it had behind it, else 0.
    """

    agents: AgentTable
    rules: Rules
    start_time: int
    open: BoolArray
    positions: IntArray
    events: IntArray
    headings: IntArray = None  # type: ignore[assignment]
    progress: IntArray = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        for name, usual in AT_REST.items():
            if getattr(self, name) is None:
                values = read_only(np.full(len(self.agents), usual, dtype=np.int32))
                object.__setattr__(self, name, values)

    @property
    def space(self) -> Space:
        """Where the agents are."""
        return self.agents.space

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trace):
            return NotImplemented
        arrays = ("open", "positions", "events", *AT_REST)
        plain = ("agents", "rules", "start_time")
        return all(getattr(self, name) == getattr(other, name) for name in plain) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in arrays
        )

    __hash__ = None  # type: ignore[assignment]  # compared by value, and large

    def __setstate__(self, state: dict[str, Any]) -> None:
        frozen_state(self, state)

    def facings_by_time(self) -> IntArray | None:
        """Follows the turns of agents that have to turn.

        Returns:
            Which way everybody looks, an array of the shape of `positions`: 0 up, 1 right, 2 down, 3 left; -1
            for an agent that need not turn. None if nobody has to.
        """
        if not np.any(self.facings != NO_FACING):
            return None
        rows = np.tile(self.facings, (len(self.positions), 1))
        latest = np.zeros(rows.shape, dtype=np.int32)  # per time the row in which the agent last turned
        time, kind, agent, facing = self.events.T
        after = time + 1 - self.start_time
        turns = (kind == EventKind.TURNED) & (after > 0) & (after < len(rows)) & (agent >= 0)
        rows[after[turns], agent[turns]] = facing[turns]
        latest[after[turns], agent[turns]] = after[turns]
        np.maximum.accumulate(latest, axis=0, out=latest)
        return read_only(np.take_along_axis(rows, latest, axis=0))

    def count(self, kind: EventKind) -> int:
        """Counts the events of one kind.

        Args:
            kind: The kind of events.

        Returns:
            The number of rows of `events` that are of this kind.
        """
        return int(np.count_nonzero(self.events[:, 1] == kind))
