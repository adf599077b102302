"""Ten thousand agents in a warehouse of 38,000 free cells: what a plan, a turn, a stop and Python cost.

The map is that of MovingAI's warehouse-20-40-10-2-2, starts and goals are drawn by the seed. CPU time of one
thread: the whole of a plan, turns once distances are known, what happens between a stop and the answer to it
in every phase, and what is spent outside the search from a problem to a result. Memory is what the process
had at most above what it began with.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np

from sidestep import LNS, PIBT, Guided, LaCAM, Problem, Result, World, solve, validate
from sidestep.instances import random_problem, warehouse_grid
from sidestep.papers.timing import thread_milliseconds
from sidestep.solvers import Solver

from .large_maps import resident
from .measurements import Column, Measurements, Row, Say, Table, Target, none_refused

REFUSED = none_refused("ten thousand agents: plans")
PLANNED = Target("ten thousand agents: a plan, CPU time", 20, "s")
TURN = Target("ten thousand agents: median turn of PIBT's session, CPU time", 3, "ms")
LATE = Target("ten thousand agents: CPU time after a stop, at worst", 10, "ms")
PYTHON = Target("ten thousand agents: what Python adds to the core, from problem to result", 50, "ms")


STOPPED: dict[str, Solver] = {"lacam, plain": LaCAM(guide=0), "lacam, guided": LaCAM(), "lns": LNS()}


@dataclass(frozen=True)
class Settings:
    """How many agents and turns, and after how many seconds of CPU time runs are stopped."""

    agents: int = 10_000
    turns: int = 60
    stops: tuple[float, ...] = (0.01, 0.05, 0.2, 0.5, 1.0, 2.0, 4.0, 8.0)


FULL = Settings()
QUICK = Settings(agents=1000, turns=20, stops=(0.01, 0.1, 0.3))


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All of it."""
    problem = random_problem(warehouse_grid(20, 40, 10, 2, 2), settings.agents, seed)
    rows: list[Row] = []
    say("a plan")
    before = resident("VmHWM")
    result, spent, added = planned(problem, seed)
    refused = result.plan is not None and not validate(problem, result.plan)
    megabytes = (resident("VmHWM") - before) / 1e6
    rows.append({"what": f"a plan of LaCAM ({result.status}), s", "value": spent / 1e3})
    rows.append({"what": "memory at most, MB", "value": megabytes})
    sessions = {}
    for planner in (PIBT(), Guided()):
        say(f"turns of {planner.name}")
        whole, sessions[planner.name] = turns_of(problem, planner, settings.turns)
        for what, times in (("session", sessions[planner.name]), ("world", whole)):
            rows.append({"what": f"{planner.name}, a turn of its {what}, median ms", "value": median(times)})
            rows.append({"what": f"{planner.name}, a turn of its {what}, worst ms", "value": max(times)})
    late = []
    for name, solver in STOPPED.items():
        say(f"stops of {name}")
        late.append(max(lateness(problem, solver, after) for after in settings.stops))
        rows.append({"what": f"{name}: late after a stop, ms", "value": late[-1]})
    rows.append({"what": "outside the search, from problem to result, ms", "value": added})
    table = _table(rows, problem)
    if settings.agents != FULL.agents:
        return Measurements((table,), (REFUSED.judge(int(refused)),))
    verdicts = (
        REFUSED.judge(int(refused)),
        PLANNED.judge(spent / 1e3 if result.plan is not None else None),
        TURN.judge(median(sessions["pibt"])),
        LATE.judge(max(late)),
        PYTHON.judge(added),
    )
    return Measurements((table,), verdicts)


def turns_of(problem: Problem, planner: PIBT | Guided, count: int) -> tuple[list[float], list[float]]:
    """Milliseconds of CPU time of turns, of the world and of the session in it, once distances are known."""
    session = ClockedSession(planner.session(problem))
    world = World(problem, session, stuck_after=None)
    world.step()
    session.spent.clear()
    whole = [thread_milliseconds(world.step) for _ in range(count)]
    return whole, session.spent


class ClockedSession:
    """A session that notes how long its turns take."""

    def __init__(self, session: Any) -> None:
        self._session, self.spent = session, list[float]()

    def step(self, view: Any, *, budget: Any) -> Any:
        """As the session does."""
        moves: list[Any] = []
        self.spent.append(thread_milliseconds(lambda: moves.append(self._session.step(view, budget=budget))))
        return moves[0]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)


def lateness(problem: Problem, solver: Solver, after: float) -> float:
    """Milliseconds of CPU time from a stop, asked for after some seconds of it, to the answer."""
    problem.compiled = None
    asked: list[float] = []

    def stop() -> bool:
        if not asked and time.process_time() > begin + after:
            asked.append(time.process_time())
        return bool(asked)

    begin = time.process_time()
    solve(problem, solver, time_limit=None, stop=stop)
    return 1e3 * (time.process_time() - asked[0]) if asked else 0.0


class Clocked:
    """A search of the core that notes how long it computes."""

    def __init__(self, search: Any, spent: list[float]) -> None:
        self._search, self._spent = search, spent

    def run(self, budget: Any) -> Any:
        """As the search does."""
        outcome: list[Any] = []
        self._spent.append(thread_milliseconds(lambda: outcome.append(self._search.run(budget))))
        return outcome[0]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._search, name)


def planned(problem: Problem, seed: int) -> tuple[Result, float, float]:
    """A plan for a problem that is made anew, the milliseconds of all of it, and those outside the search.

    What is outside: the problem and its checks, the compiled map, what is plainly impossible, and the result.
    """
    cells = np.stack([problem.starts, problem.goals])
    places = [[tuple(place) for place in problem.space.cells(row).tolist()] for row in cells]  # type: ignore[union-attr]
    searching: list[float] = []
    results: list[Result] = []
    search = LaCAM.search

    def whole() -> None:
        fresh = Problem(problem.space, *places)
        results.append(solve(fresh, LaCAM(guide=0), seed=seed, time_limit=600))

    LaCAM.search = lambda *given: Clocked(search(*given), searching)  # type: ignore[method-assign,assignment]
    try:
        spent = thread_milliseconds(whole)
    finally:
        LaCAM.search = search  # type: ignore[method-assign]
    return results[0], spent, spent - sum(searching)


def _table(rows: Sequence[Row], problem: Problem) -> Table:
    return Table(
        f"{problem.n_agents:,} agents on {int(problem.space.open.sum()):,} open cells, CPU time, one thread",
        (Column("what"), Column("value", form=",.2f")),
        tuple(rows),
    )
