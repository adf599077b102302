"""What a solver is: a frozen dataclass of parameters that turns a problem into a result."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from ..budget import Budget
from ..model.agents import IDLE
from ..model.arrays import IntArray
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.random import shuffled
from ..model.result import Result
from ..model.support import Support
from ..world.session import Planner


@dataclass(frozen=True)
class SolverInfo:
    """The facts about an algorithm that the table of solvers is printed from.

    What it does in a line is `summary`, or else the first line of its docstring; where Python keeps no
    docstrings (`-OO`), its category.

    Attributes:
        summary: What it does, in a line; empty: the first line of its docstring.
        paper: A short name of where it was published; empty if nowhere.
        category: What kind of algorithm it is, in a few words.
        complete: Whether it finds a plan or proves that there is none, given time.
        optimal: Whether its plans cost least.
        needs_priorities: Whether agents plan in an order that is fixed beforehand.
        communication: Who has to hear whom, such as "all", "window", "ring" or "none".
        online: Whether it plans turn by turn, too.
        dialogues: Whether its agents talk, so that results have a transcript.
    """

    summary: str = ""
    paper: str = ""
    category: str = ""
    complete: bool = False
    optimal: bool = False
    needs_priorities: bool = False
    communication: str = "all"
    online: bool = False
    dialogues: bool = False


class Solver(Protocol):
    """What every solver is: a frozen dataclass. Parameters are fields, all with defaults; data are only in
    calls.

    The fields of each solver, with what they mean, their limits and defaults, are in `docs/algorithms/`.
    """

    name: ClassVar[str]
    info: ClassVar[SolverInfo]

    def supports(self, problem: Problem) -> Support:
        """Says whether this solver honours everything that a problem asks for.

        Args:
            problem: The problem.

        Returns:
            Truthy if so; else it has the reason.
        """
        ...

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Solves a problem that it supports. The same seed and node budget give the same plan.

        Args:
            problem: What to solve.
            budget: What the run may use.
            seed: Where all that is random comes from.

        Returns:
            The result; without a plan if none was found.
        """
        ...


def facts_of(solver: type[Solver]) -> dict[str, Any]:
    """The facts about an algorithm by name, its summary among them."""
    said = (solver.__doc__ or "").partition("\n")[0].rstrip(".")
    if said.startswith(f"{solver.__name__}("):  # a dataclass without a docstring has its signature
        said = ""
    return asdict(solver.info) | {"summary": solver.info.summary or said or solver.info.category}


class OnlineSolver(Solver, Planner, Protocol):
    """A solver that also plans turn by turn."""


def unit_agents_only(solver: Any, problem: Problem) -> Support:
    """Is the `supports` of solvers that know only agents of one cell that may move every turn.

    Args:
        solver: The solver, whose method this becomes.
        problem: The problem.

    Returns:
        Truthy if it has no others; else it has the reason.
    """
    if not problem.all_unit:
        return Support("it knows only agents of size 1 and period 1")
    return Support()


def planning_order(problem: Problem, seed: int) -> list[int]:
    """Draws an order of all agents: higher priorities first, idle ones last, otherwise by the seed.

    Args:
        problem: The problem.
        seed: What the order is drawn by; the same on every machine.

    Returns:
        The indices of the agents.
    """
    return priorities_first(problem, shuffled(problem.n_agents, seed))


def priorities_first(problem: Problem, order: IntArray) -> list[int]:
    """Agents in this order, but those of higher priority first and idle ones last."""
    idle, rank = problem.goals[order] == IDLE, -problem.priorities[order].astype(np.int64)
    return [int(agent) for agent in order[np.lexsort((rank, idle))]]


def by_rank(problem: Problem) -> list[int]:
    """Sorts all agents: higher priorities first, then lower numbers; idle ones last.

    Args:
        problem: The problem.

    Returns:
        The indices of the agents.
    """
    rank = -problem.priorities.astype(np.int64)
    return [int(agent) for agent in np.lexsort((rank, problem.goals == IDLE))]


def plan_within(budget: Budget, problem: Problem, paths: list[IntArray]) -> Plan | None:
    """Paths of different lengths as a plan; None if there is no memory for it, which exhausts the budget."""
    steps = max((len(path) for path in paths), default=1)
    if not budget.keeps(steps * len(paths) * np.dtype(np.int32).itemsize):
        return None
    return Plan(problem, path_matrix(problem, paths))


def path_matrix(problem: Problem, paths: list[IntArray], agents: IntArray | None = None) -> IntArray:
    """Makes one array of paths of different lengths. Agents stay at the end of theirs, or are gone after it.

    Args:
        problem: The problem, whose rules say which of the two.
        paths: A path per agent.
        agents: Whose paths they are; None: those of all agents.

    Returns:
        A row per time and a column per agent; -1 is an agent that is gone.
    """
    steps = max((len(path) for path in paths), default=1)
    vertices = np.full((steps, len(paths)), -1, dtype=np.int32)
    goals = problem.goals if agents is None else problem.goals[agents]
    for column, (path, goal) in enumerate(zip(paths, goals, strict=True)):
        vertices[: len(path), column] = path
        if problem.rules.at_goal == "stay" or goal == IDLE:
            vertices[len(path) :, column] = path[-1]
    return vertices
