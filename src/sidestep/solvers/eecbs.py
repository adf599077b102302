"""Explicit Estimation Conflict-Based Search (Li, Ruml and Koenig 2021): plans within a factor of the best.

As in CBS, everybody plans alone, and where two paths collide the plan is split in two. But an agent may take
a dearer path than its cheapest one if it meets fewer others there: within the factor `bound` of what it
costs at least. Of the branches, the one comes next that seems closest to a plan, among those whose estimated
cost is within the factor of the least; only if its cost is not within the factor of what is proved, the bound
is raised instead. What branches turn out to cost is learned as the search goes on.

The low level is in two searches, as in DECBS (2025): first the least cost, then a path within the factor that
weighs steps against collisions.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.agents import IDLE
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result, Status
from ..model.support import Support
from ..model.to_core import compiled_problem
from .cbs import CBS, REASONS, CBSGroups
from .group_planning import UNSTORED
from .parameters import parameter
from .solver import SolverInfo, path_matrix, unit_agents_only
from .unit_agents import UnitAgentSolver

MILLION = 10**6


@dataclass(frozen=True)
class EECBS(UnitAgentSolver):
    """Explicit Estimation CBS: plans within a factor of the best, up to some hundred agents."""

    bound: float = parameter(1.2, least=1, most=100, help="how many times the least cost a plan may cost")
    prioritise: bool = parameter(True, help="cardinal conflicts first")
    bypass: bool = parameter(True, help="take over paths of a child that collide less and cost little enough")
    rectangle: bool = parameter(True, help="one split for two agents that meet all over a rectangle")
    corridor: bool = parameter(True, help="one split for two agents that meet in a corridor")
    target: bool = parameter(True, help="one split for an agent that passes the goal of another")
    weighted: bool = parameter(True, help="raise the bound of a branch by what pairs of agents cost together")

    name: ClassVar[str] = "eecbs"
    info: ClassVar[SolverInfo] = SolverInfo(paper="li2021", category="coupled, bounded", complete=False)

    def supports(self, problem: Problem) -> Support:
        """Not agents without a goal, nor waits on the goal that cost nothing."""
        if np.any(problem.goals == IDLE):
            return Support("every agent must have a goal; cbs and lacam take agents without one")
        if problem.rules.cost == "time_off_goal" and problem.rules.at_goal == "stay":
            return Support("it knows only the cost sum_of_costs; cbs and anytime take time_off_goal")
        return unit_agents_only(self, problem)

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Searches until there is a plan within the factor, or a limit is reached; the seed plays no part."""
        answer = _core.eecbs(
            *compiled_problem(problem),
            millionths=int(self.bound * MILLION),
            options=self._options(),
            budget=budget.core,
        )
        stats = _statistics(answer)
        result = partial(Result, problem, self, seed, lower_bound=answer.lower_bound)
        if answer.outcome is _core.Outcome.found:
            plan = Plan(problem, path_matrix(problem, answer.paths))
            status = Status.OPTIMAL if plan.cost == answer.lower_bound else Status.SOLVED
            proved = plan.cost / answer.lower_bound if plan.cost else 1.0
            return result(status, plan, stats=stats | {"proved_factor": proved})
        if answer.outcome is _core.Outcome.out_of_budget:
            return result(Status.TIMEOUT, reason=budget.why() or UNSTORED, stats=stats)
        return result(Status.INFEASIBLE, reason=CBSGroups.why_none, lower_bound=None, stats=stats)

    def _options(self) -> _core.CbsOptions:
        """What it shares with CBS."""
        return CBS(
            prioritise=self.prioritise,
            bypass=self.bypass,
            heuristic="wdg" if self.weighted else "none",
            rectangle=self.rectangle,
            corridor=self.corridor,
            target=self.target,
        ).options()


def _statistics(answer: _core.EecbsAnswer) -> dict[str, Any]:
    counts = answer.counts
    return {
        "expanded": counts.expanded,
        "generated": counts.generated,
        "bypassed": counts.bypassed,
        "expansions": counts.low_level,
        "from_focal": counts.from_focal,
        "from_open": counts.from_open,
        "from_cleanup": counts.from_cleanup,
        "conflicts": dict(zip(REASONS, counts.conflicts, strict=True)),
    }
