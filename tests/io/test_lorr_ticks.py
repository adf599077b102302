"""Runs of the League since 2026, in ticks."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from sidestep import EventKind, FormatError, Grid, InputError, Plan, Problem, Trace, validate_trace
from sidestep.io import Document, detect, read_lorr
from sidestep.io.lorr import _goals_and_events, _Word, dumps_planviz

GRID = Grid.from_text("....\n.@..\n....")

# F, F, R, F: the first agent is held up for two ticks in the middle of its last move. C, F: the second.
RUN: dict[str, Any] = {
    "actionModel": "MAPF_T",
    "version": "2026 LoRR",
    "teamSize": 2,
    "start": [[0, 0, "E"], [2, 3, "N"]],
    "agentMaxCounter": 3,
    "makespan": 14,
    "outputSegmentSize": 9,
    "delayIntervals": [[[10, 11]], []],
    "actualPaths": [
        "[(0,0,0,0,0):(F 6,R 3)][(9,0,2,1,0):(F 1,W 2,F 2)]",
        "[(0,2,3,3,0):(C 3,F 3, W 8)]",
    ],
    "actualSchedule": ["0:3,14:-1", "0:4"],
    "events": [[6, 0, 3, 1], [14, 0, 3, 2], [6, 1, 4, 1]],
    "tasks": [[3, 0, [0, 2, 1, 2]], [4, 0, [2, 2]]],
}


def read(**fields: Any) -> Trace:
    return read_lorr(Document(json.dumps(RUN | fields), "mine"), GRID)


def test_a_move_is_over_after_its_ticks_and_a_delay_makes_it_longer() -> None:
    trace = read()
    assert detect(Document(json.dumps(RUN))) == "lorr"
    cells = [[divmod(int(vertex), 4) for vertex in column] for column in trace.positions.T]
    assert cells[0] == [(0, 0)] * 3 + [(0, 1)] * 3 + [(0, 2)] * 8 + [(1, 2)]
    assert cells[1] == [(2, 3)] * 6 + [(2, 2)] * 9
    assert validate_trace(trace)
    arrived = [row.tolist() for row in trace.events if row[1] == EventKind.ARRIVED]
    assert [(time, agent) for time, _, agent, _ in arrived] == [(6, 0), (6, 1), (14, 0)]


def test_the_model_without_headings() -> None:
    path = "[(0,0,0,0,0):(R 4,W 1,U 2)]"
    trace = read(
        actionModel="MAPF", agentMaxCounter=2, teamSize=1, start=[[0, 0, "N/A"]], actualPaths=[path], **NONE
    )
    assert trace.positions[:, 0].tolist() == [0, 0, 1, 1, 2, 2, 2, 6]


NONE: dict[str, Any] = {"events": [], "actualSchedule": [], "tasks": []}


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("F,F", "must be segments like"),
        ("[(0,0,0,0,0):(F)]", "must be segments like"),
        ("[(0,0,0,0):(F 3)]", "must be segments like"),
        ("[(0,0,0,0,0):(X 3)]", "has the action 'X', which is none of F, R, C, W, T"),
        ("[(0,0,0,0,0):(F 2,R 3)]", "begins R at tick 2 in the middle of F"),
        ("[(0,0,0,0,0):(F 3)][(4,0,1,0,0):(F 3)]", "has a segment from tick 4 on where it has come to 3"),
        ("[(0,0,0,0,0):(F 3)][(3,0,2,0,0):(F 3)]", "is at row 0, column 1 at tick 3, but its next segment"),
        ("[(0,0,0,0,0):(F 15)]", "leaves the map at time 12"),
        ("[(0,0,0,0,0):(W 999999999)]", "max_positions allows more"),
        (7, "must be segments like"),
    ],
)
def test_a_bad_path_in_ticks(path: Any, said: str) -> None:
    with pytest.raises(FormatError, match=said):
        read(actualPaths=[path, ""], **NONE)


def test_ticks_per_action_are_from_1() -> None:
    with pytest.raises(FormatError, match="agentMaxCounter must be from 1"):
        read(agentMaxCounter=0)


def test_a_plan_is_written_in_ticks_and_read_as_the_same_moves() -> None:
    problem = Problem(GRID, [(0, 0), (2, 3)], [(2, 2), (0, 3)])
    plan = Plan(problem, [[0, 11], [1, 11], [2, 7], [2, 3], [6, 3], [10, 3]])
    text = dumps_planviz(plan, ticks=4)
    trace = read_lorr(Document(text), GRID)
    assert np.array_equal(trace.positions[::4], plan.vertices)
    assert json.loads(text)["actualPaths"][0] == "[(0,0,0,0,0):(R 8,W 4,U 8)]"
    assert json.loads(text)["events"] == [[12, 1, 1, 1], [20, 0, 0, 1]]
    assert validate_trace(trace)
    with pytest.raises(InputError, match="ticks must be a whole number"):
        dumps_planviz(plan, ticks=0)


def test_long_paths_are_in_segments_that_begin_where_the_last_ended() -> None:
    problem = Problem(GRID, [(0, 0)], [(0, 0)])
    plan = Plan(problem, [[0], [1]] * 30)
    text = dumps_planviz(plan, ticks=2)
    assert json.loads(text)["actualPaths"][0].count("[(") == 3
    assert np.array_equal(read_lorr(Document(text), GRID).positions[::2], plan.vertices)


def cpu_of_reading(grid: Grid = GRID, **fields: Any) -> float:
    begin = time.thread_time()
    with suppress(FormatError):
        read_lorr(Document(json.dumps(RUN | NONE | fields)), grid)
    return time.thread_time() - begin


def test_many_actions_in_a_few_characters_are_no_work() -> None:
    """Four million turns, or moves off the map, in a hundred bytes: once 8 seconds and 900 MB."""
    one = {"teamSize": 1, "start": [[0, 0, "E"]]}
    for action, length in (("R", 1), ("F", 1), ("F", 2)):
        path = f"[(0,0,0,0,0):({action} {2**22})]"
        assert cpu_of_reading(**one, actualPaths=[path], agentMaxCounter=length) < 0.5
    for action in "RF":
        path = f"[(0,0,0,0,0):({action} {2**25})]"
        with pytest.raises(FormatError, match="max_positions"):
            read(**NONE, **one, actualPaths=[path], agentMaxCounter=1)


def test_blanks_in_a_path_are_read_in_linear_time() -> None:
    for path in (" " * 40_000 + "[x", "[(0,0,0,0,0):(F 3)" + " " * 40_000 + "x"):
        assert cpu_of_reading(teamSize=1, actualPaths=[path]) < 0.5


def test_a_schedule_of_many_times_and_agents_is_read_in_linear_time() -> None:
    """Goals of all agents were once copied at every time."""
    count = 30_000
    words = [_Word(agent, agent, (0,), 3) for agent in range(count)]
    begin = time.thread_time()
    _, events = _goals_and_events(words, np.zeros((1, count), dtype=np.int32))
    assert time.thread_time() - begin < 0.5
    assert len(events) == count - 1  # the first goal is one from the beginning
