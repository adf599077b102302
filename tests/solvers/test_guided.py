"""Local guidance: guided PIBT in worlds, LaCAM with it, and the traps of both."""

from __future__ import annotations

import time

import numpy as np
import pytest

import sidestep as ss
from sidestep.budget import Budget
from sidestep.instances import random_grid, random_problem

from .test_pibt import refusals

PLAIN, GUIDED = ss.LaCAM(guide=0), ss.LaCAM()


@pytest.mark.parametrize("connectivity", [4, 8])
@pytest.mark.parametrize(
    "rules",
    [
        ss.Rules(),
        ss.Rules(cost="time_off_goal"),
        ss.Rules(following=False),
        ss.Rules(at_goal="disappear"),
    ],
)
def test_the_guard_has_nothing_to_refuse(connectivity: int, rules: ss.Rules):
    grid = random_grid(10, 10, 0.1, 4, connectivity=connectivity)  # type: ignore[arg-type]
    world = ss.World(random_problem(grid, 40, 1, rules=rules), ss.Guided())
    for _ in range(50):
        world.step()
    assert refusals(world) == 0
    assert ss.validate_trace(world.trace)


def test_guidance_makes_first_plans_cheaper():
    for seed in range(3):
        problem = random_problem(random_grid(24, 24, 0.2, seed), 80, seed)
        plain, guided = (ss.solve(problem, solver, node_limit=10**8) for solver in (PLAIN, GUIDED))
        assert plain.plan is not None
        assert guided.plan is not None
        assert guided.plan.cost < plain.plan.cost


def test_a_window_of_0_is_plain():
    problem = random_problem(random_grid(12, 12, 0.2, 3), 20, 3)
    pibt, guided = (ss.World(problem, one, seed=5) for one in (ss.PIBT(), ss.Guided(window=0)))
    for _ in range(20):
        pibt.step()
        guided.step()
    assert np.array_equal(pibt.trace.positions, guided.trace.positions)


@pytest.mark.parametrize(("guide", "collision_cost"), [(2, 16), (6, 4), (6, 16)])
def test_agents_that_would_rather_wait_for_ever_do_not_stall_the_search(guide: int, collision_cost: int):
    """With a short window and dear collisions nobody goes on; then some steps are not guided."""
    problem = random_problem(random_grid(20, 20, 0.1, 3), 150, 1)
    solver = ss.LaCAM(guide=guide, collision_cost=collision_cost)
    result = ss.solve(problem, solver, node_limit=2 * 10**7)
    assert ss.validate(problem, result.plan)


def test_agents_on_their_goals_stay_under_sum_of_costs():
    """Who rests on its goal is not guided off it, however many pass by."""
    grid = ss.Grid.from_text("\n".join([". . . . . . ."] * 5))
    starts = [(2, 3), (2, 0), (1, 0), (3, 0)]
    problem = ss.Problem(grid, starts, [(2, 3), (2, 6), (1, 6), (3, 6)])
    world = ss.World(problem, ss.Guided())
    for _ in range(12):
        world.step()
    assert np.all(world.trace.positions[:, 0] == problem.starts[0])
    assert world.done


def test_a_turn_with_too_few_nodes_for_guidance_is_a_plain_one():
    problem = random_problem(random_grid(16, 16, 0.1, 1), 60, 1)
    plain, starved = (ss.World(problem, one, seed=2) for one in (ss.PIBT(), ss.Guided()))
    plain.step()
    starved.step(Budget(nodes=2 * 60))
    assert np.array_equal(plain.positions, starved.positions)
    assert not np.array_equal(plain.positions, problem.starts)


def test_a_turn_that_time_ends_moves_nobody_and_the_next_one_goes_on():
    problem = random_problem(random_grid(16, 16, 0.1, 1), 60, 1)
    world = ss.World(problem, ss.Guided())
    world.step()
    before = world.positions.copy()
    world.step(Budget(0.0))
    assert np.array_equal(world.positions, before)
    world.step()
    assert not np.array_equal(world.positions, before)
    assert refusals(world) == 0


