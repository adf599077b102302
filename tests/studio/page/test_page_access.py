"""Everybody can use the studio: axe finds nothing, the keyboard is enough, light and dark, and a tablet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from viewer.conftest import found_by_axe

from .conftest import DESKTOP, TABLET, Open, Tab

CROSSING = "# # b # #\n# # . # #\na . . . A\n# # . # #\n# # B # #"


def drawing(tab: Tab) -> None:
    tab.find("summary").filter(has_text="Size and rules").click()
    tab.find(".choice summary").click()
    tab.tap((0, 0))


def compared(tab: Tab) -> None:
    tab.draw(CROSSING)
    tab.choose("whca", "dpca+")
    tab.solve()
    tab.until("studio.results.player.scenes.length === 2")
    tab.evaluate("() => studio.results.player.pause()")


def asked(tab: Tab) -> None:
    tab.draw(CROSSING)
    tab.choose("dpca+")
    tab.solve()
    tab.evaluate("() => { studio.results.player.pause(); studio.results.player.select(0); }")
    expect(tab.find("#answer .said")).to_be_visible()
    expect(tab.find("#transcript li").first).to_be_visible()


def living(tab: Tab) -> None:
    tab.click("#tab-live")
    tab.until("studio.live.state?.time > 0")
    tab.evaluate("() => studio.live.toolbar.buttons[0].click()")
    tab.find("#live-board canvas").focus()


def menu(tab: Tab) -> None:
    tab.click("#save-menu summary")
    tab.evaluate("() => document.querySelector('#clear').click()")
    tab.evaluate("() => document.querySelector('#solve').click()")
    tab.says("There are no agents")


def helped(tab: Tab) -> None:
    tab.keys("?")
    expect(tab.find("#help-dialog")).to_be_visible()


STATES: dict[str, Callable[[Tab], None]] = {
    function.__name__: function for function in (drawing, compared, asked, living, menu, helped)
}


def looks() -> list[Any]:
    """Every state, every second one dark; the other half are sweeps."""
    return [
        pytest.param(state, scheme, marks=[pytest.mark.slow] if (number + shift) % 2 else [])
        for number, state in enumerate(STATES)
        for shift, scheme in enumerate(["light", "dark"])
    ]


@pytest.mark.parametrize(("state", "scheme"), looks())
def test_axe_finds_nothing(open_tab: Open, state: str, scheme: str) -> None:
    """Nothing at all, which is stricter than nothing serious."""
    tab = open_tab(scheme=scheme, viewport=TABLET if scheme == "dark" else DESKTOP)
    STATES[state](tab)
    assert found_by_axe(tab.page) == []


def test_the_keyboard_is_enough(tab: Tab) -> None:
    """From the first paint to a comparison without a mouse; what has the focus is always seen."""
    tab.draw(CROSSING)
    seen = []
    for _ in range(60):
        tab.keys("Tab")
        focus = tab.evaluate(
            """() => {
              const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
              const { textContent, id } = document.activeElement;
              return [id, textContent.trim(), outlineStyle === "none" ? 0 : parseFloat(outlineWidth)];
            }"""
        )
        assert focus[2] >= 2, f"nobody sees that {focus} has the focus"
        seen.append(focus)
        if focus[1].startswith("hca"):
            break
    assert {"tab-draw", "solve", "open", "theme", "help", "undo"} <= {one[0] for one in seen}
    tab.keys("Enter", "Control+Enter")
    tab.until("studio.results.player?.scenes.length === 2")
    tab.keys("1")
    expect(tab.find("#view-draw")).to_be_visible()
    tab.keys("3")
    expect(tab.find("#view-live")).to_be_visible()
    tab.find("#tab-live").focus()
    tab.keys("ArrowLeft")
    expect(tab.find("#view-result")).to_be_visible()
    tab.find("#player .surface").first.focus()
    tab.keys("1")
    expect(tab.find("#view-draw")).to_be_visible()
    tab.keys("Control+s")
    assert tab.evaluate("document.activeElement.textContent") == "Problem (our JSON)"
    tab.keys("Escape")
    expect(tab.find("#save-list")).to_be_hidden()


def colour(tab: Tab) -> str:
    return tab.evaluate("getComputedStyle(document.body).backgroundColor")


def test_light_and_dark(open_tab: Open) -> None:
    """As the system has it, until somebody chooses; boards and player follow."""
    tab = open_tab(scheme="dark")
    dark = colour(tab)
    tab.draw(CROSSING)
    tab.solve()
    assert tab.player["theme"] == "dark"
    tab.click("#theme")
    assert colour(tab) != dark
    assert tab.player["theme"] == "light"
    assert tab.evaluate("studio.editor.board.look.colours.floor") == "#fbfaf6"
    tab.page.emulate_media(color_scheme="light")
    tab.page.emulate_media(color_scheme="dark")
    assert colour(tab) != dark  # what was chosen stays
    tab.open()
    assert colour(tab) != dark


def test_the_colours_are_those_of_the_player(tab: Tab) -> None:
    """The palette is written down twice, for the player must also live without the studio."""
    tab.draw(CROSSING)
    tab.solve()
    names = [
        "page",
        "panel",
        "floor",
        "wall",
        "line",
        "edge",
        "ink",
        "quiet",
        "border",
        "accent",
        "danger",
        "good",
    ]
    read = """(names) => {
      const colour = (element, name) => getComputedStyle(element).getPropertyValue(`--${name}`).trim();
      const colours = (element) => names.map((name) => colour(element, name));
      return [colours(document.body), colours(studio.results.player.root)];
    }"""
    for _ in range(2):
        ours, theirs = tab.evaluate(read, names)
        assert ours == theirs
        tab.click("#theme")


def test_nothing_is_cut_off_on_a_tablet(open_tab: Open) -> None:
    tab = open_tab(viewport=TABLET, touch=True)
    compared(tab)
    for view in ("draw", "result", "live"):
        tab.find(f"#tab-{view}").tap()
        wide = tab.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1], view
        small = tab.evaluate(
            """() => [...document.querySelectorAll("button, select, summary, input")]
              .filter((element) => element.offsetParent && !element.matches(".link, label.check *"))
              .map((element) => [element.textContent || element.id, element.getBoundingClientRect().height])
              .filter(([, height]) => height < 32)"""
        )
        assert small == [], view


def test_fingers_draw_and_move_the_map(open_tab: Open) -> None:
    """One finger uses the tool; with a second one it becomes a gesture, and nothing is drawn."""
    tab = open_tab(viewport=TABLET, touch=True)
    tab.draw("\n".join([". . . . . ."] * 6))
    tab.find("#tools").get_by_role("button", name="Wall").tap()
    tab.page.touchscreen.tap(*tab.spot((2, 2)))
    assert tab.instance["walls"] == {(2, 2)}
    session = tab.page.context.new_cdp_session(tab.page)

    def touch(kind: str, *cells: tuple[float, float]) -> None:
        points = []
        for number, cell in enumerate(cells):
            x, y = tab.spot(cell)  # type: ignore[arg-type]
            points.append({"x": x, "y": y, "id": number})
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    scale = tab.evaluate("studio.editor.board.view.scale")
    touch("touchStart", (3, 2))
    touch("touchStart", (3, 2), (3, 3))
    touch("touchMove", (3, 0), (3, 5))
    touch("touchEnd")
    assert tab.instance["walls"] == {(2, 2)}
    assert tab.evaluate("studio.editor.board.view.scale") > 1.2 * scale
