"""What ICTS promises beyond the contract and the oracle."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep import _core
from sidestep.budget import Budget
from sidestep.instances import random_grid, random_problem
from sidestep.model.to_core import compile_rules, compiled_space
from tests.sizing import some_of


def crowd(agents=12, seed=1):
    return random_problem(random_grid(20, 20, 0.2, seed), agents, seed)


@pytest.mark.parametrize("seed", some_of(range(6)))
def test_all_variants_agree_on_the_cost(seed):
    problem = crowd(8, seed)
    results = [
        ss.solve(problem, ss.ICTS(pruning=pruning, independence=independence), time_limit=20)
        for pruning, independence in (
            ("enhanced", True),
            ("simple", True),
            ("none", True),
            ("enhanced", False),
        )
    ]
    solved = [result for result in results if result]
    assert results[0]
    assert len({result.plan.cost for result in solved}) == 1
    assert all(ss.validate(problem, result.plan) for result in solved)


def test_it_is_never_dearer_than_others():
    for seed in range(5):
        problem = crowd(18, seed)
        best = ss.solve(problem, "icts", time_limit=20)
        other = ss.solve(problem, "hca")
        if best and other:
            assert other.lower_bound <= best.plan.cost <= other.plan.cost


def test_the_seed_changes_nothing():
    problem = crowd()
    plans = [ss.solve(problem, "icts", seed=seed).plan for seed in (0, 9)]
    assert np.array_equal(plans[0].vertices, plans[1].vertices)


def test_who_must_leave_its_goal_pays_until_it_is_back():
    corridor = ss.Grid.from_text("# # . # #\n. . . . .")
    problem = ss.Problem(corridor, [(1, 0), (1, 2)], [(1, 4), (1, 2)])
    result = ss.solve(problem, "icts")
    assert result.status == ss.Status.OPTIMAL
    assert result.plan.costs.tolist() == [4, 3]


def two_in_a_corridor(length):
    return ss.Problem(
        ss.Grid(np.ones((1, length), dtype=np.bool_)), [(0, 0), (0, length - 1)], [(0, length - 1), (0, 0)]
    )


def test_an_unsolvable_problem_ends_with_the_budget_and_a_bound():
    result = ss.ICTS().solve(two_in_a_corridor(1001), budget=Budget(nodes=5000))
    assert result.status == ss.Status.TIMEOUT
    assert "5000 nodes" in result.reason
    assert result.lower_bound >= 2000


def test_a_small_unsolvable_problem_is_proved_to_be_one():
    result = ss.ICTS().solve(two_in_a_corridor(4), budget=Budget(10))
    assert result.status == ss.Status.INFEASIBLE
    assert result.stats["joint_expansions"] > 0
    assert result.stats["answered_by"] == "od"


@pytest.mark.parametrize("solver", [ss.CBS(joint_takeover=False), ss.ICTS(joint_takeover=False)])
def test_without_a_takeover_the_solver_answers_itself_or_not_at_all(solver):
    result = solver.solve(two_in_a_corridor(4), budget=Budget(nodes=20_000))
    assert result.status == ss.Status.TIMEOUT
    assert (result.stats["answered_by"], result.stats["joint_expansions"]) == (solver.name, 0)
    assert ss.CBS().solve(two_in_a_corridor(4), budget=Budget(10)).stats["answered_by"] == "od"


def test_a_budget_of_memory_is_kept():
    result = ss.ICTS().solve(two_in_a_corridor(1001), budget=Budget(60, memory=2_000_000))
    assert result.status == ss.Status.TIMEOUT
    assert "memory limit" in result.reason


def test_what_it_does_not_take_it_refuses_with_a_sentence():
    idle = ss.Problem.from_text("a . A b")
    for problem, words in (
        (ss.Problem.from_text("a . A", rules=ss.Rules(cost="time_off_goal")), "sum of costs"),
        (idle, "needs a goal"),
    ):
        assert words in ss.ICTS().supports(problem).reason
        with pytest.raises(ss.UnsupportedError, match=words):
            ss.solve(problem, "icts")


def test_a_goal_that_is_cut_off_gives_no_plan_even_without_the_front_door():
    result = ss.ICTS().solve(ss.Problem.from_text("a . # A"), budget=Budget(1.0, 10_000))
    assert not result
    assert result.status == ss.Status.INFEASIBLE


@pytest.mark.parametrize("params", [{"pruning": "much"}, {"independence": 1}, {"pruning": None}])
def test_wrong_parameters_are_refused(params):
    with pytest.raises(ss.InputError):
        ss.solve(crowd(2), "icts", **params)


# The core, as independence detection calls it: a group of agents around the paths of others


def core(problem):
    return _core.Icts(
        compiled_space(problem),
        compile_rules(problem.rules),
        problem.starts,
        problem.goals,
        pruning=_core.Pruning.enhanced,
        independence=True,
    )


def agents(*numbers):
    return np.array(numbers, dtype=np.int32)


def test_a_group_is_solved_as_if_the_others_were_not_there():
    problem = ss.Problem.from_text("a . B\n. # .\nb . A")
    tree = core(problem)
    budget = Budget(5.0)
    assert tree.solve(agents(0), budget=budget.core) is _core.Outcome.found
    alone = tree.path(0)
    assert len(alone) == 5
    assert tree.solve(agents(1), illegal=alone[:, None].copy(), budget=budget.core) is _core.Outcome.found
    assert not len(
        _core.find_conflicts(
            compiled_space(problem), compile_rules(problem.rules), np.stack([alone, tree.path(1)], axis=1)
        )
    )


def test_a_cost_limit_ends_the_search_with_no_path():
    problem = ss.Problem(ss.Grid.from_text("# . #\n. . ."), [(1, 0), (1, 2)], [(1, 2), (1, 0)])
    tree = core(problem)
    budget = Budget(5.0)
    assert tree.solve(agents(0, 1), cost_limit=6, budget=budget.core) is _core.Outcome.no_path
    assert tree.lower_bound == 7
    assert tree.solve(agents(0, 1), cost_limit=7, budget=budget.core) is _core.Outcome.found


def test_the_core_refuses_what_does_not_exist():
    tree = core(ss.Problem.from_text("a . A"))
    budget = Budget(5.0)
    for wrong in (
        lambda: tree.solve(agents(1), budget=budget.core),
        lambda: tree.solve(agents(-1), budget=budget.core),
        lambda: tree.solve(agents(0), illegal=agents(7)[:, None].copy(), budget=budget.core),
        lambda: tree.path(3),
    ):
        with pytest.raises(ValueError, match="there is no"):
            wrong()
