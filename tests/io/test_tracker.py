"""Plans of the MAPF tracker: letters from the scenario's starts, several plans in a file, up and down."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidestep import FormatError, Graph, Grid, InputError, Plan, Problem, Rules, validate
from sidestep.io import detect, load, read_tracker, tracker
from tests.sizing import examples

GRID = Grid.from_text("....\n.@..\n....")
TWO = Problem(GRID, [(0, 0), (2, 0)], [(0, 3), (1, 0)])
PLANS = """\
map_name,scen_type,type_id,agents,lower_cost,solution_cost,solution_plan
small,random,1,1,3,3,3r
small,random,1,2,4,5,"3r
wd"
small,even,2,3,,,"rr


"
"""
SINGLE = """\
"agents","lower_cost","lower_date","solution_cost","solution_date","path"
"2","4","2022-11-29","4","2022-11-29","rrr
d"
"""


def put(folder: Path, text: str) -> Path:
    path = folder / "plans.csv"
    path.write_bytes(text.encode())
    return path


def plan_of(*paths: str, more: str = "", value: str = "") -> str:
    """A file with one plan and perhaps one more column."""
    plan = "\n".join(paths)
    comma = "," if more else ""
    return f'map_name,agents{comma}{more},solution_plan\nsmall,{len(paths)}{comma}{value},"{plan}"\n'


def test_a_file_of_one_instance(tmp_path: Path) -> None:
    """As it is exported, u is y+1: the second agent goes up the map with d."""
    path = put(tmp_path, SINGLE)
    assert detect(path) == "tracker"
    plan = read_tracker(path, TWO)
    assert plan.problem is TWO
    assert plan.vertices.tolist() == [[0, 8], [1, 4], [2, 4], [3, 4]]
    assert plan.claimed_cost == 4
    assert validate(TWO, plan)
    rules = Rules(cost="time_off_goal")
    assert read_tracker(path, Problem.from_agents(GRID, TWO.agents, rules=rules)).claimed_cost is None


def test_a_file_of_many_instances(tmp_path: Path) -> None:
    """The number of agents chooses where it can, the number of the row always."""
    path = put(tmp_path, PLANS)
    assert detect(path) == "tracker"
    plan = read_tracker(path, TWO)
    assert plan.vertices.T.tolist() == [[0, 1, 2, 3], [8, 8, 4, 4]]
    assert plan == read_tracker(path, TWO, row=2)
    three = Problem(GRID, [(0, 0), (2, 0), (2, 3)], [(0, 2), (2, 0), (2, 3)])
    assert read_tracker(path, three).vertices.T.tolist() == [[0, 1, 2], [8, 8, 8], [11, 11, 11]]
    assert read_tracker(path, three).claimed_cost is None
    assert [tracker.count_agents(path, row) for row in (1, 2, 3)] == [1, 2, 3]


@pytest.mark.parametrize(
    ("row", "problem", "says"),
    [
        (0, TWO, "row must be a whole number from 1 to 3, not 0"),
        (4, TWO, "row must be a whole number from 1 to 3, not 4"),
        ("2", TWO, "row must be a whole number from 1 to 3, not '2'"),
        (1, TWO, "row 1 has 1 agents, but the problem has 2"),
        (
            None,
            Problem(GRID, [], []),
            "there are 3 plans, row 1 with 1 agents, row 2 with 2 agents, row 3 with 3 agents: say which row",
        ),
    ],
)
def test_the_wrong_row(tmp_path: Path, row: int | None, problem: Problem, says: str) -> None:
    path = put(tmp_path, PLANS)
    with pytest.raises(InputError) as caught:
        read_tracker(path, problem, row=row)
    assert str(caught.value) == f"{path}: {says}"


def test_which_of_many_rows(tmp_path: Path) -> None:
    lines = PLANS.split("\n", 1)[0] + "\n" + "small,random,1,1,,,r\n" * 6
    with pytest.raises(InputError, match=r"there are 6 plans, row 1 with 1 .* and 2 more: say which row"):
        read_tracker(put(tmp_path, lines), Problem(GRID, [(0, 0)], [(0, 1)]))
    with pytest.raises(InputError, match="say which row"):
        tracker.count_agents(put(tmp_path, lines))


def test_up_and_down(tmp_path: Path) -> None:
    """`u` is y+1, unless the file is flipped or the caller knows better; both together cancel out."""
    problem = Problem(GRID, [(1, 0)], [(2, 0)])
    for flip, option, row in (
        ("", "row+1", 2),
        ("false", "row+1", 2),
        ("FALSE", "row-1", 0),
        ("true", "row+1", 0),
        ("1", "row-1", 2),
    ):
        path = put(tmp_path, plan_of("u", more="flip_up_down", value=flip))
        plan = read_tracker(path, problem, u=option)  # type: ignore[arg-type]
        assert plan.cells[-1].tolist() == [[row, 0]], (flip, option)
    with pytest.raises(InputError, match="u must be 'row\\+1' or 'row-1', not 'down'"):
        read_tracker(path, problem, u="down")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        SINGLE.replace("\n", "\r\n"),
        SINGLE.rstrip("\n"),
        SINGLE + "\n\n",
        SINGLE.replace('d"', 'd\n"'),
        SINGLE.replace('"agents"', "agent_count"),
        SINGLE.replace("rrr", "3r"),
        SINGLE.replace("rrr", "1r2r"),
        SINGLE.replace('"agents"', '"comment"').replace('"2"', '"so ""good"", this"'),
    ],
    ids=["crlf", "no-end", "blank-lines", "line-end", "submission", "runs", "ones", "quotes"],
)
def test_variations_that_are_fine(tmp_path: Path, text: str) -> None:
    assert read_tracker(put(tmp_path, text), TWO).vertices.tolist() == [[0, 8], [1, 4], [2, 4], [3, 4]]


@pytest.mark.parametrize(
    ("kind", "starts", "goals", "paths"),
    [
        ("vertex", [(0, 0), (0, 2)], [(0, 2), (0, 0)], ["2r", "2l"]),
        ("swap", [(0, 0), (0, 1)], [(0, 1), (0, 0)], ["r", "l"]),
        ("wall", [(1, 0)], [(1, 2)], ["rr"]),
        ("goal", [(1, 0)], [(2, 0)], ["d"]),
    ],
)
def test_what_is_wrong_is_read_and_judged(
    tmp_path: Path, kind: str, starts: list[tuple[int, int]], goals: list[tuple[int, int]], paths: list[str]
) -> None:
    problem = Problem(GRID, starts, goals)
    plan = read_tracker(put(tmp_path, plan_of(*paths)), problem)
    assert [str(violation.kind) for violation in validate(problem, plan).violations] == [kind]


def test_a_wrong_cost_is_judged(tmp_path: Path) -> None:
    plan = read_tracker(put(tmp_path, SINGLE.replace('"4"', '"3"')), TWO)
    assert [str(violation.kind) for violation in validate(TWO, plan).violations] == ["cost"]


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "the header has no column solution_plan"),
        ("map_name,agents,plan\n", 1, "the header has no column solution_plan"),
        ("agents,solution_plan\n", 1, "there are no plans in this file"),
        ("agents,solution_plan\n2\n", 2, "a row has 2 cells like the header, not 1"),
        ("agents,solution_plan\n\n2,r,d\n", 3, "a row has 2 cells like the header, not 3"),
        ('agents,solution_plan\n2,"r\nd\n', 2, "a cell that begins with a quote must end with one"),
        ('agents,solution_plan\n2,"r" d\n', 2, "a cell that begins with a quote must end with one"),
        ('agents,solution_plan\n3,"r\nd"\n', 2, "row 1 says 3 agents, but has 2 paths"),
        ('agents,solution_plan\ntwo,"r\nd"\n', 2, "the number of agents must be a whole number, not 'two'"),
        (PLANS.replace(",5,", ",5.5,"), 3, "the solution cost must be a whole number, not '5.5'"),
        (plan_of("r", "d", more="flip_up_down", value="maybe"), 2, "flip_up_down must be true or false"),
        ('agents,solution_plan\n2,"r\nx"\n', 3, "a path is made of moves like 5r2du"),
        ('agents,solution_plan\n2,"r\n3"\n', 3, "a path is made of moves like 5r2du"),
        ('agents,solution_plan\n2,"0r\nd"\n', 2, "a path is made of moves like 5r2du"),
        ('agents,solution_plan\n2,"r\n999999999999r"\n', 3, "a path is made of moves like 5r2du"),
        (
            'agents,solution_plan\n2,"r\n9999999999w"\n',
            None,
            "2 paths of up to 9999999999 steps are 20000000000 positions",
        ),
        (
            'agents,solution_plan\n2,"r\n3u"\n',
            3,
            "agent a1 leaves the map at time 1: row 3, column 0 is outside the map of 3 rows and 4 "
            "columns; is it the right map, and is u the right way up?",
        ),
        ('agents,solution_plan\n2,"r4l\nw"\n', 2, "agent a0 leaves the map at time 3: row 0, column -1 is"),
        ('agents,solution_plan\n2,"r\n2r9r"\n', 3, "agent a1 leaves the map at time 4: row 2, column 4 is"),
        ('agents,solution_plan\n2,"r\n9d"\n', 3, "agent a1 leaves the map at time 3: row -1, column 0 is"),
        ('agents,solution_plan\n1,"r"\n', None, "row 1 has 1 agents, but the problem has 2"),
    ],
)
def test_a_broken_file_names_its_line(tmp_path: Path, text: str, line: int | None, says: str) -> None:
    path = put(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read_tracker(path, TWO)
    where = f"{path}:{line}: " if line else f"{path}: "
    assert str(caught.value).startswith(where + says)


def test_wrong_arguments(tmp_path: Path) -> None:
    path = put(tmp_path, SINGLE)
    with pytest.raises(InputError, match="needs the Problem that it is for, not a Grid"):
        read_tracker(path, GRID)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="not a Graph"):
        read_tracker(path, Problem(Graph(2, [(0, 1)]), [0], [1]))


FRAGMENTS = st.sampled_from([*'udlrw0123456789,"\n\r ', '""', "path", "agents", "solution_plan"])


@settings(max_examples=examples(150), deadline=None)
@given(text=st.text() | st.lists(FRAGMENTS).map("".join), cut=st.integers(0, len(PLANS)))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str, cut: int) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    for whole in (text, PLANS[:cut] + text + PLANS[cut:], "path\n" + text):
        path.write_bytes(whole.encode("utf-8", "surrogatepass"))
        for read in (lambda: read_tracker(load(path, max_positions=2**16), TWO), lambda: detect(path)):
            assert_read_or_refused(read, path)


def assert_read_or_refused(read: Callable[[], Plan | str], path: Path) -> None:
    answer: Plan | str | InputError
    try:
        answer = read()
    except InputError as error:
        answer = error
    if isinstance(answer, InputError):
        assert str(answer).startswith(str(path))
    else:
        assert isinstance(answer, (Plan, str))
