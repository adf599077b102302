"""Worlds to which everything happens that can, judged by the second judge; replayed, and gone back to."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np

import sidestep as ss
from sidestep import EventKind
from sidestep.model.arrays import read_only
from sidestep.world.switchable import SwitchableSession

from ..draws import any_problem, told
from ..planners import Liar, Raising, RandomWalk, Sleeping, change
from ..row import Failed, Row
from ..second_trace import History, judge_trace

STEPS = 40  # per world
PLANNERS: list[Any] = [
    ss.WHCA(),
    ss.WHCA(window=2),
    ss.WHCA(window=5),
    ss.HCA(),
    ss.HCA(hold_goals=False),
    ss.CA(),
    ss.CA(hold_goals=False),
    ss.LRA(),
    ss.LRA(noise=3.0),
    ss.DMRCP(),
    ss.BCP(),
    ss.WDPCA(),
    ss.WDPCA(window=2),
]
WITH_BODIES = PLANNERS[:7]
NODES = (0, 1, 5, 60, 60, 10_000)
HURRY = (0.0, 1e-9, 1e-5, 1e-3)
FAULTS = (EventKind.REFUSED, EventKind.RAISED)


class Play:
    """One world and our own record of it."""

    def __init__(self, number: int) -> None:
        self.draw = draw = Random(number)
        self.bodies = draw.random() < 0.35
        self.problem = any_problem(draw, most=6, side=6, bodies=self.bodies)
        self.limit = draw.choice([None, None, None, 1, 3])
        self.manner = draw.choice(["ours"] * 5 + ["switched", "raising", "walk", "liar"])
        if draw.random() < 0.01:
            self.manner = "sleeping"
        self.hurried = draw.random() < 0.1  # such a run depends on the clock
        self.faultless = self.manner == "ours"
        self.world = self._open()
        self.first = self.world.trace
        self.rows: list[list[int]] = []
        self.events: list[list[int]] = []
        self.checks = 0

    def _open(self) -> ss.World:
        draw, problem = self.draw, self.problem
        planner = self.some_planner()
        if self.manner == "switched":
            planner = SwitchableSession(problem, planner, seed=draw.randrange(100))
        elif self.manner == "raising":
            planner = Raising(planner, draw.randrange(100))
        elif self.manner in ("walk", "liar", "sleeping"):
            kind = {"walk": RandomWalk, "liar": Liar, "sleeping": Sleeping}[self.manner]
            planner = kind(problem.space, draw.randrange(100))
        patience = draw.choice([50, None, 1, 3, 8])
        return ss.World(
            problem, planner, seed=draw.randrange(100), trace_limit=self.limit, stuck_after=patience
        )

    def some_planner(self) -> Any:
        return self.draw.choice(WITH_BODIES if self.bodies else PLANNERS)

    # What happens

    def run(self) -> None:
        """All steps, with changes between them; now and then back in time."""
        done = 0
        while done < STEPS:
            if self.draw.random() < 0.5:
                self.change()
            if self.draw.random() < 0.04:
                done += self.there_and_back()
                continue
            if self.hurried and self.draw.random() < 0.3:
                self.step(self.draw.choice(HURRY))
            else:
                self.step(nodes=self.draw.choice(NODES))
            done += 1
        self.check()

    def change(self) -> None:
        draw, world = self.draw, self.world
        before, kind = (len(world.events), world.positions.tolist()), draw.random()
        if kind < 0.06 and not self.bodies:
            taken = self.sent_as_group()
        elif kind < 0.12 and self.manner == "switched":
            taken = self.switch()
        else:
            taken = change(world, draw, bodies=self.bodies)
        if not taken:
            self.expect(before == (len(world.events), world.positions.tolist()), "a refusal changes nothing")

    def sent_as_group(self) -> bool:
        """Some agents get one order; False if that is refused."""
        draw, world = self.draw, self.world
        count = len(world.names)
        units = draw.sample(range(count), draw.randint(1, min(3, count)))
        goal = world.space.place(draw.randrange(world.space.n))
        try:
            ss.move_group(
                world, units, goal, leader=draw.choice([None, units[0]]), own_steps=draw.choice([0, 2, 10])
            )
        except (ss.InputError, ss.UnsupportedError):
            return False
        return True

    def switch(self) -> bool:
        session: Any = self.world.session
        while not isinstance(session, SwitchableSession):
            session = session.session
        if self.draw.random() < 0.5:
            session.switch(self.some_planner())
        else:
            session.hold_back(range(len(self.world.names)), self.draw.choice([1, 2, 3]))
        return True

    def step(self, *budget: float, **options: int) -> None:
        world = self.world
        time = world.time
        self.rows.append(world.positions.tolist())
        told = world.step(*budget, **options)
        self.events += told.tolist()
        self.expect(world.time == time + 1, "a step takes one turn")

    def there_and_back(self) -> int:
        """The same future twice, from one snapshot; returns how many steps were made."""
        moment, known = self.world.snapshot(), (len(self.rows), len(self.events))
        turns, state = self.draw.randint(1, 4), self.draw.getstate()
        futures = []
        for _ in range(2):
            self.world.restore(moment)
            del self.rows[known[0] :], self.events[known[1] :]
            self.draw.setstate(state)
            for _ in range(turns):
                if self.draw.random() < 0.3:
                    self.change()
                self.step(nodes=self.draw.choice(NODES))
            futures.append(in_bytes(self.world.trace))
        self.expect(futures[0] == futures[1], "the same future comes again, byte for byte")
        return 2 * turns

    # What holds

    def expect(self, holds: bool, sentence: str) -> None:
        self.checks += 1
        if not holds:
            raise Failed(f"not so: {sentence}; {self.manner} {self.world.session!r}; {told(self.problem)}")

    def check(self) -> None:
        world, trace = self.world, self.world.trace
        whole = self.recorded()
        if self.limit is None:
            self.expect(in_bytes(whole) == in_bytes(trace), "the trace is what the turns told")
        found = judge_trace(whole)
        self.checks += STEPS
        self.expect(not found, f"the second judge finds {dict(found.who)}")
        self.expect(bool(ss.validate_trace(trace)), "the judge finds nothing")
        again = ss.replay_trace(trace)
        self.expect(in_bytes(again) == in_bytes(trace), "a replay is the same, byte for byte")
        history = History(whole, found)
        self.expect(history.walls[-1] == set(np.flatnonzero(world.open).tolist()), "walls are as changes say")
        there = world.positions != -1
        goals = np.array(history.goals[-1])[there].tolist()
        self.expect(goals == world.goals[there].tolist(), "goals are as changes say")
        if self.faultless:
            faults = [event for event in self.events if event[1] in FAULTS]
            self.expect(not faults, f"our planners cost no faults: {faults[:3]}, {world.planner_error!r}")

    def recorded(self) -> ss.Trace:
        """The whole run as we have seen it, however little of it the world keeps."""
        world, agents = self.world, len(self.world.names)
        rows = [*self.rows, world.positions.tolist()]
        rows = [row + [-1] * (agents - len(row)) for row in rows]
        # What has changed since the last turn is in no answer yet.
        newest = [event for event in world.events.tolist() if event[0] == world.time]
        missing = newest[sum(event[0] == world.time for event in self.events) :]
        columns = {}
        for name, usual in (("starts", -1), ("goals", -1), ("priorities", 0)):
            first = getattr(self.first, name).tolist()
            columns[name] = read_only(np.array(first + [usual] * (agents - len(first)), dtype=np.int32))
        return replace(
            self.first,
            agents=replace(world.agents, **columns),
            positions=read_only(np.array(rows, dtype=np.int32)),
            events=read_only(np.array(self.events + missing, dtype=np.int32).reshape(-1, 4)),
            headings=None,
            progress=None,
        )


def in_bytes(trace: ss.Trace) -> bytes:
    """All arrays of a trace, one behind the other."""
    table = [trace.starts, trace.goals, trace.priorities, trace.sizes, trace.periods]
    rest = [trace.open, trace.positions, trace.events, trace.headings, trace.progress]
    words = repr((trace.names, trace.start_time, trace.rules, trace.positions.shape)).encode()
    return b"|".join([words, *(array.tobytes() for array in table + rest)])


def one(number: int) -> int:
    """One world."""
    play = Play(number)
    play.run()
    return play.checks


ROW = Row(
    name="worlds",
    what="in every world, whatever happens, with any planner, the second judge finds nothing, a replay and a "
    "restored future are the same bytes, and what is refused changes nothing",
    full=1_000_000,
    unit="steps",
    one=one,
    batch=STEPS,
    weight=4,
)
