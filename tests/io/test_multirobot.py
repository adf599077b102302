"""libMultiRobotPlanning's YAML: x is the column, agents stay until their next t, and no YAML does harm."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sidestep import FormatError, Graph, Grid, InputError, MissingExtraError, Plan, Problem, Rules, validate
from sidestep.io import detect, multirobot, read_multirobot, read_multirobot_problem
from tests.sizing import examples

pytestmark = pytest.mark.bounds

GRID = Grid.from_text("....\n.@..\n....")
INPUT = """\
agents:
-   goal: [2, 0]
    name: agent0
    start: [0, 0]
-   goal: [0, 1]
    name: agent1
    start: [0, 2]
map:
    dimensions: [4, 3]
    obstacles:
    - !!python/tuple [1, 1]
"""
SCHEDULE = """\
statistics:
  cost: 3
  makespan: 2
  runtime: 1.2e-05
  highLevelExpanded: 1
  lowLevelExpanded: 5
schedule:
  agent0:
    - x: 0
      y: 0
      t: 0
    - x: 1
      y: 0
      t: 1
    - x: 2
      y: 0
      t: 2
  agent1:
    - x: 0
      y: 2
      t: 0
    - x: 0
      y: 1
      t: 1
"""


def put(folder: Path, text: str, name: str = "file.yaml") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def schedule(*paths: list[tuple[int, int, int]]) -> str:
    """A schedule of agents whose states are (x, y, t), in one line per agent."""
    lines = [
        f"  agent{index}: [{', '.join(f'{{x: {x}, y: {y}, t: {t}}}' for x, y, t in path)}]\n"
        for index, path in enumerate(paths)
    ]
    return "schedule:\n" + "".join(lines)


def test_a_schedule(tmp_path: Path) -> None:
    """Starts and goals are the ends of the lists; an agent stays where its list ends."""
    path = put(tmp_path, SCHEDULE)
    assert detect(path) == "multirobot"
    plan = read_multirobot(path, GRID)
    assert plan.problem == Problem(GRID, [(0, 0), (2, 0)], [(0, 2), (1, 0)], names=["agent0", "agent1"])
    assert plan.vertices.tolist() == [[0, 8], [1, 4], [2, 4]]
    assert plan.claimed_cost == 3
    assert validate(plan.problem, plan)
    assert read_multirobot(path, GRID, rules=Rules(cost="time_off_goal")).claimed_cost is None


def test_an_input(tmp_path: Path) -> None:
    path = put(tmp_path, INPUT)
    assert detect(path) == "multirobot"
    problem = read_multirobot_problem(path)
    assert problem == Problem(GRID, [(0, 0), (2, 0)], [(0, 2), (1, 0)], names=["agent0", "agent1"])
    plan = read_multirobot(put(tmp_path, SCHEDULE, "out.yaml"), problem)
    assert plan.problem is problem
    assert validate(problem, plan)


@pytest.mark.parametrize(
    "text",
    [
        SCHEDULE.replace("\n", "\r\n"),
        "---\n" + SCHEDULE,
        "# solved by hand\n" + SCHEDULE,
        SCHEDULE + "...\n",
        SCHEDULE.replace("runtime: 1.2e-05", "runtime: [a, {b: c}]"),
    ],
    ids=["crlf", "marker", "comment", "end", "other-statistics"],
)
def test_variations_that_are_fine(tmp_path: Path, text: str) -> None:
    path = put(tmp_path, text)
    assert detect(path) == "multirobot"
    assert read_multirobot(path, GRID).vertices.tolist() == [[0, 8], [1, 4], [2, 4]]


def test_what_python_programs_write(tmp_path: Path) -> None:
    """Keys in alphabetical order, so that agent10 stands before agent2, and a cost that counts states."""
    cells = [(col, row) for row in (0, 2) for col in range(4)] + [(0, 1), (2, 1), (3, 1)]
    paths = {f"agent{index}": cell for index, cell in enumerate(cells)}
    lines = [f"  {name}:\n  - {{t: 0, x: {paths[name][0]}, y: {paths[name][1]}}}\n" for name in sorted(paths)]
    plan = read_multirobot(put(tmp_path, "cost: 11\nschedule:\n" + "".join(lines)), GRID)
    assert plan.problem.names == tuple(paths)
    assert plan.vertices.tolist() == [[row * 4 + col for col, row in cells]]
    assert plan.claimed_cost is None


def test_agents_are_matched_by_name(tmp_path: Path) -> None:
    """If the names are the problem's; other names say nothing, and the order counts."""
    path = put(tmp_path, "schedule: {b: [{x: 0, y: 0, t: 0}], a: [{x: 3, y: 0, t: 0}]}")
    problem = Problem(GRID, [(0, 3), (0, 0)], [(0, 3), (0, 0)], names=["a", "b"])
    assert read_multirobot(path, problem).vertices.tolist() == [[3, 0]]
    assert read_multirobot(path, Problem(GRID, [(0, 3), (0, 0)], [(0, 3), (0, 0)])).vertices.tolist() == [
        [0, 3]
    ]


