"""The experiments of standley2010: the instances, what is measured and how, and the report, on tiny runs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep.cli import main
from sidestep.model.to_core import compiled_space
from sidestep.papers.design import InstanceTrial, Row
from sidestep.papers.experiment import AGREES, Comparison, Estimate, Report, estimate
from sidestep.papers.standley2010 import EXPERIMENT
from sidestep.papers.standley2010 import trial as trial_module
from sidestep.papers.standley2010.measures import (
    disagreements,
    easiest,
    excess,
    group_sizes,
    groups,
    runs_of,
    solved,
    unchecked_impossible,
    unchecked_left,
    unchecked_neither,
)
from sidestep.papers.standley2010.trial import (
    FIRST_SAMPLED,
    HCA_HELD,
    HCA_ONLINE,
    ID_READINGS,
    INSTANCES,
    LONGEST_FIRST,
    READINGS,
    SAMPLED_EVERY,
    SECONDS,
    SHORTEST_FIRST,
    SOLVERS,
    SPARING,
    Outcome,
    Run,
    instance,
    is_sampled,
    part_of,
    run_trial,
    unchecked,
)
from sidestep.sweeps.working import Unfinished

from .conftest import (
    check_files,
    check_going_on,
    check_without_matplotlib,
    narrow_text,
    nobody_watches,
    shorten,
)

SHORT = 0.05  # seconds
CLAIMS = {claim.what: claim for claim in EXPERIMENT.claims}


def trial(number: int, seed: int = 0, seconds: float = SECONDS) -> InstanceTrial:
    return InstanceTrial(number, seed, seconds)


def report_of(outcomes: Sequence[Outcome], folder: Path = Path("nowhere")) -> Report:
    return EXPERIMENT.report([asdict(one) for one in outcomes], folder)


@pytest.fixture(scope="module")
def small() -> list[Row]:
    """A few instances with little time, in one process."""
    return EXPERIMENT.rows([trial(number, seconds=SHORT) for number in range(8)], 1, nobody_watches)


def ran(cost: int | None, seconds: float = 0.1, expansions: int = 0, standard: int = 0) -> Run:
    return Run("timeout" if cost is None else "solved", cost, seconds, expansions, standard)


def outcome(*, agents: int = 50, od_id: Run | None = None, hca: Run | None = None, **others: Any) -> Outcome:
    """One whose agents would need 100 steps without each other; both solvers solve it unless told."""
    runs = {"OD+ID": od_id or ran(104), "Standard+ID": ran(104, 0.2), "OD": ran(None), "Standard": ran(None)}
    runs |= {**dict.fromkeys(READINGS, ran(120)), HCA_ONLINE: hca or ran(112)}
    whole = Outcome(0, 0, agents, shortest=100, runs=runs, group=1, alone={}, invalid=0)
    return replace(whole, **others)


def measured(what: str, *outcomes: Outcome) -> float:
    return CLAIMS[what].measure(outcomes)


# Instances


def test_instances_are_those_of_the_paper() -> None:
    problems = [instance(trial(number)) for number in range(300)]
    counts = [problem.n_agents for problem in problems]
    assert (min(counts), max(counts)) == (2, 60)
    assert np.mean(counts) == pytest.approx(31, abs=3)
    blocked = [1 - np.mean(problem.space.open) for problem in problems]
    assert np.mean(blocked) == pytest.approx(0.2, abs=0.003)
    assert np.std(blocked) == pytest.approx(math.sqrt(0.2 * 0.8 / 1024), rel=0.2)
    for problem in problems:
        assert (problem.space.connectivity, problem.space.corners) == (8, "free")
        assert problem.rules == ss.Rules(cost="time_off_goal")


def test_pockets_are_not_filled_but_every_goal_can_be_reached() -> None:
    pockets = 0
    for number in range(300):
        problem = instance(trial(number))
        region = compiled_space(problem).components()
        assert np.array_equal(region[problem.starts], region[problem.goals])
        pockets += len(set(region[np.flatnonzero(problem.space.open)].tolist())) > 1
    assert 5 < pockets < 50


def test_an_instance_depends_on_its_number_and_the_seed_only() -> None:
    one, same = (instance(trial(3, 7, seconds)) for seconds in (1.0, 2.0))
    assert np.array_equal(one.starts, same.starts)
    assert np.array_equal(one.space.open, same.space.open)
    others = [instance(trial) for trial in (trial(4, 7), trial(3, 8), trial(3, -8))]
    assert not any(np.array_equal(one.space.open, other.space.open) for other in others)


def test_a_part_of_a_problem_keeps_its_map_and_rules() -> None:
    whole = instance(trial(0, 0))
    part = part_of(whole, [4, 1])
    assert part.starts.tolist() == whole.starts[[4, 1]].tolist()
    assert part.goals.tolist() == whole.goals[[4, 1]].tolist()
    assert part.space is whole.space
    assert part.rules == whole.rules


# Trials


def test_every_solver_runs_and_no_plan_is_wrong(small: list[Row]) -> None:
    outcomes = EXPERIMENT.design.samples(small)
    for one in outcomes:
        assert set(one.runs) == {*SOLVERS, *READINGS, *ID_READINGS}
        assert one.invalid == 0
        assert one.group == 1 or set(one.alone) == {"OD", "Standard", SPARING}
        for name, run in one.runs.items():
            assert run.seconds < SHORT + 10, name  # the limit was handed on; tests of limits are stricter
            assert run.cost is None or run.cost >= one.shortest, name
    assert disagreements(outcomes) == 0
    assert solved(outcomes, "OD+ID") > 0
    assert groups(outcomes)
    assert [Outcome.of(json.loads(json.dumps(row))) for row in small] == outcomes


def test_the_slow_solvers_run_on_a_sample() -> None:
    late = (run_trial(trial(number, 0, SHORT)) for number in range(FIRST_SAMPLED - 1, 0, -1))
    last, beyond = next(one for one in late if one.group > 1), run_trial(trial(FIRST_SAMPLED + 1, 0, SHORT))
    assert set(last.runs) - set(beyond.runs) == {"Standard", "OD", "Standard+ID", *ID_READINGS}
    assert last.alone
    assert not beyond.alone
    assert [len(runs_of([last, beyond], solver)) for solver in ("OD", "OD+ID")] == [1, 2]
    assert [number for number in range(FIRST_SAMPLED, 200) if is_sampled(number)] == [100, 125, 150, 175]
    assert SAMPLED_EVERY * 400 == INSTANCES


def test_a_plan_that_the_judge_refuses_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_module, "validate", lambda problem, plan: False)
    few_agents = next(number for number in range(1000) if instance(trial(number)).n_agents == 2)
    one = run_trial(trial(few_agents, 0))
    runs = (*one.runs.values(), *one.ours.values())
    assert one.invalid == sum(run.cost is not None for run in runs) == 11 + 3


def test_whoever_goes_first_in_hca_depends_on_the_reading() -> None:
    few = next(number for number in range(1000) if instance(trial(number)).n_agents > 50)
    runs = run_trial(trial(few, 0, SHORT)).runs
    assert runs[SHORTEST_FIRST].cost < runs[LONGEST_FIRST].cost


# What is measured


def test_what_is_solved_is_a_share_of_what_was_run() -> None:
    unsolved = outcome(od_id=ran(None, 1.0))
    runs = {name: run for name, run in unsolved.runs.items() if name != "OD"}
    outcomes = [outcome(), outcome(), unsolved, replace(unsolved, runs=runs)]
    assert solved(outcomes, "OD+ID") == 50
    assert solved(outcomes, "OD") == 0
    assert len(runs_of(outcomes, "OD")) == 3
    assert measured("OD+ID - Standard+ID, % solved", *outcomes) == -50
    assert measured("Standard+ID - OD, % solved", *outcomes) == 100
    assert math.isnan(solved([], "OD"))


def test_what_hca_does_not_solve_may_be_solved_by_the_other() -> None:
    failed, unsolved = ran(None), ran(None, 1.0)
    outcomes = [
        outcome(),
        outcome(od_id=unsolved),
        outcome(hca=failed),
        outcome(hca=failed, od_id=unsolved),
        outcome(hca=failed),
    ]
    assert measured("not by HCA*", *outcomes) == 60
    assert measured("of these, by OD+ID", *outcomes * 4) == pytest.approx(200 / 3)
    assert measured("by neither", *outcomes) == 20
    assert math.isnan(measured("of these, by OD+ID", *outcomes * 3))  # too few to say


def test_costs_compare_on_crowded_instances_that_both_solve_among_the_easiest() -> None:
    easy = [outcome(od_id=ran(104, 0.1 * k), hca=ran(110)) for k in range(7)]
    left_out = [
        outcome(agents=40, od_id=ran(190, 0.1)),
        outcome(od_id=ran(190, 0.1), hca=ran(None)),
        outcome(od_id=ran(190, 0.9)),  # the hardest of what is solved: beyond 90.45% of all ten
    ]
    outcomes = [*easy, *left_out]
    assert len(easiest(outcomes)) == 9
    assert excess(outcomes, "OD+ID", HCA_ONLINE) == 4
    assert excess(outcomes, HCA_ONLINE, "OD+ID") == 10
    assert math.isnan(excess([outcome(agents=40)] * 10, "OD+ID", HCA_ONLINE))


def test_the_easiest_are_all_that_is_solved_where_that_is_less_than_published() -> None:
    assert easiest([outcome(), *[outcome(od_id=ran(None, 1.0))] * 3]) == [outcome()]


def test_times_are_compared_on_what_both_solve() -> None:
    slower, alike = outcome(od_id=ran(104, 0.05)), outcome(od_id=ran(104, 0.2))
    unsolved = outcome(od_id=ran(None, 1.0))
    assert measured("Standard+ID / OD+ID", slower, alike, unsolved) == pytest.approx(2)
    assert math.isnan(measured("Standard+ID / OD+ID", unsolved))


def group(size: int, od: Run, standard: Run, sparing: Run | None = None) -> Outcome:
    alone = {"OD": od, "Standard": standard} | ({SPARING: sparing} if sparing else {})
    return outcome(group=size, alone=alone)


def test_groups_are_shared_out_by_their_size() -> None:
    good, bad = ran(10), ran(None, 2.0)
    outcomes = [outcome(), group(2, good, good), group(5, good, bad), group(5, bad, bad)]
    assert group_sizes(outcomes) == [2, 5]
    assert [len(groups(outcomes, size)) for size in (1, 2, 5)] == [0, 1, 2]
    assert measured("largest groups, OD - Standard, %", *outcomes) == pytest.approx(100 / 3)
    curves = report_of(outcomes).plots[1].curves
    assert [point.value for point in curves["OD"].values()] == [100, 50]
    assert [point.value for point in curves["Standard"].values()] == [100, 0]


def test_the_closed_list_is_counted_where_a_plan_was_found() -> None:
    searches = [
        group(3, ran(9, 0.1, expansions=150), ran(9), ran(9, 0.3, expansions=900, standard=50)),
        group(2, ran(9, 0.1, expansions=50), ran(9), ran(9, 0.1, expansions=100, standard=50)),
        group(9, ran(9, 0.1), ran(9), ran(None, 2.0, expansions=10**6, standard=10**6)),
        group(2, ran(9, 0.1), ran(9)),  # beyond the sample
        outcome(),
    ]
    assert measured("closed list with standard nodes only", *searches) == pytest.approx(90)
    assert measured("time without / with duplicates within a step", *searches) == pytest.approx(2)
    assert math.isnan(measured("closed list with standard nodes only", outcome()))
    assert [row[1].split("±")[0] for row in report_of(searches).tables[-1].rows] == ["90.0", "72.2", "50.0"]


def test_optimal_solvers_that_disagree_are_counted() -> None:
    wrong = {**outcome().runs, "Standard+ID": ran(105)}
    assert disagreements([outcome(), outcome(runs=wrong)]) == 1
    dear = {**outcome().runs, HCA_ONLINE: ran(150)}
    assert disagreements([outcome(runs=dear)]) == 0


def test_times_are_drawn_as_far_as_instances_are_solved() -> None:
    seconds = [0.004, 0.001, 0.003, 0.002]
    outcomes = [*(outcome(od_id=ran(104, time)) for time in seconds), outcome(od_id=ran(None))]
    curve = report_of(outcomes).plots[0].curves["OD+ID"]
    assert max(curve) == 80
    assert [curve[percent].value for percent in (0.5, 20, 20.5, 60, 80)] == pytest.approx([1, 1, 2, 3, 4])


# Published beside measured


@pytest.mark.parametrize(
    ("what", "agreeing", "differing"),
    [
        ("OD+ID", 4.4, 5.6),  # the cost: the last of two claims by that name
        ("HCA*", 15.9, 16.1),
        ("not by HCA*", 4.3, 0.4),
        ("by neither", 0.69, 0.0),
        ("not by HCA*, without a check", 4.3, 1.0),
        ("by neither, without a check", 0.69, 0.0),
        ("OD+ID, what we aim at", 93.1, 92.9),
        ("closed list with standard nodes only", 93.0, 99.0),
    ],
)
def test_what_agrees_with_the_paper(what: str, agreeing: float, differing: float) -> None:
    assert Comparison(CLAIMS[what], Estimate(agreeing)).verdict == AGREES
    assert Comparison(CLAIMS[what], Estimate(differing)).verdict.startswith("differs")


def test_every_claim_can_be_measured(small: list[Row]) -> None:
    for claim in EXPERIMENT.claims:
        value = estimate(claim.measure, EXPERIMENT.design.samples(small)).value
        assert math.isfinite(value) or claim.what in ("of these, by OD+ID", "OD+ID", "HCA*"), claim.what
        assert claim.low <= claim.high


# The report


def test_the_report_is_a_page_plots_and_raw_numbers(small: list[Row], tmp_path: Path) -> None:
    check_files(EXPERIMENT.report(small, tmp_path / "new"), small, ["groups", "time"])


def test_the_report_fits_a_terminal(small: list[Row], tmp_path: Path) -> None:
    text = " ".join(narrow_text(EXPERIMENT.report(small, tmp_path)).split())
    assert "8 instances of 32x32 cells" in text
    assert "the judge found 0 invalid; on 0 instances optimal solvers disagree" in text
    for solver in (*SOLVERS, *READINGS, *ID_READINGS):
        assert solver in text


def test_a_report_on_nothing_but_failures_can_be_written(tmp_path: Path) -> None:
    hopeless = {name: ran(None, 1.0) for name in outcome().runs}
    report = report_of([outcome(runs=hopeless)], tmp_path)
    check_files(report, report.rows, ["groups", "time"])
    assert "—" in narrow_text(report)


# The command


@pytest.fixture
def quick(blank_plots: None, monkeypatch: pytest.MonkeyPatch) -> None:
    shorten("standley2010", SHORT, monkeypatch)


def test_the_command_runs_end_to_end(quick: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "standley2010", "--instances", "1", "-o", str(tmp_path)]) == 0
    out = capfd.readouterr().out
    assert "1 instance of" in out
    assert f"report: {tmp_path / 'standley2010.html'}" in out
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".html", ".json", ".md", ".png", ".png"]


def test_an_interrupted_command_goes_on(quick: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_going_on("standley2010", tmp_path, monkeypatch)


def test_rows_that_an_earlier_run_kept_are_taken_up(
    blank_plots: None, small: list[Row], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    head = {"paper": "standley2010", "sidestep": ss.__version__, "seed": 0, "seconds": 1.0}
    with Unfinished(tmp_path / "standley2010-unfinished.db", head) as kept:
        kept.add("somewhere", enumerate(small))
    assert main(["reproduce", "standley2010", "--instances", str(len(small)), "-o", str(tmp_path)]) == 0
    assert json.loads((tmp_path / "standley2010.json").read_text())["rows"] == small


@pytest.mark.slow  # processes run the trials of all papers alike: test_bcp2006 has it at the gate
def test_the_numbers_do_not_depend_on_the_number_of_jobs() -> None:
    trials = [trial(number, 5, SHORT) for number in range(3)]
    one, two = (EXPERIMENT.design.samples(EXPERIMENT.rows(trials, jobs, nobody_watches)) for jobs in (1, 2))
    for here, there in zip(one, two, strict=True):
        assert (here.agents, here.shortest) == (there.agents, there.shortest)
        assert asdict(here)["runs"][HCA_HELD]["cost"] == there.runs[HCA_HELD].cost


def test_bad_input(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "standley2011", "-o", str(tmp_path)]) == 2
    assert "did you mean 'standley2010'" in capfd.readouterr().err
    assert main(["reproduce", "standley2010", "--instances", "0"]) == 2
    assert "--instances" in capfd.readouterr().err


def test_without_matplotlib_one_sentence_says_so_before_the_work(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    check_without_matplotlib("standley2010", tmp_path, capfd, monkeypatch)


def test_goals_that_nobody_has_checked_may_be_in_another_pocket() -> None:
    """As many agents on the same map, no two starts or goals alike, others than those that were checked."""
    shares = []
    for number in range(40):
        problem = instance(trial(number))
        other = unchecked(problem, number)
        assert other.n_agents == problem.n_agents
        assert other.space is problem.space
        assert len(set(other.starts.tolist())) == len(set(other.goals.tolist())) == other.n_agents
        assert unchecked(problem, number).starts.tolist() == other.starts.tolist()
        shares.append(other.starts.tolist() != problem.starts.tolist())
    assert all(shares)


def test_unchecked_instances_are_counted_apart() -> None:
    """Of four, HCA* leaves three: one with a goal that cannot be reached, one that OD+ID solves."""
    impossible = Run("infeasible", None, 0.1, 0, 0)
    both = [
        {HCA_ONLINE: ran(112)},
        {HCA_ONLINE: impossible, "OD+ID": impossible},
        {HCA_ONLINE: ran(None), "OD+ID": ran(104)},
        {HCA_ONLINE: ran(None), "OD+ID": ran(None)},
    ]
    outcomes = [outcome(unchecked=runs) for runs in both]
    assert unchecked_left(outcomes) == 75
    assert unchecked_impossible(outcomes) == 25
    assert unchecked_neither(outcomes) == 50
