"""Jams that do not dissolve by themselves: solved by LaCAM, then the planner goes on.

The world reports who is stuck: nobody in the jam has come closer to its goal for some turns (`World.stuck`).
Then LaCAM plans for all agents in a rectangle around a jam: those who are stuck go to their goals, or as far
on their ways as the rectangle reaches; all others there have no goal and make room. The plan is followed
until each who is stuck has come closer, and reported as `RESCUED` events. Meanwhile the planner goes on with
everybody else, and who would enter the rectangle waits. Where LaCAM finds no plan, the next rectangle is
twice as far around, at last the whole map, and the pause before it twice as long.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.agents import NOWHERE, Agent
from ..model.arrays import BoolArray, IntArray
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.grid import Cell, Grid
from ..model.problem import Problem
from ..model.rules import Rules
from ..model.support import Support, honoured_by, supported
from ..model.to_core import compile_space
from ..world.session import Moves, Planner, Session, View
from .lacam import LaCAM

NODES_PER_AGENT = 500  # of a search for a way out
FIRST_MARGIN = 4  # cells around a jam that are planned with it
SEARCHES = 4  # in one turn
MOST_FAILURES = 20  # of an agent, that make the next pause longer
DISTURBING = (EventKind.BLOCK, EventKind.FREE, EventKind.ADD, EventKind.REMOVE, EventKind.SYNC)


@dataclass(frozen=True)
class Rescuing:
    """A planner that gets agents out of jams: `World(problem, Rescuing(Guided()))`.

    It works on grids, with agents of one cell that stay at their goals. Elsewhere it is the planner itself.

    Attributes:
        planner: Who plans for all who are in no jam: an online solver.

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


