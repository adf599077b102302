"""Jams that a planner does not get out of by itself are solved, followed and reported."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import sidestep as ss
from sidestep import EventKind
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
