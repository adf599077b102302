"""Priority-Based Search: plans that hold, orders only where they matter."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from conftest import Sweep
from sidestep.instances import random_grid, random_problem

from .oracle import Oracle
from .test_optimal import tiny_problem


@pytest.mark.parametrize("chunk", range(3))
def test_tiny_problems_under_any_rules(chunk: int, oracle: Oracle, sweep: Sweep) -> None:
    """Valid, never cheaper than the cheapest, and never more than gave up where there is a plan."""
    rng = np.random.default_rng(chunk)
    tried = solved = 0
    for _ in sweep(0.5, 100):
        tried += 1
        problem = tiny_problem(rng)
        cheapest = oracle.cheapest(problem)
        result = ss.solve(problem, "pbs")
        said = (problem.space, problem.agents, problem.rules)
        assert (result.status is ss.Status.INFEASIBLE) <= (cheapest is None), said
        if result.plan is None:
            continue
        solved += 1
        assert cheapest is not None, said
        assert ss.validate(problem, result.plan), said
        assert result.lower_bound is not None
        assert result.lower_bound <= cheapest <= result.plan.cost, said
    assert solved > tried / 2


def test_those_who_are_not_in_the_way_are_not_ordered() -> None:
    apart = ss.Problem.from_text("a . A\nb . B")
    assert ss.solve(apart, "pbs").stats["orders"] == 0
    crossing = ss.Problem.from_text("# a #\nb . B\n# A #")
    assert ss.solve(crossing, "pbs").stats["orders"] == 1


def test_the_higher_priority_goes_first() -> None:
    for first in (0, 1):
        problem = ss.Problem.from_text("# a #\nb . B\n# A #")
        urgent = ss.Problem(
            problem.space,
            [problem.space.place(v) for v in problem.starts],
            [problem.space.place(v) for v in problem.goals],
            priorities=[int(first == 0), int(first == 1)],
        )
        plan = ss.solve(urgent, "pbs").plan
        assert plan is not None
        assert plan.costs[first] == 2
        assert plan.costs[1 - first] == 3


def test_it_solves_more_than_one_order_does() -> None:
    """`b` starts on the way of `a` and may not go first; the order is found by the search."""
    problem = ss.Problem.from_text("a . b . .\n# # . # #\n. A . . B")
    result = ss.solve(problem, "pbs")
    assert result.plan is not None
    assert ss.validate(problem, result.plan)


def test_where_no_order_helps_it_gives_up() -> None:
    """Two that must pass in a dead end: one has to step back for the other, which no order makes it do."""
    grid = ss.Grid.from_text(". . # # #\n. . . . .\n. . # # #")
    swap = ss.Problem(grid, [(1, 3), (1, 4)], [(1, 4), (1, 3)])
    result = ss.solve(swap, "pbs")
    assert result.status is ss.Status.GAVE_UP
    assert "order" in result.reason


@pytest.mark.parametrize("seed", range(3))
def test_crowds_are_valid(seed: int) -> None:
    problem = random_problem(random_grid(24, 24, 0.15, seed), 60, seed)
    result = ss.solve(problem, "pbs", time_limit=60)
    assert result.plan is not None
    assert ss.validate(problem, result.plan)


def test_the_same_problem_has_the_same_plan() -> None:
    problem = random_problem(random_grid(24, 24, 0.15, 7), 60, 7)
    one, other = (ss.solve(problem, "pbs", seed=seed).plan for seed in (1, 2))
    assert one is not None
    assert other is not None
    assert np.array_equal(one.vertices, other.vertices)
