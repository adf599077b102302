"""`sidestep improve`: plans become cheaper, and are mended first where agents collide."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sidestep as ss
from sidestep import io

from .conftest import Sidestep

NODES = ("--node-limit", 20_000)


@pytest.fixture
def problem() -> ss.Problem:
    """Two that change places on an open map."""
    return ss.Problem(ss.Grid([[True] * 3] * 3), [(0, 0), (0, 2)], [(0, 2), (0, 0)])


def test_a_plan_becomes_cheaper_and_is_kept(sidestep: Sidestep, folder: Path, problem: ss.Problem) -> None:
    plan = ss.solve(problem, "hca").plan
    assert plan is not None
    dear = ss.Plan(problem, np.concatenate([plan.vertices[[0, 0, 0]], plan.vertices]))
    io.write_plan(dear, folder / "dear.json")
    done = sidestep("improve", "dear.json", *NODES, "--json", "-o", "better.json")
    assert done.code == 0, done.err
    assert (done.json["valid"], done.json["cost"]) == (True, plan.cost)
    assert plan.cost < dear.cost
    kept = io.read_plan(folder / "better.json").plan
    assert kept is not None
    assert kept.cost == plan.cost
    assert ss.validate(problem, kept)


def test_agents_that_collide_are_parted_first(sidestep: Sidestep, folder: Path, problem: ss.Problem) -> None:
    io.write_plan(ss.Plan(problem, [[0, 2], [1, 1], [2, 0]]), folder / "through.json")
    assert sidestep("validate", "through.json").code == 1
    done = sidestep("improve", "through.json", *NODES, "--json")
    assert (done.code, done.json["valid"]) == (0, True)


def test_what_has_no_plan_is_refused(sidestep: Sidestep, folder: Path, problem: ss.Problem) -> None:
    io.write_problem(problem, folder / "problem.json")
    sidestep("improve", "problem.json").refused("problem.json is a problem without a plan")
