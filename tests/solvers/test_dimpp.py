"""What DiMPP promises beyond the contract."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import sidestep as ss
from sidestep.budget import Budget
from sidestep.instances import random_grid, random_problem
from sidestep.solvers.dimpp import Ring
from sidestep.solvers.solver import by_rank

CORRIDOR = ss.Grid.from_text("# # . # #\n. . . . .")


def thesis_instance(seed: int, agents: int, size: int = 16) -> ss.Problem:
    """As in the thesis: 8-connected with free corners, 20% obstacles."""
    grid = random_grid(size, size, 0.2, seed, connectivity=8, corners="free")
    return random_problem(grid, agents, seed, rules=ss.Rules(cost="time_off_goal"))


@pytest.mark.parametrize("shortcuts", [True, False])
def test_plans_of_the_thesiss_instances_are_valid(shortcuts):
    solved = 0
    for seed in range(40):
        problem = thesis_instance(seed, 2 + seed)
        result = ss.solve(problem, "dimpp", shortcuts=shortcuts, time_limit=None, node_limit=10**6)
        assert result.status in (ss.Status.SOLVED, ss.Status.GAVE_UP)
        if result:
            assert ss.validate(problem, result.plan)
            solved += 1
    assert solved > 25


def test_no_order_helps_where_somebody_has_to_step_aside():
    """A counterexample to completeness: a plan exists, but nobody can be planned first."""
    problem = ss.Problem(CORRIDOR, [(1, 0), (1, 4)], [(1, 4), (1, 0)], names=["west", "east"])
    result = ss.solve(problem, "dimpp")
    assert result.status is ss.Status.GAVE_UP
    assert "agent west found no path" in result.reason
    assert "all 2 agents" in result.reason
    assert ss.solve(problem, "od").status is ss.Status.OPTIMAL


def test_an_agent_that_can_never_be_served_is_named():
    problem = ss.Problem.from_text("b . # .\na . # A\n. B # .")
    result = ss.DiMPP().solve(problem, budget=Budget(1.0, 10_000))
    assert result.status is ss.Status.GAVE_UP
    assert result.reason == "agent a has no path even without the others"


def test_who_fails_begins_the_next_token():
    """Agent b cannot get past a, which stays in the corridor; but a can wait for b."""
    problem = ss.Problem(CORRIDOR, [(1, 1), (1, 0)], [(1, 2), (1, 4)], names=["a", "b"])
    ring = Ring(problem, Budget(), ss.DiMPP())
    assert ring.receive(0)
    assert list(ring.token.paths) == [0]
    assert ring.receive(1)
    assert list(ring.token.paths) == [1]
    assert ring.token.begun == {0, 1}


def test_the_ring_goes_by_priority():
    grid = ss.Grid.from_text(". . . .\n. . . .")
    places = [(0, 0), (0, 1), (0, 2), (0, 3)]
    problem = ss.Problem(grid, places, [None, (1, 1), (1, 2), (1, 3)], priorities=[9, 0, 5, 0])
    assert by_rank(problem) == [2, 1, 3, 0]


def test_an_agent_never_stays_where_another_passes_later():
    """The first goes through the goal of the second, which is there sooner and has to wait outside."""
    problem = ss.Problem.from_text("a . . . B A\n# # # # b #")
    result = ss.solve(problem, "dimpp")
    assert result
    assert ss.validate(problem, result.plan)


def test_the_first_in_the_token_pays_nothing():
    for seed in range(10):
        problem = thesis_instance(seed, 12)
        result = ss.solve(problem, "dimpp")
        alone = ss.solve(
            ss.Problem.from_agents(problem.space, problem.agents[:1], rules=problem.rules), "hca"
        )
        if result and result.stats["tokens"] == 1:
            assert result.plan.costs[0] == alone.plan.cost


def test_every_path_is_optimal_given_those_before_it_without_shortcuts():
    """As Cooperative A* finds them in the same order."""
    for seed in range(10):
        problem = thesis_instance(seed, 15)
        agents = [replace(agent, priority=-k) for k, agent in enumerate(problem.agents)]
        ranked = ss.Problem.from_agents(problem.space, agents, rules=problem.rules)
        ring = ss.solve(ranked, "dimpp", shortcuts=False)
        line = ss.solve(ranked, "hca", retries=0)
        if ring and ring.stats["tokens"] == 1:
            assert line
            assert np.array_equal(ring.plan.vertices, line.plan.vertices)


def test_a_shortcut_waits_where_it_first_collides():
    """b's way alone leads through the crossing when a is there; a step later it is free."""
    problem = ss.Problem.from_text("# b #\na . A\n# B #")
    result = ss.solve(problem, "dimpp")
    assert result.plan.cells[:, 1].tolist() == [[0, 1], [0, 1], [1, 1], [2, 1]]


def test_a_shortcut_may_cost_a_step_that_a_search_saves():
    """There are two ways of the same length, but one wait is tried before the other."""
    costs = {True: 0, False: 0}
    for shortcuts in costs:
        for seed in range(20):
            result = ss.solve(thesis_instance(seed, 20), "dimpp", shortcuts=shortcuts)
            costs[shortcuts] += result.plan.cost
    assert costs[False] < costs[True]


def test_the_token_is_what_is_sent():
    problem = ss.Problem.from_text("a . . A\nb . . B\nc . . C")
    result = ss.solve(problem, "dimpp")
    tokens = [4 + count * (4 + 4 * 4) for count in (1, 2, 3)]
    assert result.stats["messages"] == 3  # and back to the first
    assert result.stats["bytes"] == sum(tokens)
    assert all(later > earlier for earlier, later in pairwise(tokens))


def test_one_agent_needs_nobody():
    result = ss.solve(ss.Problem.from_text("a . A"), "dimpp")
    assert result.stats["messages"] == 0
    assert result.stats["tokens"] == 1


def test_shortcuts_is_true_or_false():
    with pytest.raises(ss.InputError, match="shortcuts must be True or False, not 1"):
        ss.DiMPP(shortcuts=1)  # type: ignore[arg-type]
