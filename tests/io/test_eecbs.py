"""EECBS paths files: row before column, an arrow after every cell, paths of different lengths."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidestep import FormatError, Graph, Grid, InputError, Plan, Problem, Rules
from sidestep.io import read_eecbs, write_eecbs
from tests.sizing import examples

GRID = Grid.from_text("...\n.#.")
PATHS = "Agent 0: (1,0)->(0,0)->(0,1)->\nAgent 1: (0,1)->(0,2)->\n"


def put(folder: Path, text: str) -> Path:
    path = folder / "paths.txt"
    path.write_bytes(text.encode())
    return path


def test_read(tmp_path: Path) -> None:
    """Starts and goals are the ends of the paths; an agent stays where its path ends."""
    plan = read_eecbs(put(tmp_path, PATHS), GRID)
    assert plan.problem == Problem(GRID, [(1, 0), (0, 1)], [(0, 1), (0, 2)])
    assert plan.vertices.tolist() == [[3, 1], [0, 2], [1, 2]]
    assert plan.claimed_cost is None


@pytest.mark.parametrize(
    "text",
    [
        PATHS.replace("\n", "\r\n"),
        PATHS.replace("->\n", "\n"),
        "\n" + PATHS + "\n\n",
        PATHS.replace("->", " -> "),
    ],
    ids=["crlf", "no-last-arrow", "blank-lines", "blanks"],
)
def test_variations_that_are_fine(tmp_path: Path, text: str) -> None:
    assert read_eecbs(put(tmp_path, text), GRID).vertices.tolist() == [[3, 1], [0, 2], [1, 2]]


def test_an_invalid_plan_is_readable(tmp_path: Path) -> None:
    """Walls, jumps and collisions are for the judge."""
    plan = read_eecbs(put(tmp_path, PATHS.replace("->(0,0)", "->(1,1)")), GRID)
    assert plan.vertices[1].tolist() == [4, 2]


def test_a_plan_for_a_given_problem(tmp_path: Path) -> None:
    """Then the paths may end anywhere, even on one cell: the judge compares them with the problem."""
    problem = Problem(GRID, [(1, 0), (0, 1)], [(0, 1), (0, 2)], names=["x", "y"])
    plan = read_eecbs(put(tmp_path, PATHS.replace("->(0,1)->", "->(0,2)->")), problem)
    assert plan.problem is problem
    assert plan.vertices[-1].tolist() == [2, 2]
    with pytest.raises(FormatError, match="there are 2 paths, but the problem has 1 agents"):
        read_eecbs(put(tmp_path, PATHS), Problem(GRID, [(0, 0)], [(0, 1)]))


def test_shared_goals_by_the_rules(tmp_path: Path) -> None:
    path = put(tmp_path, PATHS.replace("->(0,1)->", "->(0,2)->"))
    assert read_eecbs(path, GRID, rules=Rules(shared_goals=True)).problem.goals.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", None, "there are no paths in this file"),
        ("\n \n", None, "there are no paths in this file"),
        ("paths\n", 1, "a line begins with 'Agent 0:'"),
        ("Agent 0: (0,0)->\nAgent 2: (0,1)->\n", 2, "expected agent 1 here, not agent 2"),
        ("Agent 0: (0,0)->\n\nAgent 0: (0,1)->\n", 3, "expected agent 1 here, not agent 0"),
        ("Agent 0: (0,0)->\nAgent 1: \n", 2, "agent 1 has no path"),
        ("Agent 0: (0,0)->(0,1->\n", 1, "expected cells like (1,2)->(3,4)->"),
        ("Agent 0: (0,0),(0,1)\n", 1, "expected cells"),
        ("Agent 0: (0,0)->(0,3)->(0,0)->\n", 1, "row 0, column 3 is outside the map of 2 rows and 3 columns"),
        ("Agent 0: (0,0)->\nAgent 1: (0,1)->(-1,1)->(0,1)->\n", 2, "row -1, column 1 is outside"),
        ("Agent 0: (1,1)->(0,1)->\n", 1, "start of agent a0, row 1, column 1, is in a wall"),
        ("Agent 0: (0,1)->(1,1)->\n", 1, "goal of agent a0, row 1, column 1, is in a wall"),
        ("Agent 0: (0,0)->\nAgent 1: (0,0)->(0,1)->\n", 2, "agents a0 and a1 have the same start"),
        ("Agent 0: (0,0)->\nAgent 1: (0,1)->(0,0)->\n", 2, "agents a0 and a1 have the same goal"),
    ],
)
def test_a_broken_file_names_its_line(tmp_path: Path, text: str, line: int | None, says: str) -> None:
    path = put(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read_eecbs(path, GRID)
    where = f"{path}:{line}: " if line else f"{path}: "
    assert str(caught.value).startswith(where)
    assert says in str(caught.value)


def test_written_paths(tmp_path: Path) -> None:
    plan = Plan(Problem(GRID, [(1, 0), (0, 1)], [(0, 1), (0, 2)]), [[3, 1], [0, 2], [1, 2], [1, 2]])
    write_eecbs(plan, tmp_path / "out.txt")
    assert (tmp_path / "out.txt").read_text() == PATHS


@settings(max_examples=examples(50), deadline=None)
@given(data=st.data(), agents=st.integers(1, 4), steps=st.integers(0, 5))
def test_plans_round_trip(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, agents: int, steps: int
) -> None:
    """Up to waits of everybody at the end, which the format does not keep."""
    cells = [0, 1, 2, 3, 5]
    starts, goals = (data.draw(st.permutations(cells))[:agents] for _ in range(2))
    middle = [data.draw(st.lists(st.integers(0, 5), min_size=agents, max_size=agents)) for _ in range(steps)]
    problem = Problem(GRID, [GRID.place(v) for v in starts], [GRID.place(v) for v in goals])
    plan = Plan(problem, [starts, *middle, goals])
    path = tmp_path_factory.getbasetemp() / "round.txt"
    write_eecbs(plan, path)
    again = read_eecbs(path, GRID)
    assert again.problem == problem
    waits = plan.makespan - again.makespan
    assert [*again.vertices.tolist(), *[goals] * waits] == plan.vertices.tolist()


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (Plan(Problem(GRID, [], []), [[]]), "at least one agent"),
        (Plan(Problem.from_text("aA"), [[0], [1], [-1]]), "not there at some time"),
        (Plan(Problem(Graph(2, [(0, 1)]), [0], [1]), [[0], [1]]), "not a Graph"),
    ],
)
def test_what_the_format_cannot_say(tmp_path: Path, plan: Plan, says: str) -> None:
    with pytest.raises(InputError, match=says):
        write_eecbs(plan, tmp_path / "out.txt")
    assert not list(tmp_path.iterdir())
