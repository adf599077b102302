"""Trace files: equal traces come back, byte for byte the same file, and every broken one is named."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidestep import EventKind, FormatError, Graph, Grid, InputError, Rules, Trace
from sidestep.io import detect, read_trace, tracefile, write_trace
from sidestep.io import paths as paths_module
from sidestep.model.agents import AgentTable
from tests.sizing import examples

NEWEST = tracefile.newest_version()

GOLDEN = """\
{
 "format": "sidestep-trace",
 "version": 1,
 "space": {
  "kind": "grid",
  "connectivity": 4,
  "corners": "none",
  "rows": [
   "...",
   "..#"
  ]
 },
 "rules": {"following": true, "crossing": false, "at_goal": "stay", "shared_goals": false, "cost": "sum_of_costs"},
 "names": [
  "hero",
  "late"
 ],
 "start_time": 5,
 "closed": [3],
 "opened": [5],
 "starts": [0, -1],
 "goals": [2, -1],
 "priorities": [1, 0],
 "turns": 3,
 "paths": [[0, 1, 2], [-1, -1, 4]],
 "events": [[7, "add", 1, 4], [7, "goal", 1, -1], [7, "arrived", 0, 2], [8, "late", -1, -1]]
}
"""  # noqa: E501  # as it is in the file


def example() -> Trace:
    return Trace(
        agents=AgentTable(
            Grid.from_text("...\n..#"),
            ("hero", "late"),
            np.array([0, -1], dtype=np.int32),
            np.array([2, -1], dtype=np.int32),
            priorities=np.array([1, 0], dtype=np.int32),
        ),
        rules=Rules(),
        start_time=5,
        open=np.array([True, True, True, False, True, True]),
        positions=np.array([[0, -1], [1, -1], [2, 4], [2, 4]], dtype=np.int32),
        events=np.array(
            [
                [7, EventKind.ADD, 1, 4],
                [7, EventKind.GOAL, 1, -1],
                [7, EventKind.ARRIVED, 0, 2],
                [8, EventKind.LATE, -1, -1],
            ],
            dtype=np.int32,
        ),
    )


def put(folder: Path, text: str) -> Path:
    path = folder / "trace.json"
    path.write_bytes(text.encode())
    return path


def test_golden_file(tmp_path: Path) -> None:
    write_trace(example(), tmp_path / "trace.json")
    assert (tmp_path / "trace.json").read_text() == GOLDEN
    assert detect(tmp_path / "trace.json") == "trace"


def test_read(tmp_path: Path) -> None:
    trace = read_trace(put(tmp_path, GOLDEN))
    assert trace == example()
    for array in (trace.starts, trace.goals, trace.priorities, trace.positions, trace.events):
        assert array.dtype == np.int32
        assert not array.flags.writeable


@settings(max_examples=examples(80), deadline=None)
@given(data=st.data(), agents=st.integers(0, 3), turns=st.integers(0, 5), graph=st.booleans())
def test_traces_round_trip(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, agents: int, turns: int, graph: bool
) -> None:
    space = Graph(4, [(0, 1), (1, 2)]) if graph else Grid.from_text("..\n#.", 8, "one")

    def numbers(low: int, high: int, *shape: int) -> np.ndarray:
        size = int(np.prod(shape))
        drawn = data.draw(st.lists(st.integers(low, high), min_size=size, max_size=size))
        return np.array(drawn, dtype=np.int32).reshape(shape)

    kinds = data.draw(st.lists(st.sampled_from(EventKind), max_size=5))
    events = np.column_stack(
        [
            numbers(0, 2**31 - 1, len(kinds)),
            np.array(kinds, dtype=np.int32),
            numbers(-1, agents - 1, len(kinds)),
            numbers(-(2**31), 2**31 - 1, len(kinds)),
        ]
    )
    trace = Trace(
        agents=AgentTable(
            space,
            tuple(f"agent {index}" for index in range(agents)),
            numbers(-1, 3, agents),
            numbers(-1, 3, agents),
            priorities=numbers(-5, 5, agents),
        ),
        rules=Rules(crossing=graph),
        start_time=data.draw(st.integers(0, 100)),
        open=numbers(0, 1, 4).astype(np.bool_),
        positions=numbers(-1, 3, turns + 1, agents),
        events=events,
    )
    path = tmp_path_factory.getbasetemp() / "round.json"
    write_trace(trace, path)
    first = path.read_bytes()
    again = read_trace(path)
    assert again == trace
    write_trace(again, path)
    assert path.read_bytes() == first


DELETE = object()


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("format", "sidestep-plan", "format must be 'sidestep-trace', not 'sidestep-plan'"),
        ("version", 0, f"version must be from 1 to {NEWEST}, not 0"),
        ("space", DELETE, "space is missing"),
        ("rules", DELETE, "rules is missing"),
        ("names", ["hero", "hero"], "names must be different non-empty strings"),
        ("names", ["hero", ""], "names must be different non-empty strings"),
        ("names", ["hero", []], "names must be different non-empty strings"),
        ("names", "hero", "names must be a list, not a string"),
        ("start_time", "noon", "start_time must be a whole number, not a string"),
        ("closed", [6], "closed[0] must be from 0 to 5"),
        ("opened", [-1], "opened[0] must be from 0 to 5"),
        ("opened", DELETE, "opened is missing"),
        ("starts", DELETE, "starts is missing"),
        ("starts", [0, 6], "starts[1] must be from -1 to 5"),
        ("goals", [2], "goals must have one entry per agent, 2, not 1"),
        ("goals", [2, 6], "goals[1] must be from -1 to 5"),
        ("priorities", [1, 0.5], "priorities[1] must be a whole number"),
        ("turns", -1, "turns must be from 0"),
        ("turns", 2**31 - 2, "2 paths of up to 2147483646 steps are"),
        ("turns", 1, "paths[0] must have from 1 to 2 vertices, not 3"),
        ("paths", [[0]], "paths must have one path per agent, 2, not 1"),
        ("paths", [[0], [6]], "paths[1][0] must be from -1 to 5"),
        ("events", [[1, "goal", 0]], "events[0] must be [time, kind, agent, value]"),
        ("events", [[1, "dance", 0, 0]], "events[0] must have one of the kinds goal, block"),
        ("events", [[1, 0, 0, 0]], "events[0] must have one of the kinds"),
        ("events", [[1, ["goal"], 0, 0]], "events[0] must have one of the kinds"),
        ("events", [[1, "goal", 2, 0]], "events[0][2] must be from -1 to 1"),
        ("events", [[2**31, "goal", 0, 0]], "events[0][0] must be from"),
        ("events", [[1, "goal", 0, None]], "events[0][3] must be a whole number, not null"),
        ("colour", "red", "colour is not a field of this format"),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, name: str, value: Any, says: str) -> None:
    document = json.loads(GOLDEN)
    if value is DELETE:
        del document[name]
    else:
        document[name] = copy.deepcopy(value)
    path = put(tmp_path, json.dumps(document))
    with pytest.raises(FormatError) as caught:
        read_trace(path)
    assert str(caught.value).startswith(f"{path}: {says}")


def test_nothing_is_written_on_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trace = example()
    trace.events[0, 1] = 99
    with pytest.raises(InputError, match="unknown kind 99"):
        write_trace(trace, tmp_path / "trace.json")
    monkeypatch.setattr(paths_module, "MOST_WRITTEN", 7)
    with pytest.raises(InputError, match="a trace file holds from 1 to"):
        write_trace(example(), tmp_path / "trace.json")
    assert not list(tmp_path.iterdir())


# Versions


def test_an_older_reader_says_that_a_file_is_newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trace without events of new kinds is as it was; one with such events has their version."""
    with monkeypatch.context() as newer:
        later = {EventKind.LATE: NEWEST + 1, EventKind.RAISED: NEWEST + 2}
        newer.setattr(tracefile, "SINCE", {**tracefile.SINCE, **later})
        write_trace(example(), tmp_path / "new.json")
        write_trace(replace(example(), events=example().events[:3]), tmp_path / "old.json")
        assert json.loads((tmp_path / "new.json").read_text())["version"] == NEWEST + 1
        assert json.loads((tmp_path / "old.json").read_text())["version"] == 1
        assert read_trace(tmp_path / "new.json") == example()
        assert read_trace(put(tmp_path, GOLDEN)) == example()
    assert read_trace(tmp_path / "old.json").count(EventKind.ADD) == 1
    with pytest.raises(FormatError) as caught:
        read_trace(tmp_path / "new.json")
    assert str(caught.value) == (
        f"{tmp_path / 'new.json'}: version must be from 1 to {NEWEST}, not {NEWEST + 1}: a newer "
        "sidestep wrote this file, "
        "with kinds of events that this one does not know"
    )
