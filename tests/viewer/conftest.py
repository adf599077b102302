"""A browser to look with, and replays shown in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Error, Locator, Page, Playwright, expect, sync_playwright

import sidestep as ss
from scripts.find_browser import installed_browser

FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",
]
HINT = "there is no browser: apt install chromium-headless-shell, or playwright install chromium"

expect.set_options(timeout=60_000)  # machines may be busy; what is there is seen at once

DESKTOP = {"width": 1000, "height": 600}
PHONE = {"width": 390, "height": 844}

Pixel = tuple[int, int, int]

# What is seen at points of a stage, its two canvases put on each other. A point is in cells of the world.
READ_PIXELS = """([scene, points]) => {
  const stage = document.getElementById("player").player.stages[scene];
  const whole = document.createElement("canvas");
  [whole.width, whole.height] = [stage.cast.canvas.width, stage.cast.canvas.height];
  const pen = whole.getContext("2d", { willReadFrequently: true });
  pen.fillStyle = getComputedStyle(stage.surface).backgroundColor;
  pen.fillRect(0, 0, whole.width, whole.height);
  for (const { canvas } of [stage.backdrop, stage.cast]) pen.drawImage(canvas, 0, 0);
  return points.map(([x, y]) => {
    const at = stage.view.toScreen(x, y).map((pixels) => Math.round(pixels * stage.ratio - 0.5));
    return Array.from(pen.getImageData(...at, 1, 1).data.slice(0, 3));
  });
}"""

READ_COLOURS = """(wanted) => {
  const { colours } = document.getElementById("player").player;
  const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  return wanted.map((name) => {
    pen.fillStyle = typeof name === "number" ? colours.agents[name] : colours[name];
    pen.fillRect(0, 0, 1, 1);
    return Array.from(pen.getImageData(0, 0, 1, 1).data.slice(0, 3));
  });
}"""

READ_ROWS = """(rows) =>
  rows.map((row) => Array.from(row.querySelectorAll("span"), (span) => span.textContent))"""

# Frames of the browser end what was asked for before them; a frame may ask for another one.
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"

# The policy of the page lets nothing be compiled later on, which `page.wait_for_function` would do.
WAIT_UNTIL = """async (seconds) => {
  const last = performance.now() + 1000 * seconds;
  const isSo = () => { const { player } = document.getElementById("player"); return %s; };
  while (!isSo() && performance.now() < last) await new Promise(requestAnimationFrame);
  return isSo();
}"""


@dataclass
class Shown:
    """A replay in a page, with what went wrong there."""

    page: Page
    problems: list[str] = field(default_factory=list)
    listeners: list[tuple[str, Callable[[Any], None]]] = field(default_factory=list, repr=False)

    def listen(self, address: str) -> None:
        """Notes as problems what the page complains of or asks for, other than its own file."""

        def talked(message: Any) -> None:
            if message.type in ("error", "warning"):
                self.problems.append(f"console: {message.text}")

        def asked(dialog: Any) -> None:
            self.problems.append(f"dialog: {dialog.message}")
            dialog.dismiss()

        def requested(request: Any) -> None:
            if request.url.split("#")[0] != address:
                self.problems.append(f"request: {request.url}")

        def failed(error: Any) -> None:
            self.problems.append(f"error: {error}")

        self.listeners = [
            ("console", talked),
            ("dialog", asked),
            ("request", requested),
            ("pageerror", failed),
        ]
        for event, listener in self.listeners:
            self.page.on(event, listener)  # type: ignore[call-overload]

    def stop_listening(self) -> None:
        for event, listener in self.listeners:
            self.page.remove_listener(event, listener)

    @property
    def state(self) -> dict[str, Any]:
        """What the player says that it shows."""
        return self.page.evaluate("document.getElementById('player').player.state")

    @property
    def scene(self) -> dict[str, Any]:
        """The state of the first run."""
        return self.state["scenes"][0]

    @property
    def time(self) -> float:
        return self.state["time"]

    def call(self, method: str, *arguments: Any) -> None:
        """Calls a method of the player and waits until it is drawn."""
        self.page.evaluate(
            "([method, given]) => { document.getElementById('player').player[method](...given) }",
            [method, arguments],
        )
        self.settle()

    def seek(self, time: float) -> None:
        self.call("seek", time)

    def settle(self) -> None:
        """Waits until what was asked for is drawn."""
        self.page.evaluate(DRAWN)

    def until(self, condition: str, seconds: float = 60) -> None:
        """Waits until something is true of `player`."""
        assert self.page.evaluate(WAIT_UNTIL % condition, seconds), (
            f"still not after {seconds} s: {condition}"
        )

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.settle()

    def find(self, selector: str) -> Locator:
        """Elements by CSS, also those in the shadow of the player."""
        return self.page.locator(selector)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def open_tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def text(self, selector: str) -> str:
        return self.find(selector).first.text_content() or ""

    @property
    def clock(self) -> str:
        return self.text(".clock")

    @property
    def ticker(self) -> str:
        return self.text(".ticker")

    @property
    def card(self) -> str:
        return self.text(".card")

    def events(self, group: str = "all") -> list[tuple[str, str]]:
        """The list of events as people read it: times and sentences."""
        self.open_tab("Events")
        self.find("select[aria-label='Which events']").select_option(group)
        rows = self.find(".list[aria-label='Events'] button").evaluate_all(READ_ROWS)
        return [tuple(row) for row in rows]  # type: ignore[misc]

    def pixels(self, points: Sequence[tuple[float, float]], scene: int = 0) -> list[Pixel]:
        """The colours at (x, y) in cells, x to the right."""
        return [tuple(one) for one in self.page.evaluate(READ_PIXELS, [scene, points])]

    def pixel(self, x: float, y: float, scene: int = 0) -> Pixel:
        return self.pixels([(x, y)], scene)[0]

    def colours(self, *wanted: str | int) -> list[Pixel]:
        """Colours of the theme by name, or of a hue by number."""
        return [tuple(one) for one in self.page.evaluate(READ_COLOURS, wanted)]

    def colour(self, wanted: str | int) -> Pixel:
        return self.colours(wanted)[0]

    def hide(self, *names: str) -> None:
        """Leaves out what would cover the pixels that a test looks at."""
        for name in names:
            self.call("setShown", name, False)

    def spot(self, x: float, y: float, scene: int = 0) -> tuple[float, float]:
        """Where in the window a point of the world is."""
        stage = self.state["scenes"][scene]
        view, (left, top) = stage["view"], stage["origin"]
        return left + (x - view["x"]) * view["scale"], top + (y - view["y"]) * view["scale"]

    def click(self, x: float, y: float, scene: int = 0) -> None:
        """A click on a point of the world."""
        self.page.mouse.click(*self.spot(x, y, scene))
        self.settle()


def found_by_axe(page: Page) -> list[str]:
    """A line for everything that axe complains of, however small. A page reads its script once."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(Axe().axe_script)
    violations = page.evaluate(
        "async () => (await axe.run({ resultTypes: ['violations'] })).violations",
    )
    return [
        f"{one['impact']}: {one['id']} at {node['target']}: {node['failureSummary']}"
        for one in violations
        for node in one["nodes"]
    ]


