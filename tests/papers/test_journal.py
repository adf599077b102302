"""The journal of a search, and what trials say of the error."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean, stdev

import numpy as np
import pytest

from sidestep.papers.experiment import MOST_PARTS, estimate
from sidestep.papers.journal import Journal

HEAD = {"search": "doe1999", "seed": 0}


def square(number: int) -> dict[str, int]:
    return {"square": number**2}


def squares(count: int) -> list[dict[str, int]]:
    return [square(number) for number in range(count)]


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
