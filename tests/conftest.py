"""What all tests share."""

from __future__ import annotations

import gc
import signal
import time
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from itertools import count

import pytest
from hypothesis import settings

from tests.sizing import choose_share, examples, share


def pytest_configure(config: pytest.Config) -> None:
    """Sizes what is tried, and takes Ctrl-C seriously.

    Examples are the same every time; what is new is found by the programme (docs/torture.md).

    Shells start programs in the background with Ctrl-C ignored, and programs hand that on to theirs. Tests
    that interrupt a program would wait for ever; with a handler here, those begin with the usual one.
    """
    choose_share(of_marks=config.option.markexpr)
    same = {"derandomize": True, "deadline": None, "database": None}
    settings.register_profile("same every time", max_examples=examples(100), **same)
    settings.load_profile("same every time")
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Thousands of tests are no garbage: the collector does not look at them, now or later."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_unconfigure() -> None:
    """What was frozen ends with the process, and nanobind finds nothing that is left."""
    gc.unfreeze()


Sweep = Callable[[float, int], Iterator[int]]


@pytest.fixture
def sweep(record_property: Callable[[str, object], None]) -> Sweep:
    """`for number in sweep(seconds, at_least)` counts from 0 until that much CPU time is spent; both are
    those of a full run.

    CPU time, so that a busy machine does as much as a quiet one; at least a given number, so that a slow one
    does enough. What is tried depends on its number alone: what fails does so again. The end of the log says
    how many there were.
    """

    def numbers(seconds: float, at_least: int) -> Iterator[int]:
        end = time.process_time() + seconds * share()
        for number in count():
            if number >= at_least * share() and time.process_time() >= end:
                break
            yield number
        record_property("swept", number)

    return numbers


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How many instances the sweeps tried, whose number depends on the speed of the machine."""
    tried: Counter[str] = Counter()
    for report in terminalreporter.stats.get("passed", []):
        for name, value in report.user_properties:
            tried[report.nodeid.partition("[")[0]] += value if name == "swept" else 0
    for test, instances in tried.items():
        if instances:
            terminalreporter.write_line(f"swept {instances} instances: {test}")
