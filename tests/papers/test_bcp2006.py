"""The experiments of bcp2006: what is measured, what must come out, and the report."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sidestep as ss
from sidestep.papers.bcp2006 import EXPERIMENT, trial
from sidestep.papers.bcp2006.measures import deaths, mean, outcomes_of
from sidestep.papers.bcp2006.trial import (
    ASTAR,
    BIASED,
    BUMPING,
    EXTENSIONS,
    GROUPS,
    HERO,
    HERO_SIZES,
    Samples,
    Setting,
    Trial,
    arrival_steps,
    damage,
    instance,
    is_walled_in,
    run_trial,
    settings,
    trials,
)
from sidestep.papers.design import Row, Size, every_outcome
from sidestep.papers.experiment import total
from tests.sizing import examples, some_of

from .conftest import check_files, check_without_matplotlib, narrow_text, nobody_watches


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    """Samples of everything and a few more of the extensions, in one process: at least two and three more."""
    of_all, of_extensions = max(2, examples(4)), max(5, examples(6))
    listed = [
        Trial(setting, number, 0) for number in range(of_extensions) for setting in settings(number, of_all)
    ]
    return EXPERIMENT.rows(listed, 1, nobody_watches)


@pytest.fixture(scope="module")
def samples(rows: list[Row]) -> Samples:
    return EXPERIMENT.design.samples(rows)


# Definitions


def test_a_unit_has_arrived_when_it_stays() -> None:
    positions = np.array([[1, 5, 7, 2], [2, 5, 8, 3], [9, 6, 7, 3], [9, 5, 8, 3]], dtype=np.int32)
    goals = np.array([9, 5, 4, 3], dtype=np.int32)
    assert arrival_steps(positions, goals).tolist() == [2, 3, trial.TURNS, 1]


def test_an_attacker_hits_whoever_is_in_its_reach() -> None:
    (at,) = trial.STATIC["one static"]
    near, far = (at[0] + 4, at[1]), (at[0] + 5, at[1])
    assert damage("one static", [far, far, near, near, far]) == 2
    assert damage("groups", [near, near]) == 0


def test_the_chaser_keeps_up_and_punishes_standing() -> None:
    assert damage("chaser", [(10, 6), (9, 6), (8, 6)]) == 2
    assert damage("chaser", [(10, 6), (10, 6), (9, 6)]) == 3


def test_scenes_are_the_papers() -> None:
    problem = instance(Trial(Setting(HERO, BIASED, 9), 0, 0))
    rows = np.abs(problem.space.cells(problem.starts) - problem.space.cells(problem.goals))[:, 0]
    assert (problem.n_agents, rows[-1]) == (10, 10)  # the hero is ten moves from its goal
    assert problem.priorities.tolist() == [0] * 9 + [1]
    assert instance(Trial(Setting(HERO, ASTAR, 9), 0, 0)).priorities.max() == 0
    two = instance(Trial(Setting(GROUPS, BIASED, 15, False), 3, 0))
    assert (two.n_agents, two.rules.following, two.rules.crossing) == (15, False, True)
    assert len(set(two.starts.tolist())) == 15


# What must come out


def test_the_hero_takes_exactly_ten_steps_in_every_run_of_bcp(samples) -> None:
    heroes = [o.hero for n in HERO_SIZES for o in outcomes_of(samples, Setting(HERO, BIASED, n))]
    assert heroes == [10] * len(heroes)
    bumping = [mean(samples, "hero", Setting(HERO, BUMPING, n)) for n in HERO_SIZES[5:]]
    assert min(bumping) > 11


@pytest.mark.parametrize(("scene", "sizes"), [(HERO, HERO_SIZES), (GROUPS, trial.GROUP_SIZES)])
def test_total_steps_are_no_worse_than_those_of_a_star_and_the_gap_grows(samples, scene, sizes) -> None:
    gaps = [
        mean(samples, "total", Setting(scene, ASTAR, n)) - mean(samples, "total", Setting(scene, BIASED, n))
        for n in sizes
    ]
    assert min(gaps) >= 0
    half = len(sizes) // 2
    assert np.mean(gaps[-half:]) > np.mean(gaps[:half])


@pytest.mark.parametrize("scene", EXTENSIONS)
def test_fewer_heroes_die_after_more_iterations(samples, scene) -> None:
    assert deaths(samples, scene, trial.ITERATIONS[-1]) < deaths(samples, scene, trial.ITERATIONS[0])


def test_the_first_move_comes_within_five_milliseconds(samples) -> None:
    for scene, delays in trial.DELAYS.items():
        for units in delays:
            times = [outcome.delay for outcome in outcomes_of(samples, Setting(scene, BIASED, units))]
            assert sorted(times)[len(times) // 2] < 5


def test_the_judge_agrees_with_every_trace(samples) -> None:
    assert total(every_outcome(samples), "invalid") == 0


def test_a_run_repeats_itself_in_any_number_of_processes() -> None:
    def steps(jobs: int) -> list[object]:
        some = some_of(trials(Size(full=False, instances=1), 3))
        rows = EXPERIMENT.rows(some, jobs, nobody_watches)
        return [{key: value for key, value in row.items() if key != "delay"} for row in rows]

    assert steps(1) == steps(2)


def test_the_paper_has_more_runs_of_the_extensions() -> None:
    def count(size: Size, scene: str) -> int:
        return len({one.number for one in trials(size, 0) if one.setting.scene == scene})

    assert [count(Size(full=True), scene) for scene in (HERO, GROUPS, *EXTENSIONS)] == [10, 10, 18, 18, 18]
    assert [count(Size(full=False), scene) for scene in (HERO, EXTENSIONS[0])] == [5, 9]
    assert [count(Size(full=True, instances=3), scene) for scene in (HERO, EXTENSIONS[0])] == [3, 3]


# The report


def test_the_report(rows: list[Row], tmp_path: Path) -> None:
    report = EXPERIMENT.report(rows, tmp_path)
    check_files(report, rows, ["deaths", "groups", "hero", "total"])
    text = narrow_text(report)
    assert "hero's steps, most" in text
    assert "differs" in text


@pytest.mark.usefixtures("blank_plots")
def test_the_scenes_are_drawn_and_in_the_report(rows: list[Row], tmp_path: Path) -> None:
    pictures = EXPERIMENT.pictures(tmp_path, 0)
    names = {path.name for path in (tmp_path / "pictures").iterdir()}
    assert {"scenario1.html", "scenario1-05.png", "scenario2.html", "scenario2-11.png"} <= names
    assert (len(names), len(pictures)) == (12, 10)
    report = EXPERIMENT.report(rows, tmp_path, pictures)
    report.write()
    page = report.html.read_text()
    assert page.count("data:image/png;base64,") == len(report.plots) + 10
    assert all(f"<figcaption>{title}</figcaption>" in page for title in pictures)


def test_without_matplotlib(tmp_path, capfd, monkeypatch) -> None:
    check_without_matplotlib("bcp2006", tmp_path, capfd, monkeypatch)


def test_nine_units_wall_in_the_middle_of_their_block_where_following_is_forbidden() -> None:
    """The paper's rules lead there: who has arrived stays. As printed nothing else does."""
    for units in (8, 9):
        outcome = run_trial(Trial(Setting(HERO, BIASED, units, following=False), 6, 0))
        assert (outcome.arrived, outcome.walled_in) == ((1, 0) if units == 8 else (0, 1))


def test_a_unit_is_walled_in_only_by_units_on_their_goals() -> None:
    corner = ss.Grid.from_text(". . .\n. . #\n. # .")
    problem = ss.Problem(corner, [(0, 1), (1, 0), (2, 0)], [(0, 1), (1, 0), (0, 0)])
    assert is_walled_in(problem, problem.starts)
    beside = ss.Problem(corner, [(0, 2), (1, 0), (2, 0)], [(0, 1), (1, 0), (0, 0)])
    assert is_walled_in(beside, beside.starts) is False
