"""The benchmarks in miniature: every section runs, rivals are treated fairly, and JSON comes out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks import __main__ as command
from benchmarks import (
    biased,
    bounded,
    core,
    crowds,
    dialogue,
    distances,
    gains,
    limits,
    optimal,
    rivals,
    turns,
)
from benchmarks.contenders import HCA_ALL, WHCA16, Algorithm, Contender, Ours
from benchmarks.measurements import Column, Measurements, Table, Target
from benchmarks.movingai import S32, Settings
from benchmarks.scenes import RandomScene
from benchmarks.w9 import W9, places, plan_of_paths
from sidestep import Grid, Plan, Problem, solve, validate
from sidestep.papers.timing import Spent, least_of, timed

RIVALS = rivals.Settings((rivals.Case(12, 4, whca=2, hca=2),), repeats=2)
TURNS = turns.Settings(
    small=turns.Scene(8, 0.1, 5, instances=2, repeats=2, most_turns=20),
    large=turns.Scene(16, 0.1, 10, instances=1, repeats=2, most_turns=10),
    new_goals=turns.NewGoals(rounds=2, turns=3, budget=0.010),
)
CORE = core.Settings(sides=(12,), game_maps=("tiny",), most_agents=5, work=2000, repeats=1)
LIMITS = limits.Settings(
    RandomScene(16, 0.2, 10),
    limit=0.02,
    instances=2,
    shares=(0.5,),
    share_instances=1,
    longest=0.1,
    interrupts=1,
    solvers=("whca", "cbs", "dpca", "lacam"),
)
OPTIMAL = optimal.Settings((4, 30), 2, 2.0)
MAP = "type octile\nheight 6\nwidth 6\nmap\n" + "......\n" * 6

Path2D = list[tuple[int, int]]


def silent(_: str) -> None:
    """Nobody watches."""


class Fake:
    """A rival that answers whatever it is told, after noting that it was asked."""

    name = "fake"

    def __init__(self, answer: Callable[[Problem, Algorithm], list[Path2D]], asked: list[str]) -> None:
        self._answer, self._asked = answer, asked

    def prepare(self, problem: Problem, algorithm: Algorithm) -> Callable[[], Any]:
        answer = self._answer(problem, algorithm)
        return lambda: self._asked.append("fake") or answer  # type: ignore[func-returns-value]

    def plan(self, problem: Problem, answer: list[Path2D]) -> Plan | None:
        return plan_of_paths(problem, answer) if answer else None


class Noted(Ours):
    """Ours, noting when it is asked."""

    def __init__(self, asked: list[str]) -> None:
        self._asked = asked

    def prepare(self, problem: Problem, algorithm: Algorithm) -> Callable[[], Any]:
        call = super().prepare(problem, algorithm)
        return lambda: (self._asked.append("ours"), call())[1]


def our_paths(problem: Problem, algorithm: Algorithm) -> list[Path2D]:
    """A plan of ours as w9 would give it: (x, y), and paths that end on arrival."""
    plan = solve(problem, algorithm.solver).plan
    assert plan is not None
    return [
        [(int(col), int(row)) for row, col in plan.cells[: cost + 1, agent]]
        for agent, cost in enumerate(plan.costs.tolist())
    ]


def jumping_paths(problem: Problem, algorithm: Algorithm) -> list[Path2D]:
    grid = problem.space
    assert isinstance(grid, Grid)
    starts, goals = places(grid, problem.starts), places(grid, problem.goals)
    return [[start, goal] for start, goal in zip(starts, goals, strict=True)]


def compared(answer: Callable[[Problem, Algorithm], list[Path2D]]) -> Measurements:
    return rivals.compare(Ours(), Fake(answer, []), RIVALS, 0, silent)


# Rivals


@pytest.fixture
def without_w9(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("w9_pathfinding", "w9_pathfinding.envs", "w9_pathfinding.mapf"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("without_w9")
def test_without_the_rival_the_section_is_skipped_with_a_sentence() -> None:
    for measurements in (rivals.measure(RIVALS, 0, silent), optimal.measure(OPTIMAL, 0, silent)):
        assert measurements.tables == ()
        assert "w9-pathfinding is not installed" in measurements.skipped
        assert "make bench" in measurements.skipped


def test_a_rival_with_our_own_plans_costs_the_same() -> None:
    measurements = compared(our_paths)
    everything, where_both = measurements.tables
    assert [row["algorithm"] for row in everything.rows] == [WHCA16.title, HCA_ALL.title]
    for row in where_both.rows:
        assert row["ours solved"] == row["theirs solved"] == row["both"] == 2
        assert row["cost ratio"] == 1
        assert row["both median ratio"] > 0
    assert [verdict.met for verdict in measurements.verdicts[:2]] == [True, True]


def test_a_plan_that_the_judge_refuses_is_counted_and_not_solved() -> None:
    measurements = compared(jumping_paths)
    for row in measurements.tables[0].rows:
        assert row["theirs refused"] == 2
        assert row["theirs solved"] == row["both"] == 0
        assert row["ours refused"] == 0
    speeds = measurements.verdicts[2:]
    assert [verdict.met for verdict in speeds] == [None, None, None], "nothing that both solved"


def test_no_plan_is_not_solved_and_not_refused() -> None:
    row = compared(lambda problem, algorithm: []).tables[0].rows[0]
    assert (row["theirs solved"], row["theirs refused"]) == (0, 0)


def test_both_contenders_take_turns_in_going_first() -> None:
    asked: list[str] = []
    pair: tuple[Contender, Contender] = (Noted(asked), Fake(jumping_paths, asked))
    problem = rivals.instance(RIVALS.cases[0], 0)
    twice = rivals.Settings((), repeats=2, repeat_below=60)  # on a busy machine, too
    rivals.duel(pair, problem, WHCA16, twice, swapped=False)
    rivals.duel(pair, problem, WHCA16, twice, swapped=True)
    assert asked == ["ours", "fake", "fake", "ours", "fake", "ours", "ours", "fake"]


def test_long_instances_run_once() -> None:
    asked: list[str] = []
    settings = rivals.Settings((), repeats=5, repeat_below=0)
    pair: tuple[Contender, Contender] = (Noted(asked), Fake(jumping_paths, asked))
    rivals.duel(pair, rivals.instance(RIVALS.cases[0], 0), WHCA16, settings, swapped=False)
    assert asked == ["ours", "fake"]


def test_a_seed_gives_the_same_instances() -> None:
    case = RIVALS.cases[0]
    assert rivals.instance(case, 3) == rivals.instance(case, 3) != rivals.instance(case, 4)


# What w9 is asked and what it answers

CORNER = """
    a . B
    # . .
    b . A
