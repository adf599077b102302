"""Ten thousand agents: small enough to send, ready at once, and smooth without a graphics card.

Machines are shared, so what is measured is CPU time, in a page that of the thread which runs its script and
draws. What has 30 frames a second to draw may take a thirtieth of a second for one.

At the gate one crowd of ten thousand is played; that a file of a thousand steps is small, ready and quick to
answer is left to `make test-full`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

import sidestep as ss
from sidestep.instances import random_grid, random_problem

from .conftest import Show, Shown, open_page

AGENTS = 10_000
STEPS = 1_000
FRAMES = 45
A_FRAME = 1 / 30
DRAWN_FRAMES = "document.getElementById('player').player.frames"


def straight_run() -> ss.Plan:
    """Columns of agents that set out one after the other and walk along their rows, either way."""
    lanes, per_lane, width = 200, AGENTS // 200, STEPS + 50
    rng = np.random.default_rng(0)
    lane, place = np.divmod(np.arange(AGENTS), per_lane)
    gaps = rng.integers(0, 3, size=(lanes, per_lane))
    gaps[:, 0] = rng.integers(0, 50, size=lanes)
    begin = np.cumsum(gaps, axis=1)[lane, place]  # the first of a column goes first
    times = np.arange(STEPS + 1)[:, None]
    walked = np.clip(times - begin, 0, width - per_lane)
    along = per_lane - 1 - place + walked
    columns = np.where(lane % 2 == 0, along, width - 1 - along)
    vertices = lane * width + columns
    grid = ss.Grid(np.ones((lanes, width), dtype=np.bool_))
    ends = [[grid.place(vertex) for vertex in vertices[row].tolist()] for row in (0, -1)]
    return ss.Plan(ss.Problem(grid, *ends), vertices)


def dense_run() -> ss.Plan:
    """A square of 128 x 128 in which agents go round in blocks of four cells."""
    side, steps = 128, 202
    rng = np.random.default_rng(0)
    chosen = np.sort(rng.permutation(side * side)[:AGENTS])
    block, turn = np.divmod(chosen, 4)
    top, left = 2 * (block // (side // 2)), 2 * (block % (side // 2))
    round_about = np.array([[0, 0], [0, 1], [1, 1], [1, 0]])
    corner = round_about[(turn + np.arange(steps + 1)[:, None]) % 4]
    vertices = (top + corner[..., 0]) * side + left + corner[..., 1]
    grid = ss.Grid(np.ones((side, side), dtype=np.bool_))
    ends = [[grid.place(vertex) for vertex in vertices[row].tolist()] for row in (0, -1)]
    return ss.Plan(ss.Problem(grid, *ends), vertices)


@pytest.fixture(scope="module")
def straight() -> ss.Plan:
    return straight_run()


@pytest.fixture(scope="module")
def page(straight: ss.Plan, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "straight.html"
    begin = time.process_time()
    replay = ss.replay(straight)
    assert replay.scenes[0].report, replay.scenes[0].report
    replay.save(path)
    assert time.process_time() - begin < 15
    return path


def clock_of(page: Page) -> Callable[[], float]:
    """A clock of the CPU time that the main thread of a page has spent, in seconds."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def read() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "ThreadTime")

    return read


def seconds_per_frame(shown: Shown) -> float:
    clock = clock_of(shown.page)
    shown.call("seek", 0)
    shown.call("play")
    frames, begin = shown.page.evaluate(DRAWN_FRAMES), clock()
    shown.until(f"player.frames >= {frames + FRAMES}")
    spent = clock() - begin
    print(f"{spent:.3f} s for {FRAMES} frames")
    return spent / (shown.page.evaluate(DRAWN_FRAMES) - frames)


@pytest.mark.slow
def test_the_file_is_small(page: Path) -> None:
    assert page.stat().st_size < 3_000_000


@pytest.mark.slow
def test_it_is_ready_in_two_seconds(browser: Browser, page: Path) -> None:
    shown = Shown(browser.new_page(viewport={"width": 1200, "height": 800}))
    clock = clock_of(shown.page)
    open_page(shown, page, hash="")
    spent = clock()
    shown.page.close()
    assert spent < 2


@pytest.mark.slow
def test_all_are_where_the_plan_says(show: Show, page: Path, straight: ss.Plan) -> None:
    shown = show(page)
    for when in (0, 1, 437, STEPS):
        shown.seek(when)
        assert shown.scene["vertices"] == straight.vertices[when].tolist()


@pytest.mark.slow
def test_a_thousand_steps_play_smoothly(show: Show, page: Path) -> None:
    assert seconds_per_frame(show(page)) <= A_FRAME


def test_a_dense_crowd_plays_smoothly(show: Show) -> None:
    plan = dense_run()
    assert ss.validate(plan.problem, plan)
    shown = show(plan)
    assert seconds_per_frame(shown) <= A_FRAME
    shown.press("Space")
    assert not shown.state["playing"]
    shown.seek(101)
    assert shown.scene["vertices"] == plan.vertices[101].tolist()


@pytest.mark.slow
def test_a_large_replay_answers_quickly(show: Show, page: Path) -> None:
    """Every tab, the heat maps and the search of ten thousand agents answer within a second or so."""
    shown = show(page)
    clock = clock_of(shown.page)
    begin = clock()
    shown.press("h", "h", "h", "/")
    shown.page.get_by_role("searchbox").fill("a9999")
    shown.find(".list[aria-label=Agents] button").click()
    assert shown.state["selected"] == 9999
    shown.open_tab("Events")
    shown.press("f", "ArrowRight", "End", "Home")
    assert clock() - begin < 5


@pytest.mark.slow
def test_a_run_of_whca_is_small_ready_and_smooth(show: Show, tmp_path: Path) -> None:
    """Ten thousand agents on a map of obstacles, who all arrive, in about a thousand steps."""
    problem = random_problem(random_grid(512, 512, 0.15, 1), AGENTS, 1)
    result = ss.solve(problem, "whca", time_limit=600)
    assert result.plan is not None
    assert result.plan.makespan > 900
    path = tmp_path / "whca.html"
    ss.replay(result).save(path)
    assert path.stat().st_size < 3_000_000
    shown = show(path)
    assert shown.text(".badge") == "✓ valid"
    assert seconds_per_frame(shown) <= A_FRAME
