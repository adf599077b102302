"""The core built by gcc and clang, without and with optimisation: every golden digest is the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from ..builds import CLANG, GCC, ROOT, Build
from ..row import Failed, Pace, Row, Tally

VARIANTS = [
    Build(name + level, compiler, level + (" -DNDEBUG" if level == "-O3" else ""))
    for level in ("-O0", "-O3")  # the quick ones first
    for name, compiler in (("gcc", GCC), ("clang", CLANG))
]
BRIEF = ("judge",)  # a group of digests that is quick


def run(pace: Pace) -> Tally:
    """All digests with build after build; briefly, some of them with the usual one."""
    if pace.brief:
        return Tally(cases=compared({}, BRIEF), checks=1)
    tried = []
    for number in pace:
        build = VARIANTS[number % len(VARIANTS)]
        pace.beat(checks=compared({**os.environ, **build.environment()}, ()))
        tried.append(build.name)
    return Tally(notes=", ".join(tried))


def compared(environment: dict[str, str], groups: tuple[str, ...]) -> int:
    """Runs the golden cases in a process of their own; returns how many there are."""
    command = [sys.executable, "-m", "tests.torture.golden", *groups]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise Failed(f"{environment.get('SIDESTEP_CORE', '')}: {done.stdout[-1500:]}{done.stderr[-1500:]}")
    return int(json.loads(done.stdout.splitlines()[-1]))


def needs() -> str:
    return "; ".join(sorted({build.missing for build in VARIANTS if build.missing}))


ROW = Row(
    name="compilers",
    what="the core built by gcc and clang 16, without and with optimisation, gives the same bytes",
    full=len(VARIANTS),
    weight=5,
    unit="builds",
    run=run,
    patience=3600.0,
    needs=needs,
)
