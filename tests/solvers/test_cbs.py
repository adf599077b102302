"""Conflict-Based Search finds plans of least cost, whatever the rules and whatever its options."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from joint_oracle import TooLargeError, least_cost

import sidestep as ss

ALL_RULES = [
    ss.Rules(following=following, crossing=crossing, at_goal=at_goal, cost=cost)
    for following, crossing, at_goal, cost in product(
        (True, False), (True, False), ("stay", "disappear"), ("sum_of_costs", "time_off_goal")
    )
]
PLAIN = {
    "prioritise": False,
    "bypass": False,
    "heuristic": "none",
    "rectangle": False,
    "corridor": False,
    "target": False,
}
VARIANTS = {
    "default": {},
    "plain": PLAIN,
    **{f"no {name}": {name: False} for name in ("prioritise", "bypass", "rectangle", "corridor", "target")},
    **{f"only {name}": {**PLAIN, name: True} for name in ("bypass", "rectangle", "corridor", "target")},
    **{name: {"heuristic": name} for name in ("none", "cg", "dg")},
    "disjoint": {"disjoint": True},
    "only disjoint": {**PLAIN, "disjoint": True},
}
NODES = 60_000


def rules_name(rules):
    return "-".join(
        [
            "following" if rules.following else "no-following",
            "crossing" if rules.crossing else "no-crossing",
            rules.at_goal,
            rules.cost,
        ]
    )


def tiny_grid(draw, rules):
    height, width = draw.choice([(1, 5), (2, 3), (2, 4), (3, 3), (3, 4)])
    connectivity, corners = draw.choice([(4, "none"), (4, "none"), (8, "none"), (8, "one"), (8, "free")])
    passable = np.array([[draw.random() > 0.2 for _ in range(width)] for _ in range(height)])
    if passable.sum() < 4:
        passable[:] = True
    return ss.Grid(passable, connectivity, corners)


def tiny_graph(draw, rules):
    n = draw.randint(5, 8)
    edges = [(v, draw.randrange(v)) for v in range(1, n)]
    edges += [tuple(draw.sample(range(n), 2)) for _ in range(draw.randint(1, n))]
    conflicts = [tuple(draw.sample(range(len(edges)), 2)) for _ in range(draw.randint(0, 3))]
    directed = draw.random() < 0.4
    if directed:
        edges += [(b, a) for a, b in edges if draw.random() < 0.7]
    return ss.Graph(n, edges, directed=directed, edge_conflicts=conflicts)


def tiny_problem(seed, rules):
    """Two or three agents, sometimes one without a goal, sometimes two with the same."""
    draw = random.Random(seed)
    space = (tiny_grid if draw.random() < 0.75 else tiny_graph)(draw, rules)
    places = np.flatnonzero(space.open).tolist()
    agents = draw.choice([2, 2, 3])
    starts, goals = draw.sample(places, agents), draw.sample(places, agents)
    if draw.random() < 0.2:
        goals[draw.randrange(agents)] = None
    elif rules.at_goal == "disappear" and draw.random() < 0.3:
        goals[0] = goals[1]
        rules = ss.Rules(**{**vars(rules), "shared_goals": True})
    place = space.place
    return ss.Problem(
        space,
        [place(v) for v in starts],
        [None if v is None else place(v) for v in goals],
        rules=rules,
    )


def check_against_oracle(problem, **options):
    """True if the two could be compared."""
    try:
        expected = least_cost(problem, 8_000)
    except TooLargeError:
        return False
    result = ss.solve(problem, "cbs", node_limit=NODES, time_limit=20, **options)
    if expected is None:
        assert result.status in (ss.Status.TIMEOUT, ss.Status.INFEASIBLE)
        assert result.plan is None
        return True
    if result.status is ss.Status.TIMEOUT:
        assert result.lower_bound <= expected
        return False
    assert result.status is ss.Status.OPTIMAL, result
    assert ss.validate(problem, result.plan)
    assert (result.plan.cost, result.lower_bound) == (expected, expected)
    return True


@pytest.mark.parametrize("rules", ALL_RULES, ids=rules_name)
def test_costs_are_those_of_the_joint_search(rules):
    compared = sum(check_against_oracle(tiny_problem(seed, rules)) for seed in range(40))
    assert compared >= 30
