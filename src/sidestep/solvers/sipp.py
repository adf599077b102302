"""Prioritised planning over safe intervals, SIPP (Phillips and Likhachev 2011).

Agents plan one after another, those with a long way first, each around all that have planned before. A search
over safe intervals, the times in which nobody is in a place, has no nodes for waits, so it is quick where
others move much. If an agent finds no way, all begins anew with that agent first: quick, and it often
succeeds, but where no order does, or none is found, there is no plan.

With `robust=k` the plan holds even if agents are late by up to k steps: nobody enters a place within k steps
of another.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from .. import _core
from ..budget import Budget
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result, Status
from ..model.to_core import compiled_problem
from .parameters import count, parameter
from .solver import SolverInfo
from .unit_agents import UnitAgentSolver

MOST_ROBUST = 32
NO_WAY = "an agent cannot reach its goal"


def robustness() -> int:
    """The parameter `robust` of solvers that can plan with a margin."""
    return parameter(
        0, least=0, most=MOST_ROBUST, help="by how many steps agents may be late without a collision"
    )


@dataclass(frozen=True)
class SIPP(UnitAgentSolver):
    """SIPP: one agent after another, over the times in which places are free, with restarts."""

    restarts: int = count(100, "how often all begins anew with the agent first that found no way")
    robust: int = robustness()

    name: ClassVar[str] = "sipp"
    info: ClassVar[SolverInfo] = SolverInfo(paper="phillips2011", category="decoupled, prioritised")

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Plans agent by agent, and begins anew until all have a path or the restarts are used up."""
        search = _core.Lns(
            *compiled_problem(problem),
            margin=self.robust,
            lanes=1,
            threads=1,
            temperature=0,
            patience=0,
            seconds=0.0,
            seed=seed % 2**64,
        )
        answer = partial(Result, problem, self, seed)
        if not search.prepare(budget.core):
            return answer(Status.TIMEOUT, reason=budget.why(), stats={"expansions": budget.nodes})
        if not search.is_possible:
            return answer(Status.INFEASIBLE, reason=NO_WAY, stats={"expansions": budget.nodes})
        outcome = search.plan_all(self.restarts, budget.core)
        stats = {"expansions": budget.nodes, "attempts": search.attempts, "bytes": search.bytes}
        if outcome is _core.Outcome.found:
            plan = Plan(problem, search.plan)
            status = Status.OPTIMAL if plan.cost == search.lower_bound else Status.SOLVED
            return answer(status, plan, lower_bound=search.lower_bound, stats=stats)
        if outcome is _core.Outcome.out_of_budget:
            return answer(Status.TIMEOUT, reason=budget.why(), stats=stats)
        name = problem.names[search.failed]
        reason = f"agent {name} found no way around the others in any of {search.attempts} orders"
        return answer(Status.GAVE_UP, reason=reason, stats=stats)
