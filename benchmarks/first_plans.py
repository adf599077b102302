"""First plans of LaCAM for hundreds to thousands of agents, with and without guidance: CPU time and cost.

The scenarios of a map that are there, then starts and goals by seed; medians. One thread, distances
included, reading files not. Plain is without guidance and hindrance, the fastest way to any plan. Beside it
stands what lacam3 needed in its fastest setting, as it was recorded once on another machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from sidestep import LaCAM, Problem, solve, validate
from sidestep.papers.timing import timed

from .measurements import CASE, Column, Measurements, Row, Say, Table, Target, none_refused
from .movingai import LARGE_WAREHOUSE, NO_MAPS, R64, S32, WAREHOUSE, Crowded, folder, problems_of

PLAIN, GUIDED = LaCAM(guide=0, hindrance=False), LaCAM()
REFUSED = none_refused("first plans")
LATE = Target("first plan of 10,000 agents on 22,599 places: CPU time", 20, "s")


@dataclass(frozen=True)
class Case(Crowded):
    """With the goals: milliseconds without and with guidance, cost over the lower bound; and lacam3's."""

    plain: float
    guided: float
    ratio: float
    lacam3: float | None = None


CASES = (
    Case(S32, 100, 1.6, 6, 1.09, 6),
    Case(S32, 400, 9, 200, 2.2, 50),
    Case(R64, 1000, 55, 700, 1.50, 268),
    Case(WAREHOUSE, 1000, 65, 650, 1.48, 271),
    Case("ost003d", 1000, 105, 450, 1.17, 473),
    Case("Berlin_1_256", 2000, 550, 1000, 1.07, 2758),
    Case("brc202d", 1000, 300, 600, 1.09, 1383),
    Case(LARGE_WAREHOUSE, 2000, 240, 800, 1.45, 1507),
    Case(LARGE_WAREHOUSE, 5000, 900, 4000, 1.9, 5148),
    Case(LARGE_WAREHOUSE, 10_000, 6000, 20_000, 6),
)


@dataclass(frozen=True)
class Settings:
    """Which cases, and how many problems of each; the median is shown."""

    cases: tuple[Case, ...]
    problems: int


FULL = Settings(CASES, 5)
QUICK = Settings(CASES[:4], 1)


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All cases, plain and guided."""
    if not folder().is_dir():
        return Measurements(skipped=NO_MAPS)
    rows: list[Row] = []
    for case in settings.cases:
        say(f"{case.map}: {case.agents} agents")
        rows.append(measured(case, problems_of(case, settings.problems, seed)))
    late = [row["guided ms"] / 1e3 for row in rows if row["agents"] == 10_000]
    return Measurements(
        (_table(rows),),
        (REFUSED.judge(sum(row["refused"] for row in rows)), LATE.judge(max(late) if late else None)),
    )


def measured(case: Case, problems: Sequence[Problem]) -> Row:
    """The medians of one case."""
    row: dict[str, Any] = {"map": case.map, "agents": case.agents}
    refused = 0
    for name, solver in (("plain", PLAIN), ("guided", GUIDED)):
        times: list[float] = []
        ratios: list[float] = []
        for seed, problem in enumerate(problems):
            problem.compiled = None
            result, spent = timed(partial(solve, problem, solver, seed=seed, time_limit=120))
            times.append(1e3 * spent.cpu)
            if result.plan is None or not result.lower_bound:
                continue
            refused += not validate(problem, result.plan)
            ratios.append(result.plan.cost / result.lower_bound)
        row |= {f"{name} ms": median(times), f"{name} cost": median(ratios) if ratios else None}
    goals = {"plain goal": case.plain, "guided goal": case.guided, "cost goal": case.ratio}
    return row | goals | {"lacam3": case.lacam3, "refused": refused, "problems": len(problems)}


def _table(rows: Sequence[Row]) -> Table:
    columns = [*CASE]
    for name in ("plain", "guided"):
        columns += [
            Column(f"{name} ms", f"{name}: ms", ",.1f"),
            Column(f"{name} goal", "goal", ",g"),
            Column(f"{name} cost", "cost", ".3f"),
        ]
    columns += [Column("cost goal", "goal", ".2f"), Column("lacam3", "lacam3: ms\n(recorded)", ",g")]
    problems = rows[0]["problems"] if rows else 0
    return Table(
        "First plans of LaCAM: CPU time, and cost over the sum of distances",
        tuple(columns),
        tuple(rows),
        (
            f"plain: without guidance and hindrance; medians over {problems} problems",
            "goals, and what lacam3 needed in its fastest setting, are for one quiet core of 2.6 GHz",
        ),
    )
