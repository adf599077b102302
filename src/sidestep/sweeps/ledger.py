"""The ledger of a sweep: a file of SQLite with a row per trial, found by its key.

Only the client of a sweep writes it. Rows are never changed: what is there already is not added again. What
many rows share (solver, instance, limits, machine, run) is kept once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..io.files import FilePath
from ..model.errors import InputError
from .ledger_file import LedgerFile
from .trial import SolverSpec, Trial
from .worker import CRASHED, ERROR, Outcome

APPLICATION = 0x53535450
VERSION = 1
FLAWED = (CRASHED, ERROR)  # what may be tried again

_TABLES = """
CREATE TABLE machines (id INTEGER PRIMARY KEY, about TEXT NOT NULL UNIQUE);
CREATE TABLE runs (id INTEGER PRIMARY KEY, sidestep TEXT NOT NULL, command TEXT NOT NULL,
                   machine INTEGER NOT NULL REFERENCES machines, started TEXT NOT NULL);
CREATE TABLE solvers (id INTEGER PRIMARY KEY, about TEXT NOT NULL UNIQUE, label TEXT NOT NULL);
CREATE TABLE instances (id INTEGER PRIMARY KEY, about TEXT NOT NULL UNIQUE, map TEXT NOT NULL);
CREATE TABLE limits (id INTEGER PRIMARY KEY, about TEXT NOT NULL UNIQUE);
CREATE TABLE rows (
    key BLOB PRIMARY KEY, solver INTEGER NOT NULL REFERENCES solvers,
    instance INTEGER NOT NULL REFERENCES instances, seed INTEGER NOT NULL,
    limits INTEGER NOT NULL REFERENCES limits, run INTEGER NOT NULL REFERENCES runs,
    machine INTEGER NOT NULL REFERENCES machines,
    status TEXT NOT NULL, valid INTEGER, cost INTEGER, makespan INTEGER, lower_bound INTEGER,
    seconds REAL, cpu REAL, expansions INTEGER, agents INTEGER, digest TEXT NOT NULL, reason TEXT NOT NULL
) WITHOUT ROWID;
"""

COLUMNS = (
    *("solver", "solver_spec", "map", "instance", "agents", "seed", "limits"),
    *("status", "solved", "cost", "makespan", "lower_bound", "seconds", "cpu", "expansions"),
    *("reason", "digest", "key", "sidestep", "machine", "command", "started"),
)
"""Of a row, as tables and files have it."""

_ROWS = """
SELECT solvers.label, solvers.about, instances.map, instances.about, rows.agents, rows.seed, limits.about,
       rows.status, coalesce(rows.valid, 0), rows.cost, rows.makespan, rows.lower_bound,
       rows.seconds, rows.cpu, rows.expansions, rows.reason, rows.digest, hex(rows.key),
       runs.sidestep, machines.about, runs.command, runs.started
FROM rows JOIN solvers ON solvers.id = rows.solver JOIN instances ON instances.id = rows.instance
     JOIN limits ON limits.id = rows.limits JOIN runs ON runs.id = rows.run
     JOIN machines ON machines.id = rows.machine
ORDER BY instances.map, rows.agents, instances.about, limits.about, rows.seed, solvers.id
"""

_MOST_KNOWN = 10_000  # numbers of shared things that are remembered


class Ledger(LedgerFile):
    """An open ledger.

    Args:
        path: The file; it is made if there is none, unless it is only to be read.
        write: Is this the client of a sweep?
    """

    what, application, version, tables = "ledger of a sweep", APPLICATION, VERSION, _TABLES

    def __init__(self, path: FilePath, *, write: bool = False) -> None:
        self._known: dict[tuple[str, str], int] = {}
        super().__init__(path, write=write)

    # Writing

    def begin(
        self, solvers: Iterable[SolverSpec], sidestep: str, command: str, machine: str, started: str
    ) -> int:
        """Notes a run of the client, and its solvers in their order; returns the number of the run.

        Rows of different versions do not belong into one table: an InputError if there are some.
        """
        with self._errors(), self._transaction():
            found = self._one("SELECT sidestep FROM runs WHERE sidestep != ? LIMIT 1", sidestep)
            if found is not None:
                raise InputError(
                    f"{self.path} has rows of sidestep {found}, and this is {sidestep}: name another ledger, "
                    "and compare the two"
                )
            for solver in solvers:
                self._solver(solver)
            place = self._number("machines", machine)
            cursor = self._file.execute(
                "INSERT INTO runs (sidestep, command, machine, started) VALUES (?, ?, ?, ?)",
                (sidestep, command, place, started),
            )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def add(self, run: int, machine: str, done: Iterable[tuple[Trial, Outcome]]) -> int:
        """Adds rows, all or none; returns how many were not there before."""
        with self._errors(), self._transaction():
            place = self._number("machines", machine)
            rows = [(*self._head(trial), run, place, *outcome) for trial, outcome in done]
            if not rows:
                return 0
            marks = ", ".join("?" * len(rows[0]))
            return self._file.executemany(f"INSERT OR IGNORE INTO rows VALUES ({marks})", rows).rowcount

    def forget_flawed(self) -> int:
        """Removes rows of trials that crashed or raised an error, so that they are tried again."""
        marks = ", ".join("?" * len(FLAWED))
        with self._errors():
            return self._file.execute(f"DELETE FROM rows WHERE status IN ({marks})", FLAWED).rowcount

    def _head(self, trial: Trial) -> tuple[Any, ...]:
        solver = self._solver(trial.solver)
        instance = self._number("instances", trial.instance.identity, map=trial.instance.map)
        return trial.key, solver, instance, trial.seed, self._number("limits", trial.limits.identity)

    def _solver(self, spec: SolverSpec) -> int:
        return self._number("solvers", spec.identity, label=spec.label)

    def _number(self, table: str, about: str, **more: str) -> int:
        """The number of what rows share, added if it is new."""
        number = self._known.get((table, about))
        if number is None:
            names, values = ["about", *more], [about, *more.values()]
            marks = ", ".join("?" * len(names))
            self._file.execute(f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({marks})", values)
            number = int(self._one(f"SELECT id FROM {table} WHERE about = ?", about))
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            self._known[table, about] = number
        return number

    # Reading

    def missing(self, trials: Sequence[Trial]) -> list[Trial]:
        """Those that have no row yet."""
        keys = {trial.key: trial for trial in trials}
        marks = ", ".join("?" * len(keys))
        with self._errors():
            found = self._file.execute(f"SELECT key FROM rows WHERE key IN ({marks})", list(keys))
            for (key,) in found:
                del keys[key]
        return list(keys.values())

    def rows(self) -> Iterator[Mapping[str, Any]]:
        """All rows by the names of `COLUMNS`, in an order that does not depend on who was faster."""
        for row in self.query(_ROWS):
            yield dict(zip(COLUMNS, row, strict=True))

    def query(self, statement: str) -> Iterator[tuple[Any, ...]]:
        """What SQLite answers."""
        with self._errors():
            yield from self._file.execute(statement)

    def __len__(self) -> int:
        return int(self._one("SELECT count(*) FROM rows"))
