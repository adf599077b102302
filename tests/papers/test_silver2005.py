"""The experiments of silver2005: what is measured, how it is judged, and the report, on tiny runs."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from sidestep.cli import main
from sidestep.papers import PAPERS
from sidestep.papers.design import Row, Size, every_outcome
from sidestep.papers.experiment import Claim, Comparison, Estimate, estimate, ratio, total
from sidestep.papers.silver2005 import EXPERIMENT
from sidestep.papers.silver2005.measures import detour, mean
from sidestep.papers.silver2005.trial import (
    COOPERATIVE,
    NOISE,
    PLANNERS,
    Setting,
    Trial,
    arrival_turns,
    cycles,
    instance,
    path_lengths,
    run_trial,
    settings,
    trials,
    until_arrival,
)

from .conftest import check_files, check_without_matplotlib, narrow_text, nobody_watches

SMALL = (4, 12)


TRIALS = trials(Size(full=False, instances=2), 0, agents=SMALL)


@pytest.fixture(scope="module")
def small() -> list[Row]:
    """Two maps with a few agents, in one process."""
    return EXPERIMENT.rows(TRIALS, 1, nobody_watches)


def column(*vertices: int) -> np.ndarray:
    return np.array(vertices, dtype=np.int32)[:, None]


# Definitions


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((3, 3, 3, 3), 0),  # a wait is none
        ((3, 4, 5, 6), 0),
        ((3, 4, 3, 3), 1),  # back to the start
        ((3, 4, 3, 4, 3), 3),  # to and fro: every return counts
        ((3, 4, 4, 5, 4, 4), 1),
        ((3, 4, 8, 7, 3, 4), 2),  # once round, and on
    ],
)
def test_a_cycle_is_entering_a_cell_again(path: tuple[int, ...], expected: int) -> None:
    assert cycles(column(*path)).tolist() == [expected]


def test_cycles_are_those_of_a_walk_remembered_step_by_step() -> None:
    walk = np.random.default_rng(1).integers(0, 6, (40, 25), dtype=np.int32)
    for agent, path in enumerate(walk.T.tolist()):
        seen, count = {path[0]}, 0
        for before, now in pairwise(path):
            count += now != before and now in seen
            seen.add(now)
        assert cycles(walk)[agent] == count


def test_path_length_is_the_turn_of_the_first_arrival() -> None:
    positions = np.array([[1, 5, 7, 2], [2, 5, 8, 3], [9, 6, 7, 2], [2, 5, 8, 3]], dtype=np.int32)
    goals = np.array([9, 5, 4, 3], dtype=np.int32)  # passed; there from the start; never; left again
    arrivals = arrival_turns(positions, goals)
    assert arrivals.tolist() == [2, 0, -1, 1]
    assert path_lengths(arrivals, turns=100).tolist() == [2, 0, 100, 1]


def test_cycles_before_arrival_end_with_it() -> None:
    positions = np.column_stack([column(1, 2, 1, 2), column(1, 2, 1, 2)])
    arrivals = np.array([1, -1])
    assert until_arrival(positions, arrivals).T.tolist() == [[1, 2, 2, 2], [1, 2, 1, 2]]
    assert cycles(until_arrival(positions, arrivals)).tolist() == [0, 2]


# Trials


def test_fewer_agents_are_the_first_of_more() -> None:
    few, many = (instance(Trial(Setting("CA*", agents), 3, 0)) for agents in (5, 20))
    assert few.starts.tolist() == many.starts[:5].tolist()
    assert few.goals.tolist() == many.goals[:5].tolist()
    assert np.array_equal(few.space.open, many.space.open)
    other = instance(Trial(Setting("CA*", 5), 4, 0))
    assert not np.array_equal(few.space.open, other.space.open)


@pytest.mark.parametrize("solver", PLANNERS)
@pytest.mark.parametrize("following", [True, False])
def test_every_solver_runs_and_breaks_no_rule(solver: str, following: bool) -> None:
    outcome = run_trial(Trial(Setting(solver, 30, following), 0, 0))
    assert outcome.invalid == outcome.refused == 0
    assert outcome.success > 80
    assert outcome.length >= outcome.shortest > 0
    assert outcome.cycles >= outcome.cycles_before_arrival >= 0
    assert outcome.initial > 0 < outcome.largest


def test_every_setting_is_run_once() -> None:
    listed = settings(SMALL)
    assert len(listed) == len(set(listed))
    assert {setting.solver for setting in listed if setting.agents == 4} == {"LRA*", *COOPERATIVE}
    forbidden = [setting for setting in listed if not setting.following]
    assert {(s.solver, s.agents) for s in forbidden} == {(solver, 12) for solver in PLANNERS}
    assert NOISE[1] == "LRA*"  # the default is not run twice


def test_a_planner_that_raises_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def session(self, problem: object, *, seed: int = 0) -> Broken:
            return self

        def step(self, view: object, *, budget: object) -> None:
            raise ArithmeticError("broken")

    monkeypatch.setitem(PLANNERS, "CA*", Broken())
    with pytest.raises(ArithmeticError, match="broken"):
        run_trial(Trial(Setting("CA*", 3), 0, 0))


@pytest.mark.slow  # processes run the trials of all papers alike: test_bcp2006 has it at the gate
def test_the_numbers_do_not_depend_on_the_number_of_jobs(small: list[Row]) -> None:
    told: list[float] = []
    rows = EXPERIMENT.rows(TRIALS, 2, lambda fraction, message: told.append(fraction))
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert [untimed(row) for row in rows] == [untimed(row) for row in small]


def test_a_map_is_a_sample_with_the_outcome_of_every_setting(small: list[Row]) -> None:
    maps = EXPERIMENT.design.samples(small)
    assert [list(outcomes) for outcomes in maps] == [settings(SMALL)] * 2
    again = [
        {"seed": 0, "map": number, **setting._asdict(), **asdict(outcome)}
        for number, outcomes in enumerate(maps)
        for setting, outcome in outcomes.items()
    ]
    assert again == small


def untimed(row: Row) -> Row:
    return {key: value for key, value in row.items() if key not in ("initial", "largest")}


# Published beside measured


CLAIM = Claim("topic", "figure 1", "what", "about 2", stated=2, measure=len, low=1.5, high=2.5, reason="why")


@pytest.mark.parametrize(
    ("value", "error", "verdict", "reason"),
    [
        (2.2, 0.1, "agrees", ""),
        (2.6, 0.1, "unclear", "why"),
        (2.6, math.nan, "differs +0.60", "why"),
        (1.0, 0.1, "differs -1.00", "why"),
        (math.nan, math.nan, "not measured", ""),
    ],
)
def test_the_verdict_says_by_how_much(value: float, error: float, verdict: str, reason: str) -> None:
    comparison = Comparison(CLAIM, Estimate(value, error))
    assert comparison.verdict == verdict
    assert comparison.reason == reason


def test_a_difference_of_nothing_is_not_shown_as_a_number() -> None:
    nothing = replace(CLAIM, stated=0, low=0.05)
    assert Comparison(nothing, Estimate(0.0, 0.0)).verdict == "differs"


def test_the_error_of_a_mean_is_its_standard_error() -> None:
    samples = [1.0, 4.0, 2.0, 9.0]
    found = estimate(lambda some: sum(some) / len(some), samples)
    assert found.value == 4.0
    assert found.error == pytest.approx(np.std(samples, ddof=1) / 2)
    assert math.isnan(estimate(sum, [3.0]).error)
    assert found.show(1, "%") == "4.0%±1.8"
    assert math.isnan(ratio(1, 0))


def test_every_claim_can_be_measured(small: list[Row]) -> None:
    maps = EXPERIMENT.design.samples(small)
    for claim in EXPERIMENT.claims:
        assert (
            math.isfinite(estimate(claim.measure, maps).value) or "WHCA*(16)" in claim.what
        )  # which may have no cycles
        assert claim.low <= claim.high


# The report


def test_the_report_is_a_page_plots_and_raw_numbers(small: list[Row], tmp_path: Path) -> None:
    report = EXPERIMENT.report(small, tmp_path / "new" / "folder")
    check_files(report, small, ["cycles", "initial", "largest", "length", "success"])


def test_the_report_fits_a_terminal(small: list[Row], tmp_path: Path) -> None:
    report = EXPERIMENT.report(small, tmp_path)
    text = narrow_text(report)
    assert "2 maps of 32x32 cells" in text
    assert "found 0 invalid" in " ".join(text.split())
    for solver in ("LRA*", *COOPERATIVE):
        assert text.count(solver) >= 2


def test_reasons_are_shown_only_where_something_differs(small: list[Row], tmp_path: Path) -> None:
    report = EXPERIMENT.report(small, tmp_path)
    agreeing = [Comparison(CLAIM, Estimate(2.0))]
    assert replace(report, comparisons=agreeing).reasons == {}
    differing = [Comparison(CLAIM, Estimate(9.0)), Comparison(replace(CLAIM, what="too"), Estimate(8.0))]
    assert replace(report, comparisons=differing).reasons == {"why": ["topic, what", "topic, too"]}


# The command


def test_the_command_runs_end_to_end(
    blank_plots: None, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = replace(EXPERIMENT.design, trials=partial(trials, agents=(2, 10)))
    monkeypatch.setitem(PAPERS, "silver2005", replace(EXPERIMENT, design=few))
    folder = tmp_path / "report"
    assert main(["reproduce", "silver2005", "--instances", "1", "-o", str(folder)]) == 0
    out = capfd.readouterr().out
    assert "1 map of" in out
    assert f"report: {folder / 'silver2005.html'}" in out
    assert (folder / "silver2005.html").exists()


def test_without_matplotlib_one_sentence_says_so_before_the_work(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    check_without_matplotlib("silver2005", tmp_path, capfd, monkeypatch)


@pytest.mark.parametrize("count", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_the_papers_findings_hold_on_its_maps(count: int) -> None:
    rows = EXPERIMENT.rows(trials(Size(full=True, instances=count), 0, agents=(100,)), 1, nobody_watches)
    maps = EXPERIMENT.design.samples(rows)
    assert len(maps) == count
    assert total(every_outcome(maps), "invalid") == 0
    assert mean(maps, "success", "WHCA*(16)") >= 99
    worst = min(mean(maps, "success", solver) for solver in COOPERATIVE)
    for label in NOISE.values():
        assert mean(maps, "success", label) < worst - 2
        assert mean(maps, "cycles", label) >= 5 * mean(maps, "cycles", "WHCA*(16)")
    for solver in ("CA*", "HCA*"):
        assert detour(maps, solver) == pytest.approx(1.2, abs=0.1)