def test_times_may_skip(tmp_path: Path) -> None:
    """As those of SIPP do: until the next time the agent stays."""
    text = schedule([(0, 0, 0), (1, 0, 3), (2, 0, 4)], [(0, 2, 0), (1, 2, 6)])
    plan = read_multirobot(put(tmp_path, text), GRID)
    assert plan.vertices.T.tolist() == [[0, 0, 0, 1, 2, 2, 2], [8, 8, 8, 8, 8, 8, 9]]


@pytest.mark.parametrize(
    ("kind", "paths"),
    [
        ("vertex", [[(0, 0, 0), (1, 0, 1), (2, 0, 2)], [(2, 0, 0), (1, 0, 1), (0, 0, 2)]]),
        ("swap", [[(0, 0, 0), (1, 0, 1)], [(1, 0, 0), (0, 0, 1)]]),
        ("wall", [[(0, 1, 0), (1, 1, 1), (2, 1, 2)]]),
        ("no_edge", [[(0, 0, 0), (2, 0, 1)]]),
    ],
)
def test_what_is_wrong_is_read_and_judged(
    tmp_path: Path, kind: str, paths: list[list[tuple[int, int, int]]]
) -> None:
    plan = read_multirobot(put(tmp_path, schedule(*paths)), GRID)
    assert [str(violation.kind) for violation in validate(plan.problem, plan).violations] == [kind]


def test_a_wrong_cost_is_judged(tmp_path: Path) -> None:
    plan = read_multirobot(put(tmp_path, SCHEDULE.replace("cost: 3", "cost: 2")), GRID)
    assert [str(violation.kind) for violation in validate(plan.problem, plan).violations] == ["cost"]


