"""Cooperative A* and Hierarchical Cooperative A* (Silver 2005).

Agents plan one after another, each the cheapest way through space and time that avoids what those
before it have reserved. CA* guides the search by geometry (Manhattan or Chebyshev distance); HCA* by
exact distances in the map without agents, found on demand by Reverse Resumable A*. That is the only
difference between the two, so they share this file.

Where we go beyond the paper: a goal stays reserved from arrival on, so that the plan is valid to the
end; those with the longest way plan first; and when an agent finds no way, it is moved to the front of its
priority class and all plan again.
As printed there is a single order, and agents stop cooperating when they arrive, so that others reroute: a
loop over turns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from .. import _core
from ..budget import Budget
from ..model.agents import IDLE
from ..model.problem import Problem
from ..model.result import Result, Status
from ..model.support import Support
from .cooperative import CooperativeSession, cooperating_agents
from .offline import run_to_the_end
from .orders import OrderName, first_order
from .parameters import check_parameters, improvement, parameter
from .printed import PrintedForm
from .solver import SolverInfo, plan_within, planning_order


@dataclass(frozen=True)
class CA:
    """Cooperative A*: plans in turn around reservations, guided by geometry."""

    retries: int = parameter(
        20,
        least=0,
        most=10**6,
        help="how many further orders are tried after one has failed, where goals are held",
        printed=0,
        why="one order fails often; in the next, who failed plans first",
    )
    hold_goals: bool = improvement(
        help="a goal is reserved from arrival on; `False`: agents stop cooperating when they arrive, those "
        "whose way they block reroute, and `solve` is a loop over turns",
        why="nobody has to reroute, and what was planned is what happens",
    )

    order: OrderName = parameter(
        "longest",
        help="in which agents of one priority plan at first, where goals are held: in that of their numbers, "
        "those with the shortest or the longest way first, as the seed draws it, or those first whom others "
        "may block",
    )

    name: ClassVar[str] = "ca"
    info: ClassVar[SolverInfo] = SolverInfo(
        paper="silver2005", category="decoupled, prioritised", needs_priorities=True, online=True
    )
    exact: ClassVar[bool] = False

    def __post_init__(self) -> None:
        check_parameters(self)

    as_printed = PrintedForm()

    def supports(self, problem: Problem) -> Support:
        """Everything, agents of any size and speed included."""
        return Support()

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Plans all agents in one order after another until every one has a path; or turn by turn."""
        if not self.hold_goals:
            return run_to_the_end(self, problem, budget=budget, seed=seed, max_turns=None)
        agents = cooperating_agents(problem, exact=self.exact)
        order = first_order(problem, self.order, agents, seed=seed, budget=budget)
        tried: set[tuple[int, ...]] = set()
        while (failed := plan_in_order(agents, order, problem, budget)) is not None:
            tried.add(tuple(order))
            move_forward(order, failed, problem)
            if tuple(order) in tried:  # they only take turns in failing: draw another order
                order = planning_order(problem, seed + len(tried))
            if budget.exhausted or len(tried) > self.retries or tuple(order) in tried:
                break
            agents.clear()
        orders = len(tried) + (failed is None)
        stats = {"orders": orders, "expansions": budget.nodes}
        plan = None
        if failed is None:
            plan = plan_within(budget, problem, [agents.path(agent) for agent in range(problem.n_agents)])
        if plan is not None:
            ways = agents.distances(budget.core)  # fewer than agents if the budget ends just here
            bound = int(ways.sum()) if len(ways) == problem.n_agents else None
            return Result(problem, self, seed, Status.SOLVED, plan, lower_bound=bound, stats=stats)
        if failed is None or budget.exhausted:
            return Result(problem, self, seed, Status.TIMEOUT, reason=budget.why(), stats=stats)
        name = problem.names[failed]
        reason = f"agent {name} found no way around those before it (orders tried: {orders})"
        return Result(problem, self, seed, Status.GAVE_UP, reason=reason, stats=stats)

    def session(self, problem: Problem, *, seed: int = 0) -> CooperativeSession:
        """Plans once and follows; replans when the way is blocked or the world has changed.

        With `hold_goals=False` agents stop cooperating when they arrive, as in the paper: the others
        learn of them only then.
        """
        agents = cooperating_agents(problem, exact=self.exact, hold_goals=self.hold_goals)
        return CooperativeSession(self, agents)


@dataclass(frozen=True)
class HCA(CA):
    """Hierarchical Cooperative A*: CA* guided by exact distances (RRA*)."""

    name: ClassVar[str] = "hca"
    exact: ClassVar[bool] = True


def plan_in_order(
    agents: _core.Cooperation, order: list[int], problem: Problem, budget: Budget
) -> int | None:
    """Plans and reserves one agent after another; returns the first that found no path to its goal."""
    for agent in order:
        if agents.plan(agent, budget.core) is not _core.Outcome.found:
            return agent
        goal = problem.goals[agent]
        if goal not in (IDLE, agents.path(agent)[-1]):  # cut off from its goal, it only makes room
            return agent
    return None


def move_forward(order: list[int], agent: int, problem: Problem) -> None:
    """Puts an agent in front of all others of its priority."""
    order.remove(agent)
    rank = problem.priorities[agent]
    place = next((k for k, other in enumerate(order) if problem.priorities[other] <= rank), len(order))
    order.insert(place, agent)
