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
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.space import Space
from ..model.to_core import compiled_problem
from ..world.core_session import CoreSession
from ..world.session import View
from .cooperative import cooperating_agents
from .offline import TurnByTurn, turns_of_solve
from .parameters import parameter
from .solver import SolverInfo

# A search for one unit, by start, goal and what is added to every vertex, in steps (infinite: nobody may go).
# It returns the vertices of a path, start and goal included, or none.
InnerSearch = Callable[[int, int, npt.NDArray[np.float64]], Any]


@runtime_checkable
class Finder(Protocol):
    """What `sidestep.Finder` is to BCP: it finds the way of one unit, with a bias on its heuristic."""

    space: Space

    def path(self, start: Any, goal: Any, *, bias: Any) -> Any:
        """Finds one way.

        Args:
            start: Where it begins.
            goal: Where it ends.
            bias: What is added to the heuristic of every vertex, in steps.

        Returns:
            A route with its `vertices`; falsy if none was found.
        """
        ...


MOST = 10**6  # steps, seconds or iterations


@dataclass(frozen=True)
class BCP(TurnByTurn):
    """Biased Cost Pathfinding: collisions become expensive for all but the most important unit."""

    inner: Literal["astar", "best-first"] | InnerSearch | Finder = parameter(
        "astar",
        help='the search of one unit: `"astar"`; `"best-first"`, which ignores the way behind it; '
        "or, in Python, a `Finder` or a function of your own",
    )
    bias: Literal["heuristic", "cost"] = parameter(
        "heuristic",
        help='what a Gaussian is added to; `"cost"` adds it to the cost of entering a cell',
    )
    height: float = parameter(
        1.0, least=0, most=MOST, help="the height of a Gaussian, in steps; the paper gives none"
    )
    iterations: int = parameter(
        30, least=1, most=MOST, help="plannings of all units at most; 1 is the inner search alone"
    )
    time_cap: float | None = parameter(
        None, least=0, most=MOST, help="seconds for one planning; with it, runs depend on the machine"
    )
    trimmed: bool = parameter(True, help="the paper's first enhancement: Gaussians end at two sigma")
    first_collisions: bool = parameter(
        True,
        help="the paper's second enhancement: only first collisions count, and the last set of paths "
        "is used; without it, the set with fewest collisions",
    )
    path_length: int | None = parameter(
        None,
        least=1,
        most=MOST,
        help="the paper's k: of a path that was found, this many steps are kept, and when these are made all "
        "plan again",
    )
    max_turns: int | None = turns_of_solve()
    discard_rest: bool = parameter(
        False,
        help="with `first_collisions`: what a unit does after its first collision is not there for the "
        "others either",
        printed=True,
        why="a unit that goes first keeps its path, so others may as well give way to it at once",
    )

    name: ClassVar[str] = "bcp"
    info: ClassVar[SolverInfo] = SolverInfo(paper="bcp2006", category="decoupled, iterative", online=True)

    def session(self, problem: Problem, *, seed: int = 0) -> BCPSession:
        """Planning turn by turn; there is nothing random about it."""
        return BCPSession(problem, self)


class BCPSession(CoreSession):
    """The paths of all units, planned anew whenever something is not as planned."""

    core: _core.Bcp

    def __init__(self, problem: Problem, solver: BCP) -> None:
        self.problem = problem
        paths = _core.Bcp(
            *compiled_problem(problem),
            width=problem.space.width if isinstance(problem.space, Grid) else 0,
            height=float(solver.height),
            in_cost=solver.bias == "cost",
            greedy=solver.inner == "best-first",
            trimmed=solver.trimmed,
            first_only=solver.first_collisions,
            discard_rest=solver.first_collisions and solver.discard_rest,
            iterations=solver.iterations,
            longest=solver.path_length or 0,
            seconds=math.inf if solver.time_cap is None else float(solver.time_cap),
            inner=None if isinstance(solver.inner, str) else _as_list(_as_search(solver.inner, problem)),
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


def _as_search(inner: InnerSearch | Finder, problem: Problem) -> InnerSearch:
    """A function, or the paths of a Finder, which is made of the same space."""
    if not isinstance(inner, Finder):
        return inner
    finder, place = inner, problem.space.place
    if finder.space != problem.space:
        raise InputError("the Finder of an inner search is made of the problem's own space")

    def search(start: int, goal: int, bias: npt.NDArray[np.float64]) -> Any:
        if math.inf in (bias[start], bias[goal]):
            return None
        return finder.path(place(start), place(goal), bias=bias).vertices

    return search


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
