"""Worlds that live while a page watches: turn by turn, with commands in between that can be undone."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..budget import Budget
from ..explain import Answer, Inquiry
from ..io.jsonfile import Record
from ..io.tracefile import trace_entry
from ..model.agents import Agent
from ..model.arrays import IntArray
from ..model.errors import InputError, SidestepError
from ..model.grid import Cell, Grid
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.trace import Trace
from ..move_group import move_group
from ..world import World
from ..world.snapshot import Snapshot
from ..world.switchable import SwitchableSession, switchable_of
from .forms import solver_from
from .instances import MAX_AGENTS, MAX_POSITIONS, agents_there, bits_of, check_name
from .memory import allocated
from .questions import show_answer
from .requests import Told, asked, message_of, number_from
from .script import Line, world_code
from .work import (
    MOST_TASKS,
    Supply,
    counts,
    stream_code,
    supply_from,
    task_from,
    unfinished,
    unfinished_count,
)
from .worker import Desk

# The limits of one turn. Nodes come first, so that the same commands lead to the same trace; the clock is for
# maps so large that finding distances takes longer than anybody would wait: a second, or what the rate that
# was asked for leaves for a turn, but not less than `LEAST_SECONDS`.
NODES, SECONDS, LEAST_SECONDS = 500_000, 1.0, 0.1
FASTEST = 200.0  # turns per second
A_MINUTE = 60.0  # however slow a world is, it looks at the clock so often
UNDO, UNDO_BYTES = 50, 2**28  # moments that are kept, and what they may take together
# Per vertex: what a moment shares with its world and planner until a wall changes, and then keeps alone.
SHARED_BYTES = 4
AHEAD, AHEAD_SECONDS = 500, 2.0  # turns and seconds that are looked ahead to say why


def rate_from(request: Record) -> float:
    """Turns per second; 0 is a pause."""
    return number_from(request, "rate", most=FASTEST)


@dataclass(frozen=True)
class Moment:
    """A world and its commands as they were, and how many bytes that takes."""

    snapshot: Snapshot
    lines: list[Line]
    size: int
    supply: Supply


class Live:
    """A world, what was commanded so far, and what it was before each command."""

    def __init__(self, problem: Problem, solver: Any, seed: int, supply: Supply = Supply()) -> None:
        self.problem, self.solver, self.seed = problem, solver, seed
        self.stream = supply.stream(problem, seed)  # of the beginning
        self.supply = supply  # as it is now
        self.world = World(problem, SwitchableSession(problem, solver, seed=seed), tasks=self.stream)
        self.lines: list[Line] = []  # the commands as code
        self.hurried = 0  # turns that the clock ended
        self._before: list[Moment] = []
        self._undone: list[Moment] = []

    def turn(self, stop: Any, seconds: float = SECONDS) -> IntArray:
        """One turn, no longer than this; returns what happened since the last one."""
        if (self.world.time + 2) * len(self.world.names) > MAX_POSITIONS:
            raise InputError(f"this world has had {self.world.time} turns: save it, and begin another one")
        if self.supply.number and unfinished_count(self.world) > MOST_TASKS:
            self.lines += [(self.world.time, line) for line in self.supply_by(Supply())]
            raise InputError(
                f"more than {MOST_TASKS:,} tasks are not finished: no more come in by themselves"
            )
        budget = Budget(seconds, NODES, stop=stop)
        events = self.world.step(budget)
        self.hurried += budget.elapsed >= seconds
        return events

    def supply_by(self, supply: Supply) -> list[str]:
        """From now on random tasks come in like this, others at every time; returns code for it."""
        stream = supply.stream(self.problem, (self.seed + self.world.time) % 2**63)
        self.world.supply(stream)
        self.supply = supply
        return [f"world.supply({stream_code(stream)})"]

    def command(self, name: str, request: Record) -> None:
        """Carries out a command, or refuses it and changes nothing."""
        before = self._moment()
        try:
            lines = COMMANDS[name](self, request)
            request.done()
        except BaseException:
            self._go_to(before)
            raise
        self.lines += [(self.world.time, line) for line in lines]
        self._undone.clear()
        self._before.append(before)
        self._forget()

    def undo(self) -> None:
        """The world as it was before the last command."""
        if not self._before:
            raise InputError("there is nothing to undo")
        self._undone.append(self._moment())
        self._go_to(self._before.pop())
        self._forget()

    def redo(self) -> None:
        """The world as it was before the last undo."""
        if not self._undone:
            raise InputError("there is nothing to redo")
        self._before.append(self._moment())
        self._go_to(self._undone.pop())
        self._forget()

    def _moment(self) -> Moment:
        before, snapshot, after = allocated(), self.world.snapshot(), allocated()
        if before is None or after is None:
            size = self._estimated_bytes()
        else:
            size = after - before + SHARED_BYTES * self.world.space.n
        return Moment(snapshot, list(self.lines), size, self.supply)

    def _estimated_bytes(self) -> int:
        """What a snapshot may take where the system does not say: all positions, and what planners know."""
        world = self.world
        return len(world.names) * (4 * world.time + 2 * world.space.n) + 500 * world.space.n

    def _go_to(self, moment: Moment) -> None:
        self.world.restore(moment.snapshot)
        self.lines, self.supply = list(moment.lines), moment.supply

    def _forget(self) -> None:
        """Keeps as many moments as fit: what is farthest from now goes first."""
        while self._before or self._undone:
            moments = len(self._before) + len(self._undone)
            size = sum(moment.size for moment in (*self._before, *self._undone))
            if moments <= UNDO and size <= UNDO_BYTES:
                return
            (self._before or self._undone).pop(0)

    def state(self) -> dict[str, Any]:
        """All that a page needs to draw the world as it is."""
        world, held_back = self.world, switchable_of(self.world).held_back
        return {
            "time": world.time,
            "done": world.done,
            "positions": world.positions.tolist(),
            "goals": world.goals.tolist(),
            "priorities": world.priorities.tolist(),
            "periods": [held_back.get(agent, 1) for agent in range(len(world.names))],
            "names": list(world.names),
            "walls": bits_of(~self.grid_now().open),
            "tasks": unfinished(world),
            "work": counts(world),
            "supply": {self.supply.kind: self.supply.number} if self.supply.number else {},
            "undo": len(self._before),
            "redo": len(self._undone),
        }

    def grid_now(self) -> Grid:
        """The map with the walls of this moment."""
        grid = self.problem.space
        assert isinstance(grid, Grid)
        is_open = self.world.open
        return Grid(is_open.reshape(grid.passable.shape), grid.connectivity, grid.corners)

    def code(self) -> str:
        """Code that does all of this again."""
        return world_code(
            self.problem,
            self.solver,
            self.lines,
            seed=self.seed,
            nodes=NODES,
            turns=self.world.time,
            hurried=self.hurried,
            tasks="" if self.stream is None else f", tasks={stream_code(self.stream)}",
        )

    def future(self) -> tuple[Plan, list[int]]:
        """What is going to happen if nobody interferes, as a plan, and which agents are in it."""
        if self.supply.number or unfinished_count(self.world):
            raise InputError("while there are tasks, nobody knows who is sent where next")
        here, now = self.world.snapshot(), self.world.time
        agents = agents_there(self.world, self.world.positions)
        problem = Problem.from_agents(self.grid_now(), agents.values(), rules=self.world.rules)
        there = list(agents)
        give_up = time.monotonic() + AHEAD_SECONDS
        try:
            while not self.world.done and self.world.time < now + AHEAD and time.monotonic() < give_up:
                self.world.step(Budget(SECONDS, NODES))
            if not self.world.done:
                ahead = self.world.time - now
                raise InputError(f"in the next {ahead} turns not everybody arrives: nobody can say why yet")
            positions = self.world.trace.positions[now:, there]
        finally:
            self.world.restore(here)
        return Plan(problem, np.ascontiguousarray(positions)), there


# Commands: each reads its fields, changes the world and returns the code that does the same


def _block(live: Live, request: Record) -> list[str]:
    return _each_cell(live, request, "block")


def _free(live: Live, request: Record) -> list[str]:
    return _each_cell(live, request, "free")


def _each_cell(live: Live, request: Record, name: str) -> list[str]:
    cells = [(row, col) for row, col in request.pairs("cells", low=0, high=2**31 - 1)]
    for cell in cells:
        getattr(live.world, name)(cell)
    return [f"for cell in {cells}:\n    world.{name}(cell)"] if cells else []


def _send(live: Live, request: Record) -> list[str]:
    agents, cell = _agents(live, request), _cell(request, "cell")
    if len(agents) > 1 and cell is not None:
        move_group(live.world, agents, cell)
        return [f"ss.move_group(world, {agents}, {cell})"]
    for agent in agents:
        live.world.send(agent, cell)
    return [f"world.send({agent}, {cell})" for agent in agents]


def _add(live: Live, request: Record) -> list[str]:
    if len(live.world.names) >= MAX_AGENTS:
        raise InputError(f"there may be at most {MAX_AGENTS:,} agents")
    name = request.text("name") if request.has("name") else None
    check_name(name)
    agent = Agent(_cell(request, "start"), _cell(request, "goal"), name=name)
    live.world.add(agent)
    return [f"world.add(ss.{agent!r})"]


def _task(live: Live, request: Record) -> list[str]:
    if unfinished_count(live.world) >= MOST_TASKS:
        raise InputError(f"{MOST_TASKS:,} tasks are not finished: wait until some are")
    task = task_from(request)
    live.world.submit(task)
    return [f"world.submit(ss.Task({task.errands}))"]


def _supply(live: Live, request: Record) -> list[str]:
    return live.supply_by(supply_from(request))


def _remove(live: Live, request: Record) -> list[str]:
    agents = _agents(live, request)
    for agent in agents:
        live.world.remove(agent)
    return [f"world.remove({agent})" for agent in agents]


def _priority(live: Live, request: Record) -> list[str]:
    agent, value = request.integer("agent", low=0), request.integer("value")
    live.world.set_priority(agent, value)
    return [f"world.set_priority({agent}, {value})"]


def _planner(live: Live, request: Record) -> list[str]:
    solver = solver_from(request)
    switchable_of(live.world).switch(solver)
    return [f"planners.switch(ss.{solver!r})"]


def _slow(live: Live, request: Record) -> list[str]:
    agents, period = _agents(live, request), request.integer("period", low=1, high=1000)
    switchable_of(live.world).hold_back(agents, period)
    return [f"planners.hold_back({agents}, {period})"]


COMMANDS: dict[str, Callable[[Live, Record], list[str]]] = {
    "block": _block,
    "free": _free,
    "send": _send,
    "add": _add,
    "task": _task,
    "supply": _supply,
    "remove": _remove,
    "priority": _priority,
    "planner": _planner,
    "slow": _slow,
}


def _agents(live: Live, request: Record) -> list[int]:
    agents = request.integers("agents", low=0, high=len(live.world.names) - 1)
    if not agents or len(set(agents)) < len(agents):
        raise request.error("agents", "must be different agents, at least one")
    return agents


def _cell(request: Record, name: str) -> Cell | None:
    if not request.has(name):
        return None
    numbers = request.integers(name, low=0)
    if len(numbers) != 2:
        raise request.error(name, f"must be [row, col], not {len(numbers)} numbers")
    return numbers[0], numbers[1]


class Life:
    """A world in a worker: turns at its rate, and commands as they come, until its page ends it."""

    def __init__(self, desk: Desk, live: Live, rate: float) -> None:
        self.desk, self.live, self.rate = desk, live, rate
        self._due = time.monotonic()
        self._others: dict[str, Callable[[Record], None]] = {
            **{name: getattr(self, f"_{name}") for name in ("step", "rate", "undo", "redo")},
            **{name: getattr(self, f"_{name}") for name in ("why", "why_not", "why_first")},
            **{name: getattr(self, f"_{name}") for name in ("save", "python")},
        }

    def run(self) -> None:
        """Until the page ends it, or is gone."""
        self._say_state("begin")
        while not self.desk.stop.is_set():
            command = self.desk.hear(self._patience())
            if command:
                self._obey(command)
            elif not self.desk.stop.is_set() and self._runs:
                self._turn_in_time()

    @property
    def _runs(self) -> bool:
        return self.rate > 0 and not self.live.world.done

    def _patience(self) -> float | None:
        """How long a command may be waited for: until the next turn, or for ever."""
        return min(max(self._due - time.monotonic(), 0.0), A_MINUTE) if self._runs else None

    def _turn_in_time(self) -> None:
        if time.monotonic() < self._due:
            return
        self._due = max(self._due + 1 / self.rate, time.monotonic())
        try:
            self._turn(min(SECONDS, max(LEAST_SECONDS, 1 / self.rate)))
        except InputError as error:
            self.rate = 0.0
            self.desk.say(error=str(error))
            self._say_state("turn")

    def _turn(self, seconds: float = SECONDS) -> None:
        events = self.live.turn(self.desk.stop, seconds)
        world = self.live.world
        turn = {"time": world.time, "done": world.done, "work": counts(world)}
        self.desk.say(turn={**turn, "positions": world.positions.tolist(), "events": events.tolist()})

    def _obey(self, command: Told) -> None:
        message = message_of(command)
        name = str(message["do"]).removeprefix("live-")
        request = asked(message, "do", "id")
        try:
            if name in COMMANDS:
                self.live.command(name, request)
                self._say_state(name)
            elif name in self._others:
                self._others[name](request)
            else:
                raise InputError(f"there is no command {name[:40]!r}")
        except (SidestepError, MemoryError) as error:
            self.desk.say(error=str(error) or "there is not enough memory for this", after=name)

    def _say_state(self, after: str) -> None:
        self.desk.say(state={**self.live.state(), "rate": self.rate}, after=after)

    def _step(self, request: Record) -> None:
        request.done()
        self._turn()

    def _rate(self, request: Record) -> None:
        rate = rate_from(request)
        request.done()
        self.rate, self._due = rate, time.monotonic()
        self._say_state("rate")

    def _undo(self, request: Record) -> None:
        request.done()
        self.live.undo()
        self._say_state("undo")

    def _redo(self, request: Record) -> None:
        request.done()
        self.live.redo()
        self._say_state("redo")

    def _why(self, request: Record) -> None:
        agent, world = self._agent_of(request, "agent"), self.live.world
        request.done()
        try:
            future, there = self.live.future()
        except InputError:  # nobody knows how it goes on: the last turn is asked about, if there was one
            if world.time == world.trace.start_time:
                raise
            show_answer(self.desk, Inquiry(world.trace).why(agent, world.time - 1))
        else:
            self._answer_ahead(Inquiry(future).why(there.index(agent), 0))

    def _why_not(self, request: Record) -> None:
        """Why an agent is not going to be in a place after some turns."""
        agent, place = self._agent_of(request, "agent"), tuple(request.integers("place"))
        turns = request.integer("turns", low=0)
        request.done()
        future, there = self.live.future()
        if turns > future.makespan:
            raise InputError(f"in {future.makespan} turns everybody has arrived: ask about one of these")
        self._answer_ahead(Inquiry(future).why_not(there.index(agent), turns, place))

    def _why_first(self, request: Record) -> None:
        """Where one agent is going to go before another, and why."""
        agent, other = (self._agent_of(request, name) for name in ("agent", "other"))
        request.done()
        future, there = self.live.future()
        self._answer_ahead(Inquiry(future).why_first(there.index(agent), there.index(other)))

    def _agent_of(self, request: Record, name: str) -> int:
        """One that is in the world now."""
        world = self.live.world
        agent = request.integer(name, low=0, high=len(world.names) - 1)
        if world.positions[agent] == -1:
            raise InputError(f"agent {world.names[agent]} is no longer there")
        return agent

    def _answer_ahead(self, answer: Answer) -> None:
        """An answer about what is going to happen, whose times are counted from now."""
        now = self.live.world.time
        show_answer(self.desk, answer, f"Times are counted from now, which is time {now}." if now else "")

    def _save(self, request: Record) -> None:
        request.done()
        trace: Trace = self.live.world.trace
        self.desk.say(trace=trace_entry(trace))

    def _python(self, request: Record) -> None:
        request.done()
        self.desk.say(python=self.live.code())
