"""A world whose planner fails says so; snapshots know their world; what a planner sees it cannot change."""

from __future__ import annotations

import copy
import logging
from typing import Any

import numpy as np
import pytest

import sidestep as ss

GRID = ss.Grid.from_text("""
    . . .
    . # .
    . . .
""")
PROBLEM = ss.Problem(GRID, [(0, 0)], [(2, 2)])


class Moody:
    """A planner whose answers come from a list, the last of them again and again."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)

    def step(self, view: ss.View, *, budget: ss.Budget) -> Any:
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return view.positions if answer == "wait" else answer


def test_a_planner_that_fails_in_every_turn_is_reported(caplog: pytest.LogCaptureFixture) -> None:
    world = ss.World(PROBLEM, Moody(ValueError("no idea")))
    with caplog.at_level(logging.ERROR, logger="sidestep.world"):
        for _ in range(12):
            world.step()
    assert world.failed_turns == 12
    assert (
        world.trouble == "the planner failed in the last 12 turns, and everybody waits: ValueError: no idea"
    )
    (record,) = caplog.records
    assert "failed in the last 10 turns" in record.getMessage()


def test_a_planner_that_answers_again_is_no_trouble() -> None:
    world = ss.World(PROBLEM, Moody(ValueError("no idea"), "north", "wait"))
    assert (world.failed_turns, world.trouble) == (0, "")
    world.step()
    assert world.trouble == "the planner failed in the last turn, and everybody waits: ValueError: no idea"
    world.step()
    assert world.failed_turns == 2
    assert "InputError" in world.trouble
    world.step()
    assert (world.failed_turns, world.trouble) == (0, "")
    assert isinstance(world.planner_error, ss.InputError)  # the last one there was


def test_a_planner_that_is_always_late_is_reported() -> None:
    class Slow:
        def step(self, view: ss.View, *, budget: ss.Budget) -> Any:
            while budget.elapsed < 0.02:
                pass
            return view.positions

    world = ss.World(PROBLEM, Slow())
    for _ in range(2):
        world.step(0.001)
    assert world.trouble == "the planner was late in the last 2 turns, and everybody waits"


def test_a_snapshot_is_restored_in_its_own_world_only() -> None:
    world = ss.World(PROBLEM, ss.WHCA())
    elsewhere = ss.World(ss.Problem(ss.Grid(np.ones((30, 30), dtype=bool)), [(29, 29)], [(0, 0)]), ss.WHCA())
    elsewhere.step()
    with pytest.raises(ss.InputError, match="snapshot of another world"):
        world.restore(elsewhere.snapshot())
    with pytest.raises(ss.InputError, match="snapshot of another world"):
        ss.World(PROBLEM, ss.WHCA()).restore(world.snapshot())
    world.step()
    assert world.time == 1


def test_a_copy_of_a_world_takes_its_snapshots() -> None:
    world = ss.World(PROBLEM, ss.WHCA())
    before = world.snapshot()
    twin = copy.deepcopy(world)
    twin.step()
    twin.restore(before)
    assert (twin.time, world.time) == (0, 0)
    world.restore(twin.snapshot())


def test_a_planner_cannot_open_a_wall_through_its_view() -> None:
    class Breaker:
        def step(self, view: ss.View, *, budget: ss.Budget) -> Any:
            if hasattr(view.space, "set_open"):
                view.space.set_open(4, True)
            return np.array([4], dtype=np.int32)

    problem = ss.Problem(GRID, [(0, 1)], [(2, 1)])
    world = ss.World(problem, Breaker())
    for _ in range(3):
        world.step()
    assert world.where(0) == (0, 1)
    assert not world.is_open((1, 1))
    assert ss.validate_trace(world.trace)


@pytest.mark.parametrize("solver", [ss.WHCA(), ss.HCA(), ss.CA()])
def test_a_session_that_begins_in_the_middle_of_a_move_lets_it_end(solver: Any) -> None:
    """A newcomer that plans first keeps out of the cell that a slow agent is moving to."""
    slow = ss.Agent((1, 0), (1, 2), period=4)
    world = ss.World(ss.Problem.from_agents(ss.Grid(np.ones((3, 3), np.bool_)), [slow]), solver)
    world.step()
    world.session = Moody(ValueError("no idea"))
    world.step()
    world.add(ss.Agent((0, 1), (2, 1), priority=1))
    for _ in range(20):
        world.step()
    assert world.trace.count(ss.EventKind.TURNED_BACK) == world.trace.count(ss.EventKind.REFUSED) == 0
    assert [world.where(agent) for agent in range(2)] == [(1, 2), (2, 1)]


def test_a_seed_is_a_whole_number_of_any_kind() -> None:
    """A numpy number once stopped the world without a word."""
    problem = ss.Problem.from_text("a . b . B A")
    traces = []
    for seed in (3, np.int64(3)):
        world = ss.World(problem, ss.WHCA(), seed=seed)
        for _ in range(5):
            world.step(nodes=1000)
        assert world.planner_error is None
        traces.append(world.trace)
    assert traces[0] == traces[1]
    with pytest.raises(ss.InputError, match="seed must be a whole number, not 'x'"):
        ss.World(problem, ss.WHCA(), seed="x")
