"""How long the agents of PCA*, DPCA*, DPCA*+ and WDPCA* talk until they have a plan.

On instances like those of the dialogue thesis (16x16 cells, a fifth blocked, 2 to 40 agents), and with 60
agents on 32x32. There is no other library that has these algorithms, so the targets are times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from sidestep import Problem, Rules
from sidestep.instances import random_grid, random_problem
from sidestep.papers.dialogue_thesis.trial import OURS

from .measurements import Column, Measurements, Row, Say, Table, Target, Verdict, none_refused
from .swept import refused, swept

SOLVERS = {name: OURS[name] for name in ("PCA*", "DPCA*", "DPCA*+", "WDPCA*-2", "WDPCA*-4", "WDPCA*-8")}
SMALL, LARGE = "16x16", "32x32"
INSTANCES = {SMALL: "sidestep.instances:dialogue_problem", LARGE: f"{__name__}:larger_problem"}
HURRIED = ("DPCA*", "WDPCA*-2", "WDPCA*-4", "WDPCA*-8")
MEDIANS = {
    (SMALL, name): Target(f"{name}, the thesis's instances, median CPU time", 3.0, "ms") for name in HURRIED
} | {(LARGE, "DPCA*"): Target("DPCA*, 60 agents on 32x32, median CPU time of the solved", 1000.0, "ms")}
REFUSED = none_refused("Dialogue solvers: plans")


@dataclass(frozen=True)
class Settings:
    """How many instances of each kind, and how many agents on the larger map."""

    small: int = 500
    large: int = 50
    agents: int = 60
    seconds: float = 10.0


FULL = Settings()
QUICK = Settings(small=60, large=8)


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All solvers on the same instances."""
    found = swept(suite(settings, seed), say)
    rows = [
        measured(scene, name, [row for row in found if made_by(function, row) and row["solver"] == name])
        for scene, function in INSTANCES.items()
        for name in SOLVERS
    ]
    judged = REFUSED.judge(sum(row["refused"] for row in rows))
    return Measurements((_table(rows),), (*verdicts(rows), judged))


def suite(settings: Settings, seed: int) -> dict[str, Any]:
    """Instances of both kinds, from their seeds."""
    return {
        "solvers": [{"solver": solver, "label": name} for name, solver in SOLVERS.items()],
        "instances": [
            {"function": INSTANCES[SMALL], "first_seed": seed, "count": settings.small},
            {
                "function": INSTANCES[LARGE],
                "agents": settings.agents,
                "first_seed": seed,
                "count": settings.large,
            },
        ],
        "limits": {"seconds": settings.seconds},
    }


def made_by(function: str, row: Row) -> bool:
    """Is the instance of a row one that a function has made?"""
    return function.endswith(f":{row['map']}")


def larger_problem(seed: int, agents: int) -> Problem:
    """An instance as those of the thesis, on a map of 32x32."""
    grid = random_grid(32, 32, density=0.2, seed=seed, connectivity=8, corners="free")
    return random_problem(grid, agents, seed, rules=Rules(cost="time_off_goal"))


def measured(scene: str, name: str, runs: Sequence[Row]) -> Row:
    """One solver on all instances of a kind. Times are of the solved; who gives up may be quick about it."""
    spent = [row["cpu"] * 1000 for row in runs if row["cost"] is not None]
    all_spent = [row["cpu"] * 1000 for row in runs]
    return {
        "scene": scene,
        "solver": name,
        "instances": len(runs),
        "solved": len(spent),
        "median": median(spent) if spent else None,
        "median_of_all": median(all_spent),
        "worst": max(all_spent),
        "refused": sum(map(refused, runs)),
    }


def verdicts(rows: Sequence[Row]) -> Iterator[Verdict]:
    """The targets: on the small map over all instances, on the large one over the solved."""
    for row in rows:
        target = MEDIANS.get((row["scene"], row["solver"]))
        if target is not None:
            yield target.judge(row["median_of_all"] if row["scene"] == SMALL else row["median"])


def _table(rows: Sequence[Row]) -> Table:
    return Table(
        "Agents that argue about who goes first: CPU time of a solve",
        (
            Column("scene", "map"),
            Column("solver"),
            Column("instances"),
            Column("solved"),
            Column("median", "median of\nthe solved, ms", ".2f"),
            Column("median_of_all", "median\nof all, ms", ".2f"),
            Column("worst", "worst, ms", ".2f"),
        ),
        tuple(rows),
        ("8-connected with free corners, 20% blocked; 2 to 40 agents on 16x16, 60 on 32x32.",),
    )
