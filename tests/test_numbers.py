"""Numbers at every door: those of numpy count like Python's own, and anything else is a typed error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import dialogue_problem, random_grid, random_problem
from sidestep.io.lacam import Told, dumps_lacam
from sidestep.world.switchable import SwitchableSession

pytestmark = pytest.mark.bounds

PROBLEM = ss.Problem.from_text("a . B\n. # .\nb . A")
GRID = PROBLEM.space
PLAN = ss.Plan(PROBLEM, [[0, 6]])


def after(turns: int, **how: Any) -> list[list[int]]:
    world = ss.World(PROBLEM, ss.WHCA(), **how)
    for _ in range(turns):
        world.step()
    assert world.planner_error is None
    return world.trace.positions.tolist()


def added(**how: Any) -> ss.Agent:
    world = ss.World(PROBLEM, ss.CA())
    world.add(ss.Agent((0, 1), **how))
    return world.agents[2]


def cost(**how: Any) -> tuple[str, Any]:
    result = ss.solve(PROBLEM, "whca", **{"time_limit": None, **how})
    return result.status, result.plan and result.plan.vertices.tolist()


WHOLE: dict[str, tuple[int, Callable[[Any], Any]]] = {
    "solve seed": (3, lambda x: cost(seed=x)),
    "World seed": (3, lambda x: after(4, seed=x)),
    "SwitchableSession seed": (3, lambda x: SwitchableSession(PROBLEM, ss.LRA(), seed=x).seed),
    "LRA session seed": (3, lambda x: ss.LRA().session(PROBLEM, seed=x) and None),
    "WHCA session seed": (3, lambda x: ss.WHCA().session(PROBLEM, seed=x).seed),
    "DMRCP session seed": (3, lambda x: ss.DMRCP().session(PROBLEM, seed=x) and None),
    "ADPP seed": (3, lambda x: ss.ADPP().solve(PROBLEM, budget=ss.Budget(nodes=999), seed=x).status),
    "HCA seed": (3, lambda x: ss.HCA().solve(PROBLEM, budget=ss.Budget(nodes=999), seed=x).status),
    "move_group seed": (3, lambda x: ss.move_group(PROBLEM, [0], (0, 1), seed=x).status),
    "move_group own_steps": (3, lambda x: ss.move_group(PROBLEM, [0], (0, 1), own_steps=x).status),
    "random_grid seed": (3, lambda x: str(random_grid(5, 5, 0.2, x))),
    "random_grid height": (3, lambda x: str(random_grid(x, 5, 0.2, 1))),
    "random_problem seed": (3, lambda x: random_problem(GRID, 2, x)),
    "random_problem agents": (3, lambda x: random_problem(GRID, x, 0)),
    "dialogue_problem seed": (3, dialogue_problem),
    "write_lacam seed": (3, lambda x: dumps_lacam(PLAN, told=Told(seed=x))),
    "node_limit": (100, lambda x: cost(node_limit=x)),
    "memory_limit": (2**30, lambda x: cost(memory_limit=x)),
    "Budget nodes": (7, lambda x: ss.Budget(nodes=x).nodes),
    "World.step nodes": (7, lambda x: ss.World(PROBLEM, ss.WHCA()).step(nodes=x).tolist()),
    "trace_limit": (7, lambda x: after(3, trace_limit=x)),
    "connectivity": (8, lambda x: ss.Grid(GRID.passable, x)),
    "Graph n": (4, lambda x: ss.Graph(x, [(0, 1)])),
    "Agent priority": (3, lambda x: ss.Problem.from_agents(GRID, [ss.Agent((0, 0), priority=x)])),
    "Agent size": (1, lambda x: ss.Problem.from_agents(GRID, [ss.Agent((0, 0), size=x)])),
    "Agent period": (3, lambda x: ss.Problem.from_agents(GRID, [ss.Agent((0, 0), period=x)])),
    "World.add priority": (3, lambda x: added(priority=x)),
    "World.add period": (3, lambda x: added(period=x)),
    "set_priority": (3, lambda x: ss.World(PROBLEM, ss.WHCA()).set_priority(0, x)),
    "claimed_cost": (3, lambda x: ss.Plan(PROBLEM, [[0, 6]], claimed_cost=x).claimed_cost),
    "validate limit": (3, lambda x: str(ss.validate(PROBLEM, PLAN, limit=x))),
    "max_positions": (3, lambda x: ss.io.Document("", max_positions=x).max_positions),
    "WHCA window": (6, lambda x: ss.WHCA(window=x)),
    "hold_back agents": (1, lambda x: SwitchableSession(PROBLEM, ss.WHCA()).hold_back([x], 2)),
    "hold_back every": (2, lambda x: SwitchableSession(PROBLEM, ss.WHCA()).hold_back([0], x)),
}
NOT_WHOLE = [
    *(
        "x",
        "3",
        b"3",
        2.5,
        True,
        np.True_,
        [1],
        [[1]],
        np.array([1]),
        np.array([[1]]),
        float("nan"),
        object(),
    ),
    *(np.float64(1.5), np.str_("x"), np.datetime64(0, "s"), complex(1, 0), max, {}, (1,), range(2), object()),
]


@pytest.mark.parametrize("name", WHOLE)
@pytest.mark.parametrize("kind", [np.int64, np.uint64, np.int32, np.int16])
def test_whole_numbers_of_numpy_count_like_those_of_python(name: str, kind: type[Any]) -> None:
    value, call = WHOLE[name]
    if value <= np.iinfo(kind).max:
        assert call(kind(value)) == call(value)


@pytest.mark.parametrize("name", WHOLE)
def test_what_is_no_whole_number_is_a_typed_error(name: str) -> None:
    _, call = WHOLE[name]
    for thing in NOT_WHOLE:
        with pytest.raises(ss.InputError):
            call(thing)


@pytest.mark.parametrize(
    "priorities",
    [[[1], [2]], np.ones((2, 1), np.int32), np.ones((2, 2), np.int32), [[], []], [1.0, 2.0], "12"],
)
def test_priorities_are_one_whole_number_per_agent(priorities: Any) -> None:
    with pytest.raises(ss.InputError):
        ss.Problem(GRID, [(0, 0), (0, 1)], [(0, 2), (2, 2)], priorities=priorities)


POINTS: dict[str, Callable[[Any], Any]] = {
    "Graph positions": lambda x: ss.Graph(2, [(0, 1)], positions=[[0, 0], [x, 0]]),
    "Crowd positions": lambda x: ss.Crowd([(x, 0)], [(0, 0)]),
    "Crowd goals": lambda x: ss.Crowd([(0, 0)], [(0, x)]),
    "Crowd radius": lambda x: ss.Crowd([(0, 0)], [(0, 2)], radius=x),
    "Crowd max_speed": lambda x: ss.Crowd([(0, 0)], [(0, 2)], max_speed=x),
    "Coordinates": ss.Coordinates,
    "Coordinates origin": lambda x: ss.Coordinates(1.0, (0.0, x)),
    "Coordinates.cells": lambda x: ss.Coordinates().cells([(x, 0.0)]),
    "write_lacam seconds": lambda x: dumps_lacam(PLAN, told=Told(seconds=x)),
    "time_limit": ss.Budget,
}


@pytest.mark.parametrize("name", POINTS)
def test_real_numbers_are_real_and_finite(name: str) -> None:
    POINTS[name](np.float64(0.25))
    POINTS[name](np.float32(0.25))
    for thing in ("x", b"1", complex(1, 0), [[1]], object(), np.datetime64(0, "s"), float("nan")):
        with pytest.raises(ss.InputError):
            POINTS[name](thing)
    if name != "time_limit":  # there, it is no limit
        with pytest.raises(ss.InputError):
            POINTS[name](10**400)


@pytest.mark.parametrize(
    "call", [lambda x: ss.World(PROBLEM, ss.WHCA()).sync(x), lambda x: ss.move_group(PROBLEM, x, (0, 1))]
)
def test_an_array_without_axes_is_no_list(call: Callable[[Any], Any]) -> None:
    with pytest.raises(ss.InputError):
        call(np.array(3))


@pytest.mark.parametrize("error", [RuntimeError, TypeError, KeyError, MemoryError, RecursionError])
@pytest.mark.parametrize("how", ["__array__", "__dlpack__", "__len__", "__array_interface__"])
def test_an_answer_that_raises_when_it_is_read_costs_a_turn(error: type[Exception], how: str) -> None:
    def raises(*_: Any, **__: Any) -> Any:
        raise error("not now")

    answer = type("Answer", (), {how: property(raises) if how.endswith("face__") else raises})

    class Planner:
        def step(self, view: Any, *, budget: Any) -> Any:
            return answer()

    world = ss.World(PROBLEM, Planner())
    assert ss.EventKind.RAISED in world.step()[:, 1]
    assert world.planner_error is not None
    assert world.positions.tolist() == PROBLEM.starts.tolist()
