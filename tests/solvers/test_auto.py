"""Auto picks who plans: optimal where that is cheap, else ever cheaper plans; and says what it has done."""

from __future__ import annotations

from pathlib import Path

import pytest

import sidestep as ss
from sidestep.instances import random_grid, random_problem
from tests.golden import problems

CROWD = random_problem(random_grid(16, 16, 0.15, 3), 40, 1)
FEW = random_problem(random_grid(16, 16, 0.1, 3), 10, 1)


@pytest.fixture(scope="module")
def crowd() -> ss.Result:
    """What is found without any limit."""
    return ss.solve(CROWD, time_limit=None)


def ran(result: ss.Result) -> list[str]:
    return [one["solver"] for one in result.stats["tried"]]


def test_it_is_run_if_nobody_names_a_solver():
    assert ss.solve(FEW).solver == ss.Auto()


def test_few_agents_get_the_plan_that_cbs_proves_optimal():
    result = ss.solve(FEW)
    assert result.status is ss.Status.OPTIMAL
    assert result.plan.cost == ss.solve(FEW, "cbs").plan.cost
    assert result.stats["proved_factor"] == 1


def test_a_crowd_gets_a_cheaper_plan_than_the_first_and_ends_without_any_limit(crowd: ss.Result):
    result = crowd
    first, cbs, lns = result.stats["tried"]
    assert (first["solver"], cbs["status"], lns["solver"]) == ("lacam", "timeout", "lns")
    assert result.plan.cost == lns["cost"] < first["cost"]
    assert result.stats["answered_by"] == "lns"
    assert result.stats["done"] == (
        f"lacam found a plan of cost {first['cost']}, cbs found none, lns made it {lns['cost']}"
    )
    rows = result.stats["cost_over_time"]
    assert (rows[0][2], rows[-1][2]) == (first["cost"], result.plan.cost)
    assert ss.validate(CROWD, result.plan)


def test_the_bound_beside_it_is_more_than_the_distances(crowd: ss.Result):
    distances = ss.solve(CROWD, "sipp").lower_bound
    assert distances < crowd.lower_bound <= crowd.plan.cost
    assert crowd.stats["proved_factor"] == crowd.plan.cost / crowd.lower_bound


def test_it_ends_as_soon_as_the_factor_that_was_asked_for_is_proved():
    loose, tight = (ss.solve(CROWD, "auto", bound=bound, time_limit=None) for bound in (2.0, 1.05))
    assert ran(loose) == ["lacam"]
    assert loose.stats["proved_factor"] <= 2
    assert tight.stats["proved_factor"] <= 1.05
    assert loose.stats["expansions"] < tight.stats["expansions"]


def test_a_crowd_has_a_plan_before_there_is_time_for_guidance():
    problem = random_problem(random_grid(32, 32, 0.1, 3), 300, 1)
    plain = ss.solve(problem, "lacam", guide=0, hindrance=False)
    guided = ss.solve(problem, "lacam")
    nodes = (plain.stats["expansions"] + guided.stats["expansions"]) // 2
    assert ss.solve(problem, "lacam", node_limit=nodes).plan is None
    result = ss.solve(problem, "auto", node_limit=nodes)
    assert ran(result)[:2] == ["lacam", "lacam"]
    assert result.plan.cost == plain.plan.cost
    assert ss.validate(problem, result.plan)


def test_less_gain_that_counts_means_more_work_and_no_dearer_plan():
    quick, slow = (ss.solve(CROWD, "auto", gain=gain, time_limit=None) for gain in (0.2, 0.005))
    assert quick.stats["expansions"] <= slow.stats["expansions"]
    assert slow.plan.cost <= quick.plan.cost


@pytest.mark.parametrize("limits", [{"node_limit": 60_000}, {}], ids=["60,000 nodes", "no limit"])
def test_runs_without_a_time_limit_repeat_themselves(limits: dict[str, int]):
    one, other = (ss.solve(CROWD, time_limit=None, seed=3, **limits) for _ in range(2))
    assert "lns" in ran(one)
    assert one.plan.vertices.tobytes() == other.plan.vertices.tobytes()
    assert (one.lower_bound, one.stats["tried"]) == (other.lower_bound, other.stats["tried"])


def test_who_watches_is_told_of_ever_cheaper_plans_of_auto():
    told: list[ss.Result] = []
    result = ss.solve(CROWD, time_limit=None, on_plan=told.append)
    costs = [one.plan.cost for one in told]
    assert costs == sorted(set(costs), reverse=True)
    assert costs[-1] == result.plan.cost
    assert {one.solver for one in told} == {ss.Auto()}
    assert all(ss.validate(CROWD, one.plan) for one in told)


def test_what_cannot_be_solved_is_proved_so():
    ring = ss.Grid.from_text(". .\n. .")
    swapped = ss.Problem(ring, [(0, 0), (0, 1), (1, 0)], [(0, 1), (0, 0), (1, 0)])
    result = ss.Auto().solve(swapped, budget=ss.Budget())  # `solve` knows without asking a solver
    assert result.status is ss.Status.INFEASIBLE
    assert "every configuration" in result.reason
    assert ran(result) == ["lacam"]


def test_large_and_slow_agents_are_planned_by_hca_and_else_by_whca():
    grid = random_grid(12, 12, 0.0, 1)
    agents = [ss.Agent((0, 0), (9, 9), size=2), ss.Agent((11, 11), (0, 11), period=3)]
    result = ss.solve(ss.Problem.from_agents(grid, agents))
    assert ran(result) == ["hca"]
    assert ss.validate(result.problem, result.plan)
    hard = problems.random_problem(9, 6, 3, bodies=True)
    assert not ss.solve(hard, "hca")
    result = ss.solve(hard)
    assert ran(result) == ["hca", "whca"]
    assert ss.validate(hard, result.plan)


def test_the_first_plan_is_answered_when_the_limit_comes_right_after_it():
    nodes = ss.solve(CROWD, "lacam", time_limit=None).stats["expansions"]
    result = ss.solve(CROWD, time_limit=None, node_limit=nodes + 100)
    assert ss.validate(CROWD, result.plan)
    assert result.status is ss.Status.SOLVED
    assert ss.solve(CROWD, time_limit=None, node_limit=nodes // 2).status is ss.Status.TIMEOUT


def test_why_and_the_player_take_its_results(crowd: ss.Result, tmp_path: Path):
    assert ss.why(crowd, 0, 1).verified
    ss.replay(crowd).save(tmp_path / "crowd.html")
    assert "auto" in (tmp_path / "crowd.html").read_text()
