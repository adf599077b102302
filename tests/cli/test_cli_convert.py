"""`sidestep convert`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sidestep import io

from .conftest import Sidestep, scenario

pytestmark = pytest.mark.bounds

PATHS = "Agent 0: (0,0)->(0,1)->(0,2)->\nAgent 1: (2,0)->(2,1)->\n"
SCHEDULE = """\
schedule:
  agent0: [{x: 0, y: 0, t: 0}, {x: 1, y: 0, t: 1}, {x: 2, y: 0, t: 2}]
  agent1: [{x: 0, y: 2, t: 0}, {x: 1, y: 2, t: 1}]
"""
INPUT = """\
map: {dimensions: [4, 3], obstacles: [[1, 1]]}
agents: [{name: x, start: [0, 0], goal: [2, 0]}, {name: y, start: [0, 2], goal: [1, 2]}]
"""
TRACKER = 'map_name,agents,solution_plan\nsmall,1,r\nsmall,2,"rr\nr"\n'


@pytest.fixture
def paths(folder: Path) -> Path:
    (folder / "a.paths").write_text(PATHS)
    return folder / "a.paths"


def test_plans_go_round_through_every_format(sidestep: Sidestep, paths: Path) -> None:
    for source, target, options in (
        ("a.paths", "b.json", ("--map", "small.map")),
        ("b.json", "c.txt", ("--to", "lacam")),
        ("c.txt", "d.json", ("--map", "small.map")),
        ("d.json", "e.paths", ()),
        ("e.paths", "f.txt", ("--map", "small.map", "--to", "lacam")),
        ("f.txt", "g.paths", ("--map", "small.map")),
    ):
        done = sidestep("convert", source, target, *options)
        assert done.code == 0, done.err
        assert target in done.out
    assert Path("e.paths").read_text() == Path("g.paths").read_text() == PATHS
    first, second = io.read_plan("b.json").plan, io.read_plan("d.json").plan
    assert first == second


def test_plans_of_other_programs(sidestep: Sidestep, paths: Path) -> None:
    """Whichever program has written it, it is the same plan."""
    Path("s.yaml").write_text(SCHEDULE)
    Path("i.yaml").write_text(INPUT)
    Path("t.csv").write_text(TRACKER)
    Path("two.scen").write_text(scenario([(0, 0, 2, 0), (0, 2, 1, 2), (3, 0, 3, 0)]))
    for source, target, options in (
        ("s.yaml", "1.paths", ("--map", "small.map")),
        ("s.yaml", "2.paths", ("--map", "small.map", "--scen", "two.scen")),
        ("s.yaml", "3.paths", ("--map", "i.yaml")),
        ("t.csv", "4.paths", ("--map", "small.map", "--scen", "two.scen", "--row", "2")),
        ("t.csv", "5.paths", ("--map", "i.yaml")),
    ):
        done = sidestep("convert", source, target, *options)
        assert done.code == 0, (target, done.err)
        assert Path(target).read_text() == PATHS


def test_planviz_and_back(sidestep: Sidestep, paths: Path) -> None:
    """A run of the League is a trace: it becomes JSON or a map, and no plan."""
    assert sidestep("convert", paths, "v.json", "--map", "small.map", "--to", "planviz").code == 0
    assert json.loads(Path("v.json").read_text())["actualPaths"] == ["R,R", "R,W"]
    assert sidestep("convert", "v.json", "trace.json", "--map", "small.map").code == 0
    assert io.read_trace("trace.json").positions.tolist() == [[0, 8], [1, 9], [2, 9]]
    assert sidestep("convert", "v.json", "again.map", "--map", "small.map").code == 0
    assert io.read_map("again.map") == io.read_map("small.map")
    for target, says in (("w.paths", "IN is only a trace"), ("w.scen", "a run whose goals change")):
        sidestep("convert", "v.json", target, "--map", "small.map").refused(says)


def test_goals_become_tasks_of_a_league_problem_that_runs(sidestep: Sidestep, folder: Path) -> None:
    Path("d.txt").write_text("a . B\nb . A\n")
    assert sidestep("convert", "d.txt", "league.json", "--to", "lorr-input").code == 0
    assert Path("league.tasks").read_text() == "2\n5\n2\n"
    ran = sidestep("run", "league.json", "--turns", "20", "--planner", "pibt", "--json")
    assert ran.code == 0
    assert json.loads(ran.out)["tasks_finished"] == 2
    sidestep("solve", "league.json").refused("whose agents have tasks: use `sidestep run`")
    sidestep("run", "league.json", "--connectivity", "8").refused("8 neighbours")
    alone = sidestep("run", "league.json", "--agents", "1", "--turns", "20", "--planner", "pibt", "--json")
    assert {name: json.loads(alone.out)[name] for name in ("agents", "tasks_finished")} == {
        "agents": 1,
        "tasks_finished": 1,
    }
    drawn = sidestep("run", "league.json", "--tasks", "random", "--turns", "20", "--json")
    assert json.loads(drawn.out)["tasks_finished"] > 2


def test_inputs_of_libmultirobotplanning_are_problems(sidestep: Sidestep, folder: Path) -> None:
    Path("i.yaml").write_text(INPUT)
    for target in ("p.json", "p.map", "p.scen"):
        assert sidestep("convert", "i.yaml", target).code == 0
    assert io.read_problem("p.json").names == ("x", "y")
    assert io.read_map("p.map") == io.read_map("small.map")
    assert sidestep("solve", "i.yaml", "-o", "plan.json").code == 0
    Path("s.yaml").write_text(SCHEDULE)
    sidestep("convert", "s.yaml", "q.json").refused("s.yaml", "it goes with its map")


def test_problems_and_maps(sidestep: Sidestep, folder: Path) -> None:
    for source, target, options in (
        ("small.map", "p.json", ("--scen", "small.scen")),
        ("p.json", "q.map", ()),
        ("p.json", "q.scen", ()),
        ("q.map", "r.json", ("--scen", "q.scen")),
        ("small.map", "s.txt", ("--to", "text")),
        ("s.txt", "t.map", ()),
        ("drawing.txt", "u.json", ("--connectivity", "8")),
    ):
        done = sidestep("convert", source, target, *options)
        assert done.code == 0, (source, target, done.err)
    assert io.read_problem("p.json") == io.read_problem("r.json")
    assert io.read_map("t.map") == io.read_map("small.map")
    assert "\tp.map\t" in Path("q.scen").read_text()


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["a.paths", "b.json"], ["a.paths", "--map"]),
        (["a.paths", "b.txt", "--map", "small.map"], ["b.txt", "--to"]),
        (["a.paths", "b.json", "--map", "small.map", "--to", "yaml"], ["--to"]),
        (["a.paths", "b.jsn", "--map", "small.map"], ["b.jsn", "Did you mean .json?", "--to"]),
        (["drawing.txt", "b.paths"], ["no plan"]),
        (["drawing.txt", "b.txt", "--to", "lacam"], ["no plan"]),
        (["drawing.txt", "b.json", "--map", "small.map"], ["--map"]),
        (["drawing.txt", "b.json", "--row", "1"], ["--row"]),
        (["drawing.txt", "b.json", "--up", "row-1"], ["--up"]),
        (["drawing.txt", "b.json", "--to", "planviz"], ["no plan"]),
        (["drawing.txt", "nowhere/b.json"], ["no folder nowhere"]),
        (["drawing.txt", ".", "--to", "json"], ["folder"]),
        (["missing.txt", "b.json"], ["missing.txt"]),
        (["small.scen", "b.json"], ["small.scen", "scenario"]),
        (["drawing.txt"], ["OUT"]),
    ],
)
def test_bad_input(
    sidestep: Sidestep, paths: Path, unchanged: Callable[[], None], arguments: list[str], parts: list[str]
) -> None:
    sidestep("convert", *arguments).refused(*parts)
    unchanged()
