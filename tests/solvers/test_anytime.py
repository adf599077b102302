"""Anytime independence detection: valid plans that only get better, and in the end the optimal one."""

from __future__ import annotations

import pytest

import sidestep as ss
from sidestep.budget import Budget
from sidestep.instances import random_grid, random_problem
from sidestep.solvers import anytime
from sidestep.solvers.ca import HCA
from sidestep.solvers.cooperative import cooperating_agents


def crowd(agents, seed, cost="sum_of_costs"):
    grid = random_grid(24, 24, 0.2, seed, connectivity=8, corners="free")
    return random_problem(grid, agents, seed, rules=ss.Rules(cost=cost))


def watched(problem, **options):
    seen = []
    result = ss.solve(problem, "anytime", on_plan=seen.append, **options)
    for one in seen:
        assert ss.validate(problem, one.plan)
        assert one.lower_bound <= one.plan.cost
        assert one.stats["seconds"] >= 0
    costs = [one.plan.cost for one in seen]
    assert costs == sorted(costs, reverse=True)
    bounds = [one.lower_bound for one in seen]
    assert bounds == sorted(bounds)
    return result, seen


@pytest.mark.parametrize("cost", ["sum_of_costs", "time_off_goal"])
@pytest.mark.parametrize("seed", range(5))
def test_the_cost_falls_until_it_is_optimal(seed, cost):
    problem = crowd(18, seed, cost)
    result, seen = watched(problem, time_limit=30)
    assert result.status is ss.Status.OPTIMAL
    assert result.plan.cost == result.lower_bound == ss.solve(problem, "cbs", time_limit=30).plan.cost
    assert seen[-1].plan == result.plan
    assert [one.status for one in seen] == [ss.Status.SOLVED] * (len(seen) - 1) + [ss.Status.OPTIMAL]


def test_a_run_that_is_cut_short_keeps_its_best_plan():
    problem = random_problem(random_grid(24, 24, 0.2, 1), 60, 1)
    result, seen = watched(problem, node_limit=40_000)
    assert result.status is ss.Status.SOLVED
    assert "40000 nodes" in result.reason
    assert result.plan == seen[-1].plan
    assert seen[0].plan.cost > result.plan.cost > result.lower_bound
    assert result.lower_bound >= seen[-1].lower_bound


def test_without_the_time_for_a_first_plan_there_is_a_bound():
    """At least what all agents would cost alone."""
    problem = crowd(18, 1)
    result, seen = watched(problem, node_limit=5)
    assert result.status is ss.Status.TIMEOUT
    assert not seen
    alone = cooperating_agents(problem).distances(Budget().core)
    assert result.lower_bound >= alone.sum() > 0


def no_hca(monkeypatch):
    monkeypatch.setattr(
        HCA, "solve", lambda self, problem, **_: ss.Result(problem, self, 0, ss.Status.GAVE_UP, reason="no")
    )


def test_where_hca_finds_nothing_lacam_has_a_plan(monkeypatch):
    no_hca(monkeypatch)
    problem = crowd(18, 1)
    result, seen = watched(problem, time_limit=30)
    assert result.status is ss.Status.OPTIMAL
    sooner, cheaper = (ss.solve(problem, "lacam", **options).plan for options in ({"guide": 0}, {}))
    assert [better.plan for better in seen[:2]] == [sooner, cheaper]


def test_of_the_plans_of_lacam_and_hca_the_cheaper_one_is_improved(monkeypatch):
    """One order of HCA* fails; LaCAM's plan is cheaper than those of other orders if it is guided."""
    solve = HCA.solve

    def only_with_retries(self, problem, **options):
        if self.retries == 0:
            return ss.Result(problem, self, 0, ss.Status.GAVE_UP, reason="no")
        return solve(self, problem, **options)

    monkeypatch.setattr(HCA, "solve", only_with_retries)
    problem = random_problem(random_grid(32, 32, 0.2, 3, connectivity=8, corners="free"), 100, 3)
    of_hca = ss.solve(problem, ss.HCA(order="random")).plan
    _, seen = watched(problem, node_limit=200_000)
    assert seen[1].plan == ss.solve(problem, "lacam").plan
    assert all(better.plan != of_hca for better in seen)
    unguided = ss.LaCAM(guide=0)
    monkeypatch.setattr(anytime, "LaCAM", lambda **_: unguided)
    _, seen = watched(problem, node_limit=200_000)
    assert [better.plan for better in seen[:2]] == [ss.solve(problem, unguided).plan, of_hca]


def test_where_neither_finds_a_plan_agents_join_those_in_their_way(monkeypatch):
    no_hca(monkeypatch)
    monkeypatch.setattr(anytime, "STEPS_OF_LACAM", 0)
    alcove = ss.Grid.from_text("# . # # # #\n. . . . . .")
    problem = ss.Problem(alcove, [(1, 0), (1, 5)], [(1, 5), (1, 0)])
    result, _ = watched(problem)
    assert result.status is ss.Status.OPTIMAL
    assert result.stats["merges"] == 1
    assert result.plan.cost == ss.solve(problem, "od").plan.cost


def test_the_impossible_is_proved():
    bay = ss.Grid.from_text(". . . . .\n. . # # #")  # three in a blind alley, in the wrong order
    problem = ss.Problem(bay, [(0, 4), (0, 3), (1, 0), (0, 0)], [(0, 3), (0, 4), (0, 0), None])
    expected = ss.solve(problem, "od").status
    assert ss.solve(problem, "anytime").status is expected


def test_a_callback_that_cannot_be_called_is_refused():
    with pytest.raises(ss.InputError, match="on_plan must be a callable, not 3"):
        ss.solve(crowd(2, 1), "anytime", on_plan=3)
