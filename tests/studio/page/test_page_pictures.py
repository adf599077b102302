"""The pictures in the guide: taken here, and kept anew where `SIDESTEP_PICTURES` is 1."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import expect

from .conftest import Open, Tab

KEPT = Path(__file__).parents[3] / "docs" / "images"
CROSSING = """
. . . # . . .
. . . b . . .
. # . . . # .
a . . . . . A
. # . . . # .
. . . B . . .
c . . # . . C
"""

LOOK_AT = """([agent, time]) => {
  const { player } = studio.results;
  player.seek(time);
  player.select(agent);
}"""


def generated(tab: Tab, kind: str, agents: int) -> None:
    tab.find("#generator").get_by_label("Kind").select_option(kind)
    tab.find("#generator").get_by_label("Agents").fill(str(agents))
    tab.button("Generate").click()
    tab.until(f"studio.store.instance.agents.length === {agents}")


def draw(tab: Tab) -> None:
    generated(tab, "rooms", 40)
    tab.solver("cbs").click()
    tab.solver("dpca+").click()
    tab.find(".choice summary").first.click()


def compare(tab: Tab) -> None:
    generated(tab, "random", 100)
    tab.choose("whca", "hca", "wdpca")
    tab.solve(60)
    tab.until("studio.results.player.scenes.length === 3")
    tab.evaluate("() => { studio.results.player.pause(); studio.results.player.seek(9); }")


def why(tab: Tab) -> None:
    tab.draw(CROSSING)
    tab.choose("dpca+")
    tab.solve()
    tab.evaluate("() => { const { player } = studio.results; player.pause(); player.seek(0); }")
    for agent in range(2):
        for time in range(4):
            tab.evaluate(LOOK_AT, [agent, time])
            expect(tab.find("#answer .said")).to_be_visible()
            if tab.find("#play-what-if").count():
                return
    raise AssertionError("nobody gives way")


def live(tab: Tab) -> None:
    generated(tab, "warehouse", 80)
    tab.click("#tab-live")
    tab.find("#live-rate").select_option("8 turns/s")
    tab.until("studio.live.state?.time >= 10")
    tab.click("#live-pause")
    tab.use("Wall", "#live-tools")
    middle = tab.instance["height"] // 2
    tab.drag((middle, 0), (middle, 4), board="live")
    tab.until("studio.live.state.undo === 1")
    tab.use("Select", "#live-tools")
    tab.drag((1, 1), (8, 12), board="live")


PICTURES: dict[str, Callable[[Tab], None]] = {one.__name__: one for one in (draw, compare, why, live)}


def looks_like_a_page(path: Path) -> bool:
    """Fonts differ between machines, and so may every pixel; but there is much to see."""
    with Image.open(path) as picture:
        colours = picture.convert("RGB").getcolors(1280 * 800) or ()
        return picture.size == (1280, 800) and len(colours) > 300


@pytest.mark.parametrize("name", PICTURES)
def test_the_guide_has_its_pictures(name: str) -> None:
    assert looks_like_a_page(KEPT / f"studio-{name}.png")


@pytest.mark.slow  # other tests bring the page into each of these states
@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_can_be_taken_again(open_tab: Open, tmp_path: Path, name: str) -> None:
    tab = open_tab()
    PICTURES[name](tab)
    tab.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    taken = (KEPT if os.environ.get("SIDESTEP_PICTURES") == "1" else tmp_path) / f"studio-{name}.png"
    tab.page.screenshot(path=taken)
    assert looks_like_a_page(taken)