BOMB = "a: &a [x]\n" + "".join(f"{c}: &{c} [*{p}, *{p}]\n" for p, c in zip("abcde", "bcdef", strict=True))


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("", 1, "a schedule file must be a mapping, not nothing"),
        ("- 1\n", 1, "a schedule file must be a mapping, not a list"),
        ("statistics: {cost: 1}\n", 1, "there is no schedule in this file"),
        ("statistics: {cost: 1}\nschedule:\n", 2, "there are no agents in this schedule"),
        ("schedule: {}\n", 1, "there are no agents in this schedule"),
        ("schedule: [1]\n", 1, "the schedule must be a mapping, not a list"),
        ("schedule:\n  agent0: 3\n", 2, "the path of agent agent0 must be a list, not a text"),
        ("schedule:\n  agent0: []\n", 2, "agent agent0 has no path"),
        ("schedule:\n  '': []\n", 2, "an agent must have a name"),
        ("schedule:\n  agent0:\n  - 3\n", 3, "a state must be a mapping, not a text"),
        ("schedule:\n  agent0:\n  - {v: v1, t: 0}\n", 3, "a state has no x"),
        ("schedule:\n  agent0:\n  - {x: 0, y: 0}\n", 3, "a state has no t"),
        ("schedule:\n  agent0:\n  - {x: 0.5, y: 0, t: 0}\n", 3, "x must be a whole number, not '0.5'"),
        ("schedule:\n  agent0:\n  - {x: 0, y: [0], t: 0}\n", 3, "y must be a whole number, not a list"),
        ("schedule:\n  agent0:\n  - {x: 0, y: 010, t: 0}\n", 3, "y must be a whole number, not '010'"),
        (f"schedule:\n  agent0:\n  - {{x: {'9' * 5000}, y: 0, t: 0}}\n", 3, "x must be a whole number"),
        ("schedule:\n  agent0:\n  - {x: 0, y: 0, t: 2}\n", 3, "begins at time 2 and not at time 0"),
        (schedule([(0, 0, 0), (1, 0, 2), (2, 0, 1)]), 2, "time 1 of agent agent0 comes after time 2"),
        (schedule([(0, 0, 0), (1, 0, 1), (2, 0, 1)]), 2, "time 1 of agent agent0 comes after time 1"),
        (SCHEDULE.replace("x: 1\n", "x: 4\n"), 12, "row 0, column 4 is outside the map of 3 rows"),
        (SCHEDULE.replace("y: 1\n", "y: -1\n"), 22, "the goal of agent agent1: row -1, column 0 is outside"),
        (schedule([(0, 1, 0), (1, 1, 1)]), 2, "the goal of agent agent0, row 1, column 1, is in a wall"),
        (schedule([(0, 0, 0)], [(0, 0, 0)]), 3, "agents agent0 and agent1 have the same start"),
        (schedule([(0, 0, 0), (1, 0, 999999999)]), None, "paths of up to 999999999 steps are 1000000000 pos"),
        (SCHEDULE.replace("cost: 3", "cost: three"), 2, "the cost must be a whole number, not 'three'"),
        (SCHEDULE.replace("agent1", "agent0"), 18, "the key 'agent0' is given twice"),
        (BOMB + SCHEDULE, 2, "an alias (*name) is not accepted here"),
        ("a: &a [*a]\n", 1, "an alias (*name) is not accepted here"),
        (
            "schedule: !!python/object/apply:os.system ['true']\n",
            1,
            "the tag tag:yaml.org,2002:python/object",
        ),
        ("schedule: !!python/tuple {}\n", 1, "the tag tag:yaml.org,2002:python/tuple is not accepted here"),
        ("schedule: {[1]: 2}\n", 1, "a key must be a text"),
        ("schedule:\n  - a\n b\n", 3, "this is not YAML: "),
        ("a: 1\n---\nb: 2\n", 2, "there is more than one document"),
        ("[" * 100000, 1, "this YAML is nested too deeply"),
        ("schedule: \x01\n", None, "this is not YAML"),
    ],
)
def test_a_broken_schedule_names_its_line(tmp_path: Path, text: str, line: int | None, says: str) -> None:
    path = put(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read_multirobot(path, GRID)
    where = f"{path}:{line}: " if line else f"{path}"
    assert str(caught.value).startswith(where)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (SCHEDULE, 1, "this is a schedule: it goes with its map"),
        ("map: 3\nagents: []\n", 1, "the map must be a mapping, not a text"),
        ("agents: []\n", 1, "an input file has no map"),
        ("map: {dimensions: [4, 3]}\n", 1, "an input file has no agents"),
        ("map: {}\nagents: []\n", 1, "the map has no dimensions"),
        (INPUT.replace("[4, 3]", "[4]"), 9, "the dimensions must be two numbers, x and y, not 1"),
        (INPUT.replace("[4, 3]", "[0, 3]"), 9, "a map has from 1 to 16777216 cells, not 0 x 3"),
        (
            INPUT.replace("[4, 3]", "[99999, 99999]"),
            9,
            "a map has from 1 to 16777216 cells, not 99999 x 99999",
        ),
        (INPUT.replace("[1, 1]", "[4, 1]"), 11, "the obstacle at x 4, y 1 is outside the map of 4 x 3"),
        (INPUT.replace("name: agent1", "name: agent0"), 5, "two agents are named 'agent0'"),
        (INPUT.replace("name: agent1", "name: []"), 6, "the name of an agent must be a name, not a list"),
        (INPUT.replace("    start: [0, 0]\n", ""), 2, "an agent has no start"),
        (
            INPUT.replace("goal: [0, 1]", "goal: [1, 1]"),
            5,
            "the goal of agent agent1, row 1, column 1, is in",
        ),
        (INPUT.replace("goal: [0, 1]", "goal: [2, 0]"), 5, "agents agent0 and agent1 have the same goal"),
        (INPUT.replace("goal: [0, 1]", "potentialGoals: [[0, 1]]"), 5, "may choose among several goals"),
    ],
)
def test_a_broken_input_names_its_line(tmp_path: Path, text: str, line: int, says: str) -> None:
    path = put(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read_multirobot_problem(path)
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert says in str(caught.value)


def test_inputs_with_less_in_them(tmp_path: Path) -> None:
    path = put(
        tmp_path, "map: {dimensions: [2, 1], obstacles: []}\nagents: [{start: [0, 0], goal: [1, 0]}]\n"
    )
    assert read_multirobot_problem(path) == Problem(
        Grid.from_text(".."), [(0, 0)], [(0, 1)], names=["agent0"]
    )
    shared = put(tmp_path, INPUT.replace("goal: [0, 1]", "goal: [2, 0]"))
    assert read_multirobot_problem(shared, rules=Rules(shared_goals=True)).goals.tolist() == [2, 2]


def test_wrong_arguments(tmp_path: Path) -> None:
    path = put(tmp_path, SCHEDULE)
    with pytest.raises(FormatError, match="there are 2 agents in the schedule, but the problem has 1"):
        read_multirobot(path, Problem(GRID, [(0, 0)], [(0, 1)]))
    with pytest.raises(InputError, match="not a Graph"):
        read_multirobot(path, Graph(2, [(0, 1)]))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="rules must be Rules"):
        read_multirobot(path, GRID, rules=3)  # type: ignore[arg-type]


