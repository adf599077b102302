"""The player in a notebook: what Jupyter and marimo are given, and what anywidget does with it."""

from __future__ import annotations

import base64
import sys
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

import sidestep as ss
from sidestep.viewer.modules import player_source
from sidestep.viewer.widget import _widget_class

from .conftest import Shown, film

pytestmark = pytest.mark.bounds

WIDGET = "application/vnd.jupyter.widget-view+json"
WALK = "a . . .\n\n. a . .\n\n. . a .\n\n. . . a"
SITE = "http://notebook.test"

# What anywidget does: it imports the module and calls render with a model and an element. The bytes are
# part of a larger message, as they are when they come from the kernel.
RENDER = """async ([payload, height]) => {
  const bytes = Uint8Array.from("12345678" + atob(payload), (char) => char.charCodeAt(0));
  const values = { payload: new DataView(bytes.buffer, 8), height };
  const module = await import("/player.js");
  const el = document.body.appendChild(Object.assign(document.createElement("div"), { id: "player" }));
  window.cleanup = await module.default.render({ model: { get: (name) => values[name] }, el });
}"""


@pytest.fixture
def replay() -> ss.Replay:
    return ss.replay(film(WALK))


@pytest.fixture
def without_anywidget(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    _widget_class.cache_clear()
    monkeypatch.setitem(sys.modules, "anywidget", None)
    yield
    _widget_class.cache_clear()


@pytest.fixture
def notebook(browser: Browser) -> Iterator[Page]:
    """A page that is not the player's own, with a line above and below."""
    context = browser.new_context(viewport={"width": 1000, "height": 900})
    page = context.new_page()
    page.route(f"{SITE}/", lambda route: route.fulfill(content_type="text/html", body=NOTEBOOK))
    page.route(
        f"{SITE}/player.js",
        lambda route: route.fulfill(content_type="text/javascript", body=player_source()),
    )
    problems: list[str] = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(f"{SITE}/")
    yield page
    context.close()
    assert problems == []


NOTEBOOK = """<!DOCTYPE html><html lang="en"><head><link rel="icon" href="data:,"><title>Notebook</title>
</head><body><p><input id="cell" aria-label="cell"></p></body></html>"""


def rendered(page: Page, replay: ss.Replay) -> Shown:
    page.evaluate(RENDER, [base64.b64encode(replay.payload).decode(), 500])
    shown = Shown(page)
    shown.until("player?.frames > 0")
    return shown


# ------------------------------------------------------------------------------------------ in Python


def test_jupyter_gets_a_widget(replay: ss.Replay) -> None:
    bundle = replay._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert WIDGET in data
    assert replay.widget.payload == replay.payload
    assert replay.widget is replay.widget


def test_marimo_gets_the_widget_itself(replay: ss.Replay) -> None:
    assert replay._display_() is replay.widget


def test_each_replay_has_a_widget_of_its_own(replay: ss.Replay) -> None:
    other = ss.replay(film("a .\n\n. a"))
    assert other.widget.payload != replay.widget.payload


@pytest.mark.usefixtures("without_anywidget")
def test_without_anywidget_a_notebook_says_how_to_get_it(replay: ss.Replay) -> None:
    data = replay._repr_mimebundle_(include=None, exclude=None)
    assert data == {
        "text/plain": "Replay(plan): anywidget is not installed: pip install 'sidestep[notebook]'"
    }


@pytest.mark.usefixtures("without_anywidget")
def test_who_asks_for_the_widget_without_anywidget_gets_the_error(replay: ss.Replay) -> None:
    with pytest.raises(ss.MissingExtraError, match="notebook"):
        _ = replay.widget
    assert "sidestep[notebook]" in replay._display_()


@pytest.mark.usefixtures("without_anywidget")
def test_pages_need_no_anywidget(replay: ss.Replay) -> None:
    assert replay.html()


# --------------------------------------------------------------------------------------- in a browser


def test_a_widget_shows_the_replay_in_its_box(notebook: Page, replay: ss.Replay) -> None:
    shown = rendered(notebook, replay)
    assert not shown.state["playing"]
    box = shown.find("#player").bounding_box()
    assert box
    assert box["height"] == 500
    shown.hide("names", "goals", "trails")
    for time, x in [(0, 0.5), (1, 1.5), (1.5, 2.0)]:
        shown.seek(time)
        assert shown.scene["vertices"] == [int(time)]
        assert shown.pixel(x, 0.5) == shown.colour(0)
    assert shown.find("h2").first.text_content() == "plan"
    assert shown.find("h1").count() == 0


def test_a_widget_plays_and_stops_when_it_is_thrown_away(notebook: Page, replay: ss.Replay) -> None:
    shown = rendered(notebook, replay)
    shown.button("Play").click()
    shown.until("player.time > 0.1")
    notebook.evaluate("window.cleanup()")
    shown.settle()
    stopped = shown.state
    assert not stopped["playing"]
    notebook.wait_for_timeout(300)
    assert shown.state["frames"] == stopped["frames"]
    assert shown.time == stopped["time"]


def test_a_widget_takes_only_the_keys_that_are_meant_for_it(notebook: Page, replay: ss.Replay) -> None:
    shown = rendered(notebook, replay)
    notebook.locator("#cell").focus()
    shown.press("ArrowRight", "Space", "h")
    assert (shown.time, shown.state["playing"], shown.state["heat"]) == (0, False, "none")
    assert notebook.locator("#cell").input_value() == " h"
    shown.find(".surface").focus()
    shown.press("ArrowRight")
    assert shown.time == 1


def test_no_key_in_a_widget_reaches_the_notebook_around_it(notebook: Page, replay: ss.Replay) -> None:
    """To a notebook a letter may mean: cut this cell."""
    shown = rendered(notebook, replay)
    notebook.evaluate(
        "document.addEventListener('keydown', (event) => (window.heard ??= []).push(event.key))"
    )
    for selector in (".surface", "select[aria-label=Speed]", "[role=tab]", "summary"):
        shown.find(selector).first.focus()
        shown.press("b", "x", "m", "ArrowDown")
    shown.find(".surface").focus()
    shown.press("?", "x", "Escape")
    assert notebook.evaluate("window.heard") is None
    shown.press("Control+s")  # saving is not ours
    assert "s" in notebook.evaluate("window.heard")


def test_a_widget_follows_when_its_notebook_turns_dark(notebook: Page, replay: ss.Replay) -> None:
    notebook.evaluate("document.body.dataset.jpThemeLight = 'true'")
    shown = rendered(notebook, replay)
    notebook.evaluate("document.body.dataset.jpThemeLight = 'false'")
    shown.until("player.theme === 'dark'")
    notebook.evaluate("window.cleanup()")
    notebook.evaluate("document.body.dataset.jpThemeLight = 'true'")
    shown.settle()
    assert shown.state["theme"] == "dark"


def test_over_a_widget_the_wheel_scrolls_the_notebook(notebook: Page, replay: ss.Replay) -> None:
    shown = rendered(notebook, replay)
    notebook.evaluate("document.body.style.height = '3000px'")
    scale = shown.scene["view"]["scale"]
    notebook.mouse.move(*shown.spot(2, 0.5))
    notebook.mouse.wheel(0, 200)
    notebook.wait_for_function("window.scrollY > 0")
    assert shown.scene["view"]["scale"] == scale
    notebook.keyboard.down("Control")
    notebook.mouse.move(*shown.spot(2, 0.5))
    notebook.mouse.wheel(0, -200)
    shown.until(f"player.active.view.scale > {scale}")
    notebook.keyboard.up("Control")


@pytest.mark.parametrize(
    ("dress", "theme"),
    [
        ("document.body.dataset.jpThemeLight = 'false'", "dark"),
        ("document.body.dataset.jpThemeLight = 'true'", "light"),
        ("document.body.classList.add('vscode-dark')", "dark"),
        ("document.body.classList.add('light')", "light"),
    ],
)
def test_a_widget_has_the_colours_of_its_notebook(
    notebook: Page, replay: ss.Replay, dress: str, theme: str
) -> None:
    notebook.evaluate(dress)
    assert rendered(notebook, replay).state["theme"] == theme


def test_two_widgets_in_one_notebook_do_not_disturb_each_other(notebook: Page, replay: ss.Replay) -> None:
    rendered(notebook, replay)
    notebook.evaluate("document.getElementById('player').id = 'first'")
    second = rendered(notebook, ss.replay(film("a .\n\n. a")))
    second.find("#player .surface").focus()
    second.press("ArrowRight")
    assert second.time == 1
    assert notebook.evaluate("document.getElementById('first').player.time") == 0
