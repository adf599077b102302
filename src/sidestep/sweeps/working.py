"""Trials of any kind, run by the workers of sweeps: those of papers, and of the tuning of weights."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from ..io.files import FilePath, source_of
from ..model.errors import FormatError, SidestepError
from .cluster import Cluster
from .ledger_file import LedgerFile
from .processes import Here, Processes, RunTrial, Workers
from .run import OnProgress, Run


@contextmanager
def working(run: RunTrial, jobs: int, cluster: Any = None) -> Iterator[Workers]:
    """Workers as long as the block lasts: processes, or those of a cluster.

    Args:
        run: Runs one trial; a function of a module, or a partial of one.
        jobs: How many processes.
        cluster: A Dask scheduler instead.
    """
    workers: Workers = Processes(jobs, run) if cluster is None else Cluster(cluster, run)
    try:
        yield workers
    finally:
        workers.close()


class Unfinished(LedgerFile):
    """What the first trials of a run came to, until the run is over.

    Args:
        path: The file. If it is of another run, or no such file at all, it is made anew.
        about: What tells this run from others.
    """

    what, application, version = "file of an unfinished run", 0x53535455, 1
    tables = """
CREATE TABLE about (run TEXT NOT NULL);
CREATE TABLE outcomes (number INTEGER PRIMARY KEY, machine TEXT NOT NULL, outcome TEXT NOT NULL);
"""

    def __init__(self, path: FilePath, about: Mapping[str, Any]) -> None:
        self.path = Path(source_of(path))
        head = json.dumps(about)
        try:
            super().__init__(path, write=True)
        except FormatError:
            found = ""
        else:
            found = self._one("SELECT run FROM about") or ""
        if found != head:
            self.remove()
            super().__init__(path, write=True)
            self._file.execute("INSERT INTO about VALUES (?)", [head])

    def outcomes(self) -> dict[int, Any]:
        """By the numbers of their trials."""
        with self._errors():
            found = self._file.execute("SELECT number, outcome FROM outcomes").fetchall()
        return {number: json.loads(text) for number, text in found}

    def add(self, machine: str, done: Iterable[tuple[int, Any]]) -> None:
        """Keeps outcomes, all or none; they are plain JSON."""
        rows = [(number, machine, json.dumps(outcome)) for number, outcome in done]
        with self._errors(), self._transaction():
            self._file.executemany("INSERT OR REPLACE INTO outcomes VALUES (?, ?, ?)", rows)

    def remove(self) -> None:
        """The run is over: the next one begins anew."""
        self.close()
        for ending in ("", "-wal", "-shm"):
            self.path.with_name(self.path.name + ending).unlink(missing_ok=True)


# In order

Trial = TypeVar("Trial")
Outcome = TypeVar("Outcome")
Numbered = tuple[int, Trial]


@contextmanager
def mapping(run: Callable[[Trial], Outcome], jobs: int) -> Iterator[Callable[..., list[Outcome]]]:
    """What is like `map` as long as the block lasts: of a list of trials it returns what they came to.

    It also takes `on_progress`, and `unfinished`, which has what need not be run again.

    Args:
        run: Runs one trial. With several jobs it must be a function of a module, or a partial of one.
        jobs: How many processes; one is this process itself. The outcomes do not depend on it.
    """
    numbered = partial(_run_numbered, run)
    with working(numbered, jobs) if jobs > 1 else nullcontext(Here(numbered)) as workers:
        yield partial(_in_order, workers)


def _run_numbered(run: Callable[[Trial], Outcome], trial: Numbered[Trial]) -> Outcome:
    return run(trial[1])


def _in_order(
    workers: Workers,
    trials: Sequence[Any],
    *,
    on_progress: OnProgress | None = None,
    unfinished: Unfinished | None = None,
) -> list[Any]:
    book = _NumberedBook(len(trials), unfinished)
    Run(enumerate(trials), len(trials), book, workers, on_progress).all()
    return [book.found[number] for number in range(len(trials))]


class _NumberedBook:
    """A book of trials that are known by their numbers."""

    def __init__(self, count: int, unfinished: Unfinished | None) -> None:
        self._unfinished = unfinished
        kept = unfinished.outcomes() if unfinished else {}
        self.found = {number: outcome for number, outcome in kept.items() if number < count}

    def missing(self, trials: Sequence[Numbered[Any]]) -> list[Numbered[Any]]:
        return [trial for trial in trials if trial[0] not in self.found]

    def add(self, machine: str, done: Iterable[tuple[Numbered[Any], Any]]) -> int:
        new = {number: outcome for (number, _), outcome in done}
        self.found.update(new)
        if self._unfinished:
            self._unfinished.add(machine, new.items())
        return len(new)

    def name(self, trial: Numbered[Any]) -> int:
        return trial[0]

    def crashed(self, trial: Numbered[Any]) -> Any:
        raise SidestepError(f"trial {trial[0]} ends every process that it is given to")
