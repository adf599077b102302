"""The C++ tests, and the golden cases from Python, under LeakSanitizer."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from ..builds import GCC, ROOT, Build
from ..row import Failed, Pace, Row, Tally

FLAGS = "-O1 -g -fno-omit-frame-pointer -fsanitize=leak"
TESTS = Build("leaks-tests", GCC, FLAGS, tests=True)
MODULE = Build("leaks", GCC, FLAGS)
# Python and numpy keep things until the end: a leak is ours if the core or its bindings are in its stack.
LEAK = re.compile(r"^(?:Direct|Indirect) leak of .*?(?=^$)", re.MULTILINE | re.DOTALL)
OURS = re.compile(r" in .*\b_core\b|/cpp/(?:src|include|bindings)/")
BRIEF = ("judge",)


def run(pace: Pace) -> Tally:
    """The tests once, then the golden cases group by group; briefly, nanobind's own count in one group."""
    if pace.brief:
        return Tally(cases=1, checks=golden({}, BRIEF))
    checks = tests(str(TESTS.make()))
    pace.beat(cases=1, checks=checks)
    environment = dict(MODULE.environment(["liblsan.so"]))
    from tests.golden.groups import GROUPS

    for group in GROUPS:
        pace.beat(cases=1, checks=golden(environment, (group,)))
    return Tally()


def tests(program: str) -> int:
    """All C++ tests; how many there were."""
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"exit status {done.returncode}: {(done.stdout + done.stderr)[-3000:]}")
    return int(done.stdout.split()[0])


def golden(environment: dict[str, str], groups: tuple[str, ...]) -> int:
    """The golden cases of some groups; how many there were."""
    given = {"LSAN_OPTIONS": "exitcode=0:report_objects=0", "PYTHONMALLOC": "malloc"} if environment else {}
    command = [sys.executable, "-m", "tests.torture.golden", *groups]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **environment, **given},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Failed(f"{groups}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
    leaks = [leak[0] for leak in LEAK.finditer(done.stderr + "\n\n") if OURS.search(leak[0])]
    leaks += [line for line in done.stderr.splitlines() if "nanobind: leaked" in line]
    if leaks:
        raise Failed(f"{groups}: {len(leaks)} leaks, first: {leaks[0][:2500]}")
    return int(done.stdout.splitlines()[-1])


def needs() -> str:
    return MODULE.missing


ROW = Row(
    name="leaks",
    what="under LeakSanitizer the C++ tests, and the golden cases from Python, leave nothing of ours behind",
    full=2,
    unit="runs",
    run=run,
    patience=3600.0,
    needs=needs,
)
