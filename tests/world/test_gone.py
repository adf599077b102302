"""Who is gone for good costs nothing: planners forget them, and the rest goes on as it would."""

from __future__ import annotations

from time import process_time
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep.solvers import SOLVERS
from sidestep.solvers.rescue import Rescuing
from sidestep.world.session import SomeMoves, View

ONLINE = [name for name, solver in SOLVERS.items() if solver.info.online]
FIELD = ss.Grid(np.ones((16, 16), bool))


def crowd(planner: str, goals: int = 6, **rules) -> ss.World:
    starts = [(row, 0) for row in range(goals)]
    problem = ss.Problem(FIELD, starts, [(15 - row, 15) for row in range(goals)], rules=ss.Rules(**rules))
    return ss.World(problem, SOLVERS[planner](), seed=3)


def let_many_go(world: ss.World, count: int = 200) -> None:
    first = len(world.names)
    for number in range(count):
        world.remove(world.add(ss.Agent((0, 8), name=f"passer-by {first + number}")))


@pytest.mark.parametrize("planner", ONLINE)
def test_who_is_left_still_arrives_safely(planner) -> None:
    world = crowd(planner)
    for turn in range(200):
        if turn in (2, 9):
            let_many_go(world)
        if turn == 12:
            newcomer = world.add(ss.Agent((15, 0), (0, 14)))
        if turn == 14:
            world.remove("a1")
            world.send("a0", goal=(12, 3))
            world.block((7, 7))
            world.set_priority("a2", 5)
        world.step()
        if turn > 14 and world.done:
            break
    assert world.done
    assert world.where(newcomer) == (0, 14)
    assert world.where("a0") == (12, 3)
    assert world.where("a1") is None
    assert ss.validate_trace(world.trace)
    assert not [row for row in world.events.tolist() if row[1] == ss.EventKind.REFUSED]
    assert ss.replay_trace(world.trace) == world.trace


@pytest.mark.parametrize("planner", ["ca", "hca", "whca", "lra", "pibt", "guided", "bcp", "dmrcp"])
def test_planners_forget_who_is_gone(planner) -> None:
    world = crowd(planner)
    let_many_go(world)
    for _ in range(3):
        world.step()
    assert len(world.session._known) == 6
    let_many_go(world)
    newcomer = world.add(ss.Agent((15, 0), (0, 14)))
    for _ in range(3):
        world.step()
    assert world.session._known.tolist() == [0, 1, 2, 3, 4, 5, newcomer]


@pytest.mark.parametrize("planner", ["hca", "whca", "pibt", "guided"])
def test_who_disappears_at_its_goal_is_forgotten_too(planner) -> None:
    world = crowd(planner, at_goal="disappear")
    for number in range(120):
        world.add(ss.Agent((0, 12), (0, 13), name=f"short way {number}"))
        for _ in range(3):
            world.step()
    assert world.done
    assert len(world.session._known) < 70


@pytest.mark.parametrize("planner", ["whca", "lra", "bcp"])
def test_forgetting_changes_nothing_for_those_who_are_left(planner) -> None:
    """A session that never forgets moves everybody the same way, if nothing is drawn from their number."""
    worlds = crowd(planner), crowd(planner)
    worlds[1].session._forget_the_gone = lambda positions: None
    for world in worlds:
        let_many_go(world, 130)
        for _ in range(6):
            world.step()
    assert worlds[1].session._known is None
    assert np.array_equal(worlds[0].positions, worlds[1].positions)


def of_a_part_only(name: str) -> property:
    """The same attribute of views, which is refused of all there ever were."""
    known = vars(View)[name].fget

    def asked(view: View) -> object:
        return pytest.fail("it looks at everybody") if type(view) is View else known(view)

    return property(asked)


@pytest.mark.parametrize("planner", [name for name in ONLINE if name != "wdpca"])
def test_a_turn_looks_at_nobody_who_is_gone(planner, monkeypatch) -> None:
    """Of all there ever were the session asks for nothing, and neither do tasks and who watches for jams."""
    world = ss.World(crowd(planner)._problem, Rescuing(SOLVERS[planner]()))
    let_many_go(world)
    for _ in range(2):
        world.step()
    for name in ("positions", "goals", "agents", "headings", "progress", "facings"):
        monkeypatch.setattr(View, name, of_a_part_only(name))
    for task in range(3):
        world.submit(ss.Task([(8, task)]))
    for _ in range(80):
        world.step()
    assert not world.failed_turns, world.trouble
    monkeypatch.undo()
    assert world.tasks.finished == 3
    assert ss.validate_trace(world.trace)
    assert ss.replay_trace(world.trace) == world.trace


def test_where_some_go_as_an_array_has_all() -> None:
    some = SomeMoves(np.array([1, 3], np.int32), np.array([7, 8], np.int32), 5)
    assert len(some) == 5
    assert np.array(some).tolist() == [-1, 7, -1, 8, -1]
    assert np.asarray(some).dtype == np.int32


def test_a_trace_that_is_cut_has_those_who_were_gone() -> None:
    worlds = [ss.World(crowd("lra")._problem, ss.LRA(), seed=3, trace_limit=limit) for limit in (None, 5)]
    for world in worlds:
        world.set_priority("a2", 4)
        for turn in range(30):
            if turn == 4:
                let_many_go(world, 90)
                world.remove("a2")
            world.step()
    whole, cut = (world.trace for world in worlds)
    assert cut.start_time > 4
    assert cut.goals.tolist() == whole.goals.tolist()
    assert cut.priorities[2] == 4
    assert np.array_equal(cut.positions, whole.positions[cut.start_time :])
    assert ss.replay_trace(cut) == cut


@pytest.mark.parametrize("planner", ["lra", "bcp"])
def test_a_turn_costs_about_the_same_after_many_removals(planner) -> None:
    """Least seconds of CPU: 20,000 removals. A look at everybody there ever was makes it twice as long."""

    def seconds(world: ss.World) -> float:
        taken = []
        for _ in range(200):
            begin = process_time()
            world.step()
            taken.append(process_time() - begin)
        return min(taken)

    world = ss.World(crowd(planner)._problem, SOLVERS[planner](), trace_limit=10)
    before = seconds(world)
    for _ in range(20):
        let_many_go(world, 1000)
        world.step()
    assert seconds(world) < 2 * before


def test_names_are_found_at_once_and_never_used_again() -> None:
    world = crowd("lra")
    let_many_go(world, 3)
    with pytest.raises(ss.InputError, match="there is or was already an agent named 'passer-by 7'"):
        world.add(ss.Agent((0, 8), name="passer-by 7"))
    assert world.add(ss.Agent((0, 8))) == 9
    assert world.names[9] == "a9"
    with pytest.raises(ss.InputError, match="there is no agent named 'nobody'"):
        world.where("nobody")


class OnlyParts:
    """The core of a world that is asked for no column of all who ever were there."""

    def __init__(self, core: Any) -> None:
        self.core = core

    def __getattr__(self, name: str) -> Any:
        assert name not in ("positions", "goals", "priorities", "sizes", "periods", "facings"), name
        return getattr(self.core, name)


def test_a_newcomer_costs_the_same_however_many_there_were() -> None:
    world = crowd("lra")
    world._core = OnlyParts(world._core)  # type: ignore[assignment]
    agent = world.add(ss.Agent((0, 8), goal=(8, 8)))
    world.set_priority(agent, 3)
    world.send(agent, (8, 7))
    world.remove(agent)
