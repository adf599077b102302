"""The part that CA*, HCA* and WHCA* share: the core's cooperating agents, told what happens in a world."""

from __future__ import annotations

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.problem import Problem
from ..model.to_core import compiled_problem
from ..world.core_session import CoreSession
from ..world.session import View

NOBODY: IntArray = np.empty(0, dtype=np.int32)


def cooperating_agents(
    problem: Problem, *, window: int = 0, exact: bool = True, hold_goals: bool = True
) -> _core.Cooperation:
    """The agents of a problem in the core: no window means that they plan all the way."""
    return _core.Cooperation(*compiled_problem(problem), window=window, exact=exact, hold_goals=hold_goals)


class CooperativeSession(CoreSession):
    """Agents that keep to their reserved paths and plan again when those no longer hold."""

    core: _core.Cooperation
    order: IntArray = NOBODY  # in which those plan who must; who is not in it follows by its number

    def distances(self, budget: Budget) -> IntArray:
        """How far every agent is from its goal by itself; nothing if the budget ran out."""
        return self.core.distances(budget.core)

    def due(self, time: int) -> IntArray:
        """Who plans this turn although its path still holds, in the order of planning."""
        return NOBODY

    def think(self, view: View, *, budget: Budget) -> bool:
        """Those who will plan in the next turn plan ahead; whether all have."""
        part = self.hear(view)
        due = self.due(part.time)
        begun = part.headings, part.progress
        return self.core.think(part.time, part.positions, *begun, due, self.order, budget.core)

    def turn(self, view: View, budget: Budget) -> IntArray:
        """Those plan who must or are due; then everybody takes the next step of its path."""
        due = self.due(view.time)
        begun = view.headings, view.progress
        return self.core.turn(view.time, view.positions, *begun, due, self.order, budget.core)
