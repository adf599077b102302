"""The claims of astar-review: what is measured, and the report, on tiny runs."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from sidestep.cli import main
from sidestep.papers import astar_review
from sidestep.papers.astar_review import (
    CLAIMS,
    INFORMED,
    LANDSCAPES,
    QUEUES,
    Effort,
    Findings,
    Outcome,
    Trial,
    compare_heuristics,
    compare_queues,
    find,
    geometry,
    landscape_name,
    make_report,
    queue_name,
    run_trial,
)

from .conftest import check_files, check_without_matplotlib, narrow_text, nobody_watches

SMALL = Trial(0, 0, sides=(16, 32), mazes=(20, 30), queries=5)


@pytest.fixture(scope="module")
def small() -> tuple[Findings, list[dict[str, object]]]:
    """Two maps of each kind, in one process."""
    return find([SMALL, replace(SMALL, number=1)], jobs=1, progress=nobody_watches)


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
    efforts = compare_heuristics(type(maze)(maze.passable, connectivity), 30, 2)  # type: ignore[arg-type]
    assert list(efforts) == [geometry(connectivity), *INFORMED]
    for heuristic in INFORMED:
        assert efforts[heuristic].expanded < efforts[geometry(connectivity)].expanded
        assert efforts[heuristic].memory > 0


def test_an_interrupted_search_costs_the_same() -> None:
    outcome = run_trial(SMALL)
    assert outcome.interrupted == 3 * SMALL.queries
    assert outcome.different == 0
    assert outcome.frames >= 1


def test_what_is_counted_is_the_same_in_several_processes(
    small: tuple[Findings, list[dict[str, object]]],
) -> None:
    again, _ = find([SMALL, replace(SMALL, number=1)], jobs=2, progress=nobody_watches)
    for one, other in zip(again.outcomes, small[0].outcomes, strict=True):
        assert (one.number, one.frames, one.different) == (other.number, other.frames, other.different)
        for name, effort in one.heuristics.items():
            assert effort.expanded == other.heuristics[name].expanded


def outcome_of(list_ms: float, heap_ms: float, alt: float) -> Outcome:
    queues = {queue_name(q, 8, 4): Effort(1, ms) for q, ms in (("list", list_ms), ("heap", heap_ms))}
    heuristics = {
        landscape_name("maze", 8, connectivity, name): Effort(expanded, 1)
        for connectivity in (4, 8)
        for name, expanded in ((geometry(connectivity), 100.0), ("alt", alt * connectivity))
    }
    return Outcome(0, queues, heuristics, interrupted=1, frames=2.0, different=1)


def test_ratios_are_of_means() -> None:
    found = Findings([outcome_of(6, 2, 5), outcome_of(4, 3, 15)], sides=(8,), mazes=(8,))
    assert found.slower("list", "heap", 8) == 2
    assert math.isnan(found.slower("list", "heap", 1024))
    assert found.most_expanded("alt") == 0.8  # 8-connected is the worse
    assert found.total("different") == 2


def test_every_claim_is_measured_or_its_size_was_not_run(
    small: tuple[Findings, list[dict[str, object]]],
) -> None:
    for claim in CLAIMS:
        value = small[0].estimate(claim.measure).value
        assert math.isfinite(value) == (claim.what.split("x")[0] not in ("128", "1024"))
        assert claim.low <= claim.high


def test_the_report_is_a_page_plots_and_raw_numbers(
    small: tuple[Findings, list[dict[str, object]]], tmp_path: Path
) -> None:
    findings, rows = small
    report = make_report(findings, rows, tmp_path / "new")
    check_files(report, rows, ["expansions", "queues"])
    text = narrow_text(report)
    assert "2 maps of each kind" in text
    assert "30 searches were interrupted" in " ".join(text.split())


def test_the_command_runs_end_to_end(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(astar_review, "Trial", lambda number, seed: replace(SMALL, number=number, seed=seed))
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
    findings, _ = find(
        [Trial(0, 0, sides=(128, 1024), mazes=(20,), queries=2)], jobs=1, progress=nobody_watches
    )
    assert findings.slower("list", "heap", 128) > 2
    assert findings.slower("list", "heap", 1024) > 50
