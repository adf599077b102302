"""Local Repair A* (Silver 2005): the baseline that games used before cooperative search.

Every agent follows a route of its own, planned as if nobody else were there but its present
neighbours. When its next cell is occupied it replans the rest of its route, and is the more agitated
the more often that happens: noise uniform in [0, agitation x noise] is added to its heuristic, in the
hope that it leaves the crowd by chance. Agents move one after another and never into an occupied cell.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.problem import Problem
from ..model.result import Result
from ..model.to_core import compile_rules, compiled_space
from ..world.session import View
from .cooperative import cooperating_agents
from .offline import run_to_the_end
from .solver import SolverInfo, Support, check_max_turns, unit_agents_only

UNITS_PER_STEP = 256  # the core adds noise in whole numbers, so that runs agree on every machine
MAX_NOISE = 1000.0


@dataclass(frozen=True)
class LRA:
    """Local Repair A*: every agent for itself, replanning when it bumps into another."""

    noise: float = 1.0
    max_turns: int | None = None

    name: ClassVar[str] = "lra"
    info: ClassVar[SolverInfo] = SolverInfo(
        summary="Local Repair A*: every agent for itself, replanning when blocked (the baseline)",
        paper="silver2005",
        category="decoupled, reactive",
        complete=False,
        optimal=False,
        needs_priorities=False,
        communication="none",
        online=True,
        dialogues=False,
    )

    def __post_init__(self) -> None:
        number = isinstance(self.noise, (int, float)) and not isinstance(self.noise, bool)
        if not number or not 0 <= self.noise <= MAX_NOISE or math.isnan(self.noise):
            raise InputError(f"noise must be a number from 0 to {MAX_NOISE:g}, not {self.noise!r}")
        check_max_turns(self)

    def supports(self, problem: Problem) -> Support:
        """Everything but large or slow agents."""
        return unit_agents_only(problem)

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Runs a world until all agents are on their goals at once."""
        return run_to_the_end(self, problem, budget=budget, seed=seed, max_turns=self.max_turns)

    def session(self, problem: Problem, *, seed: int = 0) -> LRASession:
        """Planning turn by turn."""
        return LRASession(problem, round(self.noise * UNITS_PER_STEP), seed)


class LRASession:
    """The routes and tempers of all agents."""

    def __init__(self, problem: Problem, noise: int, seed: int) -> None:
        self.agents = _core.LocalRepair(
            compiled_space(problem),
            compile_rules(problem.rules),
            noise=noise,
            seed=seed % 2**64,
            goals=problem.goals,
        )
        self.order = _by_priority(problem.priorities)
        self.problem = problem

    def distances(self, budget: Budget) -> IntArray:
        """How far every agent is from its goal by itself; nothing if the budget ran out."""
        return cooperating_agents(self.problem).distances(budget.core)

    def step(self, view: View, *, budget: Budget) -> IntArray:
        """One turn: the agents move one after another, higher priorities first."""
        for _, kind, agent, value in view.changes:
            self.take_note(EventKind(kind), agent, value)
        if view.changes:
            self.order = _by_priority(view.priorities)
        return self.agents.turn(view.positions, self.order, budget.core)

    def take_note(self, kind: EventKind, agent: int, value: int) -> None:
        """Tells the core of one change. Positions it sees by itself."""
        if kind is EventKind.GOAL:
            self.agents.set_goal(agent, value)
        elif kind is EventKind.BLOCK or kind is EventKind.FREE:
            self.agents.set_open(value, kind is EventKind.FREE)
        elif kind is EventKind.ADD:
            self.agents.add_agent(-1)

    @property
    def replans(self) -> int:
        """How often an agent had to repair its route so far."""
        return self.agents.replans


def _by_priority(priorities: IntArray) -> IntArray:
    return np.argsort(-priorities.astype(np.int64), kind="stable").astype(np.int32)
