"""What plans cost after ten seconds of large neighbourhood search, over the sum of distances.

The scenarios of a map that are there, then starts and goals drawn by a seed. Seconds are CPU time on one
thread, distances and the first plan included, so that a busy machine does not count: a short run says how
many nodes a second has, and the measured one has as many nodes, which annealing is told, too. The CPU time
that it took in fact stands beside the cost.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from sidestep import LNS, Problem, solve, validate
from sidestep.papers.timing import timed

from .measurements import CASE, Column, Measurements, Row, Say, Table, Target, none_refused
from .movingai import NO_MAPS, R64, S32, WAREHOUSE, Crowded, Settings, map_files, problems_of

SOLVER = LNS(patience=0)
REFUSED = none_refused("costs after ten seconds: plans")
GOALS = "the goals of the anytime search, for a core of 2.6 GHz"


@dataclass(frozen=True)
class Case(Crowded):
    """With the goal, the cost over the sum of distances, and what was recorded of lacam3 and MAPF-LNS2."""

    goal: float
    lacam3: float | None = None
    lns2: float | None = None

    @property
    def target(self) -> Target:
        return Target(
            f"cost after ten seconds: {self.map} {self.agents}, median", self.goal, "", source=GOALS
        )


CASES = (
    Case(S32, 100, 1.050, 1.086, 1.056),
    Case(S32, 200, 1.115, 1.216, 1.166),
    Case(S32, 300, 1.27, 1.584, 1.458),
    Case(S32, 400, 1.53, 2.388, 2.346),
    Case(R64, 500, 1.058, 1.131, 1.145),
    Case(R64, 1000, 1.29, 1.893),
    Case(WAREHOUSE, 500, 1.065, 1.197, 1.273),
    Case(WAREHOUSE, 1000, 1.25, 1.904),
    Case("den312d", 500, 1.34, 2.086, 1.996),
    Case("ost003d", 1000, 1.12, 1.393),
    Case("Berlin_1_256", 2000, 1.03, 1.059),
)


FULL = Settings(CASES)
QUICK = Settings((CASES[3], CASES[6]), problems=2, seconds=2.0)


def measure(settings: Settings[Case], seed: int, say: Say) -> Measurements:
    """All cases; targets are judged only if the seconds are those of the goals."""
    if not map_files([S32]):
        return Measurements(skipped=NO_MAPS)
    rows = []
    for case in settings.cases:
        problems = problems_of(case, settings.problems, seed)
        rows.append(measured(case, problems, settings, say))
    verdicts = [REFUSED.judge(sum(row["refused"] for row in rows))]
    if settings.seconds == FULL.seconds:
        verdicts += [case.target.judge(row["ratio"]) for case, row in zip(settings.cases, rows, strict=True)]
    return Measurements((_table(rows, settings),), tuple(verdicts))


def measured(case: Case, problems: Sequence[Problem], settings: Settings[Case], say: Say) -> Row:
    """The medians of one case."""
    ratios: list[float] = []
    row: dict[str, Any] = {"map": case.map, "agents": case.agents, "goal": case.goal, "refused": 0}
    row |= {"lacam3": case.lacam3, "lns2": case.lns2}
    firsts, seconds, repairs = [], [], []
    for number, problem in enumerate(problems):
        say(f"{case.map}, {case.agents} agents: problem {number + 1}")
        nodes = nodes_in(problem, settings.seconds)
        result, spent = timed(partial(solve, problem, SOLVER, time_limit=None, node_limit=nodes))
        if result.plan is None or not result.lower_bound:
            continue
        row["refused"] += not validate(problem, result.plan)
        ratios.append(result.plan.cost / result.lower_bound)
        firsts.append(result.stats["first_plan"]["cost"] / result.lower_bound)
        seconds.append(spent.cpu)
        repairs.append(result.stats["repairs"] / spent.cpu)
    values = {"ratio": ratios, "first": firsts, "seconds": seconds, "repairs": repairs}
    return row | {name: median(found) if found else None for name, found in values.items()}


def nodes_in(problem: Problem, seconds: float) -> int:
    """How many nodes a run has in this CPU time, as a tenth of it after the first plan tells."""
    firsts: list[float] = []
    short, spent = timed(
        partial(
            solve,
            problem,
            SOLVER,
            time_limit=None,
            stop=lambda: bool(firsts) and time.process_time() - firsts[0] > seconds / 10,
            on_plan=lambda _: firsts.append(time.process_time()),
        )
    )
    improving = time.process_time() - firsts[0]
    nodes = short.stats["expansions"] - short.stats["first_plan"]["expansions"]
    return int(short.stats["expansions"] + nodes * max(0.0, seconds - spent.cpu) / improving)


def _table(rows: Sequence[Row], settings: Settings[Case]) -> Table:
    return Table(
        f"Large neighbourhood search: cost over the sum of distances after {settings.seconds:g} s, medians",
        (
            *CASE,
            Column("first", "first plan", ".3f"),
            Column("ratio", "cost", ".3f"),
            Column("goal", "goal", ".3f"),
            Column("lacam3", "lacam3\n(recorded)", ".3f"),
            Column("lns2", "MAPF-LNS2\n(recorded)", ".3f"),
            Column("seconds", "CPU seconds", ".1f"),
            Column("repairs", "repairs\nper second", ",.0f"),
        ),
        tuple(rows),
        (
            f"{settings.problems} problems per row",
            "recorded once on another machine with the public programs: lacam3 after 20 CPU seconds, "
            "MAPF-LNS2 after 10; - is no plan, or not run",
        ),
    )
