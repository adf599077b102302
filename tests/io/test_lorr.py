"""Runs of the League of Robot Runners: headings, tasks of two generations, and files for PlanViz."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidestep import (
    Agent,
    EventKind,
    FormatError,
    Graph,
    Grid,
    InputError,
    Plan,
    Problem,
    Rules,
    Trace,
    ViolationKind,
    validate,
    validate_trace,
)
from sidestep.io import detect, read_lorr, read_trace, write_planviz, write_trace
from sidestep.io.lorr import dumps_planviz
from tests.sizing import examples

GRID = Grid.from_text("....\n.@..\n....")

# Two agents that turn. The first does task 0, then 2; the second is on its way to task 1.
RUN_2023: dict[str, Any] = {
    "actionModel": "MAPF_T",
    "AllValid": "Yes",
    "teamSize": 2,
    "start": [[0, 0, "E"], [2, 3, "N"]],
    "numTaskFinished": 2,
    "sumOfCost": 10,
    "makespan": 5,
    "actualPaths": ["F,F,R,F,W", "C,F,W,F,C"],
    "plannerPaths": ["F,F,R,F,T", "C,F,T,F,C"],
    "plannerTimes": [0.1, 0.1, 0.1, 0.1, 0.1],
    "errors": [],
    "events": [
        [[0, 0, "assigned"], [0, 2, "finished"], [2, 2, "assigned"], [2, 4, "finished"]],
        [[1, 0, "assigned"]],
    ],
    "tasks": [[0, 0, 2], [1, 2, 0], [2, 1, 2]],
}

# The same moves, with tasks of several cells: the first agent opens task 3 at time 2 and closes it at 4.
RUN_2024: dict[str, Any] = {
    **{key: RUN_2023[key] for key in ("actionModel", "teamSize", "start", "actualPaths")},
    "version": "2024 LoRR",
    "actualSchedule": ["0:3,5:-1", "1:4"],
    "plannerSchedule": ["0:3,5:-1", "1:4"],
    "scheduleErrors": [],
    "events": [[2, 0, 3, 1], [4, 0, 3, 2], [4, 1, 4, 1]],
    "tasks": [[3, 0, [0, 2, 1, 2]], [4, 0, [2, 1, 2, 0]]],
}

POSITIONS = [[0, 11], [1, 11], [2, 10], [2, 10], [6, 9], [6, 9]]


def put(folder: Path, document: Any) -> Path:
    path = folder / "run.json"
    path.write_text(json.dumps(document) if not isinstance(document, str) else document)
    return path


def events_of(trace: Trace) -> list[tuple[int, str, int, int]]:
    """All but turns."""
    rows = [(time, EventKind(kind).name, agent, value) for time, kind, agent, value in trace.events.tolist()]
    return [row for row in rows if row[1] != "TURNED"]


def violations(trace: Trace) -> list[str]:
    return [str(violation.kind) for violation in validate_trace(trace).violations]


def run(model: str, starts: list[list[Any]], *paths: str) -> dict[str, Any]:
    return {"actionModel": model, "teamSize": len(paths), "start": starts, "actualPaths": list(paths)}


def test_a_run_of_2023(tmp_path: Path) -> None:
    """A task that is finished and the next that is assigned at once: an arrival, and then a new goal."""
    path = put(tmp_path, RUN_2023)
    assert detect(path) == "lorr"
    trace = read_lorr(path, GRID)
    assert (trace.space, trace.rules, trace.names, trace.start_time) == (GRID, Rules(), ("a0", "a1"), 0)
    assert trace.positions.tolist() == POSITIONS
    assert trace.starts.tolist() == POSITIONS[0]
    assert trace.goals.tolist() == [2, 8]
    assert events_of(trace) == [(2, "ARRIVED", 0, 2), (2, "GOAL", 0, 6), (4, "ARRIVED", 0, 6)]
    assert validate_trace(trace)
    for array in (trace.starts, trace.goals, trace.priorities, trace.positions, trace.events):
        assert not array.flags.writeable


def test_a_run_of_2024(tmp_path: Path) -> None:
    """The cells of a task are goals one after another; task -1 is none."""
    trace = read_lorr(put(tmp_path, RUN_2024), GRID)
    assert trace.positions.tolist() == POSITIONS
    assert trace.goals.tolist() == [2, -1]
    assert events_of(trace) == [
        (1, "GOAL", 1, 9),
        (2, "ARRIVED", 0, 2),
        (2, "GOAL", 0, 6),
        (4, "ARRIVED", 0, 6),
        (4, "ARRIVED", 1, 9),
        (4, "GOAL", 1, 8),
        (5, "GOAL", 0, -1),
    ]
    assert validate_trace(trace)


def test_a_task_that_is_assigned_where_its_agent_stands(tmp_path: Path) -> None:
    """Its first cell is a goal for no time at all: a trace has no word for it, and the run is right."""
    trace = read_lorr(
        put(tmp_path, RUN_2024 | {"actualSchedule": ["2:3", ""], "events": [[2, 0, 3, 1]]}), GRID
    )
    assert events_of(trace) == [(2, "GOAL", 0, 2), (2, "GOAL", 0, 6)]
    assert validate_trace(trace)


def test_a_task_that_another_agent_goes_on_with(tmp_path: Path) -> None:
    """Its next goal is the first cell that is not done."""
    schedule = {"actualSchedule": ["0:3", "3:3"], "events": [[2, 0, 3, 1]]}
    trace = read_lorr(put(tmp_path, RUN_2024 | schedule), GRID)
    assert events_of(trace)[-1] == (3, "GOAL", 1, 6)


def test_runs_that_say_nothing_of_tasks(tmp_path: Path) -> None:
    trace = read_lorr(
        put(tmp_path, run("MAPF_T", [[0, 0, "E"], [2, 3, "N"]], "F,F,R,F,W", "C,F,W,F,C")), GRID
    )
    assert trace.positions.tolist() == POSITIONS
    assert (trace.goals.tolist(), events_of(trace)) == ([-1, -1], [])
    assert validate_trace(trace)


def test_headings(tmp_path: Path) -> None:
    """R turns clockwise, C counter-clockwise; a turn takes a step."""
    around = "F,R,F,R,F,R,F,R"
    for heading, cells in (("E", [0, 1, 1, 3, 3, 2, 2, 0, 0]), ("N", [2, 0, 0, 1, 1, 3, 3, 2, 2])):
        start = [*divmod(cells[0], 2), heading]
        trace = read_lorr(put(tmp_path, run("MAPF_T", [start], around)), Grid.from_text("..\n.."))
        assert trace.positions[:, 0].tolist() == cells
    back = read_lorr(put(tmp_path, run("MAPF_T", [[0, 0, "S"]], "C,F,C,C,F,T")), Grid.from_text("..\n.."))
    assert back.positions[:, 0].tolist() == [0, 0, 1, 1, 1, 0, 0]
    rows = back.facings_by_time()
    assert rows is not None
    assert rows[:, 0].tolist() == [2, 1, 1, 0, 3, 3, 3]
    assert validate_trace(back)


@pytest.mark.parametrize("actions", ["F,R,C,W,R,F", "R,R,F", "C,C,C,F,F,W", ""])
def test_plans_of_agents_that_turn_come_back_action_by_action(tmp_path: Path, actions: str) -> None:
    """Written for PlanViz and read again, in the model MAPF_T."""
    trace = read_lorr(put(tmp_path, run("MAPF_T", [[1, 1, "E"]], actions)), Grid(np.ones((4, 4), dtype=bool)))
    robot = Agent((1, 1), trace.space.place(int(trace.positions[-1, 0])), facing="E")
    problem = Problem.from_agents(trace.space, [robot])
    plan = Plan(problem, trace.positions, facings=trace.facings_by_time())
    assert validate(problem, plan)
    written = json.loads(dumps_planviz(plan))
    assert (written["actionModel"], written["start"]) == ("MAPF_T", [[1, 1, "E"]])
    assert written["actualPaths"] == [actions]
    assert read_lorr(put(tmp_path, written), trace.space).positions.tolist() == trace.positions.tolist()
    with pytest.raises(InputError, match="leave out ticks"):
        dumps_planviz(plan, ticks=10)


def test_a_plan_that_swerves_cannot_be_written() -> None:
    problem = Problem.from_agents(GRID, [Agent((0, 0), (0, 1), facing="S")])
    with pytest.raises(InputError, match="at time 0"):
        dumps_planviz(Plan(problem, [[0], [1]], facings=[[2], [2]]))


def test_up_and_down(tmp_path: Path) -> None:
    """PlanViz reads U as row+1; other programs may have meant something else."""
    path = put(tmp_path, run("MAPF", [[1, 0, "N/A"]], "U,R,L,D,D,W,T"))
    assert read_lorr(path, GRID).positions[:, 0].tolist() == [4, 8, 9, 8, 4, 0, 0, 0]
    assert read_lorr(path, GRID, u="row-1").positions[:, 0].tolist() == [4, 0, 1, 0, 4, 8, 8, 8]
    with pytest.raises(InputError, match="u must be"):
        read_lorr(path, GRID, u="up")  # type: ignore[arg-type]


@pytest.mark.parametrize("paths", [["F,F,R,F,W,", "C,F,W,F,C"], ["F, F, R, F", " C,F,W,F,C\n"]])
def test_variations_that_are_fine(tmp_path: Path, paths: list[str]) -> None:
    """Commas at the end, blanks, and shorter paths: an agent stays where its actions end."""
    trace = read_lorr(put(tmp_path, RUN_2023 | {"actualPaths": paths}), GRID)
    assert trace.positions.tolist() == POSITIONS


def test_agents_that_take_no_part(tmp_path: Path) -> None:
    """Converters leave all agents of the scenario in `start`: the team size counts."""
    more = {"start": [*RUN_2023["start"], [0, 3, "N/A"]]}
    assert read_lorr(put(tmp_path, RUN_2023 | more), GRID).positions.tolist() == POSITIONS
    without = {key: value for key, value in RUN_2023.items() if key != "teamSize"}
    assert read_lorr(put(tmp_path, without), GRID).positions.tolist() == POSITIONS


@pytest.mark.parametrize(
    ("kind", "document"),
    [
        ("vertex", run("MAPF_T", [[0, 0, "E"], [0, 2, "W"]], "F,F", "F,F")),
        ("vertex", run("MAPF", [[0, 0, "N/A"], [0, 2, "N/A"]], "R,R", "L,L")),
        ("swap", run("MAPF_T", [[0, 0, "E"], [0, 1, "W"]], "F", "F")),
        ("swap", run("MAPF", [[0, 0, "N/A"], [0, 1, "N/A"]], "R", "L")),
        ("wall", run("MAPF_T", [[1, 0, "E"]], "F,F")),
        ("wall", run("MAPF", [[1, 0, "N/A"]], "R,R")),
        ("event", RUN_2023 | {"events": [[[0, 0, "assigned"], [0, 3, "finished"]], [[1, 5, "finished"]]]}),
        ("event", RUN_2024 | {"events": [[3, 1, 4, 1]]}),
        ("event", RUN_2024 | {"events": [[6, 0, 3, 2]]}),
    ],
)
def test_what_is_wrong_is_read_and_judged(tmp_path: Path, kind: str, document: dict[str, Any]) -> None:
    """Also a task that is said to be finished where its agent is not there."""
    assert violations(read_lorr(put(tmp_path, document), GRID)) == [kind]


def test_rules_are_the_callers(tmp_path: Path) -> None:
    path = put(tmp_path, run("MAPF", [[0, 0, "N/A"], [0, 1, "N/A"]], "R", "R"))
    assert violations(read_lorr(path, GRID)) == []
    assert violations(read_lorr(path, GRID, rules=Rules(following=False))) == ["following"]


def test_a_run_becomes_a_trace_file(tmp_path: Path) -> None:
    trace = read_lorr(put(tmp_path, RUN_2024), GRID)
    write_trace(trace, tmp_path / "trace.json")
    assert read_trace(tmp_path / "trace.json") == trace


DELETE = object()


@pytest.mark.parametrize(
    ("base", "name", "value", "says"),
    [
        (RUN_2023, "actionModel", "MAPF_D", "actionModel must be MAPF or MAPF_T, not 'MAPF_D'"),
        (RUN_2023, "actionModel", 3, "actionModel must be a string, not a number"),
        (RUN_2023, "teamSize", -1, "teamSize must be from 0"),
        (RUN_2023, "teamSize", 3, "start must have one entry per agent, 3, not 2"),
        (RUN_2023, "start", DELETE, "start is missing"),
        (RUN_2023, "start", [[0, 0, "E"], 3], "start[1] must be [row, col, heading]"),
        (RUN_2023, "start", [[0, 0, "E"], [0, "1", "E"]], "start[1] must be a whole number, not a string"),
        (RUN_2023, "start", [[0, 0, "E"], [3, 0, "E"]], "start[1] is no cell: row 3, column 0 is outside"),
        (RUN_2023, "start", [[0, 0, "N/A"], [0, 1, "E"]], "start[0] must have a heading E, S, W or N"),
        (RUN_2023, "start", [[0, 0, ""], [0, 1, "E"]], "start[0] must have a heading E, S, W or N"),
        (RUN_2023, "start", [[0, 0], [0, 1, "E"]], "start[0] must have a heading E, S, W or N"),
        (RUN_2023, "actualPaths", DELETE, "actualPaths is missing"),
        (RUN_2023, "actualPaths", ["F"], "actualPaths must have one entry per agent, 2, not 1"),
        (RUN_2023, "actualPaths", ["F", 1], "actualPaths[1] must be actions of MAPF_T, F, R, C, W, T, with"),
        (RUN_2023, "actualPaths", ["F", "U"], "actualPaths[1] must be actions of MAPF_T"),
        (RUN_2023, "actualPaths", ["F", "F,,F"], "actualPaths[1] must be actions of MAPF_T"),
        (RUN_2023, "actualPaths", ["F", "[(0,0,0,0,0):(F 10)]"], "actualPaths[0] must be segments like"),
        (RUN_2023, "makespanTicks", 50, "actualPaths[0] must be segments like"),
        (RUN_2023, "actualPaths", ["C,F", "F"], "agent a0 leaves the map at time 2: row -1, column 0"),
        (RUN_2023, "tasks", DELETE, "events[0][0] is about task 0, which is not among the tasks"),
        (RUN_2023, "tasks", [[0, 0]], "tasks[0] must be [id, row, col] or [id, release, [row, col, …]]"),
        (RUN_2023, "tasks", [[0, 0, 4]], "tasks[0] is no cell: row 0, column 4 is outside"),
        (RUN_2023, "tasks", [[0, 0, 2], [0, 0, 2]], "tasks[1] is task 0, which is there before"),
        (RUN_2023, "tasks", [[0.5, 0, 2]], "tasks[0][0] must be a whole number"),
        (RUN_2023, "events", {}, "events must be a list, not an object"),
        (RUN_2023, "events", [7], "events[0] must be a list of events"),
        (RUN_2023, "events", [[[0, 0, "begun"]]], 'events[0][0] must be [task, time, "assigned"]'),
        (RUN_2023, "events", [[[0, -1, "assigned"]]], "events[0][0] must be from 0"),
        (RUN_2023, "events", [[[9, 0, "assigned"]]], "events[0][0] is about task 9"),
        (RUN_2024, "events", [[2, 0, 3]], "events[0] must be [time, agent, task, cells done]"),
        (RUN_2024, "events", [[2, 2, 3, 1]], "events[0][1] must be from 0 to 1"),
        (RUN_2024, "events", [[2, 0, 3, 3]], "events[0][3] must be from 1 to 2"),
        (RUN_2024, "events", [[2, 0, 5, 1]], "events[0] is about task 5"),
        (RUN_2024, "events", [[2, 0, 3, 1], "x"], "events[1] must be a list, not a string"),
        (RUN_2024, "tasks", [[3, 0, [0, 2, 1]]], "tasks[0] must have a row and a column for each"),
        (RUN_2024, "tasks", [[3, 0, []]], "tasks[0] must have a row and a column for each"),
        (RUN_2024, "actualSchedule", ["0:"], "actualSchedule[0] must be times and tasks like 0:3,15:7"),
        (RUN_2024, "actualSchedule", [3], "actualSchedule[0] must be times and tasks like 0:3,15:7"),
        (RUN_2024, "actualSchedule", ["0:7"], "actualSchedule[0] is about task 7"),
    ],
)
def test_a_wrong_field_is_named(
    tmp_path: Path, base: dict[str, Any], name: str, value: Any, says: str
) -> None:
    document = copy.deepcopy(base)
    if value is DELETE:
        del document[name]
    else:
        document[name] = value
    path = put(tmp_path, document)
    with pytest.raises(FormatError) as caught:
        read_lorr(path, GRID)
    assert str(caught.value).startswith(f"{path}: {says}")


def test_wrong_arguments(tmp_path: Path) -> None:
    path = put(tmp_path, RUN_2023)
    with pytest.raises(InputError, match="not a Graph"):
        read_lorr(path, Graph(2, [(0, 1)]))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="rules must be Rules"):
        read_lorr(path, GRID, rules=3)  # type: ignore[arg-type]
    with pytest.raises(FormatError, match="the file must be an object, not a list"):
        read_lorr(put(tmp_path, "[]"), GRID)


# PlanViz

PLAN = Plan(
    Problem.from_agents(
        GRID,
        Problem(GRID, [(1, 0), (0, 3), (2, 2)], [(0, 1), (2, 3), None], names=["x", "y", "idle"]).agents,
    ),
    [[4, 3, 10], [0, 3, 9], [1, 7, 10]],
)
GOLDEN = """\
{
 "actionModel": "MAPF",
 "version": "2023 LoRR",
 "teamSize": 3,
 "start": [[1, 0, "N/A"], [0, 3, "N/A"], [2, 2, "N/A"]],
 "numTaskFinished": 1,
 "sumOfCost": 5,
 "makespan": 2,
 "actualPaths": [
  "D,R",
  "W,U",
  "L,R"
 ],
 "plannerPaths": [
  "D,R",
  "W,U",
  "L,R"
 ],
 "plannerTimes": [],
 "errors": [],
 "events": [[[0, 0, "assigned"], [0, 2, "finished"]], [[1, 0, "assigned"]], []],
 "tasks": [[0, 0, 1], [1, 2, 3]]
}
"""


def test_a_golden_file_for_planviz(tmp_path: Path) -> None:
    """U is a step down the map, as PlanViz reads it; the second agent does not get to its goal."""
    path = tmp_path / "planviz.json"
    write_planviz(PLAN, path)
    assert path.read_text() == GOLDEN
    assert detect(path) == "lorr"
    write_planviz(PLAN, path, u="row-1")
    assert path.read_text() == GOLDEN.replace("D,R", "U,R").replace("W,U", "W,D")


def test_a_file_for_planviz_comes_back(tmp_path: Path) -> None:
    write_planviz(PLAN, tmp_path / "planviz.json")
    trace = read_lorr(tmp_path / "planviz.json", GRID)
    assert trace.positions.tolist() == PLAN.vertices.tolist()
    assert trace.goals.tolist() == PLAN.problem.goals.tolist()
    assert events_of(trace) == [(2, "ARRIVED", 0, 1)]
    assert validate_trace(trace)


@settings(max_examples=examples(60), deadline=None)
@given(
    data=st.data(),
    agents=st.integers(1, 4),
    steps=st.integers(0, 6),
    u=st.sampled_from(["row+1", "row-1"]),
)
def test_plans_round_trip(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, agents: int, steps: int, u: Any
) -> None:
    """Whatever agents do on their way, into walls and each other: the positions and goals come back."""
    open_cells = [(vertex // 4, vertex % 4) for vertex in range(12) if vertex != 5]
    starts, goals = (data.draw(st.permutations(open_cells))[:agents] for _ in range(2))
    rows = [[row * 4 + col for row, col in starts]]
    for _ in range(steps):
        rows.append([data.draw(st.sampled_from(beside(vertex))) for vertex in rows[-1]])
    plan = Plan(Problem(GRID, starts, goals), rows)
    path = tmp_path_factory.getbasetemp() / "planviz.json"
    write_planviz(plan, path, u=u)
    trace = read_lorr(path, GRID, u=u)
    assert trace.positions.tolist() == plan.vertices.tolist()
    assert trace.goals.tolist() == plan.problem.goals.tolist()
    assert ViolationKind.EVENT not in {violation.kind for violation in validate_trace(trace).violations}


def beside(vertex: int) -> list[int]:
    row, col = divmod(vertex, 4)
    cells = [(row, col), (row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    return [r * 4 + c for r, c in cells if 0 <= r < 3 and 0 <= c < 4]


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (Plan(Problem.from_text("aA"), [[0], [1], [-1]]), "an agent is not there at some time"),
        (Plan(Problem(Graph(2, [(0, 1)]), [0], [1]), [[0], [1]]), "not a Graph"),
        (
            Plan(Problem.from_text("b.\n.B", 8), [[0], [3]]),
            r"agent b moves from \(0, 0\) to \(1, 1\) at time 0, which a file for PlanViz cannot say",
        ),
        (
            Plan(Problem.from_text("b.B"), [[0], [0], [2]]),
            r"agent b moves from \(0, 0\) to \(0, 2\) at time 1",
        ),
    ],
)
def test_what_planviz_cannot_be_told(tmp_path: Path, plan: Plan, says: str) -> None:
    with pytest.raises(InputError, match=says):
        write_planviz(plan, tmp_path / "out.json")
    with pytest.raises(InputError, match="u must be"):
        write_planviz(PLAN, tmp_path / "out.json", u="down")  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())


# Anything


@settings(max_examples=examples(100), deadline=None)
@given(data=st.data(), newer=st.booleans())
def test_any_value_anywhere_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, newer: bool
) -> None:
    document = copy.deepcopy(RUN_2024 if newer else RUN_2023)
    for _ in range(data.draw(st.integers(1, 3))):
        replace_somewhere(document, data)
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(document))
    check(path)


@settings(max_examples=examples(100), deadline=None)
@given(text=st.text(), cut=st.integers(0, 200))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str, cut: int) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    good = json.dumps(RUN_2023)
    for whole in (text, "{" + text, good[:cut] + text + good[cut:]):
        path.write_bytes(whole.encode("utf-8", "surrogatepass"))
        check(path)


def check(path: Path) -> None:
    try:
        outcome: Trace | str = read_lorr(path, GRID)
    except InputError as error:
        outcome = str(error)
    if isinstance(outcome, Trace):
        validate_trace(outcome)
    else:
        assert outcome.startswith(str(path))


def replace_somewhere(value: Any, data: st.DataObject) -> None:
    anything = st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.sampled_from(["", "E", "F,R", "0:3", "x"]),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=6,
    )
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = data.draw(st.sampled_from(keys))
    if isinstance(value[key], (dict, list)) and value[key] and data.draw(st.integers(0, 3)):
        replace_somewhere(value[key], data)
    else:
        value[key] = data.draw(anything)
