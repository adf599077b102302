"""Every row of the programme runs for about a second, its corpus first; and the driver notices what fails."""

from __future__ import annotations

import pytest

from . import broken
from .driver import Run
from .rows import all_rows

ROWS = all_rows()


@pytest.mark.parametrize("name", ROWS)
def test_a_row_finds_nothing(name: str) -> None:
    row = ROWS[name]
    outcome = Run(row, seconds=1.0, brief=True)()
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


def test_a_run_goes_on_where_another_has_ended() -> None:
    outcome = Run(broken.ROW, seconds=60.0, first=7, limit=3)()
    assert (outcome.failures, outcome.first, outcome.number, outcome.checks) == ([], 7, 10, 3)
