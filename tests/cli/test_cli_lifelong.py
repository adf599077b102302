"""`sidestep run`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import sidestep as ss
from sidestep import io

from .conftest import Sidestep


@pytest.fixture
def room(tmp_path: Path) -> Path:
    path = tmp_path / "room.map"
    io.write_map(ss.Grid(np.ones((8, 8), dtype=np.bool_)), path)
    return path


def test_a_run_is_reported_judged_and_kept(sidestep: Sidestep, room: Path, tmp_path: Path) -> None:
    trace, page = tmp_path / "trace.json", tmp_path / "run.html"
    given = ("run", str(room), "--agents", "10", "--tasks", "random", "--turns", "40", "--seed", "3")
    shown = sidestep(*given, "--planner", "pibt", "--json", "-o", str(trace), "--page", str(page))
    assert shown.code == 0, shown.err
    facts = json.loads(shown.out)
    assert (facts["agents"], facts["turns"], facts["valid"], facts["refused"]) == (10, 40, True, 0)
    assert facts["tasks_per_turn"] == round(facts["tasks_finished"] / 40, 3) > 0
    assert "Work that never ends" in page.read_text()
    kept = io.read_trace(trace)
    assert kept.count(ss.EventKind.FINISHED) == facts["tasks_finished"]
    again = json.loads(sidestep(*given, "--planner", "pibt", "--json").out)
    assert again["tasks_finished"] == facts["tasks_finished"]
    assert "tasks per turn" in sidestep(*given, "--window", "8", "--errands", "2").out


def test_robots_that_turn_are_planned_for_by_epibt(sidestep: Sidestep, room: Path, tmp_path: Path) -> None:
    trace = tmp_path / "trace.json"
    given = ("run", str(room), "--agents", "10", "--turns", "40", "--turning", "--json")
    shown = sidestep(*given, "--effort", "1", "-o", str(trace))
    assert shown.code == 0, shown.err
    facts = json.loads(shown.out)
    assert (facts["planner"], facts["valid"], facts["refused"]) == ("epibt", True, 0)
    assert facts["tasks_finished"] > 10
    kept = io.read_trace(trace)
    assert kept.facings.tolist() == [1] * 10
    assert kept.count(ss.EventKind.TURNED) > 0
    refused = sidestep(*given, "--planner", "pibt")
    assert refused.code == 2
    assert "facing" in refused.err


def test_fewer_agents_than_there_are_may_have_tasks(sidestep: Sidestep, room: Path) -> None:
    given = ("run", str(room), "--agents", "60", "--turns", "30", "--planner", "pibt", "--json")
    found = [json.loads(sidestep(*given, "--active", active).out) for active in ("60", "auto", "42", "all")]
    finished = [facts["tasks_finished"] for facts in found]
    assert finished[0] == finished[3] != finished[1] == finished[2]  # 42 of 64 places
    assert all(facts["valid"] for facts in found)


def test_tasks_of_a_league_file_come_in_order_and_end(sidestep: Sidestep, room: Path, tmp_path: Path) -> None:
    tasks = tmp_path / "room.tasks"
    tasks.write_text("# version for LoRR 2024\n3\n0,63\n7\n56,0,7\n")
    shown = sidestep("run", str(room), "--agents", "2", "--tasks", str(tasks), "--turns", "200", "--json")
    assert json.loads(shown.out)["tasks_finished"] == 3


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "say how many with --agents"),
        (("--agents", "99"), "do not fit"),
        (("--agents", "2", "--pool", "1", "--rate", "1"), "not both"),
        (("--agents", "2", "--planner", "cbs"), "cannot plan turn by turn"),
        (("--agents", "2", "--errands", "0"), "errands must be"),
        (("--agents", "2", "--active", "some"), "active must be"),
        (("--agents", "2", "--active", "0"), "active must be"),
        (("--agents", "2", "--tasks", "nowhere.tasks"), "nowhere.tasks"),
    ],
)
def test_what_cannot_be_run_is_named(
    sidestep: Sidestep, room: Path, options: tuple[str, ...], says: str
) -> None:
    refused = sidestep("run", str(room), *options)
    assert refused.code == 2
    assert says in refused.err


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "begins with the number"),
        ("2\n1\n", "says that it has 2 tasks, and has 1"),
        ("1\n64\n", "'64' is no cell"),
        ("1\n3,x\n", "'x' is no cell"),
    ],
)
def test_a_broken_task_file_is_named(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "broken.tasks"
    path.write_text(text)
    with pytest.raises(ss.FormatError, match=says):
        io.read_tasks(path, ss.Grid(np.ones((8, 8), dtype=np.bool_)))
