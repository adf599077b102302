"""The core checks what it is given: an agent, a vertex, a time or an array that is wrong is an error.

Each of these calls ended the process before, or wrote where nothing is.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from ctypes import c_int
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep import _core
from sidestep.model.agents import MAX_PERIOD
from sidestep.model.to_core import compile_rules, compile_space, core_agents

PROBLEM = ss.Problem(ss.Grid(np.ones((3, 4), dtype=bool)), [(0, 0), (2, 3)], [(2, 3), (0, 0)])
SPACE = compile_space(PROBLEM.space)
SMALL = _core.Space.grid(np.ones((1, 2), dtype=bool), 4, 0)
RULES = compile_rules(PROBLEM.rules)
AGENTS = core_agents(SPACE, PROBLEM.agents)
FAR, BEFORE = 2_000_000_000, -5


def ints(*values: int) -> Any:
    return np.array(values, dtype=np.int32)


def world() -> _core.World:
    return _core.World(SPACE, RULES, 0, AGENTS, 0)


def budget() -> _core.Budget:
    return _core.Budget(1.0, 10_000)


PLANNERS: dict[str, Callable[[_core.Space], Any]] = {
    "Cooperation": lambda space: _core.Cooperation(
        space, RULES, AGENTS, window=4, exact=True, hold_goals=True
    ),
    "Dmrcp": lambda space: _core.Dmrcp(space, RULES, AGENTS, seed=0),
    "ToldPaths": lambda space: _core.ToldPaths(space, RULES, AGENTS, window=4, cache=True),
    "World": lambda space: _core.World(space, RULES, 0, AGENTS, 0),
}


@pytest.mark.parametrize("name", PLANNERS)
def test_agents_of_another_space_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="there is no vertex"):
        PLANNERS[name](SMALL)


@pytest.mark.parametrize("number", [FAR, BEFORE])
def test_a_world_checks_agents_and_vertices(number: int) -> None:
    calls: list[Callable[[_core.World], object]] = [
        lambda it: it.set_goal(number, 0),
        lambda it: it.set_goal(0, number),
        lambda it: it.set_open(number, False),
        lambda it: it.set_priority(number, 1),
        lambda it: it.add(number, 1, 1, -1),
        lambda it: it.add(0, number, 1, -1),
        lambda it: it.add(0, 1, number, -1),
        lambda it: it.remove(number),
        lambda it: it.sync(number, 0),
        lambda it: it.sync(0, number),
        lambda it: it.is_open(number),
        lambda it: it.occupant(number),
        lambda it: it.bound_for(number, 1, -1),
        lambda it: it.position(number),
        lambda it: it.record_fault(number),
        lambda it: it.resume(ints(number, -1), ints(1, 0)),
        lambda it: it.resume(ints(-1, -1), ints(number, 0)),
    ]
    this = world()
    for call in calls:
        with pytest.raises(ValueError, match=r"\w"):
            call(this)
    assert (this.event_count, this.time) == (0, 0)
    this.advance(ints(number, number))  # proposals may be anything: the guard refuses them
    assert this.positions.tolist() == PROBLEM.starts.tolist()


def test_a_large_agent_does_not_leave_the_grid() -> None:
    this = world()
    with pytest.raises(ValueError, match="leaves the grid"):
        this.add(11, 2, 1, -1)
    with pytest.raises(ValueError, match="leaves the grid"):
        _core.Agents(SPACE, ints(11), ints(-1), ints(0), ints(2), ints(1), ints(-1))


def test_agents_in_the_same_place_are_refused() -> None:
    this = world()
    this.sync(0, 11)
    with pytest.raises(ValueError, match="same place"):
        this.wait()
    this.sync(0, 0)
    this.wait()
    with pytest.raises(ValueError, match="same place"):
        PLANNERS["Dmrcp"](SPACE).turn(0, ints(3, 3), budget())


def test_an_agent_that_is_not_there_does_not_plan() -> None:
    planner = PLANNERS["Cooperation"](SPACE)
    planner.remove_agent(0)
    with pytest.raises(ValueError, match="is not there"):
        planner.plan(0, budget())
    assert planner.distances(budget()).tolist() == [0, 5]


def test_commitments_check_whom_they_are_told_of() -> None:
    told, channel = PLANNERS["ToldPaths"](SPACE), _core.Channel(4)
    commitments = _core.Commitments(
        told, channel, firsts_keep=True, find=lambda agent, superiors, given_up: ints(FAR)
    )
    weights = _core.Weights(1, 1, 0)
    for call in (
        lambda: commitments.put_on_top(2),
        lambda: commitments.path_below(0, [7], budget()),
        lambda: commitments.conclude(0, [0], [(0, 7)], [ints(0)], known=True),
        lambda: commitments.conclude(0, [0], [], [], known=True),
        lambda: commitments.conclude(0, [0], [], [ints(0, 11)], known=True),
        lambda: commitments.debate(0, [0, 1], weights, budget()),  # nobody has told anything
        lambda: commitments.path_below(0, [], budget()),  # the callback has a vertex of its own
        lambda: channel.announce(0, ints(0)),  # nobody was gathered
    ):
        with pytest.raises(ValueError, match=r"\w"):
            call()


def test_a_dialogue_of_nobody_comes_to_no_order() -> None:
    told, channel = PLANNERS["ToldPaths"](SPACE), _core.Channel(4)
    commitments = _core.Commitments(told, channel, firsts_keep=True)
    verdict = commitments.debate(0, [], _core.Weights(1, 1, 0), budget())
    assert verdict == _core.Verdict.nothing_works


def test_a_path_on_a_grid_is_made_of_steps() -> None:
    told = PLANNERS["ToldPaths"](SPACE)
    with pytest.raises(ValueError, match="is no step"):
        told.tell(0, ints(0, 11))
    with pytest.raises(ValueError, match="is no step"):
        _core.find_conflicts(SPACE, RULES, np.array([[0, 1], [11, 2]], dtype=np.int32))


def test_reservations_check_vertices_agents_and_times() -> None:
    table = _core.Reservations(12, 1)
    for call in (
        lambda: _core.Reservations(-1, 2),
        lambda: table.reserve(1, 0, ints(0), False),
        lambda: table.reserve(0, 0, ints(12), False),
        lambda: table.reserve(0, 0, ints(), True),
        lambda: table.reserve(0, FAR, ints(0), False),
        lambda: table.release(-1),
        lambda: table.taken(12, 0),
        lambda: table.holder(-1, 0),
        lambda: table.holder(3, -1),
        lambda: table.taken(3, -1),
        lambda: table.allows(SPACE, RULES, 0, 1, -1),
        lambda: table.last_taken(FAR),
        lambda: table.allows(SPACE, RULES, 0, 11, 0),
        lambda: table.allows(SMALL, RULES, 0, 1, 0),
        lambda: _core.search(SMALL, RULES, table, start=0, goal=1, budget=budget()),
        lambda: _core.search(SPACE, RULES, table, start=0, goal=1, window=FAR, budget=budget()),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            call()


def test_spaces_are_checked_and_cannot_be_changed() -> None:
    nothing = np.zeros((0, 2), dtype=np.int32)
    for call in (
        lambda: _core.Space.grid(np.ones((3, 0), dtype=bool), 4, 0),
        lambda: _core.Space.grid(np.ones((3, 3), dtype=bool), 5, 0),
        lambda: _core.Space.grid(np.ones((3, 3), dtype=bool), 4, 9),
        lambda: _core.Space.graph(-1, nothing, False, nothing),
        lambda: _core.Space.graph(2, np.array([[0, 2]], dtype=np.int32), False, nothing),
        lambda: _core.Space.graph(2, nothing, False, np.array([[0, 0]], dtype=np.int32)),
        lambda: SPACE.with_open(np.ones(3, dtype=bool)),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            call()
    assert not hasattr(SPACE, "set_open")
    closed = SPACE.with_open(np.arange(12) != 5)
    assert (SPACE.is_open(5), closed.is_open(5)) == (True, False)


def test_a_crowd_is_among_walls_where_it_needs_them() -> None:
    def crowd() -> _core.Crowd:
        return _core.Crowd(
            np.zeros((1, 2)),
            np.full(1, 0.3),
            np.ones(1),
            horizon=2,
            wall_horizon=1,
            neighbours=3,
            keep_right=0,
        )

    with pytest.raises(ValueError, match="only a crowd among walls"):
        crowd().follow(ints(0)[:, None])
    with pytest.raises(ValueError, match="a row must be"):
        crowd().set_goal(0, float("nan"), 0)
    walled = crowd()
    with pytest.raises(ValueError, match="1 to"):
        walled.set_walls(np.ones((2, 0), dtype=bool))
    walled.set_walls(np.ones((3, 3), dtype=bool))
    with pytest.raises(ValueError, match="a vertex must be"):
        walled.follow(ints(9)[:, None])
    with pytest.raises(ValueError, match="the seconds of a step"):
        walled.steps(0.0, 1, budget())
    walled.set_goal(0, 500, 500)  # outside: nobody has a way there
    assert walled.steps(0.1, 5, budget()) == 5


def test_a_search_of_one_agent_begins_before_it_runs() -> None:
    finder = _core.PathFinder.graph(3, np.array([[0, 1]], dtype=np.int32), None, False)
    search = finder.search(_core.Queue.heap)
    for call in (
        lambda: search.run(budget()),
        search.most_promising,
        lambda: search.retarget(1, budget()),
        lambda: search.path(0),
        lambda: finder.use_dead_ends(2),
        lambda: finder.use_landmarks(-1, False, budget()),
    ):
        with pytest.raises(ValueError, match=r"\w"):
            call()


def test_a_search_outlives_the_finder_that_it_is_of() -> None:
    finder = _core.PathFinder.graph(3, np.array([[0, 1], [1, 2]], dtype=np.int32), None, False)
    finder.use_true_distances()
    search = finder.search(_core.Queue.heap)
    assert finder.find(0, 2, _core.Queue.heap, budget())[1] == 2
    del finder
    assert search.begin(0, 2, budget())
    assert search.run(budget()) == _core.Ending.found


def test_periods_are_as_long_in_the_core_as_in_the_model() -> None:
    world().add(1, 1, MAX_PERIOD, -1)
    with pytest.raises(ValueError, match="a period must be from 1 to 1000"):
        world().add(1, 1, MAX_PERIOD + 1, -1)


def test_what_has_no_constructor_behind_it_is_refused() -> None:
    unborn = _core.World.__new__(_core.World)
    with pytest.warns(RuntimeWarning, match="uninitialized"), pytest.raises(TypeError):
        unborn.wait()
    with pytest.warns(RuntimeWarning, match="uninitialized"), pytest.raises(TypeError):
        copy.deepcopy(unborn)


@pytest.mark.parametrize(
    "array", [(c_int * 2)(), ((c_int * 2) * 2)(), np.datetime64("2026"), np.timedelta64(3)]
)
def test_a_buffer_without_strides_is_no_array(array: Any) -> None:
    world = ss.World(ss.Problem.from_text("a . A\n. . .\nb . B"), ss.PIBT())
    simulator = ss.Simulator(world._problem)
    commands = np.zeros(3, dtype=np.int32), np.zeros(0, dtype=np.int32)
    for call in (
        lambda: world._core.advance(array),
        lambda: simulator._core.send(array, *commands),
        lambda: _core.Space.grid(array, 4, 0),
        lambda: _core.Crowd(array, array, array),
    ):
        with pytest.raises(TypeError, match="incompatible function arguments"):
            call()
    assert len(world.step()) == 0  # the core is as it was
