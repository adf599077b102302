"""A planner that can be exchanged while its world runs, and agents that can be slowed down."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..budget import Budget
from ..model.arrays import IntArray, whole_number
from ..model.errors import InputError
from ..model.problem import Problem
from .session import Planner, Session, View
from .world import World, open_session

Change = tuple[int, int, int, int]


class Crew:
    """A session for a world that begins as `problem`: `World(problem, Crew(problem, WHCA()))`.

    Another planner that takes over is told all that has changed since the beginning. A slow agent moves only
    every so many turns; its planner is not told, but sees that the agent is not where it should be. What that
    costs others is in the trace, as refused moves.
    """

    def __init__(self, problem: Problem, planner: Planner | Session, *, seed: int = 0) -> None:
        self.problem, self.seed = problem, seed
        self.periods: dict[int, int] = {}
        self._session = open_session(planner, problem, seed)
        self._changes: list[Change] = []  # everything that was ever told
        self._news: list[Change] = []  # what the planner that has just taken over must hear first

    def plan_with(self, planner: Planner | Session) -> None:
        """From the next turn on, this planner."""
        self._session = open_session(planner, self.problem, self.seed)
        self._news = list(self._changes)

    def slow(self, agents: Iterable[int], period: int) -> None:
        """These agents may move only at times that are a multiple of `period`; 1 is as fast as all others."""
        if whole_number(period, "a period") < 1:
            raise InputError(f"a period is 1 turn or more, not {period}")
        for agent in agents:
            self.periods.pop(agent, None)
            if period > 1:
                self.periods[agent] = period

    def step(self, view: View, *, budget: Budget) -> IntArray:
        """One turn of the planner; who is slow waits unless it is its time."""
        self._changes += view.changes
        told, self._news = [*self._news, *view.changes], []
        moves = self._session.step(view.with_changes(told), budget=budget)
        held = [agent for agent, period in self.periods.items() if view.time % period]
        if held:
            moves = np.array(moves, dtype=np.int32)
            moves[held] = view.positions[held]
        return moves

    def __deepcopy__(self, memo: dict[int, Any]) -> Crew:
        memo[id(self.problem)] = self.problem  # large, and never changes
        twin = copy.copy(self)
        for name in ("periods", "_session", "_changes", "_news"):
            setattr(twin, name, copy.deepcopy(getattr(self, name), memo))
        return twin


def crew_of(world: World) -> Crew:
    """The crew of a world, also under the groups that it moves in."""
    session: Any = world.session
    while not isinstance(session, Crew):
        if not hasattr(session, "planner"):
            raise InputError("this world has a planner of its own, not a Crew")
        session = session.planner
    return session
