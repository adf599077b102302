"""Maps and scenarios of the MovingAI benchmark, in the folder that the environment names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

from sidestep import Grid, Problem, io
from sidestep.instances import random_problem
from sidestep.sweeps.instances import source_of

DATA = "SIDESTEP_DATA"
S32, R64 = "random-32-32-20", "random-64-64-20"
WAREHOUSE, LARGE_WAREHOUSE = "warehouse-10-20-10-2-1", "warehouse-20-40-10-2-1"
Case = TypeVar("Case", bound="Crowded")
NO_MAPS = f"{DATA} names no folder with maps in movingai/map."
NO_SCENARIOS = f"{DATA} names no folder with scenarios in movingai/scen."


@dataclass(frozen=True)
class Crowded:
    """A map by name, and how many agents are on it."""

    map: str
    agents: int


@dataclass(frozen=True)
class Settings(Generic[Case]):
    """Which cases, how many problems of each, and CPU seconds for one run."""

    cases: tuple[Case, ...]
    problems: int = 5
    seconds: float = 10.0


def instances_of(case: Crowded, count: int, seed: int) -> list[dict[str, Any]]:
    """As a suite has them: the scenarios of the map that are there, then others drawn by the seed."""
    files = scenario_files(case.map)[:count]
    found: list[dict[str, Any]] = []
    if files:
        map_file = str(folder() / "map" / f"{case.map}.map")
        found.append({"map": map_file, "scen": [str(file) for file in files], "agents": case.agents})
    if drawn := count - len(files):
        function = f"{__name__}:drawn_on"
        of = {"name": case.map, "agents": case.agents}
        found.append({"function": function, **of, "first_seed": seed, "count": drawn})
    return found


def problems_of(case: Crowded, count: int, seed: int) -> list[Problem]:
    """The same, made."""
    entries = instances_of(case, count, seed)
    return [instance.problem() for entry in entries for instance in source_of(entry, Path())]


def drawn_on(seed: int, name: str, agents: int) -> Problem:
    """Random starts and goals on a map by name."""
    return random_problem(read_map(name), agents, seed)


def folder() -> Path:
    """Where the files are; a folder that does not exist if the environment names none."""
    return Path(os.environ.get(DATA) or "/nonexistent") / "movingai"


def map_files(names: Iterable[str]) -> list[Path]:
    """Those of the maps that are there."""
    files = (folder() / "map" / f"{name}.map" for name in names)
    return [path for path in files if path.exists()]


def scenario_files(name: str = "*") -> list[Path]:
    """The scenarios of a map that are there, or of all."""
    return sorted(folder().glob(f"scen/{name}.scen" if name == "*" else f"scen/{name}-random-*.scen"))


def read_map(name: str) -> Grid:
    """A map as a grid."""
    grid = io.read_map(folder() / "map" / f"{name}.map")
    assert isinstance(grid, Grid)
    return grid
