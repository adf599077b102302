"""The recorder keeps what was said, in memory that can be bounded."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import sidestep as ss
from sidestep.agents.recorder import LATER, Heard, Recorder
from sidestep.agents.simulator import Faults, simulated
from sidestep.dialogue import check_protocol

from .problems import crowd


def test_numbers_are_heard_once_in_whatever_order_they_come() -> None:
    random, heard = Random(1), Heard()
    numbers = list(range(20_000))
    for begin in range(0, len(numbers), 1000):  # each is late by at most a thousand
        part = numbers[begin : begin + 1000]
        random.shuffle(part)
        numbers[begin : begin + 1000] = part
    for number in numbers:
        assert heard.add(number)
        assert not heard.add(number)
        assert len(heard._later) <= LATER


def test_what_never_comes_is_forgotten() -> None:
    heard = Heard()
    for number in range(1, 100_000, 2):
        heard.add(number)
        assert len(heard._later) <= LATER
    assert not heard.add(99_999)
    assert heard.add(99_998)


def test_only_the_last_rounds_are_kept() -> None:
    whole, _ = simulated(crowd(5), ss.WDPCA(window=2), faults=Faults(), seed=0)
    said = whole.result.transcript
    last = len(said.rounds) - 1
    assert last > 3
    recorder = Recorder(crowd(5), rounds=2)
    for log in whole.logs:
        for heard, spoken in log.entries:
            for message in (heard, *spoken):
                if message is not None:
                    recorder.hear(message, copy=True)
    kept = recorder.transcript()
    check_protocol(kept)
    assert {one.round for one in kept.utterances} <= {last - 1, last}
    ours, theirs = (
        [replace(one, dialogue=-1) for one in transcript.utterances if one.round >= last - 1]
        for transcript in (kept, said)
    )
    assert ours == theirs


def test_a_recorder_keeps_at_least_one_round() -> None:
    with pytest.raises(ss.InputError, match="at least one"):
        Recorder(crowd(1), rounds=0)
