"""How many agents of the MovingAI scenarios are planned optimally within half a minute.

Agents are added ten by ten, as the scenarios list them, until a solver does not finish in time. What all
solvers find must cost the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from sidestep import CBS, ICTS, ID, io, solve, validate
from sidestep.papers.timing import timed
from sidestep.solvers import Solver

from .measurements import Column, Measurements, Row, Say, Table, Target, none_refused
from .movingai import NO_SCENARIOS, read_map, scenario_files

# What is compared is what the name says: nobody hands over to a joint search.
SOLVERS: dict[str, Solver] = {
    "CBS": CBS(joint_takeover=False),
    "ICTS": ICTS(joint_takeover=False),
    "OD+ID": ID(),
}
DIFFERENT = Target("MovingAI scenarios: plans of one problem that cost differently", 0, "problems")
REFUSED = none_refused("MovingAI scenarios: plans")


@dataclass(frozen=True)
class Settings:
    """Seconds for one plan, and by how many the agents grow."""

    seconds: float
    step: int


FULL = Settings(30.0, 10)
QUICK = Settings(1.0, 20)


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All scenarios that there are; nothing in them is random, so the seed plays no part."""
    files = scenario_files()
    if not files:
        return Measurements(skipped=NO_SCENARIOS)
    rows = [climbed(file, name, settings, say) for file in files for name in SOLVERS]
    verdicts = (DIFFERENT.judge(different(rows)), REFUSED.judge(sum(row["refused"] for row in rows)))
    return Measurements((_table(rows, settings),), verdicts)


def climbed(file: Path, name: str, settings: Settings, say: Say) -> Row:
    """One solver on one scenario with ever more agents; `costs` are pairs of agents and cost."""
    grid = read_map(file.stem.partition("-random-")[0])
    row: dict[str, Any] = {"scenario": file.stem, "solver": name, "most": 0, "refused": 0, "costs": []}
    for agents in range(settings.step, len(io.read_scen(file, grid).agents) + 1, settings.step):
        say(f"{name}, {file.stem}: {agents} agents")
        problem = io.read_scen(file, grid, agents=agents)
        result, spent = timed(partial(solve, problem, SOLVERS[name], time_limit=settings.seconds))
        if result.plan is None:
            break
        row["refused"] += not validate(problem, result.plan)
        row |= {"most": agents, "seconds": spent.cpu}
        row["costs"].append([agents, result.plan.cost])
    return row


def different(rows: Sequence[Row]) -> int:
    """Problems for which two solvers have plans of different costs."""
    costs: dict[tuple[str, int], set[int]] = {}
    for row in rows:
        for agents, cost in row["costs"]:
            costs.setdefault((row["scenario"], agents), set()).add(cost)
    return sum(len(found) > 1 for found in costs.values())


def _table(rows: Sequence[Row], settings: Settings) -> Table:
    return Table(
        f"MovingAI scenarios: the most agents that are planned optimally within {settings.seconds:g} s",
        (
            Column("scenario"),
            Column("solver"),
            Column("most", "agents"),
            Column("seconds", "CPU seconds\nfor these", ".2f"),
        ),
        tuple(rows),
        (f"Tried in steps of {settings.step}, up to the first that takes longer.",),
    )
