"""Optimal solvers cost what the oracle says, on every instance tried, and prove what it proves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sidestep as ss
from conftest import Sweep
from sidestep.budget import Budget
from sidestep.instances import random_grid, random_problem, room_grid
from sidestep.solvers import SOLVERS as SOLVERS_BY_NAME
from sidestep.solvers import Solver
from sidestep.solvers.cooperative import cooperating_agents

from .oracle import Oracle

SOLVERS: list[Solver] = [
    ss.Standard(),
    ss.OD(),
    ss.OD(pairs=False),
    ss.OD.as_printed(),
    ss.SID(),
    ss.SID.as_printed(),
    ss.ID(),
    ss.ID("standard"),
    ss.ID.as_printed(),
]
# These are optimal too, but need not see that there is no plan.
UNPROVED: list[Solver] = [ss.CBS(), ss.ICTS(), ss.ID("cbs"), ss.ID("icts")]
CHUNKS = 10  # the instances are split, so that one that fails is found again quickly
MANY = 2000  # instances per chunk of the slow sweeps


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
def test_tiny_problems_cost_what_the_oracle_says(chunk: int, oracle: Oracle, sweep: Sweep) -> None:
    rng = np.random.default_rng(chunk)
    for _ in sweep(1.0, 100):
        check_against(oracle, tiny_problem(rng))


def test_runs_that_are_cut_short_know_what_a_plan_costs_at_least(oracle: Oracle, sweep: Sweep) -> None:
    """Never more than the cheapest one does; for joint searches never less than all distances."""
    rng = np.random.default_rng(200)
    for _ in sweep(2.0, 60):
        problem = tiny_problem(rng)
        cheapest = oracle.cheapest(problem)
        alone = cooperating_agents(problem).distances(Budget().core)
        for solver in (*SOLVERS, ss.Anytime()):
            result = ss.solve(problem, solver, node_limit=int(rng.integers(0, 40)))
            if cheapest is None or result.status is ss.Status.INFEASIBLE:
                continue
            assert result.lower_bound is not None
            assert result.lower_bound <= cheapest, (solver, problem.space, problem.agents, problem.rules)
            if isinstance(solver, (ss.Standard, ss.Anytime)):
                assert result.lower_bound >= np.maximum(alone, 0).sum()


def test_the_lower_bound_of_a_time_out_is_the_least_f() -> None:
    """Beyond the distances: the longer a search has run, the more it knows."""
    problem = ss.Problem.from_text("a . . . B\n# # . # #\nb . . . A")
    crossing = ss.Problem.from_text("c . a . .\n. B . A .\n. . b . C")
    for one in (problem, crossing):
        cheapest = ss.solve(one, "od").plan
        assert cheapest is not None
        for name in ("standard", "od", "sid", "id", "anytime"):
            bounds = [ss.solve(one, name, node_limit=nodes).lower_bound for nodes in (1, 10, 100, 10_000)]
            assert bounds == sorted(bounds)  # type: ignore[type-var]
            assert bounds[-1] == cheapest.cost


@pytest.mark.parametrize("name", ["od", "id", "sid", "anytime"])
def test_agents_near_their_goals_need_little_of_a_large_map(name: str) -> None:
    """A table of all distances to one goal would be 4 MB here."""
    side, rng = 1024, np.random.default_rng(1)
    corners = rng.permutation((side // 20) ** 2)[:60]
    starts = [(20 * int(k // 51) + 8, 20 * int(k % 51) + 8) for k in corners]
    goals = [(row + int(rng.integers(-8, 9)), col + int(rng.integers(-8, 9))) for row, col in starts]
    problem = ss.Problem(ss.Grid(np.ones((side, side), dtype=bool)), starts, goals)
    result = ss.solve(problem, name, memory_limit=30 * 2**20)
    assert result.status is ss.Status.OPTIMAL
    assert result.plan is not None
    assert result.plan.cost == sum(
        abs(s[0] - g[0]) + abs(s[1] - g[1]) for s, g in zip(starts, goals, strict=True)
    )


@pytest.mark.slow
@pytest.mark.parametrize("chunk", [*range(CHUNKS), *range(1000, 1060)])
def test_many_more_tiny_problems(chunk: int, oracle: Oracle) -> None:
    rng = np.random.default_rng(chunk)
    for _ in range(MANY):
        check_against(oracle, tiny_problem(rng))


def check_against(oracle: Oracle, problem: ss.Problem) -> None:
    cheapest = oracle.cheapest(problem)
    for solver in SOLVERS:
        check(problem, solver, cheapest)
    for solver in UNPROVED:
        if not solver.supports(problem):
            continue
        if cheapest is None:
            assert ss.solve(problem, solver, node_limit=300).plan is None
        else:
            check(problem, solver, cheapest)


def check(problem: ss.Problem, solver: Solver, cheapest: int | None) -> None:
    result = ss.solve(problem, solver, time_limit=60)
    said = (solver, problem.space, problem.agents, problem.rules)
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


def middling_problem(rng: np.random.Generator) -> ss.Problem:
    """Too many joint states for the oracle: three to eight agents on maps of up to 16 x 16, or rooms."""
    side, seed = int(rng.integers(8, 17)), int(rng.integers(2**31))
    corners: Any = rng.choice(["none", "one", "free"])
    connectivity: Any = int(rng.choice([4, 8]))
    if rng.random() < 0.3:
        grid = ss.Grid(room_grid(side, side, 4, seed).passable, connectivity, str(corners))  # type: ignore[arg-type]
    else:
        density = float(rng.choice([0.05, 0.2, 0.3]))
        grid = random_grid(side, side, density, seed, connectivity=connectivity, corners=corners)
    return random_problem(grid, int(rng.integers(3, 9)), seed, rules=any_rules(rng))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_solvers_agree_where_no_oracle_can_follow(chunk: int, sweep: Sweep) -> None:
    rng = np.random.default_rng(100 + chunk)
    agreed = [agreeing(middling_problem(rng)) > 1 for _ in sweep(1.0, 20)]
    assert sum(agreed) > len(agreed) / 2


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_solvers_agree_on_many_more(chunk: int) -> None:
    rng = np.random.default_rng(100 + chunk)
    assert sum(agreeing(middling_problem(rng)) > 1 for _ in range(200)) > 100


def agreeing(problem: ss.Problem) -> int:
    """How many solvers solve a problem; all of these at the same cost."""
    costs: dict[str, int] = {}
    for name in ("cbs", "icts", "id", "sid", "anytime"):
        if not SOLVERS_BY_NAME[name]().supports(problem):
            continue
        result = ss.solve(problem, name, node_limit=20_000)
        if result.status is ss.Status.OPTIMAL:
            assert result.plan is not None
            assert ss.validate(problem, result.plan)
            costs[name] = result.plan.cost
        else:
            assert result.status in (ss.Status.TIMEOUT, ss.Status.SOLVED), (name, problem)
    assert len(set(costs.values())) <= 1, (problem.space, problem.agents, problem.rules, costs)
    return len(costs)


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


HEAD_ON = """
    a . . B
    # . # #
    b . . A
    # # # #
    c . . C
