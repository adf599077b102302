"""Schedulers and workers of a Dask cluster are killed at random: every trial has one row, the right one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from random import Random

from ..row import Failed, Row
from ..studios import PATIENCE, wait_until
from .sweeps import compare, outcomes, undisturbed

COUNT = 150  # instances of each kind: some seconds of work for four workers
WORKERS = 4
KILLS = 5  # per case, at most
SCHEDULER = 0.3  # how often it is the scheduler, and not a worker
GONE = ("the scheduler is gone: what was done is in the ledger", "no scheduler answers at")
LONG = 300.0  # seconds that a client may take on a busy machine
CLIENT = """
import sys, sidestep as ss
from tests.torture.rows.sweeps import suite_with
try:
    ss.sweep(**suite_with(int(sys.argv[1])), ledger=sys.argv[2], cluster=sys.argv[3], retry=True)
except ss.InputError as error:
    sys.exit(str(error))
"""


class Cluster:
    """A scheduler and its workers, each a process; what is killed is begun again."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._times = folder, 0
        self.begin()

    def begin(self) -> None:
        """A scheduler at a free port, and all workers."""
        self._times += 1
        self._file = self._folder / f"scheduler{self._times}.json"
        self.scheduler = self._started("scheduler", "--port", "0", "--host", "127.0.0.1")
        self.workers = [self._worker() for _ in range(WORKERS)]
        wait_until(lambda: self.address, "the scheduler does not begin", LONG)

    def end(self) -> None:
        """All of them."""
        for process in [self.scheduler, *self.workers]:
            process.kill()
            process.wait(PATIENCE)

    def kill_a_worker(self, draw: Random) -> None:
        """Another one comes."""
        place = draw.randrange(WORKERS)
        self.workers[place].kill()
        self.workers[place].wait(PATIENCE)
        self.workers[place] = self._worker()

    def kill_the_scheduler(self) -> None:
        """And all begin anew, at another port."""
        self.end()
        self.begin()

    @property
    def address(self) -> str:
        """Where its scheduler is; nothing until it has said so."""
        try:
            address: str = json.loads(self._file.read_text(encoding="utf-8"))["address"]
        except (OSError, ValueError):  # not written yet, or not to its end
            return ""
        return address

    def _worker(self) -> subprocess.Popen[bytes]:
        return self._started("worker", "--no-nanny", "--nthreads", "1", "--nworkers", "1")

    def _started(self, what: str, *options: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *options, "--no-dashboard"]
        return subprocess.Popen(
            [*command, "--scheduler-file", str(self._file)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


def one(number: int) -> int:
    """Clients, one after another, until one comes to its end; meanwhile somebody is killed now and then."""
    draw = Random(number)
    with tempfile.TemporaryDirectory() as folder:
        ledger, cluster, kills = Path(folder) / "sweep.db", Cluster(Path(folder)), KILLS
        try:
            ended = False
            while not ended:
                kills, ended = disturbed_run(ledger, cluster, draw, kills)
        finally:
            cluster.end()
        compare(outcomes(ledger), undisturbed(COUNT))
    return KILLS - kills + 1


def disturbed_run(ledger: Path, cluster: Cluster, draw: Random, kills: int) -> tuple[int, bool]:
    """A client, until it ends: how many kills are left, and whether it has come to its end."""
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, str(COUNT), str(ledger), cluster.address],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        wait_until(lambda: ledger.exists() or client.poll() is not None, "the client does not begin")
        while client.poll() is None and kills:
            time.sleep(draw.random() * 1.5)
            kills -= 1
            if draw.random() < SCHEDULER:
                cluster.kill_the_scheduler()
                break
            cluster.kill_a_worker(draw)
        _, said = client.communicate(timeout=LONG)
    finally:
        client.kill()
    if client.returncode and not any(words in said for words in GONE):
        raise Failed(f"the client said: {said[-300:]}")
    return kills, not client.returncode


def missing() -> str:
    """What is not installed."""
    return "" if find_spec("distributed") else "distributed is not installed"


ROW = Row(
    name="sweep cluster",
    what="schedulers and workers of a Dask cluster are killed: no row is lost, doubled or another one",
    full=25,
    weight=5,
    unit="sweeps",
    one=one,
    patience=900.0,
    needs=missing,
)
