"""What a solver of your own is made of: all that its file has to import, under names that stay.

    from sidestep.authoring import Reservations, Result, SolverInfo, parameter, ...

CONTRIBUTING.md shows a whole solver; `sidestep new-solver` writes a package with one in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from . import _core
from .budget import Budget, limit_error
from .model.arrays import IntArray, int32_array
from .model.errors import InputError, LimitError
from .model.plan import Plan
from .model.problem import Problem
from .model.result import Result, Status
from .model.support import Support
from .model.to_core import compile_rules, compiled_space
from .solvers.offline import TurnByTurn, turns_of_solve
from .solvers.parameters import check_parameters, parameter
from .solvers.solver import Solver, SolverInfo, by_rank, path_matrix, planning_order, unit_agents_only

__all__ = [
    "Budget",
    "Distances",
    "InputError",
    "LimitError",
    "Plan",
    "Problem",
    "Reservations",
    "Result",
    "Solver",
    "SolverInfo",
    "Status",
    "Support",
    "TurnByTurn",
    "by_rank",
    "check_parameters",
    "parameter",
    "path_matrix",
    "planning_order",
    "turns_of_solve",
    "unit_agents_only",
]


class Reservations:
    """Who will be where, and when; and the search for a path around it, under the rules of the problem.

    Agents are of one cell and may move every turn. Places are vertices, as in `problem.starts`.

    Args:
        problem: The problem, whose space and rules hold.

    Raises:
        InputError: It is no problem, or one with large or slow agents.
    """

    __slots__ = ("_problem", "_rules", "_space", "_table")

    def __init__(self, problem: Problem) -> None:
        if not isinstance(problem, Problem):
            raise InputError(f"reservations are for a Problem, not for {type(problem).__name__}")
        if not problem.all_unit:
            raise InputError("reservations know only agents of size 1 and period 1")
        if problem.agents.any_turning:
            raise InputError("reservations know only agents that need not turn")
        self._problem = problem
        self._space, self._rules = compiled_space(problem), compile_rules(problem.rules)
        with _input_errors():
            self._table = _core.Reservations(self._space.size, problem.n_agents)

    def reserve(self, agent: int, path: Any, *, start: int = 0, stays: bool = True) -> None:
        """Reserves a path for an agent, beside what it has.

        Args:
            agent: Its index.
            path: A vertex per time, waits included.
            start: The time of its first vertex.
            stays: Whether the agent stays at the end of it for good. False where agents disappear.

        Raises:
            InputError: There is no such agent, time or vertex, or the path is empty.
        """
        with _input_errors():
            self._table.reserve(agent, start, int32_array(path, "a path"), bool(stays))

    def release(self, agent: int) -> None:
        """Forgets all that is reserved for an agent.

        Args:
            agent: Its index.

        Raises:
            InputError: There is no such agent.
        """
        with _input_errors():
            self._table.release(agent)

    def holder(self, vertex: int, time: int) -> int | None:
        """Says who has a vertex at a time.

        Args:
            vertex: The vertex.
            time: The time.

        Returns:
            The index of the agent; None if it is free.

        Raises:
            InputError: There is no such vertex or time.
        """
        with _input_errors():
            agent = self._table.holder(vertex, time)
        return None if agent < 0 else agent

    def allows(self, origin: int, target: int, time: int) -> bool:
        """Says whether a step collides with nothing that is reserved.

        Args:
            origin: The vertex at `time`.
            target: The vertex one step later: the same, or a neighbour.
            time: When the step begins.

        Returns:
            True if the rules allow it.

        Raises:
            InputError: There is no such vertex or time, or no such move.
        """
        with _input_errors():
            return self._table.allows(self._space, self._rules, origin, target, time)

    def find_path(
        self,
        start: int,
        goal: int,
        *,
        budget: Budget,
        now: int = 0,
        window: int | None = None,
        exact: bool = True,
    ) -> IntArray | None:
        """Finds a cheapest path that collides with nothing reserved, by A* in space and time.

        Args:
            start: The vertex where it begins.
            goal: The vertex where it ends. Nobody else has that from then on, unless agents disappear.
            budget: What the search may use.
            now: The time at which it begins.
            window: How many steps it has to avoid others; after these only the distance counts, and the
                path ends. None: to the goal.
            exact: Whether the search is guided by exact distances, or by geometry.

        Returns:
            A vertex per time from `now` on; None if there is no such path.

        Raises:
            InputError: There is no such vertex or time.
            LimitError: The budget ran out first.
        """
        steps = 0 if window is None else window
        with _input_errors(), _limit_errors(budget):
            path: Any = _core.search(
                *(self._space, self._rules, self._table),
                start=start,
                goal=goal,
                now=now,
                window=steps,
                exact=exact,
                budget=budget.core,
            )
        return None if path is None else np.asarray(path, dtype=np.int32)


class Distances:
    """How many steps it is from a vertex to a goal on the map without agents, found on demand (RRA*).

    Args:
        problem: The problem, on whose space they are.

    Raises:
        InputError: It is no problem.
    """

    __slots__ = ("_distances",)

    def __init__(self, problem: Problem) -> None:
        if not isinstance(problem, Problem):
            raise InputError(f"distances are for a Problem, not for {type(problem).__name__}")
        self._distances = _core.Distances(compiled_space(problem))

    def between(self, vertex: int, goal: int, *, budget: Budget) -> int | None:
        """Finds one distance; what was found on the way is kept for the next.

        Args:
            vertex: From here.
            goal: To here.
            budget: What the search may use: time and memory; distances are not counted in nodes.

        Returns:
            The number of steps; None if there is no way.

        Raises:
            InputError: There is no such vertex.
            LimitError: The budget ran out first.
        """
        with _input_errors(), _limit_errors(budget):
            steps = self._distances.at(goal, vertex, vertex, budget.core)
        return None if steps < 0 else steps


@contextmanager
def _input_errors() -> Iterator[None]:
    """What the core says about wrong arguments, as an InputError."""
    try:
        yield
    except (ValueError, TypeError, OverflowError, IndexError) as error:
        raise InputError(str(error)) from None


@contextmanager
def _limit_errors(budget: Budget) -> Iterator[None]:
    try:
        yield
    except RuntimeError as error:
        raise limit_error(budget, error) from None
