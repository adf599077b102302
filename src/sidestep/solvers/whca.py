"""Windowed Hierarchical Cooperative A* (Silver 2005).

Each agent searches cooperatively for `window` steps only; beyond them a terminal edge whose cost is
the exact distance to the goal stands for the rest of the way. Half-way through its window it plans
again. Agents that have arrived go on planning, so they step aside and come back; waiting on the goal
is free. Windows are staggered, so that about 2n/w agents plan per turn, in an order that varies, so that
every agent is first for a while.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from ..model.agents import IDLE
from ..model.arrays import IntArray, checked_seed
from ..model.problem import Problem
from ..model.random import shuffled
from ..model.support import Support
from ..model.to_core import compiled_space
from ..world.session import View
from .cooperative import CooperativeSession, cooperating_agents
from .offline import TurnByTurn, turns_of_solve
from .parameters import parameter
from .solver import SolverInfo

AUTO_WINDOW = range(8, 65)  # what "auto" may choose


@dataclass(frozen=True)
class WHCA(TurnByTurn):
    """Windowed HCA*: plans a few steps ahead, turn by turn, and steps aside after arrival."""

    window: int | Literal["auto"] = parameter(
        16,
        least=2,
        most=1024,
        help='steps to look ahead; `"auto"` takes the largest group whose goals touch, '
        f"from {AUTO_WINDOW[0]} to {AUTO_WINDOW[-1]}",
    )
    max_turns: int | None = turns_of_solve()
    replan_every: int | None = parameter(
        None,
        least=1,
        most=512,
        help="every agent plans once in this many turns; `None`, or more than that, is half the window",
    )

    name: ClassVar[str] = "whca"
    info: ClassVar[SolverInfo] = SolverInfo(paper="silver2005", category="decoupled, windowed", online=True)

    def supports(self, problem: Problem) -> Support:
        """Everything, agents of any size and speed included."""
        return Support()

    def session(self, problem: Problem, *, seed: int = 0) -> WHCASession:
        """Planning turn by turn."""
        window = group_size(problem) if self.window == "auto" else self.window
        return WHCASession(problem, self, window, seed)


class WHCASession(CooperativeSession):
    """The staggered windows of all agents."""

    def __init__(self, problem: Problem, solver: WHCA, window: int, seed: int) -> None:
        super().__init__(solver, cooperating_agents(problem, window=window))
        self.interval = min(solver.replan_every or window, window // 2)  # or paths would run out
        self.seed = checked_seed(seed)
        self.count = problem.n_agents
        self.groups: list[IntArray] = []

    def due(self, time: int) -> IntArray:
        """The agents that plan this turn: everybody has its turn once in half a window.

        The turns are dealt anew every round, so that everybody is first for a while and no deadlock
        repeats itself for ever. Between two plans of an agent lie at most window - 1 turns, so its
        path does not run out. In the same order those plan who have no path: in the first turn, everybody.
        """
        if time % self.interval == 0 or not self.groups:
            self.order = shuffled(self.count, self.seed, time)
            self.groups = [self.order[turn :: self.interval].copy() for turn in range(self.interval)]
        return self.groups[time % self.interval]

    def changed(self, view: View) -> None:
        """Newcomers plan at once, and are dealt a turn in the next round."""
        self.count = len(view.positions)

    def forgot(self, kept: IntArray) -> None:
        """The round goes on with those that are left."""
        number = np.full(self.count, -1, dtype=np.int32)
        number[kept] = np.arange(len(kept))
        self.order, *self.groups = (
            some[some >= 0] for some in (number[agents] for agents in (self.order, *self.groups))
        )
        self.count = len(kept)


def group_size(problem: Problem) -> int:
    """The paper's advice for the window: the size of the largest group that moves together.

    Agents move together if their goals are next to each other; the answer is kept within reason.
    """
    space = compiled_space(problem)
    agents_at = Counter(goal for goal in problem.goals.tolist() if goal != IDLE)
    beside: dict[int, set[int]] = {goal: set() for goal in agents_at}
    for goal in agents_at:
        for other in agents_at.keys() & set(space.successors(goal).tolist()):
            beside[goal].add(other)
            beside[other].add(goal)
    largest = 0
    while beside:
        group = [next(iter(beside))]
        size = 0
        while group:
            goal = group.pop()
            near = beside.pop(goal, None)
            if near is not None:
                size += agents_at[goal]
                group.extend(near)
        largest = max(largest, size)
    return min(max(largest, AUTO_WINDOW.start), AUTO_WINDOW.stop - 1)
