"""The command line with agents of several cells and turns: solved, judged and shown, or refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sidestep as ss
from sidestep import io

from .conftest import Sidestep


@pytest.fixture
def plan(sidestep: Sidestep, folder: Path) -> Path:
    agents = [ss.Agent((0, 0), (3, 4), name="tank", size=2, period=3), ss.Agent((0, 5), (4, 0), name="jeep")]
    problem = ss.Problem.from_agents(ss.Grid(np.ones((5, 6), dtype=bool)), agents)
    io.write_problem(problem, folder / "problem.json")
    done = sidestep("solve", "problem.json", "--solver", "hca", "-o", "plan.json", "--json")
    assert done.code == 0, done.err
    return folder / "plan.json"


def test_a_plan_is_judged_and_shown(sidestep: Sidestep, plan: Path) -> None:
    assert sidestep("validate", plan).code == 0
    assert sidestep("view", plan, "-o", "page.html").code == 0
    assert io.read_plan(plan).plan.problem.periods.tolist() == [3, 1]


def test_moves_of_several_turns_are_no_waits(sidestep: Sidestep, plan: Path) -> None:
    found = io.read_plan(plan).plan
    told = sidestep("solve", "problem.json", "--solver", "hca").out
    ways = 7 * 3 + 9
    assert f"│ waits      │ {found.cost - ways - 2} " in told  # the jeep also makes a detour of two steps


def test_large_and_slow_agents_are_asked_about(sidestep: Sidestep, plan: Path) -> None:
    done = sidestep("explain", "plan.json", "--agent", "jeep", "--time", 1)
    assert "jeep waits at (1, 5): going on at once, it would meet tank on" in done.out
    assert sidestep("view", "plan.json", "--why", "-o", "page.html").code == 0


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            ("solve", "problem.json", "--solver", "cbs"),
            "cbs does not take this problem: it knows only",
        ),
        (("view", "plan.json", "-o", "picture.png"), "pictures and films show agents of one cell only"),
        (
            ("convert", "plan.json", "out.scen"),
            "agent tank has a size of 2, which a scenario",
        ),
    ],
)
def test_what_is_refused(sidestep: Sidestep, plan: Path, command: tuple[object, ...], said: str) -> None:
    assert plan.exists()
    sidestep(*command).refused(said)
