"""Everybody can use the player: axe finds nothing, the keyboard reaches everything, and it speaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import sidestep as ss

from .conftest import DESKTOP, PHONE, Show, Shown, crowd, film, found_by_axe

COLLISION = "a . b\n. . .\n\n. ab .\n. . .\n\n. a .\n. b ."
IN_FOCUS = """() => {
  const element = document.getElementById("player").shadowRoot.activeElement;
  if (!element) return null;
  const style = getComputedStyle(element);
  return {
    name: element.getAttribute("aria-label") ?? element.textContent.trim(),
    tag: element.tagName.toLowerCase(),
    outline: style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth),
  };
}"""


def one_run() -> ss.Replay:
    return ss.replay(ss.solve(crowd(12), ss.WHCA()), title="Twelve agents", note="A note about them.")


def two_runs() -> ss.Replay:
    problem = crowd(6)
    return ss.replay(ss.solve(problem, ss.WHCA()), ss.solve(problem, ss.LRA()))


def invalid() -> ss.Replay:
    plan = film(COLLISION)
    assert not ss.validate(plan.problem, plan)
    return ss.replay(plan, captions=[ss.Caption(0, (0,), "because")])


STATES: dict[str, Callable[[Shown], Any]] = {
    "at first": lambda shown: None,
    "agents": lambda shown: shown.open_tab("Agents"),
    "an agent selected": lambda shown: shown.call("select", 1),
    "followed": lambda shown: shown.press("f"),
    "events": lambda shown: shown.open_tab("Events"),
    "in the middle": lambda shown: shown.seek(1.5),
    "menu": lambda shown: shown.find(".menu summary").click(),
    "help": lambda shown: shown.button("Keys and gestures").click(),
}


@pytest.mark.parametrize(
    ("replay", "scheme", "viewport"),
    [
        pytest.param(one_run, "light", DESKTOP, id="one run, light, desktop"),
        pytest.param(two_runs, "dark", DESKTOP, id="two runs, dark, desktop"),
        pytest.param(invalid, "dark", PHONE, id="invalid, dark, phone"),
        *(
            pytest.param(replay, scheme, viewport, marks=pytest.mark.slow)
            for replay in (one_run, two_runs, invalid)
            for scheme in ("light", "dark")
            for viewport in (DESKTOP, PHONE)
        ),
    ],
)
def test_axe_finds_nothing(show: Show, replay: Callable[[], ss.Replay], scheme: str, viewport: Any) -> None:
    shown = show(replay(), viewport=viewport, scheme=scheme)
    found = {}
    for name, bring_about in STATES.items():
        bring_about(shown)
        found[name] = found_by_axe(shown.page)
    assert {name: faults for name, faults in found.items() if faults} == {}


def tabbed_through(shown: Shown) -> list[dict[str, Any]]:
    """What gets the focus as Tab is pressed from the beginning of the page to its end."""
    stops: list[dict[str, Any]] = []
    while True:
        shown.page.keyboard.press("Tab")
        stop = shown.page.evaluate(IN_FOCUS)
        if stop is None or stop in stops:
            return stops
        stops.append(stop)


def test_the_keyboard_reaches_everything_and_shows_where_it_is(show: Show) -> None:
    shown = show(invalid())
    shown.call("select", 0)
    stops = tabbed_through(shown)
    names = [stop["name"] for stop in stops]
    assert names[:2] == ["Light or dark", "Keys and gestures"]
    for name in [
        "Follow",
        "Deselect",
        "Plan",
        "Time",
        "To the beginning",
        "One step back",
        "Play",
        "One step forth",
        "To the end",
        "Speed",
        "Zoom out",
        "Zoom in",
        "Show everything",
        "Show",
    ]:
        assert name in names
    assert any(name.startswith("plan: map at time 0") for name in names)
    assert [stop for stop in stops if stop["outline"] < 2] == []


@pytest.mark.parametrize(("tab", "field"), [("Agents", "Search agents by name"), ("Events", "Which events")])
def test_the_keyboard_reaches_what_is_in_a_list(show: Show, tab: str, field: str) -> None:
    shown = show(invalid())
    shown.open_tab(tab)
    stops = tabbed_through(shown)
    names = [stop["name"] for stop in stops]
    assert field in names
    assert tab in names
    rows = shown.find(f".list[aria-label={tab}] button").all_text_contents()
    assert rows
    assert set(rows) <= set(names)
    assert [stop for stop in stops if stop["outline"] < 2] == []


def test_tabs_are_changed_with_arrows(show: Show) -> None:
    shown = show(one_run())
    shown.page.get_by_role("tab", name="Plan").focus()
    opened = []
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        shown.press(key)
        opened.append(shown.find("[role=tab][aria-selected=true]").text_content())
        assert shown.page.evaluate(IN_FOCUS)["name"] == opened[-1]
    assert opened == ["Agents", "Events", "Plan", "Events"]
    assert shown.time == 0


def test_a_button_in_a_list_keeps_the_focus_while_the_list_changes(show: Show) -> None:
    shown = show(one_run())
    shown.open_tab("Agents")
    shown.find(".list[aria-label=Agents] button").nth(3).focus()
    shown.press("Enter")
    assert shown.state["selected"] == 3
    shown.press("ArrowRight")
    assert shown.page.evaluate(IN_FOCUS)["name"].startswith("a3")


def test_the_help_gives_the_focus_back(show: Show) -> None:
    shown = show(one_run())
    shown.button("Keys and gestures").focus()
    shown.press("Enter")
    assert shown.find("dialog").is_visible()
    shown.press("Escape")
    assert shown.page.evaluate(IN_FOCUS)["name"] == "Keys and gestures"


def test_each_step_is_said_to_those_who_listen(show: Show) -> None:
    shown = show(invalid())
    shown.press("ArrowRight")
    said = shown.text("[aria-live=polite]")
    assert said.startswith("time 1 of 2. ")
    shown.call("select", 1)
    shown.press("ArrowRight")
    said = shown.text("[aria-live=polite]")
    assert said.startswith("time 2 of 2. ")
    assert "b is at its goal (1, 1)." in said
    label = shown.find("[role=img]").get_attribute("aria-label")
    assert label
    assert "time 2" in label


def test_what_plays_is_not_read_out_all_the_time(show: Show) -> None:
    shown = show(one_run(), hash="")
    shown.page.wait_for_timeout(400)
    assert shown.text("[aria-live=polite]") == ""
    shown.press("Space")
    assert shown.text("[aria-live=polite]").startswith("time ")
