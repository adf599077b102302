"""Every row of the programme runs for a moment, its corpus first; and the driver notices what fails.

Some are left to `make test-full`. Rows that kill processes over and over: tests of sweeps, papers and the
studio kill each kind of them once. Those that briefly only repeat other tests: the digests of the usual
build, and what is said to a studio.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.sizing import share

from . import broken, results, slow
from .driver import Outcome, Run, Schedule
from .rows import all_rows, limits

ROWS = all_rows()
LONG = ("compilers", "kill", "studio", "studio soak", "sweep cluster", "sweeps")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in ROWS]
)
def test_a_row_finds_nothing(name: str) -> None:
    row = ROWS[name]
    outcome = Run(row, seconds=0.5 * share(), brief=True)()
    if outcome.missing:
        pytest.skip(outcome.missing)
    assert outcome.failures == []
    assert outcome.cases > 0
    assert outcome.checks > 0
    assert outcome.corpus == len(row.corpus())


def test_the_driver_names_the_cases_that_crash_hang_or_fail() -> None:
    outcome = Run(broken.ROW, seconds=60.0)()
    assert {failure["case"]: failure["said"] for failure in outcome.failures} == {
        f"case {broken.CRASH}": "ended by signal 11",
        f"case {broken.HANG}": "no answer for 5 seconds",
        f"case {broken.RAISE}": "five is not four",
        f"case {broken.LEAVE}": "ended with exit status 3",
    }
    assert (outcome.cases, outcome.number, outcome.checks) == (10, 10, 6)
    assert "string_at" in outcome.failures[0]["traceback"]


def test_what_only_takes_long_does_not_hang() -> None:
    outcome = Run(slow.ROW, seconds=60.0)()
    assert (outcome.failures, outcome.cases, outcome.checks) == ([], 1, 1)


def test_a_run_goes_on_where_another_has_ended() -> None:
    outcome = Run(broken.ROW, seconds=60.0, first=7, limit=3)()
    assert (outcome.failures, outcome.first, outcome.number, outcome.checks) == ([], 7, 10, 3)


def test_results_add_up_and_make_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = replace(broken.ROW, name="numbers")
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    monkeypatch.setattr(results, "PAGE", tmp_path / "page.md")
    results.PAGE.write_text("# A page\n", encoding="utf-8")
    first = Outcome(row, seconds=30, number=4, cases=4, checks=8)
    failure = {"case": "case 5", "said": "no", "traceback": ""}
    second = Outcome(row, seconds=30, first=4, number=6, cases=2, checks=4, failures=[failure])
    stored = results.store(second, results.store(first))
    assert results.stored(row) == stored
    assert (stored["first"], stored["next"], stored["cases"], stored["checks"]) == (0, 6, 6, 12)
    absent = results.store(Outcome(replace(row, name="absent"), missing="there is no compiler"))
    for _ in range(2):
        results.write_page([stored, absent])
    page = results.PAGE.read_text(encoding="utf-8")
    line = f"| numbers | nothing holds | 6 numbers of 10 | 12 | 1 | 1.0 | {stored['commit']} |"
    assert page.count(line) == 1
    assert "| absent | not run: there is no compiler |" in page


def test_overruns_make_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line per solver and map, a cell per limit; writing puts it behind the words of its page."""
    late = {("cbs", 0.02, "maze"): [0.001, 0.003], ("cbs", 1.0, "maze"): [0.0], ("od", 1.0, "room"): [0.0125]}
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    monkeypatch.setattr(results, "PAGE", tmp_path / "torture.md")
    monkeypatch.setattr(results, "LIMITS_PAGE", tmp_path / "torture-limits.md")
    (tmp_path / "limits.md").write_text(limits.table(late))
    for page in (results.PAGE, results.LIMITS_PAGE):
        page.write_text("# Words\n")
    for _ in range(2):
        results.write_page([])
    assert results.LIMITS_PAGE.read_text() == (
        "# Words\n\n| solver | map | 20 ms | 1000 ms |\n|---|---|---:|---:|\n"
        "| cbs | maze | 2.0, 3.0, 3.0 (2) | 0.0, 0.0, 0.0 (1) |\n"
        "| od | room |  | 12.5, 12.5, 12.5 (1) |\n"
    )


def test_a_schedule_runs_every_row_and_shares_the_time() -> None:
    rows = [replace(broken.ROW, full=2) for _ in range(3)]
    ends: list[Outcome] = []
    Schedule(rows, 60.0, 2, {}, ends.append).run()
    assert [outcome.cases for outcome in ends] == [2, 2, 2]


def test_rows_that_were_not_run_keep_their_lines_on_the_page() -> None:
    """The table of the page, put together again without any new row, is the same, its sums included."""
    page = results.PAGE.read_text(encoding="utf-8")
    assert page.endswith(f"{results.HEADING}\n{results.table([], results.published())}\n")
    other = results.table([], {"other": "| other | a | 1,000 of 2,000 | 3 | 0 | 0.5 | 123 |"})
    assert other.splitlines()[2:] == [
        "| other | a | 1,000 of 2,000 | 3 | 0 | 0.5 | 123 |",
        "| all | | 1,000 | 3 | 0 | 0.5 | |",
    ]
