"""Lower bounds: never above the cheapest plan, made of facts that others find, too, and growing with time."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import sidestep as ss
from conftest import Sweep
from sidestep.instances import random_grid, random_problem, room_grid
from tests.sizing import some_of

from .bound_check import check_bound, costs_less
from .oracle import Oracle
from .test_optimal import any_rules, crowd, tiny_problem

CHUNKS = 4


def check_tiny(oracle: Oracle, rng: np.random.Generator) -> None:
    """Bound, groups and passages of one problem against the oracle, with few nodes or with many."""
    problem = tiny_problem(rng)
    cheapest = oracle.cheapest(problem)
    bound = ss.lower_bound(problem, node_limit=int(rng.choice([0, 5, 50, 100_000])))
    if cheapest is None:
        return
    said = (problem.space, problem.agents, problem.rules, bound)
    assert bound.value <= cheapest, said
    for group in bound.groups:
        part = ss.Problem.from_agents(
            problem.space, [problem.agents[agent] for agent in group.agents], rules=problem.rules
        )
        alone = oracle.cheapest(part)
        assert alone is None or group.cost <= alone, said


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_a_bound_is_at_most_what_the_oracle_says(chunk: int, oracle: Oracle, sweep: Sweep) -> None:
    rng = np.random.default_rng(chunk)
    for _ in sweep(0.7, 100):
        check_tiny(oracle, rng)


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(10))
def test_a_bound_is_at_most_what_the_oracle_says_of_many_more(chunk: int, oracle: Oracle) -> None:
    rng = np.random.default_rng(100 + chunk)
    for _ in range(2000):
        check_tiny(oracle, rng)


@pytest.mark.parametrize("seed", some_of(range(4)))
def test_every_fact_is_found_again_by_other_code(seed: int) -> None:
    grid = random_grid(12, 12, 0.25, seed) if seed % 2 else room_grid(12, 12, 4, seed)
    problem = random_problem(grid, 10, seed)
    bound = ss.lower_bound(problem, node_limit=20_000)
    check_bound(problem, bound, largest=3)


def test_crowds_have_groups_to_check() -> None:
    """So that the test above cannot pass by checking nothing."""
    problem = random_problem(random_grid(12, 12, 0.25, 1), 10, 1)
    assert check_bound(problem, ss.lower_bound(problem), largest=3) > 0


def test_the_second_opinion_refuses_a_wrong_group() -> None:
    """Two that meet head on cost one more, not two."""
    problem = ss.Problem.from_text("a . . B\n. . . .\nb . . A")
    assert not costs_less(problem, (0, 1), 10)
    assert costs_less(problem, (0, 1), 20)


@pytest.mark.parametrize("seed", range(3))
def test_a_bound_is_at_most_what_an_optimal_solver_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(5):
        problem = random_problem(
            random_grid(14, 14, 0.2, seed), 12, int(rng.integers(99)), rules=any_rules(rng)
        )
        result = ss.solve(problem, "cbs", node_limit=30_000)
        bound = ss.lower_bound(problem, node_limit=30_000)
        if result.plan is not None:
            assert bound.value <= result.plan.cost
        assert bound.value >= bound.alone.sum()


def test_a_bound_never_falls_as_the_limit_rises() -> None:
    problem = crowd(3, 20, "sum_of_costs", 4)
    values = [
        ss.lower_bound(problem, node_limit=nodes).value for nodes in (0, 10, 100, 1000, 10_000, 100_000)
    ]
    assert values == sorted(values)
    assert values[-1] > values[0]


def test_pairs_and_groups_raise_the_bound_above_the_distances() -> None:
    problem = ss.Problem.from_text("a . . . B\n# # . # #\nb . . . A")
    bound = ss.lower_bound(problem)
    result = ss.solve(problem, "cbs")
    assert result.plan is not None
    assert bound.alone.sum() == 12
    assert bound.value == result.plan.cost
    assert [group.agents for group in bound.groups] == [(0, 1)]
    assert bound.complete
    assert bound.shown_by == "distances and 1 group of up to 2 agents"


def test_who_must_be_passed_arrives_later() -> None:
    """`a` is one step from its goal, in the only way of `b`, which takes three to get there."""
    problem = ss.Problem.from_text("b . . A B\n# # # a #")
    bound = ss.lower_bound(problem, enough=9)
    assert [(passage.agent, passage.other, passage.cost) for passage in bound.passages] == [(0, 1, 4)]
    assert bound.alone.tolist() == [4, 4]


@pytest.mark.parametrize("rules", [{"at_goal": "disappear"}, {"cost": "time_off_goal"}])
def test_where_a_goal_can_be_left_nobody_must_wait_for_others_to_pass(rules: dict[str, str]) -> None:
    problem = ss.Problem.from_text("b . . A B\n# # # a #", rules=ss.Rules(**rules))  # type: ignore[arg-type]
    assert ss.lower_bound(problem).passages == ()


def test_enough_ends_the_work() -> None:
    problem = crowd(3, 20, "sum_of_costs", 4)
    least = int(ss.lower_bound(problem, node_limit=0).value)
    bound = ss.lower_bound(problem, enough=least + 1)
    assert bound.value >= least + 1
    assert not bound.complete


def test_the_same_nodes_give_the_same_bound() -> None:
    problem = crowd(5, 25, "sum_of_costs", 4)
    first, second = (ss.lower_bound(problem, node_limit=3000) for _ in range(2))
    assert (first.value, first.groups, first.passages) == (second.value, second.groups, second.passages)


def test_a_stop_leaves_what_was_shown() -> None:
    stop = threading.Event()
    stop.set()
    problem = random_problem(random_grid(64, 64, 0.1, 1), 800, 1)  # more than 10 s of work
    bound = ss.lower_bound(problem, stop=stop)
    assert not bound.complete
    assert bound.value >= 0


def test_a_factor_for_a_plan_from_anywhere() -> None:
    problem = crowd(3, 20, "sum_of_costs", 4)
    bound = ss.lower_bound(problem)
    plan = ss.solve(problem, "whca").plan
    assert plan is not None
    assert bound.factor(plan) == plan.cost / bound.value
    best = ss.solve(problem, "cbs", time_limit=None, node_limit=200_000).plan
    if best is not None:
        assert plan.cost / best.cost <= bound.factor(plan)


def test_a_plan_of_another_problem_has_no_factor() -> None:
    bound = ss.lower_bound(ss.Problem.from_text("a . A"))
    other = ss.solve(ss.Problem.from_text("a . A\nb . B")).plan
    assert other is not None
    with pytest.raises(ss.InputError, match="another problem"):
        bound.factor(other)


def test_of_large_agents_only_distances_count() -> None:
    grid = ss.Grid(np.ones((6, 6), dtype=bool))
    agents = [ss.Agent((0, 0), (0, 4), size=2), ss.Agent((4, 0), (4, 4), size=2)]
    bound = ss.lower_bound(ss.Problem.from_agents(grid, agents))
    assert bound.value == 8
    assert bound.shown_by == "distances"


def test_bad_arguments_are_said() -> None:
    problem = ss.Problem.from_text("a . A")
    with pytest.raises(ss.InputError, match="must be a Problem"):
        ss.lower_bound("a . A")  # type: ignore[arg-type]
    with pytest.raises(ss.InputError, match="enough is a cost"):
        ss.lower_bound(problem, enough=1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [1, 2])
def test_a_bound_that_a_limit_has_ended_is_not_complete(size: int) -> None:
    problem = ss.Problem.from_agents(
        ss.Grid(np.ones((400, 400), dtype=bool)), [ss.Agent((0, 0), (390, 390), size=size)]
    )
    assert not ss.lower_bound(problem, time_limit=0.0).complete
    bound = ss.lower_bound(problem)
    assert bound.complete
    assert bound.value == 780


# bound=: a search that ends when it is proved


@pytest.mark.parametrize("name", ["anytime", "lacam"])
@pytest.mark.parametrize("factor", [1.0, 1.05, 1.5])
def test_a_bounded_search_proves_what_it_says(name: str, factor: float) -> None:
    for seed in range(3):
        problem = random_problem(random_grid(12, 12, 0.2, seed), 8, seed)
        result = ss.solve(problem, name, bound=factor, node_limit=300_000, time_limit=None)
        assert result.plan is not None
        assert ss.validate(problem, result.plan)
        assert result.lower_bound is not None
        best = ss.solve(problem, "cbs").plan
        assert best is not None
        assert result.lower_bound <= best.cost <= result.plan.cost
        assert result.stats["proved_factor"] == max(1.0, result.plan.cost / result.lower_bound)
        if result.stats["expansions"] < 100_000:
            assert result.plan.cost <= factor * result.lower_bound + 1e-9


@pytest.mark.parametrize("name", ["anytime", "lacam"])
def test_a_bound_that_distances_prove_ends_with_the_first_plan(name: str) -> None:
    problem = random_problem(random_grid(20, 20, 0.1, 2), 10, 2)
    first: list[ss.Result] = []
    result = ss.solve(problem, name, bound=5.0, on_plan=first.append)
    assert result.plan is not None
    assert len(first) == 1
    assert result.stats["bound_shown_by"] == "distances"


@pytest.mark.parametrize("name", ["anytime", "lacam", "eecbs"])
def test_a_factor_below_one_is_refused(name: str) -> None:
    with pytest.raises(ss.InputError, match="bound must be"):
        ss.solve(ss.Problem.from_text("a . A"), name, bound=0.9)
