"""The page of `sidestep demo`, and the picture of it in the README."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

import sidestep as ss
from sidestep import io
from sidestep.cli import main

from .conftest import Show

MAKE_PICTURE = Path(__file__).parents[2] / "docs" / "images" / "make_demo.py"
TICKERS = """(times) => Array.from({ length: times }, (_, time) => {
  const { player } = document.getElementById("player");
  player.seek(time);
  return player.state.scenes.map(({ ticker }) => ticker);
})"""
SENTENCE = re.compile(r"(\w+) waits for (\w+), which (?:takes|stands on) \((\d+), (\d+)\)")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("demo") / "demo.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sidestep.cli.demo.ROBOTS", 100)  # a busy machine has a plan in time, too
        patch.setattr("sidestep.cli.demo.IMPROVED", 3.0)
        assert main(["demo", "--no-open", "-o", str(page)]) == 0
    return page


def test_it_shows_two_valid_runs_of_more_than_a_hundred_agents(show: Show, demo: Path) -> None:
    shown = show(demo)
    assert [scene["label"] for scene in shown.state["scenes"]] == ["WHCA*", "HCA*"]
    assert shown.find(".badge").all_text_contents() == ["✓ valid", "✓ valid"]
    assert all(len(scene["vertices"]) >= 100 for scene in shown.state["scenes"])
    shown.call("seek", shown.state["steps"])
    assert shown.find(".counts").all_text_contents() == ["120 of 120 at their goals, 0 waiting"] * 2


def test_the_warehouse_shows_how_its_cost_fell(show: Show, demo: Path) -> None:
    kept = io.read_plan(demo.with_name("demo-warehouse.json"))
    rows = kept.stats["cost_over_time"]
    shown = show(demo.with_name("demo-warehouse.html"))
    said = shown.find(".costs p").text_content()
    assert f"The cost fell from {rows[0][2]:,} after" in said
    assert f"to {kept.plan.cost:,} after" in said
    assert f"no plan costs less than {kept.lower_bound:,}." in said
    box = shown.find(".costs svg path:last-child").bounding_box()
    assert box["width"] > 100
    assert box["height"] > 2


def test_it_begins_to_play_by_itself(show: Show, demo: Path) -> None:
    shown = show(demo, hash="")
    shown.until("player.time > 1")


def test_the_waits_it_speaks_of_are_true(show: Show, demo: Path) -> None:
    """At the next time the other one is on the cell that is nearer to the goal of the one that waits."""
    shown = show(demo)
    plans = [io.read_plan(demo.with_name(f"demo-{name}.json")).plan for name in ("whca", "hca")]
    checked = 0
    for time, tickers in enumerate(shown.page.evaluate(TICKERS, 60)):
        for plan, ticker in zip(plans, tickers, strict=True):
            assert plan is not None
            said = SENTENCE.match(ticker)
            if said and time < plan.makespan:
                check_wait(plan, time, said)
                checked += 1
    assert checked > 40


def check_wait(plan: ss.Plan, time: int, said: re.Match[str]) -> None:
    who, other, row, col = said.groups()
    agent, blocker = plan.problem.names.index(who), plan.problem.names.index(other)
    cells, wanted = plan.cells, (int(row), int(col))
    assert tuple(cells[time, agent]) == tuple(cells[time + 1, agent])
    assert tuple(cells[time + 1, blocker]) == wanted
    assert np.abs(cells[time, agent] - wanted).sum() == 1


@pytest.mark.slow
def test_the_picture_in_the_readme_can_be_taken_again(browser: Browser, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", MAKE_PICTURE, tmp_path / "demo.png"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    taken, kept = Image.open(tmp_path / "demo.png"), Image.open(MAKE_PICTURE.with_name("demo.png"))
    assert taken.size == kept.size == (1280, 800)
    # Fonts differ between machines, and so may every pixel; but agents of all colours are on both.
    for picture in (taken, kept):
        assert len(picture.convert("RGB").getcolors(1280 * 800) or ()) > 500
