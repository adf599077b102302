"""Optimal solvers cost what the oracle says, on every instance tried, and prove what it proves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep.bench.instances import random_grid, random_problem

from .oracle import PROGRAM, Oracle

SOLVERS = ["standard", "od", "sid", "id", "standard-id"]
INSTANCES = 20_000
CHUNKS = 10  # the instances are split, so that one that fails is found again quickly


@pytest.fixture(scope="module")
def oracle() -> Iterator[Oracle]:
    if not PROGRAM.exists():
        pytest.skip("the oracle is not built: `make cpp-test` builds it")
    running = Oracle()
    yield running
    running.close()


def tiny_problem(rng: np.random.Generator) -> ss.Problem:
    """One to three agents, some idle, on a grid of at most 3 x 4 cells or a small graph, under any rules."""
    space = tiny_grid(rng) if rng.random() < 0.75 else tiny_graph(rng)
    free = np.flatnonzero(space.open)
    agents = min(int(rng.integers(1, 4)), len(free))
    starts, goals = (rng.permutation(free)[:agents].tolist() for _ in range(2))
    return ss.Problem.from_agents(
        space,
        [
            ss.Agent(space.place(start), None if rng.random() < 0.1 else space.place(goal))
            for start, goal in zip(starts, goals, strict=True)
        ],
        rules=any_rules(rng),
    )


def tiny_grid(rng: np.random.Generator) -> ss.Grid:
    passable = rng.random((int(rng.integers(1, 4)), int(rng.integers(2, 5)))) > 0.2
    passable.flat[0] = True
    corners: Any = rng.choice(["none", "one", "free"])
    return ss.Grid(passable, int(rng.choice([4, 8])), str(corners))  # type: ignore[arg-type]


def tiny_graph(rng: np.random.Generator) -> ss.Graph:
    n = int(rng.integers(2, 9))
    edges = [pair for pair in rng.integers(0, n, size=(2 * n, 2)).tolist() if pair[0] != pair[1]] or [[0, 1]]
    conflicts = rng.integers(0, len(edges), size=(int(rng.integers(0, 4)), 2))
    return ss.Graph(n, edges, directed=bool(rng.integers(2)), edge_conflicts=conflicts.tolist())


def any_rules(rng: np.random.Generator) -> ss.Rules:
    return ss.Rules(
        following=bool(rng.integers(2)),
        crossing=bool(rng.integers(2)),
        at_goal=rng.choice(["stay", "disappear"]),
        cost=rng.choice(["sum_of_costs", "time_off_goal"]),
    )


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_tiny_problems_cost_what_the_oracle_says(chunk: int, oracle: Oracle) -> None:
    rng = np.random.default_rng(chunk)
    for _ in range(INSTANCES // CHUNKS):
        problem = tiny_problem(rng)
        cheapest = oracle.cheapest(problem)
        for name in SOLVERS:
            check(problem, name, cheapest)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(1000, 1060))
def test_many_more_tiny_problems(chunk: int, oracle: Oracle) -> None:
    test_tiny_problems_cost_what_the_oracle_says(chunk, oracle)


def check(problem: ss.Problem, name: str, cheapest: int | None) -> None:
    result = ss.solve(problem, name, time_limit=60)
    said = (name, problem.space, problem.agents, problem.rules)
    if cheapest is None:
        assert result.status is ss.Status.INFEASIBLE, said
        return
    assert result.plan is not None, (said, result.reason)
    assert result.status is ss.Status.OPTIMAL
    assert result.plan.cost == result.lower_bound == cheapest, said
    assert ss.validate(problem, result.plan), said


def crowd(seed: int, agents: int, cost: Any, connectivity: Any = 8) -> ss.Problem:
    grid = random_grid(12, 12, 0.2, seed, connectivity=connectivity, corners="free")
    return ss.Problem.from_agents(grid, random_problem(grid, agents, seed).agents, rules=ss.Rules(cost=cost))


@pytest.mark.parametrize("cost", ["sum_of_costs", "time_off_goal"])
def test_solvers_agree_where_no_oracle_can_follow(cost: str) -> None:
    compared = 0
    for seed in range(60):
        problem = crowd(seed, 6, cost)
        costs = {}
        for name in ("od", "sid", "id"):
            result = ss.solve(problem, name, time_limit=2)
            if result.plan is not None:
                assert ss.validate(problem, result.plan)
                costs[name] = result.plan.cost
        assert len(set(costs.values())) <= 1, (seed, costs)
        compared += len(costs) > 1
    assert compared > 40


def turned(problem: ss.Problem, turn: Any) -> ss.Problem:
    """The same problem on a map that is rotated or mirrored."""
    space = problem.space
    assert isinstance(space, ss.Grid)
    ids = turn(np.arange(space.n).reshape(space.passable.shape))
    place = {int(vertex): divmod(index, ids.shape[1]) for index, vertex in enumerate(ids.flat)}
    starts, goals = ([place[vertex] for vertex in many.tolist()] for many in (problem.starts, problem.goals))
    grid = ss.Grid(turn(space.passable), space.connectivity, space.corners)
    return ss.Problem(grid, starts, goals, rules=problem.rules)


def cost_of(problem: ss.Problem, name: str = "id") -> int:
    plan = ss.solve(problem, name, time_limit=30).plan
    assert plan is not None
    return plan.cost


@pytest.mark.parametrize("seed", range(8))
def test_what_must_not_change_the_cost_does_not(seed: int) -> None:
    problem = crowd(seed, 5, "sum_of_costs")
    cost = cost_of(problem)
    for turn in (np.rot90, np.fliplr, np.flipud, np.transpose):
        assert cost_of(turned(problem, turn)) == cost
    agents = problem.agents
    assert cost_of(ss.Problem.from_agents(problem.space, agents[::-1], rules=problem.rules)) == cost
    assert cost_of(ss.Problem.from_agents(problem.space, agents[1:], rules=problem.rules)) <= cost


@pytest.mark.parametrize("seed", range(8))
def test_a_wall_more_is_never_cheaper(seed: int) -> None:
    problem = crowd(seed, 4, "time_off_goal")
    space = problem.space
    assert isinstance(space, ss.Grid)
    taken = {*problem.starts.tolist(), *problem.goals.tolist()}
    wall = next(vertex for vertex in np.flatnonzero(space.open)[seed:] if int(vertex) not in taken)
    passable = space.passable.copy()
    passable.flat[wall] = False
    closed = ss.Grid(passable, space.connectivity, space.corners)
    result = ss.solve(
        ss.Problem.from_agents(closed, problem.agents, rules=problem.rules), "id", time_limit=30
    )
    assert result.plan is None or result.plan.cost >= cost_of(problem)


def test_a_search_beyond_its_memory_ends_with_a_status() -> None:
    problem = crowd(1, 30, "sum_of_costs")
    for name in ("standard", "od"):
        result = ss.solve(problem, name, memory_limit=2**22, time_limit=60)
        assert result.status is ss.Status.TIMEOUT
        assert "memory limit" in result.reason


def test_independent_agents_are_never_planned_together() -> None:
    grid = ss.Grid(np.ones((20, 30), dtype=np.bool_))
    problem = ss.Problem(grid, [(row, 0) for row in range(20)], [(row, 29) for row in range(20)])
    result = ss.solve(problem, "id")
    assert result.stats["largest_group"] == 1
    assert result.stats["merges"] == 0


def test_groups_that_cost_no_more_together_than_apart_stay_apart() -> None:
    compared = 0
    for seed in range(40):
        problem = crowd(seed, 8, "time_off_goal")
        result = ss.solve(problem, "id", time_limit=30)
        assert result.plan is not None
        if result.plan.cost == sum(cost_of(alone(problem, agent)) for agent in range(8)):
            assert result.stats["merges"] == 0
            compared += result.stats["resolved"] > 0
    assert compared > 10


def alone(problem: ss.Problem, agent: int) -> ss.Problem:
    return ss.Problem.from_agents(problem.space, [problem.agents[agent]], rules=problem.rules)


def test_id_evades_where_sid_merges() -> None:
    """Where another plan of the same cost does, ID makes smaller groups than SID."""
    sizes = {"sid": 0, "id": 0}
    for seed in range(40):
        problem = crowd(seed, 6, "time_off_goal")
        for name in sizes:
            sizes[name] += ss.solve(problem, name, time_limit=5).stats["largest_group"]
    assert sizes["id"] < 0.9 * sizes["sid"], sizes


def test_two_in_a_corridor_have_no_plan_and_that_is_proved() -> None:
    problem = ss.Problem(ss.Grid.from_text(". . . ."), [(0, 0), (0, 3)], [(0, 3), (0, 0)])
    for name in SOLVERS:
        result = ss.solve(problem, name)
        assert result.status is ss.Status.INFEASIBLE
        assert "no plan" in result.reason


@pytest.mark.parametrize("wrong", ["x", 3, None])
def test_bad_parameters(wrong: Any) -> None:
    with pytest.raises(ss.InputError):
        ss.OD(duplicates=wrong)
    with pytest.raises(ss.InputError):
        ss.ID(inner=wrong)
