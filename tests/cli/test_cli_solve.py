"""`sidestep solve`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sidestep as ss
from sidestep import io

from .conftest import Sidestep, scenario

pytestmark = pytest.mark.bounds


def test_a_drawing_is_solved_and_written(sidestep: Sidestep, folder: Path) -> None:
    done = sidestep("solve", "drawing.txt", "-o", "plan.json")
    assert done.code == 0, done.err
    assert "plan.json" in done.out
    assert done.err == ""
    kept = io.read_plan("plan.json")
    assert kept.plan is not None
    assert ss.validate(kept.problem, kept.plan)
    assert (kept.solver, kept.problem.n_agents) == ("auto", 2)


def test_a_map_with_its_scenario(sidestep: Sidestep, folder: Path) -> None:
    answer = sidestep("solve", "small.map", "--scen", "small.scen", "--agents", 2, "--json").json
    assert answer["status"] in ("solved", "optimal")
    assert answer["agents"] == 2
    assert answer["valid"] is True


def test_json_is_one_object_and_nothing_else(sidestep: Sidestep, folder: Path) -> None:
    done = sidestep("solve", "drawing.txt", "--solver", "whca", "--window", 8, "--seed", 3, "--json")
    answer = json.loads(done.out)
    assert answer["parameters"]["window"] == 8
    assert answer["seed"] == 3
    assert answer["solver"] == "whca"
    assert answer["cost"] >= (answer["lower_bound"] or 0)
    assert done.err == ""


def test_a_problem_file_and_a_plan_file_are_inputs_too(sidestep: Sidestep, folder: Path) -> None:
    assert sidestep("convert", "drawing.txt", "problem.json").code == 0
    assert sidestep("solve", "problem.json", "-o", "plan.json").code == 0
    assert sidestep("solve", "plan.json", "--solver", "lra").code in (0, 1)
    assert sidestep("solve", "plan.json", "--agents", 1, "--json").json["agents"] == 1


def test_what_the_command_line_says_goes_over_the_file(sidestep: Sidestep, folder: Path) -> None:
    sidestep("convert", "drawing.txt", "problem.json")
    done = sidestep("solve", "problem.json", "--connectivity", 8, "--crossing", "-o", "plan.json")
    assert done.code == 0
    problem = io.read_problem("plan.json")
    assert isinstance(problem.space, ss.Grid)
    assert problem.space.connectivity == 8
    assert problem.rules.crossing


def test_no_plan_is_exit_code_1_and_writes_nothing(sidestep: Sidestep, folder: Path) -> None:
    (folder / "corridor.txt").write_text("a B A b\n".replace(" ", ""))
    (folder / "walled.txt").write_text("a#A\n")
    for name in ("corridor.txt", "walled.txt"):
        done = sidestep("solve", name, "-o", "plan.json", "--json")
        assert done.code == 1
        assert done.json["valid"] is None  # there is none: an invalid one would be False
        assert done.json["cost"] is None
        assert done.json["reason"]
        assert not (folder / "plan.json").exists()
        assert sidestep("solve", name).code == 1


def test_why_there_is_no_plan(sidestep: Sidestep, folder: Path) -> None:
    (folder / "corridor.txt").write_text("# # . # #\na B . A b\n")
    asking = ("solve", "corridor.txt", "--solver", "dpca", "--why")
    wanted = ss.solve(ss.Problem.from_text("# # . # #\na B . A b\n"), "dpca")
    done = sidestep(*asking)
    assert done.code == 1
    assert done.out.endswith(f"{wanted.why()}\n")
    assert sidestep(*asking, "--detail").out.endswith(f"{wanted.why(detail=True)}\n")
    assert sidestep(*asking, "--json").json["why"] == wanted.why().data()
    assert "why" not in sidestep("solve", "corridor.txt", "--solver", "cbs", "--why", "--json").json
    refused = sidestep("solve", "corridor.txt", "--detail")
    assert refused.code == 2
    assert "--why" in refused.err


def test_help_lists_the_parameters_of_the_solver(sidestep: Sidestep) -> None:
    assert "--window" in sidestep("solve", "--solver", "whca", "--help").out


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("", ["broken.map"]),
        ("type octile\nheight 2\nwidth 2\nmap\n..\n", ["broken.map:5", "1 of 2 rows"]),
        ("type octile\nheight 2\nwidth 2\nmap\n..\n...\n", ["broken.map:6", "3 cells"]),
        ("type tile\nheight 2\nwidth 2\nmap\n..\n..\n", ["broken.map:1", "octile"]),
        ("type octile\nheight -2\nwidth 2\nmap\n..\n..\n", ["broken.map:2", "height"]),
        ("type octile\nheight 99999999999\nwidth 2\nmap\n..\n..\n", ["broken.map:2", "height"]),
        ("type octile\nheight 2000000000\nwidth 2000000000\nmap\n..\n..\n", ["broken.map", "at most"]),
        ("type octile\nwidth 2\nmap\n..\n..\n", ["broken.map:3", "no height"]),
        ("type octile\nheight 1\nwidth 2\nmap\n.?\n", ["broken.map:5", "terrain '?'"]),
    ],
)
def test_broken_maps(sidestep: Sidestep, folder: Path, content: str, parts: list[str]) -> None:
    (folder / "broken.map").write_text(content)
    sidestep("solve", "broken.map", "--scen", "small.scen", "-o", "plan.json").refused(*parts)
    assert not (folder / "plan.json").exists()


@pytest.mark.parametrize(
    ("agents", "parts"),
    [
        ([(4, 0, 0, 0)], ["broken.scen:2", "start", "outside"]),
        ([(0, 0, 0, 3)], ["broken.scen:2", "goal", "outside"]),
        ([(0, -1, 0, 0)], ["broken.scen:2", "start"]),
        ([(0, 0, 3, 2), (1, 1, 0, 0)], ["broken.scen:3", "start", "wall"]),
        ([(0, 0, 3, 2), (0, 0, 2, 2)], ["broken.scen:3", "same start"]),
        ([(0, 0, 3, 2), (1, 0, 3, 2)], ["broken.scen:3", "same goal"]),
    ],
)
def test_broken_scenarios(
    sidestep: Sidestep, folder: Path, agents: list[tuple[int, int, int, int]], parts: list[str]
) -> None:
    (folder / "broken.scen").write_text(scenario(agents))
    sidestep("solve", "small.map", "--scen", "broken.scen", "-o", "plan.json").refused(*parts)
    assert not (folder / "plan.json").exists()


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["missing.map", "--scen", "small.scen"], ["missing.map", "no such file"]),
        (["small.map", "--scen", "missing.scen"], ["missing.scen", "no such file"]),
        (["small.map"], ["--scen"]),
        (["small.scen"], ["small.scen", "is a scenario"]),
        (["."], ["folder"]),
        (["small.map", "--scen", "."], ["folder"]),
        (["small.map", "--scen", "small.scen", "--agents", "4"], ["4 agents asked for", "has 3"]),
        (["drawing.txt", "--agents", "3"], ["3 agents asked for", "has 2"]),
        (["drawing.txt", "--agents", "-1"], ["--agents"]),
        (["drawing.txt", "--scen", "small.scen"], ["--scen"]),
        (["drawing.txt", "--passable", "."], ["--passable"]),
        (["drawing.txt", "--solver", "wcha"], ["no solver 'wcha'", "did you mean 'whca'"]),
        (["drawing.txt", "--solver=zzz"], ["no solver 'zzz'", "whca"]),
        (["drawing.txt", "--solver", "whca", "--windw", "4"], ["--windw", "did you mean --window?"]),
        (["drawing.txt", "--solver", "lra", "--qqq", "4"], ["lra", "--qqq"]),
        (["drawing.txt", "--solver", "whca", "--window", "wide"], ["--window", "wide"]),
        (["drawing.txt", "--solver", "whca", "--window", "2.5"], ["--window", "2.5"]),
        (["drawing.txt", "--solver", "whca", "--window", "0"], ["window"]),
        (["drawing.txt", "--connectivity", "6"], ["--connectivity", "6"]),
        (["drawing.txt", "--corners", "both"], ["--corners"]),
        (["drawing.txt", "--time-limit", "soon"], ["--time-limit"]),
        (["drawing.txt", "--time-limit", "-1"], ["time"]),
        (["drawing.txt", "--time-limit", "nan"], ["time"]),
        (["drawing.txt", "--node-limit", "-5"], ["node"]),
        (["drawing.txt", "--seed", "x"], ["--seed"]),
        (["drawing.txt", "drawing.txt"], ["unexpected extra argument"]),
        (["drawing.txt", "-o", "."], ["folder"]),
        (["drawing.txt", "-o", "nowhere/plan.json"], ["no folder nowhere"]),
        (["drawing.txt", "-o", "small.map/plan.json"], ["no folder small.map"]),
        ([], ["Missing argument 'INPUT'"]),
    ],
)
def test_bad_arguments(sidestep: Sidestep, unchanged, arguments: list[str], parts: list[str]) -> None:  # type: ignore[no-untyped-def]
    sidestep("solve", *arguments).refused(*parts)
    unchanged()
    sidestep("solve", *arguments, "--json").refused(*parts)
    unchanged()


@pytest.mark.parametrize(
    ("drawing", "parts"),
    [
        ("a.A\n..\n", ["broken.txt:2", "2 cells"]),
        ("a.A\n.a.\n", ["broken.txt:2", "'a' is drawn twice"]),
        ("a.A\n..B\n", ["broken.txt", "'B' has no start"]),
        ("a.A\n.1.\n", ["broken.txt"]),
        ("", ["broken.txt"]),
        ("\n\n", ["broken.txt"]),
        ("{}", ["broken.txt"]),
        ('{"format": "sidestep-plan"', ["broken.txt"]),
        ("\0\0", ["broken.txt", "binary"]),
    ],
)
def test_broken_drawings(sidestep: Sidestep, folder: Path, drawing: str, parts: list[str]) -> None:
    (folder / "broken.txt").write_text(drawing)
    sidestep("solve", "broken.txt", "-o", "plan.json").refused(*parts)
    assert not (folder / "plan.json").exists()


def test_an_output_without_permission(
    sidestep: Sidestep, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)
    sidestep("solve", "drawing.txt", "-o", "plan.json").refused("plan.json", "permission denied")
    assert not (folder / "plan.json").exists()


def test_an_invalid_plan_is_never_reported_as_solved(
    sidestep: Sidestep, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A solver with a bug: agents walk through each other."""

    def wrong(problem: ss.Problem, solver: str, **_: object) -> ss.Result:
        plan = ss.Plan(problem, [problem.starts, problem.goals])
        return ss.Result(problem, ss.WHCA(), 0, ss.Status.SOLVED, plan)

    monkeypatch.setattr("sidestep.cli.solve.solve_problem", wrong)
    done = sidestep("solve", "drawing.txt", "-o", "plan.json", "--json")
    assert done.code == 1
    assert done.json["valid"] is False
    assert "please report" in done.err
    assert not (folder / "plan.json").exists()


