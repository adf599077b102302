"""Small files, large arrays: how many positions a file may claim, and what raises the limit."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sidestep import FormatError, Grid, InputError, Plan, Problem, Trace, io, validate_trace
from sidestep.io import Document
from sidestep.io.files import MAX_POSITIONS
from sidestep.studio.files import opened_texts

GRID = Grid.from_text(". . . .\n. # . .")
TWO = Problem(GRID, [(0, 0), (1, 0)], [(0, 3), (1, 3)])
LONG = 10**6

PLAN: dict[str, Any] = {
    "format": "sidestep-plan",
    "version": 1,
    "problem": {
        "space": {"kind": "grid", "rows": ["....", ".#.."]},
        "agents": [{"start": [0, 0], "goal": [0, 3]}],
    },
    "plan": {"makespan": LONG, "paths": [[0, 1, 2, 3]]},
}
TRACE: dict[str, Any] = {
    "format": "sidestep-trace",
    "version": 1,
    "space": {"kind": "grid", "rows": ["....", ".#.."]},
    "rules": {},
    "names": ["a"],
    "start_time": 0,
    "closed": [],
    "opened": [],
    "starts": [0],
    "goals": [3],
    "priorities": [0],
    "turns": LONG,
    "paths": [[0, 1, 2, 3]],
    "events": [],
}
STAYS = "".join(f"Agent {number}: (0,{number % 4})->\n" for number in range(1, 100))
CLAIMS: dict[str, tuple[str, Callable[[Document], Plan | Trace | io.PlanFile]]] = {
    "plan": (json.dumps(PLAN), io.read_plan),
    "trace": (json.dumps(TRACE), io.read_trace),
    "eecbs": ("Agent 0: " + "(0,0)->" * 300 + f"\n{STAYS}", lambda text: io.read_eecbs(text, GRID)),
    "tracker": (
        f'agents,solution_plan\n2,"{LONG}w\n3w"\n',
        lambda text: io.read_tracker(text, TWO),
    ),
    "multirobot": (
        f"schedule:\n  a: [{{x: 0, y: 0, t: 0}}, {{x: 1, y: 0, t: {LONG}}}]\n",
        lambda text: io.read_multirobot(text, GRID),
    ),
    "lorr": (
        json.dumps(
            {
                "actionModel": "MAPF",
                "start": [[0, number % 4] for number in range(100)],
                "actualPaths": ["W," * 300, *[""] * 99],
            }
        ),
        lambda text: io.read_lorr(text, GRID),
    ),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_more_positions_than_are_allowed_are_refused_by_name(name: str) -> None:
    text, read = CLAIMS[name]
    with pytest.raises(FormatError, match=r"positions, more than [0-9]+: max_positions allows more"):
        read(Document(text, max_positions=1000))


@pytest.mark.parametrize("name", [name for name in CLAIMS if name != "eecbs"])  # its agents share goals
def test_the_argument_raises_the_limit(name: str) -> None:
    text, read = CLAIMS[name]
    assert read(Document(text, max_positions=10**8)) is not None


def test_a_few_bytes_take_a_megabyte_at_most_before_they_are_refused() -> None:
    """The first of each pair took gigabytes: a plan of 434 bytes, a tracker line of 134, a large agent."""
    claims = [
        (json.dumps(PLAN | {"plan": {"makespan": 2**28 - 1, "paths": [[0]]}}), io.read_plan),
        (f'agents,solution_plan\n2,"{2**27 - 1}w\nw"\n', lambda text: io.read_tracker(text, TWO)),
        (json.dumps(TRACE | {"turns": 0, "paths": [[0]], "sizes": [40000]}), io.read_trace),
    ]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for text, read in claims:
        with pytest.raises(FormatError):
            read(Document(text))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20 * 1024  # kilobytes


def test_what_is_spelled_out_is_read_whatever_the_limit() -> None:
    text = json.dumps(PLAN | {"plan": {"makespan": 40, "paths": [[0, 1] * 20]}})
    found = io.read_plan(Document(text, max_positions=1)).plan
    assert found is not None
    assert found.makespan == 40


def test_the_problem_of_a_long_plan_is_read_without_its_positions() -> None:
    assert io.read_problem(Document(json.dumps(PLAN), max_positions=1)).n_agents == 1


@pytest.mark.parametrize("limit", [0, -1, 1.5, "many", True, None])
def test_a_limit_is_a_whole_number(limit: Any) -> None:
    with pytest.raises(InputError, match="max_positions must be a whole number from 1"):
        Document("", max_positions=limit)


def test_a_file_is_loaded_with_a_limit(tmp_path: Path) -> None:
    path = tmp_path / "plan.json"
    path.write_text(json.dumps(PLAN))
    assert io.load(path).max_positions == MAX_POSITIONS
    with pytest.raises(FormatError, match="max_positions"):
        io.read_plan(io.load(path, max_positions=1000))


def test_a_page_has_a_lower_limit() -> None:
    text = json.dumps(PLAN | {"plan": {"makespan": 12_000_000, "paths": [[0, 1, 2, 3]]}})
    assert io.read_plan(Document(text)).plan is not None
    with pytest.raises(FormatError, match="more than 10000000"):
        opened_texts([("plan.json", text)])


@pytest.mark.parametrize(
    ("space", "size", "most"),
    [
        ({"kind": "grid", "rows": ["....", ".#.."]}, 3, 2),
        ({"kind": "graph", "n": 4, "edges": [[0, 1]]}, 2, 1),
    ],
)
def test_sizes_of_a_trace_are_checked_against_its_map(space: dict[str, Any], size: int, most: int) -> None:
    text = json.dumps(TRACE | {"space": space, "turns": 0, "paths": [[0]], "sizes": [size]})
    with pytest.raises(FormatError, match=rf"sizes\[0\] must be from 1 to {most}"):
        io.read_trace(Document(text))


def test_the_judge_refuses_agents_larger_than_the_map_before_it_looks_at_their_cells() -> None:
    trace = io.read_trace(Document(json.dumps(TRACE | {"turns": 0, "paths": [[0]], "sizes": [2]})))
    trace.sizes.setflags(write=True)
    trace.sizes[:] = 40_000
    assert "larger than the grid" in str(validate_trace(trace))
