"""An online solver run offline: a loop over a world until everybody has arrived."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..budget import Budget
from ..plan import Plan
from ..problem import Problem
from ..result import Result, Status
from .world import World

if TYPE_CHECKING:
    from ..solvers.solver import OnlineSolver


def run_to_the_end(
    solver: OnlineSolver, problem: Problem, *, budget: Budget, seed: int, max_turns: int | None
) -> Result:
    """Steps a world until all agents are on their goals at once, or the turns or the budget run out."""
    world = World(problem, solver, seed=seed)
    limit = default_turns(problem) if max_turns is None else max_turns
    while not world.done and world.time < limit and not budget.exhausted:
        budget.message = f"turn {world.time}"
        world.step(budget)
    stats = {"turns": world.time, "expansions": budget.nodes}
    if world.done:
        plan = Plan(problem, world.trace.positions)
        return Result(problem, solver, seed, Status.SOLVED, plan, stats=stats)
    if budget.exhausted:
        return Result(problem, solver, seed, Status.TIMEOUT, reason=budget.why(), stats=stats)
    reason = f"after {world.time} turns {_who_is_left(world)} not on the goal"
    return Result(problem, solver, seed, Status.GAVE_UP, reason=reason, stats=stats)


def default_turns(problem: Problem) -> int:
    """Turns after which nobody waits for the rest any more: generous for any way without detours."""
    return 200 + 4 * int(np.sqrt(problem.space.n)) + 2 * problem.n_agents


def _who_is_left(world: World) -> str:
    off_goal = (world.positions != world.goals) & (world.positions != -1) & (world.goals != -1)
    names = [world.names[agent] for agent in np.flatnonzero(off_goal).tolist()]
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return f"agent{'s' if len(names) > 1 else ''} {shown} {'are' if len(names) > 1 else 'is'}"
