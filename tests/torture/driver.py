"""Runs rows in child processes: a crash or a hang is a failure that names its case, and the row goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from .child import MOST_FAILURES, Counters
from .row import Row

ROOT = Path(__file__).parents[2]
LAST_LINES = 30  # of what a process wrote before it crashed
LOOK = 0.05  # seconds between two looks at a child


@dataclass
class Outcome:
    """What came of a row."""

    row: Row
    seconds: float = 0.0
    first: int = 0
    number: int = 0  # of the case after the last one
    cases: int = 0
    checks: int = 0
    corpus: int = 0
    failures: list[dict[str, Any]] = field(default_factory=list)
    notes: str = ""
    missing: str = ""  # why it was not run


class Run:
    """One row: its child process, and the next one where that ends before its time."""

    def __init__(self, row: Row, seconds: float, *, first: int = 0, limit: int = 0, brief: bool = False):
        self.row, self.brief = row, brief
        self.limit = limit or row.full
        self.outcome = Outcome(row, first=first, number=first)
        self.end = time.monotonic() + seconds

    def __call__(self) -> Outcome:
        outcome, begin = self.outcome, time.monotonic()
        outcome.missing = self.row.needs()
        if outcome.missing:
            return outcome
        environment = {**os.environ, **self.row.environment()}
        self.end += time.monotonic() - begin  # what is built before is not part of the time of the row
        with tempfile.TemporaryDirectory(prefix="torture-") as folder:
            self.folder = Path(folder)
            self.counters = Counters(self.folder / "counters")
            self.counters.write(outcome.first, 0, 0, 0)
            while self._child(environment):
                pass
            outcome.number, outcome.cases, outcome.checks, outcome.corpus = self.counters.read()
        outcome.seconds = time.monotonic() - begin
        return outcome

    def _child(self, environment: dict[str, str]) -> bool:
        """Runs a child to its end. True: it ended early, and there is time for another."""
        order = {
            "row": self.row.module,
            "folder": str(self.folder),
            "seconds": self.end - time.monotonic(),
            "limit": self.limit,
            "brief": self.brief,
        }
        command = [sys.executable, "-m", "tests.torture.child", json.dumps(order)]
        output = self.folder / "output"
        with output.open("wb") as file:
            process = subprocess.Popen(
                command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file
            )
            try:
                ended = self._wait(process)
            finally:
                process.kill()
                process.wait()
        self._gather()
        if (self.folder / "done").exists():
            self.outcome.notes = (self.folder / "done").read_text(encoding="utf-8")
            return False
        self._crashed(ended, output.read_text(encoding="utf-8", errors="replace"))
        return len(self.outcome.failures) < MOST_FAILURES and self.end > time.monotonic()

    def _wait(self, process: subprocess.Popen[bytes]) -> str:
        """Waits for a child; says how it ended."""
        seen, stopwatch = -1, Stopwatch(process.pid)
        while process.poll() is None:
            time.sleep(LOOK)
            stopwatch.look()
            now = self.counters.reports
            if now != seen:
                seen, stopwatch.seconds = now, 0.0
            elif stopwatch.seconds > self.row.patience:
                return f"no answer for {self.row.patience:g} seconds"
        code = process.returncode
        return f"ended by signal {-code}" if code < 0 else f"ended with exit status {code}"

    def _crashed(self, ended: str, output: str) -> None:
        """The case at hand has failed; the next child begins behind it."""
        number, cases, checks, tried = self.counters.read()
        files = self.row.corpus()
        if tried < len(files):
            name, tried = files[tried].name, tried + 1
        else:
            name, number, cases = f"case {number}", number + 1, cases + self.row.batch
        self.counters.write(number, cases, checks, tried)
        last = "\n".join(output.splitlines()[-LAST_LINES:])
        self.outcome.failures.append({"case": name, "said": ended, "traceback": last})

    def _gather(self) -> None:
        """Takes over the failures that a child has written down."""
        file = self.folder / "failures"
        if file.exists():
            lines = file.read_text(encoding="utf-8").splitlines()
            self.outcome.failures += [json.loads(line) for line in lines]
            file.unlink()


class Stopwatch:
    """The seconds in which a process worked or slept; not those in which a busy machine let it wait."""

    def __init__(self, pid: int) -> None:
        self.seconds = 0.0
        self._file = Path(f"/proc/{pid}/stat")
        self._time, self._worked = time.monotonic(), 0.0

    def look(self) -> None:
        """Goes on; to be called several times a second."""
        before, self._time = self._time, time.monotonic()
        try:
            state, *rest = self._file.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended, or this system has no such files
            self.seconds += self._time - before
            return
        worked = (int(rest[10]) + int(rest[11])) / os.sysconf("SC_CLK_TCK")
        self.seconds += worked - self._worked if state == "R" else self._time - before
        self._worked = worked


class Schedule:
    """Deals rows to threads; each gets its part of the time that is left, so that early ends are no loss."""

    def __init__(self, rows: list[Row], seconds: float, jobs: int, first: dict[str, int], done: Any) -> None:
        self._rows, self._jobs, self._first, self._done = list(rows), jobs, first, done
        self._end = time.monotonic() + seconds
        self._lock = Lock()
        self._errors: list[BaseException] = []

    def run(self) -> None:
        """Runs all rows and hands over each outcome as it comes."""
        threads = [Thread(target=self._work, daemon=True) for _ in range(self._jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if self._errors:
            raise self._errors[0]

    def _work(self) -> None:
        try:
            while (dealt := self._deal()) is not None:
                row, seconds = dealt
                outcome = Run(row, seconds, first=self._first.get(row.name, 0))()
                with self._lock:
                    self._done(outcome)
        except BaseException as error:
            self._errors.append(error)

    def _deal(self) -> tuple[Row, float] | None:
        with self._lock:
            if not self._rows:
                return None
            left = max(0.0, self._end - time.monotonic())
            whole = sum(row.weight for row in self._rows)
            row = self._rows.pop(0)
            return row, min(left, left * self._jobs * row.weight / whole)
