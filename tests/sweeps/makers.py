"""What sweeps of these tests are made of; workers import it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, ClassVar

import sidestep as ss

DEADLY_AGENTS = 3

SMALL: dict[str, Any] = {
    "solvers": ["hca", {"solver": "whca", "window": [4, 8]}],
    "instances": {"generator": "random", "height": 8, "width": 8, "agents": [2, 3], "count": 4},
    "limits": {"nodes": 2000},
}
OUTCOME = (
    "solver",
    "instance",
    "seed",
    "limits",
    "status",
    "solved",
    "cost",
    "makespan",
    "expansions",
    "digest",
)


def corridor(seed: int, length: int = 4) -> ss.Problem:
    """One agent, and the seed is no matter."""
    return ss.Problem(ss.Grid([[True] * length]), [(0, 0)], [(0, length - 1)])


def outcomes(sweep: ss.Sweep) -> list[tuple[Any, ...]]:
    """What does not depend on the machine."""
    return [tuple(row[name] for name in OUTCOME) for row in sweep]


@dataclass(frozen=True)
class Deadly(ss.HCA):
    """Takes its process with it when there are three agents."""

    name: ClassVar[str] = "deadly"

    def solve(self, problem, *, budget, seed=0):
        if problem.n_agents == DEADLY_AGENTS:
            os._exit(3)
        return super().solve(problem, budget=budget, seed=seed)


@dataclass(frozen=True)
class Raising(ss.HCA):
    """Raises, and prints where answers must not be disturbed."""

    name: ClassVar[str] = "raising"

    def solve(self, problem, *, budget, seed=0):
        print("a solver may print")
        raise RuntimeError("no luck")
