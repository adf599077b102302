"""Sweeps on a Dask cluster: the same rows as from processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

import sidestep as ss
from sidestep.sweeps import cluster
from tests.sweeps.makers import SMALL, outcomes

# In a process of its own: a cluster brings threads, loops and warnings with it that are not ours to judge.
ON_A_CLUSTER = """
import sys
import sidestep as ss
from tests.sweeps.makers import SMALL

if __name__ == "__main__":
    from distributed import LocalCluster

    with LocalCluster(n_workers=4, threads_per_worker=1, dashboard_address=None) as cluster:
        for ledger in sys.argv[1:]:
            ss.sweep(**SMALL, ledger=ledger, cluster=cluster.scheduler_address)
"""


@pytest.mark.slow
def test_a_cluster_of_four_workers_has_the_same_table_as_processes(tmp_path):
    """Also where it goes on with the copy of a ledger that processes began."""
    pytest.importorskip("distributed")
    begun = {**SMALL, "solvers": SMALL["solvers"][:1]}
    ss.sweep(**begun, ledger=tmp_path / "begun.db", jobs=1)
    shutil.copy(tmp_path / "begun.db", tmp_path / "copied.db")
    (tmp_path / "client.py").write_text(ON_A_CLUSTER)
    ledgers = [str(tmp_path / name) for name in ("cluster.db", "copied.db")]
    command = [sys.executable, str(tmp_path / "client.py"), *ledgers]
    subprocess.run(command, check=True, timeout=240, env=environment(), stderr=subprocess.DEVNULL)
    here = ss.sweep(**SMALL, ledger=tmp_path / "processes.db", jobs=1)
    assert 0 < len(ss.Sweep(tmp_path / "begun.db")) < len(here)
    for ledger in ledgers:
        assert outcomes(ss.Sweep(ledger)) == outcomes(here)


class LostClient:
    """A client of Dask that loses its scheduler after a given number of batches, which then never answer."""

    def __init__(self, address, **_):
        self.status, self.left, self.closed_within = "running", int(address), None

    def nthreads(self):
        return {"worker": 1}

    def submit(self, run, *arguments, pure):
        self.left -= 1
        if self.left < 0:
            self.status = "connecting"
            return SimpleNamespace(add_done_callback=lambda tell: None)
        answer = run(*arguments)
        future = SimpleNamespace(result=lambda: answer)
        return SimpleNamespace(add_done_callback=lambda tell: tell(future))

    def close(self, timeout):
        self.closed_within = timeout
        raise TimeoutError


@pytest.mark.parametrize("batches", [0, 3])
def test_a_scheduler_that_is_gone_is_noticed_while_nobody_answers(monkeypatch, tmp_path, batches):
    """Futures that a client takes on while it looks for its scheduler may stay pending for ever."""
    dask = SimpleNamespace(
        Client=LostClient,
        CancelledError=KeyError,
        scheduler=SimpleNamespace(KilledWorker=IndexError),
    )
    monkeypatch.setattr(cluster, "import_module", lambda name: dask)
    monkeypatch.setattr(cluster, "LOOKS", 0.01)
    with pytest.raises(ss.InputError, match="the scheduler is gone: what was done is in the ledger"):
        ss.sweep(**SMALL, ledger=tmp_path / "a.db", cluster=str(batches))
    assert bool(len(ss.Sweep(tmp_path / "a.db"))) == bool(batches)


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def test_without_dask_a_cluster_names_the_extra(monkeypatch, tmp_path):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(cluster, "import_module", missing)
    with pytest.raises(ss.MissingExtraError, match=r"sidestep\[cluster\]"):
        ss.sweep(**SMALL, ledger=tmp_path / "a.db", cluster="tcp://nowhere:1")
