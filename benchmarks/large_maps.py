"""What a map takes from file to world: bytes and nanoseconds of CPU time per cell, step by step.

    python benchmarks/large_maps.py [SIDE ...]

Every side is measured in a process of its own. Bytes are resident memory, as Linux counts it. The map is
random, a tenth of it blocked, and 4-connected; ten agents go a short way, so that what is seen is the map,
not the search.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import sidestep as ss
from sidestep.model.to_core import compiled_space

SIDES = (1024, 2048, 4000)
FREE_ROWS = (0, 30)  # where the agents start and where they go
AGENTS = 10


class Ledger:
    """Keeps what each step makes, and prints what it took as a row of a Markdown table."""

    def __init__(self, cells: int) -> None:
        self.cells = cells
        self.kept: list[Any] = []
        self.begin = resident("VmRSS")

    def step(self, name: str, call: Callable[[], Any]) -> Any:
        """Runs a step and prints its row."""
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        before, begin = resident("VmRSS"), time.process_time_ns()
        self.kept.append(call())
        spent = (time.process_time_ns() - begin) / self.cells
        kept, peak = (resident(what) - before for what in ("VmRSS", "VmHWM"))
        print(f"| {name} | {spent:.1f} | {kept / self.cells:.1f} | {peak / self.cells:.1f} |", flush=True)
        return self.kept[-1]


def resident(what: str) -> int:
    """Bytes of memory that this process has now (VmRSS) or had at most (VmHWM)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(what))


def measure(side: int) -> None:
    """Prints the table of a map of side x side cells."""
    free = np.random.default_rng(1).random((side, side)) < 0.9
    free[list(FREE_ROWS)] = True
    starts, goals = ([(row, col) for col in range(AGENTS)] for row in FREE_ROWS)
    ledger = Ledger(side * side)
    print(f"\n| {side}x{side} | ns per cell | bytes per cell | at its peak |\n|---|---|---|---|")
    grid = ledger.step("`Grid(array)`", lambda: ss.Grid(free))
    problem = ledger.step("`Problem`", lambda: ss.Problem(grid, starts, goals))
    ledger.step("compiling", lambda: compiled_space(problem))
    world = ledger.step("`World` with WHCA*", lambda: ss.World(problem, ss.WHCA()))
    ledger.step("its first step", world.step)
    ledger.step("nine more", lambda: [world.step() for _ in range(9)])
    ledger.step("`world.block`, and a step", lambda: (world.block((side - 1, 0)), world.step()))
    ledger.step("`world.snapshot`", world.snapshot)
    ledger.step('`solve(problem, "whca")`', lambda: ss.solve(problem, "whca"))
    ledger.step("the same again", lambda: ss.solve(problem, "whca"))
    whole = resident("VmRSS") - ledger.begin
    print(f"| all that is kept | | {whole / ledger.cells:.1f} | |", flush=True)


def main(sides: list[str]) -> None:
    """Measures one side here, several in processes of their own."""
    if len(sides) == 1:
        measure(int(sides[0]))
    else:
        for side in sides or map(str, SIDES):
            subprocess.run([sys.executable, __file__, side], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
