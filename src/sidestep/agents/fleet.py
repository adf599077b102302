"""A process per agent, and in this one the world that ticks, the recorder and the router between them."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

from ..model.errors import InputError
from ..model.problem import Problem
from . import messages as m
from .briefing import briefs_of, limit_of
from .ground import NEWCOMER, Ground
from .network import Network, Place, Tls
from .nursery import Nursery
from .outcome import Run, outcome_of
from .protocol import protocol_of
from .recorder import Recorder

READY = 120.0  # seconds that agents may take to say hello


@dataclass
class Measures:
    """What running processes costs.

    Attributes:
        start_up: seconds until all agents had said hello.
        round_trips: seconds from a tick to the beat that answers it, one each per agent and tick.
        seconds: how long the run took, without its start.
        memory: bytes per agent's process, what it shares with others divided among them.
    """

    start_up: float = 0.0
    round_trips: list[float] = field(default_factory=list)
    seconds: float = 0.0
    memory: dict[int, int] = field(default_factory=dict)


class Fleet:
    """Agents as processes.

    Args:
        problem: What is asked.
        solver: `"dpca"`, `"dpca+"`, `"wdpca"`, `"dimpp"`, `"adpp"` or `"dmrcp"`, or such a solver.
        mesh: Agents are connected to each other, and not only to the router.
        tls: Certificates for both sides; without them, plain TCP.
        deadline: Seconds for a tick.
        patience: Deadlines without a sign of life after which an agent is dead.
        linger: Deadlines for which the run goes on though nobody but the dead has anything to do.
        absent: Agents, by number, for whom no process is started: who joins as one of them adds it.
        rounds: Of how many rounds, the last ones, the transcript is kept; None: of all.
        limit: Ticks after which the run is over; None for as many as the simulator has with faults.
        **params: Parameters of the solver, if it is given by name.
    """

    def __init__(
        self,
        problem: Problem,
        solver: Any = "wdpca",
        *,
        mesh: bool = False,
        tls: Tls | None = None,
        deadline: float = 5.0,
        patience: int = 2,
        linger: int = 0,
        absent: Collection[int] = (),
        rounds: int | None = None,
        limit: int | None = None,
        **params: Any,
    ) -> None:
        if not hasattr(os, "fork"):
            raise InputError("agents as processes need a system with fork; use the simulator")
        if not 0 < deadline < float("inf"):
            raise InputError(f"the deadline of a tick is some seconds, more than 0, not {deadline}")
        self.problem, self.deadline, self.measures = problem, deadline, Measures()
        self.protocol = protocol_of(solver, problem, **params)
        name = uuid4().hex[:12]
        scheme, host = ("tls", "localhost") if tls else ("tcp", "127.0.0.1")
        endpoint = f"{scheme}/{host}:{free_port()}"
        self.place = Place(name, endpoint, mode="peer" if mesh else "client", tls=tls)
        self._mesh = mesh
        if limit is None:
            limit = limit_of(problem, self.protocol, faulty=True)
        if not set(absent) < set(range(problem.n_agents)):
            raise InputError(f"absent are some agents from 0 to {problem.n_agents - 1}, not {absent}")
        self.ground = Ground(
            problem, name, self.protocol, limit=limit, patience=patience, linger=linger, absent=absent
        )
        self.recorder = Recorder(problem, rounds)
        self.briefs = briefs_of(problem, self.protocol, name, reliable=True)
        self.pids: dict[int, int] = {}
        self.died: list[tuple[float, int, str]] = []  # seconds, agent, what was seen
        self._life: list[tuple[int, int, bool]] = []
        self._sent = (0, 0.0)  # the last tick, and when it was sent

    # Starting and ending

    def __enter__(self) -> Fleet:
        began = time.monotonic()
        self.network = Network(replace(self.place, mode="router", listen=self.place.endpoint), None)
        self.network.watch_life(lambda *life: self._life.append(life))
        self._nursery = Nursery()
        self._until = time.monotonic() + READY
        for brief in self.briefs:
            if brief.agent not in self.ground.absent:
                self.pids[brief.agent] = self._start(brief)
        while self.ground.round < 0:
            self.take_turn()
        self.measures.start_up = time.monotonic() - began
        self._began = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        if not self.ground.over:
            self._send(self.ground.stop("it was stopped"))
        self.measures.seconds = time.monotonic() - self._began
        self.network.close()
        self._nursery.close()

    def _start(self, brief: Any) -> int:
        listen = f"tcp/127.0.0.1:{free_port()}" if self._mesh else ""
        return self._nursery.start(brief, replace(self.place, listen=listen))

    def kill(self, agent: int, how: signal.Signals = signal.SIGKILL) -> None:
        """Sends a signal to an agent's process.

        Args:
            agent: Whose.
            how: Which; by default it ends at once.
        """
        os.kill(self.pids[agent], how)

    def join(self, agent: int) -> None:
        """Starts a process that takes the place of a dead agent, or of one that was absent.

        Args:
            agent: Whose.
        """
        self.pids[agent] = self._start(replace(self.briefs[agent], incarnation=NEWCOMER))

    # Running

    def run(self, every_turn: Callable[[Fleet], None] | None = None) -> Run:
        """Runs the world until it is done.

        Args:
            every_turn: Called again and again in between, several times per tick.

        Returns:
            What came of it.
        """
        while not self.ground.over:
            self.take_turn()
            if every_turn is not None:
                every_turn(self)
        self.measures.memory = {agent: memory_of(pid) for agent, pid in self.pids.items()}
        return outcome_of(self.ground, self.recorder, self.protocol.solver, 0)

    def take_turn(self) -> None:
        """Hears one message, or that nobody said anything in time."""
        while self._life:
            self._notice(*self._life.pop(0))
        entry = self.network.hear(min(0.05, self._until - time.monotonic()))
        if entry is not None:
            message, size = entry
            if isinstance(message, str):
                self.ground.reports.append((self.ground.tick, m.WORLD, f"nonsense: {message}"))
                return
            self.recorder.hear(message, size, copy=True)
            if isinstance(message, m.Beat) and message.tick == self._sent[0]:
                self.measures.round_trips.append(time.monotonic() - self._sent[1])
            self._send(self.ground.hear(message))
        if time.monotonic() >= self._until:
            self._until = time.monotonic() + self.deadline
            self._send(self.ground.deadline(self.ground.tick))

    def _notice(self, agent: int, incarnation: int, is_there: bool) -> None:
        if not is_there:
            self.died.append((time.monotonic() - self._began, agent, "its process ended"))
            self._send(self.ground.bury(agent, incarnation))

    def _send(self, said: list[m.Message]) -> None:
        for message in said:
            self.recorder.hear(message, self.network.send(message))
        if any(isinstance(message, m.Tick) for message in said):
            self._sent = self.ground.tick, time.monotonic()
            self._until = time.monotonic() + self.deadline


def free_port() -> int:
    """A port on loopback that nobody uses now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def memory_of(pid: int) -> int:
    """The proportional memory of a process in bytes; 0 where the system does not say."""
    try:
        with open(f"/proc/{pid}/smaps_rollup") as lines:
            return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
    except OSError:
        return 0
