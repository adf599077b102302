"""`sidestep validate`: our plans and traces, and those of other programs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sidestep as ss
from sidestep import io
from sidestep.model.agents import AgentTable

from .conftest import Sidestep, scenario

pytestmark = pytest.mark.bounds

PATHS = "Agent 0: (0,0)->(0,1)->(0,2)->\nAgent 1: (2,0)->(2,1)->\n"


@pytest.fixture
def problem(folder: Path) -> ss.Problem:
    return io.read_text(folder / "drawing.txt")


@pytest.fixture
def paths(folder: Path) -> Path:
    (folder / "paths.txt").write_text(PATHS)
    return folder / "paths.txt"


def test_a_valid_plan(sidestep: Sidestep, folder: Path) -> None:
    assert sidestep("solve", "drawing.txt", "-o", "plan.json").code == 0
    done = sidestep("validate", "plan.json")
    assert done.code == 0
    assert done.out.startswith("valid: plan.json: 2 agents")
    assert sidestep("validate", "plan.json", "--json").json["valid"] is True


def test_a_plan_that_collides(sidestep: Sidestep, folder: Path, problem: ss.Problem) -> None:
    io.write_plan(ss.Plan(problem, [problem.starts, [3, 3], problem.goals], claimed_cost=4), "plan.json")
    done = sidestep("validate", "plan.json")
    assert done.code == 1
    assert done.out.startswith("not valid: plan.json")
    answer = sidestep("validate", "plan.json", "--json").json
    assert answer["valid"] is False
    assert answer["count"] == len(answer["violations"])
    assert "vertex" in {violation["kind"] for violation in answer["violations"]}


def test_a_wrong_claim_about_the_cost(sidestep: Sidestep, folder: Path) -> None:
    grid = ss.Grid(np.ones((1, 3), dtype=np.bool_))
    io.write_plan(ss.Plan(ss.Problem(grid, [(0, 0)], [(0, 2)]), [[0], [1], [2]], claimed_cost=1), "plan.json")
    (violation,) = sidestep("validate", "plan.json", "--json").json["violations"]
    assert violation["kind"] == "cost"


def test_eecbs_paths(sidestep: Sidestep, paths: Path) -> None:
    assert sidestep("validate", paths, "--map", "small.map").code == 0
    paths.write_text(PATHS.replace("(2,1)", "(1,1)"))  # the wall
    sidestep("validate", paths, "--map", "small.map").refused("wall")
    paths.write_text(PATHS.replace("(0,1)->", ""))
    done = sidestep("validate", paths, "--map", "small.map", "--json")
    assert done.code == 1
    assert done.json["violations"][0]["kind"] == "no_edge"


def test_a_scenario_is_held_against_the_paths(sidestep: Sidestep, paths: Path) -> None:
    done = sidestep("validate", paths, "--map", "small.map", "--scen", "small.scen", "--json")
    assert done.code == 1
    assert {"start", "goal"} <= {violation["kind"] for violation in done.json["violations"]}


def test_a_lacam_result(sidestep: Sidestep, paths: Path) -> None:
    assert sidestep("convert", paths, "result.txt", "--to", "lacam", "--map", "small.map").code == 0
    assert sidestep("validate", "result.txt", "--map", "small.map").code == 0


def test_a_scenario_may_say_what_a_path_does_not(sidestep: Sidestep, paths: Path) -> None:
    """A path into a wall has no goal by itself; with its scenario it is judged."""
    Path("two.scen").write_text(scenario([(0, 0, 2, 0), (0, 2, 1, 2)]))
    paths.write_text(PATHS.replace("(2,1)->", "(2,1)->(1,1)->"))
    done = sidestep("validate", paths, "--map", "small.map", "--scen", "two.scen", "--json")
    assert [violation["kind"] for violation in done.json["violations"]] == ["wall", "goal"]


SWAPS = {
    "multirobot": "schedule:\n  a: [{x: 0, y: 0, t: 0}, {x: 1, y: 0, t: 1}]\n"
    "  b: [{x: 1, y: 0, t: 0}, {x: 0, y: 0, t: 1}]\n",
    "tracker": 'agents,solution_plan\n2,"r\nl"\n1,r\n',
    "lorr": '{"actionModel": "MAPF_T", "start": [[0, 0, "E"], [0, 1, "W"]], "actualPaths": ["F", "F"]}',
}


@pytest.mark.parametrize("kind", SWAPS)
def test_other_programs(sidestep: Sidestep, folder: Path, kind: str) -> None:
    """A swap is found in every format."""
    Path("run").write_text(SWAPS[kind])
    Path("swap.scen").write_text(scenario([(0, 0, 1, 0), (1, 0, 0, 0), (3, 0, 3, 0)]))
    options = {"tracker": ["--scen", "swap.scen", "--row", "1"]}.get(kind, [])
    done = sidestep("validate", "run", "--map", "small.map", *options, "--json")
    assert done.code == 1, done.err
    assert [violation["kind"] for violation in done.json["violations"]] == ["swap"]


@pytest.mark.parametrize(
    ("kind", "options", "parts"),
    [
        ("multirobot", [], ["a schedule of libMultiRobotPlanning without its map", "--map"]),
        ("tracker", ["--map", "small.map"], ["says only how agents move", "--scen"]),
        ("tracker", ["--map", "small.map", "--scen", "small.scen"], ["there are 2 plans", "say which row"]),
        ("tracker", ["--map", "small.map", "--scen", "small.scen", "--row", "3"], ["from 1 to 2, not 3"]),
        ("lorr", [], ["a run of the League of Robot Runners without its map"]),
        ("lorr", ["--map", "small.map", "--scen", "small.scen"], ["its own starts", "--scen"]),
        ("lorr", ["--map", "small.map", "--row", "1"], ["the League", "it goes without --row"]),
        ("multirobot", ["--map", "small.map", "--up", "row-1"], ["it goes without --up"]),
    ],
)
def test_what_other_programs_need(
    sidestep: Sidestep, folder: Path, kind: str, options: list[str], parts: list[str]
) -> None:
    Path("run").write_text(SWAPS[kind])
    sidestep("validate", "run", *options).refused("run", *parts)


def test_up_and_down(sidestep: Sidestep, folder: Path) -> None:
    """U is down the map, or up if the command line says so."""
    Path("run").write_text('{"actionModel": "MAPF", "start": [[0, 0, "N/A"]], "actualPaths": ["U,U"]}')
    assert sidestep("validate", "run", "--map", "small.map").code == 0
    sidestep("validate", "run", "--map", "small.map", "--up", "row-1").refused("leaves the map at time 1")


def test_rules_of_the_command_line(sidestep: Sidestep, paths: Path) -> None:
    paths.write_text("Agent 0: (0,0)->(0,1)->\nAgent 1: (0,1)->(0,2)->\n")
    assert sidestep("validate", paths, "--map", "small.map").code == 0
    done = sidestep("validate", paths, "--map", "small.map", "--no-following")
    assert done.code == 1
    assert "leaving" in done.out


def test_a_trace(sidestep: Sidestep, folder: Path) -> None:
    grid = ss.Grid(np.ones((1, 3), dtype=np.bool_))
    positions = np.array([[0], [1], [1]], dtype=np.int32)
    trace = ss.Trace(
        agents=AgentTable(
            grid,
            ("a0",),
            np.array([0], dtype=np.int32),
            np.array([2], dtype=np.int32),
            priorities=np.zeros(1, dtype=np.int32),
        ),
        rules=ss.Rules(),
        start_time=0,
        open=grid.open,
        positions=positions,
        events=np.zeros((0, 4), dtype=np.int32),
    )
    io.write_trace(trace, "trace.json")
    done = sidestep("validate", "trace.json")
    assert done.code == 0, done.out + done.err
    assert "a trace of 2 turns" in done.out


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["paths.txt"], ["paths.txt", "--map"]),
        (["paths.txt", "--map", "missing.map"], ["missing.map", "no such file"]),
        (["paths.txt", "--map", "."], ["folder"]),
        (["paths.txt", "--map", "drawing.txt"], ["drawing.txt"]),
        (["missing.json"], ["missing.json", "no such file"]),
        (["."], ["folder"]),
        (["drawing.txt"], ["drawing.txt", "no plan"]),
        (["small.map"], ["small.map", "no plan"]),
        (["problem.json"], ["problem.json", "without a plan"]),
        (["problem.json", "--map", "small.map"], ["problem.json", "its own problem"]),
        (["broken.json"], ["broken.json"]),
    ],
)
def test_bad_input(sidestep: Sidestep, paths: Path, arguments: list[str], parts: list[str]) -> None:
    assert sidestep("convert", "drawing.txt", "problem.json").code == 0
    Path("broken.json").write_text('{"format": "sidestep-plan", "version": 1, "problem": 3}')
    sidestep("validate", *arguments).refused(*parts)


def test_a_small_file_may_claim_more_positions_if_it_is_told_so(sidestep: Sidestep, folder: Path) -> None:
    problem = ss.Problem.from_text("a . A")
    io.write_plan(ss.Plan(problem, [[0], [1], [2]]), "plan.json")
    text = Path("plan.json").read_text()
    Path("plan.json").write_text(text.replace('"makespan": 2', f'"makespan": {2**24}'))
    sidestep("validate", "plan.json").refused("positions", "max_positions allows more")
    assert sidestep("validate", "plan.json", "--max-positions", "20000000").code == 0
    sidestep("validate", "plan.json", "--max-positions", "0").refused("max_positions must be")