Show = Callable[..., Shown]


def film(text: str, connectivity: int = 4, *, rules: ss.Rules = ss.Rules()) -> ss.Plan:
    """A plan from its frames, drawn one under the other with blank lines between.

    A lower-case letter is where that agent is, on a cell with others `ab`, in a wall `a#`, or nowhere. Its
    goal is the upper-case letter of the first frame, or else where it is last seen.
    """
    frames = [[line.split() for line in frame.splitlines()] for frame in text.strip().split("\n\n")]
    tokens = [[token for row in frame for token in row] for frame in frames]
    walls = np.array([["#" not in token for token in row] for row in frames[0]])
    names = sorted({char for token in tokens[0] for char in token if char.islower()})
    rows = [[_vertex(frame, name) for name in names] for frame in tokens]
    last = [next(row[i] for row in reversed(rows) if row[i] >= 0) for i in range(len(names))]
    goals = [_vertex(tokens[0], name.upper()) for name in names]
    grid = ss.Grid(walls, connectivity)  # type: ignore[arg-type]
    ends = [grid.place(goal if goal >= 0 else end) for goal, end in zip(goals, last, strict=True)]
    problem = ss.Problem(grid, [grid.place(start) for start in rows[0]], ends, rules=rules, names=names)
    return ss.Plan(problem, rows)


