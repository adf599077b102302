"""A file of SQLite that a client keeps rows in: opened and checked, its errors in words.

Only one process writes it, some rows in a transaction, so that a row is there wholly or not at all whenever
that process is killed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

from ..io.files import FilePath, source_of
from ..model.errors import FormatError, InputError


class LedgerFile:
    """An open file.

    Args:
        path: The file; it is made if there is none, unless it is only to be read.
        write: Is this the one who writes?
    """

    what: str  # it is, in messages
    application: int  # in the head of the file: what `file` and we know it by
    version: int
    tables: str  # as SQL

    def __init__(self, path: FilePath, *, write: bool = False) -> None:
        self.path = Path(source_of(path))
        if not write and not self.path.exists():
            raise InputError(f"there is no {self.what.partition(' ')[0]} {self.path}")
        with self._errors():
            self._file = sqlite3.connect(self.path, isolation_level=None)
            try:
                self._open(write)
            except BaseException:
                self._file.close()
                raise

    def _open(self, write: bool) -> None:
        application, version = (self._one(f"PRAGMA {what}") for what in ("application_id", "user_version"))
        empty = not self._one("SELECT count(*) FROM sqlite_schema")
        if empty and write:
            with self._transaction():
                self._file.execute(f"PRAGMA application_id = {self.application}")
                self._file.execute(f"PRAGMA user_version = {self.version}")
                for statement in filter(str.strip, self.tables.split(";")):
                    self._file.execute(statement)
        elif application != self.application or empty:
            raise FormatError(f"this is no {self.what}", source=str(self.path))
        elif version != self.version:
            raise FormatError(
                f"this {self.what.partition(' ')[0]} has version {version}, not {self.version}",
                source=str(self.path),
            )
        if write:
            # A killed client loses nothing; a power cut may lose the last rows, which are then run again.
            self._file.execute("PRAGMA journal_mode = WAL")
            self._file.execute("PRAGMA synchronous = NORMAL")

    def close(self) -> None:
        """Everything is in one file again."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _one(self, statement: str, *values: Any) -> Any:
        found = self._file.execute(statement, values).fetchone()
        return None if found is None else found[0]

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._file.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._file.execute("ROLLBACK")
            raise
        self._file.execute("COMMIT")

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """What SQLite complains about, as one sentence."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise InputError(f"{self.path} cannot be used as a ledger: {error}") from None
        except sqlite3.DatabaseError as error:
            raise FormatError(f"this is no {self.what}: {error}", source=str(self.path)) from None
