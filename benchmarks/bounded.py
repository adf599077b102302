"""How long it takes until a plan is proved to be within a factor of the best.

The solvers with a parameter `bound`, on the maps of the MovingAI benchmark: its scenarios where they are
there, and further starts and goals drawn by a seed. A run counts when the cost of its plan is at most the
factor times the lower bound that comes with it, and the plan is judged. CPU time, distances included; a run
that does not prove it in time counts as the limit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from sidestep import Problem, io, solve, validate
from sidestep.instances import random_problem
from sidestep.papers.timing import timed
from sidestep.solvers import SOLVERS, make_solver
from sidestep.solvers.parameters import parameters_of

from .measurements import Column, Measurements, Row, Say, Table, Target, none_refused
from .movingai import NO_MAPS, R64, S32, WAREHOUSE, Crowded, Settings, map_files, read_map, scenario_files

REFUSED = none_refused("proved factors: plans")
WRONG = Target("proved factors: plans that cost more than factor times bound", 0, "plans")
GOALS = "the goals of the bounded search, for a core of 2.6 GHz"


@dataclass(frozen=True)
class Case(Crowded):
    """With a factor; milliseconds: the goal, and EECBS as it was recorded (None: over 10 s)."""

    factor: float
    goal: float
    eecbs: float | None = None

    @property
    def name(self) -> str:
        return f"{self.map} {self.agents}, {self.factor:g}"

    @property
    def target(self) -> Target:
        return Target(
            f"proved factors: {self.name}, median of the quickest solver", self.goal, "ms", source=GOALS
        )


CASES = (
    Case(S32, 100, 1.2, 7, 69),
    Case(S32, 150, 1.2, 18, 295),
    Case(S32, 200, 1.2, 80),
    Case(R64, 400, 1.2, 80, 1329),
    Case(R64, 600, 1.2, 220),
    Case(WAREHOUSE, 400, 1.2, 400),
    Case(WAREHOUSE, 500, 1.2, 500),
    Case(R64, 400, 1.05, 400),
    Case(WAREHOUSE, 400, 1.05, 1500),
    Case(S32, 100, 1.05, 500),
)


FULL = Settings(CASES)
QUICK = Settings(CASES[:1], problems=2, seconds=2.0)


def bounded_solvers() -> list[str]:
    """Those that can be asked for a proved factor."""
    return [name for name, solver in SOLVERS.items() if "bound" in parameters_of(solver)]


def measure(settings: Settings[Case], seed: int, say: Say) -> Measurements:
    """All cases by all solvers that have a `bound`."""
    if not map_files([S32]):
        return Measurements(skipped=NO_MAPS)
    rows: list[Row] = []
    verdicts = []
    for case in settings.cases:
        problems = list(problems_of(case, settings.problems, seed))
        of_case = [measured(case, name, problems, settings, say) for name in bounded_solvers()]
        rows += of_case
        proved = [row["milliseconds"] for row in of_case if row["proved"] * 2 > row["problems"]]
        verdicts.append(case.target.judge(min(proved, default=settings.seconds * 1000)))
    judged = (
        REFUSED.judge(sum(row["refused"] for row in rows)),
        WRONG.judge(sum(row["wrong"] for row in rows)),
    )
    return Measurements((_table(rows, settings),), (*judged, *verdicts))


def problems_of(case: Crowded, count: int, seed: int) -> Iterator[Problem]:
    """The scenarios of the map that are there, then others drawn by the seed."""
    grid = read_map(case.map)
    files = scenario_files(case.map)[:count]
    for file in files:
        yield io.read_scen(file, grid, agents=case.agents)
    for number in range(count - len(files)):
        yield random_problem(grid, case.agents, seed + number)


def measured(case: Case, name: str, problems: Sequence[Problem], settings: Settings[Case], say: Say) -> Row:
    """One solver on all problems of a case."""
    times: list[float] = []
    row: dict[str, Any] = {
        **{"case": case.name, "solver": name, "goal": case.goal, "eecbs": case.eecbs},
        **{"problems": len(problems), "proved": 0, "refused": 0, "wrong": 0},
    }
    ratios = []
    for number, problem in enumerate(problems):
        say(f"{name}, {case.name}: problem {number + 1}")
        solver = make_solver(name, {"bound": case.factor})
        result, spent = timed(partial(solve, problem, solver, time_limit=settings.seconds))
        times.append(settings.seconds * 1000)
        if result.plan is None:
            continue
        ratio = result.plan.cost / max(1, result.lower_bound or 0)
        ratios.append(ratio)
        row["refused"] += not validate(problem, result.plan)
        within = result.plan.cost <= case.factor * (result.lower_bound or 0) + 1e-9
        row["wrong"] += not within and spent.wall < settings.seconds / 2
        if within:
            row["proved"] += 1
            times[-1] = min(times[-1], spent.cpu * 1000)
    row["milliseconds"] = median(times)
    row["ratio"] = median(ratios) if ratios else None
    return row


def _table(rows: Sequence[Row], settings: Settings[Case]) -> Table:
    return Table(
        "Milliseconds of CPU time until a plan is proved to be within a factor of the best",
        (
            Column("case", "map, agents, factor"),
            Column("solver", "solver"),
            Column("proved", "proved"),
            Column("problems", "of"),
            Column("milliseconds", "ms,\nmedian", ".1f"),
            Column("ratio", "cost over bound,\nmedian", ".3f"),
            Column("goal", "goal, ms", ".0f"),
            Column("eecbs", "EECBS, ms\n(recorded)", ".0f"),
        ),
        tuple(rows),
        (
            f"A run may take {settings.seconds:g} s; one that proves nothing counts as that.",
            "EECBS: recorded once on another machine, with the public program; - is none in 10 s.",
        ),
    )
