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
CROWDED = """
a . . . B
. # . # .
b . . . A
"""
SHARE = """(selector) => {
  const { width, height } = document.querySelector(selector).getBoundingClientRect();
  return (width * height) / (innerWidth * innerHeight);
}"""
STAGE = """() => {
  const { width, height } = studio.results.player.active.surface.getBoundingClientRect();
  return (width * height) / (innerWidth * innerHeight);
}"""
STAGES = """() => studio.results.player.stages.map(({ surface }) => surface.getBoundingClientRect())
  .reduce((sum, { width, height }) => sum + (width * height) / (innerWidth * innerHeight), 0)"""
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
    tab.click("#tab-draw")
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


def test_loading_the_page_again_loses_no_result(tab: Tab) -> None:
    """The table, what is played and the view are as before, and why can be asked; a new page has none."""
    tab.draw(CROWDED)
    tab.choose("whca", "cbs")
    tab.solve()
    before = [tab.row(name) for name in ("whca", "cbs")]
    tab.draw(WALLED)  # what is drawn is not what was solved
    tab.page.reload()
    tab.until("globalThis.studio?.results.player?.scenes.length === 2 && !studio.results.isSolving")
    assert [tab.row(name) for name in ("whca", "cbs")] == before
    assert tab.evaluate("studio.view") == "result"
    assert tab.evaluate("studio.store.instance.walls.length") == 20
    tab.find("#runs tbody button").nth(1).click()
    tab.until("studio.results.player.scenes.length === 1")
    tab.evaluate(
        "() => { const { player } = studio.results; player.pause(); player.seek(1); player.select(0); }"
    )
    expect(tab.find("#answer .said")).to_be_visible()
    tab.draw(CROWDED)
    tab.solve()  # the numbers of solves go on
    tab.open()
    expect(tab.find("#no-result")).to_have_count(1)
    assert tab.evaluate("studio.results.runs.length") == 0


def test_a_result_that_the_server_has_forgotten_is_not_promised(tab: Tab) -> None:
    tab.solve()
    tab.page.evaluate("sessionStorage.setItem('page', '0123456789abcdef'.repeat(2))")
    tab.page.reload()
    tab.until("globalThis.studio?.view === 'result' && !studio.results.isSolving")
    expect(tab.find("#no-result")).to_be_visible()
    expect(tab.find("#runs")).to_be_hidden()


def test_loading_the_page_again_keeps_the_replay_of_a_file(tab: Tab) -> None:
    plan = ss.solve(ss.Problem.from_text("a . . A"), "cbs")
    tab.evaluate(
        "(bytes) => { studio.results.showFile(new Uint8Array(bytes), 'of a file'); studio.open('result'); }",
        list(ss.replay(plan).payload),
    )
    tab.until("studio.results.player !== null")
    tab.page.reload()
    tab.until("globalThis.studio?.results.player != null && studio.view === 'result'")
    expect(tab.find("#progress")).to_have_text("of a file")


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


OUTSIDE = """() => [...document.querySelectorAll('button, summary, select, input')]
  .filter((one) => one.checkVisibility() && !one.closest('#player'))
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5)
  .map((one) => one.id || one.textContent)"""


def test_a_phone_does_not_scroll_sideways(open_tab: Open) -> None:
    """In no view, with nothing cut off: the table of several runs has its buttons in sight."""
    tab = open_tab(viewport=PHONE, touch=True)
    tab.draw(CROWDED)
    tab.choose("whca", "cbs")
    tab.solve()
    for view in ("draw", "result", "live"):
        tab.click(f"#tab-{view}")
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
        assert tab.evaluate(OUTSIDE) == [], view


def test_rows_of_runs_are_low_and_several_maps_share_the_screen(open_tab: Open) -> None:
    tab = open_tab(viewport=WIDE)
    tab.draw(CROWDED)
    tab.choose("whca", "cbs")
    tab.solve()
    tab.until("studio.results.player.scenes.length === 2")
    heights = "() => [...document.querySelectorAll('#runs tbody tr')].map((row) => row.offsetHeight)"
    assert max(tab.evaluate(heights)) < 40
    assert tab.evaluate(STAGES) > 0.3
