"""Conflict-Based Search finds plans of least cost, whatever the rules and whatever its options."""

from __future__ import annotations

import os
import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import sidestep as ss
from sidestep import io
from sidestep.budget import Budget
from sidestep.instances import random_grid, random_problem, room_grid
from sidestep.solvers.cbs import REASONS

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
DATA = Path(os.environ.get("SIDESTEP_DATA") or "/nonexistent") / "movingai"


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


def check_against_oracle(oracle, problem, **options):
    """True if the search ended with a plan or with the proof that there is none."""
    expected = oracle.cheapest(problem)
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
def test_costs_are_those_of_the_joint_search(rules, oracle):
    compared = sum(check_against_oracle(oracle, tiny_problem(seed, rules)) for seed in range(40))
    assert compared >= 30


@pytest.mark.parametrize("name", VARIANTS)
def test_every_option_gives_the_costs_of_the_joint_search(name, oracle):
    compared = 0
    for seed, rules in enumerate(ALL_RULES, start=500):
        compared += check_against_oracle(oracle, tiny_problem(seed, rules), **VARIANTS[name])
    assert compared >= len(ALL_RULES) * 3 // 4


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("rules", ALL_RULES, ids=rules_name)
def test_costs_are_those_of_the_joint_search_on_many_problems(rules, name, oracle):
    for seed in range(1000, 1040):
        check_against_oracle(oracle, tiny_problem(seed, rules), **VARIANTS[name])


def crowded(kind, seed, rules=ss.Rules()):
    """Problems that are too large for the joint search, made for one kind of symmetry each."""
    if kind == "open":
        return random_problem(random_grid(8, 8, 0.05, seed), 7, seed, rules=rules)
    if kind == "rooms":
        return random_problem(room_grid(9, 9, 4, seed), 5, seed, rules=rules)
    if kind == "diagonals":
        grid = random_grid(7, 7, 0.2, seed, connectivity=8, corners="one")
        return random_problem(grid, 6, seed, rules=rules)
    return random_problem(random_grid(10, 10, 0.35, seed), 6, seed, rules=rules)


KINDS = ["open", "rooms", "diagonals", "narrow"]


@pytest.mark.parametrize("kind", KINDS)
def test_all_options_agree_on_larger_problems(kind):
    for seed in range(6):
        check_that_options_agree(crowded(kind, seed))


@pytest.mark.slow
@pytest.mark.parametrize("rules", ALL_RULES, ids=rules_name)
@pytest.mark.parametrize("kind", KINDS)
def test_all_options_agree_on_many_larger_problems(kind, rules):
    for seed in range(100, 110):
        check_that_options_agree(crowded(kind, seed, rules))


def check_that_options_agree(problem):
    results = {name: solved(problem, **options) for name, options in VARIANTS.items()}
    costs = {name: result.plan.cost for name, result in results.items() if result}
    assert len(set(costs.values())) <= 1, costs
    bounds = {name: result.lower_bound for name, result in results.items()}
    assert not costs or max(bounds.values()) <= min(costs.values()), (costs, bounds)


def solved(problem, **options):
    result = ss.solve(problem, "cbs", node_limit=NODES, time_limit=20, **options)
    if result:
        assert result.status is ss.Status.OPTIMAL
        assert ss.validate(problem, result.plan)
        assert result.lower_bound == result.plan.cost
    return result


# What single cases show


def test_an_agent_steps_off_its_goal_where_that_is_cheaper():
    corridor = ss.Grid.from_text("# # . # # #\n. . . . . .")
    places = {"starts": [(1, 0), (1, 2)], "goals": [(1, 5), (1, 2)]}
    by_steps = solved(ss.Problem(corridor, **places, rules=ss.Rules(cost="time_off_goal")))
    assert by_steps.plan.costs.tolist() == [5, 2]
    by_arrival = solved(ss.Problem(corridor, **places))
    assert by_arrival.plan.cost == 8  # stepping aside at once, and back in behind the other
    assert by_arrival.plan.costs[0] == 5


def test_a_swap_in_a_dead_end_is_solved(oracle):
    dead_end = ss.Grid.from_text(". . # # #\n. . . . .\n. . # # #")
    problem = ss.Problem(dead_end, [(1, 3), (1, 4)], [(1, 4), (1, 3)])
    assert solved_within(problem, 20).plan.cost == oracle.cheapest(problem)


