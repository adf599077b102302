"""BCP beside CA*, HCA* and WHCA*: what its paper leaves to the future, for few units and for many.

The same instances for all, every plan judged. Cost is that over the sum of all distances; time is CPU time;
memory is what the budget has counted when a run is over: distances, searches and paths, not the map.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from sidestep import BCP, CA, HCA, WHCA, Budget, Problem, Rules, validate
from sidestep.instances import random_grid, random_problem
from sidestep.papers.timing import timed
from sidestep.solvers import Solver
from sidestep.solvers.cooperative import cooperating_agents

from .measurements import Column, Measurements, Row, Say, Table

SOLVERS: dict[str, Solver] = {
    "BCP as printed": BCP.as_printed(),
    "BCP": BCP(),
    "CA*": CA(),
    "HCA*": HCA(),
    "WHCA*": WHCA(),
}
RULES = Rules(crossing=True)  # the paper's, but for following: without it columns collide with themselves


@dataclass(frozen=True)
class Settings:
    """How many units, how many instances of each, on maps of which side, and how long a run may take."""

    units: tuple[int, ...] = (10, 20, 40, 80, 160)
    instances: int = 20
    side: int = 40
    density: float = 0.1
    seconds: float = 10.0

    def problem(self, units: int, seed: int) -> Problem:
        """8-connected, as in the paper."""
        grid = random_grid(self.side, self.side, self.density, seed, connectivity=8)
        return random_problem(grid, units, seed, rules=RULES)


FULL = Settings()
QUICK = Settings(units=(10, 40, 160), instances=5)


@dataclass(frozen=True)
class Run:
    """One solver on one instance; without a valid plan there is no cost."""

    cost: float | None
    milliseconds: float
    megabytes: float


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All solvers on all instances of all sizes."""
    rows: list[Row] = []
    for units in settings.units:
        say(f"BCP beside others, {units} units")
        problems = [settings.problem(units, seed + number) for number in range(settings.instances)]
        runs = {
            name: [run(solver, problem, settings.seconds) for problem in problems]
            for name, solver in SOLVERS.items()
        }
        rows += [row(units, name, runs) for name in runs]
    return Measurements((_table(rows, settings),))


def run(solver: Solver, problem: Problem, seconds: float) -> Run:
    """One run; distances to the goals are part of it."""
    budget = Budget(seconds)
    result, spent = timed(lambda: solver.solve(problem, budget=budget, seed=0))
    cost = None
    if result.plan is not None and validate(problem, result.plan):
        ways = cooperating_agents(problem).distances(Budget().core)
        cost = result.plan.cost / int(ways.sum())
    return Run(cost, spent.cpu * 1e3, budget.core.bytes / 2**20)


def row(units: int, name: str, runs: Mapping[str, Sequence[Run]]) -> Row:
    """Costs are of the instances that all solve."""
    ours = runs[name]
    common = [k for k in range(len(ours)) if all(some[k].cost is not None for some in runs.values())]
    return {
        "units": units,
        "solver": name,
        "solved": 100 * fmean(one.cost is not None for one in ours),
        "cost": fmean(ours[k].cost or 0 for k in common) if common else None,
        "common": len(common),
        "ms": median(one.milliseconds for one in ours),
        "MB": median(one.megabytes for one in ours),
    }


def _table(rows: Sequence[Row], settings: Settings) -> Table:
    columns = (
        Column("units"),
        Column("solver"),
        Column("solved", "solved\n%", ".0f"),
        Column("cost", "cost /\ndistances", ".4f"),
        Column("common", "of\ninstances"),
        Column("ms", "median\nCPU ms", ".2f"),
        Column("MB", "median\nMB", ".2f"),
    )
    title = f"BCP beside CA*, HCA*, WHCA*: {settings.side}x{settings.side}, {settings.density:.0%} blocked"
    notes = (
        f"{settings.instances} instances of each size, 8-connected, following and crossing allowed.",
        "Costs are of the instances that all solve.",
    )
    return Table(title, columns, tuple(rows), notes)
