"""Jams that do not dissolve by themselves: solved by LaCAM, then the planner goes on.

The world reports who is stuck: nobody in the jam has come closer to its goal for some turns (`World.stuck`).
Then LaCAM plans for everybody: those who are stuck have their goals, all others have none and make room. Its
plan is followed until each of them has come closer, and reported as `RESCUED` events.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.agents import NOWHERE, Agent
from ..model.arrays import IntArray
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.rules import Rules
from ..model.support import Support, honoured_by, supported
from ..world.session import Change, Moves, Planner, Session, View
from .lacam import LaCAM

NODES_PER_AGENT = 500  # of a search for a way out
FIRST_PAUSE = 10  # turns after a search that failed; doubled each time
DISTURBING = (EventKind.BLOCK, EventKind.FREE, EventKind.ADD, EventKind.REMOVE, EventKind.SYNC)


@dataclass(frozen=True)
class Rescuing:
    """A planner that gets agents out of jams: `World(problem, Rescuing(Guided()))`.

    It works on grids, with agents of one cell that stay at their goals. Elsewhere it is the planner itself.

    Attributes:
        planner: Who plans as long as nobody is stuck: an online solver.

    Raises:
        InputError: It is none.
    """

    planner: Any

    def __post_init__(self) -> None:
        if not hasattr(self.planner, "session"):
            raise InputError(f"{self.planner!r} cannot plan turn by turn: it has no session()")

    @property
    def honours(self) -> tuple[str, ...]:
        """What the planner says it honours."""
        return honoured_by(self.planner)

    def supports(self, problem: Problem) -> Support:
        """What the planner says."""
        return supported(self.planner, problem)

    def session(self, problem: Problem, *, seed: int = 0) -> RescuingSession:
        """That of the planner, with jams solved."""
        return RescuingSession(self.planner, problem, seed)


class RescuingSession:
    """The planner's own session, and the way out of a jam while there is one."""

    def __init__(self, planner: Planner, problem: Problem, seed: int) -> None:
        self.inner: Session = planner.session(problem, seed=seed)
        self.space, self.rules, self.seed = problem.space, problem.rules, seed
        self.way: IntArray | None = None  # positions of all agents, time by time, from now on
        self.pause, self.next_try = FIRST_PAUSE, 0
        self.unheard: list[Change] = []  # by the planner
        self.said: list[tuple[int, int, int]] = []

    def step(self, view: View, *, budget: Budget) -> Moves:
        """A step out of the jam, or what the planner says."""
        self.said = []
        disturbed = any(kind in DISTURBING for _, kind, _, _ in view.changes)
        if disturbed or (self.way is not None and not np.array_equal(self.way[0], view.positions)):
            self.way = None
        if self.way is None and view.time >= self.next_try:
            self.look_for_way(view, budget)
        if self.way is not None and len(self.way) > 1:
            self.unheard.extend(view.changes)
            moves: IntArray = self.way[1].copy()
            self.way = self.way[1:]
            return moves
        self.way = None
        changes, self.unheard = [*self.unheard, *view.changes], []
        return self.inner.step(view.with_changes(changes), budget=budget)

    def reports(self) -> list[tuple[int, int, int]]:
        """What there is to record of this turn: rows of kind, agent, value."""
        return self.said

    def look_for_way(self, view: View, budget: Budget) -> None:
        """If agents are stuck behind others: a plan that brings each of them closer."""
        stuck = [agent for agent, _, behind in view.stuck.tolist() if behind != -1]
        if not stuck or not isinstance(self.space, Grid) or self.rules.at_goal != "stay":
            return
        agents = view.agents
        if not agents.all_unit or agents.any_turning:
            return
        self.next_try = view.time + self.pause
        found = self.solved(view, stuck, budget)
        if found is None:
            self.pause = min(2 * self.pause, 10**6)
            return
        self.way, self.pause = found, FIRST_PAUSE
        self.said = [(EventKind.RESCUED, agent, len(found) - 1) for agent in stuck]

    def solved(self, view: View, stuck: list[int], budget: Budget) -> IntArray | None:
        """The plan of LaCAM for those who are there, until all who are stuck are closer."""
        assert isinstance(self.space, Grid)
        here, goals = view.positions, view.agents.goals
        there = np.flatnonzero(here != NOWHERE)
        now = view.open
        if not now[here[there]].all():
            return None  # somebody stands on a closed place
        grid = Grid(now.reshape(self.space.passable.shape), self.space.connectivity, self.space.corners)
        wanted = {int(goals[agent]): agent for agent in reversed(stuck) if now[goals[agent]]}
        sent = {agent: grid.place(goal) for goal, agent in wanted.items()}
        crowd = [Agent(grid.place(int(here[agent])), sent.get(int(agent))) for agent in there]
        rules = Rules(following=self.rules.following, crossing=self.rules.crossing)
        problem = Problem.from_agents(grid, crowd, rules=rules)
        nodes, left = NODES_PER_AGENT * len(crowd), budget.nodes_left
        with budget.at_most(nodes if left is None else min(nodes, left // 2)):  # the turn needs some, too
            result = LaCAM(guide=0).solve(problem, budget=budget, seed=self.seed)
        if result.plan is None:
            return None
        way = np.repeat(here[None, :], len(result.plan.vertices), axis=0)
        way[:, there] = result.plan.vertices
        return way[: self.steps_until_closer(way, sent, grid, view) + 1]

    def steps_until_closer(self, way: IntArray, sent: dict[int, Any], grid: Grid, view: View) -> int:
        """How long the plan is followed: until all who were sent have been closer than now."""
        last = 0
        for agent, place in sent.items():
            distances = _core.distance_table(view.space, grid.vertex(place), Budget().core)[way[:, agent]]
            closer = np.flatnonzero(distances < distances[0])
            last = max(last, int(closer[0]) if closer.size else len(way) - 1)
        return last

    def saved(self) -> dict[str, Any]:
        """Its state, for a session that was opened by the same planner for the same problem."""
        kept = {name: value for name, value in self.__dict__.items() if name != "inner"}
        save = getattr(self.inner, "saved", None)
        return {"kept": kept, "inner": self.inner if save is None else save(), "whole": save is None}

    def load(self, state: dict[str, Any]) -> None:
        """Goes on from such a state."""
        self.__dict__.update(state["kept"])
        if state["whole"]:
            self.inner = state["inner"]
        else:
            self.inner.load(state["inner"])  # type: ignore[attr-defined]
