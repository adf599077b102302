"""What a world has recorded, as a trace."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .. import _core
from ..model.agents import IDLE, NOWHERE, AgentTable
from ..model.arrays import IntArray, read_only
from ..model.rules import Rules
from ..model.trace import Trace


def recorded(core: _core.World, agents: AgentTable, rules: Rules) -> Trace:
    """The trace of the core's world; `agents` are all there ever were, as they are now."""
    count = len(agents.names)
    first = replace(
        agents,
        starts=_padded(core.first_positions(), count, NOWHERE),
        goals=_padded(core.first_goals(), count, IDLE),
        priorities=_padded(core.first_priorities(), count, 0),
        facings=read_only(core.first_facings()),
    )
    return Trace(
        agents=first,
        rules=rules,
        start_time=core.first_time,
        open=read_only(core.first_open()),
        positions=read_only(core.history()),
        events=read_only(core.events()),
        headings=_padded(core.first_headings(), count, NOWHERE),
        progress=_padded(core.first_progress(), count, 0),
    )


def _padded(values: IntArray, count: int, filler: int) -> IntArray:
    padded = np.full(count, filler, dtype=np.int32)
    padded[: len(values)] = values
    return read_only(padded)
