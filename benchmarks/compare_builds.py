"""Two builds of sidestep side by side: instructions and CPU time of fixed workloads, as ratios.

    python benchmarks/compare_builds.py OLD/.venv/bin/python NEW/.venv/bin/python

Instructions are counted by callgrind, only while a workload runs; this needs valgrind with its headers, and
a C compiler. CPU time is that of interleaved pairs: both builds are kept running side by side and take turns,
and the ratio is the median over all pairs. The exit code is 1 if a ratio is too high or if answers differ.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np

ROUNDS_PER_PROCESS = 4  # then both builds begin anew, so that no luck with memory lasts
SWITCH = """
#include <valgrind/callgrind.h>
void begin(void) { CALLGRIND_START_INSTRUMENTATION; CALLGRIND_ZERO_STATS; }
void end(const char* name) { CALLGRIND_DUMP_STATS_AT(name); CALLGRIND_STOP_INSTRUMENTATION; }
"""

# Workloads: made of public names only, so that builds can be compared whose modules differ


def random_grid(ss: Any, side: int, draws: Random, **shape: Any) -> Any:
    """A fifth of the cells is blocked."""
    free = np.array([draws.randrange(5) > 0 for _ in range(side * side)]).reshape(side, side)
    return ss.Grid(free, **shape)


def random_cells(ss: Any, grid: Any, count: int, draws: Random) -> list[Any]:
    """Different free cells of the largest part of the map."""
    free = np.argwhere(grid.passable).tolist()
    near: list[Any] = []
    while 2 * len(near) < len(free):  # more than half of it is connected
        start = tuple(free[draws.randrange(len(free))])
        near = np.argwhere(np.isfinite(ss.distance_map(grid, start).array)).tolist()
    return [tuple(near.pop(draws.randrange(len(near)))) for _ in range(count)]


def random_problem(ss: Any, side: int, agents: int, seed: int, **shape: Any) -> Any:
    """Starts and goals at random on a random grid."""
    draws = Random(seed)
    grid = random_grid(ss, side, draws, **shape)
    starts = random_cells(ss, grid, agents, draws)
    return ss.Problem(grid, starts, random_cells(ss, grid, agents, draws))


def solving(
    ss: Any, solver: str, problems: list[Any], nodes: int | None = None, **parameters: Any
) -> Callable[[], Any]:
    """Solves all of these; what they cost is the answer."""

    def work() -> Any:
        results = [ss.solve(one, solver, time_limit=None, node_limit=nodes, **parameters) for one in problems]
        return [None if found.plan is None else found.plan.vertices.tobytes() for found in results]

    return work


def finding(ss: Any) -> Callable[[], Any]:
    """Shortest ways on a map of 256x256, one by one."""
    draws = Random(5)
    grid = random_grid(ss, 256, draws, connectivity=8)
    cells = random_cells(ss, grid, 1600, draws)
    finder, pairs = ss.Finder(grid), list(zip(cells[::2], cells[1::2], strict=True))
    return lambda: [finder.path(*pair).vertices.tobytes() for pair in pairs]


def crowding(ss: Any) -> Callable[[], Any]:
    """200 round agents among walls."""
    problem = random_problem(ss, 40, 200, 6)

    def work() -> Any:
        crowd = ss.Crowd.of_problem(problem)
        crowd.step(0.1, steps=400)
        return crowd.positions.tobytes()

    return work


WORKLOADS: dict[str, Callable[[Any], Callable[[], Any]]] = {
    "WHCA*": lambda ss: solving(ss, "whca", [random_problem(ss, 32, 100, seed) for seed in range(32)]),
    "HCA*": lambda ss: solving(ss, "hca", [random_problem(ss, 32, 80, seed) for seed in range(32)]),
    "CBS": lambda ss: solving(ss, "cbs", [random_problem(ss, 16, 16, seed) for seed in range(60)], 20_000),
    "OD+ID": lambda ss: solving(
        ss, "od-id", [random_problem(ss, 16, 14, seed) for seed in range(24)], 20_000
    ),
    "DPCA*": lambda ss: solving(
        ss, "dpca", [random_problem(ss, 16, 30, seed, connectivity=8, corners="free") for seed in range(48)]
    ),
    "Finder": finding,
    "ORCA": crowding,
}


# A build at work: it is told which workload to run, and answers with its CPU time


def serve() -> None:
    """Runs one workload per line of input; says its CPU seconds and a digest of its answer."""
    works = prepared(list(WORKLOADS))
    for name in works:
        works[name]()  # what is slow only once is not measured
    print("ready", flush=True)
    for line in sys.stdin:
        name = line.strip()
        gc.collect()
        begin = time.process_time()
        answer = works[name]()
        seconds = time.process_time() - begin
        print(seconds, digest(answer), flush=True)


def count(switch: str, names: list[str]) -> None:
    """Runs workloads under callgrind, which counts only while each of them runs for the second time."""
    library = ctypes.CDLL(switch)
    for name, work in prepared(names).items():
        work()
        gc.collect()
        library.begin()
        work()
        library.end(name.encode())


def prepared(names: list[str]) -> dict[str, Callable[[], Any]]:
    """The workloads, made with the sidestep of this interpreter; the collector of cycles is off."""
    import sidestep  # noqa: PLC0415  # each build has its own; the comparing process needs none

    gc.disable()
    return {name: WORKLOADS[name](sidestep) for name in names}


def digest(answer: Any) -> str:
    """A few digits that tell whether two builds answer the same."""
    return hashlib.blake2b(repr(answer).encode(), digest_size=6).hexdigest()


# The comparison


class Build:
    """A build that is kept running and takes its turns."""

    def __init__(self, python: str) -> None:
        self._python = python
        self._process = subprocess.Popen(
            [python, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=ENV
        )
        self._line()

    def run(self, name: str) -> tuple[float, str]:
        """CPU seconds, and the digest of the answer."""
        assert self._process.stdin is not None
        print(name, file=self._process.stdin, flush=True)
        seconds, answer = self._line().split()
        return float(seconds), answer

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            sys.exit(f"{self._python} has ended: see above")
        return line

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()


ENV = {**os.environ, "PYTHONHASHSEED": "0", "OMP_NUM_THREADS": "1"}

Pairs = dict[str, list[tuple[float, float]]]


def cpu_times(old: str, new: str, names: list[str], pairs: int) -> tuple[Pairs, list[str]]:
    """Per workload the CPU seconds of each pair, and the workloads whose answers differ."""
    times: Pairs = {name: [] for name in names}
    different: set[str] = set()
    for first in range(0, pairs, ROUNDS_PER_PROCESS):
        with both_running(old, new) as builds:
            for number in range(first, min(first + ROUNDS_PER_PROCESS, pairs)):
                for name in names:
                    order = (0, 1) if number % 2 == 0 else (1, 0)
                    found = {which: builds[which].run(name) for which in order}
                    times[name].append((found[0][0], found[1][0]))
                    if found[0][1] != found[1][1]:
                        different.add(name)
    return times, sorted(different)


@contextmanager
def both_running(old: str, new: str) -> Iterator[tuple[Build, Build]]:
    """Both builds, started and at last ended."""
    builds = Build(old), Build(new)
    try:
        yield builds
    finally:
        for build in builds:
            build.close()


def instructions(python: str, names: list[str], folder: Path) -> dict[str, int]:
    """Per workload the instructions that callgrind counts in this build."""
    switch = folder / "switch.so"
    if not switch.exists():
        (folder / "switch.c").write_text(SWITCH)
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", switch, folder / "switch.c"], check=True)
    for found in folder.glob("counted*"):
        found.unlink()
    command = ["valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/counted"]
    subprocess.run(
        [*command, python, __file__, "--count", str(switch), *names], check=True, env=ENV, capture_output=True
    )
    counted = {}
    for found in folder.glob("counted.*"):
        text = found.read_text()
        name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.MULTILINE)
        total = re.search(r"^(?:summary|totals): (\d+)", text, re.MULTILINE)
        if name and total:
            counted[name[1]] = int(total[1])
    return counted


def table(names: list[str], counts: list[dict[str, int]], times: Pairs) -> list[tuple[str, float, float]]:
    """Prints what was measured; returns the ratios, of which those that were not measured are 0."""
    print(f"{'':8}{'instructions (millions)':>34}{'CPU time (ms)':>31}")
    print(f"{'':8}{'old':>12}{'new':>12}{'ratio':>10}{'old':>12}{'new':>9}{'ratio':>10}")
    rows = []
    for name in names:
        before, now = (found.get(name, 0) for found in counts)
        more = now / before if before else 0.0
        pairs = times.get(name) or [(0.0, 0.0)]
        old, new = (1000 * median(pair[which] for pair in pairs) for which in (0, 1))
        longer = median(pair[1] / pair[0] for pair in pairs) if old else 0.0
        print(f"{name:8}{before / 1e6:12.2f}{now / 1e6:12.2f}{more:10.4f}{old:12.1f}{new:9.1f}{longer:10.4f}")
        rows.append((name, more, longer))
    return rows


def compare(arguments: argparse.Namespace) -> int:
    """Measures, prints the table, and says which ratios are too high."""
    names = arguments.only or list(WORKLOADS)
    counts: list[dict[str, int]] = [{}, {}]
    if arguments.instructions:
        if not shutil.which("valgrind"):
            sys.exit("counting instructions needs valgrind; --no-instructions measures CPU time alone")
        with tempfile.TemporaryDirectory() as folder:
            counts = [instructions(python, names, Path(folder)) for python in (arguments.old, arguments.new)]
    times, different = cpu_times(arguments.old, arguments.new, names, arguments.pairs)
    rows = table(names, counts, times)
    print(f"CPU time: medians of {arguments.pairs} interleaved pairs; 0 is what was not measured")
    faults = [f"{name}: the answers differ" for name in different]
    for name, more, longer in rows:
        if more > arguments.most_instructions:
            faults.append(f"{name}: {more:.4f} of the instructions")
        if longer > arguments.most_time:
            faults.append(f"{name}: {longer:.4f} of the CPU time")
    print("\n".join(faults) or "within the limits")
    return int(bool(faults))


def main() -> int:
    """The command line; `--serve` and `--count` are how a build is started from here."""
    if sys.argv[1:2] == ["--serve"]:
        serve()
        return 0
    if sys.argv[1:2] == ["--count"]:
        count(sys.argv[2], sys.argv[3:])
        return 0
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", help="the Python of the environment with the old build")
    parser.add_argument("new", help="the Python of the environment with the new build")
    parser.add_argument("--pairs", type=int, default=31, help="interleaved pairs; 0: no CPU time (31)")
    parser.add_argument("--no-instructions", dest="instructions", action="store_false")
    parser.add_argument("--only", nargs="+", choices=WORKLOADS, metavar="WORKLOAD")
    parser.add_argument("--most-instructions", type=float, default=1.02, help="the highest good ratio (1.02)")
    parser.add_argument("--most-time", type=float, default=1.05, help="the highest good ratio (1.05)")
    return compare(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
