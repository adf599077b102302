"""The libraries that are compared: each plans for a problem with an algorithm that both of a pair have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from sidestep import HCA, WHCA, Plan, Problem, solve
from sidestep.solvers import Solver


@dataclass(frozen=True)
class Algorithm:
    """One algorithm with the same parameters for both contenders."""

    title: str
    solver: Solver
    w9: str  # its class in w9-pathfinding
    window: int | None = None
    seconds: float | None = None  # a limit for both


WHCA16 = Algorithm("WHCA*(16)", WHCA(window=16), "WHCAStar", 16)
HCA_ALL = Algorithm("HCA*", HCA(), "HCAStar")


class Contender(Protocol):
    """A library that plans."""

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
