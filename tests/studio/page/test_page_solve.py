"""Solving and comparing: progress, cancel, what the judge says, and runs side by side and in step."""

from __future__ import annotations

import re

from playwright.sync_api import expect

import sidestep as ss
from sidestep.studio.limits import Limits

from ..conftest import running
from .conftest import Open, Tab

DOOR = "a . . B\n# # . #\nb . . A"


def crowded(tab: Tab, agents: int) -> None:
    """Generates a map with so many agents; two clicks, and the number is typed."""
    tab.click(tab.find("#generator").get_by_label("Agents"))
    tab.page.keyboard.press("Control+a")
    tab.page.keyboard.type(str(agents))
    tab.click(tab.button("Generate"))
    tab.until(f"studio.store.instance.agents.length === {agents}")


def test_a_solve_plays_at_once(open_tab: Open) -> None:
    """One click from the first paint: solved, judged, and playing."""
    tab = open_tab(motion="no-preference")
    tab.draw(DOOR)
    tab.solve()
    status, cost, makespan, _, messages, judge, _ = tab.row("auto")
    plan = ss.solve(ss.Problem.from_text(DOOR)).plan
    assert plan is not None
    assert (status, cost, makespan, messages) == ("optimal", str(plan.cost), str(plan.makespan), "-")
    assert judge == "✓ valid"
    assert tab.clicks == 1
    expect(tab.find("#player .badge")).to_have_text("✓ valid")
    tab.until("studio.results.player.time > 0")
    tab.evaluate("() => { studio.results.player.setSpeed(64); }")  # it has begun; to look on takes long
    tab.until(f"studio.results.player.time === {plan.makespan}")
    assert tab.player["scenes"][0]["vertices"] == plan.vertices[-1].tolist()


def test_a_solver_as_printed(tab: Tab) -> None:
    """A switch sets the paper's parameters, and back; it follows what is set by hand."""
    tab.draw(DOOR)
    tab.choose("lra")
    tab.click("#chosen summary")
    switch, field = (tab.find("#chosen").get_by_label(name) for name in ("As printed", "Moves after repair"))
    expect(switch).not_to_be_checked()
    switch.check()
    expect(field).not_to_be_checked()
    expect(tab.find("#chosen summary")).to_contain_text("moves_after_repair=false")
    field.check()
    expect(switch).not_to_be_checked()
    field.uncheck()
    expect(switch).to_be_checked()
    switch.uncheck()
    expect(tab.find("#chosen summary")).to_have_text("lra")


def test_as_printed_with_other_rules_there_is_a_warning(tab: Tab) -> None:
    """It says which rules the paper has, as long as they differ and the solver is as printed."""
    tab.draw(DOOR)
    tab.choose("bcp")
    tab.click("#chosen summary")
    warning, switch = tab.find("#chosen .warn"), tab.find("#chosen").get_by_label("As printed")
    expect(warning).to_be_hidden()
    switch.check()
    told = "“May follow closely: no” and “Diagonals may cross: yes”"
    expect(warning).to_have_text(f"The rules are not those of bcp2006, which has {told}.")
    tab.page.evaluate("studio.store.change(({ rules }) => (rules.following = false))")
    expect(warning).to_have_text("The rules are not those of bcp2006, which has “Diagonals may cross: yes”.")
    tab.page.evaluate("studio.store.change(({ rules }) => (rules.crossing = true))")
    expect(warning).to_be_hidden()
    tab.page.evaluate("studio.store.change(({ rules }) => (rules.crossing = false))")
    expect(warning).to_be_visible()
    switch.uncheck()
    expect(warning).to_be_hidden()


def test_what_was_solved_before_makes_room(tab: Tab) -> None:
    tab.draw(DOOR)
    tab.solve()
    tab.click("#tab-draw")
    tab.draw("a . A")
    tab.choose("hca", "cbs")
    tab.solve()
    assert tab.find("#runs tbody tr").count() == 2
    assert [scene["label"] for scene in tab.player["scenes"]] == ["hca", "cbs"]


