"""Local Repair A* (Silver 2005): the baseline that games used before cooperative search.

Every agent follows a route of its own, planned as if nobody else were there but its present
neighbours. When its next cell is occupied it replans the rest of its route instead of moving (here it also
moves, unless it is as printed), and is the more agitated the more often that happens: noise uniform in
[0, agitation x noise] is added to its heuristic, in the hope that it leaves the crowd by chance. Agents move
one after another and never into an occupied cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.problem import Problem
from ..model.random import core_seed
from ..model.to_core import compiled_problem
from ..world.core_session import CoreSession
from ..world.session import View
from .cooperative import cooperating_agents
from .offline import TurnByTurn, turns_of_solve
from .parameters import improvement, parameter
from .solver import SolverInfo

UNITS_PER_STEP = 256  # the core adds noise in whole numbers, so that runs agree on every machine


@dataclass(frozen=True)
class LRA(TurnByTurn):
    """Local Repair A*: every agent for itself, replanning when blocked (the baseline)."""

    noise: float = parameter(
        1.0,
        least=0,
        most=1000,
        help="the noise of a vertex is uniform in [0, agitation x `noise`] steps; 0 switches it off",
    )
    max_turns: int | None = turns_of_solve()
    moves_after_repair: bool = improvement(
        help="an agent that has repaired its route moves in the same turn; `False`: a repair takes the turn",
        why="a stronger baseline: an agent that knows another way takes it at once",
    )
    agitated_when_boxed_in: bool = parameter(
        False,
        help="agitation also grows with every turn in which an agent finds no route at all",
        printed=True,
        why="an agent that nobody lets out does not walk at random once it is free",
    )

    name: ClassVar[str] = "lra"
    info: ClassVar[SolverInfo] = SolverInfo(
        paper="silver2005", category="decoupled, reactive", communication="none", online=True
    )

    def session(self, problem: Problem, *, seed: int = 0) -> LRASession:
        """Planning turn by turn."""
        return LRASession(problem, self, seed)


class LRASession(CoreSession):
    """The routes and tempers of all agents."""

    core: _core.Lra

    def __init__(self, problem: Problem, solver: LRA, seed: int) -> None:
        core = _core.Lra(
            *compiled_problem(problem),
            noise=round(solver.noise * UNITS_PER_STEP),
            moves_after_repair=solver.moves_after_repair,
            agitated_when_boxed_in=solver.agitated_when_boxed_in,
            seed=core_seed(seed),
        )
        super().__init__(solver, core)
        self.order = _by_priority(problem.priorities)
        self.problem = problem

    def distances(self, budget: Budget) -> IntArray:
        """How far every agent is from its goal by itself; nothing if the budget ran out."""
        return cooperating_agents(self.problem).distances(budget.core)

    def changed(self, view: View) -> None:
        """Who goes first may have changed."""
        self.order = _by_priority(view.priorities)

    def forgot(self, kept: IntArray) -> None:
        """Who is left goes in the same order."""
        number = np.full(len(self.order), -1, dtype=np.int32)
        number[kept] = np.arange(len(kept))
        order = number[self.order]
        self.order = order[order >= 0]

    def turn(self, view: View, budget: Budget) -> IntArray:
        """The agents move one after another, higher priorities first."""
        return self.core.turn(view.positions, self.order, budget.core)

    @property
    def replans(self) -> int:
        """How often an agent had to repair its route so far."""
        return self.core.replans


def _by_priority(priorities: IntArray) -> IntArray:
    return np.argsort(-priorities.astype(np.int64), kind="stable").astype(np.int32)
