"""`python -m tests.torture.child`: runs one row in a process of its own, which may crash or hang.

It keeps the number of the case at hand, and what it has counted, in a small file that is mapped into memory:
what a crash leaves behind is complete. Failures are lines of JSON in another file.
"""

from __future__ import annotations

import faulthandler
import json
import logging
import mmap
import struct
import sys
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from .builds import other_core
from .row import Failed, Pace, Row
from .rows import row_in

COUNTERS = struct.Struct("qqqqq")  # number, cases, checks, files of the corpus that are done; reports
MOST_FAILURES = 20  # per row; more of them tell nothing new


class Counters:
    """Where a row is, in memory that outlives the process."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(COUNTERS.size))
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), COUNTERS.size)

    def read(self) -> tuple[int, int, int, int]:
        number, cases, checks, tried, _ = COUNTERS.unpack_from(self._memory)
        return number, cases, checks, tried

    @property
    def reports(self) -> int:
        """How often they were written; what only takes long is not silent."""
        reports: int = COUNTERS.unpack_from(self._memory)[-1]
        return reports

    def write(self, number: int, cases: int, checks: int, tried: int) -> None:
        COUNTERS.pack_into(self._memory, 0, number, cases, checks, tried, self.reports + 1)


class Child:
    """One row, from where the one before it has ended."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.row: Row = row_in(order["row"])
        self.folder = Path(order["folder"])
        self.counters = Counters(self.folder / "counters")
        self.failures = 0
        work = self.folder / "work"
        work.mkdir(exist_ok=True)
        number, cases, checks, self.tried = self.counters.read()
        self.pace = Pace(
            seconds=order["seconds"],
            first=number,
            limit=order["limit"],
            brief=order["brief"],
            folder=work,
            batch=self.row.batch,
            report=self._report,
            number=number,
            cases=cases,
            checks=checks,
        )

    def run(self) -> str:
        """Runs the row; returns its notes."""
        files = self.row.corpus()
        while self.tried < len(files):
            self._report(*self.counters.read()[:3])
            self._try(files[self.tried].name, partial(self.row.try_again, files[self.tried]))
            self.tried += 1
        if not self.pace.going and self.pace.cases:  # a case is tried, however long the corpus took
            return ""
        if self.row.run is not None:
            return self._run_all()
        one = self.row.one
        assert one is not None
        for number in self.pace:
            self._try(f"case {number}", partial(one, number))
            if self.failures >= MOST_FAILURES:
                break
        return ""

    def _try(self, name: str, attempt: Callable[[], int]) -> None:
        try:
            self.pace.checks += attempt()
        except Exception as error:
            self._failed(name, error)

    def _run_all(self) -> str:
        assert self.row.run is not None
        try:
            tally = self.row.run(self.pace)
        except Exception as error:
            self._failed(f"case {self.pace.number}", error)
            return ""
        for sentence in tally.failures:
            self._failed("", Failed(sentence))
        self.pace.beat(tally.cases, tally.checks)
        return tally.notes

    def _failed(self, name: str, error: Exception) -> None:
        self.failures += 1
        said = str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"
        line = {"case": name, "said": said, "traceback": "".join(traceback.format_exception(error))}
        with (self.folder / "failures").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def _report(self, number: int, cases: int, checks: int) -> None:
        self.counters.write(number, cases, checks, self.tried)


def main() -> None:
    """Obeys the order on the command line, which is JSON."""
    faulthandler.enable()
    other_core()
    logging.disable(logging.WARNING)  # planners that raise are among the cases
    order = json.loads(sys.argv[1])
    if "case" in order:
        one = row_in(order["row"]).one
        assert one is not None, "rows with numbered cases have one"
        print(f"{one(order['case'])} checks")
        return
    child = Child(order)
    notes = child.run()
    (child.folder / "done").write_text(notes, encoding="utf-8")


if __name__ == "__main__":
    main()
