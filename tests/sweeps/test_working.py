"""Trials of any kind: run once each, in order, gone on with after an interruption."""

from __future__ import annotations

import os

import pytest

import sidestep as ss
from sidestep.sweeps.working import Unfinished, mapping

ABOUT = {"paper": "doe1999", "seed": 0}
COUNT = 5


def square(number):
    return {"square": number**2}


def squares(count):
    return [square(number) for number in range(count)]


def fall(number):
    if number == 3:
        raise ss.FormatError("three", source="a.map", line=3)
    return number


def end(number):
    if number == 3:
        os._exit(3)
    return number


def test_an_interrupted_run_goes_on_where_it_was(tmp_path):
    path, seen, told = tmp_path / "run.db", [], []

    def interrupted(number):
        seen.append(number)
        if seen == [0, 1, 2, 3]:
            raise KeyboardInterrupt
        return square(number)

    for error in (KeyboardInterrupt, None):
        with Unfinished(path, ABOUT) as unfinished, mapping(interrupted, 1) as mapped:
            if error:
                with pytest.raises(error):
                    mapped(range(COUNT), unfinished=unfinished)
                continue
            progress = lambda part, text: told.append((part, text))  # noqa: E731
            assert mapped(range(COUNT), unfinished=unfinished, on_progress=progress) == squares(COUNT)
            unfinished.remove()
    assert seen == [0, 1, 2, 3, 3, 4]
    assert [part for part, _ in told] == [0.8, 1.0]
    assert told[-1][1].startswith("5 of 5 rows")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_more_trials_go_on_from_fewer_in_any_number_of_processes(tmp_path, jobs):
    for count in (2, COUNT, 3):
        with Unfinished(tmp_path / "run.db", ABOUT) as unfinished, mapping(square, jobs) as mapped:
            assert mapped(range(count), unfinished=unfinished) == squares(count)
            assert unfinished.outcomes() == dict(enumerate(squares(max(count, len(unfinished.outcomes())))))
    assert [path.name for path in tmp_path.iterdir()] == ["run.db"]


@pytest.mark.parametrize("written", [b"", b"\n", b"\0\xff" * 300, b"[1]\n" * 300])
def test_what_is_no_such_file_is_not_taken_up(tmp_path, written):
    path = tmp_path / "run.db"
    path.write_bytes(written)
    with Unfinished(path, ABOUT) as unfinished:
        assert unfinished.outcomes() == {}
        unfinished.add("here", [(0, square(0))])
    with Unfinished(path, ABOUT) as unfinished:
        assert unfinished.outcomes() == {0: square(0)}


def test_what_another_run_kept_is_not_taken_up(tmp_path):
    for seed in (0, 1):
        with Unfinished(tmp_path / "run.db", {**ABOUT, "seed": seed}) as unfinished:
            assert unfinished.outcomes() == {}
            unfinished.add("here", enumerate(squares(2)))


def test_an_error_in_another_process_is_raised_here_in_its_own_words():
    with pytest.raises(ss.SidestepError, match="three"), mapping(fall, 2) as mapped:
        mapped(range(COUNT))


def test_a_trial_that_ends_its_process_is_named():
    with pytest.raises(ss.SidestepError, match="trial 3 ends every process"), mapping(end, 2) as mapped:
        mapped(range(COUNT))


def test_what_cannot_be_sent_to_processes_is_refused():
    with pytest.raises(ss.InputError, match="other processes cannot be sent"), mapping(lambda n: n, 2):
        pass