@dataclass(frozen=True)
class Frame:
    """A rectangle of cells, from the first row and column to before the last."""

    top: int
    left: int
    bottom: int
    right: int

    def meets(self, other: Frame) -> bool:
        """Do they share a cell, or lie side by side?"""
        rows = self.top <= other.bottom and other.top <= self.bottom
        return rows and self.left <= other.right and other.left <= self.right

    def holds(self, rows: IntArray, columns: IntArray) -> BoolArray:
        """Which of these cells are inside?"""
        inside: BoolArray = (self.top <= rows) & (rows < self.bottom)
        return inside & (self.left <= columns) & (columns < self.right)

    @property
    def cells(self) -> tuple[slice, slice]:
        """As an index of rows and columns."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


@dataclass(frozen=True)
class Rescue:
    """A plan that is being followed by all who are in a rectangle."""

    frame: Frame
    agents: IntArray
    way: IntArray  # their vertices, time by time, from now on

    def is_followed(self, positions: IntArray) -> bool:
        """Are they all where the plan has them?"""
        return np.array_equal(self.way[0], positions[self.agents])


class RescuingSession:
    """The planner's own session, and the ways out of jams while there are some."""

    def __init__(self, planner: Planner, problem: Problem, seed: int) -> None:
        self.inner: Session = planner.session(problem, seed=seed)
        self.space, self.rules, self.seed = problem.space, problem.rules, seed
        self.rescues: list[Rescue] = []
        self.failures: dict[int, tuple[int, int]] = {}  # per agent how many there were, and when it may go on
        self.said: list[tuple[int, int, int]] = []

    def step(self, view: View, *, budget: Budget) -> Moves:
        """What the planner says, but for those who are on a way out of a jam, and who would be in theirs."""
        self.said = []
        disturbed = any(kind in DISTURBING for _, kind, _, _ in view.changes)
        self.rescues = [] if disturbed else [one for one in self.rescues if one.is_followed(view.positions)]
        self.look_for_ways(view, budget)
        moves = self.inner.step(view, budget=budget)
        if not self.rescues:
            return moves
        targets = self._held_back(view.positions, np.array(moves))
        for rescue in self.rescues:
            targets[rescue.agents] = rescue.way[1]
        going_on = [Rescue(one.frame, one.agents, one.way[1:]) for one in self.rescues]
        self.rescues = [one for one in going_on if len(one.way) > 1]
        return targets

    def reports(self) -> list[tuple[int, int, int]]:
        """What there is to record of this turn: rows of kind, agent, value."""
        return self.said

    def _held_back(self, here: IntArray, targets: IntArray) -> IntArray:
        """The planner's moves without those into a rectangle, or to where somebody waits because of it."""
        inside = np.zeros(self.space.n, dtype=np.bool_)
        for rescue in self.rescues:
            self._cells_of(inside)[rescue.frame.cells] = True
        leads_in = (targets != NOWHERE) & (targets != here) & inside[targets]
        held = np.flatnonzero(leads_in).tolist()
        coming = {int(targets[agent]): int(agent) for agent in np.flatnonzero((targets != here) & ~leads_in)}
        while held:
            agent = held.pop()
            targets[agent] = here[agent]
            if (behind := coming.pop(int(here[agent]), None)) is not None:
                held.append(behind)
        return targets

    def _cells_of(self, flags: BoolArray) -> BoolArray:
        assert isinstance(self.space, Grid)
        return flags.reshape(self.space.passable.shape)

    def look_for_ways(self, view: View, budget: Budget) -> None:
        """For agents that are stuck behind others, the longest first: plans that bring each closer."""
        if not isinstance(self.space, Grid) or self.rules.at_goal != "stay":
            return
        stuck = {agent: (since, behind) for agent, since, behind in view.stuck.tolist() if behind != -1}
        self.failures = {agent: tried for agent, tried in self.failures.items() if agent in stuck}
        if not stuck or not view.agents.all_unit or view.agents.any_turning:
            return
        numbers = np.array(sorted(stuck), dtype=np.int32)
        rows, columns = np.divmod(view.positions[numbers], self.space.passable.shape[1])
        taken = [one.frame for one in self.rescues]
        most = len(taken) + SEARCHES
        for agent, (_, behind) in sorted(stuck.items(), key=lambda item: (item[1][0], item[0])):
            failed, since = self.failures.get(agent, (0, 0))
            frame = self._around(view.positions[[agent, behind]], FIRST_MARGIN << failed)
            if view.time < since or any(frame.meets(other) for other in taken):
                continue
            if len(taken) == most:
                break
            jam = numbers[frame.holds(rows, columns)].tolist()
            found = self.solved(view, frame, jam, budget)
            taken.append(frame)
            if found is None:
                self.failures[agent] = min(failed + 1, MOST_FAILURES), view.time + (1 << failed)
            else:
                self.rescues.append(found)
                self.said += [(EventKind.RESCUED, one, len(found.way) - 1) for one in jam]

    def _around(self, vertices: IntArray, margin: int) -> Frame:
        assert isinstance(self.space, Grid)
        height, width = self.space.passable.shape
        rows, columns = np.divmod(vertices[vertices != NOWHERE], width)
        return Frame(
            max(int(rows.min()) - margin, 0),
            max(int(columns.min()) - margin, 0),
            min(int(rows.max()) + margin + 1, height),
            min(int(columns.max()) + margin + 1, width),
        )

    def solved(self, view: View, frame: Frame, jam: list[int], budget: Budget) -> Rescue | None:
        """The plan of LaCAM for all who are in a rectangle, until all who are stuck there are closer."""
        assert isinstance(self.space, Grid)
        here, now = view.positions, view.open
        numbers = (
            np.arange(self.space.n, dtype=np.int32).reshape(self.space.passable.shape)[frame.cells].ravel()
        )
        part = Grid(self._cells_of(now)[frame.cells], self.space.connectivity, self.space.corners)
        local = np.full(self.space.n, NOWHERE, dtype=np.int32)  # the vertex in the part
        local[numbers] = np.arange(len(numbers))
        agents = np.flatnonzero((here != NOWHERE) & (local[here] != NOWHERE)).astype(np.int32)
        if not now[here[agents]].all():
            return None  # somebody stands on a closed place
        ways = {agent: Way(view, agent) for agent in jam if now[view.goals[agent]]}
        compiled = compile_space(part)
        goals: dict[int, Cell] = {}
        for agent, way in ways.items():
            ends = [part.place(vertex) for vertex in way.ends_in(compiled, numbers, local)]
            if (end := next((place for place in ends if place not in goals.values()), None)) is not None:
                goals[agent] = end
        crowd = [Agent(part.place(int(local[here[agent]])), goals.get(int(agent))) for agent in agents]
        rules = Rules(following=self.rules.following, crossing=self.rules.crossing)
        problem = Problem.from_agents(part, crowd, rules=rules)
        nodes, left = NODES_PER_AGENT * len(crowd), budget.nodes_left
        with budget.at_most(nodes if left is None else min(nodes, left // 2)):  # the turn needs some, too
            result = LaCAM(guide=0).solve(problem, budget=budget, seed=self.seed)
        if result.plan is None:
            return None
        found = numbers[result.plan.vertices]
        closer = [ways[agent].steps_until_closer(found[:, np.searchsorted(agents, agent)]) for agent in goals]
        return Rescue(frame, agents, found[: max(closer, default=0) + 1]) if len(found) > 1 else None

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


class Way:
    """The shortest ways of an agent to its goal, on the map without the others."""

    def __init__(self, view: View, agent: int) -> None:
        self.start = int(view.positions[agent])
        self.left = _core.distance_table(view.space, int(view.goals[agent]), Budget().core)

    def ends_in(self, part: _core.Space, numbers: IntArray, local: IntArray) -> list[int]:
        """How far it comes in a part of the map, as the part's vertices: the nearest to its goal first."""
        gone = _core.distance_table(part, int(local[self.start]), Budget().core)
        left, whole = self.left[numbers], self.left[self.start]
        ends = np.flatnonzero((gone > 0) & (left >= 0) & (gone + left == whole))
        return [int(end) for end in ends[np.argsort(left[ends], kind="stable")]]

    def steps_until_closer(self, vertices: IntArray) -> int:
        """When it has come closer to its goal, on its way through these vertices; at last at their end."""
        closer = np.flatnonzero(self.left[vertices] < self.left[self.start])
        return int(closer[0]) if closer.size else len(vertices) - 1
