"""Every registered solver keeps the contract, and the contract catches solvers that do not."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import ClassVar

import numpy as np
import pytest

import sidestep as ss
from sidestep.model.rules import RULES
from sidestep.solvers import SOLVERS, SolverInfo, Support
from sidestep.testing import (
    CONTRACT,
    SLACK,
    TRIES,
    ContractError,
    check_solver,
    keeps_a_time_limit,
    varied_rules,
)


@pytest.mark.parametrize("check", CONTRACT, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", SOLVERS)
def test_every_registered_solver_keeps_the_contract(name, check):
    check(SOLVERS[name]())


@pytest.mark.parametrize(
    "some",
    [*combinations(RULES, 2), *combinations(RULES[:5], 4)],
    ids=lambda some: "-".join(rule.name for rule in some),
)
def test_the_contract_tries_rules_in_all_their_combinations(some):
    """Of any two rules, and of any four of the first five."""
    tried = {tuple(getattr(rules, rule.name) for rule in some) for rules in varied_rules()}
    assert tried == set(product(*(rule.values for rule in some)))


INFO = SolverInfo("x")


@dataclass(frozen=True)
class Teleporter:
    """Puts everybody on the goal at time 1."""

    name: ClassVar[str] = "teleporter"
    info: ClassVar[SolverInfo] = INFO

    def supports(self, problem):
        return Support()

    def solve(self, problem, *, budget, seed=0):
        plan = ss.Plan(problem, np.stack([problem.starts, problem.goals]))
        return ss.Result(problem, self, seed, ss.Status.SOLVED, plan)


@dataclass(frozen=True)
class Pessimist(Teleporter):
    """Calls everything infeasible."""

    def solve(self, problem, *, budget, seed=0):
        return ss.Result(problem, self, seed, ss.Status.INFEASIBLE, reason="it looks hard")


@dataclass(frozen=True)
class Moody(Teleporter):
    """Solves properly, but with a seed of its own."""

    calls: ClassVar[list[int]] = [0]

    def solve(self, problem, *, budget, seed=0):
        self.calls[0] += 1
        return replace(ss.WHCA().solve(problem, budget=budget, seed=self.calls[0]), solver=self)


@dataclass(frozen=True)
class Sleeper(Teleporter):
    """Ends long after its limit: in each run, or in the first few alone as on a machine that stalls."""

    late: int = 0
    calls: list[int] = field(default_factory=list)

    def solve(self, problem, *, budget, seed=0):
        self.calls.append(1)
        if len(self.calls) <= self.late:
            time.sleep(SLACK + 0.1)
        return ss.Result(problem, self, seed, ss.Status.TIMEOUT, reason="the time limit is reached")


@dataclass
class Thawed:
    """Not frozen."""

    window: int = 3
    name: ClassVar[str] = "thawed"
    info: ClassVar[SolverInfo] = INFO


@pytest.mark.parametrize(
    ("solver", "promises"),
    [
        (Teleporter(), ["solves_one_agent", "plans_are_valid_under_all_rules", "finds_no_plan_where"]),
        (Pessimist(), ["solves_no_agents", "may_step_aside", "keeps_a_time_limit", "keeps_a_node_limit"]),
        (Moody(), ["gives_the_same_answer_again"]),
    ],
    ids=["teleporter", "pessimist", "moody"],
)
def test_the_contract_names_the_broken_promises(solver, promises):
    with pytest.raises(ContractError) as broken:
        check_solver(solver)
    for promise in promises:
        assert promise in str(broken.value)


def test_a_solver_that_is_late_each_time_breaks_its_time_limit_and_one_that_stalls_once_does_not():
    with pytest.raises(AssertionError, match="a time limit is kept"):
        keeps_a_time_limit(Sleeper(late=TRIES))
    keeps_a_time_limit(Sleeper(late=1))


def test_a_solver_that_can_be_changed_breaks_the_contract():
    with pytest.raises(AssertionError, match="cannot be changed"):
        CONTRACT[0](Thawed())  # type: ignore[arg-type]


def test_check_solver_passes_a_good_solver():
    check_solver(ss.HCA(retries=3))
