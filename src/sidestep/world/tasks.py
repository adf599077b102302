"""The tasks of a world: who is at work on what, who takes what next, and how long everything took.

A task is a sequence of goals that one agent is sent to, so every session takes tasks. The world asks twice a
turn: before it (`dispatch`), free agents are given tasks that are open; after it (`settle`), who stands
where it was sent goes on to its next errand, or is free. What happens is recorded as events, so that a trace
says who had which task when. Finished tasks are counted and forgotten.

If not all agents may have a task at a time (`active`), the others are parked: they have no task and no goal,
so every planner has them make room for the rest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.agents import IDLE, NOWHERE
from ..model.arrays import IntArray
from ..model.errors import InputError
from ..model.events import EventKind
from ..model.graph import Graph
from ..model.space import Space
from ..model.task import Task
from .assignment import NO_WAY, WAYS, Assignment, Costs, Pairs
from .uninterrupted import Uninterrupted

MOST_PAIRS = 4_000_000  # of agents and tasks that are compared in one turn
LOOK_FIRST = 64  # places around an agent, where a task is looked for first
_NO_TASK = -2  # of an agent: where it is sent for a task

Active = int | Literal["all", "auto"]
_CROWDED = (2, 3)  # of the open places: the agents that are active by "auto"; measured by `benchmarks active`


class TaskSource(Protocol):
    """Where tasks come from; it has no state, so that worlds can be copied and saved."""

    def released(self, time: int, first: int, *, unfinished: int, agents: int) -> Sequence[Task]:
        """Lists the tasks that are released in a turn.

        Args:
            time: The time of the turn.
            first: How many tasks it has released before.
            unfinished: How many tasks there are, those under way included.
            agents: How many agents there are.

        Returns:
            The tasks, in order.
        """
        ...

    def is_over(self, first: int) -> bool:
        """Says whether nothing comes any more.

        Args:
            first: How many tasks it has released.

        Returns:
            True if that was all.
        """
        ...


@dataclass(slots=True)
class TaskState:
    """A task in a world: its places as vertices, and how far it is."""

    number: int
    places: tuple[int, ...]
    release: int
    deadline: int | None
    priority: int
    agents: frozenset[int] | None
    done: int = 0
    taken: int = -1


@dataclass(frozen=True)
class TaskMetrics:
    """What became of the tasks of a world so far. Times are in turns.

    Attributes:
        turns: How many turns the world has made since its first task.
        released: How many tasks were released.
        finished: How many are finished.
        open: How many wait for an agent.
        under_way: How many are being worked on.
        given_back: How often a task was given back.
        late: How many were finished after their deadlines.
        per_turn: Finished tasks per turn.
        service: Mean, 95th percentile and worst of the times from release to the end, of finished tasks.
        wait: The same of the times from release until the task was taken by who finished it.
    """

    turns: int
    released: int
    finished: int
    open: int
    under_way: int
    given_back: int
    late: int
    per_turn: float
    service: tuple[float, int, int]
    wait: tuple[float, int, int]


@dataclass
class Tasks:
    """The tasks of one world.

    `source` releases more of them; `way` says who takes what; `active` how many may have one at a time.
    """

    space: Space
    shared_goals: bool
    way: Assignment
    source: TaskSource | None = None
    active: Active = "all"
    drawn: int = 0  # how many tasks the source has released
    count: int = 0  # how many there ever were: numbers of tasks
    began: int | None = None  # when the first came
    open: dict[int, TaskState] = field(default_factory=dict)
    held: dict[int, TaskState] = field(default_factory=dict)  # by agent
    finished: int = 0
    late: int = 0
    given_back: int = 0
    service: Counter[int] = field(default_factory=Counter)
    wait: Counter[int] = field(default_factory=Counter)
    _sent: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int32))  # where, by agent
    _blocked: set[int] = field(default_factory=set)  # agents whose next place is the goal of another
    _served: set[int] = field(default_factory=set)  # agents that have finished and not been sent anywhere
    _turn: int = 0  # whose turn it is to take a task, where not all may have one
    _missed: int | None = None  # the first agent or task for which the last turn had no time

    @property
    def is_pending(self) -> bool:
        """Is there a task, or will there be one, that is not finished?"""
        coming = self.source is not None and not self.source.is_over(self.drawn)
        return bool(self.open or self.held) or coming

    def add(self, core: _core.World, task: Task, places: Iterable[int], agents: Iterable[int] | None) -> int:
        """A task comes in, with its places as vertices and its agents as indices; its number."""
        number, self.count = self.count, self.count + 1
        self.began = core.time if self.began is None else self.began
        allowed = None if agents is None else frozenset(agents)
        release = max(task.release, core.time)
        state = TaskState(number, tuple(places), release, task.deadline, task.priority, allowed)
        self.open[number] = state
        core.record_seen(EventKind.TASK, NOWHERE, number)
        for place in state.places:
            core.record_seen(EventKind.ERRAND, NOWHERE, place)
        if task.deadline is not None:
            core.record_seen(EventKind.DUE, NOWHERE, task.deadline)
        return number

    def recover(self, core: _core.World) -> None:
        """Takes over the tasks that a world has recorded; those under way are given back.

        An InputError if there can be no such tasks: a trace may have been edited.
        """
        places: dict[int, list[int]] = {}
        for time, kind, agent, value in core.events().tolist():
            if kind == EventKind.TASK:
                self._recover_task(time, value)
                last, places[value] = self.open[value], []
            elif kind == EventKind.ERRAND and places:
                places[last.number].append(value)
            elif kind == EventKind.DUE and places:
                last.deadline = value
            elif kind == EventKind.TAKEN and value in self.open and agent not in self.held:
                self._hold(agent, self.open[value], time)
            elif kind == EventKind.GIVEN_BACK and agent in self.held:
                self._reopen(agent)
            elif kind == EventKind.FINISHED and agent in self.held:
                self._close(agent, time)
        for state in (*self.open.values(), *self.held.values()):
            state.places = tuple(places[state.number])
            if not state.places or not 0 <= min(state.places) <= max(state.places) < self.space.n:
                raise InputError(f"task {state.number} of the trace has no errands, or some at no place")
        self._served.clear()
        for agent in list(self.held):
            self.give_back(core, agent)
            core.set_goal(agent, IDLE)

    def _recover_task(self, time: int, number: int) -> None:
        if number < self.count:
            raise InputError(f"task {number} of the trace comes in after one with a higher number")
        self.began = time if self.began is None else self.began
        self.count = self.drawn = number + 1
        self.open[number] = TaskState(number, (), time, None, 0, None)

    def give_back(self, core: _core.World, agent: int) -> None:
        """The agent will not finish its task, if it has one: it is open again, from its first errand on."""
        self._served.discard(agent)
        if agent in self.held:
            core.record_seen(EventKind.GIVEN_BACK, agent, self._reopen(agent).number)

    def settle(self, core: _core.World) -> None:
        """After a turn: who is where it was sent goes on to the next place, or has finished."""
        if not self.held:
            return
        there = core.present
        there = there[: there.searchsorted(len(self._sent))]  # the others never had a task
        for agent in there[core.positions_of(there) == self._sent[there]].tolist():
            state, here = self.held[agent], int(self._sent[agent])
            while state.done < len(state.places) and state.places[state.done] == here:
                state.done += 1
            if state.done == len(state.places):
                core.record_seen(EventKind.FINISHED, agent, self._close(agent, core.time).number)
            else:
                self._send(core, agent, state.places[state.done])

    @property
    def any_to_dispatch(self) -> bool:
        """Whether `dispatch` has anything to do; in most worlds there are no tasks."""
        return bool(self.open or self._served or self._blocked)

    def dispatch(self, core: _core.World, budget: Budget) -> None:
        """Before a turn: free agents take tasks that are open, as many as the budget allows to look at."""
        if self.open:
            room = self._most_active(core) - len(self.held)
            if room > 0 and (free := self._free_agents(core)):
                self._assign(core, free, room, budget)
        with Uninterrupted():
            for agent in sorted(self._served):
                core.set_goal(agent, IDLE)  # it makes room
            self._served.clear()
            for agent in sorted(self._blocked):
                if core.bound_for(int(self._sent[agent]), 1, agent) == -1:
                    self._send(core, agent, int(self._sent[agent]))

    def metrics(self, time: int) -> TaskMetrics:
        """What became of the tasks so far."""
        turns = 0 if self.began is None else time - self.began
        return TaskMetrics(
            turns=turns,
            released=self.count,
            finished=self.finished,
            open=len(self.open),
            under_way=len(self.held),
            given_back=self.given_back,
            late=self.late,
            per_turn=self.finished / turns if turns else 0.0,
            service=_spread(self.service),
            wait=_spread(self.wait),
        )

    def _free_agents(self, core: _core.World) -> list[int]:
        """Who is there, has no task, and has no goal or is on it. Larger agents are sent by hand."""
        there = core.present
        positions, goals = core.positions_of(there), core.goals_of(there)
        idle = ((goals == IDLE) | (goals == positions)) & (core.sizes_of(there) == 1)
        return [agent for agent in there[idle].tolist() if agent not in self.held]

    def _most_active(self, core: _core.World) -> int:
        """How many agents may have a task at a time."""
        if self.active == "all":
            return len(core.present)
        if self.active == "auto":
            return max(1, int(core.open().sum()) * _CROWDED[0] // _CROWDED[1])
        return self.active

    def _assign(self, core: _core.World, free: list[int], room: int, budget: Budget) -> None:
        """Tasks of higher priority are given first; of the same, as `way` says; at most `room` in all."""
        now = core.time
        ready = [state for state in self.open.values() if state.release <= now]
        ready.sort(key=lambda state: (-state.priority, state.number))
        ready = ready[: max(len(free), MOST_PAIRS // len(free))]
        one_way = isinstance(self.space, Graph) and self.space.directed
        if self._missed is not None and not one_way:  # they have waited for longest
            free = _from(free, self._missed)
        elif room < len(free):  # they take turns
            free = _from(free, self._turn)
        ways = Ways(core, free, ready, budget, one_way=one_way, begin=self._missed or 0)
        pairs: list[tuple[int, TaskState]] = []
        while room > len(pairs) and free and ready:
            same = [state for state in ready if state.priority == ready[0].priority]
            ready = ready[len(same) :]
            pairs += self._given_out(same, free, room - len(pairs), ways)
            taken = {agent for agent, _ in pairs}
            free = [agent for agent in free if agent not in taken]
        with Uninterrupted():
            self._missed = ways.missed
            for agent, state in pairs:
                self._take(core, agent, state)
            self.settle(core)  # some may be there already

    def _given_out(
        self, states: list[TaskState], free: list[int], room: int, ways: Ways
    ) -> list[tuple[int, TaskState]]:
        """The first agents, as many as there is room for, choose; for who takes nothing the next may."""
        pairs: list[tuple[int, TaskState]] = []
        first = 0
        while first < len(free) and states and len(pairs) < room:
            some = free[first : first + room - len(pairs)]
            first += len(some)
            chosen = [(some[row], states[column]) for row, column in ways.pairs(self.way, some, states)]
            pairs += chosen
            given = {state.number for _, state in chosen}
            states = [state for state in states if state.number not in given]
        return pairs

    def _take(self, core: _core.World, agent: int, state: TaskState) -> None:
        self._hold(agent, state, core.time)
        self._turn = agent + 1
        core.record_seen(EventKind.TAKEN, agent, state.number)
        self._send(core, agent, state.places[0])

    def _hold(self, agent: int, state: TaskState, time: int) -> None:
        del self.open[state.number]
        self.held[agent], state.taken = state, time
        self._served.discard(agent)
        if agent >= len(self._sent):
            more = np.full(2 * agent + 1 - len(self._sent), _NO_TASK, dtype=np.int32)
            self._sent = np.concatenate([self._sent, more])

    def _release(self, agent: int) -> TaskState:
        self._sent[agent] = _NO_TASK
        self._blocked.discard(agent)
        return self.held.pop(agent)

    def _reopen(self, agent: int) -> TaskState:
        state = self._release(agent)
        state.done, state.taken = 0, -1
        self.open[state.number] = state
        self.given_back += 1
        return state

    def _close(self, agent: int, time: int) -> TaskState:
        state = self._release(agent)
        self._served.add(agent)
        self.finished += 1
        self.late += state.deadline is not None and time > state.deadline
        self.service[time - state.release] += 1
        self.wait[state.taken - state.release] += 1
        return state

    def _send(self, core: _core.World, agent: int, place: int) -> None:
        """To the next place of its task; if that is the goal of somebody else, it waits until it is not."""
        self._sent[agent] = place
        self._blocked.discard(agent)
        if not self.shared_goals and core.bound_for(place, 1, agent) != -1:
            self._blocked.add(agent)
            place = IDLE
        core.set_goal(agent, place)


class Ways:
    """How far it is from free agents to the first places of tasks, in one turn.

    Everything is looked up once, until the time is over: one agent's ways at least, so that none waits for
    ever. Who is missed has no way in this turn.

    Args:
        core: The world.
        agents: Who is free.
        states: The tasks that are ready.
        budget: What looking may take.
        one_way: Whether ways lead in one direction only: then a look finds all ways to one task, else all
            those of one agent.
        begin: The number of the task that is looked at first, if it is tasks.

    Attributes:
        missed: The first agent, or task, that there was no time for.
    """

    def __init__(
        self,
        core: _core.World,
        agents: list[int],
        states: list[TaskState],
        budget: Budget,
        *,
        one_way: bool,
        begin: int,
    ) -> None:
        self._space, self._budget, self._one_way, self._begin = core.space, budget, one_way, begin
        self._positions = core.positions_of(np.array(agents, dtype=np.int32))
        self._firsts = np.array([state.places[0] for state in states], dtype=np.int32)
        self._rows = {agent: row for row, agent in enumerate(agents)}
        self._columns = {state.number: column for column, state in enumerate(states)}
        self._found: dict[int, IntArray] = {}
        self.missed: int | None = None

    def pairs(self, way: Assignment, agents: list[int], states: list[TaskState]) -> Pairs:
        """Who takes which of the tasks, both by their place in the lists."""
        if way == "nearest" and not self._one_way:
            return self._nearest(agents, states)  # the same pairs, but nobody looks at who is far away
        return WAYS[way](self.costs(agents, states))

    def _nearest(self, agents: list[int], states: list[TaskState]) -> Pairs:
        row_of = {agent: row for row, agent in enumerate(agents)}
        permits = [
            (row_of[agent], column)
            for column, state in enumerate(states)
            for agent in state.agents or ()
            if agent in row_of
        ]
        pairs, missed = _core.nearest(
            self._space,
            self._positions[[self._rows[agent] for agent in agents]],
            self._firsts[[self._columns[state.number] for state in states]],
            np.array([state.agents is not None for state in states]),
            np.array(permits, dtype=np.int32).reshape(-1, 2),
            LOOK_FIRST,
            self._budget.core,
        )
        if missed >= 0 and self.missed is None:
            self.missed = agents[missed]
        return [(row, column) for row, column in pairs.tolist()]

    def costs(self, agents: list[int], states: list[TaskState]) -> Costs:
        """Per agent and task how far it is; NO_WAY where there is no way, or the agent may not."""
        costs = np.full((len(agents), len(states)), NO_WAY, dtype=np.int64)
        if self._one_way:
            rows = [self._rows[agent] for agent in agents]
            for column in sorted(range(len(states)), key=lambda one: states[one].number < self._begin):
                found = self._look(states[column].number, states[column].places[0], self._positions)
                costs[:, column] = NO_WAY if found is None else found[rows]
        else:  # as far from the place as to it; closed places have no way
            columns = [self._columns[state.number] for state in states]
            for row, agent in enumerate(agents):
                found = self._look(agent, int(self._positions[self._rows[agent]]), self._firsts)
                costs[row] = NO_WAY if found is None else found[columns]
        costs[costs < 0] = NO_WAY
        for column, state in enumerate(states):
            if state.agents is not None:
                costs[[agent not in state.agents for agent in agents], column] = NO_WAY
        return costs

    def _look(self, key: int, place: int, at: IntArray) -> IntArray | None:
        """The distances of some vertices to a place; None if there was no time for it."""
        if key not in self._found:
            if self._found and self._budget.exhausted:
                self.missed = key if self.missed is None else self.missed
                return None
            self._found[key] = _core.distance_table(self._space, place, Budget().core)[at]
        return self._found[key]


def _from(agents: list[int], first: int) -> list[int]:
    """The same agents, those before this one last."""
    return [agent for agent in agents if agent >= first] + [agent for agent in agents if agent < first]


def _spread(times: Counter[int]) -> tuple[float, int, int]:
    """Mean, 95th percentile and worst."""
    count = times.total()
    if not count:
        return 0.0, 0, 0
    below, rank = 0, -(-95 * count // 100)
    for time in sorted(times):
        below += times[time]
        if below >= rank:
            break
    return sum(time * number for time, number in times.items()) / count, time, max(times)
