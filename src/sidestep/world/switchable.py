"""A session whose planner can be exchanged while its world runs, and whose agents can be held back."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..budget import Budget
from ..model.arrays import checked_seed, is_whole, whole_number
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.problem import Problem
from .session import Moves, Planner, Session, SessionHolder, View
from .world import World


class SwitchableSession(SessionHolder):
    """A session for a world that begins as `problem`: `World(problem, SwitchableSession(problem, WHCA()))`.

    A planner that takes over is told the difference between the problem and the world as it is. An agent
    that is held back moves only in some turns. That is an injected fault: the planner is not told of it, but
    sees that the agent is not where it should be. What it costs others is in the trace, as refused moves.
    """

    def __init__(self, problem: Problem, planner: Planner | Session, *, seed: int = 0) -> None:
        self.problem, self.seed = problem, checked_seed(seed)
        self.held_back: dict[int, int] = {}  # by agent: it moves only in every n-th turn
        self.is_new = False  # has another planner taken over that knows nothing but the problem?
        self.hold(planner, problem, seed)

    def switch(self, planner: Planner | Session) -> None:
        """From the next turn on, this planner."""
        self.hold(planner, self.problem, self.seed)
        self.is_new = True

    def hold_back(self, agents: Iterable[int], every: int) -> None:
        """These agents may move only at times that are a multiple of `every`; 1 lets them go."""
        if whole_number(every, "every") < 1:
            raise InputError(f"agents are held back for 1 turn or more, not {every}")
        for agent in agents:
            if not is_whole(agent):
                raise InputError(f"agents are held back by their indices, not {agent!r}")
            self.held_back.pop(agent, None)
            if every > 1:
                self.held_back[agent] = every

    def step(self, view: View, *, budget: Budget) -> Moves:
        """One turn of the planner; agents that are held back wait unless it is their time."""
        if self.is_new:
            # Groups around this session name waypoints, of which the world does not know, for goals.
            goals = [change for change in view.changes if change[1] == EventKind.GOAL]
            view = view.with_changes([*view.changes_since(self.problem), *goals])
        moves = self.session.step(view, budget=budget)
        self.is_new = False
        held = [agent for agent, every in self.held_back.items() if view.time % every]
        if held:
            moves = np.array(moves, dtype=np.int32)
            moves[held] = view.positions[held]
        return moves

    __getstate__ = SessionHolder.with_session_saved
    __setstate__ = SessionHolder.load_all

    def __deepcopy__(self, memo: dict[int, Any]) -> SwitchableSession:
        memo[id(self.problem)] = self.problem  # large, and never changes
        twin = object.__new__(SwitchableSession)
        twin.__dict__.update(self.__dict__)
        for name in ("held_back", "session"):
            setattr(twin, name, copy.deepcopy(getattr(self, name), memo))
        return twin


def switchable_of(world: World) -> SwitchableSession:
    """The switchable session of a world, also under the groups that it moves in."""
    session: Any = world.session
    while not isinstance(session, SwitchableSession):
        if not isinstance(session, SessionHolder):
            raise InputError("this world has a planner of its own, not a SwitchableSession")
        session = session.session
    return session
