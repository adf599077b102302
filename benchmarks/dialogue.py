"""How long the agents of PCA*, DPCA*, DPCA*+ and WDPCA* talk until they have a plan.

On instances like those of the dialogue thesis (16x16 cells, a fifth blocked, 2 to 40 agents), and with 60
agents on 32x32. There is no other library that has these algorithms, so the targets are times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import median

from sidestep import Problem, Rules, solve, validate
from sidestep.instances import dialogue_problem, random_grid, random_problem
from sidestep.papers.dialogue_thesis.trial import OURS
from sidestep.papers.timing import timed

from .measurements import Column, Measurements, Row, Say, Table, Target, Verdict, none_refused

SOLVERS = {name: OURS[name] for name in ("PCA*", "DPCA*", "DPCA*+", "WDPCA*-2", "WDPCA*-4", "WDPCA*-8")}
SMALL, LARGE = "16x16", "32x32"
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
    rows = [
        measured(scene, name, problems(scene, settings, seed), settings, say)
        for scene in (SMALL, LARGE)
        for name in SOLVERS
    ]
    refused = REFUSED.judge(sum(row["refused"] for row in rows))
    return Measurements((_table(rows),), (*verdicts(rows), refused))


def problems(scene: str, settings: Settings, seed: int) -> Iterator[Problem]:
    """The instances of one kind, from their seeds."""
    if scene == SMALL:
        yield from map(dialogue_problem, range(seed, seed + settings.small))
    else:
        for number in range(seed, seed + settings.large):
            grid = random_grid(32, 32, density=0.2, seed=number, connectivity=8, corners="free")
            yield random_problem(grid, settings.agents, number, rules=Rules(cost="time_off_goal"))


def measured(scene: str, name: str, instances: Iterator[Problem], settings: Settings, say: Say) -> Row:
    """One solver on all instances of a kind. Times are of the solved; who gives up may be quick about it."""
    spent, all_spent, refused = [], [], 0
    for problem in instances:
        say(f"{name}, {scene}: {problem.n_agents} agents")
        result, time = timed(partial(solve, problem, SOLVERS[name], time_limit=settings.seconds))
        all_spent.append(time.cpu * 1000)
        if result.plan is not None:
            spent.append(time.cpu * 1000)
            refused += not validate(problem, result.plan)
    return {
        "scene": scene,
        "solver": name,
        "instances": len(all_spent),
        "solved": len(spent),
        "median": median(spent) if spent else None,
        "median_of_all": median(all_spent),
        "worst": max(all_spent),
        "refused": refused,
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
