"""Worlds that live: turns, commands, undo, and traces that the judge accepts and that code reproduces."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import sidestep as ss
from sidestep import io
from sidestep.io.jsonfile import Record
from sidestep.solvers import SOLVERS
from sidestep.studio.instances import bits_from, problem_from
from sidestep.studio.live import Life, Live
from sidestep.studio.work import Supply

from .conftest import Page, cpu_seconds, crowd, instance

HALL = """
    a b . . . . . .
    . . . # . . . .
    . . . # . . . .
    . . . # . . B A
    . . . . . . . .
"""
PLANNERS = [name for name, solver in SOLVERS.items() if solver.info.online]


class Watched:
    """A world on a page."""

    def __init__(
        self, page: Page, shown: dict[str, Any], solver: str = "whca", rate: float = 0, **terms: Any
    ) -> None:
        self.page, self.width = page, shown["width"]
        page.send(do="live", id=1, instance=shown, solver=solver, rate=rate, seed=5, **terms)
        self.state = page.until("state")["state"]

    def do(self, name: str, /, **fields: Any) -> dict[str, Any]:
        """A command that is carried out; returns the state after it."""
        self.page.send(do=f"live-{name}", id=1, **fields)
        said = self.page.until("state")
        assert said["after"] == name
        self.state = said["state"]
        return self.state

    def refused(self, name: str, /, **fields: Any) -> str:
        """A command that is not; nothing may have changed, not even what can be undone."""
        before = self.save(), self.do("rate", rate=0)
        sentence = self.page.refused(do=f"live-{name}", id=1, **fields)
        assert (self.save(), self.do("rate", rate=0)) == before
        return sentence

    def step(self, turns: int = 1) -> dict[str, Any]:
        for _ in range(turns):
            self.page.send(do="live-step", id=1)
            turn = self.page.until("turn")["turn"]
        return turn

    def save(self) -> dict[str, Any]:
        self.page.send(do="live-save", id=1)
        return self.page.until("trace")["trace"]

    def python(self) -> str:
        self.page.send(do="live-python", id=1)
        return self.page.until("python")["python"]

    def place(self, agent: int) -> tuple[int, int]:
        return divmod(self.state["positions"][agent], self.width)


@pytest.fixture
def hall(studio) -> Iterator[Watched]:
    with studio.page() as page:
        yield Watched(page, instance(HALL))


def read(trace: dict[str, Any], folder: Path) -> ss.Trace:
    path = folder / "trace.json"
    path.write_text(json.dumps(trace))
    return io.read_trace(path)


def reproduced(code: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> ss.Trace:
    """The trace that exported code leads to."""
    monkeypatch.chdir(folder)
    namespace: dict[str, Any] = {}
    exec(compile(code, "exported.py", "exec"), namespace)
    assert (folder / "world.html").stat().st_size > 10_000
    trace = namespace["world"].trace
    assert isinstance(trace, ss.Trace)
    return trace


def judged(trace: ss.Trace) -> ss.Trace:
    report = ss.validate_trace(trace)
    assert report, report.violations[:3]
    assert ss.replay_trace(trace) == trace
    return trace


def test_a_world_begins_with_its_state(hall):
    state = hall.state
    assert (state["time"], state["done"], state["rate"], state["undo"], state["redo"]) == (0, False, 0, 0, 0)
    assert state["names"] == ["a", "b"]
    assert state["positions"] == [0, 1]
    walls = bits_from(Record({"walls": state["walls"]}, "", ""), "walls", 40)
    assert walls.sum() == 3
    assert walls[[11, 19, 27]].all()


def test_turns_come_at_their_rate_until_everybody_has_arrived(studio):
    with studio.page() as page:
        begin = time.monotonic()
        world = Watched(page, instance(HALL), rate=50)
        times = []
        turn: dict[str, Any] = {"done": False}
        while not turn["done"]:
            turn = page.until("turn")["turn"]
            times.append(turn["time"])
        assert times == list(range(1, len(times) + 1))
        assert time.monotonic() - begin > 0.8 * (len(times) - 1) / 50
        assert turn["positions"] == world.state["goals"]
        assert any(row[1] == ss.EventKind.ARRIVED for row in turn["events"])
        # Now that all have arrived it waits; a new goal sets it going again.
        world.do("send", agents=[0], cell=[0, 0])
        assert page.until("turn")["turn"]["time"] == len(times) + 1
        world.do("rate", rate=0)


@pytest.mark.parametrize("solver", PLANNERS)
def test_every_planner_copes_with_every_command(studio, tmp_path, monkeypatch, solver):
    """The saved trace is valid and replays; the exported code leads to the same trace, byte for byte."""
    with studio.page() as page:
        world = Watched(page, instance(HALL), solver=solver)
        world.step(2)
        world.do("block", cells=[[0, 3], [0, 4]])
        world.step(2)
        world.do("add", start=[4, 0], goal=[0, 7], name='late "one"')
        world.do("add", start=[4, 7])
        world.do("priority", agent=2, value=5)
        world.step(2)
        world.do("send", agents=[0, 1], cell=[2, 6])
        world.do("slow", agents=[1, 2], period=3)
        world.step(3)
        world.do("free", cells=[[2, 3], [0, 3]])
        world.do("planner", solver="lra" if solver != "lra" else "whca", params={})
        world.step(3)
        world.do("remove", agents=[3])
        world.do("send", agents=[0], cell=None)
        world.do("slow", agents=[1], period=1)
        world.do("planner", solver=solver)
        world.step(4)
        saved = judged(read(world.save(), tmp_path))
        assert len(saved.positions) == 17
        assert saved.names == ("a", "b", 'late "one"', "a3")
        assert reproduced(world.python(), tmp_path, monkeypatch) == saved
        assert not saved.count(ss.EventKind.RAISED)


def test_slow_agents_move_every_so_many_turns(hall, tmp_path):
    hall.do("slow", agents=[0], period=4)
    hall.step(12)
    assert hall.do("rate", rate=0)["periods"] == [4, 1]
    path = read(hall.save(), tmp_path).positions[:, 0]
    moved = [moment for moment in range(12) if path[moment] != path[moment + 1]]
    assert moved
    assert all(moment % 4 == 0 for moment in moved)


def test_tasks_are_dropped_and_done(hall, tmp_path, monkeypatch):
    """Who is free takes them; they can be undone, are in the trace, and in the exported code."""
    hall.step(12)  # both are at their goals
    assert hall.state["tasks"] == []
    state = hall.do("task", errands=[[0, 0], [4, 7]])
    assert (state["tasks"], state["work"]["open"]) == ([[0, -1, 0, 4 * 8 + 7]], 1)
    assert hall.do("undo")["tasks"] == []
    hall.do("redo")
    turn = hall.step()
    assert (turn["work"]["open"], turn["work"]["under_way"], turn["done"]) == (0, 1, False)
    taken = next(row[2] for row in turn["events"] if row[1] == ss.EventKind.TAKEN)
    assert hall.do("rate", rate=0)["tasks"] == [[0, taken, 0, 4 * 8 + 7]]
    turn = hall.step(30)
    assert (turn["work"]["finished"], turn["done"]) == (1, True)
    saved = judged(read(hall.save(), tmp_path))
    assert saved.count(ss.EventKind.FINISHED) == 1
    assert reproduced(hall.python(), tmp_path, monkeypatch) == saved


def test_random_tasks_from_the_start(studio, tmp_path, monkeypatch):
    """As many per agent as was asked for, for ever; the exported code has the same."""
    with studio.page() as page:
        world = Watched(page, instance(HALL), pool=2.5)
        world.step(15)
        before = world.step(40)["work"]
        work = world.step()["work"]
        assert work["open"] + work["under_way"] + work["finished"] - before["finished"] == 5
        assert work["finished"] > 3
        assert work["service"] > 1
        saved = judged(read(world.save(), tmp_path))
        assert reproduced(world.python(), tmp_path, monkeypatch) == saved
        page.send(do="live-why", id=1, agent=0)  # of the last turn: nobody knows what comes next
        assert page.until("why")["why"]["text"]


def test_random_tasks_at_a_rate_that_changes(hall, tmp_path, monkeypatch):
    """From then on, which can be undone; the exported code has the same streams at the same times."""
    hall.step(12)  # both are at their goals
    assert hall.do("supply", inflow=1.5)["supply"] == {"inflow": 1.5}
    hall.step(8)
    assert hall.do("supply")["supply"] == {}
    there = hall.step()["work"]
    total = there["open"] + there["under_way"] + there["finished"]
    later = hall.step(5)["work"]
    assert later["open"] + later["under_way"] + later["finished"] == total > 4
    assert hall.do("undo")["supply"] == {"inflow": 1.5}
    assert hall.do("undo")["supply"] == hall.do("rate", rate=0)["supply"] == {}
    hall.do("redo")
    hall.step(4)
    hall.do("supply", pool=2)
    hall.step(20)
    hall.page.send(do="live-why", id=1, agent=0)
    assert hall.page.until("why")["why"]["text"]
    saved = judged(read(hall.save(), tmp_path))
    assert saved.count(ss.EventKind.FINISHED) > 2
    assert reproduced(hall.python(), tmp_path, monkeypatch) == saved


def test_tasks_that_nobody_finishes_do_not_come_in_without_end(studio, tmp_path, monkeypatch):
    """Above the limit no more come in, and the page is told; what it did is in the exported code."""
    monkeypatch.setattr("sidestep.studio.live.MOST_TASKS", 30)
    problem = problem_from(Record(instance(HALL), "", ""))
    live = Live(problem, ss.WHCA(), 5, Supply("inflow", 10.0))
    while sum(live.state()["work"][name] for name in ("open", "under_way")) <= 30:
        live.turn(None)
    with pytest.raises(ss.InputError, match="more than 30 tasks are not finished: no more come in"):
        live.turn(None)
    assert live.state()["supply"] == {}
    live.turn(None)
    assert reproduced(live.code(), tmp_path, monkeypatch) == live.world.trace
    with pytest.raises(ss.InputError, match="30 tasks are not finished: wait"):
        live.command("task", Record({"errands": [[0, 0]]}, "", ""))


def test_tasks_that_make_no_sense_are_refused(hall):
    assert "from 1 to 8 errands" in hall.refused("task", errands=[])
    assert "from 1 to 8 errands" in hall.refused("task", errands=[[0, 0]] * 9)
    assert "9, 9" in hall.refused("task", errands=[[9, 9]])
    assert "pool or by inflow, not by both" in hall.refused("supply", pool=1, inflow=1)
    assert "from 0 to 100" in hall.refused("supply", inflow=101)
    assert "from 0 to 10" in hall.refused("supply", pool=-1)


def test_undo_and_redo(hall, tmp_path, monkeypatch):
    hall.step(2)
    before = hall.save()
    hall.do("block", cells=[[1, 2]])
    hall.do("add", start=[4, 4])
    hall.step(3)
    later = hall.save()
    assert hall.do("undo")["undo"] == 1
    assert hall.do("undo")["time"] == 2
    assert hall.save() == before
    assert hall.state["names"] == ["a", "b"]
    assert hall.state["redo"] == 2
    assert "nothing to undo" in hall.refused("undo")
    hall.do("redo")
    assert hall.do("redo")["names"] == ["a", "b", "a2"]
    assert hall.save() == later
    assert "nothing to redo" in hall.refused("redo")
    hall.do("undo")
    assert hall.do("priority", agent=0, value=1)["redo"] == 0  # another future
    hall.step(2)
    saved = judged(read(hall.save(), tmp_path))
    assert reproduced(hall.python(), tmp_path, monkeypatch) == saved


def test_after_undo_the_same_future_comes_again(hall):
    hall.do("priority", agent=0, value=0)
    hall.step(6)
    first = hall.save()
    hall.do("undo")
    hall.do("priority", agent=0, value=0)
    hall.step(6)
    assert hall.save() == first


@pytest.mark.parametrize(
    ("name", "fields", "part"),
    [
        ("block", {"cells": [[0, 5], [99, 0]]}, "outside the grid"),
        ("block", {"cells": [[0, 5, 1]]}, "two entries"),
        ("block", {"cells": "all"}, "a list"),
        ("block", {}, "is missing"),
        ("block", {"cells": [[0, 5]], "force": True}, "not a field"),
        ("free", {"cells": [[-1, 0]]}, "from 0"),
        ("send", {"agents": [0, 1], "cell": [1, 3]}, "blocked"),
        ("send", {"agents": [0, 0], "cell": [0, 0]}, "different agents"),
        ("send", {"agents": [], "cell": [0, 0]}, "at least one"),
        ("send", {"agents": [2], "cell": [0, 0]}, "from 0 to 1"),
        ("send", {"agents": [0], "cell": [3, 6]}, "already has the goal"),
        ("send", {"agents": [0], "cell": [0]}, "[row, col]"),
        ("add", {"start": [0, 1]}, "stands on"),
        ("add", {"start": [1, 3]}, "blocked"),
        ("add", {"start": [4, 4], "name": "a"}, "already an agent named"),
        ("add", {"start": [4, 4], "name": "x" * 101}, "at most 100 characters"),
        ("add", {"start": [4, 4], "goal": [3, 7]}, "already has the goal"),
        ("add", {"start": None}, "(row, col)"),
        ("remove", {"agents": [0, 7]}, "from 0 to 1"),
        ("priority", {"agent": 0, "value": 2**40}, "must be from"),
        ("priority", {"agent": 9, "value": 1}, "no agent"),
        ("planner", {"solver": "cbs"}, "turn by turn"),
        ("planner", {"solver": "whca", "params": {"window": -1}}, "window"),
        ("slow", {"agents": [0], "period": 0}, "from 1"),
        ("rate", {"rate": 10_000}, "from 0 to 200"),
        ("rate", {"rate": "fast"}, "a number"),
        ("why", {"agent": 17}, "from 0 to 1"),
        ("step", {"turns": 5}, "not a field"),
        ("explode", {}, "no command"),
        ("_turn", {}, "no command"),
    ],
)
def test_a_refused_command_changes_nothing(hall, name, fields, part):
    hall.step(1)
    hall.do("priority", agent=0, value=3)
    assert part in hall.refused(name, **fields)


def test_why_in_a_living_world(studio):
    """The answer is about what is really going to happen next, and looking ahead changes nothing."""
    with studio.page() as page:
        world = Watched(page, instance("a . B\n# . #\nb . A"))
        before = world.save()
        answers = []
        for agent in (0, 1):
            page.send(do="live-why", id=1, agent=agent)
            answers.append(page.until("why")["why"])
        assert world.save() == before
        assert all(answer["data"]["verified"] for answer in answers)
        turn = world.step()
        for agent, answer in enumerate(answers):
            goes = turn["positions"][agent] != before["starts"][agent]
            assert goes == (answer["data"]["doing"] != "waits"), answer


def test_why_not_and_why_first_in_a_living_world(studio):
    """As of the plan that is going to be carried out, and nothing changes by asking."""
    with studio.page() as page:
        world = Watched(page, instance("# a #\nb . B\n# A #"))
        before = world.save()
        page.send(do="live-why_not", id=1, agent=0, place=[1, 1], turns=1)
        not_there = page.until("why")["why"]
        page.send(do="live-why_first", id=1, agent=1, other=0)
        first = page.until("why")["why"]
        assert world.save() == before
        assert not_there["data"]["verified"]
        assert "(1, 1)" in not_there["text"]
        assert first["data"]["verified"]
        assert first["text"].startswith("b comes to (1, 1) at time 1, a at time 2.")
        world.step()
        page.send(do="live-why_not", id=1, agent=0, place=[2, 1], turns=1)
        assert page.until("why")["why"]["text"].endswith("Times are counted from now, which is time 1.")


def test_a_question_about_what_is_not_going_to_be_is_refused(studio):
    with studio.page() as page:
        Watched(page, instance("# a #\nb . B\n# A #"))
        ask = {"do": "live-why_not", "id": 1, "agent": 1, "place": [1, 1]}
        assert "everybody has arrived" in page.refused(**ask, turns=99)
        assert "(9, 9)" in page.refused(**{**ask, "place": [9, 9]}, turns=1)
        assert "two agents" in page.refused(do="live-why_first", id=1, agent=0, other=0)
        assert "from 0 to 1" in page.refused(do="live-why_first", id=1, agent=0, other=17)


def test_a_world_that_never_ends_has_no_why(studio):
    with studio.page() as page:
        Watched(page, instance("a b . B A"))
        assert "nobody can say why" in page.refused(do="live-why", id=1, agent=0)


def test_code_says_where_the_clock_had_a_part_in_it():
    live = Live(ss.Problem.from_text(HALL), ss.WHCA(), 0)
    live.turn(None)
    assert "clock" not in live.code()
    live.hurried = 3
    assert "# The clock ended 3 of the turns" in live.code()


@pytest.mark.parametrize(("rate", "seconds"), [(0.1, 1.0), (4, 0.25), (200, 0.1)])
def test_a_turn_may_take_no_longer_than_its_rate_leaves_it(rate, seconds, monkeypatch):
    given = []
    live = Live(ss.Problem.from_text(HALL), ss.WHCA(), 0)
    turn = live.turn
    monkeypatch.setattr(live, "turn", lambda stop, limit: given.append(limit) or turn(stop, limit))
    life = Life(SimpleNamespace(say=lambda **_: None, stop=None), live, rate)
    life._turn_in_time()
    assert given == [seconds]


def test_moments_to_go_back_to_are_bounded():
    live = Live(ss.Problem.from_text(HALL), ss.WHCA(), 0)
    for value in range(60):
        live.command("priority", Record({"agent": 0, "value": value}, "", ""))
    for _ in range(live.state()["undo"]):
        live.undo()
    assert live.world.priorities[0] == 9
    with pytest.raises(ss.InputError, match="nothing to undo"):
        live.undo()


def test_a_world_may_be_very_slow(studio):
    with studio.page() as page:
        world = Watched(page, instance(HALL), rate=1e-300)
        page.until("turn")  # the first comes at once
        assert world.do("rate", rate=0)["time"] == 1


def test_an_end_is_an_end(studio):
    with studio.page() as page:
        Watched(page, instance(HALL), rate=5)
        page.send(do="live-end", id=1)
        assert page.until("done")["id"] == 1
        assert "nothing under way" in page.refused(do="live-step", id=1)
    assert studio.quiet()


def test_a_world_ends_when_its_page_goes_away(studio):
    with studio.page() as page:
        Watched(page, instance(HALL), rate=5)
        assert len(studio.pool.working) == 1
    assert studio.quiet()


def test_two_worlds_on_one_page(studio):
    with studio.page() as page:
        for number in (1, 2):
            page.send(do="live", id=number, instance=instance(HALL), solver="whca", rate=0)
            assert page.until("state")["id"] == number
        page.send(do="live-step", id=2)
        assert page.until("turn")["id"] == 2


def test_a_world_in_which_nobody_is(studio):
    with studio.page() as page:
        world = Watched(page, instance("..\n.."))
        assert world.state["done"]
        world.do("add", start=[0, 0], goal=[1, 1])
        world.step(2)
        assert world.do("rate", rate=0)["done"]


def test_the_instance_is_what_the_world_begins_as(hall, tmp_path):
    problem = problem_from(Record(instance(HALL), "", ""))
    trace = read(hall.save(), tmp_path)
    assert trace.starts.tolist() == problem.starts.tolist()


@pytest.mark.slow
def test_500_agents_at_20_turns_a_second(studio):
    """With WHCA*, as fast as it goes: the CPU time of the worker between the first and the last turn."""
    with studio.page() as page:
        Watched(page, crowd(500, 64), rate=200)
        turns = [page.until("turn")["turn"]]
        (worker,) = studio.pool.working
        begin = cpu_seconds(worker.pid)
        while not turns[-1]["done"] and len(turns) < 201:
            turns.append(page.until("turn")["turn"])
        rate = (len(turns) - 1) / (cpu_seconds(worker.pid) - begin)
    print(f"{rate:.0f} turns a second")
    assert len(turns) > 50
    assert rate >= 20


def test_a_jam_is_told_and_is_the_reason_why(studio):
    with studio.page() as page:
        world = Watched(page, instance("B . a . . b . A"))
        for _ in range(60):
            events = world.step()["events"]
            if any(row[1] == ss.EventKind.STUCK for row in events):
                break
        else:
            pytest.fail("nobody was told of the jam")
        page.send(do="live-why", id=1, agent=0)
        answer = page.until("why")["why"]
        assert answer["text"].startswith("a waits at")
        assert answer["data"]["verified"]
