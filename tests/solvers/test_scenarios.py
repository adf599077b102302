"""The optimal costs of the MovingAI scenarios, as they were recorded: whoever solves them finds the same."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import sidestep as ss
from sidestep import io

DATA = Path(os.environ.get("SIDESTEP_DATA") or "/nonexistent") / "movingai"
RECORD = json.loads((Path(__file__).parents[2] / "docs/scenarios.json").read_text())
COSTS = {
    (row["scenario"], agents): cost
    for row in RECORD["rows"]
    for agents, cost in row["costs"]
    if row["solver"] == "CBS"
}

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the MovingAI files are not here: SIDESTEP_DATA does not name their folder"
)


def scenario(name: str, agents: int) -> ss.Problem:
    grid = io.read_map(DATA / f"map/{name.partition('-random-')[0]}.map")
    return io.read_scen(DATA / f"scen/{name}.scen", grid, agents=agents)


def check(name: str, agents: int, solver: str, seconds: float) -> bool:
    problem = scenario(name, agents)
    result = ss.solve(problem, solver, time_limit=seconds)
    if result.status is ss.Status.TIMEOUT:
        return False
    assert result.status is ss.Status.OPTIMAL
    assert ss.validate(problem, result.plan)
    assert result.plan.cost == result.lower_bound == COSTS[name, agents]
    return True


DEAR = {("room-32-32-4-random-1", 40)}  # takes as long as all others together; the slow sweep has it


@pytest.mark.parametrize(("name", "agents"), [key for key in COSTS if key[1] <= 40 and key not in DEAR])
def test_cbs_finds_the_recorded_cost(name: str, agents: int) -> None:
    assert check(name, agents, "cbs", 30)


@pytest.mark.parametrize("solver", ["icts", "id"])
@pytest.mark.parametrize("name", sorted({name for name, _ in COSTS}))
def test_others_find_the_same(name: str, solver: str) -> None:
    assert check(name, 10, solver, 30)


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["cbs", "icts", "id"])
@pytest.mark.parametrize(("name", "agents"), COSTS)
def test_whatever_is_solved_in_time_has_the_recorded_cost(name: str, agents: int, solver: str) -> None:
    check(name, agents, solver, 60 if solver == "cbs" else 5)


def test_every_scenario_is_recorded() -> None:
    assert {path.stem for path in DATA.glob("scen/*.scen")} == {name for name, _ in COSTS}
