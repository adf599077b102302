"""Work that never ends: tasks per turn of agents that take one random task after another, and CPU time.

Starts and tasks are random by seed. There are as many tasks as agents, so that who has finished one gets the
next that comes in, wherever that is: so were the numbers got that we compare with. CPU time is that of
the planner alone, not of the world and its record. In the first turn the distances of all goals are found, so
it has a column of its own. Traces of the smaller cases are judged. Public figures are those that were
recorded with the goals: what others do has no package that installs.

The section `active` has fuller maps, where all agents have tasks or, with `active="auto"`, some are parked.
The section `lanes` has agents that reckon with lanes (`crisscross`), beside those that do not.
The section `turning` has robots that have to turn: PIBT, whose agents turn towards the place that it gives
them, beside operations of several actions.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import Any, Literal

import numpy as np

from sidestep import (
    EPIBT,
    PIBT,
    EventKind,
    Grid,
    Guided,
    Problem,
    Rolling,
    Rules,
    Stream,
    World,
    io,
    validate_trace,
)
from sidestep.instances import random_problem
from sidestep.model.agents import FACINGS

from .measurements import CASE, Column, Measurements, Row, Say, Table, Target
from .one_step import OneStep

REFUSED = Target("moves of lifelong runs that the guard refuses, and violations that the judge finds", 0, "")
JUDGED = 1000  # agents, at most, whose traces are judged


@dataclass(frozen=True)
class Case:
    """A map, agents, turns, and the goals: tasks per turn and milliseconds per turn, where there are any."""

    map: str
    agents: int
    turns: int
    tasks: float | None = None
    milliseconds: float | None = None
    worst: bool = False  # the milliseconds are of the worst turn
    active: Literal["all", "auto"] = "all"
    planners: tuple[str, ...] = ("pibt", "guided", "rolling")
    turning: bool = False
    public: str | None = None  # the best that others were recorded with: tasks per turn at milliseconds


CASES = (
    Case("random-32-32-10", 400, 100, 14, 10, public="LLLG 13.7-14.1 at 85"),
    Case("random-32-32-20", 400, 300, 9.7, 10, public="EPIBT+LNS 9.6 at 100"),
    Case(
        *("random-32-32-20", 400, 300, 5.5, 50),
        planners=("epibt", "epibt, length 5, effort 5"),
        turning=True,
        public="EPIBT+LNS 5.4 at 100",
    ),
    Case("warehouse-20-40-10-2-1", 5000, 50, None, 8),
    Case("warehouse-20-40-10-2-1", 10_000, 30, None, 50, worst=True, planners=("pibt",)),
    Case("warehouse-20-40-10-2-1", 10_000, 30, None, 100, worst=True, planners=("guided",)),
)
CROWDS = tuple(
    Case(name, agents, turns, active=active, planners=(planner,))
    for name, agents, planner, turns in (
        ("random-32-32-20", 700, "pibt", 200),
        ("random-32-32-20", 700, "pibt", 800),
        ("random-32-32-20", 700, "guided", 300),
        ("empty-32-32", 900, "pibt", 200),
        ("empty-32-32", 900, "pibt", 800),
        ("warehouse-10-20-10-2-1", 4500, "pibt", 200),
    )
    for active in ("all", "auto")
)

LANES = tuple(
    Case(name, agents, turns, planners=("pibt", "pibt, lanes", "guided", "guided, lanes"))
    for name, agents, turns in (
        ("warehouse-10-20-10-2-1", 800, 200),
        ("room-64-64-16", 400, 200),
        ("random-32-32-10", 400, 200),
        ("empty-32-32", 500, 200),
    )
)


OPERATIONS: dict[str, Any] = {
    "one step at a time": OneStep(),
    "epibt, length 3": EPIBT(length=3),
    "epibt": EPIBT(),
    "epibt, effort 5": EPIBT(effort=5),
    "epibt, length 5, effort 5": EPIBT(length=5, effort=5),
}
ROBOTS = (replace(CASES[2], planners=tuple(OPERATIONS)),)


@dataclass(frozen=True)
class Settings:
    """Which cases, and how many seeds; means are shown."""

    cases: tuple[Case, ...]
    runs: int


FULL = Settings(CASES, 3)
QUICK = Settings(CASES[:2], 1)
CROWDED = Settings(CROWDS, 1)
CROWDED_QUICK = Settings(CROWDS[:2], 1)
WITH_LANES = Settings(LANES, 2)
WITH_LANES_QUICK = Settings(LANES[:1], 1)
PLANNERS: dict[str, Any] = {
    "pibt": PIBT(),
    "guided": Guided(),
    "rolling": Rolling(),
    "pibt, lanes": PIBT(crisscross=4),
    "guided, lanes": Guided(crisscross=4),
    **OPERATIONS,
}
TURNING = Settings(ROBOTS, 3)
TURNING_QUICK = Settings((replace(ROBOTS[0], turns=50, planners=("one step at a time", "epibt")),), 1)


class Timed:
    """A planner whose sessions say how much CPU time each turn took."""

    def __init__(self, planner: Any) -> None:
        self.planner = planner
        self.times: list[float] = []

    def session(self, problem: Problem, *, seed: int = 0) -> Any:
        """A session of the planner, with a clock."""
        session, times = self.planner.session(problem, seed=seed), self.times
        step = session.step

        def timed_step(view: Any, *, budget: Any) -> Any:
            begin = process_time()
            moves = step(view, budget=budget)
            times.append(process_time() - begin)
            return moves

        session.step = timed_step
        return session


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All cases with all planners."""
    folder = Path(os.environ.get("SIDESTEP_DATA") or "/nonexistent") / "movingai"
    if not folder.is_dir():
        return Measurements(skipped="SIDESTEP_DATA names no folder with maps in movingai/map.")
    rows: list[Row] = []
    for case in settings.cases:
        grid = io.read_map(folder / "map" / f"{case.map}.map")
        for name in case.planners:
            say(f"{case.map}: {case.agents} agents, {case.active} active, {name}")
            rows.append(measured(case, grid, name, [seed + k for k in range(settings.runs)]))
    return Measurements((_table(rows),), (REFUSED.judge(sum(row["faults"] for row in rows)),))


