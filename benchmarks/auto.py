"""What `auto` chooses on 18 maps with five numbers of agents each, and how far it is from the best solver.

Starts and goals are drawn by a seed. All solvers have the same CPU time, distances included, and end early
if they do so by themselves. The best single solver is the one with the cheapest plan in that row; `auto` is
compared with it, row by row.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import Any

from sidestep import Problem, solve, validate
from sidestep.instances import random_problem
from sidestep.papers.timing import timed

from .measurements import CASE, Column, Measurements, Row, Say, Table, Target, none_refused
from .movingai import NO_MAPS, S32, WAREHOUSE, folder, map_files, read_map

SINGLE = ("whca", "hca", "cbs", "eecbs", "pbs", "lacam", "lns")
SHARES = (0.01, 0.03, 0.08, 0.15, 0.25)  # of the open places: how many agents
MOST_AGENTS = 2000
MARGIN = 0.05
REFUSED = none_refused("auto: plans")
UNSOLVED = Target("auto: problems that another solver solves and it does not", 0, "problems")
WORST = Target("auto: how much dearer than the cheapest plan of any solver, at worst", MARGIN, "")


@dataclass(frozen=True)
class Settings:
    """Which maps and shares of agents, CPU seconds for one run, and who is compared; no maps are all."""

    maps: tuple[str, ...] = ()
    shares: tuple[float, ...] = SHARES
    seconds: float = 1.0
    single: tuple[str, ...] = SINGLE


FULL = Settings()
QUICK = Settings(
    maps=(
        "empty-16-16",
        "maze-32-32-4",
        S32,
        "room-64-64-16",
        WAREHOUSE,
        "ost003d",
    ),
    shares=(0.03, 0.15),
    single=("whca", "cbs", "lacam", "lns"),
)


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All maps and sizes."""
    if not map_files([S32]):
        return Measurements(skipped=NO_MAPS)
    rows = []
    for name, problem in problems_of(settings, seed):
        say(f"{name}: {problem.n_agents} agents")
        rows.append(measured(name, problem, settings))
    over = [row["over"] for row in rows if row["over"] is not None]
    verdicts = (
        REFUSED.judge(sum(row["refused"] for row in rows)),
        UNSOLVED.judge(sum(row["ratio"] is None and row["best"] != "-" for row in rows)),
        WORST.judge(max(over, default=None)),
    )
    return Measurements((_table(rows, settings, over),), verdicts)


def problems_of(settings: Settings, seed: int) -> Iterator[tuple[str, Problem]]:
    """A problem per map and share, with its name."""
    for name in settings.maps or sorted(file.stem for file in folder().glob("map/*.map")):
        grid = read_map(name)
        open_places = int(grid.passable.sum())
        for share in settings.shares:
            yield name, random_problem(grid, min(MOST_AGENTS, max(2, round(share * open_places))), seed)


def measured(name: str, problem: Problem, settings: Settings) -> Row:
    """Auto and all others on one problem."""
    row: dict[str, Any] = {"map": name, "agents": problem.n_agents, "refused": 0}
    costs: dict[str, int] = {}
    for solver in ("auto", *settings.single):
        result, seconds = run(problem, solver, settings.seconds)
        if result.plan is not None:
            row["refused"] += not validate(problem, result.plan)
            costs[solver] = result.plan.cost
        if solver == "auto":
            row |= {
                "seconds": seconds,
                "status": str(result.status),
                "ratio": result.stats.get("proved_factor"),
            }
            row["ran"] = ", ".join(one["solver"] for one in result.stats["tried"])
    own = costs.pop("auto", None)
    best = min(costs, key=lambda solver: costs[solver], default="-")
    over = own / max(1, costs[best]) - 1 if own is not None and costs else None
    return row | {"best": best, "over": over}


def run(problem: Problem, solver: str, seconds: float) -> tuple[Any, float]:
    """One solver until its CPU time is over, from a problem that nobody has looked at."""
    problem.compiled = problem.components = None
    begin = time.process_time()
    over = partial(_is_over, begin + seconds)
    result, spent = timed(partial(solve, problem, solver, time_limit=None, stop=over))
    return result, spent.cpu


def _is_over(end: float) -> bool:
    return time.process_time() > end


def _table(rows: Sequence[Row], settings: Settings, over: Sequence[float]) -> Table:
    within = sum(one <= 0 for one in over)
    return Table(
        f"Auto within {settings.seconds:g} CPU seconds, beside {', '.join(settings.single)}",
        (
            *CASE,
            Column("ran", "what auto ran"),
            Column("status", "status"),
            Column("ratio", "proved\nfactor", ".3f"),
            Column("seconds", "CPU\nseconds", ".2f"),
            Column("best", "best single"),
            Column("over", "auto is\ndearer by", "+.1%"),
        ),
        tuple(rows),
        (
            f"As cheap as the best single solver or cheaper on {within} of {len(over)} problems; "
            f"median {median(over):+.2%}, worst {max(over):+.2%}."
            if over
            else "nothing was solved",
        ),
    )
