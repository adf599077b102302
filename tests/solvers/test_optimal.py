"""Optimal solvers against an oracle that looks at everything, on tiny problems under all rules.

A solver that is registered with `info.optimal` is tested here by itself; what it does not support it is not
asked. The oracle is a program of the C++ tests (`cpp/tests/oracle.cpp`).
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import numpy as np
import pytest
from oracle import PROGRAM, Oracle

import sidestep as ss
from sidestep.solvers import SOLVERS

OPTIMAL = [name for name, solver in SOLVERS.items() if solver.info.optimal]
VARIANTS = [
    *(pytest.param(SOLVERS[name](), id=name) for name in OPTIMAL),
    pytest.param(ss.ICTS(pruning="simple"), id="icts-simple"),
    pytest.param(ss.ICTS(pruning="none"), id="icts-none"),
    pytest.param(ss.ICTS(independence=False), id="icts-paper"),
    pytest.param(ss.ICTS(independence=False, pruning="simple"), id="icts-paper-simple"),
    pytest.param(ss.ICTS(independence=False, pruning="none"), id="icts-paper-none"),
]
RULES = [
    ss.Rules(following=following, crossing=crossing, at_goal=at_goal, shared_goals=shared, cost=cost)
    for following, crossing, at_goal, shared, cost in product(
        (True, False), (True, False), ("stay", "disappear"), (False, True), ("sum_of_costs", "time_off_goal")
    )
    if at_goal == "disappear" or not shared
]


@pytest.fixture(scope="module")
def oracle():
    if not PROGRAM.exists():
        pytest.skip("the oracle is not built: make cpp-test builds it")
    running = Oracle()
    yield running
    running.close()


def random_grid(draw: random.Random) -> ss.Grid:
    height, width = draw.randint(1, 4), draw.randint(2, 4)
    passable = np.array([[draw.random() > 0.2 for _ in range(width)] for _ in range(height)])
    return ss.Grid(passable, draw.choice([4, 8]), draw.choice(["none", "one", "free"]))


def random_graph(draw: random.Random) -> ss.Graph:
    n = draw.randint(4, 9)
    edges = [(u, (u + draw.randint(1, n - 1)) % n) for u in range(n)]
    edges += [(u, (u + draw.randint(1, n - 1)) % n) for u in draw.choices(range(n), k=draw.randint(0, n))]
    conflicts = [tuple(draw.choices(range(len(edges)), k=2)) for _ in range(draw.randint(0, n))]
    return ss.Graph(n, edges, directed=draw.random() < 0.5, edge_conflicts=conflicts or None)


def random_problem(seed: int) -> ss.Problem | None:
    """A tiny problem with 2 to 4 agents under the rules whose turn it is; None if they do not fit."""
    draw = random.Random(seed)
    rules = RULES[seed % len(RULES)]
    space = random_grid(draw) if draw.random() < 0.7 else random_graph(draw)
    places = [space.place(int(vertex)) for vertex in np.flatnonzero(space.open)]
    agents = draw.randint(2, 4)
    if len(places) < agents:
        return None
    goals = draw.choices(places, k=agents) if rules.shared_goals else draw.sample(places, agents)
    return ss.Problem(space, draw.sample(places, agents), goals, rules=rules)


def compare(solver, problem: ss.Problem, best: int | None) -> ss.Status | None:
    """Asks a solver for what the oracle knows; None: it may not be asked, or its nodes are not enough."""
    if not solver.supports(problem):
        with pytest.raises(ss.UnsupportedError, match=r"\w+ \w+"):
            ss.solve(problem, solver)
        return None
    result = ss.solve(problem, solver, time_limit=None, node_limit=2_000 if best is None else 100_000)
    if best is None:
        assert not result
        assert result.status in (ss.Status.INFEASIBLE, ss.Status.TIMEOUT)
        return result.status
    if result.status == ss.Status.TIMEOUT:
        assert result.lower_bound is None or result.lower_bound <= best
        return None
    assert result.status == ss.Status.OPTIMAL
    assert ss.validate(problem, result.plan)
    assert result.plan.cost == best
    assert result.lower_bound == best
    return result.status


def sweep(solver, oracle, seeds) -> Counter:
    outcomes: Counter = Counter()
    for seed in seeds:
        if (problem := random_problem(seed)) is not None:
            outcomes[compare(solver, problem, oracle.cheapest(problem))] += 1
    return outcomes


@pytest.mark.parametrize("solver", VARIANTS)
def test_it_finds_the_cheapest_plan_or_none(solver, oracle):
    outcomes = sweep(solver, oracle, range(1200))
    assert outcomes[ss.Status.OPTIMAL] > 250
    assert outcomes[ss.Status.TIMEOUT] + outcomes[ss.Status.INFEASIBLE] > 60


@pytest.mark.slow
@pytest.mark.parametrize("solver", VARIANTS)
def test_it_finds_the_cheapest_plan_or_none_many_times(solver, oracle):
    assert sweep(solver, oracle, range(10_000, 30_000))[ss.Status.OPTIMAL] > 4000


def test_the_oracle_knows_both_costs(oracle):
    corridor = ss.Grid.from_text("# # . # #\n. . . . .")
    for cost, best in (("sum_of_costs", 7), ("time_off_goal", 6)):
        rules = ss.Rules(cost=cost)
        problem = ss.Problem(corridor, [(1, 0), (1, 2)], [(1, 4), (1, 2)], rules=rules)
        assert oracle.cheapest(problem) == best
    assert oracle.cheapest(ss.Problem.from_text("a . . b\n# # # #\nB # # A")) is None


def test_the_oracle_never_asks_more_than_a_valid_plan_costs(oracle):
    compared = 0
    for seed in range(300):
        problem = random_problem(seed)
        if problem is None or not (result := ss.solve(problem, "hca", node_limit=5000)):
            continue
        best = oracle.cheapest(problem)
        assert best is not None
        assert best <= result.plan.cost
        compared += 1
    assert compared > 100
