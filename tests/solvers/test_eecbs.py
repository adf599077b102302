"""Explicit Estimation CBS: within its factor of the oracle's cost, and a bound that holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sidestep as ss
from conftest import Sweep
from sidestep.instances import random_grid, random_problem

from .oracle import Oracle
from .test_optimal import tiny_problem

VARIANTS: list[dict[str, Any]] = [
    {},
    {"bypass": False},
    {"prioritise": False},
    {"rectangle": False, "corridor": False, "target": False},
    {"weighted": False},
]


def check_tiny(oracle: Oracle, rng: np.random.Generator) -> None:
    problem = tiny_problem(rng)
    factor = float(rng.choice([1.0, 1.02, 1.2, 1.5, 3.0]))
    solver = ss.EECBS(factor, **VARIANTS[int(rng.integers(len(VARIANTS)))])
    if not solver.supports(problem):
        return
    cheapest = oracle.cheapest(problem)
    said = (solver, problem.space, problem.agents, problem.rules)
    if cheapest is None:
        result = ss.solve(problem, solver, node_limit=300)
        assert result.plan is None, said
        return
    result = ss.solve(problem, solver, time_limit=60)
    assert result.plan is not None, (said, result.reason)
    assert ss.validate(problem, result.plan), said
    assert result.lower_bound is not None
    assert result.lower_bound <= cheapest <= result.plan.cost, said
    assert result.plan.cost <= factor * result.lower_bound + 1e-9, said
    short = ss.solve(problem, solver, node_limit=int(rng.integers(0, 30)))
    assert short.lower_bound is None or short.lower_bound <= cheapest, said


@pytest.mark.parametrize("chunk", range(3))
def test_plans_are_within_the_factor_of_what_the_oracle_says(
    chunk: int, oracle: Oracle, sweep: Sweep
) -> None:
    rng = np.random.default_rng(chunk)
    for _ in sweep(0.7, 100):
        check_tiny(oracle, rng)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(10))
def test_many_more_plans_are_within_the_factor(chunk: int, oracle: Oracle) -> None:
    rng = np.random.default_rng(100 + chunk)
    for _ in range(2000):
        check_tiny(oracle, rng)


def test_paths_that_are_taken_over_keep_the_factor_in_the_nodes_below() -> None:
    """A sum within the factor is not enough: here a node below cost 11 where 9 was proved."""
    grid = ss.Grid.from_text(". . .\n. # .")
    rules = ss.Rules(following=False, crossing=False, at_goal="disappear")
    problem = ss.Problem(grid, [(0, 2), (1, 2), (0, 1)], [(0, 1), (0, 2), (1, 2)], rules=rules)
    result = ss.solve(problem, ss.EECBS(1.2))
    assert result.plan is not None
    assert result.lower_bound is not None
    assert result.plan.cost <= 1.2 * result.lower_bound


def test_with_a_factor_of_one_it_is_optimal() -> None:
    for seed in range(5):
        problem = random_problem(random_grid(16, 16, 0.2, seed), 14, seed)
        result, best = ss.solve(problem, "eecbs", bound=1.0), ss.solve(problem, "cbs")
        assert result.plan is not None
        assert best.plan is not None
        assert result.status is ss.Status.OPTIMAL
        assert result.plan.cost == best.plan.cost == result.lower_bound


def test_the_bound_never_falls_as_the_limit_rises() -> None:
    """Trap: it is the sum of what agents cost at least, not of their paths, and only grows."""
    problem = random_problem(random_grid(12, 12, 0.2, 4), 24, 4)
    runs = [ss.solve(problem, "eecbs", bound=1.01, node_limit=n) for n in (500, 2000, 5000, 20_000, 50_000)]
    bounds = [run.lower_bound for run in runs]
    assert bounds == sorted(bounds)  # type: ignore[type-var]
    alone = ss.lower_bound(problem, node_limit=0).value
    assert bounds[-1] is not None
    assert bounds[-1] >= alone


def test_all_rules_and_crowds_are_valid() -> None:
    for following in (True, False):
        for at_goal in ("stay", "disappear"):
            rules = ss.Rules(following=following, at_goal=at_goal)  # type: ignore[arg-type]
            problem = random_problem(random_grid(16, 16, 0.15, 5), 25, 5, rules=rules)
            result = ss.solve(problem, "eecbs", bound=1.3, time_limit=60)
            assert result.plan is not None
            assert ss.validate(problem, result.plan)


def test_dearer_paths_are_taken_where_they_meet_nobody() -> None:
    """What a factor gains: fewer nodes of the tree."""
    problem = random_problem(random_grid(20, 20, 0.2, 6), 40, 6)
    loose = ss.solve(problem, "eecbs", bound=1.3, node_limit=200_000)
    tight = ss.solve(problem, "eecbs", bound=1.0, node_limit=200_000)
    assert loose.plan is not None
    assert loose.stats["expanded"] < tight.stats["expanded"]


@pytest.mark.parametrize(
    ("problem", "reason"),
    [
        (
            ss.Problem.from_agents(ss.Grid.from_text(". . ."), [ss.Agent((0, 0), (0, 2)), ss.Agent((0, 1))]),
            "must have a goal",
        ),
        (ss.Problem.from_text("a . A", rules=ss.Rules(cost="time_off_goal")), "sum_of_costs"),
    ],
)
def test_what_it_does_not_take_is_refused_with_a_sentence(problem: ss.Problem, reason: str) -> None:
    with pytest.raises(ss.UnsupportedError, match=reason):
        ss.solve(problem, "eecbs")


def test_where_there_is_no_plan_it_runs_until_its_limit() -> None:
    """Trap: the tree has no end."""
    grid = ss.Grid.from_text(". . .\n. # .\n. . .")
    ring = [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0)]
    problem = ss.Problem(grid, ring, [ring[1], ring[0], *ring[2:]])
    result = ss.EECBS().solve(problem, budget=ss.Budget(nodes=2000))
    assert result.status is ss.Status.TIMEOUT
