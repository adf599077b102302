"""Sweeps on a Dask cluster: the same rows as from processes."""

from __future__ import annotations

import os
import subprocess
import sys

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
        ss.sweep(**SMALL, ledger=sys.argv[1], cluster=cluster.scheduler_address)
"""


@pytest.mark.slow
def test_a_cluster_of_four_workers_has_the_same_table_as_processes(tmp_path):
    pytest.importorskip("distributed")
    (tmp_path / "client.py").write_text(ON_A_CLUSTER)
    command = [sys.executable, str(tmp_path / "client.py"), str(tmp_path / "cluster.db")]
    subprocess.run(command, check=True, timeout=240, env=environment(), stderr=subprocess.DEVNULL)
    here = ss.sweep(**SMALL, ledger=tmp_path / "processes.db", jobs=1)
    assert outcomes(ss.Sweep(tmp_path / "cluster.db")) == outcomes(here)


def environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def test_without_dask_a_cluster_names_the_extra(monkeypatch, tmp_path):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(cluster, "import_module", missing)
    with pytest.raises(ss.MissingExtraError, match=r"sidestep\[cluster\]"):
        ss.sweep(**SMALL, ledger=tmp_path / "a.db", cluster="tcp://nowhere:1")
