"""The client of a sweep: sends trials without a row to workers, and puts what comes back into the ledger."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from time import monotonic

from .. import __version__
from ..model.errors import InputError
from .ledger import Ledger
from .processes import Batch, Workers
from .suite import Suite
from .trial import Trial
from .worker import CRASHED, Answer, Outcome, machine

OnProgress = Callable[[float, str], object]

LOOKED_UP = 400  # keys that the ledger is asked for at once
MOST_AT_ONCE = 5000  # trials of a batch


class Run:
    """One run of the client, from the first missing row to the last.

    Args:
        suite: What to run.
        ledger: Where rows are, and go to.
        workers: Who runs trials.
        number: Of this run, in the ledger.
        on_progress: Told how far the sweep is, from 0 to 1, and a message.
    """

    def __init__(
        self, suite: Suite, ledger: Ledger, workers: Workers, number: int, on_progress: OnProgress | None
    ) -> None:
        self._ledger, self._workers, self._number, self._told = ledger, workers, number, on_progress
        self._total, self._passed, self._added = len(suite), 0, 0
        self._trials = self._missing(iter(suite))
        self._suspects: deque[Trial] = deque()  # of batches that were lost: sent one by one
        self._losses: dict[bytes, int] = {}
        self._under_way, self._pace = 0, workers.batch_seconds  # per trial: at first, one is a batch
        self._begin = monotonic()

    def all(self) -> int:
        """Until every trial has a row. Returns how many rows are new."""
        while True:
            while self._under_way < self._workers.capacity and (batch := self._next()):
                self._workers.send(batch)
                self._under_way += 1
            if not self._under_way:
                return self._added
            batch, answer = self._workers.finished()
            self._under_way -= 1
            if answer is None:
                self._lost(batch)
            else:
                self._keep(batch, answer)
            self._tell()

    def _missing(self, trials: Iterator[Trial]) -> Iterator[Trial]:
        """Those without a row; the suite is looked through as far as workers have come, not at once."""
        while chunk := list(islice(trials, LOOKED_UP)):
            missing = self._ledger.missing(chunk)
            self._passed += len(chunk) - len(missing)
            yield from missing

    def _next(self) -> Batch:
        if self._suspects:
            return [self._suspects.popleft()]
        size = max(1, min(MOST_AT_ONCE, int(self._workers.batch_seconds / max(self._pace, 1e-6))))
        return list(islice(self._trials, size))

    def _keep(self, batch: Batch, answer: Answer) -> None:
        if answer.version != __version__:
            raise InputError(
                f"a worker has sidestep {answer.version}, and this is {__version__}: install the same on "
                f"{answer.machine}"
            )
        self._pace += (answer.seconds / len(batch) - self._pace) / 4
        rows = zip(batch, answer.outcomes, strict=True)
        self._added += self._ledger.add(self._number, answer.machine, rows)

    def _lost(self, batch: Batch) -> None:
        """Who ran it died. If that happens to a trial by itself again and again, this is its row."""
        if len(batch) > 1:
            self._suspects += batch
            return
        (trial,) = batch
        losses = self._losses[trial.key] = self._losses.get(trial.key, 0) + 1
        if losses < self._workers.most_losses:
            self._suspects.append(trial)
            return
        crashed = Outcome(CRASHED, reason="whatever worker it was given to died")
        self._added += self._ledger.add(self._number, machine(), [(trial, crashed)])

    def _tell(self) -> None:
        if self._told is not None:
            done = self._passed + self._added
            self._told(
                done / self._total, progress_text(done, self._total, self._added, monotonic() - self._begin)
            )


def progress_text(done: int, total: int, added: int, seconds: float) -> str:
    """`1,200 of 8,000 rows, 95 rows/s, 1:12 left`."""
    rate = added / seconds if seconds > 0 else 0.0
    text = f"{done:,} of {total:,} rows, {rate:.{0 if rate >= 10 else 1}f} rows/s"
    if not rate:
        return text
    minutes, rest = divmod(round((total - done) / rate), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{text}, {f'{hours}:{minutes:02}' if hours else minutes}:{rest:02} left"
