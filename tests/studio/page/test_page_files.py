"""Files and links: opened, dropped, pasted and saved; what the studio is started with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

import sidestep as ss
from sidestep.studio.files import opened_paths
from sidestep.studio.jobs import entry_of

from ..conftest import running
from .conftest import Open, Tab

DOOR = "a . . B\n# # . #\nb . . A"
EVIL = "<img src=x onerror=alert(1)>"

DROP = """async (files) => {
  const transfer = new DataTransfer();
  for (const [name, text] of files) transfer.items.add(new File([text], name));
  for (const kind of ["dragenter", "dragover", "drop"]) {
    document.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }
}"""


def problem() -> ss.Problem:
    return ss.Problem.from_text(DOOR)


def choose(tab: Tab, *paths: Path) -> None:
    """Opens files by the button."""
    with tab.page.expect_file_chooser() as chooser:
        tab.click("#open")
    chooser.value.set_files(list(paths))


def save(tab: Tab, entry: str, path: Path) -> Path:
    """Saves by the menu."""
    tab.click("#save-menu summary")
    with tab.page.expect_download() as waiting:
        tab.find("#save-list").get_by_role("button", name=entry).click()
    waiting.value.save_as(path)
    return path


def grew_to(tab: Tab, agents: int) -> None:
    tab.until(f"studio.store.instance.agents.length === {agents}")


def test_a_map_and_its_scenario(tab: Tab, tmp_path: Path) -> None:
    """Together, or the scenario after the map; the field Agents says how many of them."""
    ss.io.write_map(problem().space, tmp_path / "door.map")
    ss.io.write_scen(problem(), tmp_path / "door.scen", "door.map")
    choose(tab, tmp_path / "door.map", tmp_path / "door.scen")
    grew_to(tab, 2)
    assert tab.instance["walls"] == {(1, 0), (1, 1), (1, 3)}
    choose(tab, tmp_path / "door.map")
    grew_to(tab, 0)
    tab.find("#generator").get_by_label("Agents").fill("1")
    choose(tab, tmp_path / "door.scen")
    grew_to(tab, 1)
    tab.says("Door.scen is open: agents of the scenario up to number 1")


def test_a_scenario_alone_needs_its_map(tab: Tab, tmp_path: Path) -> None:
    ss.io.write_scen(problem(), tmp_path / "door.scen", "door.map")
    choose(tab, tmp_path / "door.scen")
    tab.says("open it together with its map")


def test_dropped_and_pasted(tab: Tab) -> None:
    tab.evaluate(DROP, [["drawing.txt", DOOR]])
    grew_to(tab, 2)
    expect(tab.find("#drop")).to_be_hidden()
    tab.evaluate(
        """() => {
          const data = new DataTransfer();
          data.setData("text/plain", "a . A\\nb . B\\nc . C");
          document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
        }"""
    )
    grew_to(tab, 3)


def test_a_plan_plays_at_once(tab: Tab, tmp_path: Path) -> None:
    result = ss.solve(problem(), ss.CBS())
    ss.io.write_result(result, tmp_path / "plan.json")
    choose(tab, tmp_path / "plan.json")
    tab.until("studio.results.player !== null")
    assert tab.player["steps"] == result.plan.makespan
    expect(tab.find("#why-hint")).to_contain_text("Solve it here")
    assert len(tab.agents) == 2
    tab.solve()  # and it can be solved anew
    assert tab.row("auto")[0] == "optimal"


def test_what_is_no_file_of_ours(tab: Tab) -> None:
    tab.evaluate(DROP, [["evil.json", '{"format": "sidestep-plan", "version": 99}']])
    tab.until("document.querySelector('#notice').classList.contains('fault')")
    assert len(tab.agents) == 4


@pytest.mark.parametrize("entry", ["Problem (our JSON)", "Drawing (text)"])
def test_saved_and_opened_again(tab: Tab, tmp_path: Path, entry: str) -> None:
    tab.draw(DOOR)
    path = save(tab, entry, tmp_path / "saved.txt")
    tab.draw("a . A")
    choose(tab, path)
    grew_to(tab, 2)
    assert tab.agents == {"a": ((0, 0), (2, 3)), "b": ((2, 0), (0, 3))}


def test_every_other_way_to_save(tab: Tab, tmp_path: Path) -> None:
    """A map, a scenario, code that solves it, and the plan of the run that is shown."""
    tab.draw(DOOR)
    grid = ss.io.read_map(save(tab, "Map (MovingAI)", tmp_path / "a.map"))
    assert ss.io.read_scen(save(tab, "Scenario (MovingAI)", tmp_path / "a.scen"), grid).n_agents == 2
    code = save(tab, "Python that solves it", tmp_path / "solve.py").read_text()
    assert "auto" in code
    compile(code, "solve.py", "exec")
    tab.click("#save-menu summary")
    tab.find("#save-list").get_by_role("button", name="Plan of the run shown").click()
    tab.says("There is no plan")
    tab.solve()
    found = ss.io.read_plan(save(tab, "Plan of the run shown", tmp_path / "plan.json"))
    assert found.plan is not None
    assert ss.validate(found.problem, found.plan)


def test_a_link_holds_a_small_instance(open_tab: Open) -> None:
    """Whoever opens it sees the same map; also as a paste."""
    tab = open_tab()
    tab.draw(DOOR)
    tab.click("#save-menu summary")
    tab.button("Copy a link to this map").click()
    tab.says("The link is in the")
    fragment = tab.evaluate("location.hash")
    assert fragment.startswith("#i=")
    other = open_tab(fragment)
    grew_to(other, 2)
    assert other.agents == tab.agents
    assert other.instance == tab.instance
    other.draw("a . A")
    other.evaluate("(hash) => { location.hash = ''; location.hash = hash; }", fragment)
    grew_to(other, 2)


def test_links_that_are_too_long_or_damaged(open_tab: Open) -> None:
    tab = open_tab("#i=AAAA")
    tab.says("The link cannot be opened: it is damaged or cut off.")
    assert len(tab.agents) == 4
    tab.evaluate(
        """() => studio.store.change((instance) => {
          Object.assign(instance, { height: 900, width: 900, agents: [] });
          instance.walls = Uint8Array.from({ length: 810000 }, () => Math.random() < 0.5);
        })"""
    )
    tab.click("#save-menu summary")
    tab.button("Copy a link to this map").click()
    tab.says("This map is too large for a link")


def test_names_are_text_everywhere(tab: Tab, tmp_path: Path) -> None:
    """Whatever an agent is called, nothing of it becomes a part of the page."""
    grid = problem().space
    evil = ss.Problem.from_agents(
        grid, [ss.Agent((0, 0), (2, 3), name=EVIL), ss.Agent((2, 0), (0, 3), name="b")]
    )
    ss.io.write_problem(evil, tmp_path / "evil.json")
    choose(tab, tmp_path / "evil.json")
    grew_to(tab, 2)
    tab.choose("dpca+")
    tab.solve()
    tab.evaluate("() => { studio.results.player.pause(); studio.results.player.select(0); }")
    expect(tab.find("#answer .said")).to_be_visible()
    expect(tab.find("#why-whom")).to_contain_text("<img")
    tab.click("#tab-live")
    tab.until("studio.live.state !== null")
    assert tab.find("img").count() == 0


def test_what_the_studio_is_started_with(open_tab: Open, tmp_path: Path) -> None:
    path = tmp_path / "door.txt"
    path.write_text(DOOR)
    with running(given=entry_of(opened_paths([path]))) as studio:
        tab = open_tab()
        tab.go_to(studio)
        grew_to(tab, 2)
        assert tab.instance["walls"] == {(1, 0), (1, 1), (1, 3)}
        assert json.loads(studio.client.get("/api/given").text)["instance"]["height"] == 3
