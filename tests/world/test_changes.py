"""The one log of changes: what a session hears, when, and what becomes of it when a turn fails."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep import EventKind
from sidestep.world.switchable import SwitchableSession

GRID = ss.Grid(np.ones((6, 6), dtype=bool))
PROBLEM = ss.Problem(GRID, [(0, 0), (5, 5)], [(0, 5), (5, 0)])
ONLINE = [ss.LRA(), ss.CA(), ss.HCA(), ss.WHCA(), ss.BCP(), ss.DMRCP(), ss.WDPCA()]


class Fails:
    """A session around another that raises in some turns, before or after the other has heard of changes."""

    def __init__(self, inner: Any, turns: set[int], *, after: bool) -> None:
        self.inner, self.turns, self.after = inner, turns, after

    def step(self, view: Any, *, budget: ss.Budget) -> Any:
        if view.time in self.turns and not self.after:
            raise RuntimeError("before")
        moves = self.inner.step(view, budget=budget)
        if view.time in self.turns:
            raise RuntimeError("after")
        return moves


class Unreliable:
    """A planner whose sessions raise in some turns."""

    def __init__(self, planner: Any, turns: set[int], *, after: bool) -> None:
        self.planner, self.turns, self.after = planner, turns, after

    def session(self, problem: ss.Problem, *, seed: int = 0) -> Fails:
        return Fails(self.planner.session(problem, seed=seed), self.turns, after=self.after)


def change_everything(world: ss.World) -> None:
    world.block((2, 2))
    world.add(ss.Agent((3, 3), (3, 0), name="late", priority=2))
    world.send("a0", (4, 4))
    world.set_priority("a1", 7)
    world.add(ss.Agent((1, 4), (1, 0)))
    world.remove("a3")


def run(world: ss.World, turns: int = 60) -> None:
    for _ in range(turns):
        if world.done:
            break
        world.step(nodes=100_000)


@pytest.mark.parametrize("after", [False, True], ids=["before hearing", "after hearing"])
@pytest.mark.parametrize("planner", ONLINE, ids=lambda planner: planner.name)
def test_a_turn_that_raises_loses_no_change(planner: Any, after: bool) -> None:
    world = ss.World(PROBLEM, Unreliable(planner, {2, 3}, after=after))
    world.step()
    world.step()
    change_everything(world)
    run(world)
    assert world.done
    assert world.trace.count(EventKind.RAISED) == 2
    assert world.trace.count(EventKind.REFUSED) == 0
    assert ss.validate_trace(world.trace)


@pytest.mark.parametrize("planner", ONLINE, ids=lambda planner: planner.name)
def test_a_session_that_is_told_twice_of_a_newcomer_adds_it_once(planner: Any) -> None:
    world = ss.World(PROBLEM, Fails(planner.session(PROBLEM), {2, 3}, after=True))
    world.step()
    world.step()
    change_everything(world)
    run(world)
    assert world.done
    assert world.trace.count(EventKind.RAISED) == 2
    assert world.trace.count(EventKind.REFUSED) == 0
    assert ss.validate_trace(world.trace)


def test_a_session_that_cannot_be_opened_again_hears_changes_until_a_turn_has_taken_them() -> None:
    heard = []

    class Deaf:
        def step(self, view: Any, *, budget: ss.Budget) -> Any:
            heard.append(list(view.changes))
            if view.time < 3:
                raise RuntimeError
            return view.positions

    world = ss.World(PROBLEM, Deaf(), trace_limit=1)
    world.block((2, 2))
    world.step()
    world.send(0, (1, 1))
    for _ in range(4):
        world.step()
    blocked, sent = (0, EventKind.BLOCK, -1, 14), (1, EventKind.GOAL, 0, 7)
    assert heard == [[blocked], [blocked, sent], [blocked, sent], [blocked, sent], []]


def test_an_interrupted_turn_loses_no_change() -> None:
    class Interrupted:
        def step(self, view: Any, *, budget: ss.Budget) -> Any:
            if view.time == 0 and not told:
                told.append(list(view.changes))
                raise KeyboardInterrupt
            told.append(list(view.changes))
            return view.positions

    told: list[Any] = []
    world = ss.World(PROBLEM, Interrupted())
    world.block((2, 2))
    with pytest.raises(KeyboardInterrupt):
        world.step()
    world.step()
    assert told[0] == told[1] == [(0, EventKind.BLOCK, -1, 14)]


def test_a_snapshot_keeps_what_no_turn_has_taken() -> None:
    world = ss.World(PROBLEM, Unreliable(ss.WHCA(), {0}, after=False))
    change_everything(world)
    world.step()
    snapshot = world.snapshot()
    run(world)
    first = world.trace
    world.restore(snapshot)
    run(world)
    assert world.done
    assert world.trace == first


def test_the_difference_to_the_problem_is_all_that_a_new_session_needs() -> None:
    views = []

    class Watching:
        def step(self, view: Any, *, budget: ss.Budget) -> Any:
            views.append(view)
            return view.positions

    world = ss.World(PROBLEM, Watching(), trace_limit=1)
    change_everything(world)
    world.free((2, 2))
    world.block((4, 1))
    for _ in range(5):
        world.step()
    rows = [(EventKind(kind), agent, value) for _, kind, agent, value in views[-1].changes_since(PROBLEM)]
    assert rows == [
        (EventKind.BLOCK, -1, 25),
        (EventKind.GOAL, 0, 28),
        (EventKind.PRIORITY, 1, 7),
        (EventKind.ADD, 2, 21),
        (EventKind.PRIORITY, 2, 2),
        (EventKind.GOAL, 2, 18),
        (EventKind.ADD, 3, -1),
        (EventKind.GOAL, 3, 6),
        (EventKind.REMOVE, 3, -1),
    ]


def test_what_is_open_now() -> None:
    world = ss.World(PROBLEM, ss.WHCA())
    world.block((2, 2))
    world.block((2, 3))
    world.free((2, 2))
    expected = GRID.open.copy()
    expected[15] = False
    assert np.array_equal(world.open, expected)


def behind(kind: str, planner: Any) -> ss.World:
    if kind == "a session":
        return ss.World(PROBLEM, planner.session(PROBLEM))
    if kind == "a switchable session":
        return ss.World(PROBLEM, SwitchableSession(PROBLEM, planner))
    world = ss.World(PROBLEM, planner)
    if kind == "a group":
        ss.move_group(world, [0, 1], (3, 3))
    return world


@pytest.mark.parametrize("kind", ["a planner", "a session", "a switchable session", "a group"])
def test_agents_that_the_planner_refuses_are_refused_behind(kind: str) -> None:
    world = behind(kind, ss.LRA())
    before = copy.deepcopy(world.names)
    with pytest.raises(ss.UnsupportedError, match="does not take such an agent"):
        world.add(ss.Agent((1, 1), size=2))
    with pytest.raises(ss.UnsupportedError, match="does not take such an agent"):
        world.add(ss.Agent((1, 1), period=3))
    assert world.names == before
    large = behind(kind, ss.WHCA())
    assert large.add(ss.Agent((1, 1), size=2, period=2)) == 2


def test_a_group_goes_on_after_a_turn_that_raised() -> None:
    problem = ss.Problem(GRID, [(0, 0), (0, 1)], [(0, 0), (0, 1)])
    world = ss.World(problem, Unreliable(ss.WHCA(), {1}, after=True))
    ss.move_group(world, [0, 1], (5, 5))
    run(world)
    assert world.done
    assert world.trace.count(EventKind.RAISED) == 1
    assert ss.validate_trace(world.trace)


def test_a_planner_that_cannot_be_opened_again_costs_safe_waits() -> None:
    class OnlyOnce:
        def __init__(self) -> None:
            self.opened = 0

        def session(self, problem: ss.Problem, *, seed: int = 0) -> Any:
            self.opened += 1
            if self.opened in (2, 3):
                raise RuntimeError("busy")
            return Fails(ss.WHCA().session(problem, seed=seed), {1}, after=True)

    world = ss.World(PROBLEM, OnlyOnce())
    world.step()
    world.block((2, 2))
    for _ in range(3):  # raises, and cannot be opened again twice
        world.step()
    assert world.time == 4
    assert str(world.planner_error) == "busy"
    run(world)
    assert world.done
    assert world.trace.count(EventKind.RAISED) == 3
    assert ss.validate_trace(world.trace)


def test_moves_that_raise_when_they_are_read_cost_a_safe_wait() -> None:
    class Hostile:
        def __array__(self, *args: Any, **kwargs: Any) -> Any:
            raise RuntimeError("no array")

    class Answers:
        def step(self, view: Any, *, budget: ss.Budget) -> Any:
            return Hostile()

    world = ss.World(PROBLEM, Answers())
    world.step()
    assert world.time == 1
    assert world.trace.count(EventKind.RAISED) == 1


def test_a_switch_to_a_planner_that_does_not_open_changes_nothing() -> None:
    class Broken:
        def session(self, problem: ss.Problem, *, seed: int = 0) -> Any:
            raise RuntimeError("broken")

    switchable = SwitchableSession(PROBLEM, ss.WHCA())
    world, before = ss.World(PROBLEM, switchable), switchable.session
    with pytest.raises(RuntimeError, match="broken"):
        switchable.switch(Broken())
    assert switchable.session is before
    assert switchable.renew()
    run(world)
    assert world.done


FIELD = ss.Grid(np.ones((8, 50), dtype=bool))
SQUAD = ss.Problem(FIELD, [(row, 0) for row in range(3)], [(row, 1) for row in range(3)])


def test_a_unit_that_is_sent_home_after_a_turn_that_raised_leaves_its_group() -> None:
    world = ss.World(SQUAD, Unreliable(ss.WHCA(), {3}, after=False))
    group = ss.move_group(world, range(3), (4, 45))
    for _ in range(4):
        world.step()
    world.send(0, (0, 1))  # its goal in the problem, so that a new session need not be told
    run(world, 90)
    assert world.done
    assert world.where(0) == (0, 1)
    assert group.units == (1, 2)


def test_a_group_finds_another_path_when_walls_changed_after_a_turn_that_raised() -> None:
    walls = np.ones((7, 40), dtype=bool)
    walls[:6, 20] = False
    problem = ss.Problem(ss.Grid(walls), [(3, 0)], [(3, 1)])
    world = ss.World(problem, Unreliable(ss.WHCA(), {3}, after=False))
    world.free((3, 20))
    group = ss.move_group(world, [0], (3, 38), own_steps=2)
    for _ in range(4):
        world.step()
    world.block((3, 20))  # as it was at the beginning
    run(world, 90)
    assert problem.space.vertex((6, 20)) in group.path.tolist()
    assert world.done


@pytest.mark.parametrize("leaving", ["sent", "removed"])
def test_a_wall_on_the_old_path_of_a_group_that_everybody_has_left(leaving: str) -> None:
    world = ss.World(ss.Problem(GRID, [(0, 0), (0, 1), (0, 5)], [(0, 0), (0, 1), (0, 5)]), ss.WHCA())
    path = ss.move_group(world, [0, 1], (5, 5)).path
    world.step()
    for unit in (0, 1):
        if leaving == "sent":
            world.send(unit, (0, unit))
        else:
            world.remove(unit)
    world.block(GRID.place(int(path[len(path) // 2])))
    run(world)
    assert world.done
    assert world.planner_error is None
    assert not world.trace.count(EventKind.RAISED)


def test_a_planner_that_takes_over_is_told_where_groups_are_heading() -> None:
    told: dict[int, int] = {}

    class Listens:
        def __init__(self, inner: Any) -> None:
            self.inner = inner

        def step(self, view: Any, *, budget: ss.Budget) -> Any:
            told.update({agent: value for _, kind, agent, value in view.changes if kind == EventKind.GOAL})
            return self.inner.step(view, budget=budget)

    switchable = SwitchableSession(SQUAD, ss.WHCA())
    world = ss.World(SQUAD, switchable)
    group = ss.move_group(world, range(3), (4, 45))
    for _ in range(3):
        world.step()
    switchable.switch(Listens(ss.LRA().session(SQUAD)))
    world.step()
    assert set(told) == {0, 1, 2}
    assert not set(told.values()) & set(group.goals.values())  # but waypoints on the path
    assert set(told.values()) <= set(group.path.tolist())
    run(world, 120)
    assert world.done