"""


def test_statistics_name_the_largest_group() -> None:
    result = ss.solve(ss.Problem.from_text(HEAD_ON), "id")
    assert result.stats["in_largest_group"] == [0, 1]
    assert (result.stats["groups"], result.stats["largest_group"]) == (2, 2)
    assert ss.solve(ss.Problem(ss.Grid.from_text("."), [], []), "id").stats["in_largest_group"] == []


def test_a_group_that_is_still_being_planned_counts_when_the_budget_ends() -> None:
    problem = ss.Problem.from_text(HEAD_ON)
    enough = ss.solve(problem, "sid").stats
    assert enough["merges"] == 1
    early = ss.solve(problem, "sid", node_limit=enough["expansions"] - 1)
    assert early.status is ss.Status.TIMEOUT
    assert early.stats["merges"] == 0
    assert early.stats["in_largest_group"] == [0, 1]
    assert early.stats["groups"] == 3  # as long as the two have no plan together


def test_only_decomposition_expands_nodes_within_a_step() -> None:
    problem = crowd(3, 4, "time_off_goal")
    jointly, one_by_one = (ss.solve(problem, name).stats for name in ("standard", "od"))
    assert jointly["standard_expansions"] == jointly["expansions"]
    assert 0 < one_by_one["standard_expansions"] < one_by_one["expansions"]


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
    for solver in SOLVERS:
        result = solver.solve(problem, budget=Budget(10))
        assert result.status is ss.Status.INFEASIBLE
        assert "no plan" in result.reason
    for name in ss.solvers():
        result = ss.solve(problem, name)
        assert result.status is ss.Status.INFEASIBLE
        assert "can never get to its goal (0, 0)" in result.reason


@pytest.mark.parametrize("wrong", ["x", 3, None])
def test_bad_parameters(wrong: Any) -> None:
    with pytest.raises(ss.InputError):
        ss.OD(duplicates=wrong)
    with pytest.raises(ss.InputError):
        ss.ID(inner=wrong)


def test_the_joint_moves_of_a_crowd_keep_to_the_time_limit() -> None:
    """Most of them end in a collision, so that it may be long until all agents have moved."""
    problem = random_problem(random_grid(32, 32, 0.2, 0), 200, 0)
    result = ss.solve(problem, "standard", time_limit=0.2)
    assert result.status is ss.Status.TIMEOUT
    assert result.stats["seconds"] < 5
