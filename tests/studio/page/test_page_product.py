"""The studio as something to work with: room for the map, what failed, what is kept."""

from __future__ import annotations

from playwright.sync_api import expect

import sidestep as ss

from .conftest import Open, Tab

WALLED = """
a . # . A
b . # . .
. . # B .
c . C # .
"""
SHARE = """(selector) => {
  const { width, height } = document.querySelector(selector).getBoundingClientRect();
  return (width * height) / (innerWidth * innerHeight);
}"""
STAGE = """() => {
  const { width, height } = studio.results.player.active.surface.getBoundingClientRect();
  return (width * height) / (innerWidth * innerHeight);
}"""
PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1440, "height": 900}


def test_the_map_takes_the_screen_and_panels_fold(open_tab: Open) -> None:
    """Of a laptop's screen the map of one result has four tenths, without panels half; that is kept."""
    tab = open_tab(viewport=WIDE)
    assert tab.evaluate(SHARE, "#board") > 0.6
    tab.solve()
    assert tab.evaluate(STAGE) > 0.4
    figures = tab.find("#player aside")
    expect(figures).to_be_hidden()
    tab.click("#figures")
    expect(figures).to_be_visible()
    tab.click("#figures")
    tab.click("#fold")
    expect(tab.find("#view-result .side")).to_be_hidden()
    tab.until(f"({STAGE})() > 0.5")
    tab.page.reload()
    tab.until("globalThis.studio?.view !== undefined")
    expect(tab.find("#view-draw .side")).to_be_hidden()
    assert tab.evaluate(SHARE, "#board") > 0.8


def test_a_view_has_one_main_action_and_a_word_one_meaning(tab: Tab) -> None:
    names = """() => [...document.querySelectorAll('button.main')]
      .filter((one) => one.checkVisibility()).map((one) => one.textContent)"""
    assert tab.evaluate(names) == ["Solve"]
    tab.click("#tab-live")
    tab.until("studio.live.state !== null")
    assert tab.evaluate(names) == []
    words = tab.evaluate("() => [...document.querySelectorAll('button')].map((one) => one.textContent)")
    assert words.count("Open") == 1  # a file; walls are taken away by Free
    assert "Show" not in words  # a run is played; what the player shows is in its own menu


def test_what_nobody_solved_is_a_map_that_marks_who_is_cut_off(tab: Tab) -> None:
    tab.draw(WALLED)
    tab.click("#solve")
    expect(tab.find("#unsolved-says")).to_have_text("Cut off from the goal, whatever the others do: a, b.")
    assert tab.evaluate("[...studio.results.unsolved.board.selected]") == [0, 1]
    assert tab.evaluate(SHARE, "#unsolved-board") > 0.4
    tab.draw("a . . A")
    tab.solve()
    expect(tab.find("#unsolved-board")).to_be_hidden()


def test_a_run_without_a_plan_says_why_when_asked(tab: Tab) -> None:
    drawing = "# # . # #\na B . A b"
    tab.draw(drawing)
    tab.choose("dpca")
    tab.click("#solve")
    tab.find("#runs tbody button").click()
    expect(tab.find("#runs .said")).to_have_text(ss.solve(ss.Problem.from_text(drawing), "dpca").why().text)


def test_solvers_are_in_groups_that_say_for_whom(tab: Tab) -> None:
    groups = tab.evaluate(
        """() => [...document.querySelectorAll('#solvers section')].map((one) => [
          one.querySelector('p').textContent,
          ...[...one.querySelectorAll('strong')].map((name) => name.textContent)])"""
    )
    assert groups[0][1:] == ["auto"]
    by_solver = {name: group for group in groups for name in group[1:]}
    assert by_solver["cbs"] is by_solver["od"] is not by_solver["whca"] is by_solver["pibt"]
    assert all(words.endswith(".") for words, *_ in groups)


def test_loading_the_page_again_loses_nothing_that_was_drawn_or_chosen(tab: Tab) -> None:
    tab.draw(WALLED)
    tab.choose("whca", "cbs")
    tab.field("Seed", "#terms").fill("7")
    before = tab.instance
    for _ in range(2):  # what was taken up is kept, too
        tab.page.reload()
        tab.until("globalThis.studio?.picker.runs.length === 2")
        assert tab.instance == before
        assert tab.evaluate("studio.picker.runs.map(({ solver }) => solver)") == ["whca", "cbs"]
        assert tab.evaluate("studio.terms.seed") == 7


def test_a_live_world_says_what_one_did_and_whose_goals_walls_cover(tab: Tab) -> None:
    tab.draw("a . . A\n. . . .\nb . . B")
    tab.click("#tab-live")
    tab.until("studio.live.state?.time >= 1")
    tab.click("#live-pause")
    tab.use("Wall", "#live-tools")
    tab.drag((0, 3), (1, 3), board="live")
    tab.until("studio.live.state.undo === 1")
    tab.says("The walls cover the goals of a: send them elsewhere, or take the walls away")
    expect(tab.find("#live-side .log .yours").first).to_contain_text("you dropped 2 walls")
    tab.click("#live-step")
    tab.until("studio.live.board.picture.trails?.length > 1")
    expect(tab.find("#live-facts")).to_contain_text("arrived in the last")


def test_a_phone_does_not_scroll_sideways(open_tab: Open) -> None:
    tab = open_tab(viewport=PHONE, touch=True)
    tab.solve()
    for view in ("draw", "result", "live"):
        tab.click(f"#tab-{view}")
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
