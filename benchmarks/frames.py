"""`python -m benchmarks.frames [SIDE,AGENTS ...]`: how fluid the player and the studio are, in a browser.

Random maps, a tenth of them blocked, without a graphics card. Per scene: a replay plays, is moved about while
it plays, a wall is drawn stroke by stroke, and a world lives beside a page that is moved about. A row says
how many frames there were per second, how long the page's own thread computed for one, and how long all
processes of the browser did. The machine may be shared: what one frame costs is CPU time. For a living world
it also says how many turns per second were shown of those that were asked for.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, sync_playwright

from scripts.find_browser import installed_browser
from sidestep import PIBT, Grid, Problem, World, replay
from sidestep.instances import random_grid
from sidestep.studio.instances import instance_of
from sidestep.studio.server import StudioServer

SCENES = ((256, 500), (512, 2000), (1000, 10_000))
FRAMES, TURNS, NEAR = 60, 100, 40
RATE = 8  # turns per second that a living world is asked for
PLAYER = "document.getElementById('player').player"

# Frames one after another, before each of which something is done. The answer: milliseconds in all.
FRAME_BY_FRAME = """async (count) => {
  const frame = () => new Promise(requestAnimationFrame);
  const act = %s;
  await frame();
  const began = performance.now();
  for (let at = 0; at < count; at++) { act(at); await frame(); }
  return performance.now() - began;
}"""
NOTHING = "() => {}"
MOVE = """(at) => {
  const { player } = document.getElementById("player");
  player.active.view.pan(at % 20 < 10 ? 7 : -7, at % 20 < 10 ? 5 : -5);
  player.viewChanged(player.active);
}"""
STROKE = """(at) => {
  const { board } = studio.editor;
  const { width } = board.picture;
  const cell = [Math.floor(width / 2), Math.floor(width / 4) + at];
  if (at === 0) board.tool.press(cell, {}); else board.tool.move(cell);
}"""
SHOW_INSTANCE = """async (json) => {
  while (!globalThis.studio?.view) await new Promise(requestAnimationFrame);
  const { fromJson } = await import("/static/instance.js");
  studio.store.replace(fromJson(json));
}"""
ZOOM = """(scale) => {
  const { player } = document.getElementById("player");
  player.fit();
  if (scale) player.zoom(scale / player.active.view.scale);
}"""
BOARD_MOVE = """(at) => {
  const { board } = studio.live;
  board.view.pan(at % 20 < 10 ? 7 : -7, at % 20 < 10 ? 5 : -5);
  board.invalidate();
}"""


def main() -> None:
    """Prints a row per scene and thing to do."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenes", nargs="*", metavar="SIDE,AGENTS")
    parser.add_argument("--pictures", type=Path, help="a folder for pictures of what was measured")
    given = parser.parse_args()
    scenes = [tuple(map(int, scene.split(","))) for scene in given.scenes] or SCENES
    columns = ("frames/s", "page ms", "all ms", "turns/s")
    print(f"{'':58}" + "".join(f"{column:>10}" for column in columns))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=installed_browser(), chromium_sandbox=False, args=["--disable-gpu"]
        )
        for side, agents in scenes:
            measured(browser, near_goals(side, agents), given.pictures)


def near_goals(side: int, agents: int) -> Problem:
    """Everybody has a way of some tens of cells, so that no time goes into distances."""
    grid = random_grid(side, side, 0.1, 1)
    random = np.random.default_rng(1)
    cells = np.argwhere(grid.passable)
    starts = cells[random.choice(len(cells), agents, replace=False)]
    taken: set[tuple[int, int]] = set()
    goals = []
    for start in starts:
        while True:
            row, col = np.clip(start + random.integers(-NEAR, NEAR + 1, 2), 0, side - 1).tolist()
            if grid.passable[row, col] and (row, col) not in taken:
                break
        taken.add((row, col))
        goals.append((row, col))
    return Problem(grid, [tuple(start) for start in starts.tolist()], goals)


