"""Drawing: walls, agents and goals with mouse and keyboard, undone and redone; maps of generators; forms."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.sizing import some_of

from .conftest import Open, Tab

EMPTY = "\n".join([". . . . . ."] * 4)


def test_first_paint_within_a_second(open_tab: Open) -> None:
    """With nothing in the cache of the browser, which keeps nothing of it; in one of ten tries."""
    for _ in range(10):
        tab = open_tab()
        paints = tab.evaluate("performance.getEntriesByType('paint').map(({ startTime }) => startTime)")
        assert paints
        if max(paints) < 1000:
            break
    assert max(paints) < 1000
    assert len(tab.agents) == 4  # there is something to solve at once


def test_walls_are_drawn_and_erased(tab: Tab) -> None:
    """A quick stroke leaves no gaps, does not bury agents, and is undone as one."""
    tab.draw("a . . . . A\n. . . . . .")
    tab.use("Wall")
    tab.drag((0, 0), (0, 5))
    assert tab.instance["walls"] == {(0, 1), (0, 2), (0, 3), (0, 4)}
    tab.use("Erase")
    tab.tap((0, 2))
    assert tab.instance["walls"] == {(0, 1), (0, 3), (0, 4)}
    tab.keys("Control+z", "Control+z")
    assert tab.instance["walls"] == set()
    tab.keys("Control+Shift+z")
    assert len(tab.instance["walls"]) == 4
    tab.button("Undo").click()
    assert tab.instance["walls"] == set()


def test_agents_are_placed_moved_and_removed(tab: Tab) -> None:
    """By dragging from start to goal, or with two clicks."""
    tab.draw(EMPTY)
    tab.use("Agent")
    tab.drag((0, 0), (1, 1), (3, 5))
    tab.tap((3, 0))
    tab.tap((0, 5))
    assert tab.agents == {"a0": ((0, 0), (3, 5)), "a1": ((3, 0), (0, 5))}
    tab.use("Select")
    tab.drag((0, 0), (1, 0))
    tab.drag((3, 5), (2, 5))
    tab.drag((3, 0), (1, 0))  # somebody is there already: it stops before
    assert tab.agents["a0"] == ((1, 0), (2, 5))
    assert tab.agents["a1"][0] != (1, 0)
    tab.tap((1, 0))
    tab.field("Name").fill("<b>Ada</b>")
    tab.field("Name").press("Enter")
    tab.find("#agent-card").get_by_label("Priority").fill("7")
    tab.find("#agent-card").get_by_label("Priority").press("Enter")
    assert {agent["name"]: agent["priority"] for agent in tab.instance["agents"]}["<b>Ada</b>"] == 7
    tab.find("#agent-card").get_by_role("button", name="Remove").click()
    assert list(tab.agents) == ["a1"]
    tab.use("Erase")
    tab.tap((0, 5))
    assert tab.agents["a1"][1] is None
    expect(tab.find("#board-facts")).to_have_text("4 by 6 cells, 1 agent, 1 without a goal")


def test_what_changes_nothing_leaves_nothing_to_undo(tab: Tab) -> None:
    """To select somebody, or to begin another goal and think better of it."""
    tab.open()
    before = tab.agents
    tab.tap((0, 0))
    expect(tab.find("#agent-section")).to_be_visible()
    tab.use("Agent")
    tab.tap((0, 0))
    tab.keys("Escape")
    assert tab.agents == before
    expect(tab.button("Undo")).to_be_disabled()
    tab.drag((0, 0), (0, 2))
    assert tab.agents["a"] == ((0, 0), (0, 2))
    expect(tab.button("Undo")).to_be_enabled()


def test_the_keyboard_draws(tab: Tab) -> None:
    """Everything that the mouse can do on the map."""
    tab.draw(EMPTY)
    tab.evaluate("() => document.querySelector('#tools').lastElementChild.focus()")
    for _ in range(6):  # past the other buttons to the map
        tab.keys("Tab")
        if tab.evaluate("document.activeElement.tagName") == "CANVAS":
            break
    tab.evaluate("() => { studio.editor.board.cursor = [0, 0]; }")
    tab.keys("a", "Enter", "ArrowDown", "ArrowDown", "ArrowRight", "Enter")
    assert tab.agents == {"a0": ((0, 0), (2, 1))}
    tab.keys("w", "ArrowRight", "Space", "ArrowRight", "Space", "Space")
    assert tab.instance["walls"] == {(2, 2)}
    expect(tab.find("#board-says")).to_have_text("Row 2, column 3: free.")
    tab.keys("v", "ArrowLeft", "ArrowLeft", "Enter", "ArrowDown", "Enter")
    assert tab.agents["a0"] == ((0, 0), (3, 1))
    tab.keys("ArrowUp", "ArrowUp", "ArrowUp", "ArrowLeft", "Enter", "Delete")
    assert tab.agents == {}
    before = tab.evaluate("studio.editor.board.view.scale")
    tab.keys("+", "+")
    assert tab.evaluate("studio.editor.board.view.scale") > before
    tab.keys("0")
    assert tab.evaluate("studio.editor.board.view.scale") == before


def test_the_map_is_moved_and_zoomed(tab: Tab) -> None:
    tab.page.mouse.move(*tab.spot((2, 4)))
    tab.page.mouse.wheel(0, -400)
    tab.until("studio.editor.board.view.fitted === false")
    before = tab.evaluate("studio.editor.board.view.x")
    tab.drag((2, 4), (2, 3), button="right")
    assert tab.evaluate("studio.editor.board.view.x") == pytest.approx(before + 1, abs=0.1)
    assert len(tab.agents) == 4
    tab.button("Fit").click()
    assert tab.evaluate("studio.editor.board.view.fitted") is True


def test_size_and_rules(tab: Tab) -> None:
    """What is cut off is gone; the rules are part of the instance."""
    tab.draw("a . . A\nb . B .\n. . . .")
    tab.find(
        "summary",
    ).filter(has_text="Size and rules").click()
    tab.find("#size").get_by_label("Height").fill("5")
    tab.find("#size").get_by_label("Width").fill("3")
    tab.button("Resize").click()
    assert (tab.instance["height"], tab.instance["width"]) == (5, 3)
    assert tab.agents == {"a": ((0, 0), None), "b": ((1, 0), (1, 2))}
    tab.find("#rules").get_by_label("Moves").select_option(label="8 directions")
    tab.find("#rules").get_by_label("May follow closely").uncheck()
    tab.find("#rules").get_by_label("At the goal agents").select_option("disappear")
    found = tab.instance
    assert found["connectivity"] == 8
    assert found["rules"]["following"] is False
    assert found["rules"]["at_goal"] == "disappear"
    tab.button("Clear").click()
    assert tab.agents == {}


def of_agent(tab: Tab, name: str) -> dict[str, Any]:
    return next(agent for agent in tab.instance["agents"] if agent["name"] == name)


def test_sizes_speeds_and_teams_are_drawn_and_solved(tab: Tab) -> None:
    """A large agent has room where it is put; the replay has the colours of the map."""
    tab.draw("a . . . B\n. . . . .\nb . . . .\n. . . . .\n. . . . A")
    tab.use("Select")
    tab.tap((0, 0))
    card = tab.find("#agent-card")
    card.get_by_label("Size").fill("2")
    card.get_by_label("Size").press("Enter")
    tab.says("has no room to be that large")  # its goal is in the corner
    assert of_agent(tab, "a")["size"] == 1
    tab.drag((4, 4), (3, 3))
    card.get_by_label("Size").fill("2")
    card.get_by_label("Size").press("Enter")
    assert of_agent(tab, "a")["size"] == 2
    tab.drag((1, 1), (1, 0))  # by its lower right cell: b is in the way
    assert tab.agents["a"][0] == (0, 0)
    tab.drag((2, 0), (4, 0))
    card.get_by_label("Moves every").fill("2")
    card.get_by_label("Moves every").press("Enter")
    assert of_agent(tab, "b")["period"] == 2
    tab.use("Team")
    tab.field("Team (empty: none)").fill("red")
    tab.drag((1, 1), (4, 0))
    tab.field("Team (empty: none)").fill("blue")
    tab.tap((4, 0))
    assert [agent["team"] for agent in tab.instance["agents"]] == ["red", "blue"]
    expect(tab.find("#board-facts")).to_contain_text("2 agents, 2 teams")
    tab.button("Undo").click()
    assert of_agent(tab, "b")["team"] == "red"
    drawn = tab.evaluate("studio.editor.board.picture.agents.map(({ hue }) => hue)")
    tab.choose("whca")
    tab.solve()
    assert tab.row("whca")[0] == "solved"
    assert tab.evaluate("[...studio.results.player.scenes[0].hues]") == drawn == [0, 0]
    tab.page.reload()
    tab.until("globalThis.studio?.view !== undefined")
    assert [of_agent(tab, name)["team"] for name in "ab"] == ["red", "red"]
    assert (of_agent(tab, "a")["size"], of_agent(tab, "b")["period"]) == (2, 2)


def test_who_has_to_turn(tab: Tab) -> None:
    """All have to turn, or nobody; a solver that does not honour it says so."""
    tab.draw("a . . A\nb . . B")
    tab.use("Select")
    tab.tap((0, 0))
    tab.find("#agent-card").get_by_label("Looks").select_option("right")
    assert [agent["facing"] for agent in tab.instance["agents"]] == ["E", "E"]
    tab.tap((1, 0))
    tab.find("#agent-card").get_by_label("Looks").select_option("down")
    assert [agent["facing"] for agent in tab.instance["agents"]] == ["E", "S"]
    tab.choose("epibt")
    tab.solve()
    assert tab.row("epibt")[0] == "solved"
    tab.click("#tab-draw")
    tab.find("#agent-card").get_by_label("Looks").select_option("any way")
    assert [agent["facing"] for agent in tab.instance["agents"]] == [None, None]


def test_every_generator_makes_a_map(tab: Tab) -> None:
    """With the fields that the server says it has."""
    generators = tab.studio.client.get("/api/generators").json()
    tab.find("#generator").get_by_label("Agents").fill("5")
    for generator in generators:
        tab.find("#generator").get_by_label("Kind").select_option(generator["name"])
        for parameter in generator["parameters"]:
            label = parameter["name"].replace("_", " ").capitalize()
            expect(tab.find("#generator").get_by_label(label, exact=True)).to_have_value(
                str(parameter["default"])
            )
        before = tab.evaluate("(studio.kept = studio.store.instance) && null")
        assert before is None
        tab.button("Generate").click()
        tab.until("studio.store.instance !== studio.kept")
        assert len(tab.agents) == 5
    tab.button("Another").click()
    expect(tab.find("#generator").get_by_label("Seed")).to_have_value("1")


def test_a_map_that_cannot_be_made(tab: Tab) -> None:
    tab.find("#generator").get_by_label("Agents").fill("5000")
    tab.find("#generator").get_by_label("Height").fill("3")
    tab.button("Generate").click()
    tab.until("document.querySelector('#notice').classList.contains('fault')")
    assert len(tab.agents) == 4
    expect(tab.find("#solve")).to_be_enabled()


def test_forms_have_the_parameters_of_all_solvers(tab: Tab) -> None:
    """One field for each; what is changed is part of the run, and of its name."""
    for solver in some_of(tab.studio.client.get("/api/solvers").json()):
        tab.choose(solver["name"])
        tab.find(".choice summary").click()
        form = tab.find(".choice .fields")
        switch = bool(solver["printed"])  # as printed or not
        assert form.locator("label").count() == len(solver["parameters"]) + switch
        assert tab.evaluate("studio.picker.runs") == [{"solver": solver["name"], "params": {}}]
    tab.choose("whca")
    tab.find(".choice summary").click()
    tab.find(".choice").get_by_label("Window").fill("8")
    tab.find(".choice").get_by_role("button", name="Once more").click()
    tab.find(".choice").nth(1).get_by_label("Window").fill("auto")
    assert [run["params"] for run in tab.evaluate("studio.picker.runs")] == [
        {"window": 8},
        {"window": "auto"},
    ]
    expect(tab.find(".choice summary").first).to_have_text("whca window=8")
    tab.choose("cbs")
    tab.find(".choice summary").click()
    tab.find(".choice").get_by_label("Heuristic").select_option("none")
    tab.find(".choice").get_by_label("Bypass").uncheck()
    assert tab.evaluate("studio.picker.runs[0].params") == {"heuristic": "none", "bypass": False}
    tab.find(".choice").get_by_role("button", name="Remove").click()
    expect(tab.find("#solve")).to_be_disabled()
