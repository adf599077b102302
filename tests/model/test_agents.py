"""The table of agents, where it holds agents that are not there."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import sidestep as ss
from sidestep.model.agents import ATTRIBUTES

PROBLEM = ss.Problem(ss.Grid(np.ones((4, 5), dtype=bool)), [(0, 0), (3, 3)], [(0, 4), None])


def test_an_agent_that_is_not_there_has_no_start() -> None:
    world = ss.World(PROBLEM, ss.WHCA())
    world.remove(0)
    world.add(ss.Agent((1, 1), (2, 0), size=2, period=3, priority=5))
    world.step()
    gone, still, new = world.agents
    assert (gone.start, gone.goal, gone.name) == (None, (0, 4), "a0")
    assert still == ss.Agent((3, 3), None, name="a1")
    assert (new.size, new.period, new.priority, new.goal) == (2, 3, 5, (2, 0))
    later = world.trace.agents[2]  # as it was at the beginning, where it was not
    assert (later.start, later.goal, later.size, later.period) == (None, None, 2, 3)


def test_the_columns_of_a_world_are_read_only() -> None:
    world = ss.World(PROBLEM, ss.WHCA())
    for table in (PROBLEM.agents, world.agents, world.trace.agents, pickle.loads(pickle.dumps(world.agents))):
        for name in ("starts", "goals", *(one.column for one in ATTRIBUTES)):
            with pytest.raises(ValueError, match="read-only"):
                getattr(table, name)[0] = 1