def measured(browser: Browser, problem: Problem, pictures: Path | None) -> None:
    """A scene in the player and in the studio."""
    grid = problem.space
    assert isinstance(grid, Grid)
    scene = f"{grid.height}x{grid.width}, {problem.n_agents:,} agents"
    with tempfile.TemporaryDirectory() as folder, _opened(browser) as page:
        _play(page, scene, problem, Path(folder) / "replay.html", pictures)
    with running() as server, _opened(browser) as page:
        page.goto(server.link)
        page.evaluate(SHOW_INSTANCE, instance_of(problem))
        _draw(page, scene)
        _picture(page, pictures, f"draw-{grid.width}")
        _live(page, scene)
        _picture(page, pictures, f"live-{grid.width}")


def _play(page: Page, scene: str, problem: Problem, file: Path, pictures: Path | None) -> None:
    world = World(problem, PIBT())
    for _ in range(TURNS):
        world.step()
    replay(world.trace).save(file)
    page.goto(file.as_uri())
    for heat in ("none", "waiting"):
        page.evaluate(f"(heat) => {PLAYER}.setHeat(heat)", heat)
        for name, scale in (("whole", 0.0), ("close", 12.0)):
            page.evaluate(ZOOM, scale)
            for what, act in (("plays", NOTHING), ("plays, is moved", MOVE)):
                page.evaluate(f"{PLAYER}.seek(0); {PLAYER}.play()")
                _row(f"{scene}: {what}, {name}, heat {heat}", *_frames(page, act))
            _picture(page, pictures, f"player-{problem.space.width}-{heat}-{name}")  # type: ignore[union-attr]


def _draw(page: Page, scene: str) -> None:
    page.evaluate("studio.editor.toolbar.use(1)")
    _row(f"{scene}: a stroke", *_frames(page, STROKE))
    page.evaluate("studio.editor.board.tool.release([0, 0])")


def _live(page: Page, scene: str) -> None:
    page.evaluate(f"() => {{ studio.live.rate = {RATE}; }}")
    page.click("#tab-live")
    page.evaluate(
        "async () => { while (!(studio.live.turns > 2)) await new Promise(requestAnimationFrame); }"
    )
    for what, act in (("lives", NOTHING), ("lives, is moved", BOARD_MOVE)):
        turns, begin = page.evaluate("studio.live.turns"), time.monotonic()
        found = _frames(page, act, 2 * FRAMES)
        shown = (page.evaluate("studio.live.turns") - turns) / (time.monotonic() - begin)
        _row(f"{scene}: {what}", *found, f"{shown:.1f} of {RATE}")


@contextmanager
def _opened(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    yield page
    page.close()


def _frames(page: Page, act: str, count: int = FRAMES) -> tuple[float, float, float]:
    """Frames per second; milliseconds of CPU time per frame of the page's thread, and of all processes."""
    browser: Any = page.context.browser  # without a context of its own it would be None
    everything = browser.new_browser_cdp_session()
    own = page.context.new_cdp_session(page)
    own.send("Performance.enable", {"timeDomain": "threadTicks"})

    def clocks() -> tuple[float, float]:
        metrics: Any = own.send("Performance.getMetrics")["metrics"]
        thread = next(one["value"] for one in metrics if one["name"] == "ThreadTime")
        processes: Any = everything.send("SystemInfo.getProcessInfo")["processInfo"]
        return thread, sum(one["cpuTime"] for one in processes)

    before = clocks()
    spent = page.evaluate(FRAME_BY_FRAME % act, count)
    after = clocks()
    thread, whole = (1000 * (later - earlier) / count for earlier, later in zip(before, after, strict=True))
    return 1000 * count / spent, thread, whole


def _row(name: str, rate: float, thread: float, whole: float, turns: str = "") -> None:
    print(f"{name:58}{rate:>10.1f}{thread:>10.1f}{whole:>10.1f}{turns:>12}", flush=True)


def _picture(page: Page, folder: Path | None, name: str) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png")


@contextmanager
def running() -> Iterator[StudioServer]:
    """A studio on a port of its own."""
    server = StudioServer()
    thread = threading.Thread(target=server.serve)
    thread.start()
    while not server.server.started:
        time.sleep(0.01)
    try:
        yield server
    finally:
        server.stop()
        thread.join()


if __name__ == "__main__":
    main()
