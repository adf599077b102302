"""The studio's page in a real browser, and what one does there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from viewer.conftest import Windows

from ..conftest import Studio

DESKTOP = {"width": 1280, "height": 800}
TABLET = {"width": 768, "height": 1024}

Cell = tuple[int, int]

# The policy of the page lets nothing be compiled later on, which `page.wait_for_function` would do.
UNTIL = """async (seconds) => {
  const last = performance.now() + 1000 * seconds;
  const isSo = () => %s;
  while (!isSo() && performance.now() < last) await new Promise((done) => setTimeout(done, 20));
  return isSo();
}"""


class Tab:
    """A page of the studio, with what went wrong there."""

    def __init__(self, page: Page, studio: Studio) -> None:
        self.page, self.studio = page, studio
        self.addresses = (studio.address,)
        self.problems: list[str] = []
        self.clicks = 0
        self._listeners = {"console": self._talked, "pageerror": self._failed, "request": self._requested}
        for event, listener in self._listeners.items():
            page.on(event, listener)

    def stop_listening(self) -> None:
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)

    def _failed(self, error: Any) -> None:
        self.problems.append(f"error: {error}")

    def _talked(self, message: Any) -> None:
        # That the server refused something is what the browser says; the page says why.
        if message.type in ("error", "warning") and "status of 400" not in message.text:
            self.problems.append(f"console: {message.text}")

    def go_to(self, studio: Studio) -> None:
        """Opens the page of another studio; requests of the first page may still be under way."""
        self.studio = studio
        self.addresses += (studio.address,)
        self.open()

    def _requested(self, request: Any) -> None:
        if not request.url.startswith((*self.addresses, "blob:")):
            self.problems.append(f"request: {request.url}")

    def open(self, fragment: str = "") -> None:
        self.page.goto(self.studio.server.link + fragment)
        self.until("globalThis.studio?.view !== undefined")

    # Looking

    def find(self, selector: str) -> Locator:
        return self.page.locator(selector)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def field(self, name: str, within: str = "#view-draw") -> Locator:
        return self.find(within).get_by_label(name, exact=True)

    def evaluate(self, expression: str, argument: Any = None) -> Any:
        return self.page.evaluate(expression, argument)

    def until(self, condition: str, seconds: float = 60) -> None:
        assert self.page.evaluate(UNTIL % condition, seconds), f"still not after {seconds} s: {condition}"

    @property
    def instance(self) -> dict[str, Any]:
        """What is drawn: the size, the cells of walls and the agents."""
        found = self.evaluate("({ ...studio.store.instance, walls: [...studio.store.instance.walls] })")
        width = found["width"]
        found["walls"] = {divmod(vertex, width) for vertex, wall in enumerate(found["walls"]) if wall}
        return found

    @property
    def agents(self) -> dict[str, tuple[Cell, Cell | None]]:
        """Starts and goals by name."""
        return {
            agent["name"]: (tuple(agent["start"]), agent["goal"] and tuple(agent["goal"]))
            for agent in self.instance["agents"]
        }

    @property
    def player(self) -> dict[str, Any]:
        return self.evaluate("studio.results.player.state")

    def says(self, text: str) -> None:
        """Waits until the page tells the user this."""
        expect(self.find("#notice")).to_contain_text(text)

    # Doing

    def click(self, target: str | Locator) -> None:
        (self.find(target) if isinstance(target, str) else target).click()
        self.clicks += 1

    def spot(self, cell: Cell, board: str = "editor") -> tuple[float, float]:
        """Where in the window a cell is."""
        x, y = self.evaluate(f"(cell) => studio.{board}.board.spotOf(cell)", cell)
        return x, y

    def tap(self, cell: Cell, board: str = "editor") -> None:
        self.page.mouse.click(*self.spot(cell, board))

    def drag(self, *cells: Cell, board: str = "editor", button: Any = "left") -> None:
        self.page.mouse.move(*self.spot(cells[0], board))
        self.page.mouse.down(button=button)
        for cell in cells[1:]:
            self.page.mouse.move(*self.spot(cell, board))
        self.page.mouse.up(button=button)

    def use(self, tool: str, bar: str = "#tools") -> None:
        self.find(bar).get_by_role("button", name=tool, exact=True).click()

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def draw(self, text: str) -> None:
        """Puts a drawing on the board."""
        self.evaluate(
            "async (text) => { const { drawn } = await import('/static/instance.js');"
            " studio.store.replace(drawn(text)); }",
            text,
        )

    def choose(self, *solvers: str) -> None:
        """Solves with exactly these."""
        self.evaluate("() => [...studio.picker.choices].forEach((choice) => studio.picker.remove(choice))")
        for name in solvers:
            self.solver(name).click()

    def solver(self, name: str) -> Locator:
        return self.find("#solvers button").filter(has=self.page.get_by_text(name, exact=True))

    def solve(self, seconds: float = 60) -> None:
        """Solves, and waits until it is done and shown."""
        self.click("#solve")
        self.until("!studio.results.isSolving && studio.results.player !== null", seconds)

    def row(self, label: str) -> list[str]:
        """A row of the table of runs, as people read it."""
        cells = self.find("#runs tbody tr").filter(
            has=self.page.get_by_role("rowheader", name=label, exact=True)
        )
        return cells.locator("td").all_inner_texts()


Open = Callable[..., Tab]


@pytest.fixture
def open_tab(windows: Windows, studio: Studio) -> Iterator[Open]:
    """`open_tab()` opens the page; the options are those of a window. A test fails if its page complains.

    As a rule nothing moves by itself: frames that nobody looks at would take most of the time of a test.
    """
    opened: list[tuple[Tab, bool]] = []

    def open_one(
        fragment: str = "",
        *,
        viewport: Any = DESKTOP,
        scheme: Any = "light",
        motion: Any = "reduce",
        touch: bool = False,
    ) -> Tab:
        page = windows.take(touch)
        if page.viewport_size != viewport:
            page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme, reduced_motion=motion)
        tab = Tab(page, studio)
        opened.append((tab, touch))
        tab.open(fragment)
        return tab

    yield open_one
    for tab, touch in opened:
        tab.stop_listening()
        windows.give_back(tab.page, touch)
    assert [problem for tab, _ in opened for problem in tab.problems] == []


@pytest.fixture
def tab(open_tab: Open) -> Tab:
    """A page as it is at first."""
    return open_tab()
