"""LaCAM, PIBT and large neighbourhood search beside pymapf, which installs as a package: the same run.

Only the call that plans is timed; every plan of both is judged. pymapf is written in Python, so what is
compared is what somebody gets who installs one or the other. Where it is not installed there is nothing to
compare. Other public programs for thousands of agents are no packages that install without a compiler of
their own: what was recorded of them stands in the sections first-plans, anytime and bounded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from statistics import median
from typing import Any

import numpy as np

from sidestep import LNS, PIBT, Grid, LaCAM, Plan, Problem, solve, validate
from sidestep.papers.timing import timed
from sidestep.solvers import Solver
from sidestep.solvers.solver import path_matrix

from .measurements import Column, Measurements, Row, Say, Table, Target, none_refused
from .scenes import RandomScene

PATIENCE = 60.0  # seconds for a first plan
MISSING = "pymapf is not installed here; `make bench` builds an environment with it"
REFUSED = none_refused("peers: plans of ours")
FASTER = Target("LaCAM: times as fast as pymapf where both solve, at every size", 1, "times", at_least=True)


@dataclass(frozen=True)
class Algorithm:
    """An algorithm that both have, with a limit of seconds for one that would go on."""

    title: str
    ours: Solver
    theirs: str
    seconds: float


@dataclass(frozen=True)
class Settings:
    """Side and agents of random maps, a fifth of them blocked; instances; seconds of large neighbourhoods."""

    sizes: tuple[tuple[int, int], ...]
    instances: int
    seconds: float

    @property
    def algorithms(self) -> tuple[Algorithm, ...]:
        return (
            Algorithm("LaCAM", LaCAM(guide=0, hindrance=False), "lacam", PATIENCE),
            Algorithm("PIBT", PIBT(), "pibt", PATIENCE),
            Algorithm("large neighbourhoods", LNS(patience=0), "lns", self.seconds),
        )


FULL = Settings(((32, 50), (32, 100), (64, 200)), 5, 10.0)
QUICK = Settings(((32, 50),), 2, 2.0)


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All sizes and algorithms, if pymapf is there."""
    try:
        pymapf = import_module("pymapf")
    except ImportError:
        return Measurements(skipped=MISSING)
    rows = []
    for side, agents in settings.sizes:
        scene = RandomScene(side, 0.2, agents)
        problems = [scene.problem(seed + number) for number in range(settings.instances)]
        for algorithm in settings.algorithms:
            say(f"{algorithm.title}, {side}x{side}, {agents} agents")
            rows.append(measured(pymapf, problems, algorithm) | {"map": f"{side}x{side}", "agents": agents})
    lacam = [row["ratio"] for row in rows if row["algorithm"] == "LaCAM" and row["ratio"] is not None]
    verdicts = (
        REFUSED.judge(sum(row["ours refused"] for row in rows)),
        FASTER.judge(min(lacam, default=None)),
    )
    return Measurements((_table(rows, settings),), verdicts)


def measured(pymapf: Any, problems: Sequence[Problem], algorithm: Algorithm) -> dict[str, Any]:
    """Both on the same problems: medians where both have a plan that the judge takes."""
    ours = [_attempt(problem, *_ours(problem, algorithm)) for problem in problems]
    theirs = [_attempt(problem, *_theirs(pymapf, problem, algorithm)) for problem in problems]
    row: dict[str, Any] = {"algorithm": algorithm.title, "instances": len(problems), "ratio": None}
    for name, found in (("ours", ours), ("theirs", theirs)):
        row |= {f"{name} solved": sum(math.isfinite(cost) for _, cost, _ in found)}
        row |= {f"{name} refused": sum(refused for *_, refused in found)}
    both = [pair for pair in zip(ours, theirs, strict=True) if all(math.isfinite(one[1]) for one in pair)]
    if both:
        row |= {"ours ms": median(one[0] for one, _ in both), "theirs ms": median(one[0] for _, one in both)}
        row["ratio"] = median(other[0] / one[0] for one, other in both)
        row["cost"] = median(one[1] / max(1.0, other[1]) for one, other in both)
    return row


def _ours(problem: Problem, algorithm: Algorithm) -> tuple[Callable[[], Any], Callable[[Any], Plan | None]]:
    problem.compiled = None
    limit = algorithm.seconds
    return partial(solve, problem, algorithm.ours, time_limit=limit), lambda result: result.plan


def _theirs(
    pymapf: Any, problem: Problem, algorithm: Algorithm
) -> tuple[Callable[[], Any], Callable[[Any], Plan | None]]:
    grid = problem.space
    assert isinstance(grid, Grid)
    cells = pymapf.GridMap((~grid.passable).astype(int).tolist())
    ends = zip(grid.cells(problem.starts).tolist(), grid.cells(problem.goals).tolist(), strict=True)
    agents = [
        pymapf.Agent(str(number), start=tuple(start), goal=tuple(goal))
        for number, (start, goal) in enumerate(ends)
    ]
    theirs = pymapf.MAPFProblem(cells, agents)

    def plan(solution: Any) -> Plan | None:
        if solution is None:
            return None
        paths = [solution.paths[str(number)] for number in range(len(agents))]
        vertices = [np.array([grid.vertex(cell) for cell in path], dtype=np.int32) for path in paths]
        return Plan(problem, path_matrix(problem, vertices))

    return partial(pymapf.solve, theirs, algorithm.theirs, time_limit=algorithm.seconds), plan


def _attempt(
    problem: Problem, call: Callable[[], Any], plan_of: Callable[[Any], Plan | None]
) -> tuple[float, float, bool]:
    """Milliseconds of CPU time, the cost (infinite without a valid plan), whether the judge refused it."""
    answer, spent = timed(call)
    plan = plan_of(answer)
    if plan is None:
        return 1e3 * spent.cpu, math.inf, False
    valid = bool(validate(problem, plan))
    return 1e3 * spent.cpu, float(plan.cost) if valid else math.inf, not valid


def _table(rows: Sequence[Row], settings: Settings) -> Table:
    return Table(
        "sidestep and pymapf on the same instances, CPU time in ms",
        (
            Column("map"),
            Column("agents"),
            Column("algorithm"),
            Column("instances", "runs"),
            Column("ours solved", "solved\nsidestep"),
            Column("theirs solved", "solved\npymapf"),
            Column("theirs refused", "refused\npymapf"),
            Column("ours ms", "ms\nsidestep", ",.1f"),
            Column("theirs ms", "ms\npymapf", ",.1f"),
            Column("ratio", "ratio", ",.0f"),
            Column("cost", "cost\nratio", ".3f"),
        ),
        tuple(rows),
        (
            "medians where both solve; ratio of times: pymapf / sidestep; ratio of costs: sidestep / pymapf",
            f"large neighbourhoods of both may use {settings.seconds:g} s, first plans {PATIENCE:g}",
        ),
    )
