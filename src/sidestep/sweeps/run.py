"""The client of an experiment: sends trials without a row to workers, and has what comes back kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import islice
from time import monotonic
from typing import Any, Protocol

from .. import __version__
from ..model.errors import InputError
from .processes import Batch, Workers
from .worker import Answer, machine

OnProgress = Callable[[float, str], object]

LOOKED_UP = 400  # trials that the book is asked for at once
MOST_AT_ONCE = 5000  # trials of a batch


class Book(Protocol):
    """Where rows are, and go to. A trial has one row at most."""

    def missing(self, trials: Sequence[Any]) -> list[Any]:
        """Those that have no row yet."""
        ...

    def add(self, machine: str, done: Iterable[tuple[Any, Any]]) -> int:
        """Adds what trials came to on a machine; returns how many rows are new."""
        ...

    def name(self, trial: Any) -> Hashable:
        """What a trial is known by."""
        ...

    def crashed(self, trial: Any) -> Any:
        """What a trial came to that ends every worker it is given to; or it raises."""
        ...


class Run:
    """One run of the client, from the first missing row to the last.

    Args:
        trials: What to run.
        total: How many these are.
        book: Where rows are kept.
        workers: Who runs trials.
        on_progress: Told how far it is, from 0 to 1, and a message.
    """

    def __init__(
        self,
        trials: Iterable[Any],
        total: int,
        book: Book,
        workers: Workers,
        on_progress: OnProgress | None = None,
    ) -> None:
        self._book, self._workers, self._told = book, workers, on_progress
        self._total, self._passed, self._added = total, 0, 0
        self._trials = self._missing(iter(trials))
        self._suspects: deque[Any] = deque()  # of batches that were lost: sent one by one
        self._losses: dict[Hashable, int] = {}
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

    def _missing(self, trials: Iterator[Any]) -> Iterator[Any]:
        """Those without a row; all are looked through as far as workers have come, not at once."""
        while chunk := list(islice(trials, LOOKED_UP)):
            missing = self._book.missing(chunk)
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
        self._added += self._book.add(answer.machine, zip(batch, answer.outcomes, strict=True))

    def _lost(self, batch: Batch) -> None:
        """Who ran it died. If that happens to a trial by itself again and again, the book says what it is."""
        if len(batch) > 1:
            self._suspects += batch
            return
        (trial,) = batch
        name = self._book.name(trial)
        losses = self._losses[name] = self._losses.get(name, 0) + 1
        if losses < self._workers.most_losses:
            self._suspects.append(trial)
            return
        self._added += self._book.add(machine(), [(trial, self._book.crashed(trial))])

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
