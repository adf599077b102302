"""Plan and problem files: round trips, stable bytes, and a sentence for every broken or hostile file."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidestep import Agent, FormatError, Graph, Grid, InputError, Plan, Problem, Result, Rules, Status
from sidestep.io import (
    PlanFile,
    detect,
    read_plan,
    read_problem,
    read_trace,
    write_plan,
    write_problem,
    write_result,
)
from sidestep.io import paths as paths_module
from tests.sizing import examples

pytestmark = pytest.mark.bounds


@dataclass(frozen=True)
class Solver:
    name: ClassVar[str] = "whca"
    window: int = 16
    shares: tuple[float, ...] = (0.5, 0.25)


@dataclass(frozen=True)
class Wrapper:
    name: ClassVar[str] = "wrapper"
    inner: Any = Solver(window=8)
    limit: float = float("inf")


PROBLEM = Problem.from_text("a.A\n.#.\nb.B")
PLAN = Plan(PROBLEM, [[0, 6], [1, 7], [2, 8], [2, 8]])
RESULT = Result(
    PROBLEM, Solver(), seed=7, status=Status.SOLVED, plan=PLAN, lower_bound=4, stats={"b": 1.5, "a": 2}
)
GOLDEN = """\
{
 "format": "sidestep-plan",
 "version": 1,
 "problem": {
  "space": {
   "kind": "grid",
   "connectivity": 4,
   "corners": "none",
   "rows": [
    "...",
    ".#.",
    "..."
   ]
  },
  "rules": {"following": true, "crossing": false, "at_goal": "stay", "shared_goals": false, "cost": "sum_of_costs"},
  "agents": [
   {"name": "a", "start": [0, 0], "goal": [0, 2], "priority": 0, "size": 1, "period": 1},
   {"name": "b", "start": [2, 0], "goal": [2, 2], "priority": 0, "size": 1, "period": 1}
  ]
 },
 "plan": {"claimed_cost": 4, "makespan": 3, "paths": [[0, 1, 2], [6, 7, 8]]},
 "result": {
  "status": "solved",
  "reason": "",
  "solver": {"name": "whca", "parameters": {"window": 16, "shares": [0.5, 0.25]}},
  "seed": 7,
  "lower_bound": 4,
  "stats": {"a": 2, "b": 1.5}
 }
}
"""  # noqa: E501  # as it is in the file


def put(folder: Path, text: str) -> Path:
    path = folder / "plan.json"
    path.write_bytes(text.encode())
    return path


# Round trips


def test_golden_file(tmp_path: Path) -> None:
    write_result(RESULT, tmp_path / "plan.json")
    assert (tmp_path / "plan.json").read_text() == GOLDEN


def test_read(tmp_path: Path) -> None:
    found = read_plan(put(tmp_path, GOLDEN))
    assert found == PlanFile(
        problem=PROBLEM,
        plan=PLAN,
        status=Status.SOLVED,
        solver="whca",
        parameters={"window": 16, "shares": [0.5, 0.25]},
        seed=7,
        lower_bound=4,
        stats={"a": 2, "b": 1.5},
    )
    assert found.plan is not None
    assert found.plan.claimed_cost == 4


def test_a_problem_alone(tmp_path: Path) -> None:
    write_problem(PROBLEM, tmp_path / "problem.json")
    assert read_plan(tmp_path / "problem.json") == PlanFile(PROBLEM)
    assert read_problem(tmp_path / "problem.json") == PROBLEM
    assert read_problem(put(tmp_path, GOLDEN)) == PROBLEM


@pytest.mark.parametrize("claimed", [None, 0, 99, -(2**40)])
def test_a_plan_keeps_its_claim(tmp_path: Path, claimed: int | None) -> None:
    path = tmp_path / "plan.json"
    write_plan(Plan(PROBLEM, PLAN.vertices, claimed_cost=claimed), path)
    found = read_plan(path)
    assert found.status is None
    assert found.plan is not None
    assert found.plan.claimed_cost == claimed


def test_a_result_keeps_the_claim_of_a_foreign_plan(tmp_path: Path) -> None:
    plan = Plan(PROBLEM, PLAN.vertices, claimed_cost=99)
    write_result(Result(PROBLEM, None, 0, Status.SOLVED, plan), tmp_path / "plan.json")
    found = read_plan(tmp_path / "plan.json")
    assert found.plan is not None
    assert (found.plan.claimed_cost, found.solver) == (99, None)


def test_a_result_without_a_plan(tmp_path: Path) -> None:
    write_result(
        Result(PROBLEM, Solver(), 0, Status.TIMEOUT, reason="1000 nodes: a is stuck"), tmp_path / "plan.json"
    )
    found = read_plan(tmp_path / "plan.json")
    assert (found.plan, found.status, found.reason) == (None, Status.TIMEOUT, "1000 nodes: a is stuck")


def test_a_handwritten_problem_needs_little(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        '{"format": "sidestep-plan", "version": 1, "problem":'
        ' {"space": {"kind": "grid", "rows": ["..", ".."]}, "agents": [{"start": [0, 1]}]}}',
    )
    assert read_problem(path) == Problem(Grid.from_text("..\n.."), [(0, 1)], [None])


def test_an_invalid_plan_is_readable(tmp_path: Path) -> None:
    """Walls, jumps and absences are for the judge."""
    plan = Plan(PROBLEM, [[0, 6], [4, 4], [-1, 8]])
    write_plan(plan, tmp_path / "plan.json")
    assert read_plan(tmp_path / "plan.json").plan == plan


@st.composite
def spaces(draw: st.DrawFn) -> Grid | Graph:
    if draw(st.booleans()):
        shape = draw(st.tuples(st.integers(1, 5), st.integers(1, 5)))
        cells = draw(st.lists(st.booleans(), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]))
        corners = draw(st.sampled_from(["none", "one", "free"]))
        return Grid(np.array(cells).reshape(shape), draw(st.sampled_from([4, 8])), corners)
    n = draw(st.integers(2, 8))
    pair = st.lists(st.integers(0, n - 1), min_size=2, max_size=2, unique=True)
    edges = draw(st.lists(pair, max_size=12))
    edge = st.integers(0, max(len(edges) - 1, 0))
    points = st.lists(st.tuples(*[st.floats(-1e9, 1e9)] * 2), min_size=n, max_size=n)
    return Graph(
        n,
        edges,
        directed=draw(st.booleans()),
        positions=draw(st.none() | points),
        edge_conflicts=draw(st.lists(st.tuples(edge, edge), max_size=3)) if edges else None,
    )


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    space = draw(spaces())
    places = [space.place(int(vertex)) for vertex in np.flatnonzero(space.open)]
    count = draw(st.integers(0, min(4, len(places))))
    starts, goals = (draw(st.permutations(places))[:count] for _ in range(2))
    names = draw(st.lists(st.text(min_size=1), min_size=count, max_size=count, unique=True))
    agents = [
        Agent(
            start,
            draw(st.sampled_from([goal, None])),
            name=name,
            priority=draw(st.integers(-9, 9)),
            period=draw(st.integers(1, 1000)),
        )
        for start, goal, name in zip(starts, goals, names, strict=True)
    ]
    flags = [draw(st.booleans()) for _ in range(3)]
    at_goal = draw(st.sampled_from(["stay", "disappear"]))
    cost = draw(st.sampled_from(["sum_of_costs", "time_off_goal"]))
    rules = Rules(flags[0], flags[1], at_goal, flags[2], cost)
    return Problem.from_agents(space, agents, rules=rules)


@settings(max_examples=examples(150), deadline=None)
@given(problem=problems(), data=st.data())
def test_plans_round_trip(
    tmp_path_factory: pytest.TempPathFactory, problem: Problem, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "round.json"
    row = st.lists(st.integers(-1, problem.space.n - 1), min_size=problem.n_agents, max_size=problem.n_agents)
    rows = data.draw(st.lists(row, min_size=1, max_size=6))
    plan = Plan(problem, np.array(rows, dtype=np.int32).reshape(len(rows), problem.n_agents))
    write_plan(plan, path)
    first = path.read_bytes()
    again = read_plan(path).plan
    assert again == plan
    assert again is not None
    write_plan(again, path)
    assert path.read_bytes() == first
    json.loads(first)  # any JSON reader can read it


def test_the_order_of_stats_does_not_matter(tmp_path: Path) -> None:
    for name, stats in (("one", {"x": 1, "y": 2}), ("other", {"y": 2, "x": 1})):
        write_result(Result(PROBLEM, Solver(), 0, Status.SOLVED, PLAN, stats=stats), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_values_of_solvers_become_plain(tmp_path: Path) -> None:
    stats = {
        "seconds": np.float64(0.5),
        "nodes": np.int64(3),
        "rounds": np.arange(2),
        "by_stage": {"plan": (1, 2)},
        "ratio": float("nan"),
        "status": Status.SOLVED,
        "none": None,
    }
    result = Result(
        PROBLEM, Wrapper(), np.int64(2), Status.SOLVED, PLAN, lower_bound=np.int32(3), stats=stats
    )
    write_result(result, tmp_path / "plan.json")
    found = read_plan(tmp_path / "plan.json")
    assert found.stats == {
        "seconds": 0.5,
        "nodes": 3,
        "rounds": [0, 1],
        "by_stage": {"plan": [1, 2]},
        "ratio": None,
        "status": "solved",
        "none": None,
    }
    assert found.parameters["inner"] == {"name": "whca", "parameters": {"window": 8, "shares": [0.5, 0.25]}}
    assert found.parameters["limit"] is None
    assert (found.seed, found.lower_bound) == (2, 3)


# What cannot be written


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"stats": {"a": {"b": [set()]}}}, r"stats\.a\.b\[0\] is a set, which a plan file cannot keep"),
        ({"stats": {"a": {1: 2}}}, "stats.a has the key 1"),
        ({"stats": {"a": 10**400}}, "stats.a is a number of more than 64 bits"),
        ({"solver": Wrapper(inner=print)}, "wrapper.inner is a builtin_function"),
        ({"seed": 1.5}, "seed must be a whole number"),
        ({"seed": 2**64}, "seed must be a whole number of at most 64 bits"),
        ({"lower_bound": 3.0}, "lower_bound must be a whole number"),
    ],
)
def test_nothing_is_written_on_failure(tmp_path: Path, changes: dict[str, Any], says: str) -> None:
    parts = {"problem": PROBLEM, "solver": Solver(), "seed": 0, "status": Status.SOLVED, "plan": PLAN}
    with pytest.raises(InputError, match=says):
        write_result(Result(**(parts | changes)), tmp_path / "plan.json")
    assert not list(tmp_path.iterdir())


def test_a_plan_beyond_the_limit_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths_module, "MOST_WRITTEN", 7)
    with pytest.raises(InputError, match="at most"):
        write_plan(PLAN, tmp_path / "plan.json")
    assert not list(tmp_path.iterdir())


# What cannot be read

DELETE = object()


def changed(where: str, value: Any, document: str = GOLDEN) -> str:
    """The golden document with the field at a dotted path replaced or deleted."""
    root = json.loads(document)
    *parents, last = [int(key) if key.isdigit() else key for key in where.split(".")]
    target = root
    for key in parents:
        target = target[key]
    if value is DELETE:
        del target[last]
    else:
        target[last] = copy.deepcopy(value)
    return json.dumps(root)


@pytest.mark.parametrize(
    ("where", "value", "says"),
    [
        ("format", DELETE, "format is missing"),
        ("format", "sidestep-trace", "format must be 'sidestep-plan', not 'sidestep-trace'"),
        ("format", 1, "format must be a string, not a number"),
        ("version", DELETE, "version is missing"),
        ("version", 2, "version must be 1, not 2"),
        ("version", "1", "version must be a whole number, not a string"),
        ("version", True, "version must be a whole number, not true or false"),
        ("version", 1.0, "version must be a whole number, not a number"),
        ("version", 10**30, "version must be from"),
        ("problem", DELETE, "problem is missing"),
        ("problem", [], "problem must be an object, not a list"),
        ("problem", None, "problem must be an object, not null"),
        ("problem.space", DELETE, "problem.space is missing"),
        ("problem.space.kind", "torus", "problem.space.kind must be 'grid' or 'graph', not 'torus'"),
        ("problem.space.kind", DELETE, "problem.space.kind is missing"),
        ("problem.space.rows", DELETE, "problem.space.rows is missing"),
        ("problem.space.rows", [], "problem.space.rows must have at least one row"),
        ("problem.space.rows", [""], "problem.space: a grid needs at least one cell"),
        ("problem.space.rows", "...", "problem.space.rows must be a list, not a string"),
        ("problem.space.rows.1", 3, "problem.space.rows[1] must be a string, not a number"),
        ("problem.space.rows.1", "..", "problem.space.rows[1] has 2 cells where the first row has 3"),
        ("problem.space.rows.1", ".@.", "problem.space.rows[1] must be made of '.' and '#'"),
        ("problem.space.connectivity", 6, "problem.space: connectivity must be 4 or 8"),
        ("problem.space.corners", "both", "problem.space: corners must be"),
        ("problem.space.colour", "red", "problem.space.colour is not a field of this format"),
        ("problem.rules", [], "problem.rules must be an object"),
        ("problem.rules.following", 1, "problem.rules.following must be true or false, not a number"),
        ("problem.rules.at_goal", "vanish", "problem.rules: rule at_goal must be"),
        ("problem.rules.cost", 1, "problem.rules.cost must be a string"),
        ("problem.rules.hurrying", True, "problem.rules.hurrying is not a field"),
        ("problem.agents", DELETE, "problem.agents is missing"),
        ("problem.agents", {}, "problem.agents must be a list, not an object"),
        ("problem.agents.0", 3, "problem.agents[0] must be an object, not a number"),
        ("problem.agents.0.start", DELETE, "problem.agents[0].start is missing"),
        ("problem.agents.0.start", None, "problem.agents[0].start must be a list, not null"),
        ("problem.agents.0.start", [0], "problem.agents[0].start must be [row, col], not 1 numbers"),
        ("problem.agents.0.start", [0, 1.0], "problem.agents[0].start[1] must be a whole number"),
        ("problem.agents.0.start", [0, True], "problem.agents[0].start[1] must be a whole number"),
        ("problem.agents.0.start", [0, 10**12], "problem.agents[0].start[1] must be from"),
        ("problem.agents.0.start", [0, 9], "problem.agents[0]: cell (0, 9) is outside the grid"),
        ("problem.agents.0.start", [1, 1], "problem: the start of agent a, [1, 1], is in a wall"),
        ("problem.agents.0.start", [2, 0], "problem: agents a and b have the same start"),
        ("problem.agents.0.goal", [2, 2], "problem: agents a and b have the same goal"),
        ("problem.agents.1.name", "a", "problem.agents has two agents named 'a'"),
        ("problem.agents.1.name", "", "problem: an agent's name must be"),
        ("problem.agents.1.name", 7, "problem.agents[1].name must be a string"),
        ("problem.agents.1.priority", "high", "problem.agents[1].priority must be a whole number"),
        ("problem.agents.1.priority", 2**31, "problem.agents[1].priority must be from"),
        ("problem.agents.1.size", 0, "problem.agents[1].size must be from 1"),
        ("problem.agents.1.period", -1, "problem.agents[1].period must be from 1"),
        ("problem.agents.1.prioritiy", 1, "problem.agents[1].prioritiy is not a field of this format"),
        ("plan", [], "plan must be an object"),
        ("plan.makespan", DELETE, "plan.makespan is missing"),
        ("plan.makespan", -1, "plan.makespan must be from 0"),
        ("plan.makespan", 1, "plan.paths[0] must have from 1 to 2 vertices, not 3"),
        ("plan.makespan", 2**31 - 2, "2 paths of up to 2147483646 steps are"),
        ("plan.makespan", 2**31, "plan.makespan must be from"),
        ("plan.claimed_cost", 4.5, "plan.claimed_cost must be a whole number"),
        ("plan.claimed_cost", 10**30, "plan.claimed_cost must be from"),
        ("plan.paths", DELETE, "plan.paths is missing"),
        ("plan.paths", [[0]], "plan.paths must have one path per agent, 2, not 1"),
        ("plan.paths.1", [], "plan.paths[1] must have from 1 to 4 vertices, not 0"),
        ("plan.paths.1", 3, "plan.paths[1] must be a list, not a number"),
        ("plan.paths.1.2", 9, "plan.paths[1][2] must be from -1 to 8"),
        ("plan.paths.1.2", -2, "plan.paths[1][2] must be from -1 to 8"),
        ("plan.paths.1.0", None, "plan.paths[1][0] must be a whole number, not null"),
        ("plan.paths.1.0", True, "plan.paths[1][0] must be a whole number, not true or false"),
        ("plan.cost", 4, "plan.cost is not a field of this format"),
        ("result.status", "done", "result.status must be one of optimal, solved, timeout"),
        ("result.status", DELETE, "result.status is missing"),
        ("result.seed", "7", "result.seed must be a whole number"),
        ("result.lower_bound", 1.5, "result.lower_bound must be a whole number"),
        ("result.stats", [], "result.stats must be an object"),
        ("result.stats", {"seconds": 10**400}, "result.stats has a number of more than 64 bits"),
        ("result.solver", "whca", "result.solver must be an object, not a string"),
        ("result.solver.name", DELETE, "result.solver.name is missing"),
        ("result.solver.parameters", [], "result.solver.parameters must be an object"),
        ("result.solver.version", "1", "result.solver.version is not a field"),
        ("results", {}, "results is not a field of this format"),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, where: str, value: Any, says: str) -> None:
    path = put(tmp_path, changed(where, value))
    with pytest.raises(FormatError) as caught:
        read_plan(path)
    assert str(caught.value).startswith(f"{path}: {says}")
    assert "\n" not in str(caught.value)


GRAPH = json.dumps(
    {
        "format": "sidestep-plan",
        "version": 1,
        "problem": {
            "space": {
                "kind": "graph",
                "n": 3,
                "directed": False,
                "edges": [[0, 1], [1, 2]],
                "positions": [[0, 0], [1, 0.5], [2, 0]],
                "edge_conflicts": [[0, 1]],
            },
            "agents": [{"start": 0, "goal": 2}],
        },
    }
)


def test_a_graph(tmp_path: Path) -> None:
    problem = read_problem(put(tmp_path, GRAPH))
    graph = Graph(3, [(0, 1), (1, 2)], positions=[(0, 0), (1, 0.5), (2, 0)], edge_conflicts=[(0, 1)])
    assert problem == Problem(graph, [0], [2])


@pytest.mark.parametrize(
    ("where", "value", "says"),
    [
        ("n", DELETE, "n is missing"),
        ("n", 0, "n must be from 1"),
        ("n", 2**31 - 1, "n must be from 1 to 16777216"),
        ("edges", DELETE, "edges is missing"),
        ("edges.1", [1], "edges[1] must have two entries, not 1"),
        ("edges.1", [1, 3], "edges[1][1] must be from 0 to 2"),
        ("edges.1", [1, True], "edges[1][1] must be a whole number"),
        ("edge_conflicts", [[0, 2]], ": edge_conflicts[0] = [0, 2] names no edge"),
        ("directed", "yes", "directed must be true or false"),
        ("positions", [[0, 0]], "positions must have one point per vertex, 3, not 1"),
        ("positions.2", [0, "x"], "positions[2] must be two numbers"),
        ("positions.2", [0, 10**400], "positions[2] must be two numbers"),
        ("rows", ["."], "rows is not a field of this format"),
    ],
)
def test_a_wrong_graph_is_named(tmp_path: Path, where: str, value: Any, says: str) -> None:
    path = put(tmp_path, changed(f"problem.space.{where}", value, GRAPH))
    with pytest.raises(FormatError) as caught:
        read_problem(path)
    dot = "" if says.startswith(":") else "."
    assert str(caught.value).startswith(f"{path}: problem.space{dot}{says}")


def test_a_start_off_the_graph(tmp_path: Path) -> None:
    for value, says in ((3, "must be from 0 to 2"), ([0, 0], "must be a whole number, not a list")):
        path = put(tmp_path, changed("problem.agents.0.start", value, GRAPH))
        with pytest.raises(FormatError, match=rf"problem\.agents\[0\]\.start {says}"):
            read_problem(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", ":1: this is not JSON"),
        ("[]", ": the file must be an object, not a list"),
        ("null", ": the file must be an object, not null"),
        (GOLDEN[:-100], ": this is not JSON"),
        (GOLDEN.replace('"rules"', "rules"), ":15: this is not JSON"),
        (GOLDEN + "{}", ":31: this is not JSON: Extra data"),
        ("[" * 200_000, ": this JSON is nested too deeply"),
        ('{"a":' * 200_000, ": this JSON is nested too deeply"),
        (GOLDEN.replace('"seed": 7', '"seed": NaN'), ": NaN is not a number of JSON"),
        (GOLDEN.replace('"seed": 7', '"seed": -Infinity'), ": -Infinity is not a number of JSON"),
        (GOLDEN.replace('"b": 1.5', '"b": 1e999'), ": the number 1e999 is too large"),
        (GOLDEN.replace('"seed": 7', f'"seed": {"7" * 10_000}'), ": a number is too large"),
        (GOLDEN.replace('"version": 1', '"version": 1, "version": 1'), ": the key 'version' is given twice"),
        (GOLDEN.replace('"a": 2', '"b": 2'), ": the key 'b' is given twice"),
    ],
)
def test_hostile_json(tmp_path: Path, text: str, says: str) -> None:
    path = put(tmp_path, text)
    with pytest.raises(FormatError) as caught:
        read_plan(path)
    assert says in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert len(str(caught.value)) < 400


@settings(max_examples=examples(100), deadline=None)
@given(data=st.data())
def test_no_change_of_a_value_escapes_as_another_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever stands in whatever field: a plan file, or a FormatError."""
    document = json.loads(data.draw(st.sampled_from([GOLDEN, GRAPH])))
    replace_somewhere(document, data.draw)
    path = tmp_path_factory.getbasetemp() / "hostile.json"
    path.write_text(json.dumps(document))
    try:
        outcome: PlanFile | str = read_plan(path)
    except FormatError as error:
        outcome = str(error)
    assert isinstance(outcome, PlanFile) or outcome.startswith(str(path))


def replace_somewhere(value: Any, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
    anything = st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=6,
    )
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = draw(st.sampled_from(keys))
    if isinstance(value[key], (dict, list)) and value[key] and draw(st.integers(0, 4)):
        replace_somewhere(value[key], draw)
    else:
        value[key] = draw(anything)


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.json: there is no such file$"):
        read_plan(tmp_path / "absent.json")
    (tmp_path / "image").write_bytes(b"\x89PNG\0")
    with pytest.raises(FormatError, match="this is a binary file"):
        read_problem(tmp_path / "image")


def test_the_examples_of_the_documentation(tmp_path: Path) -> None:
    """Every JSON block of docs/formats.md is a file that can be read."""
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```json\n(.*?)```", page, re.DOTALL)
    readers = {"plan": read_plan, "trace": read_trace}
    names = [detect(put(tmp_path, block)) for block in blocks]
    assert names == ["plan", "plan", "trace"]
    for name, block in zip(names, blocks, strict=True):
        readers[name](put(tmp_path, block))
