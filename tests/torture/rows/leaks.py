"""The C++ tests, and the golden cases from Python, under LeakSanitizer."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from tests.golden.groups import GROUPS

from ..builds import GCC, ROOT, Build
from ..row import Failed, Pace, Row, Tally

BUILD = Build("leaks", GCC, "-O1 -g -fno-omit-frame-pointer -fsanitize=leak", tests=True)
LIBRARY = "liblsan.so"  # loaded before Python it sees what the usual module allocates, too
# Python and numpy keep things until the end: a leak is ours if the core or its bindings are in its stack.
LEAK = re.compile(r"^(?:Direct|Indirect) leak of .*?(?=^$)", re.MULTILINE | re.DOTALL)
OURS = re.compile(r"/_core\.\S*so\b")
BRIEF = ("judge",)


def run(pace: Pace) -> Tally:
    """The tests once, then the golden cases group by group; briefly, one group with short stacks."""
    if pace.brief:
        return Tally(cases=1, checks=golden(BRIEF, exact=False))
    pace.beat(cases=1, checks=tests(str(BUILD.make())))
    for group in GROUPS:
        pace.beat(cases=1, checks=golden((group,), exact=True))
    return Tally()


def tests(program: str) -> int:
    """All C++ tests; how many there were."""
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"exit status {done.returncode}: {(done.stdout + done.stderr)[-3000:]}")
    return int(done.stdout.split()[0])


def golden(groups: tuple[str, ...], *, exact: bool) -> int:
    """The golden cases of some groups; how many there were."""
    environment = {
        **os.environ,
        "LD_PRELOAD": str(BUILD.runtime(LIBRARY)),
        "LSAN_OPTIONS": f"exitcode=0:fast_unwind_on_malloc={int(not exact)}",
        "PYTHONMALLOC": "malloc",
    }
    command = [sys.executable, "-m", "tests.torture.golden", *groups]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{groups}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
    leaks = [leak[0] for leak in LEAK.finditer(done.stderr + "\n\n") if OURS.search(leak[0])]
    leaks += [line for line in done.stderr.splitlines() if "nanobind: leaked" in line]
    if leaks:
        raise Failed(f"{groups}: {len(leaks)} leaks, first: {leaks[0][:2500]}")
    return int(done.stdout.splitlines()[-1])


def needs() -> str:
    if BUILD.missing or BUILD.runtime(LIBRARY).exists():
        return BUILD.missing
    return f"there is no {LIBRARY}"


ROW = Row(
    name="leaks",
    what="under LeakSanitizer the C++ tests, and the golden cases from Python, leave nothing of ours behind",
    full=1 + len(GROUPS),
    weight=5,
    unit="runs",
    run=run,
    patience=3600.0,
    needs=needs,
)
