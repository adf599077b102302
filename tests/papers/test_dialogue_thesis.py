"""The experiments of the dialogue thesis: instances, measures and the report, on tiny runs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep.cli import main
from sidestep.instances import dialogue_problem
from sidestep.model.to_core import compiled_space
from sidestep.papers.design import InstanceTrial, Row
from sidestep.papers.dialogue_thesis import EXPERIMENT
from sidestep.papers.dialogue_thesis import trial as trial_module
from sidestep.papers.dialogue_thesis.claims import ORDER
from sidestep.papers.dialogue_thesis.measures import (
    TABLE_5,
    ahead_on,
    budget,
    by_agents,
    easiest,
    ended,
    fails_from,
    faster,
    mean_of,
    mean_of_easiest,
    milliseconds_less,
    most_dialogues_at,
    most_of_size,
    solved,
    solved_both_ways,
    solved_under_budget,
)
from sidestep.papers.dialogue_thesis.published_tests import TESTS
from sidestep.papers.dialogue_thesis.trial import (
    CACHING,
    OURS,
    SECONDS,
    SOLVERS,
    Outcome,
    Run,
    in_our_form,
    instance,
    length_of,
    loops_in,
    run_solver,
    run_trial,
)
from sidestep.papers.experiment import AGREES, Comparison, Estimate, Report, estimate

from .conftest import (
    check_files,
    check_going_on,
    check_without_matplotlib,
    narrow_text,
    nobody_watches,
    shorten,
)

SHORT = 0.05  # seconds
PLOTS = ["cache", "dialogues", "length", "loops", "moves", "sizes", "solved", "time"]
CLAIMS = {claim.what: claim for claim in EXPERIMENT.claims}


def trial(number: int, seed: int = 0, seconds: float = SECONDS) -> InstanceTrial:
    return InstanceTrial(number, seed, seconds)


def report_of(outcomes: Sequence[Outcome], folder: Path = Path("nowhere")) -> Report:
    return EXPERIMENT.report([asdict(one) for one in outcomes], folder)


@pytest.fixture(scope="module")
def small() -> list[Row]:
    """A few instances, in one process."""
    return EXPERIMENT.rows([trial(number, seconds=0.3) for number in range(12)], 1, nobody_watches)


def ran(length: int | None = 100, *, seconds: float = 0.1, moves: int = 1000, **others: Any) -> Run:
    return Run("timeout" if length is None else "solved", seconds, moves, moves // 8, length, **others)


SHORT_NAMES = ("od_id", "pca", "dpca", "plus", "two", "four", "eight")


def outcome(agents: int = 20, **runs: Run) -> Outcome:
    """One that all solvers solve alike, but for those whose runs are given by their short names."""
    names = dict(zip(SHORT_NAMES, SOLVERS, strict=False))
    given = {names[short]: run for short, run in runs.items()}
    return Outcome(0, 0, agents, {**dict.fromkeys(SOLVERS, ran()), **given}, {}, {}, 0)


def measured(what: str, *outcomes: Outcome) -> float:
    return CLAIMS[what].measure(outcomes)


# Instances


def test_all_of_table_5_is_run() -> None:
    assert set(SOLVERS) == set(TABLE_5)
    assert ORDER[:5] == ["WDPCA*-2", "WDPCA*-4", "WDPCA*-8", "DPCA*", "DPCA*+"]
    assert ORDER[5:] == ["DiMPP", "OD+ID", "PCA*"]


def test_instances_are_those_of_the_thesis() -> None:
    problems = [instance(trial(number)) for number in range(600)]
    counts = [problem.n_agents for problem in problems]
    assert (min(counts), max(counts)) == (2, 40)
    assert np.mean(counts) == pytest.approx(21, abs=1.5)
    blocked = [1 - np.mean(problem.space.open) for problem in problems]
    assert np.mean(blocked) == pytest.approx(0.2, abs=0.005)
    assert np.std(blocked) == pytest.approx(math.sqrt(0.2 * 0.8 / 256), rel=0.2)
    for problem in problems:
        assert problem.space.passable.shape == (16, 16)
        assert (problem.space.connectivity, problem.space.corners) == (8, "free")
        assert problem.rules == ss.Rules(cost="time_off_goal")


def test_some_goals_cannot_be_reached_and_those_count_as_unsolved() -> None:
    def is_cut_off(problem: ss.Problem) -> bool:
        region = compiled_space(problem).components()
        return bool((region[problem.starts] != region[problem.goals]).any())

    cut_off = [number for number in range(600) if is_cut_off(instance(trial(number)))]
    assert 2 <= len(cut_off) <= 20
    one = run_trial(trial(cut_off[0], 0, SHORT))
    assert {run.status for run in one.runs.values()} == {"infeasible"}
    assert not any(run.solved for run in one.runs.values())


def test_an_instance_depends_on_its_number_and_the_seed_only() -> None:
    one, same = (instance(trial(3, 7, seconds)) for seconds in (1.0, 2.0))
    assert one == same
    others = [instance(trial) for trial in (trial(4, 7), trial(3, 8), trial(3, -8))]
    others.append(instance(trial(3, 7), of_figure_12=True))
    assert not any(np.array_equal(one.space.open, other.space.open) for other in others)


def test_instances_of_other_sizes() -> None:
    counts = {dialogue_problem(seed, fewest=48, most=50).n_agents for seed in range(40)}
    assert counts == {48, 49, 50}
    for wrong in ({"fewest": 0}, {"fewest": 9, "most": 8}, {"most": 2.5}, {"most": 1000}):
        with pytest.raises(ss.InputError, match="must be a whole number"):
            dialogue_problem(0, **wrong)
    with pytest.raises(ss.InputError, match="seed must be"):
        dialogue_problem(-1)


# Trials


def test_every_solver_runs_and_no_plan_is_wrong(small: list[Row]) -> None:
    outcomes = EXPERIMENT.design.samples(small)
    for one in outcomes:
        assert set(one.runs) == set(one.ours) == set(SOLVERS)
        assert set(one.cached) == set(one.uncached) == (set() if one.instance % 10 else set(CACHING))
        assert one.invalid == 0
        for name, run in one.runs.items():
            assert run.seconds < 10, name  # its limit of 1 s was handed on; tests of limits are stricter
            assert not run.solved or run.length >= one.agents, name
            assert not run.solved or run.moves > run.expansions, name
    assert all(solved(outcomes, name) > 25 for name in SOLVERS)
    assert [Outcome.of(json.loads(json.dumps(row))) for row in small] == outcomes


def test_a_plan_that_the_judge_refuses_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_module, "validate", lambda problem, plan: False)
    few = next(n for n in range(1, 1000) if instance(trial(n, 0)).n_agents == 2 and n % 10)
    one = run_trial(trial(few, 0))
    every = [*one.runs.values(), *one.ours.values()]
    assert one.invalid == sum(run.solved for run in every) == len(SOLVERS) + len(OURS)


def test_moves_do_not_depend_on_time() -> None:
    problem = next(p for p in (instance(trial(n, 0)) for n in range(100)) if p.n_agents > 30)
    for name, solver in SOLVERS.items():
        if name != "OD+ID":
            one, again = (run_solver(problem, solver, seconds)[0] for seconds in (5.0, 10.0))
            assert (one.moves, one.expansions, one.length) == (again.moves, again.expansions, again.length)


# What a path is


def plan_of(*rows: list[int]) -> ss.Plan:
    """On a row of nine cells; agents go from the first cells to the last ones of their columns."""
    grid = ss.Grid(np.ones((1, 9), dtype=bool))
    starts, goals = ([(0, cell) for cell in rows[row]] for row in (0, -1))
    return ss.Plan(ss.Problem(grid, starts, goals), np.array(rows, dtype=np.int32))


def test_a_length_is_in_cells_up_to_the_last_arrival() -> None:
    assert length_of(plan_of([0, 5], [1, 5], [2, 5])) == 3 + 1
    assert length_of(plan_of([0, 5], [1, 5], [1, 5], [1, 5])) == 2 + 1
    # It is on its goal, makes room, waits beside it and comes back.
    assert length_of(plan_of([1, 5], [2, 5], [2, 5], [3, 5], [2, 5])) == 5 + 1


def test_a_loop_comes_back_before_the_first_arrival() -> None:
    assert loops_in(plan_of([0], [1], [2], [3])) == 0
    assert loops_in(plan_of([0], [0], [1], [1], [2])) == 0  # waits
    assert loops_in(plan_of([0], [1], [0], [1], [2])) == 2  # 0 and 1 again
    assert loops_in(plan_of([1], [2], [1], [2])) == 0  # it has been on its goal
    assert loops_in(plan_of([2], [1], [2])) == 0  # from the beginning
    assert loops_in(plan_of([0, 6], [1, 7], [0, 6], [2, 8])) == 2  # of both agents


# What is measured


def test_what_is_solved_is_a_share_of_all_instances() -> None:
    outcomes = [outcome(), outcome(od_id=ran(None)), outcome(od_id=ran(moves=10)), outcome()]
    assert solved(outcomes, "OD+ID") == 75
    assert solved(outcomes, "OD+ID", moves=999) == 25
    assert solved(outcomes, "OD+ID", moves=9) == 0
    assert measured("OD+ID", *outcomes) == 75
    assert ended(outcomes, "OD+ID", ss.Status.TIMEOUT) == 25
    assert math.isnan(solved([], "OD+ID"))


def test_the_budget_is_what_lets_od_id_solve_a_third() -> None:
    outcomes = [outcome(od_id=ran(moves=100 * k)) for k in range(1, 7)]
    assert budget(outcomes) == 200
    assert solved_under_budget(outcomes, "OD+ID") == pytest.approx(100 / 3)
    unsolved = outcome(od_id=ran(None))
    assert budget([*outcomes, *[unsolved] * 12]) == 600
    assert budget([unsolved, unsolved]) == math.inf
    assert budget([]) == math.inf


def test_the_ordering_is_that_of_shares_under_the_budget() -> None:
    cheap, dear = ran(moves=10), ran(moves=5000)
    outcomes = [outcome(od_id=cheap, two=cheap, four=dear), *[outcome(two=cheap, four=cheap)] * 2]
    assert budget(outcomes) == 10
    assert measured("WDPCA*-2 than WDPCA*-4", *outcomes) == pytest.approx(100 / 3)


def test_lengths_and_loops_compare_over_the_easiest() -> None:
    outcomes = [outcome(dpca=ran(10 * k, moves=k, loops=k // 10)) for k in range(10, 0, -1)]
    assert mean_of(outcomes, "DPCA*", "length") == 55
    assert mean_of(outcomes, "DPCA*", "loops") == 0.1
    moves = [one.runs["DPCA*"].moves for one in easiest(outcomes, "DPCA*")]  # 62.6%
    assert moves == [1, 2, 3, 4, 5, 6]
    assert mean_of_easiest(outcomes, "DPCA*", "length") == 35
    assert mean_of_easiest(outcomes, "DPCA*", "loops") == 0
    unsolved = [outcome(dpca=ran(None, moves=0))] * 30
    assert len(easiest([*outcomes, *unsolved], "DPCA*")) == 10
    assert math.isnan(mean_of(unsolved, "DPCA*", "length"))


def test_loops_are_counted_in_those_of_the_smallest_window() -> None:
    one = outcome(dpca=ran(loops=1), two=ran(loops=4), four=ran(loops=2))
    assert measured("DPCA*, in % of those of WDPCA*-2", *[one] * 10) == 25
    assert measured("PCA*, in % of those of WDPCA*-2", *[one] * 10) == 0
    assert measured("WDPCA*-2 / WDPCA*-4", *[one] * 10) == 2
    assert math.isnan(measured("WDPCA*-4 / WDPCA*-8", *[one] * 10))


def test_dialogues_are_counted_by_their_size() -> None:
    one = outcome(30, plus=ran(sizes={"2": 6, "3": 2}), two=ran(sizes={"2": 9}), dpca=ran(sizes={"2": 3}))
    other = outcome(10, plus=ran(sizes={"2": 12, "4": 0}), two=ran(None), dpca=ran(sizes={"2": 5}))
    assert measured("DPCA*+, between two", one, other) == 90
    assert measured("WDPCA*-2 / DPCA*, per instance", one, other) == 3
    found = [one, other] * 1000
    assert most_of_size(found, 3) == 2
    assert most_of_size(found, 4) == 0
    assert most_dialogues_at(found, "DPCA*") == 10
    assert math.isnan(most_dialogues_at([one, other] * 10, "DPCA*"))  # too few to say
    assert math.isnan(most_of_size([one, other] * 10, 3))


def test_the_gain_of_the_cache_is_over_what_is_solved_both_ways() -> None:
    def sampled(cached: Run, uncached: Run) -> Outcome:
        both = (dict.fromkeys(CACHING, run) for run in (cached, uncached))
        return replace(outcome(), **dict(zip(("cached", "uncached"), both, strict=True)))

    outcomes = [
        sampled(ran(moves=100, seconds=0.1), ran(moves=500, seconds=0.1)),
        sampled(ran(moves=100, seconds=0.3), ran(moves=100, seconds=0.3)),
        sampled(ran(moves=1), ran(None, moves=10**6)),
        outcome(),
    ]
    assert measured("DPCA*, moves", *outcomes) == 3
    assert measured("WDPCA*-2, time", *outcomes) == pytest.approx(1)
    assert len(solved_both_ways(outcomes, "DPCA*")) == 2
    assert math.isnan(measured("DPCA*, moves", outcome()))


def test_who_is_faster_and_where() -> None:
    outcomes = [
        outcome(od_id=ran(seconds=0.1), pca=ran(seconds=0.2), dpca=ran(seconds=0.1), plus=ran(seconds=0.15)),
        outcome(od_id=ran(seconds=0.4), pca=ran(seconds=0.3), dpca=ran(seconds=0.1), plus=ran(seconds=0.05)),
        outcome(od_id=ran(None), pca=ran(seconds=9.9), dpca=ran(None)),
    ]
    assert faster(outcomes, "OD+ID", "PCA*") == 50
    assert milliseconds_less(outcomes, "DPCA*", "DPCA*+") == pytest.approx(0, abs=1e-9)
    assert ahead_on(outcomes, "OD+ID", "PCA*") == pytest.approx(100 / 3)
    assert ahead_on(outcomes, "PCA*", "PCA*") == 0


def test_from_how_many_agents_on_a_solver_fails() -> None:
    impossible = replace(outcome(30), runs=dict.fromkeys(SOLVERS, Run("infeasible", 0.0, 0, 0)))
    gave_up, late = Run("gave_up", 0.1, 5, 1), ran(None)
    failures = [outcome(3, two=gave_up), outcome(12, two=gave_up), outcome(20, two=late), outcome(20)] * 250
    assert fails_from([*failures, outcome(7)], "WDPCA*-2") == 12
    assert math.isnan(fails_from([*failures, outcome(21)], "WDPCA*-2"))
    assert math.isnan(fails_from([*failures, impossible], "WDPCA*-2"))
    assert math.isnan(fails_from(failures, "WDPCA*-8"))
    assert math.isnan(fails_from(failures[:-1], "WDPCA*-2"))  # too few to say


def test_means_over_the_number_of_agents() -> None:
    few = [outcome(agents) for agents in (4, 5, 7, 8, 40)]
    assert list(by_agents(few, lambda one: one.agents)) == [5.5, 9.5, 40]  # nobody has 41
    assert list(by_agents([outcome(2)], lambda one: one.agents)) == [2.5]  # nor 0
    points = by_agents(few * 200, lambda one: one.agents if one.agents != 8 else None)
    assert [(at, point.value, point.error) for at, point in points.items()] == [
        (4, 4, 0),
        (5, 5, 0),
        (7, 7, 0),
        (40, 40, 0),
    ]
    assert list(by_agents(few, lambda one: one.agents, least=2)) == [5.5]


# Published beside measured


@pytest.mark.parametrize(
    ("what", "agreeing", "differing"),
    [
        ("WDPCA*-2", 84.5, 87.5),
        ("OD+ID", 32.6, 87.5),
        ("WDPCA*-2 than WDPCA*-4", 0.1, -0.1),
        ("DPCA*, in % of those of WDPCA*-2", 0.9, 1.1),
        ("DPCA*+, between two", 98, 90),
        ("DPCA*, moves", 1.5, 1.05),
        ("WDPCA*-2, time", 1.05, 1.5),
    ],
)
def test_what_agrees_with_the_thesis(what: str, agreeing: float, differing: float) -> None:
    assert Comparison(CLAIMS[what], Estimate(agreeing)).verdict == AGREES
    assert Comparison(CLAIMS[what], Estimate(differing)).verdict.startswith("differs")


def test_the_thesis_s_tests_are_run_by_name_and_can_fail() -> None:
    quick, slow = ran(seconds=0.1), ran(seconds=0.2)
    faster_by_a_little = [
        outcome(dpca=ran(seconds=0.1 + k / 1000), plus=ran(seconds=0.2 + k / 500)) for k in range(9)
    ]
    name = "DPCA* against DPCA*+, paired t"
    assert TESTS[name].test(faster_by_a_little).freedom == (8,)
    assert Comparison(CLAIMS[name], Estimate(measured(name, *faster_by_a_little))).verdict == AGREES
    slower = [
        replace(one, runs={**one.runs, "DPCA*": one.runs["DPCA*+"], "DPCA*+": quick})
        for one in faster_by_a_little
    ]
    assert measured(name, *slower) == 1  # towards the other side
    assert Comparison(CLAIMS[name], Estimate(measured(name, *slower))).verdict.startswith("differs")
    same = [outcome(four=ran(seconds=0.1 + k / 100), eight=ran(seconds=0.1 + k / 100)) for k in range(9)]
    name = "windows 4 and 8, t"
    assert math.isnan(measured(name, *same))  # no effect, but over so few nobody would see one
    assert Comparison(CLAIMS[name], Estimate(measured(name, *same * 500))).verdict == AGREES
    other = [outcome(four=ran(seconds=0.1), eight=ran(seconds=0.2 + k / 100)) for k in range(9)]
    assert Comparison(CLAIMS[name], Estimate(measured(name, *other))).verdict.startswith("differs")
    assert math.isnan(measured("windows 2, 4, 8, variance", outcome(two=slow)))


def test_a_test_is_judged_where_it_could_have_shown_the_effect() -> None:
    """t = 2.41 over 16,613 degrees of freedom is an effect that takes about 11,000 to be seen."""
    windows = TESTS["windows 2 and 4, t"]
    assert windows.would_show((16613,))
    assert windows.would_show((11500,))
    assert not windows.would_show((10500,))
    assert TESTS["DPCA* against DPCA*+, paired t"].would_show((60,))
    assert TESTS["cache, variance"].would_show((1, 326))
    assert not TESTS["cache, variance"].would_show((1, 20))


def test_nothing_is_called_published_that_the_thesis_does_not_print() -> None:
    """Every number of a published statement is in the text of the thesis; the list is from there."""
    printed = {
        *("32.6", "31.1", "62.6", "60.3", "84.5", "82.1", "74.6", "46.9"),  # table 5
        *("60", "34", "22", "35", "10", "28", "0.577", "0.0769"),  # section 5.2
        *("5979", "22.96", "3.95", "112", "2", "24103", "35.25", "5.15", "16", "16613", "2.41", "0.0161"),
        *(
            "15540",
            "3.69",
            "0.000228",
            "15488",
            "1.33",
            "0.183",
            "1",
            "326",
            "22.51",
            "3.13",
            "06",
            "4",
            "4.21",
        ),
        "0.00245",
    }
    for claim in EXPERIMENT.claims:
        if claim.topic == "solved under the budget of moves, % more":
            continue  # differences of table 5
        assert set(re.findall(r"\d+(?:\.\d+)?", claim.published)) <= printed, claim


def test_verdicts_are_about_the_printed_row() -> None:
    for name, solver in SOLVERS.items():
        assert solver == type(solver).as_printed(**({"window": solver.window} if "-" in name else {}))
        assert OURS[name] != solver
    share = TABLE_5["DPCA*"].solved
    one = replace(outcome(), ours={"DPCA*": ran(None)})
    (comparison,) = (c for c in report_of([one] * 4).comparisons if c.claim.what == "DPCA*")
    assert (comparison.measured.value, comparison.ours.value) == (100, 0)
    assert comparison.verdict == f"differs {100 - share:+.2f}"
    assert in_our_form([one])[0].runs["OD+ID"] == one.runs["OD+ID"]


def test_every_claim_can_be_measured(small: list[Row]) -> None:
    rare = ("and more, at most", "loops", "fails on some", "most of them at", "tests of significance")
    rare_claims = [
        claim.what for claim in EXPERIMENT.claims if any(r in claim.topic + claim.what for r in rare)
    ]
    for claim in EXPERIMENT.claims:
        value = estimate(claim.measure, EXPERIMENT.design.samples(small)).value
        assert math.isfinite(value) or claim.what in rare_claims, claim.what  # a dozen instances have none
        assert claim.low <= claim.high


# The report


def test_the_report_is_a_page_plots_and_raw_numbers(small: list[Row], tmp_path: Path) -> None:
    check_files(EXPERIMENT.report(small, tmp_path / "new"), small, PLOTS)


def test_the_report_fits_a_terminal(small: list[Row], tmp_path: Path) -> None:
    text = " ".join(narrow_text(EXPERIMENT.report(small, tmp_path)).split())
    assert "12 instances of 16x16 cells" in text
    assert "the judge found 0 invalid" in text
    for solver in SOLVERS:
        assert solver in text


def test_a_report_on_nothing_but_failures_can_be_written(tmp_path: Path) -> None:
    hopeless = replace(outcome(), runs=dict.fromkeys(SOLVERS, ran(None)))
    report = report_of([hopeless], tmp_path)
    check_files(report, report.rows, PLOTS)
    assert "—" in narrow_text(report)


# The command


@pytest.fixture
def quick(blank_plots: None, monkeypatch: pytest.MonkeyPatch) -> None:
    shorten("dialogue-thesis", SHORT, monkeypatch)


def test_the_command_runs_end_to_end(quick: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "dialogue-thesis", "--instances", "1", "-o", str(tmp_path)]) == 0
    out = capfd.readouterr().out
    assert "1 instance of" in out
    assert f"report: {tmp_path / 'dialogue-thesis.html'}" in out
    names = sorted(path.suffix for path in tmp_path.iterdir())
    assert names == [".html", ".json", ".md", *[".png"] * len(PLOTS)]


def test_an_interrupted_command_goes_on(quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_going_on("dialogue-thesis", tmp_path, monkeypatch)


@pytest.mark.slow  # processes run the trials of all papers alike: test_bcp2006 has it at the gate
def test_the_numbers_do_not_depend_on_the_number_of_jobs() -> None:
    trials = [trial(number, 5, 1.0) for number in range(3)]
    one, two = (EXPERIMENT.design.samples(EXPERIMENT.rows(trials, jobs, nobody_watches)) for jobs in (1, 2))
    for here, there in zip(one, two, strict=True):
        for name in SOLVERS:
            if name != "OD+ID":
                assert here.runs[name].moves == there.runs[name].moves, name
                assert here.runs[name].length == there.runs[name].length, name


def test_without_matplotlib_one_sentence_says_so_before_the_work(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    check_without_matplotlib("dialogue-thesis", tmp_path, capfd, monkeypatch)