"""


def test_paths_of_w9_become_a_plan_in_which_agents_stay() -> None:
    problem = Problem.from_text(CORNER)
    first: Path2D = [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)]
    second: Path2D = [(0, 2), (0, 2), (1, 2), (1, 1), (1, 0), (2, 0)]
    plan = plan_of_paths(problem, [first, second])
    assert plan.cells[:, 0].tolist() == [[0, 0], [0, 1], [1, 1], [1, 2], [2, 2], [2, 2]]
    assert plan.costs.tolist() == [4, 5]
    assert validate(problem, plan)


@pytest.mark.parametrize("path", [[], [(0, 2), (3, 1)], [(0, 2), (0, 3)], [(0, 2), (-1, 2)]])
def test_missing_paths_and_places_outside_are_refused(path: Path2D) -> None:
    problem = Problem.from_text(CORNER)
    plan = plan_of_paths(problem, [[(0, 0), (1, 0), (1, 1), (2, 1), (2, 2)], path])
    assert not validate(problem, plan)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Modules that look like w9-pathfinding and note what they are asked."""
    asked: list[Any] = []

    class Solver:
        def __init__(self, env: Any) -> None:
            asked.append(env)

        def mapf(self, *places: Any, **options: Any) -> list[Path2D]:
            asked.append((places, options))
            return []

    envs = SimpleNamespace(Grid=lambda **options: options)
    monkeypatch.setitem(sys.modules, "w9_pathfinding", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "w9_pathfinding.envs", envs)
    monkeypatch.setitem(sys.modules, "w9_pathfinding.mapf", SimpleNamespace(WHCAStar=Solver, HCAStar=Solver))
    return asked


