"""`sidestep demo`."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import sidestep as ss
from sidestep import io

from .conftest import Sidestep


def test_the_demo_plans_for_a_hundred_agents(sidestep: Sidestep, folder: Path) -> None:
    begun = time.monotonic()
    done = sidestep("demo")
    assert done.code == 0, done.out + done.err
    assert time.monotonic() - begun < 30
    assert "out/demo.json" in done.out
    assert "lower bound" in done.out
    kept = io.read_plan("out/demo.json")
    assert kept.problem.n_agents >= 100
    assert ss.validate(kept.problem, kept.plan)
    assert sidestep("validate", "out/demo.json").code == 0


def test_the_demo_writes_where_it_is_told(sidestep: Sidestep, folder: Path) -> None:
    assert sidestep("demo", "--seed", 1, "-o", "scene.json").code == 0
    assert Path("scene.json").exists()


def test_bad_input(sidestep: Sidestep, folder: Path) -> None:
    sidestep("demo", "--seed", "x").refused("--seed")
    sidestep("demo", "--seed", "-1").refused("seed")
    sidestep("demo", "-o", "small.map/demo.json").refused("small.map")
    sidestep("demo", "-o", ".").refused("folder")
    assert not Path("out").exists()


def test_a_jam_that_does_not_clear_is_told_and_no_plan_is_written(
    sidestep: Sidestep, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sidestep.cli.demo.WINDOWS", (2,))
    done = sidestep("demo")
    assert done.code == 1
    assert "Looking 2 steps ahead was not enough" in done.out
    assert not Path("out/demo.json").exists()