@pytest.mark.parametrize(
    "command",
    [
        ("solve", "drawing.txt", "-o", "drawing.txt"),
        ("solve", "small.map", "--scen", "small.scen", "-o", "small.scen"),
        ("convert", "drawing.txt", "./drawing.txt", "--to", "map"),
    ],
)
def test_an_input_is_never_overwritten(command: tuple[str, ...], sidestep: Sidestep, folder: Path) -> None:
    before = {name: Path(name).read_bytes() for name in ("drawing.txt", "small.map", "small.scen")}
    done = sidestep(*command)
    assert done.code == 2
    assert "is read from" in done.err
    assert {name: Path(name).read_bytes() for name in before} == before


def test_a_solver_as_printed_and_rules_that_are_not(sidestep: Sidestep, folder: Path) -> None:
    done = sidestep("solve", "drawing.txt", "--solver", "lra", "--as-printed", "--noise", 2, "--json")
    parameters = done.json["parameters"]
    assert (parameters["moves_after_repair"], parameters["noise"]) == (False, 2)
    assert done.err.strip() == (
        "sidestep: the rules are not those of silver2005, which has cost='time_off_goal'"
    )
    own = sidestep("solve", "drawing.txt", "--solver", "lra", "--as-printed", "--cost", "time_off_goal")
    assert own.err == ""


def test_a_solver_without_a_printed_form_says_so(sidestep: Sidestep, folder: Path) -> None:
    done = sidestep("solve", "drawing.txt", "--solver", "cbs", "--as-printed")
    assert done.code == 2
    assert "cbs has no printed form" in done.err
