"""Live: a world streams, copes with what one does to it, is undone, saved, replayed and turned into code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Download, expect

import sidestep as ss
from sidestep.io import read_trace

from ..conftest import cpu_seconds
from .conftest import Cell, Open, Tab

FIELD = "\n".join(["a . . . . . . A", "b . . . . . . B", ". . . . . . . .", ". . . . . . . ."])


@pytest.fixture
def live(tab: Tab) -> Tab:
    """A world of two agents that waits at its beginning."""
    tab.draw(FIELD)
    tab.evaluate("() => { studio.live.rate = 0.1; }")  # it pauses before the next turn on a busy machine, too
    tab.click("#tab-live")
    tab.until("studio.live.state !== null")
    tab.click("#live-pause")
    expect(tab.find("#live-pause")).to_have_text("Go on")
    return tab


def state(tab: Tab) -> dict[str, Any]:
    return tab.evaluate("studio.live.state")


def places(tab: Tab) -> list[Cell | None]:
    return [None if at < 0 else divmod(at, 8) for at in state(tab)["positions"]]


def told(tab: Tab, condition: str) -> None:
    tab.until(f"(() => {{ const state = studio.live.state; return {condition}; }})()")


def select(tab: Tab, *cells: Cell) -> None:
    tab.use("Select", "#live-tools")
    if len(cells) == 1:
        tab.tap(cells[0], "live")
    else:
        tab.drag(*cells, board="live")


def saved(tab: Tab, button: str) -> str:
    with tab.page.expect_download() as waiting:
        tab.find("#live-side").get_by_role("button", name=button).click()
    download: Download = waiting.value
    return Path(download.path()).read_text(encoding="utf-8")


def step(tab: Tab, turns: int = 1) -> None:
    for _ in range(turns):
        now = state(tab)["time"]
        tab.click("#live-step")
        told(tab, f"state.time === {now + 1}")


def test_a_world_runs_to_its_end(tab: Tab) -> None:
    """It starts by itself, moves, and ends when everybody has arrived."""
    tab.draw(FIELD)
    tab.click("#tab-live")
    tab.find("#live-rate").select_option("30 turns/s")
    told(tab, "state?.done")
    assert places(tab) == [(0, 7), (1, 7)]
    expect(tab.find("#live-facts")).to_contain_text(
        "2 of 2 at their goals, everybody is where they want to be"
    )
    expect(tab.find("#live-side .log")).to_contain_text("arrived")


def test_step_by_step(live: Tab) -> None:
    before = state(live)["time"]
    step(live, 2)
    assert state(live)["time"] == before + 2
    assert places(live)[0] == (0, before + 2)


def test_walls_are_dropped_and_opened(live: Tab) -> None:
    """The agents go around; both can be undone and redone."""
    live.use("Wall", "#live-tools")
    live.drag((0, 4), (2, 4), board="live")
    told(live, "state.undo === 1")
    live.use("Free", "#live-tools")
    live.tap((2, 4), "live")
    told(live, "state.undo === 2")
    assert live.evaluate("[4, 12, 20].map((vertex) => studio.live.board.picture.walls[vertex])") == [1, 1, 0]
    live.keys("Control+z")
    told(live, "state.undo === 1")
    assert live.evaluate("studio.live.board.picture.walls[20]") == 1
    live.keys("Control+Shift+z")
    told(live, "state.undo === 2")
    assert live.evaluate("studio.live.board.picture.walls[20]") == 0
    live.find("#live-rate").select_option("60 turns/s")
    live.click("#live-pause")
    told(live, "state.done")
    assert places(live) == [(0, 7), (1, 7)]


def test_agents_are_sent_elsewhere(live: Tab) -> None:
    """One to a cell; several as a group; and to nowhere."""
    select(live, (0, state(live)["time"]))
    live.use("Send", "#live-tools")
    live.tap((3, 3), "live")
    told(live, "state.goals[0] === 3 * 8 + 3")
    select(live, (0, 0), (1, 2))
    expect(live.find("#live-side")).to_contain_text("a, b")
    live.use("Send", "#live-tools")
    live.tap((2, 6), "live")
    told(live, "state.undo === 2 && state.goals.every((goal) => goal > 12)")
    live.find("#live-side").get_by_role("button", name="No goal").click()
    told(live, "state.goals.every((goal) => goal === -1)")


def test_agents_come_and_go(live: Tab) -> None:
    live.use("Add", "#live-tools")
    live.drag((3, 0), (3, 7), board="live")
    told(live, "state.names.length === 3")
    select(live, (3, 0))
    live.find("#live-side").get_by_role("button", name="Remove").click()
    told(live, "state.positions[2] === -1")
    live.click("#live-undo")
    told(live, "state.positions[2] === 24")


def test_priorities_slowness_and_planner(live: Tab) -> None:
    select(live, (1, state(live)["time"]))
    side = live.find("#live-side")
    side.get_by_label("Priority").fill("5")
    side.get_by_label("Priority").press("Enter")
    told(live, "state.priorities[1] === 5")
    side.get_by_label("Moves every … turns").fill("3")
    side.get_by_label("Moves every … turns").press("Enter")
    told(live, "state.periods[1] === 3")
    side.get_by_label("Planner").select_option("lra")
    told(live, "state.undo === 3")
    step(live, 6)
    assert places(live)[0][1] - places(live)[1][1] >= 3  # b is slow now


def test_a_refused_command_changes_nothing(live: Tab) -> None:
    """An agent cannot be added where a wall is."""
    live.use("Wall", "#live-tools")
    live.drag((2, 0), (2, 3), board="live")
    told(live, "state.undo === 1")
    live.use("Add", "#live-tools")
    live.drag((2, 0), (3, 7), board="live")
    live.until("document.querySelector('#notice').classList.contains('fault')")
    assert state(live)["undo"] == 1
    assert len(state(live)["names"]) == 2


def test_why_in_a_live_world(live: Tab) -> None:
    select(live, (0, state(live)["time"]))
    live.find("#live-side").get_by_role("button", name="Why?").click()
    expect(live.find("#live-side .said")).to_contain_text("a goes to")


def test_why_not_and_why_first_in_a_live_world(live: Tab) -> None:
    select(live, (0, state(live)["time"]))
    side = live.find("#live-side")
    side.get_by_label("Why not at").fill("here")
    side.get_by_label("Why not at").press("Enter")
    expect(side.locator(".said")).to_contain_text("A place is a row and a column")
    side.get_by_label("Why not at").fill("0, 5")
    side.get_by_label("Why not at").press("Enter")
    expect(side.locator(".said")).to_contain_text("a cannot be on (0, 5) at time 1")
    side.get_by_label("Why before").fill("z")
    side.get_by_label("Why before").press("Enter")
    expect(side.locator(".said")).to_contain_text("There is no agent z.")


def test_saved_replayed_and_turned_into_code(live: Tab, tmp_path: Path) -> None:
    """The trace is valid, the player shows it, and the code makes the same trace again."""
    live.use("Wall", "#live-tools")
    live.drag((0, 5), (1, 5), board="live")
    told(live, "state.undo === 1")
    step(live, 3)
    text = saved(live, "Save trace")
    path = tmp_path / "world.json"
    path.write_text(text)
    trace = ss.io.read_trace(path)
    assert ss.validate_trace(trace)
    now = state(live)["time"]
    assert json.loads(text)["format"] == "sidestep-trace"
    code = saved(live, "Python").replace("world.html", str(tmp_path / "world.html"))
    names: dict[str, Any] = {}
    exec(compile(code, "world.py", "exec"), names)
    assert (names["world"].trace.positions == trace.positions).all()
    live.find("#live-side").get_by_role("button", name="Replay").click()
    live.until("studio.results.player !== null")
    assert live.player["steps"] == now
    expect(live.find("#tab-result")).to_have_attribute("aria-selected", "true")


def test_the_keyboard_runs_a_world(live: Tab) -> None:
    """Pause, step, select, send and remove without a mouse."""
    now = state(live)["time"]
    live.find("#live-board canvas").focus()
    live.keys("n")
    told(live, f"state.time === {now + 1}")
    live.evaluate("() => { studio.live.board.cursor = [0, studio.live.state.positions[0]]; }")
    live.keys("v", "Enter", "s", "ArrowDown", "ArrowDown", "ArrowDown", "Enter")
    told(live, f"state.goals[0] === {3 * 8 + now + 1}")
    live.keys("Delete")
    told(live, "state.positions[0] === -1")
    live.keys("p")
    told(live, "state.rate > 0")


@pytest.mark.slow
def test_five_hundred_agents_keep_their_pace(open_tab: Open) -> None:
    """The page gets every turn; one takes the world a twentieth of a second of CPU time at most."""
    tab = open_tab()
    side = tab.find("#generator")
    side.get_by_label("Kind").select_option("empty")
    side.get_by_label("Height").fill("64")
    side.get_by_label("Width").fill("64")
    side.get_by_label("Agents").fill("500")
    tab.button("Generate").click()
    tab.until("studio.store.instance.agents.length === 500")
    tab.evaluate("() => { studio.live.rate = 60; }")
    tab.click("#tab-live")
    told(tab, "state?.time > 0")
    (worker,) = tab.studio.pool.working
    begin, cpu = state(tab)["time"], cpu_seconds(worker.pid)
    told(tab, f"state.time >= {begin + 20} || state.done")
    assert cpu_seconds(worker.pid) - cpu <= (state(tab)["time"] - begin + 1) / 20


def test_tasks_are_dropped_and_counted(live: Tab) -> None:
    """A click is a task of one errand, a drag one of two; a diamond is where an open one begins."""
    live.use("Task", "#live-tools")
    live.tap((3, 2), "live")
    live.drag((2, 7), (3, 7), board="live")
    told(live, "state.undo === 2")
    assert live.evaluate("studio.live.board.picture.tasks") == [3 * 8 + 2, 2 * 8 + 7]
    expect(live.find("#live-side")).to_contain_text("2 open, 0 under way, 0 finished")
    expect(live.find("#live-side .log")).to_contain_text("you dropped a task: (2, 7), then (3, 7)")
    live.find("#live-rate").select_option("60 turns/s")
    live.click("#live-pause")
    told(live, "state.done")
    assert live.evaluate("studio.live.board.picture.tasks") == []
    expect(live.find("#live-side")).to_contain_text("0 open, 0 under way, 2 finished")
    expect(live.find("#live-side .finished figcaption")).to_contain_text("Finished per turn")
    expect(live.find("#live-side .waiting figcaption")).to_have_text("Open tasks: 0 now, at most 2")


def test_who_does_what_is_told_and_drawn(live: Tab) -> None:
    """Of the agent that is selected, and of all in a list; what comes after the goal is a line on the map."""
    live.use("Task", "#live-tools")
    live.drag((3, 0), (3, 3), board="live")
    told(live, "state.undo === 1")
    while live.evaluate("studio.live.underWay.size") == 0:  # they have to be at their goals first
        step(live)
        assert state(live)["time"] < 20
    ((agent, task),) = live.evaluate("[...studio.live.underWay]")
    name = live.evaluate("(agent) => studio.live.state.names[agent]", agent)
    assert task == {"number": 0, "errands": [3 * 8, 3 * 8 + 3]}
    live.find("#live-side summary").filter(has_text="Who does what").click()
    row = live.find("#live-side .doing li")
    expect(row).to_have_text(f"{name} is on task 0: (3, 0), then (3, 3)")
    row.get_by_role("button").click()
    assert live.evaluate("[...studio.live.board.selected]") == [agent]
    expect(live.find("#live-side .task")).to_have_text("It is on task 0: (3, 0), then (3, 3).")
    assert live.evaluate("[...studio.live.board.routes]") == [[agent, [3 * 8, 3 * 8 + 3]]]
    live.find("#live-rate").select_option("60 turns/s")
    live.click("#live-pause")
    told(live, "state.done")
    expect(live.find("#live-side .task")).to_be_hidden()
    expect(live.find("#live-side details").filter(has_text="Who does what")).to_be_hidden()


def test_random_tasks_come_in_at_a_rate_from_now_on(live: Tab, tmp_path: Path) -> None:
    """In a world that lives already; it can be undone, and the chart has what waits."""
    work = live.find("#live-side section").filter(has=live.page.get_by_role("heading", name="Work"))
    work.get_by_label("Random tasks").select_option("A number per turn")
    told(live, "state.supply.inflow === 0.5")
    work.get_by_label("How many").fill("20")
    work.get_by_label("How many").press("Tab")
    told(live, "state.supply.inflow === 20")
    expect(live.find("#live-side .log")).to_contain_text("you let 20 random tasks come in per turn")
    step(live, 3)
    told(live, "studio.live.work.queue.points.length > 3 && studio.live.work.queue.now > 20")
    expect(live.find("#live-side .waiting")).to_be_visible()
    path = tmp_path / "world.json"
    path.write_text(saved(live, "Save trace"), encoding="utf-8")
    trace = read_trace(path)
    assert ss.validate_trace(trace)
    assert trace.count(ss.EventKind.TASK) == live.evaluate("studio.live.tasks.last") + 1 > 40
    live.click("#live-undo")
    live.click("#live-undo")
    told(live, "state.undo === 0")
    assert live.evaluate("studio.live.work.terms") == {}
    expect(work.get_by_label("How many")).to_be_hidden()


def test_random_tasks_go_on_for_ever(tab: Tab) -> None:
    """They come in from the start; goals, counts and the chart follow turn by turn."""
    tab.draw(FIELD)
    tab.evaluate(
        """() => { studio.live.rate = 60;
          Object.assign(studio.live.work.kind, { value: 'pool' }); studio.live.work.number.value = '2'; }"""
    )
    tab.click("#tab-live")
    told(tab, "state?.time > 40 && studio.live.work.pace.now > 0")
    tab.click("#live-pause")
    expect(tab.find("#live-pause")).to_have_text("Go on")
    told(tab, "state.rate === 0")
    assert not state(tab)["done"]
    goals, shown = tab.evaluate(
        "[studio.live.state.goals, studio.live.board.picture.agents.map(({ goal }) => goal)]"
    )
    assert goals == shown
    expect(tab.find("#live-side .pace path")).to_have_count(2)


def test_the_pace_of_work(tab: Tab) -> None:
    """It is that of the last 50 turns; a task that was given back is open again."""
    pace, line, tasks = tab.evaluate(
        """async () => {
          const { Pace, Tasks } = await import("/static/livework.js");
          const { EVENT } = await import("/static/player.js");
          const pace = new Pace(10);
          const seen = [pace.now];
          for (let turn = 1; turn <= 100; turn++) pace.turn(10 + Math.max(0, turn - 50));
          seen.push(pace.now);
          pace.turn(60);
          const short = new Pace();
          for (const finished of [0, 2, 2]) short.turn(finished);
          const tasks = new Tasks([[3, -1, 20, 21], [4, 0, 30]]);
          tasks.hear([[6, EVENT.TAKEN, 1, 3], [6, EVENT.GIVEN_BACK, 0, 4], [6, EVENT.TASK, -1, 5]]);
          tasks.hear([[6, EVENT.ERRAND, -1, 40], [7, EVENT.FINISHED, 1, 3]]);
          return [[...seen, pace.now, pace.most], short.line, [tasks.open, tasks.all.size]];
        }"""
    )
    assert pace == [0, 1, 49 / 50, 1]
    assert line == "M0.0 80.0L150.0 0.0L300.0 26.7"
    assert tasks == [[30, 40], 2]
