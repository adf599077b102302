"""What a sweep costs besides solving, per row.

    python -m benchmarks.sweep_overhead [INSTANCES] [--jobs JOBS] [--real] [--cluster]

Eight solvers that take next to nothing, on maps of nine cells; with `--real` eight algorithms and ten agents
on maps of 16x16. CPU time of the client and of its workers, what solving took aside, so that a busy machine
disturbs little. With `--cluster` the workers are those of a Dask cluster on this machine, and its scheduler
is part of the client's process.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import sidestep as ss

if TYPE_CHECKING:
    from collections.abc import Iterator

SOLVERS = 8
TINY: dict[str, Any] = {
    "solvers": [{"solver": "hca", "retries": list(range(1, SOLVERS + 1))}],
    "instances": {"generator": "empty", "height": 3, "width": 3, "agents": 1},
    "limits": {"nodes": 1000},
}
REAL: dict[str, Any] = {
    "solvers": ["lra", "ca", "hca", "whca", "pibt", "guided", "lacam", "sipp"],
    "instances": {"generator": "random", "height": 16, "width": 16, "agents": 10},
    "limits": {"nodes": 20_000},
}


class Spent(NamedTuple):
    """Seconds of the clock, and of the processor by the client and by workers, whole lives of these."""

    wall: float
    client: float
    workers: float


def children_cpu() -> float:
    """Seconds of the processor of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def where(jobs: int, *, on_cluster: bool) -> Iterator[dict[str, Any]]:
    """What to tell a sweep: processes of its own, or a cluster that lasts as long as the block."""
    if not on_cluster:
        yield {"jobs": jobs}
        return
    local: Any = import_module("distributed").LocalCluster
    with local(n_workers=jobs, threads_per_worker=1, dashboard_address=None) as cluster:
        yield {"cluster": cluster.scheduler_address}


def timed_sweep(
    suite: dict[str, Any], ledger: Path, instances: int, jobs: int, *, on_cluster: bool
) -> tuple[ss.Sweep, Spent]:
    """The sweep, and what it took; workers begin and end with it."""
    asked = {**suite, "instances": {**suite["instances"], "count": instances}}
    before = children_cpu()
    with where(jobs, on_cluster=on_cluster) as how:
        wall, client = time.perf_counter(), time.process_time()
        done = ss.sweep(**asked, ledger=ledger, **how)
        wall, client = time.perf_counter() - wall, time.process_time() - client
    return done, Spent(wall, client, children_cpu() - before)


def main(suite: dict[str, Any], instances: int, jobs: int, *, on_cluster: bool) -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as folder:
        # Mostly the beginning of workers: as many instances as there are of these.
        _, start = timed_sweep(suite, Path(folder) / "one.db", jobs, jobs, on_cluster=on_cluster)
        ledger = Path(folder) / "rows.db"
        done, spent = timed_sweep(suite, ledger, instances, jobs, on_cluster=on_cluster)
        rows, size = len(done), os.path.getsize(ledger)
        solving = sum(row["cpu"] for row in done)
        solved = sum(row["solved"] for row in done)
        _, again = timed_sweep(suite, ledger, instances, 1, on_cluster=False)
    scale = 1000 / rows
    besides = spent.workers - start.workers - solving
    print(f"{rows} rows, {solved} solved, {rows / spent.wall:.0f} rows/s with {jobs} workers")
    print(f"ms of CPU per row (workers begin in {start.workers:.2f} s):")
    print(f"  solving                     {solving * scale:.3f}")
    print(f"  workers, besides solving    {besides * scale:.3f}")
    print(f"  client                      {spent.client * scale:.3f}")
    print(f"  overhead, these two         {(besides + spent.client) * scale:.3f}")
    print(f"  client, nothing left to do  {again.client * scale:.3f}")
    print(f"  bytes of the ledger per row {size / rows:.0f}")


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    options.add_argument("instances", type=int, nargs="?", default=250)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--real", action="store_true")
    options.add_argument("--cluster", action="store_true")
    given = options.parse_args()
    main(REAL if given.real else TINY, given.instances, given.jobs, on_cluster=given.cluster)
