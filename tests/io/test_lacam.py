"""lacam3 result files: x before y, a comma after every cell, and plans that are read but not judged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidestep import FormatError, Graph, Grid, InputError, Plan, Problem, Rules
from sidestep.io import read_lacam, write_lacam
from tests.sizing import examples

GRID = Grid.from_text("...\n.#.")
RESULT = """\
agents=2
map_file=m.map
solver=planner
solved=1
soc=4
soc_lb=4
makespan=3
makespan_lb=3
sum_of_loss=4
sum_of_loss_lb=4
comp_time=0
seed=7
starts=(0,1),(1,0),
goals=(1,0),(2,0),
solution=
0:(0,1),(1,0),
1:(0,0),(2,0),
2:(1,0),(2,0),
"""


def put(folder: Path, text: str) -> Path:
    path = folder / "result.txt"
    path.write_bytes(text.encode())
    return path


def test_read(tmp_path: Path) -> None:
    plan = read_lacam(put(tmp_path, RESULT), GRID)
    assert plan.problem == Problem(GRID, [(1, 0), (0, 1)], [(0, 1), (0, 2)])
    assert plan.vertices.tolist() == [[3, 1], [0, 2], [1, 2]]
    assert plan.claimed_cost == 4  # what the file says, not what the plan costs


@pytest.mark.parametrize(
    "text",
    [
        RESULT.replace("\n", "\r\n"),
        RESULT.replace("),\n", ")\n"),
        RESULT.replace("seed=7\n", "seed=7\ncheckpoints=1,2,\nsome words\n\n"),
        RESULT.replace(",", ", "),
        "\n".join(
            line for line in RESULT.splitlines() if line[:4] in ("star", "goal", "solu") or line[1:2] == ":"
        ),
    ],
    ids=["crlf", "no-last-comma", "own-notes", "blanks", "bare"],
)
def test_variations_that_are_fine(tmp_path: Path, text: str) -> None:
    assert read_lacam(put(tmp_path, text), GRID).vertices.tolist() == [[3, 1], [0, 2], [1, 2]]


def test_an_invalid_plan_is_readable(tmp_path: Path) -> None:
    """Walls, jumps and collisions are for the judge."""
    text = RESULT.replace("1:(0,0),(2,0),", "1:(1,1),(1,1),")
    assert read_lacam(put(tmp_path, text), GRID).vertices[1].tolist() == [4, 4]


def test_the_soc_is_a_claim_only_under_its_own_rule(tmp_path: Path) -> None:
    path = put(tmp_path, RESULT)
    assert read_lacam(path, GRID, rules=Rules(cost="time_off_goal")).claimed_cost is None
    assert read_lacam(put(tmp_path, RESULT.replace("soc=4\n", "")), GRID).claimed_cost is None


def test_a_plan_for_a_given_problem(tmp_path: Path) -> None:
    rules = Rules(following=False)
    problem = Problem(GRID, [(1, 0), (0, 1)], [(0, 1), (0, 2)], rules=rules, names=["x", "y"])
    assert read_lacam(put(tmp_path, RESULT), problem).problem is problem
    other = Problem(GRID, [(1, 0), (0, 1)], [(0, 2), (0, 1)])
    with pytest.raises(FormatError, match=r"result\.txt:14: the goals are not those of the problem"):
        read_lacam(put(tmp_path, RESULT), other)


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("solution=\n", "", 17, "no line 'solution='"),
        (RESULT, "", 1, "no line 'solution='"),
        ("starts=(0,1),(1,0),\n", "", None, "no line 'starts='"),
        ("goals=(1,0),(2,0),\n", "", None, "no line 'goals='"),
        ("goals=", "starts=", 14, "starts= is given twice"),
        ("agents=2", "agents=3", 13, "agents=3, but there are 2 starts"),
        ("agents=2", "agents=many", 1, "expected a whole number, not 'many'"),
        ("agents=2\n", "", None, None),
        ("soc=4", "soc=-4", 5, "expected a whole number, not '-4'"),
        ("soc=4", f"soc={'9' * 5000}", 5, "expected a whole number"),
        ("goals=(1,0),(2,0),", "goals=(1,0),(2,0),(0,0),", 14, "agents=2, but there are 3 goals"),
        ("goals=(1,0),", "goals=(1;0),", 14, "expected cells like (1,2),(3,4),"),
        ("starts=(0,1),", "starts=(0,2),", 13, "start of agent a0: row 2, column 0 is outside the map"),
        ("starts=(0,1),", "starts=(1,1),", 13, "start of agent a0, row 1, column 1, is in a wall"),
        ("starts=(0,1),", "starts=(1,0),", 13, "agents a0 and a1 have the same start"),
        ("goals=(1,0),", "goals=(2,0),", 14, "agents a0 and a1 have the same goal"),
        ("1:(0,0),", "1:(-1,0),", 17, "row 0, column -1 is outside the map of 2 rows and 3 columns"),
        ("1:(0,0),", "1:(0,2),", 17, "row 2, column 0 is outside the map"),
        ("1:(0,0),", "1:(99999999999,2),", 17, "expected cells"),
        ("1:(0,0),", "1:", 17, "time 1 has 1 cells for 2 agents"),
        ("1:(0,0),", "1:(0,0)x", 17, "expected cells"),
        ("1:(0,0),", "3:(0,0),", 17, "expected the line of time 1, '1:'"),
        ("1:(0,0),", "(0,0),", 17, "expected the line of time 1"),
        (RESULT[RESULT.index("0:(0,1)") :], "", 15, "there is no solution in this file"),
    ],
)
def test_a_broken_file_names_its_line(
    tmp_path: Path, old: str, new: str, line: int | None, says: str | None
) -> None:
    assert old in RESULT
    path = put(tmp_path, RESULT.replace(old, new, 1))
    if says is None:
        read_lacam(path, GRID)
        return
    with pytest.raises(FormatError) as caught:
        read_lacam(path, GRID)
    where = f"{path}:{line}: " if line else f"{path}: "
    assert str(caught.value).startswith(where)
    assert says in str(caught.value)


def test_written_result(tmp_path: Path) -> None:
    plan = Plan(Problem(GRID, [(1, 0), (0, 1)], [(0, 1), (0, 2)]), [[3, 1], [0, 2], [1, 2]])
    write_lacam(plan, tmp_path / "out.txt", map_file="m.map", solver="planner", seed=7)
    expected = (
        RESULT.replace("soc=4", "soc=3").replace("soc_lb=4", "soc_lb=3").replace("makespan=3", "makespan=2")
    )
    expected = expected.replace("makespan_lb=3", "makespan_lb=2").replace("loss=4", "loss=3")
    assert (tmp_path / "out.txt").read_text() == expected.replace("loss_lb=4", "loss_lb=3")


def test_soc_counts_the_last_arrival_and_loss_the_time_off_the_goal(tmp_path: Path) -> None:
    problem = Problem(Grid.from_text("..."), [(0, 0)], [(0, 1)], rules=Rules(cost="time_off_goal"))
    write_lacam(Plan(problem, [[0], [1], [1], [1], [2], [1]]), tmp_path / "out.txt")
    text = (tmp_path / "out.txt").read_text()
    assert "\nsoc=5\n" in text
    assert "\nsum_of_loss=3\n" in text


@settings(max_examples=examples(50), deadline=None)
@given(data=st.data(), agents=st.integers(0, 4), steps=st.integers(0, 5))
def test_plans_round_trip(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, agents: int, steps: int
) -> None:
    cells = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2)]
    starts, goals = (data.draw(st.permutations(cells))[:agents] for _ in range(2))
    rows = [
        data.draw(st.lists(st.integers(0, 5), min_size=agents, max_size=agents)) for _ in range(steps + 1)
    ]
    plan = Plan(Problem(GRID, starts, goals), np.array(rows, dtype=np.int32).reshape(steps + 1, agents))
    path = tmp_path_factory.getbasetemp() / "round.txt"
    write_lacam(plan, path)
    again = read_lacam(path, GRID)
    assert again == plan
    assert again.claimed_cost == plan.cost


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        (Plan(Problem.from_text("a.A\nb.."), [[0, 3]]), "agent b has no goal"),
        (Plan(Problem.from_text("aA"), [[0], [1], [-1]]), "not there at some time"),
        (Plan(Problem(Graph(2, [(0, 1)]), [0], [1]), [[0], [1]]), "not a Graph"),
    ],
)
def test_what_the_format_cannot_say(tmp_path: Path, plan: Plan, says: str) -> None:
    with pytest.raises(InputError, match=says):
        write_lacam(plan, tmp_path / "out.txt")
    assert not list(tmp_path.iterdir())


def test_names_stand_on_one_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="map_file must be text on one line"):
        write_lacam(Plan(Problem.from_text("aA"), [[0], [1]]), tmp_path / "out.txt", map_file="a\nb")
    assert not list(tmp_path.iterdir())