def test_without_pyyaml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing is said; the format itself is still told."""
    monkeypatch.setitem(sys.modules, "yaml", None)
    path = put(tmp_path, SCHEDULE)
    assert detect(path) == "multirobot"
    with pytest.raises(MissingExtraError, match=r"pyyaml is not installed: pip install 'sidestep\[io\]'"):
        read_multirobot(path, GRID)


def test_the_slow_parser_says_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyYAML without libyaml."""
    yaml = pytest.importorskip("yaml")
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    assert read_multirobot(put(tmp_path, SCHEDULE), GRID).vertices.tolist() == [[0, 8], [1, 4], [2, 4]]
    for text in (BOMB, "[" * 2000, "a: \x01", "schedule:\n  - a\n b\n"):
        with pytest.raises(FormatError):
            read_multirobot(put(tmp_path, text), GRID)


FRAGMENTS = st.sampled_from([*"{}[]:,-&*!|>'\"#%@`\n \t", "schedule", "agent0", "x: 0", "t: 0", "map:", "? "])


@settings(max_examples=examples(150), deadline=None)
@given(text=st.text() | st.lists(FRAGMENTS).map("".join), cut=st.integers(0, len(SCHEDULE)))
@example(text="", cut=0)
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str, cut: int) -> None:
    path = tmp_path_factory.getbasetemp() / "any.yaml"
    for whole in (text, SCHEDULE[:cut] + text + SCHEDULE[cut:], INPUT[:cut] + text + INPUT[cut:]):
        path.write_bytes(whole.encode("utf-8", "surrogatepass"))
        for read in (
            lambda: read_multirobot(path, GRID),
            lambda: read_multirobot_problem(path),
            lambda: multirobot.count_agents(path),
            lambda: detect(path),
        ):
            assert_read_or_refused(read, path)


def assert_read_or_refused(read: Callable[[], Any], path: Path) -> None:
    try:
        answer = read()
    except InputError as error:
        answer = error
    if isinstance(answer, InputError):
        assert str(answer).startswith(str(path))
    else:
        assert isinstance(answer, (Plan, Problem, int, str))
