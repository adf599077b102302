"""What independence detection asks of its inner solvers, and all of them alike."""

from __future__ import annotations

import numpy as np
import pytest

import sidestep as ss
from sidestep import _core
from sidestep.budget import Budget
from sidestep.model.to_core import compile_rules, compiled_space
from sidestep.solvers.group_planning import Terms
from sidestep.solvers.independence import INNER
from tests.sizing import examples

from .test_optimal import tiny_problem


def conflicts(problem, *paths):
    rows = max(map(len, paths))
    columns = [np.vstack([path, np.repeat(path[-1:], rows - len(path), axis=0)]) for path in paths]
    matrix = np.ascontiguousarray(np.hstack(columns))
    return len(_core.find_conflicts(compiled_space(problem), compile_rules(problem.rules), matrix))


def numbers(*agents):
    return np.array(agents, dtype=np.int32)


def planners(problem):
    chosen = {name: solver() for name, solver in INNER.items()}
    return {name: solver.groups(problem) for name, solver in chosen.items() if solver.supports(problem)}


def test_groups_go_around_fixed_paths_at_the_least_cost():
    rng = np.random.default_rng(5)
    compared = dodged = 0
    for _ in range(examples(3000)):
        problem = tiny_problem(rng)
        if problem.n_agents < 3:
            continue
        fixed = ss.OD().groups(problem).plan(numbers(2), Budget(5))
        if fixed is None:
            continue
        costs = {}
        for name, planner in planners(problem).items():
            budget = Budget(5, 20_000)
            free = planner.plan(numbers(0, 1), budget)
            least = planner.cost if free is not None else None
            paths = planner.plan(numbers(0, 1), budget, Terms(illegal=fixed))
            if paths is None:
                costs[name] = "?" if planner.ended_early else None
                continue
            assert conflicts(problem, paths, fixed) == 0
            assert least is not None
            assert planner.cost >= least
            dodged += planner.cost > least
            costs[name] = planner.cost
            dear = Terms(illegal=fixed, cost_limit=planner.cost - 1)
            assert planner.plan(numbers(0, 1), budget, dear) is None
        known = {cost for cost in costs.values() if cost != "?"}
        assert len(known) <= 1, (problem.space, problem.agents, problem.rules, costs)
        compared += len(costs)
    assert compared > examples(2000)
    assert dodged > examples(200)


@pytest.mark.parametrize("inner", INNER)
def test_of_equally_cheap_paths_one_that_avoids_the_others(inner):
    problem = ss.Problem(ss.Grid(np.ones((3, 3), dtype=np.bool_)), [(0, 0), (2, 0)], [(1, 1), (2, 2)])
    planner = INNER[inner]().groups(problem)
    for avoid, via in (([[1]], 3), ([[3]], 1)):  # somebody stands on one of the two ways
        paths = planner.plan(numbers(0), Budget(5), Terms(avoid=np.array(avoid, dtype=np.int32)))
        assert paths is not None
        assert paths[:, 0].tolist() == [0, via, 4]


def test_an_unknown_inner_solver_is_named():
    with pytest.raises(ss.InputError, match="'od', 'standard', 'cbs' or 'icts'"):
        ss.ID("whca")
