"""Who hears whom."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep.dialogue import Channel

GRID = ss.Grid(np.ones((5, 9), dtype=bool))
POSITIONS = np.array([0, 2, 8, -1, 44], dtype=np.int32)  # (0, 0), (0, 2), (0, 8), gone, (4, 8)


@pytest.mark.parametrize(
    ("reach", "window", "audiences"),
    [
        ("all", 0, [(1, 2, 4), (0, 2, 4), (0, 1, 4), (), (0, 1, 2)]),
        ("ring", 0, [(1,), (2,), (4,), (), (0,)]),
        (2, 0, [(1,), (0,), (), (), ()]),
        ("window", 2, [(1,), (0,), (4,), (), (2,)]),
        (0, 0, [(), (), (), (), ()]),
    ],
)
def test_an_agent_is_heard_by_those_in_reach(reach, window, audiences):
    channel = Channel(GRID, reach, window=window)
    channel.gather(POSITIONS)
    assert [channel.audience(agent) for agent in range(5)] == audiences


def test_on_a_graph_everybody_is_in_reach():
    channel = Channel(ss.Graph(50, [(0, 1)]), "window", window=2)
    channel.gather(POSITIONS)
    assert channel.audience(0) == (1, 2, 4)


def test_one_agent_alone_hears_nobody():
    channel = Channel(GRID, "ring")
    channel.gather(np.array([3], dtype=np.int32))
    assert channel.audience(0) == ()


@pytest.mark.parametrize("reach", ["none", -1, 1.5, True, None])
def test_a_reach_that_is_none_is_refused(reach):
    with pytest.raises(ss.InputError, match="reach must be"):
        Channel(GRID, reach)


def test_a_reach_may_be_a_number_of_numpy():
    assert Channel(GRID, np.int64(2)).reach == 2
