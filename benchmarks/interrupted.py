"""A process that plans until it is interrupted, and says so at once: what `limits` sends Ctrl-C to.

    python -m benchmarks.interrupted SOLVER SIDE DENSITY AGENTS SEED TIMES

It prints a line before it begins to plan and a line when KeyboardInterrupt arrives, TIMES times.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from sidestep import Problem
from sidestep.solve import solve

from .scenes import RandomScene

PLANNING, INTERRUPTED = "planning", "interrupted"


def main(arguments: Sequence[str]) -> None:
    """Plans for a random instance again and again."""
    solver, density = arguments[0], float(arguments[2])
    side, agents, seed, times = (int(arguments[k]) for k in (1, 3, 4, 5))
    problem = RandomScene(side, density, agents).problem(seed)
    for _ in range(times):
        plan_until_interrupted(problem, solver)


def plan_until_interrupted(problem: Problem, solver: str) -> None:
    """Returns when KeyboardInterrupt arrives."""
    try:
        print(PLANNING, flush=True)
        while True:
            solve(problem, solver, time_limit=None)
    except KeyboardInterrupt:
        print(INTERRUPTED, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
