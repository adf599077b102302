"""LaCAM finds a plan exactly where there is one, and LaCAM* the best; PIBT never collides."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sidestep as ss
from conftest import Sweep
from sidestep import io
from sidestep.budget import Budget
from sidestep.instances import random_grid, random_problem

from .oracle import Oracle
from .test_optimal import tiny_problem

WAREHOUSE = (
    Path(os.environ.get("SIDESTEP_DATA") or "/nonexistent") / "movingai/map/warehouse-20-40-10-2-1.map"
)
FORMS = [ss.LaCAM(), ss.LaCAM(hindrance=False), ss.LaCAM(swap=False)]


def off_goal(problem: ss.Problem) -> ss.Problem:
    """The same under the cost that LaCAM* minimises."""
    rules = replace(problem.rules, cost="time_off_goal")
    return ss.Problem.from_agents(problem.space, problem.agents, rules=rules)


def test_it_finds_a_plan_exactly_where_there_is_one_and_at_its_end_the_best(oracle: Oracle, sweep: Sweep):
    rng = np.random.default_rng(7)
    for number in sweep(1.0, 100):
        problem = off_goal(tiny_problem(rng))
        cheapest = oracle.cheapest(problem)
        for solver in (*FORMS, ss.LaCAM(anytime=True)):
            # `solve` would see plain impossibility by itself.
            result = solver.solve(problem, budget=Budget(60.0), seed=number)
            if cheapest is None:
                assert result.status is ss.Status.INFEASIBLE
                continue
            assert result.plan is not None
            assert ss.validate(problem, result.plan)
            assert result.lower_bound is not None
            assert result.lower_bound <= cheapest <= result.plan.cost
            if solver.anytime:
                assert result.status is ss.Status.OPTIMAL
                assert result.plan.cost == cheapest


def test_it_solves_crowds_that_fill_most_of_the_map():
    grid = random_grid(20, 20, 0.1, 3)
    for agents in (50, 200, 300):
        problem = random_problem(grid, agents, 1)
        result = ss.solve(problem, ss.LaCAM(), node_limit=10**7)
        assert ss.validate(problem, result.plan)


@pytest.mark.parametrize("rules", [ss.Rules(following=False), ss.Rules(at_goal="disappear")])
def test_it_solves_crowds_under_other_rules(rules: ss.Rules):
    problem = random_problem(random_grid(16, 16, 0.1, 3), 60, 1, rules=rules)
    result = ss.solve(problem, ss.LaCAM(), node_limit=10**7)
    assert ss.validate(problem, result.plan)


def test_agents_that_meet_in_a_long_corridor_back_out_of_it():
    grid = ss.Grid.from_text("# # # # . # #\n. . . . . . .")
    problem = ss.Problem(grid, [(1, 0), (1, 6)], [(1, 6), (1, 0)])
    assert ss.validate(problem, ss.solve(problem, ss.PIBT()).plan)
    assert ss.solve(problem, ss.PIBT(swap=False)).status is ss.Status.GAVE_UP
    assert ss.validate(problem, ss.solve(problem, ss.LaCAM(swap=False)).plan)


def test_better_plans_are_told_of_as_they_come():
    problem = off_goal(random_problem(random_grid(8, 8, 0.1, 2), 8, 2))
    told: list[ss.Result] = []
    result = ss.solve(problem, ss.LaCAM(anytime=True), node_limit=200_000, on_plan=told.append)
    costs = [one.plan.cost for one in told if one.plan is not None]
    assert costs == sorted(costs, reverse=True)
    assert result.plan is not None
    assert costs[-1] == result.plan.cost
    assert result.stats["first_plan"]["cost"] == costs[0]


def test_the_same_seed_and_nodes_give_the_same_plan():
    problem = random_problem(random_grid(16, 16, 0.2, 2), 60, 2)
    first, again = (ss.solve(problem, ss.LaCAM(anytime=True), node_limit=100_000, seed=5) for _ in range(2))
    assert first.plan is not None
    assert again.plan is not None
    assert np.array_equal(first.plan.vertices, again.plan.vertices)
    assert first.stats["configurations"] == again.stats["configurations"]


def test_memory_is_counted():
    problem = random_problem(random_grid(32, 32, 0.1, 1), 200, 1)
    result = ss.solve(problem, ss.LaCAM(), memory_limit=80_000)
    assert result.status is ss.Status.TIMEOUT
    assert "memory" in result.reason


def test_a_step_in_which_nobody_decides_counts_as_a_node():
    """Where nearly all places are taken most of what agents are told contradicts itself."""
    grid = ss.Grid(np.ones((6, 7), dtype=bool))
    places = [grid.place(vertex) for vertex in range(40)]
    goals = [None] * 40
    for agent, vertex in ((0, 39), (5, 30), (11, 20)):
        goals[agent] = places[vertex]
    problem = ss.Problem(grid, places, goals, rules=ss.Rules(following=False))
    result = ss.solve(problem, ss.LaCAM(guide=0), node_limit=20_000, memory_limit=10**8)
    assert result.status is ss.Status.TIMEOUT
    assert "nodes" in result.reason
    assert result.stats["steps"] <= 20_000


@pytest.mark.slow
@pytest.mark.skipif(not WAREHOUSE.exists(), reason="SIDESTEP_DATA does not name the MovingAI files")
def test_a_jam_of_five_thousand_that_give_way_to_each_other_dissolves():
    problem = random_problem(io.read_map(WAREHOUSE), 5000, 5)
    result = ss.solve(problem, ss.LaCAM(guide=0), time_limit=None, node_limit=20_000_000)
    assert ss.validate(problem, result.plan)
