"""Jams that a planner does not get out of by itself are solved, followed and reported."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import sidestep as ss
from sidestep import EventKind
from sidestep.instances import random_grid
from sidestep.solvers.rescue import Rescuing

MAP = ". . . . .\n# # . # #"


class Stubborn:
    """Everybody goes straight along its row while the next place is empty, and waits else."""

    def step(self, view, *, budget):
        here, goals = view.positions, view.agents.goals
        moves = here + np.sign(goals - here) * (here // 5 == 0)
        return np.where(np.isin(moves, here), here, moves).astype(np.int32)


class StubbornPlanner:
    """Opens such a session."""

    def session(self, problem: ss.Problem, *, seed: int = 0) -> Stubborn:
        return Stubborn()


class Straight:
    """Everybody goes along its row towards its goal, and waits while somebody is in its way."""

    def step(self, view, *, budget):
        here, goals = view.positions, view.agents.goals
        moves = here + np.sign(goals - here)
        return np.where(np.isin(moves, here), here, moves).astype(np.int32)


class StraightPlanner:
    """Opens such a session."""

    def session(self, problem: ss.Problem, *, seed: int = 0) -> Straight:
        return Straight()


def corridor(planner: object, **options) -> ss.World:
    grid = ss.Grid.from_text(MAP)
    problem = ss.Problem(grid, [(0, 0), (0, 4)], [(0, 4), (0, 0)])
    return ss.World(problem, planner, stuck_after=5, **options)


def run(world: ss.World, turns: int) -> ss.World:
    for _ in range(turns):
        world.step(nodes=10_000)
    return world


def test_a_jam_is_solved_and_reported() -> None:
    alone = run(corridor(StubbornPlanner()), 60)
    assert not alone.done
    world = run(corridor(Rescuing(StubbornPlanner())), 60)
    assert world.done
    rescued = [agent for _, kind, agent, _ in world.events.tolist() if kind == EventKind.RESCUED]
    assert set(rescued) == {0, 1}
    assert world.trace.count(EventKind.REFUSED) == alone.trace.count(EventKind.REFUSED)  # where they met
    assert ss.validate_trace(world.trace)
    assert ss.replay_trace(world.trace) == world.trace


def test_only_those_around_a_jam_are_held_up() -> None:
    """Two are stuck in the west; in the east somebody goes to and fro meanwhile, and never stands."""
    west = ["# # # # # # # # #", ". . . . . . . . .", "# # # # . # # # #", "# # # # # # # # #"]
    east = [" ." * 30, " ." * 30, " ." * 30, " ." * 30]
    grid = ss.Grid.from_text("\n".join(a + b for a, b in zip(west, east, strict=True)))
    problem = ss.Problem(grid, [(1, 0), (1, 8), (3, 20)], [(1, 8), (1, 0), (3, 38)])
    world = ss.World(problem, Rescuing(StraightPlanner()), stuck_after=5)
    while world.positions[0] != grid.vertex((1, 8)):
        if world.positions[2] == world.goals[2]:
            world.send(2, (3, 20) if world.positions[2] == grid.vertex((3, 38)) else (3, 38))
        world.step(nodes=10_000)
        assert world.time < 80
    trace = world.trace
    assert {agent for _, kind, agent, _ in trace.events.tolist() if kind == EventKind.RESCUED} <= {0, 1}
    assert trace.count(EventKind.RESCUED) > 0
    assert (np.diff(trace.positions[:, 2]) != 0).all()
    assert ss.validate_trace(trace)


def test_a_way_out_that_is_far_from_the_jam_is_found() -> None:
    """The only bay is 15 cells away: the first rectangles have no plan."""
    grid = ss.Grid.from_text(". " * 30 + "\n" + "# " * 28 + ". #")
    problem = ss.Problem(grid, [(0, 10), (0, 13)], [(0, 29), (0, 0)])
    world = ss.World(problem, Rescuing(StraightPlanner()), stuck_after=5)
    while not world.done:
        world.step(nodes=100_000)
        assert world.time < 200
    assert ss.validate_trace(world.trace)


@pytest.mark.parametrize("connectivity", [4, 8])
@pytest.mark.parametrize("following", [True, False])
def test_nobody_runs_into_a_rescue(connectivity: int, following: bool) -> None:
    """Who would enter a rectangle waits, and so do those behind it: the guard refuses nothing."""
    grid = random_grid(24, 24, 0.25, 3, connectivity=connectivity)
    rules = ss.Rules(shared_goals=True, following=following)
    places = [grid.place(vertex) for vertex in np.flatnonzero(grid.open).tolist()]
    problem = ss.Problem.from_agents(grid, [ss.Agent(place) for place in places[::2]], rules=rules)
    world = ss.World(
        problem, Rescuing(ss.PIBT(swap=False)), tasks=ss.Stream.random(grid, seed=1), stuck_after=4
    )
    for _ in range(150):
        world.step(nodes=200_000)
    assert world.trace.count(EventKind.REFUSED) == 0
    assert world.trace.count(EventKind.RESCUED) > 0
    assert ss.validate_trace(world.trace)


def test_without_a_jam_the_planner_plans() -> None:
    one, two = (run(corridor(planner), 30) for planner in (ss.PIBT(), Rescuing(ss.PIBT())))
    assert one.trace == two.trace
    assert two.trace.count(EventKind.RESCUED) == 0


def test_copies_go_on_in_the_middle_of_a_rescue() -> None:
    world = corridor(Rescuing(StubbornPlanner()))
    while not world.trace.count(EventKind.RESCUED):
        world.step(nodes=10_000)
        assert world.time < 50
    twin, copied = pickle.loads(pickle.dumps(world)), copy.deepcopy(world)
    traces = [run(one, 20).trace for one in (world, twin, copied)]
    assert traces[0] == traces[1] == traces[2]


@pytest.mark.parametrize("planner", [ss.PIBT(swap=False), ss.Guided(swap=False), ss.WHCA(), ss.LRA()])
def test_a_crowd_with_work_is_never_refused_a_move(planner: object) -> None:
    grid = ss.Grid.from_text("\n".join([". . . . . . .", "# . # # # . #"] * 3))
    places = [grid.place(vertex) for vertex in np.flatnonzero(grid.open).tolist()]
    agents = [ss.Agent(place) for place in places[::2]]
    problem = ss.Problem.from_agents(grid, agents, rules=ss.Rules(shared_goals=True))
    stream = ss.Stream.random(grid, seed=1)
    world = ss.World(problem, Rescuing(planner), tasks=stream, stuck_after=8)
    for turn in range(120):
        if turn == 50:
            world.block(places[3])
        if turn == 60:
            world.remove(0)
        world.step(nodes=50_000)
    assert world.planner_error is None
    assert world.trace.count(EventKind.REFUSED) == 0
    assert ss.validate_trace(world.trace)


def test_what_has_no_session_is_named() -> None:
    with pytest.raises(ss.InputError, match="cannot plan turn by turn"):
        Rescuing(ss.CBS())