def test_goals_walls_and_agents_may_change_under_way():
    problem = random_problem(random_grid(12, 12, 0.1, 2), 20, 2)
    world = ss.World(problem, ss.Guided(), seed=1)
    rng = np.random.default_rng(3)
    walls: list[int] = []
    for turn in range(60):
        untaken = np.setdiff1d(np.flatnonzero(world.open), world.goals)
        world.send(int(rng.integers(20)), problem.space.place(int(rng.choice(untaken))))
        if turn % 5 == 0:
            walls.append(int(rng.choice(np.setdiff1d(untaken, world.goals))))
            world.block(problem.space.place(walls[-1]))
        if turn % 7 == 6:
            world.free(problem.space.place(walls.pop()))
        if turn % 20 == 10:
            world.remove(world.add(ss.Agent(problem.space.place(_empty(world)), None)))
        world.step()
    assert refusals(world) == 0
    assert world.planner_error is None
    assert ss.validate_trace(world.trace)


def _empty(world: ss.World) -> int:
    """An open place where nobody stands."""
    return int(np.setdiff1d(np.flatnonzero(world.open), world.positions)[0])


def test_a_world_goes_on_from_a_snapshot_as_it_would_have():
    problem = random_problem(random_grid(12, 12, 0.1, 2), 40, 2)
    world = ss.World(problem, ss.Guided(window=8), seed=4)
    for _ in range(6):
        world.step()
    kept = world.snapshot()
    for _ in range(8):
        world.step()
    expected = world.positions.copy()
    world.restore(kept)
    for _ in range(8):
        world.step()
    assert np.array_equal(world.positions, expected)


def test_threads_find_the_same_plan():
    problem = random_problem(random_grid(32, 32, 0.2, 2), 120, 2)
    one, two = (ss.solve(problem, ss.LaCAM(threads=threads), node_limit=10**8) for threads in (1, 2))
    assert one.plan is not None
    assert two.plan is not None
    assert np.array_equal(one.plan.vertices, two.plan.vertices)


def test_where_memory_is_short_it_does_without_guidance():
    problem = random_problem(random_grid(32, 32, 0.1, 1), 100, 1)
    plain = ss.solve(problem, PLAIN, node_limit=10**7)
    short = ss.solve(problem, GUIDED, node_limit=10**7, memory_limit=int(1.3 * plain.stats["bytes"]))
    assert plain.plan is not None
    assert short.plan is not None
    assert np.array_equal(plain.plan.vertices, short.plan.vertices)


@pytest.mark.parametrize("solver", [PLAIN, GUIDED, ss.LaCAM(anytime=True)], ids=["plain", "guided", "star"])
def test_thousands_of_agents_are_interrupted_soon_in_every_phase(solver: ss.LaCAM):
    """CPU time after the limit: the distances, the first steps, the search."""
    problem = random_problem(random_grid(100, 100, 0.1, 1), 3000, 1)
    begin = time.process_time()
    assert PLAIN.solve(problem, budget=Budget())
    shortest = time.process_time() - begin  # the others take longer
    for limit in (0.03 * shortest, 0.3 * shortest, 0.7 * shortest):
        stopped: list[float] = []

        begin = time.process_time()

        def stop(end: float = begin + limit, stopped: list[float] = stopped) -> bool:
            if time.process_time() < end:
                return False
            stopped.append(time.process_time())
            return True

        result = solver.solve(problem, budget=Budget(stop=stop))
        assert result.status is ss.Status.TIMEOUT
        assert time.process_time() - stopped[0] < 0.2, "generous: 8 ms on an idle machine"


@pytest.mark.parametrize("planner", [ss.PIBT(), ss.Guided(), ss.Rolling(effort=10)], ids=lambda one: one.name)
def test_where_work_never_ends_the_nearest_go_first_and_nobody_is_left_behind(planner: ss.PIBT):
    """5.29, 6.25 and 6.66 tasks per turn when this was written; nobody had fewer than 11."""
    grid = random_grid(16, 16, 0.1, 1)
    idle = [ss.Agent(agent.start) for agent in random_problem(grid, 90, 1).agents]
    problem = ss.Problem.from_agents(grid, idle, rules=ss.Rules(shared_goals=True))
    world = ss.World(problem, planner, tasks=ss.Stream.random(grid, seed=1, pool=1.0), assign="first")
    for _ in range(300):
        world.step()
    assert refusals(world) == 0
    trace = world.trace
    assert ss.validate_trace(trace)
    sent = [int(agent) for _, kind, agent, _ in trace.events if kind == ss.EventKind.GOAL]
    assert min(np.bincount(sent, minlength=90)) >= 4
    assert world.tasks.per_turn > 5