@pytest.mark.parametrize(("algorithm", "options"), [(WHCA16, {"window_size": 16}), (HCA_ALL, {})])
def test_w9_gets_the_same_problem(stand_in: list[Any], algorithm: Algorithm, options: dict[str, int]) -> None:
    problem = Problem.from_text(CORNER)
    w9 = W9()
    answer = w9.prepare(problem, algorithm)()
    assert w9.plan(problem, answer) is None
    assert stand_in[0] == {"weights": [[1, 1, 1], [-1, 1, 1], [1, 1, 1]], "edge_collision": True}
    assert stand_in[1][0] == ([(0, 0), (0, 2)], [(2, 2), (2, 0)])
    assert stand_in[1][1] == {"max_length": 1000, **options}


@pytest.mark.usefixtures("stand_in")
def test_the_whole_section_with_a_stand_in() -> None:
    measurements = rivals.measure(RIVALS, 0, silent)
    assert not measurements.skipped
    assert all(row["theirs solved"] == 0 for row in measurements.tables[0].rows)


# The other sections


def test_optimal_solvers_beside_a_rival_that_solves_less() -> None:
    def our_few_paths(problem: Problem, algorithm: Algorithm) -> list[Path2D]:
        return our_paths(problem, algorithm) if problem.n_agents < 10 else []

    measurements = optimal.compare(Ours(), Fake(our_few_paths, []), OPTIMAL, 0, silent)
    (table,) = measurements.tables
    assert [(row["agents"], row["algorithm"]) for row in table.rows] == [
        (agents, name) for agents in (4, 30) for name in ("OD+ID", "ICTS", "CBS")
    ]
    for row in table.rows:
        assert row["different"] == row["ours refused"] == 0
        assert row["theirs solved"] == (2 if row["agents"] == 4 else 0)
    cbs = table.rows[-1]
    assert cbs["ours solved"] == 2
    measured = {verdict.target: verdict.measured for verdict in measurements.verdicts}
    assert measured[optimal.TWICE] == 2
    assert measured[optimal.SAME] == 0
    assert measured[optimal.AS_MANY] == 0


def test_arguing_agents_are_timed_and_judged() -> None:
    measurements = dialogue.measure(dialogue.Settings(small=4, large=1, agents=10), 0, silent)
    (table,) = measurements.tables
    assert [row["instances"] for row in table.rows] == [4] * 6 + [1] * 6
    assert all(row["solved"] and row["median"] > 0 and not row["refused"] for row in table.rows)
    assert len(measurements.verdicts) == len(dialogue.MEDIANS) + 1
    assert all(verdict.measured is not None for verdict in measurements.verdicts)


def test_crowds_beside_the_rates_of_another_library() -> None:
    settings = crowds.Settings(sizes=(40, 1_000), steps=1, warm_up=1, repeats=1)
    (table,) = crowds.measure(settings, 0, silent).tables
    assert [(row["scene"], row["agents"]) for row in table.rows] == [
        (scene, agents) for scene in crowds.SCENES for agents in (40, 1_000)
    ]
    for row in table.rows:
        assert row["rate"] == pytest.approx(row["steps"] * row["agents"] / 1e6)
        compared = row["agents"] in crowds.RVO2 and row["scene"] != crowds.WALLS
        assert (row["ratio"] is not None) == compared


def test_different_costs_of_optimal_plans_are_noticed() -> None:
    one, two, none = (rivals.Attempt(Spent(0, 0), cost, refused=False) for cost in (7, 8, None))
    assert optimal.different([(one, one), (one, two), (one, none), (none, none)]) == 1


def test_w9_that_runs_out_of_time_has_no_plan(stand_in: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: Any, **__: Any) -> None:
        raise RuntimeError("Timeout")

    algorithm = OPTIMAL.algorithms[2]
    problem = rivals.instance(rivals.Case(8, 2, 0, 0), 0)
    w9 = W9()
    monkeypatch.setattr(
        sys.modules["w9_pathfinding.mapf"],
        algorithm.w9,
        lambda env: SimpleNamespace(mapf=late),
        raising=False,
    )
    assert w9.plan(problem, w9.prepare(problem, algorithm)()) is None


def test_turns() -> None:
    measurements = turns.measure(TURNS, 0, silent)
    rows, memory = measurements.tables[0].rows, measurements.tables[1].rows
    assert [row["what"] for row in rows] == [
        "initial plans",
        "later turns",
        "initial plans",
        "later turns",
        "new goals for all, budget 10 ms",
        "calls of send() for all",
    ]
    assert all(row["worst cpu"] >= row["median cpu"] > 0 for row in rows)
    assert rows[4]["count"] == 6
    assert all(row["distances"] > 0 for row in memory)
    assert len(measurements.verdicts) == 5