def measured(case: Case, grid: Grid, name: str, seeds: Sequence[int]) -> Row:
    """The means of one case and planner."""
    tasks, means, first, worst, faults = [], [], [], [], 0
    for seed in seeds:
        drawn = random_problem(grid, case.agents, seed, rules=Rules(shared_goals=True))
        idle = [replace(agent, goal=None) for agent in drawn.agents]
        if case.turning:
            facings: Any = [FACINGS[(k + seed) % 4] for k in range(len(idle))]
            idle = [replace(one, facing=facing) for one, facing in zip(idle, facings, strict=True)]
        clock = Timed(PLANNERS[name])
        problem = Problem.from_agents(grid, idle, rules=drawn.rules)
        stream = Stream.random(grid, seed=seed, pool=1.0)
        world = World(problem, clock, seed=seed, tasks=stream, assign="first", active=case.active)
        for _ in range(case.turns):
            world.step()
        tasks.append(world.tasks.finished / case.turns)
        means.append(1e3 * float(np.mean(clock.times[1:])))
        first.append(1e3 * clock.times[0])
        worst.append(1e3 * max(clock.times[1:]))
        trace = world.trace
        faults += sum(trace.count(kind) for kind in EventKind if kind.is_planner_fault)
        if case.agents <= JUDGED:
            faults += not validate_trace(trace)
    wanted = case.milliseconds and f"{case.milliseconds:g}{' (worst)' if case.worst else ''}"
    return {
        **{"map": case.map, "agents": case.agents, "planner": name},
        **{"turns": case.turns, "active": case.active},
        **{"tasks": float(np.mean(tasks)), "goal tasks": case.tasks},
        **{"ms": float(np.mean(means)), "first": float(np.mean(first)), "worst": float(np.mean(worst))},
        **{"goal ms": wanted, "public": case.public, "faults": faults},
    }


def _table(rows: Sequence[Row]) -> Table:
    columns = (
        *CASE,
        Column("turns", "turns", ",.0f"),
        Column("planner", "planner"),
        Column("active"),
        Column("tasks", "tasks per turn", ".2f"),
        Column("goal tasks", "goal", "g"),
        Column("ms", "CPU ms per later turn", ",.1f"),
        Column("first", "first turn", ",.1f"),
        Column("worst", "worst later", ",.1f"),
        Column("goal ms", "goal"),
        Column("public", "best public, recorded"),
    )
    title = "Work that never ends: tasks per turn, and CPU time of the planner"
    return Table(title, columns, tuple(rows), ("goals are those of a quiet machine",))
