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

from sidestep.sweeps.working import Unfinished, mapping

from ..row import Failed, Row
from ..studios import PATIENCE, children, door, is_running, missing, page_of, studio, wait_until

TRIALS = 60
HEAD = {"paper": "none", "seed": 1}


def one(number: int) -> int:
    draw = Random(number)
    if number % 50 == 7:
        return kill_a_server(draw)
    return kill_a_worker(draw) if number % 2 else kill_a_run(draw)


# What reproductions keep until they are over


def outcome_of(trial: int) -> dict[str, Any]:
    return {"trial": trial, "value": trial * 123_456_789, "path": list(range(trial % 40))}


def kill_a_run(draw: Random) -> int:
    """A run that is killed up to three times, and then goes on to its end."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.db"
        for _ in range(draw.randrange(1, 4)):
            killed_child(path, draw.random() * 0.02)
            kept = kept_now(path)
            if kept != {trial: outcome_of(trial) for trial in range(len(kept))}:
                raise Failed(f"after a kill there is {sorted(kept.items())[-3:]}")
        again: list[int] = []

        def run(trial: int) -> dict[str, Any]:
            again.append(trial)
            return outcome_of(trial)

        with Unfinished(path, HEAD) as unfinished, mapping(run, 1) as mapped:
            found = mapped(range(TRIALS), unfinished=unfinished)
        if found != [outcome_of(trial) for trial in range(TRIALS)]:
            raise Failed("outcomes are lost or doubled")
        if again != list(range(len(kept), TRIALS)):
            raise Failed(f"{len(kept)} outcomes were kept, but trials {again[:3]} ... ran again")
        Unfinished(path, HEAD).remove()
        if left := os.listdir(folder):
            raise Failed(f"{left} is left behind")
    return 4


def killed_child(path: Path, seconds: float) -> None:
    """A process that runs the trials, slowly, until it is killed."""
    pid = os.fork()
    if pid == 0:
        with suppress(BaseException), Unfinished(path, HEAD) as unfinished, mapping(slow, 1) as mapped:
            mapped(range(TRIALS), unfinished=unfinished)
        os._exit(0)
    time.sleep(seconds)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def slow(trial: int) -> dict[str, Any]:
    time.sleep(0.0002)
    return outcome_of(trial)


def kept_now(path: Path) -> dict[int, Any]:
    """What a run that goes on would find; looking changes nothing that it has."""
    found = []
    for _ in range(2):
        with Unfinished(path, HEAD) as unfinished:
            found.append(unfinished.outcomes())
    if found[0] != found[1]:
        raise Failed("what is opened twice has two answers")
    return found[0]


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
    weight=10,
    unit="kills",
    one=one,
    patience=240.0,
    needs=needs,
)
