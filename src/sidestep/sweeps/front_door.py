"""The front door of experiments."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .. import __version__
from ..io.files import FilePath, source_of
from ..model.arrays import is_whole
from ..model.errors import InputError
from .ledger import Ledger
from .processes import usual_jobs
from .progress_page import ProgressPage
from .results import Sweep
from .run import OnProgress, Run
from .suite import Suite, read_suite, suite_of
from .trial import Trial
from .worker import CRASHED, Outcome, machine, run_trial
from .working import working

Note = Callable[[str, Sequence[tuple[Trial, Outcome]]], object]


def sweep(
    suite: FilePath | None = None,
    *,
    solvers: Sequence[Any] | None = None,
    instances: Any = None,
    seeds: int | Sequence[int] = 1,
    limits: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    ledger: FilePath | None = None,
    jobs: int | None = None,
    cluster: Any = None,
    retry: bool = False,
    page: FilePath | None = None,
    on_progress: OnProgress | None = None,
) -> Sweep:
    """Runs every combination of solvers, instances, seeds and limits that the ledger has no row of yet.

    A sweep that was interrupted, or whose suite has grown, goes on where it was when it is run again. Plans
    are judged; an error, and a trial that kills its worker three times, is a row as well.

    Args:
        suite: A TOML file with `solvers`, `instances`, `seeds` and `limits`, which are else given here.
        solvers: Names, solvers such as `WHCA(window=8)`, or tables such as
            `{"solver": "whca", "window": [8, 16]}`; of a list, each value is tried.
        instances: Tables: `{"generator": "random", "agents": [20, 40], "count": 50}`,
            `{"map": "a.map", "scen": "a-*.scen", "agents": 100}` or
            `{"function": "module:name", "count": 10}`; or a function of a seed.
        seeds: Of solvers: how many, or which.
        limits: Tables with `seconds`, `nodes` and `memory`; 10 seconds if not given.
        ledger: The file that rows are kept in. That of a suite in a file is beside it if not given.
        jobs: How many processes; one per processor if None.
        cluster: The address of a Dask scheduler, or a client or a cluster of Dask, instead of processes.
        retry: Whether trials that crashed or raised an error are tried again.
        page: An HTML file that says how far the sweep is, written again every two seconds.
        on_progress: Called with how far the sweep is, from 0 to 1, and a message.

    Returns:
        All rows of the ledger, to look at, to write and to compare.

    Raises:
        InputError: An argument is not valid, or the ledger is of another version of sidestep.
        FormatError: The suite or the ledger cannot be read.
        MissingExtraError: Dask is asked for and not installed.
    """
    parts = {"solvers": solvers, "instances": instances, "limits": limits}
    chosen = _suite(suite, {name: part for name, part in parts.items() if part is not None}, seeds)
    path = _ledger_path(suite, ledger)
    if jobs is not None and (not is_whole(jobs) or jobs < 1):
        raise InputError(f"jobs must be a whole number from 1, not {jobs!r}")
    with Ledger(path, write=True) as opened:
        command = shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]])
        now = datetime.now(UTC).isoformat(timespec="seconds")
        number = opened.begin(chosen.solvers, __version__, command, machine(), now)
        if retry:
            opened.forget_flawed()
        with (
            _shown(page, path.stem, chosen, on_progress) as (note, told),
            working(run_trial, jobs or usual_jobs(), cluster) as workers,
        ):
            Run(chosen, len(chosen), SweepBook(opened, number, note), workers, told).all()
    return Sweep(path)


@contextmanager
def _shown(
    page: FilePath | None, name: str, suite: Suite, on_progress: OnProgress | None
) -> Iterator[tuple[Note, OnProgress | None]]:
    """Who is told of rows, and of how far it is: the page, too, if there is one."""
    if page is None:
        yield lambda machine, rows: None, on_progress
        return
    labels = [solver.label for solver in suite.solvers]
    written, finished = ProgressPage(page, name, labels), False

    def tell(part: float, text: str) -> None:
        written.tell(part, text)
        if on_progress is not None:
            on_progress(part, text)

    try:
        yield written.note, tell
        finished = True
    finally:
        written.end(finished=finished)


class SweepBook:
    """The ledger, as one run of the client sees it.

    Args:
        ledger: Where rows are kept.
        number: Of the run.
        note: Is told of all rows.
    """

    def __init__(self, ledger: Ledger, number: int, note: Note) -> None:
        self._ledger, self._number, self._note = ledger, number, note

    def missing(self, trials: Sequence[Trial]) -> list[Trial]:
        return self._ledger.missing(trials)

    def add(self, machine: str, done: Iterable[tuple[Trial, Outcome]]) -> int:
        rows = list(done)
        added = self._ledger.add(self._number, machine, rows)
        self._note(machine, rows)
        return added

    def name(self, trial: Trial) -> bytes:
        return trial.key

    def crashed(self, trial: Trial) -> Outcome:
        return Outcome(CRASHED, reason="whatever worker it was given to died")


def _suite(suite: FilePath | None, parts: dict[str, Any], seeds: int | Sequence[int]) -> Suite:
    if suite is None:
        return suite_of({**parts, "seeds": seeds})
    if parts or seeds != 1:
        raise InputError("a suite in a file has its solvers, instances, seeds and limits there")
    return read_suite(suite)


def _ledger_path(suite: FilePath | None, ledger: FilePath | None) -> Path:
    if ledger is not None:
        return Path(source_of(ledger))
    if suite is None:
        raise InputError("a sweep needs a ledger to keep its rows in: ledger='first.db'")
    return Path(source_of(suite)).with_suffix(".db")
