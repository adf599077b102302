"""The online engine: a world that owns the truth, and lets planners propose."""

from __future__ import annotations

import copy
import logging
from collections.abc import Iterable, Mapping
from typing import Any
from uuid import uuid4

import numpy as np

from ..budget import Budget
from ..model.agents import FOR_GOOD, IDLE, Agent, AgentTable, HasAgents, Names, agent_index, checked_names
from ..model.arrays import BoolArray, IntArray, int32_array, whole_number
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.problem import Problem
from ..model.task import Task
from ..model.trace import Trace
from .asking import budget_of
from .assignment import Assignment
from .checks import (
    checked_body,
    fitting_vertex,
    free_vertex,
    refuse_mixed_turning,
    refuse_overlaps,
    refuse_shared_goal,
)
from .jams import MAX_PATIENCE, Stuck, stuck_agents
from .one_thread import one_thread
from .record import recorded
from .replay import replayed
from .session import Planner, Session, SomeMoves, agents_now
from .snapshot import STATE, SavableWorld, Snapshot, fresh_core
from .tasks import Active, TaskSource
from .uninterrupted import Uninterrupted
from .working import Working

logger = logging.getLogger("sidestep.world")


class World(HasAgents, SavableWorld, Working):
    """Agents on a map, moved turn by turn by a planner; goals, walls and agents may change in between.

    The world accepts only moves that collide with nothing. A planner that is late, raises or proposes
    nonsense costs safe waits, which are counted in the trace.

    Several threads may use a world: who wants to step, change, record or copy it waits until no other thread
    does. So a planner must not wait, in its step, for a thread that changes the world.

    Args:
        problem: What the world begins as.
        planner: What plans: an online solver such as `WHCA()`, or a session of your own.
        seed: Where all that is random in the planner comes from.
        trace_limit: How many turns the trace must reach back; None keeps everything.
        stuck_after: After how many turns in which nobody in a jam comes closer to its goal the jam is
            reported, see `stuck`; None never looks. Of slow agents it counts moves.
        tasks: Where work comes from: a `Stream`, or some tasks; more may come by `submit`.
        assign: Who takes which task, by the way to its first place: `"nearest"` the shortest way first,
            `"assignment"` so that the sum of the ways is least, `"regret"` whom the second choice would
            cost most first, `"first"` in the order of tasks and agents, however long the way.
        active: How many agents may have a task at a time: `"all"`, a number, or `"auto"`, two thirds of the
            places that are open now, for maps that are too full to move. The others are parked: they have
            no task and no goal, and make room. Agents take turns at having a task.

    Attributes:
        space: Where the agents are; its walls are those of the beginning.
        rules: The rules of the problem.
        session: The planner at work.
        planner_error: What the planner raised last, else None.
        turn_times: How many seconds the planner took in each of the last turns, 10,000 at most.
        failed_turns: In how many turns in a row, up to the last one, the planner has raised, was late or
            answered nonsense, so that everybody waited: see `trouble`.

    Raises:
        InputError: An argument is not valid, or the planner cannot plan turn by turn.
        UnsupportedError: The planner does not take the problem.
    """

    def __init__(
        self,
        problem: Problem,
        planner: Planner | Session,
        *,
        seed: int = 0,
        trace_limit: int | None = None,
        stuck_after: int | None = 50,
        tasks: TaskSource | Iterable[Task] | None = None,
        assign: Assignment = "nearest",
        active: Active = "all",
    ) -> None:
        if not isinstance(problem, Problem):
            raise InputError(f"problem must be a Problem, not {type(problem).__name__}")
        if trace_limit is not None and whole_number(trace_limit, "trace_limit") < 1:
            raise InputError(f"trace_limit must be at least one turn, not {trace_limit!r}")
        if stuck_after is not None and not 1 <= whole_number(stuck_after, "stuck_after") <= MAX_PATIENCE:
            raise InputError(f"stuck_after must be from 1 to {MAX_PATIENCE} turns, not {stuck_after!r}")
        super().__init__()
        self._watching = (trace_limit or 0, stuck_after or 0)
        self.space, self.rules = problem.space, problem.rules
        self._problem = problem
        self._identity = uuid4().hex  # of this world and of its copies
        self.hold(planner, problem, seed)
        self._names = Names(problem.names)
        self._told = 0  # how many events earlier turns have returned
        self._core = fresh_core(problem, *self._watching)
        self._begin_work(tasks, assign, active)

    @classmethod
    def from_trace(cls, trace: Trace, planner: Planner, **options: Any) -> World:
        """Makes a world that continues where a trace ends, with all that the trace has recorded.

        The planner is told how everything is, and knows nothing of how it came about.

        Args:
            trace: What was recorded, perhaps read from a file.
            planner: What plans from now on: an online solver.
            **options: Those of the constructor: `seed`, `trace_limit`, `stuck_after`, `tasks`, `assign`,
                `active`. Tasks that were under way are given back; who may take them is not in a trace.

        Returns:
            The world at the end of the trace.

        Raises:
            InputError: Something happens in the trace that cannot, or an argument is not valid.
            UnsupportedError: The planner does not take the agents.
        """
        core = replayed(trace)
        work = (options.pop("tasks", None), options.pop("assign", "nearest"), options.pop("active", "all"))
        world = cls(Problem(trace.space, [], [], rules=trace.rules), planner, **options)
        if world.opener is None:
            raise InputError("a trace is continued by a planner that opens a session, such as WHCA()")
        for body in {*zip(*(getattr(trace, one.column).tolist() for one in FOR_GOOD), strict=True)}:
            written = {one.field: one.written(value) for one, value in zip(FOR_GOOD, body, strict=True)}
            checked_body(world, world.space, Agent(0, **written))
        core.watch(*world._watching)
        world._core, world._names = core, Names(trace.names)
        world._told, world._heard = core.event_count, core.change_count
        world._failed = True  # so that the session is opened anew, and told all that it must know
        world._begin_work(*work)
        return world

    # What is

    @property
    def time(self) -> int:
        """The number of turns so far."""
        return self._core.time

    @property
    def done(self) -> bool:
        """Whether every agent that has a goal is on it, or gone, and no task is left."""
        return self._core.unfinished == 0 and not self._tasks.is_pending

    @property
    @one_thread
    def agents(self) -> AgentTable:
        """All agents there ever were, as they are now; `starts` are their positions."""
        return agents_now(self._core, self.space, self._names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all agents there ever were, in the order of their indices."""
        return tuple(self._names)

    @property
    def positions(self) -> IntArray:
        """Per agent its vertex, -1 if it is gone."""
        return self._core.positions

    @property
    def open(self) -> BoolArray:
        """Per vertex whether an agent may enter it now."""
        return self._core.open()

    @property
    def stuck(self) -> tuple[Stuck, ...]:
        """Who is stuck in a jam, or has no way to its goal: see `Stuck`. Jams may dissolve by themselves."""
        return stuck_agents(self._core)

    def is_open(self, place: Any) -> bool:
        """Says whether agents may enter a place now.

        Args:
            place: A cell `(row, col)` on a grid, a vertex on a graph.

        Returns:
            True if they may, whether or not an agent is there.

        Raises:
            InputError: There is no such place.
        """
        return self._core.is_open(self.space.vertex(place))

    def where(self, agent: int | str) -> Any:
        """Finds an agent.

        Args:
            agent: Its index or its name.

        Returns:
            A cell `(row, col)` on a grid, a vertex on a graph, None if the agent is gone.

        Raises:
            InputError: There is no such agent.
        """
        vertex = self._core.position(self._index(agent))
        return None if vertex == -1 else self.space.place(vertex)

    # One turn

    @one_thread
    def step(self, budget: float | Budget | None = None, *, nodes: int | None = None) -> IntArray:
        """Makes one turn.

        Args:
            budget: What the planner may use: seconds, or a `Budget`; None is no limit.
            nodes: How many nodes it may expand, for a run that is the same on every machine; None is no
                limit.

        Returns:
            The events since the last turn, as rows (time, kind, agent, value): see `EventKind`.

        Raises:
            InputError: A limit is not valid, or both a `Budget` and nodes are given.
        """
        given = budget_of(budget, nodes)
        self._hand_out(given)
        fault, moves = self._ask(given)
        if fault is None:
            for kind, agent, value in getattr(self.session, "reports", list)():
                self._core.record_seen(kind, agent, value)
        if fault is None and not self._carried_out(moves):
            fault = EventKind.RAISED
        self._count(fault)
        if fault is not None:
            with Uninterrupted():
                self._core.record_fault(fault)
                self._core.wait()
                self._tasks.settle(self._core)
        told, self._told = self._told, self._core.event_count
        return self._core.events(told)

    def _carried_out(self, moves: Any) -> bool:
        """Lets the safe ones of the moves happen; False if they are no moves at all."""
        try:
            self._advance(moves)
        except (TypeError, ValueError):
            # Not the int32 array it should be; perhaps it means one.
            try:
                self._advance(int32_array(moves, "moves"))
            except Exception as error:  # what is no array may raise anything when it is to become one
                self.planner_error = error
                logger.warning("the planner answered nonsense in turn %d: %s", self.time, error)
                return False
        return True

    def _advance(self, moves: Any) -> None:
        """The turn happens, for tasks, too."""
        with Uninterrupted():
            if isinstance(moves, SomeMoves):
                self._core.advance_some(moves.agents, moves.targets)
            else:
                self._core.advance(moves)
            self._tasks.settle(self._core)

    # Changes from outside

    @one_thread
    def send(self, agent: int | str, goal: Any) -> None:
        """Gives an agent a new goal, instead of its task if it has one. While the goal is closed it idles.

        Args:
            agent: Its index or its name.
            goal: A place; None makes the agent idle.

        Raises:
            InputError: There is no such agent or place, or another agent has the goal and the rules do not
                allow it.
        """
        index = self._present(agent)
        size = self._core.body_of(index)[0]
        vertex = IDLE if goal is None else self._vertex(goal, size)
        if vertex != IDLE:
            self._refuse_shared_goal(vertex, size, index)
        with Uninterrupted():
            self._tasks.give_back(self._core, index)
            self._core.set_goal(index, vertex)

    @one_thread
    def block(self, place: Any) -> None:
        """Closes a place. An agent that stands there leaves when it can and is reported until then.

        Args:
            place: A cell `(row, col)` on a grid, a vertex on a graph. If it is closed already, nothing
                happens.

        Raises:
            InputError: There is no such place.
        """
        self._set_open(place, False)

    @one_thread
    def free(self, place: Any) -> None:
        """Opens a place that was blocked, or a wall.

        Args:
            place: As for `block`. If it is open already, nothing happens.

        Raises:
            InputError: There is no such place.
        """
        self._set_open(place, True)

    @one_thread
    def add(self, agent: Agent) -> int:
        """Adds an agent.

        Args:
            agent: The agent. Without a name it is called by its index: a7.

        Returns:
            Its index.

        Raises:
            InputError: Its name was used before, its start is closed or taken, it has a facing and the others
                have none, or another agent has its goal and the rules do not allow it.
            UnsupportedError: The planner does not take agents of this size or period, or with a facing.
        """
        if not isinstance(agent, Agent):
            raise InputError(f"add takes an Agent, not {agent!r}")
        body = checked_body(self, self.space, agent)
        refuse_mixed_turning(self._core, self._names, agent)
        size = body[0]
        (name,) = checked_names([self._free_name() if agent.name is None else agent.name])
        if name in self._names:
            raise InputError(f"there is or was already an agent named {name!r}")
        start = free_vertex(self._core, self.space, self._names, agent.start, size)
        goal = IDLE if agent.goal is None else self._vertex(agent.goal, size)
        if goal != IDLE:
            self._refuse_shared_goal(goal, size, -1)
        priority = whole_number(agent.priority, "a priority")
        with Uninterrupted():
            index = self._core.add(start, *body)
            self._names.append(name)
            self._core.set_priority(index, priority)
            self._core.set_goal(index, goal)
        return index

    @one_thread
    def remove(self, agent: int | str) -> None:
        """Takes an agent away. Its index and name are not used again. Its task, if any, it gives back.

        Args:
            agent: Its index or its name.

        Raises:
            InputError: There is no such agent any more.
        """
        index = self._present(agent)
        with Uninterrupted():
            self._tasks.give_back(self._core, index)
            self._core.remove(index)

    @one_thread
    def set_priority(self, agent: int | str, priority: int) -> None:
        """Changes the priority of an agent.

        Args:
            agent: Its index or its name.
            priority: A whole number; higher ones go first.

        Raises:
            InputError: There is no such agent any more, or it is no whole number.
        """
        index = self._present(agent)
        value = whole_number(priority, "a priority")
        self._core.set_priority(index, value)

    @one_thread
    def sync(self, positions: Mapping[int | str, Any] | Iterable[Any]) -> None:
        """Takes over where the agents really are, from a game engine or a fleet that owns the truth.

        Args:
            positions: Either places by index or name, for some agents, or one place per agent, in order; None
                for an agent that is gone already. Which way agents look stays as it is.

        Raises:
            InputError: There is no such agent or place, or two agents would overlap.
        """
        positions = positions.tolist() if isinstance(positions, np.ndarray) else positions
        if not isinstance(positions, Iterable):
            raise InputError(f"positions must be places by agent, not {positions!r}")
        vertices = self.positions
        given = positions.items() if isinstance(positions, Mapping) else enumerate(positions)
        for agent, place in given:
            index = self._index(agent)
            if place is None and vertices[index] == -1:
                continue
            self._present(index)
            vertices[index] = self._vertex(place, self._core.body_of(index)[0])
        refuse_overlaps(self.space, vertices.tolist(), self._core.sizes.tolist())
        with Uninterrupted():
            for index in np.flatnonzero(self.positions != vertices).tolist():
                self._core.sync(index, int(vertices[index]))

    # Records

    @property
    def events(self) -> IntArray:
        """All events in the trace: rows of (time, kind, agent, value)."""
        return self._core.events()

    @property
    @one_thread
    def trace(self) -> Trace:
        """What has happened so far, to be stored, replayed (`replay_trace`) and judged (`validate_trace`)."""
        return recorded(self._core, self.agents, self.rules)

    @one_thread
    def snapshot(self) -> Snapshot:
        """Copies the whole state, the planner's included. Going back to it gives the same future again.

        Returns:
            What `restore` takes.
        """
        state = copy.deepcopy({name: getattr(self, name) for name in STATE})
        return Snapshot(state, self._identity, self._problem)

    @one_thread
    def restore(self, snapshot: Snapshot) -> None:
        """Goes back to a snapshot, any number of times.

        Args:
            snapshot: What `snapshot` of this world, or of the one that it is a copy of, returned.

        Raises:
            InputError: It is none, or one of another world.
        """
        if not isinstance(snapshot, Snapshot):
            raise InputError(f"restore takes what snapshot() returned, not {snapshot!r}")
        if snapshot.world != self._identity:
            raise InputError("this is a snapshot of another world: restore it there")
        state = copy.deepcopy(snapshot.state)
        with Uninterrupted():
            for name, value in state.items():
                setattr(self, name, value)
            self.planner_error = None

    # Helpers

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

    def _free_name(self) -> str:
        number = len(self._names)
        while f"a{number}" in self._names:
            number += 1
        return f"a{number}"

    def _vertex(self, place: Any, size: int) -> int:
        return fitting_vertex(self.space, place, size)

    def _refuse_shared_goal(self, vertex: int, size: int, agent: int) -> None:
        if not self.rules.shared_goals:
            refuse_shared_goal(self._core, self.space, self._names, vertex, size=size, but=agent)
