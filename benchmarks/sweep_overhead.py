"""What a sweep costs besides solving, per row: `python -m benchmarks.sweep_overhead [INSTANCES] [--cluster]`.

Eight solvers that take next to nothing, on maps of nine cells. CPU time of the client and of its one worker,
what solving took aside, so that a busy machine disturbs little. With `--cluster` the worker is one of Dask.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import sidestep as ss

USUAL_INSTANCES = 250
SOLVERS = 8


def suite(instances: int) -> dict[str, Any]:
    """A suite of next to no work."""
    return {
        "solvers": [{"solver": "hca", "retries": list(range(1, SOLVERS + 1))}],
        "instances": {"generator": "empty", "height": 3, "width": 3, "agents": 1, "count": instances},
        "limits": {"nodes": 1000},
    }


def children_cpu() -> float:
    """Seconds of the processor of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def timed_sweep(ledger: Path, instances: int, **how: Any) -> tuple[ss.Sweep, float, float]:
    """The sweep, and the CPU seconds of the client and of its worker, which begins and ends with it."""
    client, worker = time.process_time(), children_cpu()
    done = ss.sweep(**suite(instances), ledger=ledger, **how)
    return done, time.process_time() - client, children_cpu() - worker


def main(instances: int, *, on_cluster: bool) -> None:
    """Measures and prints."""
    with tempfile.TemporaryDirectory() as folder:
        _, _, start = timed_sweep(Path(folder) / "one.db", 1, jobs=1)  # mostly the beginning of a worker
        ledger = Path(folder) / "rows.db"
        if on_cluster:
            local: Any = import_module("distributed").LocalCluster
            with local(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
                done, client, worker = timed_sweep(ledger, instances, cluster=cluster.scheduler_address)
        else:
            done, client, worker = timed_sweep(ledger, instances, jobs=1)
        rows, size = len(done), os.path.getsize(ledger)
        solving = sum(row["cpu"] for row in done)
        _, again, _ = timed_sweep(ledger, instances, jobs=1)
    scale = 1000 / rows
    print(f"{rows} rows, ms of CPU per row (a worker begins in {start:.2f} s):")
    print(f"  solving                     {solving * scale:.3f}")
    if not on_cluster:  # there the worker goes on, and cannot be asked
        print(f"  worker, besides solving     {(worker - start - solving) * scale:.3f}")
    print(f"  client                      {client * scale:.3f}")
    print(f"  client, nothing left to do  {again * scale:.3f}")
    print(f"  bytes of the ledger per row {size / rows:.0f}")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdigit()]
    main(numbers[0] if numbers else USUAL_INSTANCES, on_cluster="--cluster" in sys.argv)