def test_progress_and_cancel(tab: Tab) -> None:
    """A solver that is not done soon says how far it is, and stops when it is told to."""
    crowded(tab, 150)
    tab.choose("cbs", "whca")
    tab.click("#solve")
    expect(tab.find("#runs tbody tr").first).to_contain_text("solving")
    expect(tab.find("#progress")).to_contain_text(re.compile(r"cbs \(1 of 2\): [1-9]"))  # seconds
    assert "s" in tab.row("cbs")[3]
    expect(tab.find("#solve")).to_be_disabled()
    tab.click("#cancel")
    expect(tab.find("#progress")).to_have_text("Cancelled.")
    assert tab.row("whca")[0] == "cancelled"
    expect(tab.find("#cancel")).to_be_hidden()
    tab.click("#tab-draw")
    tab.choose("whca")
    tab.solve()  # and it goes on
    assert tab.row("whca")[5] == "✓ valid"


def test_escape_cancels(tab: Tab) -> None:
    crowded(tab, 150)
    tab.choose("cbs")
    tab.keys("Control+Enter")
    expect(tab.find("#cancel")).to_be_visible()
    tab.keys("Escape")
    expect(tab.find("#progress")).to_have_text("Cancelled.")


def test_a_hundred_agents_compared_in_under_ten_clicks(tab: Tab) -> None:
    """Generated, solved by three solvers, and shown side by side and in step."""
    crowded(tab, 100)
    for name in ("hca", "wdpca"):
        tab.click(tab.solver(name))
    tab.solve(60)
    assert tab.clicks < 10
    print(f"{tab.clicks} clicks")
    tab.until("studio.results.player.scenes.length === 3")
    labels = [scene["label"] for scene in tab.player["scenes"]]
    assert labels == ["auto", "hca", "wdpca"]
    for label in labels:
        status, cost, makespan, seconds, messages, judge, _ = tab.row(label)
        assert status in ("solved", "optimal")
        assert judge == "✓ valid"
        assert int(cost.replace(",", "")) > int(makespan) > 0
        assert seconds.endswith("s")
        assert (messages != "-") == (label == "wdpca")
    tab.evaluate("() => { studio.results.player.pause(); studio.results.player.seek(5); }")
    assert {scene["row"] for scene in tab.player["scenes"]} == {5}


def test_runs_are_shown_one_by_one_or_side_by_side(tab: Tab) -> None:
    tab.draw(DOOR)
    tab.choose("whca", "cbs")
    tab.solve()
    tab.until("studio.results.player.scenes.length === 2")
    tab.button("Play cbs").click()
    tab.until("studio.results.player?.scenes.length === 1")
    assert tab.player["scenes"][0]["label"] == "cbs"
    expect(tab.button("Play cbs")).to_have_attribute("aria-pressed", "true")
    tab.button("Side by side").click()
    tab.until("studio.results.player?.scenes.length === 2")


def test_one_solver_with_two_parameters(tab: Tab) -> None:
    tab.draw(DOOR)
    tab.choose("whca")
    tab.find(".choice summary").click()
    tab.find(".choice").get_by_role("button", name="Once more").click()
    tab.find(".choice").nth(1).get_by_label("Window").fill("5")
    tab.solve()
    tab.until("studio.results.player.scenes.length === 2")
    assert tab.row("whca window=5")[0] == "solved"


def test_what_cannot_be_solved(tab: Tab) -> None:
    """No plan, a solver that refuses, parameters that are wrong, and nobody to plan for."""
    tab.draw("a # A")
    tab.choose("cbs")
    tab.click("#solve")
    tab.until("!studio.results.isSolving")
    status, *_, judge, _ = tab.row("cbs")
    assert status == "infeasible\nagent a cannot reach its goal (0, 2)"
    assert judge == "no plan"
    expect(tab.find("#progress")).to_have_text("cbs found no plan.")
    tab.click("#tab-draw")
    tab.choose("whca")
    tab.find(".choice summary").click()
    tab.find(".choice").get_by_label("Window").fill("-3")
    tab.click("#solve")
    tab.says("Window must be")
    tab.click("#tab-draw")
    tab.draw(". . .")
    tab.click("#solve")
    tab.says("There are no agents to solve for")


def test_a_server_that_is_gone(open_tab: Open) -> None:
    """The page says so, and is as it was."""
    with running(Limits(solves=1)) as studio:
        tab = open_tab()
        tab.go_to(studio)
        tab.draw(DOOR)
    tab.click("#solve")
    tab.says("The studio does not answer")
    expect(tab.find("#solve")).to_be_enabled()
    tab.problems.clear()  # the browser says that there is no connection
