"""The part that CA*, HCA* and WHCA* share: the core's cooperating agents, told what happens in a world."""

from __future__ import annotations

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.events import EventKind
from ..model.problem import Problem
from ..model.to_core import compile_rules, compiled_space
from ..world.session import View

NOBODY: IntArray = np.empty(0, dtype=np.int32)


def cooperating_agents(
    problem: Problem, *, window: int = 0, exact: bool = True, hold_goals: bool = True
) -> _core.Cooperation:
    """The agents of a problem in the core: no window means that they plan all the way."""
    return _core.Cooperation(
        compiled_space(problem),
        compile_rules(problem.rules),
        problem.starts,
        problem.goals,
        problem.priorities,
        problem.sizes,
        problem.periods,
        window=window,
        exact=exact,
        hold_goals=hold_goals,
    )


class CooperativeSession:
    """Agents that keep to their reserved paths and plan again when those no longer hold."""

    def __init__(self, agents: _core.Cooperation) -> None:
        self.agents = agents

    def distances(self, budget: Budget) -> IntArray:
        """How far every agent is from its goal by itself; nothing if the budget ran out."""
        return self.agents.distances(budget.core)

    def due(self, time: int) -> IntArray:
        """Who plans this turn although its path still holds, in the order of planning."""
        return NOBODY

    def step(self, view: View, *, budget: Budget) -> IntArray:
        """One turn: takes note of what changed, then lets those plan who must or are due."""
        for _, kind, agent, value in view.changes:
            self.take_note(view, EventKind(kind), agent, value)
        due = self.due(view.time)
        return self.agents.turn(view.time, view.positions, view.progress, due, budget.core)

    def take_note(self, view: View, kind: EventKind, agent: int, value: int) -> None:
        """Tells the core of one change. Positions it sees by itself."""
        if kind is EventKind.GOAL:
            self.agents.set_goal(agent, value)
        elif kind is EventKind.BLOCK or kind is EventKind.FREE:
            self.agents.set_open(value, kind is EventKind.FREE, view.time)
        elif kind is EventKind.PRIORITY:
            self.agents.set_priority(agent, value)
        elif kind is EventKind.ADD:
            self.agents.add_agent(value, -1, 0, int(view.sizes[agent]), int(view.periods[agent]))
        elif kind is EventKind.REMOVE:
            self.agents.remove_agent(agent)
