"""Who moves: one agent as users write it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from .errors import InputError

IDLE = -1  # the goal of an agent that has none
MAX_PERIOD = 1000  # turns per move: far beyond use, and times stay within 32 bits


@dataclass(frozen=True)
class Agent:
    """One agent: where it starts and where it wants to be. No goal means idle: it makes room.

    A higher `priority` goes first. An agent of `size` k covers k x k cells of a grid, `start` and `goal`
    being those of its top left cell; one of `period` m takes m turns for a move. A solver that does not
    honour them refuses the problem.
    """

    start: Any
    goal: Any = None
    _: KW_ONLY
    name: str | None = None
    priority: int = 0
    size: int = 1
    period: int = 1


def agent_index(agent: int | str, names: Sequence[str]) -> int:
    """The index of an agent given by index or by name, or an InputError that says there is none."""
    if isinstance(agent, str):
        if agent not in names:
            raise InputError(f"there is no agent named {agent!r}")
        return list(names).index(agent)
    if not isinstance(agent, (int, np.integer)) or isinstance(agent, bool):
        raise InputError(f"an agent is an index or a name, not {agent!r}")
    if not 0 <= agent < len(names):
        raise InputError(f"there is no agent {agent}: there are {len(names)}")
    return int(agent)
