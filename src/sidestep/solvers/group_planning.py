"""Planning a group of agents as if the others were elsewhere: what independence detection asks for.

Paths are columns of a matrix with a row per time; -1 is an agent that is gone.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from ..budget import Budget
from ..model.agents import IDLE
from ..model.arrays import IntArray
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.result import Result, Status


@dataclass(frozen=True, eq=False)
class Terms:
    """What paths of a group are wanted."""

    at_least: int = 0  # it is known that none cost less
    cost_limit: int | None = None  # none that cost more are of interest
    illegal: IntArray | None = None  # paths of others that nobody may collide with
    avoid: IntArray | None = None  # of equally cheap paths those are preferred that collide least with these

    @property
    def of_others(self) -> dict[str, Any]:
        """The paths of others, as searches of the core take them."""
        return {"illegal": self.illegal, "avoid": self.avoid}


NO_TERMS = Terms()
UNSTORED = "the costs have grown beyond what can be stored"  # where no limit was reached


class GroupPlanner(Protocol):
    """An optimal solver at work on groups of one problem's agents, one after another."""

    def plan(self, agents: IntArray, budget: Budget, terms: Terms = NO_TERMS) -> IntArray | None:
        """The cheapest paths of a group; None: there are none, unless it ended early."""
        ...

    @property
    def ended_early(self) -> bool:
        """Did the last call reach a limit before it knew?"""
        ...

    @property
    def cost(self) -> int:
        """What the last paths cost."""
        ...

    @property
    def lower_bound(self) -> int:
        """What paths of the last group cost at least under its terms, also if it has none."""
        ...

    @property
    def why_none(self) -> str:
        """The sentence about a last group without paths that did not end early."""
        ...

    @property
    def expanded(self) -> int:
        """Nodes over all calls so far."""
        ...

    @property
    def generated(self) -> int:
        """Nodes over all calls so far."""
        ...

    @property
    def stats(self) -> dict[str, Any]:
        """What was counted."""
        ...


class GroupSolver(Protocol):
    """A solver that plans a problem as one group."""

    def groups(self, problem: Problem) -> GroupPlanner:
        """Makes what plans groups of agents the way this solver plans all of them.

        Args:
            problem: The problem whose agents are planned.

        Returns:
            The planner of groups.
        """
        ...


def solved_as_one_group(solver: GroupSolver, problem: Problem, budget: Budget, seed: int) -> Result:
    """The result of planning everybody together."""
    groups = solver.groups(problem)
    paths = groups.plan(np.arange(problem.n_agents, dtype=np.int32), budget)
    result = partial(Result, problem, solver, seed, stats=groups.stats)
    if paths is not None:
        plan = Plan(problem, without_needless_end(paths))
        return result(Status.OPTIMAL, plan, lower_bound=plan.cost)
    if groups.ended_early:
        reason = budget.why() or UNSTORED
        return result(Status.TIMEOUT, reason=reason, lower_bound=groups.lower_bound)
    return result(Status.INFEASIBLE, reason=groups.why_none)


def places(problem: Problem, agents: IntArray) -> tuple[IntArray, IntArray]:
    """The starts and the goals of some agents."""
    return np.ascontiguousarray(problem.starts[agents]), np.ascontiguousarray(problem.goals[agents])


def marked_gone(problem: Problem, agents: IntArray, paths: IntArray) -> IntArray:
    """Where agents disappear, one more row tells those that do from those that stay where they are."""
    if problem.rules.at_goal == "stay":
        return paths
    last = np.where(problem.goals[agents] == IDLE, paths[-1], -1).astype(np.int32)
    return np.vstack([paths, last])


@dataclass(eq=False)
class PlannedGroup:
    """Agents that are planned together, in ascending order, their paths as columns, and what these cost."""

    agents: IntArray
    paths: IntArray
    cost: int


class LaidPaths:
    """The paths of all groups as one matrix with a column per agent, -1 for agents without a path so far."""

    def __init__(self, n_agents: int) -> None:
        self._matrix = np.full((1, n_agents), -1, dtype=np.int32)

    def lay(self, group: PlannedGroup) -> None:
        """The agents of a group go as it says; if its paths are shorter, they stay as they end, or gone."""
        rows, missing = len(group.paths), len(group.paths) - len(self._matrix)
        if missing > 0:
            self._matrix = np.vstack([self._matrix, np.repeat(self._matrix[-1:], missing, axis=0)])
        self._matrix[:rows, group.agents] = group.paths
        self._matrix[rows:, group.agents] = group.paths[-1]

    def first_rows(self, count: int) -> IntArray:
        """The paths of everybody up to a time."""
        return self._matrix[:count]

    def without(self, groups: Sequence[PlannedGroup], count: int) -> IntArray:
        """The paths of everybody else up to a time."""
        rest = self._matrix[:count].copy()
        for group in groups:
            rest[:, group.agents] = -1
        return rest


def side_by_side(groups: Sequence[PlannedGroup]) -> IntArray:
    """The paths of groups as one matrix: whose paths are shorter stay as they end, or gone."""
    ends = np.cumsum([0, *(len(group.agents) for group in groups)]).tolist()
    return _filled(groups, [slice(*pair) for pair in pairwise(ends)])


def by_agent(groups: Sequence[PlannedGroup]) -> IntArray:
    """The same with the columns in the order of the agents, if the groups have all of them."""
    return _filled(groups, [group.agents for group in groups])


def _filled(groups: Sequence[PlannedGroup], columns: Sequence[Any]) -> IntArray:
    rows = max((len(group.paths) for group in groups), default=1)
    vertices = np.empty((rows, sum(len(group.agents) for group in groups)), dtype=np.int32)
    for group, where in zip(groups, columns, strict=True):
        vertices[: len(group.paths), where] = group.paths
        vertices[len(group.paths) :, where] = group.paths[-1]
    return vertices


def without_needless_end(paths: IntArray) -> IntArray:
    """Paths without the row that only says who is gone at the end."""
    gone = len(paths) > 1 and bool(np.all((paths[-1] == paths[-2]) | (paths[-1] == -1)))
    return paths[:-1] if gone else paths


def is_puzzle(problem: Problem, agents: IntArray) -> bool:
    """Are there so few places and agents that all joint states can be searched?

    Solvers that split on conflicts or on costs are no match for such problems: where every plan is many
    steps dearer than the agents' own ways, the splits are countless, but the joint states are not.
    """
    free = int(np.count_nonzero(problem.space.open))
    return len(agents) * math.log(max(free, 1)) <= math.log(1_000_000)