def test_distances() -> None:
    near = distances.Scene(64, 4, 0.0, 3, 4)
    settings = distances.Settings((distances.Scene(12, 3), near), near, repeats=1)
    measurements = distances.measure(settings, 0, silent)
    scenes, solvers = (table.rows for table in measurements.tables)
    assert all(row["tables"] > 0 and row["RRA*"] > 0 for row in scenes)
    assert scenes[1]["RRA* MB"] < scenes[1]["tables MB"]
    assert len({row["cost"] for row in solvers}) == 1
    assert [verdict.met is not None for verdict in measurements.verdicts] == [True, True]


def test_bcp_beside_others() -> None:
    measurements = biased.measure(biased.Settings((3, 6), 2, side=10, seconds=60), 0, silent)
    rows = measurements.tables[0].rows
    assert [row["units"] for row in rows] == [3] * len(biased.SOLVERS) + [6] * len(biased.SOLVERS)
    assert all(row["cost"] >= 1 for row in rows if row["cost"] is not None)
    assert all(0 <= row["solved"] <= 100 and row["ms"] > 0 and row["MB"] > 0 for row in rows)


def test_new_goals_are_nobodys_goal_so_far() -> None:
    world = turns._world(TURNS.large.problem(0))
    goals = turns.other_goals(world, 0, 1)
    assert len(np.unique(goals)) == len(world.goals)
    assert not np.isin(goals, world.goals).any()


def test_core_with_a_game_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "movingai" / "map"
    folder.mkdir(parents=True)
    (folder / "tiny.map").write_text(MAP)
    monkeypatch.setenv("SIDESTEP_DATA", str(tmp_path))
    measurements = core.measure(CORE, 0, silent)
    rows = measurements.tables[0].rows
    assert {row["map"] for row in rows} == {"random 12x12", "tiny"}
    assert len(rows) == 2 * len(core.SEARCHES)
    assert all(row["ours"] > 0 for row in rows)
    assert rows[-len(core.SEARCHES)]["per search"] == 36, "a distance table of the whole map"


def test_proved_factors_on_a_scenario_and_on_a_drawn_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder, name, text in (
        ("map", f"{S32}.map", MAP),
        ("scen", f"{S32}-random-1.scen", "version 1\n0\ttiny\t6\t6\t0\t0\t5\t5\t10\n"),
    ):
        (tmp_path / "movingai" / folder).mkdir(parents=True)
        (tmp_path / "movingai" / folder / name).write_text(text)
    monkeypatch.setenv("SIDESTEP_DATA", str(tmp_path))
    case = bounded.Case(S32, 1, 1.2, 1000)
    measurements = bounded.measure(Settings((case,), problems=2, seconds=10.0), 0, silent)
    (table,) = measurements.tables
    assert [row["solver"] for row in table.rows] == bounded.bounded_solvers()
    assert all((row["problems"], row["proved"], row["refused"]) == (2, 2, 0) for row in table.rows)
    assert [verdict.measured for verdict in measurements.verdicts[:2]] == [0, 0]
    run = {"cost": 13, "lower_bound": 10}
    assert not bounded.is_proved(run, case)
    assert bounded.is_proved({**run, "cost": 12}, case)


def test_core_says_where_game_maps_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SIDESTEP_DATA", raising=False)
    assert core.game_map_files(CORE) == []
    assert "SIDESTEP_DATA" in core._table([], CORE).notes[-1]


def test_limits() -> None:
    measurements = limits.measure(LIMITS, 0, silent)
    for table in measurements.tables:
        assert [row["solver"] for row in table.rows] == list(LIMITS.solvers)
    assert [row["runs"] for row in measurements.tables[0].rows] == [2] * len(LIMITS.solvers)
    assert len(measurements.verdicts) == 3


# Timing, tables, targets and the command


def test_a_call_is_timed_in_both_ways() -> None:
    answer, spent = timed(lambda: sum(range(1000)))
    assert answer == 499500
    assert spent.wall > 0
    assert spent.cpu > 0


