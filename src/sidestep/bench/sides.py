"""Who is compared: a side plans for a problem with an algorithm that both sides know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from ..model.plan import Plan
from ..model.problem import Problem
from ..solve import solve
from ..solvers import HCA, WHCA, Solver


@dataclass(frozen=True)
class Algorithm:
    """One algorithm with the same parameters on both sides."""

    title: str
    solver: Solver
    w9: str  # its class in w9-pathfinding
    window: int | None = None
    seconds: float | None = None  # a limit for both


WHCA16 = Algorithm("WHCA*(16)", WHCA(window=16), "WHCAStar", 16)
HCA_ALL = Algorithm("HCA*", HCA(), "HCAStar")


class Side(Protocol):
    """Somebody who plans."""

    name: str

    def prepare(self, problem: Problem, algorithm: Algorithm) -> Callable[[], Any]:
        """The call that is timed."""
        ...

    def plan(self, problem: Problem, answer: Any) -> Plan | None:
        """The plan in what that call returned, still to be judged."""
        ...


class Ours:
    """sidestep through its front door."""

    name = "sidestep"

    def prepare(self, problem: Problem, algorithm: Algorithm) -> Callable[[], Any]:
        """The call that is timed; it compiles the map anew."""
        problem.compiled = None
        limit = 60.0 if algorithm.seconds is None else algorithm.seconds
        return lambda: solve(problem, algorithm.solver, time_limit=limit)

    def plan(self, problem: Problem, answer: Any) -> Plan | None:
        """The plan of a result."""
        plan: Plan | None = answer.plan
        return plan
