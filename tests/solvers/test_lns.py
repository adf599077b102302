"""LNS makes plans cheaper and keeps them valid; `improve` does so for any plan; SIPP plans over intervals."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep.instances import random_grid, random_problem

CROWD = random_problem(random_grid(20, 20, 0.15, 3), 60, 1)


def test_it_is_cheaper_than_its_first_plan_and_says_how_it_became_so():
    told: list[int] = []
    result = ss.solve(
        CROWD, "lns", time_limit=None, node_limit=60_000, on_plan=lambda one: told.append(one.plan.cost)
    )
    assert ss.validate(CROWD, result.plan)
    first = result.stats["first_plan"]["cost"]
    assert result.lower_bound <= result.plan.cost < first
    rows = result.stats["cost_over_time"]
    assert len(rows) <= 1000
    costs = [cost for _, _, cost in rows]
    assert costs == sorted(costs, reverse=True)
    assert (costs[0], costs[-1]) == (first, result.plan.cost)
    assert told == sorted(told, reverse=True)
    assert told[-1] >= result.plan.cost


def test_threads_change_nothing_and_runs_repeat():
    def plan(**parameters: int) -> bytes:
        result = ss.solve(CROWD, ss.LNS(**parameters), time_limit=None, node_limit=100_000, seed=3)
        return bytes(result.plan.vertices.tobytes())

    assert plan(lanes=4, threads=1) == plan(lanes=4, threads=2) == plan(lanes=4, threads=4)
    assert plan() == plan()


@pytest.mark.parametrize(
    "rules",
    [
        ss.Rules(following=False),
        ss.Rules(at_goal="disappear"),
        ss.Rules(cost="time_off_goal"),
        ss.Rules(following=False, at_goal="disappear", cost="time_off_goal"),
    ],
)
def test_it_honours_the_rules(rules: ss.Rules):
    problem = random_problem(random_grid(16, 16, 0.1, 3), 40, 1, rules=rules)
    result = ss.solve(problem, "lns", time_limit=None, node_limit=60_000)
    assert ss.validate(problem, result.plan)
    assert result.plan.cost < result.stats["first_plan"]["cost"]


def test_a_plan_that_somebody_has_becomes_cheaper():
    given = ss.solve(CROWD, "whca").plan
    result = ss.improve(given, time_limit=None, node_limit=30_000)
    assert ss.validate(CROWD, result.plan)
    assert result.plan.cost <= given.cost


def test_a_plan_with_collisions_jumps_and_agents_that_do_not_arrive_is_mended():
    vertices = np.array(ss.solve(CROWD, "lacam").plan.vertices)
    vertices[3, 5] = vertices[2, 7]
    vertices[:, 9] = vertices[0, 9]
    broken = ss.Plan(CROWD, vertices)
    assert not ss.validate(CROWD, broken)
    result = ss.improve(broken, time_limit=None, node_limit=50_000)
    assert ss.validate(CROWD, result.plan)


def test_what_is_no_plan_is_refused():
    with pytest.raises(ss.InputError, match=r"result\.plan"):
        ss.improve(ss.solve(CROWD, "lacam"))  # type: ignore[arg-type]
    with pytest.raises(ss.InputError, match="no parameter"):
        ss.improve(ss.solve(CROWD, "lacam").plan, window=3)


@pytest.mark.parametrize("solver", [ss.SIPP(robust=2), ss.LNS(robust=2, patience=10)])
def test_robust_plans_keep_agents_steps_apart(solver: ss.SIPP | ss.LNS):
    problem = random_problem(random_grid(20, 20, 0.1, 3), 20, 1)
    result = ss.solve(problem, solver, time_limit=None, node_limit=60_000)
    assert ss.validate(problem, result.plan)
    vertices = result.plan.vertices
    for late in (1, 2):
        same = vertices[late:, :, None] == vertices[:-late, None, :]
        assert not (same & ~np.eye(problem.n_agents, dtype=bool)).any()


def test_sipp_begins_anew_with_the_agent_that_found_no_way():
    crowd = random_problem(random_grid(12, 12, 0.1, 3), 50, 2)
    result = ss.solve(crowd, "sipp")
    if result:
        assert ss.validate(crowd, result.plan)
    else:
        assert result.status is ss.Status.GAVE_UP
    assert result.stats["attempts"] > 1
    assert ss.solve(crowd, ss.SIPP(restarts=0)).stats["attempts"] == 1


@pytest.mark.parametrize(("side", "temperature"), [(31, 1.5), (32, 0.0)])
def test_repairs_may_cost_a_little_on_small_maps(side: int, temperature: float) -> None:
    """Up to 1,000 places; the default is the same as naming that temperature."""
    problem = random_problem(random_grid(side, side, 0.0, 1), 60, 1)
    runs = [
        ss.solve(problem, ss.LNS(temperature=wanted), node_limit=100_000, time_limit=None).plan
        for wanted in ("auto", temperature, 1.5 - temperature)
    ]
    plans = [run.vertices.tobytes() for run in runs if run]
    assert plans[0] == plans[1] != plans[2]
