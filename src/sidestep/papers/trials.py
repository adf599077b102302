"""Many independent trials, in this process or in several: the results do not depend on how many."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from .journal import Journal

Trial = TypeVar("Trial")
Outcome = TypeVar("Outcome")
Progress = Callable[[float, str], object]

TRIALS_AT_ONCE = 8  # sent to a process: enough to hide the sending, few enough to see progress


def run_trials(
    run: Callable[[Trial], Outcome],
    trials: Sequence[Trial],
    *,
    jobs: int,
    progress: Progress,
    journal: Journal | None = None,
    at_once: int = TRIALS_AT_ONCE,
) -> list[Outcome]:
    """The outcome of every trial, in order. With several jobs `run` must be a function of a module.

    The first trials, which a journal has from an earlier run, are not run again; its outcomes are plain JSON.
    """
    outcomes: list[Outcome] = journal.open()[: len(trials)] if journal else []
    rest = trials[len(outcomes) :]
    with mapping(min(jobs, len(rest)), at_once) as mapped:
        for outcome in mapped(run, rest):
            outcomes.append(outcome)
            if journal:
                journal.add(outcome)
            progress(len(outcomes) / len(trials), f"{len(outcomes)} of {len(trials)} trials")
    return outcomes


@contextmanager
def mapping(jobs: int, at_once: int) -> Iterator[Any]:
    """What is like `map`, in `jobs` processes as long as the block lasts; results come in order."""
    if jobs <= 1:
        yield map
        return
    # Spawned, not forked: the same on every system, and no process inherits the state of another.
    # Ctrl-C reaches all of them; only this one answers, and ends the others by leaving the block.
    ignore_interrupts = (signal.SIGINT, signal.SIG_IGN)
    context = multiprocessing.get_context("spawn")
    with _no_interrupts():
        pool = context.Pool(jobs, initializer=signal.signal, initargs=ignore_interrupts)
    with pool:
        yield lambda run, trials: pool.imap(run, trials, chunksize=at_once)


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Processes started within inherit that they ignore Ctrl-C, as long as they cannot see to it themselves.

    Only the main thread may say so; Pool has no way of saying it for the processes alone.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
