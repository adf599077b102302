"""How long it takes until a plan is proved to be within a factor of the best.

The solvers with a parameter `bound`, on the maps of the MovingAI benchmark: its scenarios where they are
there, and further starts and goals drawn by a seed. A run counts when the cost of its plan is at most the
factor times the lower bound that comes with it, and the plan is judged. CPU time, distances included,
compiling the map not; a run that does not prove it in time counts as the limit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from sidestep.solvers import SOLVERS
from sidestep.solvers.parameters import parameters_of

from .measurements import Column, Measurements, Row, Say, Table, Target, none_refused
from .movingai import NO_MAPS, R64, S32, WAREHOUSE, Crowded, Settings, instances_of, map_files
from .swept import refused, swept

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
        runs = swept(suite(case, settings, seed), say)
        of_case = [
            measured(case, name, [run for run in runs if run["solver"] == name], settings)
            for name in bounded_solvers()
        ]
        rows += of_case
        proved = [row["milliseconds"] for row in of_case if row["proved"] * 2 > row["problems"]]
        verdicts.append(case.target.judge(min(proved, default=settings.seconds * 1000)))
    judged = (
        REFUSED.judge(sum(row["refused"] for row in rows)),
        WRONG.judge(sum(row["wrong"] for row in rows)),
    )
    return Measurements((_table(rows, settings),), (*judged, *verdicts))


def suite(case: Case, settings: Settings[Case], seed: int) -> dict[str, Any]:
    """All solvers on the problems of a case."""
    return {
        "solvers": [{"solver": name, "bound": case.factor, "label": name} for name in bounded_solvers()],
        "instances": instances_of(case, settings.problems, seed),
        "limits": {"seconds": settings.seconds},
    }


def measured(case: Case, name: str, runs: Sequence[Row], settings: Settings[Case]) -> Row:
    """One solver on all problems of a case."""
    limit = settings.seconds * 1000
    plans = [run for run in runs if run["cost"] is not None]
    proved = [run for run in plans if is_proved(run, case)]
    unproved = [run for run in plans if not is_proved(run, case)]
    times = [min(limit, run["cpu"] * 1000) for run in proved] + [limit] * (len(runs) - len(proved))
    return {
        **{"case": case.name, "solver": name, "goal": case.goal, "eecbs": case.eecbs},
        **{"problems": len(runs), "proved": len(proved), "refused": sum(map(refused, runs))},
        "wrong": sum(run["seconds"] < settings.seconds / 2 for run in unproved),
        "milliseconds": median(times),
        "ratio": median(run["cost"] / max(1, run["lower_bound"] or 0) for run in plans) if plans else None,
    }


def is_proved(run: Row, case: Case) -> bool:
    """Is the cost of a plan at most the factor times the bound that comes with it?"""
    within: bool = run["cost"] <= case.factor * (run["lower_bound"] or 0) + 1e-9
    return within


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
