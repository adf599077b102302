"""The claims of astar-review: what is measured, and the report, on tiny runs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sidestep.cli import main
from sidestep.papers import PAPERS
from sidestep.papers.astar_review import EXPERIMENT, games, troops
from sidestep.papers.astar_review.measures import (
    different,
    map_sides,
    mazes_of,
    most_expanded,
    number,
    quotient,
    slower,
)
from sidestep.papers.astar_review.trial import (
    INFORMED,
    LANDSCAPES,
    QUEUES,
    Effort,
    Interruption,
    Outcome,
    Trial,
    compare_heuristics,
    compare_queues,
    geometry,
    in_our_form,
    landscape_name,
    queue_name,
    run_trial,
)
from sidestep.papers.design import Row, Size
from sidestep.papers.experiment import estimate

from .conftest import check_files, check_without_matplotlib, narrow_text, nobody_watches

SMALL = Trial(0, 0, map_sides=(16, 32), mazes=(20, 30), queries=2)


TWO = [SMALL, replace(SMALL, number=1)]


@pytest.fixture(scope="module", autouse=True)
def near_goals() -> Iterator[None]:
    """Groups cross a small map."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(troops, "SIDE", 48)
        yield


@pytest.fixture(scope="module")
def small() -> list[Row]:
    """Two maps of each kind, in one process."""
    return EXPERIMENT.rows(TWO, 1, nobody_watches)


def test_queues_search_the_same_way() -> None:
    for connectivity in (4, 8):
        efforts = compare_queues(24, connectivity, 1)
        assert set(efforts) == {queue_name(queue, 24, connectivity) for queue in QUEUES}
        expanded = [effort.expanded for effort in efforts.values()]
        assert expanded[0] == expanded[1]  # list and heap order alike
        assert all(effort.milliseconds > 0 for effort in efforts.values())


@pytest.mark.parametrize("connectivity", [4, 8])
def test_informed_heuristics_expand_less_in_a_maze(connectivity: int) -> None:
    maze = LANDSCAPES["maze"](80, 2)
    efforts = compare_heuristics(type(maze)(maze.passable, connectivity), 30, 2, "heap")  # type: ignore[arg-type]
    assert list(efforts) == [geometry(connectivity), *INFORMED]
    for heuristic in INFORMED:
        assert efforts[heuristic].expanded < efforts[geometry(connectivity)].expanded
        assert efforts[heuristic].memory > 0


def test_an_interrupted_search_costs_the_same(small: list[Row]) -> None:
    outcome = EXPERIMENT.design.samples(small)[0]
    for stopped in (outcome.interruption, outcome.our_interruption):
        assert stopped.searches == 3 * SMALL.queries
        assert stopped.different == 0
        assert stopped.frames >= 1


@pytest.mark.slow  # processes run the trials of all papers alike: test_bcp2006 has it at the gate
def test_what_is_counted_is_the_same_in_several_processes(
    small: list[Row],
) -> None:
    outcomes = EXPERIMENT.design.samples
    again = EXPERIMENT.rows(TWO, 2, nobody_watches)
    for one, other in zip(outcomes(again), outcomes(small), strict=True):
        assert (one.number, one.interruption) == (other.number, other.interruption)
        assert one.our_interruption == other.our_interruption
        for name in one.heuristics:
            assert one.heuristics[name].expanded == other.heuristics[name].expanded
            assert one.ours[name].expanded == other.ours[name].expanded


def outcome_of(list_ms: float, heap_ms: float, alt: float) -> Outcome:
    times = (("list", list_ms), ("heap", heap_ms), ("buckets", heap_ms / 2))
    queues = {queue_name(q, 8, 4): Effort(1, ms) for q, ms in times}
    heuristics = {
        landscape_name("maze", 8, connectivity, name): Effort(expanded, 1)
        for connectivity in (4, 8)
        for name, expanded in ((geometry(connectivity), 100.0), ("alt", alt * connectivity))
    }
    ours = {name: Effort(effort.expanded / 2, 1) for name, effort in heuristics.items() if "alt" in name}
    stopped, ours_stopped = Interruption(1, 2.0, 1), Interruption(1, 2.0, 0)
    played = {"group effort": list_ms}
    return Outcome(0, queues, heuristics, stopped, {**heuristics, **ours}, ours_stopped, played, {})


