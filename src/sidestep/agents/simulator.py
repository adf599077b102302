"""Agents in one process with messages that may be lost, late, doubled or cut off, by a seed.

A message takes one unit of time, and more under faults. Everything random comes from the seed, so a run can
be had again; every agent can be run again alone from its inbox.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ..model.errors import InputError
from ..model.problem import Problem
from ..world.world import World
from . import messages as m
from .agent import Agent, Brief
from .briefing import briefs_of, limit_of
from .causes import cause_of
from .ground import Ground
from .outcome import Run, outcome_of
from .protocol import Protocol, protocol_of
from .recorder import Recorder

RUN = "simulated"
DEADLINE = 300  # units of time for a tick
RESEND = 15  # units of time, at least, between two looks of an agent at what was not heard


@dataclass(frozen=True)
class Faults:
    """What goes wrong with messages and agents.

    Attributes:
        loss: the chance that a message is lost.
        delay: up to how many units of time a message takes more than one; with any, they overtake each other.
        duplicates: the chance that a message arrives twice.
        partitions: how often the agents fall into two parts that do not hear each other.
        partition_time: how many units of time that lasts.
        crashes: how many agents stop for good, at random times.
        crash_at: pairs (agent, unit of time) of such that stop then.
        restart: after how many units of time another takes over from a crashed one; None: nobody does.
    """

    loss: float = 0.0
    delay: int = 0
    duplicates: float = 0.0
    partitions: int = 0
    partition_time: int = 500
    crashes: int = 0
    crash_at: tuple[tuple[int, int], ...] = ()
    restart: int | None = None

    def __post_init__(self) -> None:
        for name in ("loss", "duplicates"):
            if not 0 <= getattr(self, name) < 1:
                raise InputError(f"{name} is a chance from 0 to below 1, not {getattr(self, name)!r}")
        for name in ("delay", "partitions", "partition_time", "crashes"):
            if getattr(self, name) < 0:
                raise InputError(f"{name} must not be negative, and is {getattr(self, name)!r}")

    @property
    def any(self) -> bool:
        """Does anything go wrong at all?"""
        return self != Faults(partition_time=self.partition_time, restart=self.restart)


@dataclass
class Log:
    """What one agent heard, and what it said thereupon.

    Attributes:
        brief: what it knew from the beginning.
        entries: what it heard, with what it said; the first has no message, since it speaks unasked.
    """

    brief: Brief
    entries: list[tuple[m.Message | None, list[m.Message]]] = field(default_factory=list)

    def replay(self) -> list[list[m.Message]]:
        """Runs the agent again, alone, on what it heard.

        Returns:
            What it says after each entry.
        """
        agent = Agent(self.brief)
        return [agent.begin() if heard is None else agent.hear(heard) for heard, _ in self.entries]


Deed = Callable[[int, Any], None]  # what happens to whom, with which message


class Agenda:
    """What is going to happen, by time; at one time in the order in which it was put down."""

    def __init__(self) -> None:
        self._deeds: dict[int, list[tuple[Deed, int, m.Message | None]]] = {}
        self._times: list[int] = []  # a heap

    def __bool__(self) -> bool:
        return bool(self._times)

    def add(self, time: int, deed: Deed, who: int, message: m.Message | None = None) -> None:
        """Puts something down."""
        deeds = self._deeds.get(time)
        if deeds is None:
            deeds = self._deeds[time] = []
            heapq.heappush(self._times, time)
        deeds.append((deed, who, message))

    def next(self) -> tuple[int, Iterator[tuple[Deed, int, m.Message | None]]]:
        """The next time, and all that happens then."""
        time = heapq.heappop(self._times)
        return time, iter(self._deeds.pop(time))


class Simulator:
    """A run, event by event.

    Args:
        problem: What is asked.
        protocol: How agents plan and talk.
        faults: What goes wrong.
        seed: Where all that is random comes from.
        guard: Refuse moves that would collide?
        wire: Encode and decode every message, as if it went over a network?
    """

    def __init__(
        self,
        problem: Problem,
        protocol: Protocol,
        *,
        faults: Faults,
        seed: int,
        guard: bool,
        wire: bool,
        limit: int,
    ) -> None:
        self.problem, self.faults, self.wire = problem, faults, wire
        self.random = Random(seed)
        linger = 0 if faults.restart is None else 1 + faults.restart // DEADLINE
        self.ground = Ground(
            problem, RUN, protocol, limit=limit, guard=guard, linger=linger, lossy=faults.any
        )
        self.recorder = Recorder(problem)
        briefs = briefs_of(problem, protocol, RUN, reliable=not faults.any)
        self.agents: list[Agent | None] = [Agent(brief) for brief in briefs]
        self.logs = [Log(brief) for brief in briefs]
        self.lost = self.doubled = 0
        # Most answers come within two of these, also where they are late; a tick has room for several.
        self._resend_after = min(max(RESEND, 1 + faults.delay), 2 * RESEND)
        self.time = 0
        self._agenda = Agenda()
        self._parted: tuple[int, set[int]] = (0, set())  # until when, and one of the parts

    def run(self) -> None:
        """Until the world is done."""
        for agent in range(len(self.agents)):
            self._hear(agent, None)
        self._plan_faults()
        self._set_deadline()
        while (self._agenda or self._nobody_speaks()) and not self.ground.over:
            self.time, deeds = self._agenda.next()
            for deed, who, message in deeds:
                deed(who, message)
                if self.ground.over:
                    break
        if not self.ground.over:
            raise RuntimeError("nobody has anything to say any more, and nobody is done")

    def _plan_faults(self) -> None:
        if not self.faults.any:
            return
        agents = len(self.agents)
        for agent in range(agents):
            self._agenda.add(self.random.randint(1, self._resend_after), self._resend, agent)
        span = 60 * max(10, self.ground.problem.n_agents)
        for _ in range(self.faults.partitions):
            self._agenda.add(self.random.randint(1, span), self._part, -1)
        crashing = self.random.sample(range(agents), min(self.faults.crashes, agents))
        at_random = [(agent, self.random.randint(1, span)) for agent in crashing]
        for agent, when in (*self.faults.crash_at, *at_random):
            self._agenda.add(when, self._crash, agent)
            if self.faults.restart is not None:
                self._agenda.add(when + self.faults.restart, self._restart, agent)

    # What happens

    def _deadline(self, tick: int, _: None) -> None:
        self._tell_all(self.ground.deadline(tick))

    def _resend(self, agent: int, _: None) -> None:
        self._hear(agent, m.timeout(RUN, agent))
        self._agenda.add(self.time + self._resend_after, self._resend, agent)

    def _part(self, _: int, __: None) -> None:
        half = self.random.sample(range(len(self.agents)), len(self.agents) // 2)
        self._parted = (self.time + self.faults.partition_time, set(half))

    def _crash(self, agent: int, _: None) -> None:
        self.agents[agent] = None

    def _restart(self, agent: int, _: None) -> None:
        """Somebody else takes the place of a crashed agent."""
        brief = self.logs[agent].brief
        newer = Brief(**{**brief.__dict__, "incarnation": brief.incarnation + 1})
        self.agents[agent], self.logs[agent] = Agent(newer), Log(newer)
        self._hear(agent, None)

    # Messages

    def _set_deadline(self) -> None:
        if self.faults.any:
            self._agenda.add(self.time + DEADLINE, self._deadline, self.ground.tick)

    def _nobody_speaks(self) -> bool:
        """Without faults that is when somebody does not know how to go on; only then is there a deadline."""
        if not self.ground.over:
            self._tell_all(self.ground.deadline(self.ground.tick))
        return bool(self._agenda)

    def _hear(self, who: int, message: m.Message | None) -> None:
        """A message arrives; an agent that hears none begins to speak."""
        if who == m.WORLD:
            assert message is not None
            self._tell_all(self.ground.hear(message))
            return
        agent = self.agents[who]
        if agent is None:
            return
        said = agent.begin() if message is None else agent.hear(message)
        self.logs[who].entries.append((message, said))
        for one in said:
            self._send(one)

    def _tell_all(self, said: list[m.Message]) -> None:
        for message in said:
            self._send(message)
        if any(type(message) is m.Tick for message in said):
            self._set_deadline()

    def _send(self, message: m.Message) -> None:
        """To each hearer by itself: it may get lost, be late, or arrive twice."""
        data = m.encoded(message) if self.wire else b""
        self.recorder.hear(message, len(data))
        loss, duplicates, random = self.faults.loss, self.faults.duplicates, self.random.random
        until, part = self._parted
        is_parted, sender = self.time < until and message.sender != m.WORLD, message.sender
        for hearer in message.hearers:
            is_cut_off = is_parted and hearer != m.WORLD and (sender in part) != (hearer in part)
            if is_cut_off or (loss and random() < loss):
                self.lost += 1
                continue
            heard = m.decoded(data) if self.wire else message
            self._agenda.add(self._arrival(), self._hear, hearer, heard)
            if duplicates and random() < duplicates:
                self.doubled += 1
                self._agenda.add(self._arrival(), self._hear, hearer, heard)

    def _arrival(self) -> int:
        """When a message arrives that is sent now: 0 to `delay` units late, by the same chance.

        That is what `randint` draws, without its checks of every call.
        """
        most = self.faults.delay
        if not most:
            return self.time + 1
        bits, draw = (most + 1).bit_length(), self.random.getrandbits
        late = draw(bits)
        while late > most:
            late = draw(bits)
        return self.time + 1 + late


def run(
    problem: Problem,
    solver: Any = "wdpca",
    *,
    faults: Faults = Faults(),
    seed: int = 0,
    guard: bool = True,
    wire: bool = False,
    **params: Any,
) -> Run:
    """Runs agents that talk to each other, in one process, with whatever goes wrong.

    Args:
        problem: What is asked.
        solver: `"dpca"`, `"dpca+"`, `"wdpca"`, `"dimpp"`, `"adpp"` or `"dmrcp"`, or such a
            solver with its parameters.
        faults: What goes wrong with messages and agents.
        seed: Where all that is random in the faults comes from.
        guard: Refuse moves that would collide? Without it they happen.
        wire: Encode and decode every message as on a network, which also counts bytes.
        **params: Parameters of the solver, if it is given by name.

    Returns:
        The run.

    Raises:
        InputError: An argument is not valid.
        UnsupportedError: The solver has no protocol for agents, or does not take the problem.
        MissingExtraError: msgspec is not installed.
    """
    return simulated(problem, solver, faults=faults, seed=seed, guard=guard, wire=wire, **params)[0]


def simulated(
    problem: Problem,
    solver: Any,
    *,
    faults: Faults,
    seed: int = 0,
    guard: bool = True,
    wire: bool = False,
    **params: Any,
) -> tuple[Run, World]:
    """A run, and the world that it was in."""
    protocol = protocol_of(solver, problem, **params)
    if not guard and problem.rules.at_goal == "disappear":
        raise InputError("without a guard agents stay on their goals: use rules with at_goal='stay'")
    limit = limit_of(problem, protocol, faulty=faults.any)
    simulator = Simulator(problem, protocol, faults=faults, seed=seed, guard=guard, wire=wire, limit=limit)
    simulator.run()
    ground, recorder = simulator.ground, simulator.recorder
    causes = [cause_of(ground, refusal) for refusal in ground.refusals]
    outcome = outcome_of(ground, recorder, protocol.solver, seed, logs=simulator.logs, causes=causes)
    return outcome, ground.world
