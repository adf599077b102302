"""The online engine: a world that owns the truth, and lets planners propose."""

from __future__ import annotations

import copy
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.agents import IDLE, Agent, agent_index
from ..model.arrays import IntArray, int32_array, read_only, whole_number
from ..model.errors import InputError, UnsupportedError
from ..model.events import EventKind
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.space import covered_cells
from ..model.to_core import compile_rules, compiled_space
from ..model.trace import Trace
from .session import Planner, Session, View

logger = logging.getLogger("sidestep.world")

Change = tuple[int, int, int, int]

# A planner is late if it takes more than this many times its budget and this many seconds on top.
# Ours stop by themselves; a planner in Python may need a moment to look at the clock.
LATE_FACTOR, LATE_SLACK = 2.0, 0.005


@dataclass(frozen=True)
class Snapshot:
    """The state of a world at one moment, for `World.restore`. Its contents are private."""

    state: tuple[Any, ...]


class World:
    """Agents on a map, moved turn by turn by a planner; goals, walls and agents may change in between.

    The world accepts only moves that collide with nothing. A planner that is late, raises or proposes
    nonsense costs safe waits, which are counted in the trace. `trace_limit` is the number of turns
    that the trace must reach back; None keeps everything.
    """

    def __init__(
        self,
        problem: Problem,
        planner: Planner | Session,
        *,
        seed: int = 0,
        trace_limit: int | None = None,
    ) -> None:
        if not isinstance(problem, Problem):
            raise InputError(f"problem must be a Problem, not {type(problem).__name__}")
        if trace_limit is not None and whole_number(trace_limit, "trace_limit") < 1:
            raise InputError(f"trace_limit must be at least one turn, not {trace_limit!r}")
        self.space, self.rules = problem.space, problem.rules
        self.session: Session = open_session(planner, problem, seed)
        self._names = list(problem.names)
        self._changes: list[Change] = []
        self._told = 0  # how many events earlier turns have returned
        self.planner_error: Exception | None = None  # what the planner raised last
        self._planner = planner
        self._core = _core.World(
            compiled_space(problem),
            compile_rules(problem.rules),
            0,
            problem.starts,
            problem.goals,
            problem.priorities,
            problem.sizes,
            problem.periods,
            trace_limit or 0,
        )

    # What is

    @property
    def time(self) -> int:
        """The number of turns so far."""
        return self._core.time

    @property
    def done(self) -> bool:
        """Is every agent that has a goal on it (or gone)?"""
        return self._core.unfinished == 0

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all agents there ever were, in the order of their indices."""
        return tuple(self._names)

    @property
    def positions(self) -> IntArray:
        """Per agent its vertex, -1 if it is gone."""
        return self._core.positions

    @property
    def goals(self) -> IntArray:
        """Per agent the vertex of its goal, -1 if it is idle."""
        return self._core.goals

    @property
    def priorities(self) -> IntArray:
        """Per agent its priority; higher goes first."""
        return self._core.priorities

    @property
    def sizes(self) -> IntArray:
        """Per agent its size: k for one that covers k x k cells."""
        return self._core.sizes

    @property
    def periods(self) -> IntArray:
        """Per agent how many turns a move takes it."""
        return self._core.periods

    def is_open(self, place: Any) -> bool:
        """May an agent enter this place now?"""
        return self._core.is_open(self.space.vertex(place))

    def where(self, agent: int | str) -> Any:
        """The place of an agent: (row, col) on a grid, a vertex on a graph, None if it is gone."""
        vertex = self._core.position(self._index(agent))
        return None if vertex == -1 else self.space.place(vertex)

    # One turn

    def step(self, budget: float | Budget | None = None, *, nodes: int | None = None) -> IntArray:
        """One turn within a budget of seconds, or of nodes for a run that is the same everywhere.

        Returns the events since the last turn, rows of (time, kind, agent, value): see `EventKind`.
        """
        if not isinstance(budget, Budget):
            budget = Budget(budget, nodes)
        elif nodes is not None:
            raise InputError("a Budget has its own node limit: give one or the other")
        fault, moves = self._ask(budget)
        if fault is None and not self._carried_out(moves):
            fault = EventKind.RAISED
        if fault is not None:
            self._core.record_fault(fault)
            self._core.wait()
        told, self._told = self._told, self._core.event_count
        return self._core.events(told)

    def _ask(self, budget: Budget) -> tuple[EventKind | None, Any]:
        """What the planner proposes, and what was wrong with how it did."""
        view, self._changes = View(self._core, self._changes), []
        begin = budget.elapsed
        try:
            moves = self.session.step(view, budget=budget)
        except Exception as error:
            self.planner_error = error
            logger.warning("the planner raised in turn %d: everybody waits", self.time, exc_info=True)
            return EventKind.RAISED, None
        seconds = budget.seconds
        if seconds is not None and budget.elapsed - begin > LATE_FACTOR * seconds + LATE_SLACK:
            return EventKind.LATE, None
        return None, moves

    def _carried_out(self, moves: Any) -> bool:
        """Lets the safe ones of the moves happen; False if they are no moves at all."""
        try:
            self._core.advance(moves)
        except (TypeError, ValueError):
            # Not the int32 array it should be; perhaps it means one.
            try:
                self._core.advance(int32_array(moves, "moves"))
            except (TypeError, ValueError) as error:
                self.planner_error = error
                return False
        return True

    # Changes from outside

    def send(self, agent: int | str, goal: Any) -> None:
        """Gives an agent a new goal; None makes it idle. While the goal is closed the agent idles, too."""
        index = self._present(agent)
        size = int(self._core.sizes[index])
        vertex = IDLE if goal is None else self._vertex(goal, size)
        if vertex != IDLE:
            self._refuse_shared_goal(vertex, size, index)
        self._core.set_goal(index, vertex)
        self._note(EventKind.GOAL, index, vertex)

    def block(self, place: Any) -> None:
        """Closes a place. An agent that stands there leaves when it can and is reported until then."""
        self._set_open(place, False)

    def free(self, place: Any) -> None:
        """Opens a place that was blocked, or a wall."""
        self._set_open(place, True)

    def add(self, agent: Agent) -> int:
        """Adds an agent and returns its index."""
        if not isinstance(agent, Agent):
            raise InputError(f"add takes an Agent, not {agent!r}")
        size, period = self._checked_body(agent)
        name = self._free_name() if agent.name is None else agent.name
        if not isinstance(name, str) or not name:
            raise InputError(f"an agent's name must be a non-empty string, not {name!r}")
        if name in self._names:
            raise InputError(f"there is or was already an agent named {name!r}")
        start = self._free_vertex(agent.start, size)
        goal = IDLE if agent.goal is None else self._vertex(agent.goal, size)
        if goal != IDLE:
            self._refuse_shared_goal(goal, size, None)
        priority = whole_number(agent.priority, "a priority")
        index = self._core.add(start, size, period)
        self._names.append(name)
        self._note(EventKind.ADD, index, start)
        self._core.set_priority(index, priority)
        self._note(EventKind.PRIORITY, index, priority)
        self._core.set_goal(index, goal)
        self._note(EventKind.GOAL, index, goal)
        return index

    def remove(self, agent: int | str) -> None:
        """Takes an agent away. Its index and name are not used again."""
        index = self._present(agent)
        vertex = self._core.position(index)
        self._core.remove(index)
        self._note(EventKind.REMOVE, index, vertex)

    def set_priority(self, agent: int | str, priority: int) -> None:
        """Changes who goes first; higher priorities do."""
        index = self._present(agent)
        value = whole_number(priority, "a priority")
        self._core.set_priority(index, value)
        self._note(EventKind.PRIORITY, index, value)

    def sync(self, positions: Mapping[int | str, Any] | Iterable[Any]) -> None:
        """Takes over where the agents really are, from a game engine or a fleet that owns the truth.

        Either places for some agents by name or index, or one place per agent, None for those gone.
        """
        if not isinstance(positions, Iterable):
            raise InputError(f"positions must be places by agent, not {positions!r}")
        vertices = self.positions
        given = positions.items() if isinstance(positions, Mapping) else enumerate(positions)
        for agent, place in given:
            index = self._index(agent)
            if place is None and vertices[index] == -1:
                continue
            self._present(index)
            vertices[index] = self._vertex(place, int(self._core.sizes[index]))
        covered = [
            cell
            for vertex, size in zip(vertices.tolist(), self._core.sizes.tolist(), strict=True)
            if vertex != -1
            for cell in covered_cells(self.space, vertex, size)
        ]
        if len(set(covered)) < len(covered):
            raise InputError("two agents cannot be in the same place")
        for index in np.flatnonzero(self.positions != vertices).tolist():
            self._core.sync(index, int(vertices[index]))
            self._note(EventKind.SYNC, index, int(vertices[index]))

    # Records

    @property
    def events(self) -> IntArray:
        """All events in the trace: rows of (time, kind, agent, value)."""
        return self._core.events()

    @property
    def trace(self) -> Trace:
        """What has happened so far, to be stored, replayed (`replay_trace`) and judged (`validate_trace`)."""
        core, count = self._core, len(self._names)
        return Trace(
            space=self.space,
            rules=self.rules,
            names=self.names,
            start_time=core.first_time,
            open=read_only(core.first_open()),
            starts=_padded(core.first_positions(), count, -1),
            goals=_padded(core.first_goals(), count, IDLE),
            priorities=_padded(core.first_priorities(), count, 0),
            positions=read_only(core.history()),
            events=read_only(core.events()),
            sizes=read_only(core.sizes),
            periods=read_only(core.periods),
            headings=_padded(core.first_headings(), count, -1),
            progress=_padded(core.first_progress(), count, 0),
        )

    def snapshot(self) -> Snapshot:
        """The whole state, the planner's included. Going back to it gives the same future again."""
        return Snapshot(copy.deepcopy(self._state()))

    def restore(self, snapshot: Snapshot) -> None:
        """Goes back to a snapshot; it can be used any number of times."""
        if not isinstance(snapshot, Snapshot):
            raise InputError(f"restore takes what snapshot() returned, not {snapshot!r}")
        state = copy.deepcopy(snapshot.state)
        self._core, self.session, self._names, self._changes, self._told = state
        self.planner_error = None

    def _state(self) -> tuple[Any, ...]:
        return (self._core, self.session, self._names, self._changes, self._told)

    # Helpers

    def _note(self, kind: EventKind, agent: int, value: int) -> None:
        self._changes.append((self.time, int(kind), agent, value))

    def _index(self, agent: int | str) -> int:
        return agent_index(agent, self._names)

    def _present(self, agent: int | str) -> int:
        index = self._index(agent)
        if self._core.position(index) == -1:
            raise InputError(f"agent {self._names[index]} is no longer there")
        return index

    def _set_open(self, place: Any, is_open: bool) -> None:
        vertex = self.space.vertex(place)
        if self._core.is_open(vertex) == is_open:
            return
        self._core.set_open(vertex, is_open)
        self._note(EventKind.FREE if is_open else EventKind.BLOCK, -1, vertex)

    def _free_name(self) -> str:
        number = len(self._names)
        while f"a{number}" in self._names:
            number += 1
        return f"a{number}"

    def _vertex(self, place: Any, size: int) -> int:
        """The vertex of a place where an agent of this size does not stick out of the grid."""
        vertex = self.space.vertex(place)
        if size > 1 and isinstance(self.space, Grid):
            row, col = self.space.place(vertex)
            if row + size > self.space.height or col + size > self.space.width:
                raise InputError(f"at {(row, col)} the {size} x {size} cells of an agent leave the grid")
        return vertex

    def _free_vertex(self, place: Any, size: int) -> int:
        vertex = self._vertex(place, size)
        for cell in covered_cells(self.space, vertex, size):
            if not self._core.is_open(cell):
                raise InputError(f"{self.space.place(cell)} is blocked")
        occupant = self._core.occupant(vertex, size)
        if occupant != -1:
            on = f"on {place}" if size == 1 else f"in the {size} x {size} cells at {place}"
            raise InputError(f"agent {self._names[occupant]} stands {on}")
        return vertex

    def _checked_body(self, agent: Agent) -> tuple[int, int]:
        """The size and period of a newcomer, if the space and the planner can have such an agent."""
        size, period = whole_number(agent.size, "a size"), whole_number(agent.period, "a period")
        if size == period == 1:
            return 1, 1
        # Alone in a small place: what the planner says to that it says to all such agents.
        room = Grid(np.ones((2, 2), dtype=np.bool_)) if isinstance(self.space, Grid) else self.space
        start = (0, 0) if isinstance(room, Grid) else 0
        alone = Problem.from_agents(room, [Agent(start, size=min(size, 2), period=period)])
        supports = getattr(self._planner, "supports", None)
        if supports is not None and not (support := supports(alone)):
            raise UnsupportedError(f"{self._planner!r} does not take such an agent: {support.reason}")
        return size, period

    def _refuse_shared_goal(self, vertex: int, size: int, agent: int | None) -> None:
        if self.rules.shared_goals:
            return
        other = self._core.bound_for(vertex, size, -1 if agent is None else agent)
        if other != -1:
            same = size == self._core.sizes[other] == 1
            raise InputError(
                f"agent {self._names[other]} already has "
                + ("the goal " if same else "a goal that overlaps ")
                + f"{self.space.place(vertex)}; Rules(shared_goals=True) allows it"
            )


def open_session(planner: Any, problem: Problem, seed: int) -> Session:
    """The session of a planner in a world that begins as this problem, or an error that says why not."""
    if isinstance(planner, type):
        raise InputError(f"the planner must be an object such as {planner.__name__}(), not the class")
    if hasattr(planner, "step"):
        return cast(Session, planner)
    if not hasattr(planner, "session"):
        raise InputError(f"{planner!r} cannot plan turn by turn: it has no session()")
    if hasattr(planner, "supports") and not (support := planner.supports(problem)):
        raise UnsupportedError(f"{planner!r} does not take this problem: {support.reason}")
    return cast(Session, planner.session(problem, seed=seed))


def _padded(values: IntArray, count: int, filler: int) -> IntArray:
    padded = np.full(count, filler, dtype=np.int32)
    padded[: len(values)] = values
    return read_only(padded)
