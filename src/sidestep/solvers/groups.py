"""Planning some of a problem's agents as if the others were elsewhere: what independence detection asks for.

Paths are columns of a matrix with a row per time; -1 is an agent that is gone.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from ..arrays import IntArray
from ..budget import Budget
from ..problem import IDLE, Problem


class GroupPlanner(Protocol):
    """An optimal solver at work on groups of one problem's agents."""

    def plan(
        self,
        agents: IntArray,
        budget: Budget,
        *,
        at_least: int = 0,
        cost_limit: int | None = None,
        illegal: IntArray | None = None,
        avoid: IntArray | None = None,
    ) -> IntArray | None:
        """The cheapest paths of a group, or None: there are none, or the budget ran out.

        Nothing may collide with the `illegal` paths, nothing that costs more than the limit is wanted,
        and of equally cheap paths those are preferred that collide least with the ones to `avoid`. That no
        paths cost less than `at_least` may help.
        """
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
    def cost(self) -> int:
        """What the last paths cost."""
        ...


def places(problem: Problem, agents: IntArray) -> tuple[IntArray, IntArray]:
    """The starts and the goals of some agents."""
    return np.ascontiguousarray(problem.starts[agents]), np.ascontiguousarray(problem.goals[agents])


def marked_gone(problem: Problem, agents: IntArray, paths: IntArray) -> IntArray:
    """Where agents disappear, one more row tells those that do from those that stay where they are."""
    if problem.rules.at_goal == "stay":
        return paths
    last = np.where(problem.goals[agents] == IDLE, paths[-1], -1).astype(np.int32)
    return np.vstack([paths, last])


def is_puzzle(problem: Problem, agents: IntArray) -> bool:
    """Are there so few places and agents that all joint states can be searched?

    Solvers that split on conflicts or on costs are no match for such problems: where every plan is many
    steps dearer than the agents' own ways, the splits are countless, but the joint states are not.
    """
    free = int(np.count_nonzero(problem.space.open))
    return len(agents) * math.log(max(free, 1)) <= math.log(1_000_000)