def test_ratios_are_of_means() -> None:
    outcomes = [outcome_of(6, 2, 5), outcome_of(4, 3, 15)]
    assert slower(outcomes, "list", "heap", 8) == 2
    assert math.isnan(slower(outcomes, "list", "heap", 1024))
    assert most_expanded(outcomes, "alt") == 0.8  # 8-connected is the worse
    assert different(outcomes) == 2


def test_what_nobody_has_measured_is_no_number() -> None:
    outcomes = [outcome_of(6, 2, 5), outcome_of(4, 3, 15)]
    assert number(outcomes, "group effort") == 5
    assert math.isnan(number(in_our_form(outcomes), "group effort"))
    assert quotient(outcomes, "group effort", "group effort") == 1


def test_searches_before_astar_find_what_they_can() -> None:
    numbers = games.local(5, 1, "heap")
    assert numbers["astar wrong"] == numbers["best-first missing"] == 0
    assert numbers["greedy wrong"] >= numbers["greedy missing"]
    searches = games.uninformed(3, 1, "heap")
    assert searches["bfs 16 cost"] == searches["astar 16 cost"] <= searches["dfs 16 cost"]


def test_units_in_games() -> None:
    numbers = games.corners(4, 1, "heap")
    assert numbers["corners dear"] < numbers["corners free"]
    pursued = games.pursuit(2, 1, "heap")
    assert pursued["pursuit caught"] == 100
    assert pursued["pursuit kept"] < pursued["pursuit anew"]
    assert games.sections(3, 1, "heap")["sections arrived"] == 100


def test_groups_are_sent_across_a_map_and_all_arrive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(troops, "SIDE", 64)
    shared, marched = troops.shared(2, "heap"), troops.marched(2)
    assert shared["group effort"] < 1 <= shared["group longer"]
    assert marched["arrived"] == 100


def test_ours_has_buckets_in_the_place_of_the_heap() -> None:
    ours = in_our_form([outcome_of(6, 2, 5), outcome_of(4, 3, 15)])
    assert slower(ours, "list", "heap", 8) == 4
    assert most_expanded(ours, "alt") == 0.4
    assert different(ours) == 0


def test_outcomes_say_which_sizes_were_run(small: list[Row]) -> None:
    outcomes = EXPERIMENT.design.samples(small)
    assert (tuple(map_sides(outcomes)), tuple(mazes_of(outcomes))) == (SMALL.map_sides, SMALL.mazes)


def test_every_claim_is_measured_or_its_size_was_not_run(
    small: list[Row],
) -> None:
    for claim in EXPERIMENT.claims:
        outcomes = EXPERIMENT.design.samples(small)
        value = estimate(claim.measure, in_our_form(outcomes) if claim.of_ours else outcomes).value
        assert math.isfinite(value) == (claim.what.split("x")[0] not in ("128", "1024"))
        assert claim.low <= claim.high


def test_the_report_is_a_page_plots_and_raw_numbers(small: list[Row], tmp_path: Path) -> None:
    report = EXPERIMENT.report(small, tmp_path / "new")
    check_files(report, small, ["expansions", "queues"])
    text = narrow_text(report)
    assert "2 maps of each kind" in text
    assert f"{6 * SMALL.queries} searches were interrupted" in " ".join(text.split())


def test_the_command_runs_end_to_end(
    blank_plots: None, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def one(size: Size, seed: int) -> list[Trial]:
        return [replace(SMALL, seed=seed)]

    tiny = replace(EXPERIMENT.design, trials=one)
    monkeypatch.setitem(PAPERS, "astar-review", replace(EXPERIMENT, design=tiny))
    folder = tmp_path / "report"
    assert main(["reproduce", "astar-review", "--instances", "1", "-o", str(folder)]) == 0
    out = capfd.readouterr().out
    assert "1 map of each kind" in out
    assert (folder / "astar-review.html").exists()


def test_without_matplotlib_one_sentence_says_so_before_the_work(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    check_without_matplotlib("astar-review", tmp_path, capfd, monkeypatch)


@pytest.mark.slow
def test_a_list_falls_behind_a_heap_as_maps_grow() -> None:
    outcomes = [run_trial(Trial(0, 0, map_sides=(128, 1024), mazes=(20,), queries=2))]
    assert slower(outcomes, "list", "heap", 128) > 2
    assert slower(outcomes, "list", "heap", 1024) > 50
