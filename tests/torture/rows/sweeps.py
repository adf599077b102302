"""Clients and workers of a sweep are killed at random instants: every trial has one row, the right one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import sidestep as ss
from sidestep.sweeps.ledger import Ledger
from sidestep.sweeps.suite import suite_of
from sidestep.sweeps.worker import run_batch, run_trial

from ..row import Failed, Row
from ..studios import PATIENCE, children, is_running, wait_until

COUNT = 20  # instances of each kind


def suite_with(count: int) -> dict[str, Any]:
    """Three solvers on two kinds of instances."""
    return {
        "solvers": ["hca", "whca", "pibt"],
        "instances": {"generator": "random", "height": 12, "width": 12, "agents": [4, 12], "count": count},
        "limits": {"nodes": 3000},
    }


SUITE = suite_with(COUNT)
OUTCOME = ("solver", "instance", "seed", "limits", "status", "solved", "cost", "expansions", "digest")
CLIENT = "import sys, sidestep as ss; ss.sweep(**{suite!r}, ledger=sys.argv[1], jobs=2)"


def outcomes(ledger: Path) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in OUTCOME) for row in ss.Sweep(ledger)]


@cache
def undisturbed(count: int = COUNT) -> list[tuple[Any, ...]]:
    """What it comes to in one process, without workers."""
    suite = suite_of(suite_with(count))
    trials = list(suite)
    with tempfile.TemporaryDirectory() as folder:
        with Ledger(Path(folder) / "quiet.db", write=True) as ledger:
            run = ledger.begin(suite.solvers, ss.__version__, "", "", "")
            ledger.add(run, "", zip(trials, run_batch(run_trial, trials).outcomes, strict=True))
        return outcomes(Path(folder) / "quiet.db")


def one(number: int) -> int:
    """A run or two that are disturbed, and one to the end."""
    draw = Random(number)
    with tempfile.TemporaryDirectory() as folder:
        ledger = Path(folder) / "sweep.db"
        for _ in range(draw.randrange(1, 3)):
            disturbed_run(ledger, draw)
        ss.sweep(**SUITE, ledger=ledger, jobs=2, retry=True)
        compare(outcomes(ledger), undisturbed())
        if left := [name for name in os.listdir(folder) if name != "sweep.db"]:
            raise Failed(f"{left} is left behind")
    return 3


def compare(found: list[tuple[Any, ...]], expected: list[tuple[Any, ...]]) -> None:
    """Every trial has one row, and it is the one that it has undisturbed."""
    if len(found) != len(expected):
        raise Failed(f"{len(found)} rows instead of {len(expected)}")
    if found != expected:
        wrong = [pair for pair in zip(found, expected, strict=True) if pair[0] != pair[1]]
        raise Failed(f"{len(wrong)} rows are others, such as {wrong[0]}")


def disturbed_run(ledger: Path, draw: Random) -> None:
    """A client whose workers are killed now and then, and which is killed itself in the end."""
    client = subprocess.Popen([sys.executable, "-c", CLIENT.format(suite=SUITE), str(ledger)])
    workers: set[int] = set()
    try:
        end = time.monotonic() + draw.random() * 4
        while client.poll() is None and time.monotonic() < end:
            time.sleep(draw.random() * 0.5)
            workers.update(now := children(client.pid))
            if now and draw.random() < 0.3:
                with suppress(ProcessLookupError):
                    os.kill(draw.choice(list(now)), signal.SIGKILL)
        workers.update(children(client.pid))
    finally:
        client.kill()
        client.wait(PATIENCE)
    wait_until(lambda: not any(map(is_running, workers)), f"workers {workers} outlive their client")


ROW = Row(
    name="sweeps",
    what="clients and workers of sweeps are killed: no row is lost, doubled or another one",
    full=100,
    weight=6,
    unit="sweeps",
    one=one,
    patience=240.0,
    needs=lambda: "" if Path("/proc").exists() else "there is no /proc",
)
