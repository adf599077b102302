"""SIGKILL at random instants: nothing is lost, nothing comes twice, nothing is left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from sidestep.papers.journal import Journal
from sidestep.papers.trials import run_trials

from ..row import Failed, Row
from ..studios import PATIENCE, children, door, is_running, missing, page_of, studio, wait_until

TRIALS = 60
HEAD = {"paper": "none", "seed": 1}


def one(number: int) -> int:
    draw = Random(number)
    if number % 50 == 7:
        return kill_a_server(draw)
    return kill_a_worker(draw) if number % 2 else kill_a_run(draw)


# The journal of the reproductions


def outcome_of(trial: int) -> dict[str, Any]:
    return {"trial": trial, "value": trial * 123_456_789, "path": list(range(trial % 40))}


def kill_a_run(draw: Random) -> int:
    """A run that is killed up to three times, and then goes on to its end."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        for _ in range(draw.randrange(1, 4)):
            killed_child(path, draw.random() * 0.02)
            kept = journal_now(path)
            if kept != [outcome_of(trial) for trial in range(len(kept))]:
                raise Failed(f"the journal has {kept[-3:]} after a kill")
        again: list[int] = []

        def run(trial: int) -> dict[str, Any]:
            again.append(trial)
            return outcome_of(trial)

        journal = Journal(path, HEAD)
        found = run_trials(run, range(TRIALS), jobs=1, progress=lambda part, text: None, journal=journal)
        if found != [outcome_of(trial) for trial in range(TRIALS)]:
            raise Failed("outcomes are lost or doubled")
        if again != list(range(len(kept), TRIALS)):
            raise Failed(f"{len(kept)} outcomes were kept, but trials {again[:3]} ... ran again")
        journal.remove()
        if left := os.listdir(folder):
            raise Failed(f"{left} is left behind")
    return 4


def killed_child(path: Path, seconds: float) -> None:
    """A process that runs the trials, slowly, until it is killed."""
    pid = os.fork()
    if pid == 0:
        with suppress(BaseException):
            journal = Journal(path, HEAD)
            run_trials(slow, range(TRIALS), jobs=1, progress=lambda part, text: None, journal=journal)
        os._exit(0)
    time.sleep(seconds)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def slow(trial: int) -> dict[str, Any]:
    time.sleep(0.0002)
    return outcome_of(trial)


def journal_now(path: Path) -> list[Any]:
    """What a run that goes on would find; looking changes nothing that it has."""
    first = Journal(path, HEAD).open()
    if Journal(path, HEAD).open() != first:
        raise Failed("a journal that is opened twice has two answers")
    return first


# Workers


def kill_a_worker(draw: Random) -> int:
    """Its job ends with one sentence, which says so, and the page goes on."""
    with studio().page() as page:
        message = draw.choice(jobs())
        page.send(message)
        time.sleep(draw.random() * 0.1)
        for worker in list(studio().pool.working):
            with suppress(ProcessLookupError):
                os.kill(worker.pid, signal.SIGKILL)
        if message["do"] == "live":
            page.send({"do": "live-end", "id": 1})
        ended = page.until("done", 1)
        if "error" in ended and "SIGKILL" not in ended["error"]:
            raise Failed(f"a worker was killed, and its page is told: {ended['error']}")
        page.send({"do": "solve", "id": 2, "instance": door(), "runs": [{"solver": "cbs"}], "seconds": 30})
        while True:
            heard = page.hear()
            if heard.get("id") == 1 and "error" not in heard:
                raise Failed(f"a job that has ended says {heard}")
            if heard.get("id") == 2 and heard.get("done"):
                break
        if "error" in heard:
            raise Failed(f"after a kill a page is told: {heard['error']}")
    studio().check()
    return 4


def jobs() -> list[dict[str, Any]]:
    return [
        {"do": "solve", "id": 1, "instance": door(), "runs": [{"solver": "whca"}] * 6, "seconds": 5},
        {"do": "live", "id": 1, "instance": door(), "solver": "whca", "rate": 200},
    ]


# The server


def kill_a_server(draw: Random) -> int:
    """With it end its workers, whatever they do; its port is free, and there is no file of it."""
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen(
            [sys.executable, "-m", "sidestep", "studio", "--no-browser"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": folder, "PYTHONUNBUFFERED": "1"},
        )
        try:
            assert server.stdout is not None
            found = re.search(rb":(\d+)/\?token=(\S+)", server.stdout.readline())
            if found is None:
                raise Failed("the studio did not say where it is")
            with suppress(Exception), page_of(int(found[1]), found[2].decode()) as page:
                page.send(draw.choice(jobs()))
                time.sleep(draw.random() * 0.3)
                workers = children(server.pid)
                server.kill()
        finally:
            server.kill()
            server.wait(PATIENCE)
        wait_until(lambda: not any(map(is_running, workers)), f"workers {workers} outlive their server")
        if left := os.listdir(folder):
            raise Failed(f"{left} is left behind")
    return 2


def needs() -> str:
    return missing() or (
        "" if hasattr(os, "fork") and Path("/proc").exists() else "there is no fork or no /proc"
    )


ROW = Row(
    name="kill",
    what="a studio, its workers and a reproduction are killed: nothing is lost, doubled or left behind",
    full=1_000,
    unit="kills",
    one=one,
    patience=240.0,
    needs=needs,
)
