"""Biased Cost Pathfinding (Geramifard, Chubak and Bulitko 2006): a meta-algorithm over single-agent search.

Every unit plans as if it were alone. Where plans collide, a Gaussian with its mean at the place and the
number of colliding units as sigma is added to the heuristic of all of them but the one with the highest
priority, and these plan again: while time is left and collisions remain. What remains is settled when it
happens. Of several units that would enter one cell the one with the highest priority does, the others stay,
and all plan anew.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.result import Result
from ..model.support import Support
from ..model.to_core import compile_rules, compiled_space, core_agents
from ..world.core_session import CoreSession
from ..world.session import View
from .cooperative import cooperating_agents
from .offline import run_to_the_end
from .solver import SolverInfo, check_max_turns, check_whole, unit_agents_only

# A search for one unit, by start, goal and what is added to every vertex, in steps (infinite: nobody may go).
# It returns the vertices of a path, start and goal included, or none.
InnerSearch = Callable[[int, int, npt.NDArray[np.float64]], Any]

MAX_HEIGHT = 1e6
MOST = 10**6


@dataclass(frozen=True)
class BCP:
    """Biased Cost Pathfinding: plan alone, make collisions expensive for all but the first, plan again."""

    inner: Literal["astar", "best-first"] | InnerSearch = "astar"
    bias: Literal["heuristic", "cost"] = "heuristic"
    height: float = 1.0
    iterations: int = 30
    time_cap: float | None = None
    trimmed: bool = True
    first_collisions: bool = True
    path_length: int | None = None
    max_turns: int | None = None

    name: ClassVar[str] = "bcp"
    info: ClassVar[SolverInfo] = SolverInfo(
        summary="Biased Cost Pathfinding: collisions become expensive for all but the most important unit",
        paper="bcp2006",
        category="decoupled, iterative",
        complete=False,
        optimal=False,
        needs_priorities=False,
        communication="all",
        online=True,
        dialogues=False,
    )

    def __post_init__(self) -> None:
        if not callable(self.inner) and not _is_one_of(self.inner, "astar", "best-first"):
            raise InputError(f"inner must be 'astar', 'best-first' or a function, not {self.inner!r}")
        if not _is_one_of(self.bias, "heuristic", "cost"):
            raise InputError(f"bias must be 'heuristic' or 'cost', not {self.bias!r}")
        for name in ("trimmed", "first_collisions"):
            if not isinstance(getattr(self, name), bool):
                raise InputError(f"{name} must be True or False, not {getattr(self, name)!r}")
        _check_number(self.height, "height", MAX_HEIGHT)
        if self.time_cap is not None:
            _check_number(self.time_cap, "time_cap", MAX_HEIGHT)
        check_whole(self, "iterations", 1, MOST)
        if self.path_length is not None:
            check_whole(self, "path_length", 1, MOST)
        check_max_turns(self)

    def supports(self, problem: Problem) -> Support:
        """Everything but large or slow agents."""
        return unit_agents_only(problem)

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Runs a world until all agents are on their goals at once."""
        return run_to_the_end(self, problem, budget=budget, seed=seed, max_turns=self.max_turns)

    def session(self, problem: Problem, *, seed: int = 0) -> BCPSession:
        """Planning turn by turn; there is nothing random about it."""
        return BCPSession(problem, self)


class BCPSession(CoreSession):
    """The paths of all units, planned anew whenever something is not as planned."""

    core: _core.BiasedPaths

    def __init__(self, problem: Problem, solver: BCP) -> None:
        self.problem = problem
        space = compiled_space(problem)
        paths = _core.BiasedPaths(
            space,
            compile_rules(problem.rules),
            core_agents(space, problem.agents),
            width=problem.space.width if isinstance(problem.space, Grid) else 0,
            height=float(solver.height),
            in_cost=solver.bias == "cost",
            greedy=solver.inner == "best-first",
            trimmed=solver.trimmed,
            first_only=solver.first_collisions,
            iterations=solver.iterations,
            longest=solver.path_length or 0,
            seconds=math.inf if solver.time_cap is None else float(solver.time_cap),
            inner=_as_list(solver.inner) if callable(solver.inner) else None,
        )
        super().__init__(solver, paths)

    def distances(self, budget: Budget) -> IntArray:
        """How far every agent is from its goal by itself; nothing if the budget ran out."""
        return cooperating_agents(self.problem).distances(budget.core)

    def turn(self, view: View, budget: Budget) -> IntArray:
        """Everybody's next step, except of those who would collide with somebody more important."""
        return self.core.turn(view.positions, budget.core)

    @property
    def iterations(self) -> int:
        """How often all units have planned so far."""
        return self.core.iterations

    @property
    def slowest_planning(self) -> float:
        """The seconds of the longest planning, all iterations of it: the delay of a first move."""
        return self.core.slowest_planning


def _as_list(search: InnerSearch) -> Callable[[int, int, npt.NDArray[np.float64]], list[int]]:
    """The same search with its path as the core takes it."""

    def listed(start: int, goal: int, bias: npt.NDArray[np.float64]) -> list[int]:
        path = np.asarray([] if (found := search(start, goal, bias)) is None else found)
        if path.size == 0:
            return []
        if path.ndim != 1 or path.dtype.kind not in "iu" or not 0 <= path.min() <= path.max() < len(bias):
            raise InputError("the inner search must return the vertices of a path")
        return [int(vertex) for vertex in path]

    return listed


def _is_one_of(value: object, *words: str) -> bool:
    return isinstance(value, str) and value in words


def _check_number(value: object, what: str, most: float) -> None:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or math.isnan(value) or not 0 <= value <= most:  # type: ignore[arg-type,operator]
        raise InputError(f"{what} must be a number from 0 to {most:g}, not {value!r}")
