"""Many trials: run once each, gone on with after an interruption, and what they say of the error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from statistics import fmean, stdev

import numpy as np
import pytest

from sidestep.papers.experiment import MOST_PARTS, estimate
from sidestep.papers.journal import Journal
from sidestep.papers.trials import run_trials

from .conftest import nobody_watches

HEAD = {"paper": "doe1999", "seed": 0}


def square(number: int) -> dict[str, int]:
    return {"square": number**2}


def squares(count: int) -> list[dict[str, int]]:
    return [square(number) for number in range(count)]


@pytest.fixture
def counting() -> tuple[list[int], Callable[[int], dict[str, int]]]:
    """What was run, and a trial that says so."""
    seen: list[int] = []

    def run(number: int) -> dict[str, int]:
        seen.append(number)
        return square(number)

    return seen, run


def interrupted_at(limit: int) -> Callable[[int], dict[str, int]]:
    def run(number: int) -> dict[str, int]:
        if number == limit:
            raise KeyboardInterrupt
        return square(number)

    return run


def test_an_interrupted_run_goes_on_where_it_was(
    tmp_path: Path, counting: tuple[list[int], Callable[[int], dict[str, int]]]
) -> None:
    path, (seen, run) = tmp_path / "run.jsonl", counting
    with pytest.raises(KeyboardInterrupt):
        run_trials(interrupted_at(3), range(5), jobs=1, progress=nobody_watches, journal=Journal(path, HEAD))
    told: list[str] = []
    journal = Journal(path, HEAD)
    outcomes = run_trials(
        run, range(5), jobs=1, progress=lambda fraction, message: told.append(message), journal=journal
    )
    assert outcomes == squares(5)
    assert seen == [3, 4]
    assert told == ["4 of 5 trials", "5 of 5 trials"]
    assert journal.open() == squares(5)
    journal.remove()
    journal.remove()
    assert not path.exists()


@pytest.mark.parametrize("jobs", [1, 2])
def test_more_trials_go_on_from_fewer_in_any_number_of_processes(tmp_path: Path, jobs: int) -> None:
    for count in (2, 5, 3):
        journal = Journal(tmp_path / "run.jsonl", HEAD)
        outcomes = run_trials(
            square, range(count), jobs=jobs, progress=nobody_watches, journal=journal, at_once=1
        )
        assert outcomes == squares(count)
    assert journal.open() == squares(5)


def test_a_line_that_was_cut_off_is_run_again(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    journal = Journal(path, HEAD)
    journal.open()
    for outcome in squares(3):
        journal.add(outcome)
    path.write_text(path.read_text()[:-4])
    assert Journal(path, HEAD).open() == squares(2)
    journal.add(square(2))
    assert Journal(path, HEAD).open() == squares(3)


@pytest.mark.parametrize(
    "written", [b"", b"\n", b'{"paper": "doe1999"}\n{"square": 0}\n', b"\0\xff", b"[1]\n"]
)
def test_what_another_run_wrote_is_not_taken_up(tmp_path: Path, written: bytes) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(written)
    assert Journal(path, HEAD).open() == []
    Journal(path, HEAD).add(square(0))
    assert Journal(path, HEAD).open() == squares(1)
    assert Journal(path, {**HEAD, "seed": 1}).open() == []


def test_the_error_of_many_samples_comes_from_parts_of_them() -> None:
    samples = np.random.default_rng(0).normal(size=20 * MOST_PARTS).tolist()
    calls: list[int] = []

    def mean(some: list[float]) -> float:
        calls.append(len(some))
        return fmean(some)

    found = estimate(mean, samples)
    assert calls == [len(samples)] + MOST_PARTS * [len(samples) - 20]
    assert found.error == pytest.approx(stdev(samples) / len(samples) ** 0.5, rel=0.2)


def test_a_line_that_was_cut_off_where_it_can_still_be_read(tmp_path: Path) -> None:
    """12 was to be 123: only what ends with its line is an outcome."""
    path = tmp_path / "run.jsonl"
    journal = Journal(path, HEAD)
    journal.open()
    journal.add(7)
    journal.add(123)
    path.write_bytes(path.read_bytes()[:-2])
    assert Journal(path, HEAD).open() == [7]
    journal.add(124)
    assert Journal(path, HEAD).open() == [7, 124]


def test_a_journal_that_is_opened_is_not_written_anew(tmp_path: Path) -> None:
    """Whenever it is killed, what was there is there, and no other file."""
    path = tmp_path / "run.jsonl"
    journal = Journal(path, HEAD)
    journal.open()
    journal.add(7)
    before = path.stat().st_ino
    assert Journal(path, HEAD).open() == [7]
    assert path.stat().st_ino == before
    assert [file.name for file in tmp_path.iterdir()] == ["run.jsonl"]
