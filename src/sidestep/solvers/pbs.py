"""Priority-Based Search (Ma, Harabor, Stuckey, Li and Koenig 2019): orders are decided where they matter.

Everybody plans alone. Where two paths collide there are two branches: in each, one of the two is superior,
and the other plans around it and around all who are superior to that one. The search is depth-first and takes
the cheaper branch first. Prioritised planning has one order of all agents; here only those are ordered who
were in each other's way. It is neither complete nor optimal.
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
from .group_planning import UNSTORED
from .solver import SolverInfo, path_matrix
from .unit_agents import UnitAgentSolver

NO_ORDER = "no order of the agents that collide leaves everybody a path; there may be a plan nevertheless"


@dataclass(frozen=True)
class PBS(UnitAgentSolver):
    """Priority-Based Search: agents in each other's way are put in an order, the others not."""

    name: ClassVar[str] = "pbs"
    info: ClassVar[SolverInfo] = SolverInfo(paper="ma2019", category="decoupled, prioritised")

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Searches until there is a plan, all orders were tried, or a limit is reached; no seed is needed."""
        answer = _core.pbs(*compiled_problem(problem), budget=budget.core)
        stats = {
            "expanded": answer.expanded,
            "generated": answer.generated,
            "replanned": answer.replanned,
            "duplicates": answer.duplicates,
            "expansions": answer.low_level,
            "orders": answer.orders,
        }
        result = partial(Result, problem, self, seed, lower_bound=answer.lower_bound, stats=stats)
        if answer.outcome is _core.Outcome.found:
            plan = Plan(problem, path_matrix(problem, answer.paths))
            return result(Status.OPTIMAL if plan.cost == answer.lower_bound else Status.SOLVED, plan)
        if answer.outcome is _core.Outcome.out_of_budget:
            return result(Status.TIMEOUT, reason=budget.why() or UNSTORED)
        return result(Status.GAVE_UP, reason=NO_ORDER)
