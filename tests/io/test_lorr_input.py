"""Problems of the League of Robot Runners: a JSON file, and a map, starts and tasks beside it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sidestep as ss
from sidestep import io

NEIGHBOURS = Path(__file__).parent / "neighbours"
PROBLEM = NEIGHBOURS / "league-problem.json"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A copy of the problem, to be broken."""
    for path in NEIGHBOURS.glob("league-problem.*"):
        (tmp_path / path.name).write_text(path.read_text())
    return tmp_path / PROBLEM.name


def change(path: Path, **fields: Any) -> None:
    said = {**json.loads(path.read_text()), **fields}
    path.write_text(json.dumps({name: value for name, value in said.items() if value is not None}))


def test_map_starts_tasks_and_the_rest_are_read() -> None:
    assert io.detect(PROBLEM) == "lorr-input"
    read = io.read_lorr_input(PROBLEM)
    assert str(read.problem.space) == "......\n.###..\n......\n......"
    assert [agent.start for agent in read.problem.agents] == [(0, 0), (0, 5), (3, 0)]
    assert [agent.goal for agent in read.problem.agents] == [None] * 3
    assert read.problem.rules.shared_goals
    assert [task.errands for task in read.tasks[:3]] == [
        ((2, 1), (2, 4)),
        ((2, 4),),
        ((0, 4), (0, 0), (3, 5)),
    ]
    assert (len(read.tasks), read.pool) == (5, 1.5)
    assert dict(read.rest) == {"version": "2026 LoRR", "agentSize": 1.0, "agentCounter": 10}


def test_a_world_finishes_what_was_read() -> None:
    read = io.read_lorr_input(PROBLEM)
    world = ss.World(read.problem, ss.PIBT(), tasks=ss.Stream.listed(read.tasks, pool=read.pool))
    while world.time < 200 and world.tasks.finished < len(read.tasks):
        world.step()
    assert world.tasks.finished == len(read.tasks)
    assert ss.validate_trace(world.trace)


@pytest.mark.parametrize("strategy", ["roundrobin", "roundrobin_fixed", "roundrobin-fixed"])
def test_a_round_robin_of_2023_says_whose_a_task_is(files: Path, strategy: str) -> None:
    change(files, taskAssignmentStrategy=strategy, agentFile=None, robotFile="league-problem.agents")
    assert [task.agents for task in io.read_lorr_input(files).tasks] == [(0,), (1,), (2,), (0,), (1,)]


@pytest.mark.parametrize("strategy", [None, "greedy", "roundrobin"])
def test_what_is_written_is_read_again(files: Path, tmp_path: Path, strategy: str | None) -> None:
    change(files, taskAssignmentStrategy=strategy)
    read = io.read_lorr_input(files)
    io.write_lorr_input(read, tmp_path / "again.json")
    assert sorted(path.name for path in tmp_path.glob("again.*")) == [
        "again.agents",
        "again.json",
        "again.map",
        "again.tasks",
    ]
    assert io.read_lorr_input(tmp_path / "again.json") == read


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"teamSize": 5}, "teamSize is 5, but there are 4 starts"),
        ({"teamSize": "3"}, "teamSize must be a whole number"),
        ({"numTasksReveal": 0}, "numTasksReveal must be above 0"),
        ({"taskAssignmentStrategy": "none"}, "must be greedy or roundrobin"),
        ({"agentFile": None}, "agentFile is missing"),
        ({"mapFile": "nowhere.map"}, "nowhere.map"),
        ({"agentFile": "league-problem.tasks"}, "an agent starts in one cell"),
        ({"taskFile": "league-problem.map"}, "begins with the number of its tasks"),
    ],
)
def test_a_broken_problem_is_named(files: Path, fields: dict[str, Any], says: str) -> None:
    change(files, **fields)
    with pytest.raises(ss.InputError, match=says):
        io.read_lorr_input(files)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("4\n0\n5\n18\n", "says that it has 4 agents, and has 3"),
        ("3\n0\n5\n7\n", r"league-problem.agents:4: \(1, 1\) is a wall"),
        ("3\n0\n5\n24\n", "'24' is no cell of the map"),
        ("3\n0\n5\n-1\n", "'-1' is no cell of the map"),
        ("3\n0\n5\n" + "9" * 5000, "is no cell of the map"),
        ("9" * 5000 + "\n0\n", "says that it has 9"),
        ("3\n0\n5\n5\n", "same"),
    ],
)
def test_a_broken_file_of_starts_is_named(files: Path, text: str, says: str) -> None:
    files.with_suffix(".agents").write_text(text)
    with pytest.raises(ss.InputError, match=says):
        io.read_lorr_input(files)


def test_a_text_from_elsewhere_names_no_files() -> None:
    with pytest.raises(ss.FormatError, match="read both from a folder"):
        io.read_lorr_input(io.Document(PROBLEM.read_text()))


def test_what_the_league_cannot_say_is_not_written(tmp_path: Path) -> None:
    grid = ss.Grid.from_text("...\n...")
    read = io.read_lorr_input(PROBLEM)
    some = io.Workload(read.problem, (ss.Task([(0, 0)], agents=(1,)),))
    large = ss.Problem.from_agents(grid, [ss.Agent((0, 0), size=2)])
    on_graph = ss.Problem(ss.Graph(2, [(0, 1)]), [0], [None])
    for workload, says in [
        (some, "one agent after another"),
        (io.Workload(large, ()), "one cell"),
        (io.Workload(on_graph, ()), "a Grid, not a Graph"),
    ]:
        with pytest.raises(ss.InputError, match=says):
            io.write_lorr_input(workload, tmp_path / "never.json")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ss.InputError, match="pool must be a number above 0"):
        io.Workload(read.problem, (), pool=0)


def test_goals_become_tasks_of_their_agents() -> None:
    problem = ss.Problem.from_text("a.B\nb.A")
    workload = io.Workload.from_problem(problem)
    assert [(task.errands, task.agents) for task in workload.tasks] == [(((1, 2),), (0,)), (((0, 2),), (1,))]
    assert [agent.start for agent in workload.problem.agents] == [(0, 0), (1, 0)]
    with pytest.raises(ss.InputError, match="agent a has no goal"):
        io.Workload.from_problem(ss.Problem.from_text("a."))


def test_agents_that_turn_face_east_at_first(files: Path, tmp_path: Path) -> None:
    work = io.read_lorr_input(files, turning=True)
    assert {agent.facing for agent in work.problem.agents} == {"E"}
    io.write_lorr_input(work, tmp_path / "again.json")
    assert io.read_lorr_input(tmp_path / "again.json", turning=True).problem == work.problem
    west = [replace(agent, facing="W") for agent in work.problem.agents]
    turned = replace(work, problem=ss.Problem.from_agents(work.problem.space, west, rules=work.problem.rules))
    with pytest.raises(ss.InputError, match="face east"):
        io.write_lorr_input(turned, tmp_path / "west.json")
