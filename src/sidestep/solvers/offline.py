"""An online solver run offline: a loop over a world until everybody has arrived."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from ..budget import Budget
from ..model.arrays import IntArray
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result, Status
from ..world.session import MeasuringSession, repeats
from ..world.world import World
from .parameters import count
from .solver import OnlineSolver
from .unit_agents import UnitAgentSolver

LEAST_TURNS, TURNS_PER_STEP = 50, 3


def run_to_the_end(
    solver: OnlineSolver,
    problem: Problem,
    *,
    budget: Budget,
    seed: int,
    max_turns: int | None,
    session: MeasuringSession | None = None,
) -> Result:
    """Steps a world until all agents are on their goals at once, or the turns or the budget run out.

    `session` is a fresh one, for a solver that wants to look at it afterwards.
    """
    if session is None:
        session = solver.session(problem, seed=seed)  # type: ignore[assignment]
    assert session is not None
    world = World(problem, session, stuck_after=None)
    ways = session.distances(budget)
    limit = turn_limit(ways) if max_turns is None else max_turns
    while not world.done and world.time < limit and not budget.exhausted and not repeats(session):
        budget.say(f"turn {world.time}")
        world.step(budget)
        budget.keeps(problem.starts.nbytes)  # the world remembers where everybody was
        if world.planner_error is not None:  # nobody watches this world: do not hide a broken solver
            raise world.planner_error
    stats = {"turns": world.time, "expansions": budget.nodes}
    if world.done:
        trace = world.trace
        plan = Plan(problem, trace.positions, facings=trace.facings_by_time())
        return Result(problem, solver, seed, Status.SOLVED, plan, lower_bound=int(ways.sum()), stats=stats)
    if budget.exhausted:
        return Result(problem, solver, seed, Status.TIMEOUT, reason=budget.why(), stats=stats)
    why = ", and everything repeats itself" if repeats(session) else ""
    reason = f"after {world.time} turns {_who_is_left(world)} not on the goal{why}"
    return Result(problem, solver, seed, Status.GAVE_UP, reason=reason, stats=stats)


class TurnByTurn(UnitAgentSolver, ABC):
    """What online ones among these have in common: `max_turns`, a parameter, bounds the turns of `solve`."""

    max_turns: int | None

    @abstractmethod
    def session(self, problem: Problem, *, seed: int = 0) -> MeasuringSession:
        """Planning turn by turn."""

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Runs a world until all agents are on their goals at once."""
        return run_to_the_end(self, problem, budget=budget, seed=seed, max_turns=self.max_turns)


def turns_of_solve() -> int | None:
    """Declares the parameter `max_turns`, which these solvers have in common.

    Returns:
        The field.
    """
    return count(
        None,
        f"turns before `solve` gives up; `None` is {LEAST_TURNS} + {TURNS_PER_STEP} times the longest "
        "distance to a goal",
    )


def turn_limit(ways: IntArray) -> int:
    """When to stop waiting for the last agents: runs that end at all end well before this."""
    return LEAST_TURNS + TURNS_PER_STEP * int(ways.max(initial=0))


def _who_is_left(world: World) -> str:
    off_goal = (world.positions != world.goals) & (world.positions != -1) & (world.goals != -1)
    names = [world.names[agent] for agent in np.flatnonzero(off_goal).tolist()]
    shown = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return f"agent{'s' if len(names) > 1 else ''} {shown} {'are' if len(names) > 1 else 'is'}"