def test_the_least_of_several_measurements_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    times: Iterator[float] = cycle([0.0, 3.0, 10.0, 11.0])
    monkeypatch.setattr("sidestep.papers.timing.perf_counter", lambda: next(times))
    monkeypatch.setattr("sidestep.papers.timing.process_time", lambda: 0.0)
    assert least_of(2, lambda: None) == Spent(wall=1.0, cpu=0.0)


@pytest.mark.parametrize(
    ("at_least", "measured", "met"),
    [(False, 5, True), (False, 5.1, False), (True, 5, True), (True, 4.9, False), (True, None, None)],
)
def test_a_target_is_met_or_missed_or_not_measured(
    at_least: bool, measured: float | None, met: bool | None
) -> None:
    assert Target("speed", 5, "ms", at_least=at_least).judge(measured).met is met


def test_a_missing_value_is_a_dash() -> None:
    assert Column("time", "time", ".1f").shown({"time": 1.25}) == "1.2"
    assert Column("time", "time", ".1f").shown({}) == "-"


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """A section that shows its settings, and one that skips."""

    def measure(settings: int, seed: int, say: command.Say) -> Measurements:
        say("measuring")
        row = {"settings": settings, "seed": seed}
        table = Table("Tiny", (Column("settings", "settings"),), (row,))
        return Measurements((table,), (Target("tiny", 1, "ms").judge(settings),))

    sections = {
        "core": command.Section(measure, full=2, quick=1),
        "rivals": command.Section(lambda *_: Measurements(skipped="No rival."), None, None),
    }
    monkeypatch.setattr(command, "SECTIONS", sections)


@pytest.mark.usefixtures("tiny")
def test_json_holds_what_was_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bench.json"
    assert command.main(["--json", str(file), "--seed", "7"]) == command.MISSED
    record = json.loads(file.read_text())
    assert record["seed"] == 7
    assert record["sections"]["core"]["tables"][0]["rows"] == [{"settings": 2, "seed": 7}]
    assert record["sections"]["core"]["targets"][0]["met"] is False
    assert record["sections"]["rivals"]["skipped"] == "No rival."
    shown = capsys.readouterr().out
    assert "rivals: skipped. No rival." in shown
    assert "Targets" in shown


@pytest.mark.usefixtures("tiny")
def test_a_missed_target_is_named_and_is_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["core"]) == command.MISSED != 0
    assert capsys.readouterr().err.splitlines() == ["sidestep: missed: tiny: 2.00 ms, and the target is <= 1"]


@pytest.mark.usefixtures("tiny")
def test_no_target_is_missed_where_all_are_met_or_not_measured(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["core", "--quick"]) == 0
    assert command.main(["rivals"]) == 0
    assert "missed" not in capsys.readouterr().err


@pytest.mark.usefixtures("tiny")
def test_quick_takes_the_small_settings(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    assert command.main(["core", "--quick", "--json", str(file)]) == 0
    record = json.loads(file.read_text())
    assert list(record["sections"]) == ["core"]
    assert record["sections"]["core"]["targets"][0]["met"] is True


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("arguments", [["speed"], ["--json", "/nonexistent/bench.json"], ["--seed", "-1"]])
def test_bad_arguments_are_one_sentence(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(arguments) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_what_a_deviation_gains_is_said_and_checked() -> None:
    def gain(**means: tuple[float, float]) -> gains.Gain:
        return {"said": gains.in_words(means), "means": means}

    kept = gain(solved=(98.0, 90.0), steps=(20.0, 20.01))
    assert kept["said"] == "98 instead of 90 solved"
    assert gain(solved=(98.0, 98.0))["said"] == "none, 98 solved either way"
    assert gains.disagreements(kept, gain(solved=(97.0, 91.0), steps=(20.5, 20.0)), 200) == []
    assert gains.disagreements(kept, gain(solved=(98.0, 80.0), steps=(20.0, 20.0)), 200) == [
        "80 solved, kept as 90"
    ]
    assert gains.disagreements(kept, gain(solved=(98.0, 90.0)), 200) == ["98 instead of 90 solved"]


def test_a_share_of_few_problems_may_differ_by_chance() -> None:
    kept, found = ({"said": "", "means": {"% solved": (90.0, share)}} for share in (90.0, 80.0))
    assert gains.disagreements(kept, found, 10) == []
    assert gains.disagreements(kept, found, 200) == ["80 % solved, kept as 90"]
