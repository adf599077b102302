"""`sidestep demo`."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import sidestep as ss
from sidestep import io

from .conftest import Sidestep


@pytest.fixture(autouse=True)
def no_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webbrowser.open", lambda page: pytest.fail(f"opened {page}"))
    monkeypatch.setenv("CI", "true")


@pytest.fixture(autouse=True)
def small_warehouse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sidestep.cli.demo.ROBOTS", 60)
    monkeypatch.setattr("sidestep.cli.demo.IMPROVED", 1.0)


def test_the_demo_plans_for_a_hundred_agents_twice_and_for_a_warehouse(
    sidestep: Sidestep, folder: Path
) -> None:
    begun = time.process_time()
    done = sidestep("demo")
    assert done.code == 0, done.out + done.err
    assert time.process_time() - begun < 30
    assert "out/demo.html" in done.out
    assert done.out.count("no collision") == 3
    first, second = (io.read_plan(f"out/demo-{name}.json") for name in ("whca", "hca"))
    assert first.problem == second.problem
    assert first.problem.n_agents >= 100
    warehouse = io.read_plan("out/demo-warehouse.json")
    assert warehouse.problem.n_agents == 60
    for kept in (first, second, warehouse):
        assert ss.validate(kept.problem, kept.plan)
    for page in ("demo.html", "demo-warehouse.html"):
        assert "<title>" in Path("out", page).read_text()


def test_a_warehouse_without_a_plan_is_told_and_the_rooms_are_shown(
    sidestep: Sidestep, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sidestep.cli.demo.IMPROVED", 0.0)
    done = sidestep("demo")
    assert done.code == 0
    assert "auto: no plan this time" in done.out
    assert [path.name for path in Path("out").glob("*.html")] == ["demo.html"]


def test_the_demo_writes_where_it_is_told(sidestep: Sidestep, folder: Path) -> None:
    assert sidestep("demo", "--seed", 1, "-o", "scene.html").code == 0
    assert sorted(path.name for path in folder.glob("scene*")) == [
        "scene-hca.json",
        "scene-warehouse.html",
        "scene-warehouse.json",
        "scene-whca.json",
        "scene.html",
    ]


def test_bad_input(sidestep: Sidestep, folder: Path) -> None:
    sidestep("demo", "--seed", "x").refused("--seed")
    sidestep("demo", "--seed", "-1").refused("seed")
    sidestep("demo", "-o", "small.map/demo.html").refused("small.map")
    Path("x.html").mkdir()
    sidestep("demo", "-o", "x.html").refused("folder")
    sidestep("demo", "-o", "demo.json").refused(".html")
    assert not Path("out").exists()


def test_a_planner_without_a_plan_is_told_and_the_other_shown(
    sidestep: Sidestep, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planners = {"whca": ("WHCA*", ({"window": 2},)), "hca": ("HCA*", ({},))}
    monkeypatch.setattr("sidestep.cli.demo.PLANNERS", planners)
    done = sidestep("demo")
    assert done.code == 0
    assert "whca: no plan this time" in done.out
    assert "Both" not in done.out
    assert Path("out/demo.html").exists()
    assert not Path("out/demo-whca.json").exists()


def test_without_any_plan_nothing_is_written(
    sidestep: Sidestep, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sidestep.cli.demo.PLANNERS", {"whca": ("WHCA*", ({"window": 2},))})
    done = sidestep("demo")
    assert done.code == 1
    assert not Path("out/demo.html").exists()