def _vertex(tokens: list[str], char: str) -> int:
    return next((vertex for vertex, token in enumerate(tokens) if char in token), -1)


def crowd(
    agents: int = 40, side: int = 12, connectivity: int = 4, *, rules: ss.Rules = ss.Rules()
) -> ss.Problem:
    """Agents with starts and goals at random on an open square."""
    cells = np.random.default_rng(0).permutation(side * side)[: 2 * agents].tolist()
    places = [divmod(cell, side) for cell in cells]
    grid = ss.Grid(np.ones((side, side), dtype=np.bool_), connectivity)  # type: ignore[arg-type]
    return ss.Problem(grid, places[:agents], places[agents:], rules=rules)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """An installed chromium, or playwright's own."""
    with sync_playwright() as playwright:
        found = _launched(playwright)
        if found is None and os.environ.get("SIDESTEP_REQUIRE_BROWSER") == "1":
            pytest.fail(HINT)
        if found is None:
            pytest.skip(HINT)
        yield found
        found.close()


def _launched(playwright: Playwright) -> Browser | None:
    path = installed_browser()
    try:
        return playwright.chromium.launch(executable_path=path, chromium_sandbox=False, args=FLAGS)
    except Error:
        if path is not None:
            raise  # it is there, and a test that skips would hide why it does not start
        return None


# An answer that is still under way may make the page keep something once more before it is left.
FORGET = """() => {
  localStorage.clear();
  Storage.prototype.setItem = () => {};
}"""


class Windows:
    """The pages of a browser, used again: to open a new one takes longer than most tests.

    One that is given back forgets what it kept: cookies, and what scripts stored for the site it shows.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[bool, list[Page]] = {False: [], True: []}

    def take(self, touch: bool) -> Page:
        if self._free[touch]:
            return self._free[touch].pop()
        page = self._browser.new_page(has_touch=touch)
        page.set_default_timeout(60_000)
        return page

    def give_back(self, page: Page, touch: bool) -> None:
        if page.url.startswith("http"):
            page.evaluate(FORGET)
            page.context.clear_cookies()
        page.goto("about:blank")
        self._free[touch].append(page)


@pytest.fixture(scope="package")
def windows(browser: Browser) -> Windows:
    return Windows(browser)


@pytest.fixture
def show(windows: Windows, tmp_path: Path) -> Iterator[Show]:
    """`show(result)` opens a replay, or a page that is there, paused at its beginning.

    The options are those of a window (`viewport`, `scheme`, `motion`, `touch`), of `open_page` and of
    `replay`. The test fails if a page complains.
    """
    opened: list[tuple[Shown, bool]] = []

    def open_replay(
        *runs: Any,
        viewport: Any = DESKTOP,
        scheme: Any = "light",
        motion: Any = "no-preference",
        touch: bool = False,
        hash: str = "t=0",
        ready: bool = True,
        **options: Any,
    ) -> Shown:
        path = runs[0]
        if not isinstance(path, Path):
            path = tmp_path / f"replay{len(opened)}.html"
            replay = runs[0] if isinstance(runs[0], ss.Replay) else ss.replay(*runs, **options)
            replay.save(path)
        page = windows.take(touch)
        if page.viewport_size != viewport:
            page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme, reduced_motion=motion)
        shown = Shown(page)
        opened.append((shown, touch))
        open_page(shown, path, hash=hash, ready=ready)
        return shown

    yield open_replay
    for shown, touch in opened:
        shown.stop_listening()
        windows.give_back(shown.page, touch)
    assert [problem for shown, _ in opened for problem in shown.problems] == []


def open_page(shown: Shown, path: Path, *, hash: str = "t=0", ready: bool = True) -> None:
    """Opens a file. With a time in the address it does not begin to play."""
    shown.listen(path.as_uri())
    shown.page.goto(f"{path.as_uri()}#{hash}")
    if ready:
        shown.until("player?.frames > 0")