def test_an_agent_without_a_goal_makes_room_at_no_cost():
    problem = ss.Problem(ss.Grid.from_text(". . . .\n# # . #"), [(0, 0), (0, 2)], [(0, 3), None])
    assert solved(problem).plan.costs.tolist() == [3, 0]


def test_two_agents_share_a_goal_where_they_disappear():
    rules = ss.Rules(at_goal="disappear", shared_goals=True)
    problem = ss.Problem(ss.Grid.from_text(". . ."), [(0, 0), (0, 2)], [(0, 1), (0, 1)], rules=rules)
    assert sorted(solved(problem).plan.costs.tolist()) == [1, 2]


@pytest.mark.parametrize(
    ("drawing", "reason"),
    [
        ("a . b . . A\n# # B # # #", "target"),
        ("a . . . . . B\n. # # # # # .\nb . . . . . A", "corridor"),
        (". b . .\na . . .\n. . . A\n. . B .", "rectangle"),
    ],
    ids=["target", "corridor", "rectangle"],
)
def test_a_symmetry_is_recognised(drawing, reason, oracle):
    problem = ss.Problem.from_text(drawing)
    options = {"heuristic": "none", "bypass": False}
    result = solved(problem, **options)
    without = solved(problem, **options, **{reason: False})
    assert result.plan.cost == without.plan.cost == oracle.cheapest(problem)
    assert without.stats["conflicts"][reason] == 0


def test_what_is_counted():
    result = ss.solve(random_problem(random_grid(16, 16, 0.2, 3), 20, 3), "cbs")
    stats = result.stats
    assert list(stats["conflicts"]) == list(REASONS)
    assert stats["expanded"] >= sum(stats["conflicts"].values())
    assert stats["generated"] >= stats["expanded"]
    assert stats["expansions"] > 0


def test_the_heuristics_save_nodes():
    problems = [random_problem(random_grid(16, 16, 0.2, seed), 18, seed) for seed in range(8)]

    def expanded(heuristic):
        runs = [ss.solve(p, "cbs", heuristic=heuristic, node_limit=500_000) for p in problems]
        return sum(run.stats["expanded"] for run in runs)

    assert expanded("wdg") <= expanded("cg") <= expanded("none")


def test_an_interrupted_search_claims_nothing_but_a_bound():
    problem = random_problem(random_grid(32, 32, 0.2, 1), 120, 1)
    result = ss.solve(problem, "cbs", node_limit=20_000)
    assert result.status is ss.Status.TIMEOUT
    assert "20000 nodes" in result.reason
    alone = sum(
        ss.solve(ss.Problem(problem.space, [a.start], [a.goal]), "hca").plan.cost for a in problem.agents
    )
    assert result.lower_bound >= alone


@pytest.mark.parametrize("memory", [0, 200_000])
def test_a_memory_limit_is_kept(memory):
    problem = random_problem(random_grid(32, 32, 0.2, 1), 60, 1)
    result = ss.CBS().solve(problem, budget=Budget(20, memory=memory))
    assert result.status is ss.Status.TIMEOUT
    assert "memory" in result.reason


def test_a_goal_that_is_cut_off_is_infeasible_even_without_the_front_door():
    result = ss.CBS().solve(ss.Problem.from_text("a . # A"), budget=Budget(1.0, 10_000))
    assert result.status is ss.Status.INFEASIBLE


@pytest.mark.parametrize("options", [{"heuristic": "best"}, {"bypass": 1}, {"target": None}])
def test_wrong_parameters_are_refused_with_a_sentence(options):
    with pytest.raises(ss.InputError, match=next(iter(options))):
        ss.CBS(**options)


def test_the_benchmark_of_the_literature():
    if not DATA.is_dir():
        pytest.skip("the MovingAI files are not here: SIDESTEP_DATA does not name their folder")
    grid = io.read_map(DATA / "map/random-32-32-20.map")
    for scenario in sorted(DATA.glob("scen/random-32-32-20-*.scen")):
        solved_within(io.read_scen(scenario, grid, agents=40), 10)


def solved_within(problem, seconds):
    result = ss.solve(problem, "cbs", time_limit=seconds)
    assert result.status is ss.Status.OPTIMAL
    assert ss.validate(problem, result.plan)
    return result
