"""A switchable session: planners that take over from each other, and agents that are slow."""

from __future__ import annotations

import pytest

import sidestep as ss
from sidestep.model.errors import InputError, UnsupportedError
from sidestep.world.switchable import SwitchableSession, switchable_of

PROBLEM = ss.Problem.from_text("""
    a . . . . B
    . . # # . .
    b . . . . A
""")


def judged(world: ss.World) -> ss.Trace:
    assert ss.validate_trace(world.trace)
    assert ss.replay_trace(world.trace) == world.trace
    return world.trace


def test_a_crew_does_what_its_planner_does():
    alone = ss.World(PROBLEM, ss.WHCA(), seed=3)
    planners = ss.World(PROBLEM, SwitchableSession(PROBLEM, ss.WHCA(), seed=3))
    for _ in range(12):
        alone.step(nodes=10_000)
        planners.step(nodes=10_000)
    assert judged(planners) == judged(alone)


def test_who_takes_over_knows_all_that_has_changed():
    """Walls, goals, newcomers and who has gone: the new planner proposes nothing that is refused."""
    planners = SwitchableSession(PROBLEM, ss.LRA())
    world = ss.World(PROBLEM, planners)
    world.step()
    world.block((0, 2))
    world.add(ss.Agent((1, 4), (1, 0)))
    world.send("a", (0, 0))
    world.step()
    world.remove("b")
    world.step()
    planners.switch(ss.WHCA())
    for _ in range(15):
        world.step()
    assert world.done
    trace = judged(world)
    late = trace.events[trace.events[:, 0] >= 3]
    assert not (late[:, 1] == ss.EventKind.REFUSED).any()
    assert not trace.count(ss.EventKind.RAISED)


def test_a_slow_agent_arrives_later():
    times = {}
    for period in (1, 3):
        planners = SwitchableSession(PROBLEM, ss.WHCA())
        planners.hold_back([0], period)
        world = ss.World(PROBLEM, planners)
        while not world.done and world.time < 60:
            world.step()
        assert world.done
        judged(world)
        times[period] = world.time
    assert times[3] > times[1]


def test_a_snapshot_has_the_crew_in_it():
    planners = SwitchableSession(PROBLEM, ss.WHCA())
    world = ss.World(PROBLEM, planners)
    before = world.snapshot()
    planners.hold_back([0, 1], 5)
    planners.switch(ss.LRA())
    world.step()
    world.restore(before)
    assert switchable_of(world).held_back == {}
    assert switchable_of(world).problem is PROBLEM
    world.step()
    ss.move_group(world, [0, 1], (1, 1))
    assert switchable_of(world).held_back == {}  # also under a group


def test_bad_input():
    planners = SwitchableSession(PROBLEM, ss.WHCA())
    with pytest.raises(InputError, match="turn by turn"):
        planners.switch(ss.CBS())
    with pytest.raises(InputError, match="1 turn or more"):
        planners.hold_back([0], 0)
    with pytest.raises(InputError, match="not a SwitchableSession"):
        switchable_of(ss.World(PROBLEM, ss.WHCA()))
    slow = ss.Problem.from_agents(PROBLEM.space, [ss.Agent((0, 0), period=2)])
    with pytest.raises(UnsupportedError, match="period 1"):
        SwitchableSession(slow, ss.LRA())
