"""The C++ tests that use threads, under ThreadSanitizer."""

from __future__ import annotations

import os
import subprocess

from ..builds import GCC, ROOT, Build
from ..row import Failed, Pace, Row, Tally

BUILD = Build("threads", GCC, "-O1 -g -fsanitize=thread -Wno-tsan", tests=True)
USUAL = ROOT / "build" / "cpp-tests" / "cpp" / "tests" / "core_tests"


def run(pace: Pace) -> Tally:
    """Over and over: threads meet in another order each time. Briefly, only the usual build is asked."""
    if pace.brief:
        return Tally(cases=1, checks=run_tests(str(USUAL if USUAL.exists() else BUILD.product)))
    program = str(BUILD.make())
    for _ in pace:
        pace.beat(checks=run_tests(program))
    return Tally()


def run_tests(program: str) -> int:
    """The tests that have threads in their names; how many there were."""
    environment = {**os.environ, "TSAN_OPTIONS": "halt_on_error=0 exitcode=66 second_deadlock_stack=1"}
    done = subprocess.run([program, "thread"], env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"exit status {done.returncode}: {(done.stdout + done.stderr)[-3000:]}")
    return int(done.stdout.split()[0])


def needs() -> str:
    built = USUAL.exists() or BUILD.product.exists()
    return BUILD.missing or ("" if built else "the tests are not built: `make cpp-test` builds them")


ROW = Row(
    name="threads",
    what="C++ tests that use threads run under ThreadSanitizer without a report",
    full=300,
    weight=5,
    unit="runs",
    run=run,
    patience=3600.0,
    needs=needs,
)
