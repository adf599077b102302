"""Several threads in one world wait for each other; a core that is at work refuses other calls."""

from __future__ import annotations

import copy
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep import _core
from sidestep.model.to_core import compiled_space

GRID = ss.Grid(np.ones((24, 24), dtype=bool))
PROBLEM = ss.Problem(GRID, [(0, c) for c in range(24)], [(23, 23 - c) for c in range(24)])


def in_threads(*works: Callable[[], object]) -> None:
    """All at once; raises what one of them raised."""
    raised: list[BaseException] = []

    def guarded(work: Callable[[], object]) -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=guarded, args=[work]) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    if raised:
        raise raised[0]


@pytest.mark.parametrize(
    "planner", [ss.WHCA(), ss.BCP(), ss.WDPCA(), ss.LRA()], ids=lambda planner: planner.name
)
def test_threads_that_step_change_and_copy_one_world_wait_for_each_other(planner: Any) -> None:
    world = ss.World(PROBLEM, planner)

    def step() -> None:
        for _ in range(12):
            world.step(nodes=20_000)

    def change() -> None:
        for turn in range(40):
            world.send(turn % 24, (12, turn % 24) if turn % 3 else None)
            world.block((8, turn % 24))
            world.free((8, turn % 24))

    def copy_it() -> None:
        for _ in range(6):
            kept = world.snapshot()
            assert ss.validate_trace(world.trace)
            copy.deepcopy(world).step(nodes=1000)
            assert kept.state["_core"].time <= world.time

    in_threads(step, step, change, copy_it)
    assert world.time == 24
    assert world.planner_error is None
    assert ss.validate_trace(world.trace)


class Eager:
    """A session that changes its world in its own step."""

    def __init__(self) -> None:
        self.world: ss.World | None = None

    def step(self, view: ss.View, *, budget: ss.Budget) -> Any:
        assert self.world is not None
        self.world.block((5, view.time))
        self.world.snapshot()
        return view.positions


def test_a_planner_may_change_the_world_that_it_is_asked_in() -> None:
    session = Eager()
    session.world = world = ss.World(PROBLEM, session)
    for _ in range(3):
        world.step()
    assert world.planner_error is None
    assert not world.open[[5 * 24, 5 * 24 + 1, 5 * 24 + 2]].any()


def test_a_copy_of_a_world_has_a_lock_of_its_own() -> None:
    world = ss.World(PROBLEM, ss.WHCA())
    world.step()
    twin = copy.deepcopy(world)
    with world._lock:
        in_threads(twin.step)  # while this thread is in the other one
    assert (world.time, twin.time) == (1, 2)


def paths(inner: Callable[..., Any]) -> Any:
    """A planner of the core that calls back for every path."""
    session: Any = ss.BCP(inner=inner, iterations=1).session(PROBLEM)
    return session.core


def test_a_core_that_is_at_work_refuses_another_call() -> None:
    said: list[str] = []

    def meddle(*_: object) -> list[int]:
        (core,) = cores
        for call in (lambda: core.set_goal(0, 3), lambda: copy.deepcopy(core), lambda: core.plannings):
            with pytest.raises(RuntimeError, match="one call at a time") as error:
                call()
            said.append(str(error.value))
        in_threads(deepcopied)
        return []

    def deepcopied() -> None:
        with pytest.raises(RuntimeError, match="one call at a time"):
            copy.deepcopy(cores[0])

    cores = [paths(meddle)]
    cores[0].turn(PROBLEM.starts, _core.Budget())
    assert len(said) == 3 * 24
    assert set(said) == {"Bcp is at work in another call: one call at a time"}
    cores.pop().set_goal(0, 3)  # afterwards it is free again


def test_the_space_that_a_world_shows_does_not_change() -> None:
    world = ss.World(PROBLEM, ss.WHCA())
    before = world._core.space
    world.block((0, 5))
    assert before.is_open(5)
    assert not world._core.space.is_open(5)


def test_a_budget_is_used_by_one_thread_at_a_time() -> None:
    said: list[str] = []

    def use() -> None:
        with pytest.raises(RuntimeError, match="in use in another thread") as error:
            _core.distance_table(compiled_space(PROBLEM), 0, budget)
        said.append(str(error.value))

    def meddle(*_: object) -> list[int]:
        in_threads(use)
        assert len(_core.distance_table(compiled_space(PROBLEM), 0, budget)) == 24 * 24  # a callback may
        return []

    budget = _core.Budget()
    paths(meddle).turn(PROBLEM.starts, budget)
    assert len(said) == 24


ENDING = """
import sys, threading, sidestep as ss
from sidestep.instances import random_grid, random_problem

problem = random_problem(random_grid(40, 40, 0.1, 1), 60, 1)
world, begun = ss.World(problem, ss.WHCA()), threading.Event()

def heard(progress):
    begun.set()

def work():
    while True:
        if sys.argv[1] == "step":
            world.step()
            begun.set()
        else:
            ss.solve(problem, sys.argv[1], on_progress=heard)

threading.Thread(target=work, daemon=True).start()
begun.wait(0.5)  # who is quick has nothing to tell of its progress
"""


@pytest.mark.parametrize("work", ["step", "cbs", "dpca", "bcp", "adpp"])
def test_a_process_ends_while_another_thread_plans(work: str) -> None:
    # Python ends a thread that asks for the GIL by then; C++ answered with an abort.
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-c", ENDING, work], capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 0, done.stderr[-300:]
