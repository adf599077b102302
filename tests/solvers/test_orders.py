"""In which order CA* and HCA* plan."""

from __future__ import annotations

from typing import get_args

import pytest

import sidestep as ss
from sidestep.budget import Budget
from sidestep.instances import random_grid, random_problem
from sidestep.solvers.cooperative import cooperating_agents
from sidestep.solvers.orders import OrderName, blocked_by, by_dependence, first_order

NAMES = get_args(OrderName)
ROW = ss.Grid.from_text(". . . . . . . . .")


def order_of(problem: ss.Problem, name: str, seed: int = 0) -> list[int]:
    return first_order(problem, name, cooperating_agents(problem), seed=seed, budget=Budget())


def on_a_row(starts: list[int], goals: list[int], **options) -> ss.Problem:
    return ss.Problem(ROW, [(0, c) for c in starts], [(0, c) for c in goals], **options)


def test_by_number_and_by_distance():
    problem = on_a_row([0, 3, 8], [2, 4, 5])
    assert order_of(problem, "given") == [0, 1, 2]
    assert order_of(problem, "shortest") == [1, 0, 2]
    assert order_of(problem, "longest") == [2, 0, 1]


def test_ties_and_random_orders_are_drawn_by_the_seed():
    problem = on_a_row([0, 2, 4, 6], [1, 3, 5, 7])
    for name in ("shortest", "longest", "random", "dependence"):
        drawn = {tuple(order_of(problem, name, seed)) for seed in range(20)}
        assert len(drawn) > 5, name
        assert order_of(problem, name, 7) == order_of(problem, name, 7)
    assert len({tuple(order_of(problem, "given", seed)) for seed in range(20)}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_priorities_come_first_and_who_has_no_goal_last(name):
    agents = [ss.Agent((0, 0), (0, 4)), ss.Agent((0, 5)), ss.Agent((0, 6), (0, 7), priority=1)]
    assert order_of(ss.Problem.from_agents(ROW, agents), name) == [2, 0, 1]


def test_who_is_blocked_plans_before_those_who_block_it():
    """The way of 0 leads over the start of 2 and the goal of 1; that of 2 over the goal of 1."""
    problem = on_a_row([0, 8, 2], [7, 5, 6])
    agents = cooperating_agents(problem)
    assert blocked_by(problem, agents, Budget()) == [{1, 2}, {0, 2}, {1}]
    alone = on_a_row([0, 4, 7], [5, 3, 8])  # 1 begins and ends on the way of 0
    assert blocked_by(alone, cooperating_agents(alone), Budget()) == [{1}, set(), set()]
    for seed in range(10):
        order = order_of(alone, "dependence", seed)
        assert order.index(0) < order.index(1)


def test_a_circle_has_several_orders():
    circle = [{1}, {2}, {0}]
    assert by_dependence(circle, [0, 1, 2]) == [0, 1, 2]
    assert by_dependence(circle, [2, 0, 1]) == [2, 0, 1]
    assert by_dependence([{1}, {2}, {0}, {0}], [0, 1, 2, 3]) == [3, 0, 1, 2]
    assert by_dependence([], []) == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("solver", [ss.CA, ss.HCA])
def test_every_order_gives_valid_plans(solver, name):
    problem = random_problem(random_grid(16, 16, 0.2, 3), 30, 3)
    result = ss.solve(problem, solver(order=name))
    assert ss.validate(problem, result.plan)


def test_the_first_order_decides_where_there_are_no_retries():
    """Who stands on its goal in a corridor must plan last: its way is the shortest."""
    corridor = ss.Grid.from_text("# # . # #\n. . . . .")
    problem = ss.Problem(corridor, starts=[(1, 2), (1, 0)], goals=[(1, 2), (1, 4)])
    solved = {
        name: bool(ss.solve(problem, ss.CA(order=name, retries=0))) for name in NAMES if name != "random"
    }
    assert solved == {"given": False, "shortest": False, "longest": True, "dependence": True}
    drawn = {bool(ss.solve(problem, ss.CA(order="random", retries=0), seed=seed)) for seed in range(8)}
    assert drawn == {False, True}


def test_longest_first_solves_more_in_the_first_order():
    problems = [random_problem(random_grid(16, 16, 0.2, seed), 40, seed) for seed in range(30)]
    longest, drawn = (
        sum(bool(ss.solve(problem, ss.HCA(order=name, retries=0))) for problem in problems)
        for name in ("longest", "random")
    )
    assert longest > 1.3 * drawn


def test_a_budget_that_ends_on_the_way_is_a_timeout():
    problem = random_problem(random_grid(16, 16, 0.2, 3), 30, 3)
    result = ss.CA(order="dependence").solve(problem, budget=Budget(nodes=100))
    assert result.status is ss.Status.TIMEOUT
