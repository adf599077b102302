"""Limits of time: how much CPU time a solve takes beyond its limit, for every solver, map and limit.

A case is one solve of a problem whose map is compiled. The table of all, with the median, the 99th percentile
and the worst of every solver, map and limit, is written beside the results (`limits.md`), and by `--write`
into docs/torture-limits.md.
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

import sidestep as ss
from sidestep import io
from sidestep.instances import maze_grid, random_grid, random_problem, room_grid
from sidestep.model.to_core import compiled_space

from ..results import FOLDER
from ..row import Pace, Row, Tally

MOST, MOST_OF_99 = 0.050, 0.010  # seconds: never more; in 99 of 100 cases
MOST_WHEN_BRIEF = 0.5  # machines that test are busy, and so are their caches
LIMITS = (0.020, 0.050, 0.100, 1.000)
RUNS = 100  # of each solver, map and limit
GAME_MAPS = ("brc202d", "Berlin_1_256", "ht_chantry", "warehouse-20-40-10-2-1", "maze-128-128-2")

MAPS: dict[str, Callable[[], ss.Problem]] = {
    "random 1024": lambda: random_problem(random_grid(1024, 1024, 0.1, 1), 2000, 1),
    "rooms 512": lambda: random_problem(room_grid(512, 512, 15, 1), 2000, 1),
    "maze 512": lambda: random_problem(maze_grid(512, 512, 1, 1), 500, 1),
}
BRIEF_MAPS: dict[str, Callable[[], ss.Problem]] = {
    "random 256": lambda: random_problem(random_grid(256, 256, 0.1, 1), 300, 1)
}


@cache
def problem_on(name: str) -> ss.Problem:
    """A problem by the name of its map, compiled."""
    make = {**MAPS, **BRIEF_MAPS, **_game_maps()}[name]
    problem = make()
    compiled_space(problem)
    return problem


def _game_maps() -> dict[str, Callable[[], ss.Problem]]:
    folder = Path(os.environ.get("SIDESTEP_DATA", "")) / "movingai" / "map"
    found = {name: folder / f"{name}.map" for name in GAME_MAPS}
    return {name: lambda path=path: _crowd(path) for name, path in found.items() if path.exists()}


def _crowd(path: Path) -> ss.Problem:
    grid = io.read_map(path)
    return random_problem(grid, min(2000, int(grid.open.sum()) // 20), 1)


def overrun(problem: ss.Problem, solver: str, limit: float) -> float:
    """The CPU time of this thread beyond a limit, in seconds, the time to free the result included.

    On a machine of one's own that is the time of the whole call less the limit. Where others compete, the
    limit ends before the call has had so much time: then it is what came after that moment.
    """
    clock = time.pthread_getcpuclockid(threading.get_ident())
    at_limit: list[float] = []

    def watch() -> None:
        time.sleep(limit)
        at_limit.append(time.clock_gettime(clock))

    watcher = threading.Thread(target=watch, daemon=True)
    begin = time.thread_time()
    watcher.start()
    ss.solve(problem, solver, time_limit=limit)
    end = time.thread_time()
    late = [end - moment for moment in at_limit]
    watcher.join()
    return max(0.0, end - begin - limit, *late)


def run(pace: Pace) -> Tally:
    """Every solver on every map under every limit, again and again."""
    sys.setswitchinterval(0.0005)  # so that the watcher is not kept waiting
    maps, limits = (BRIEF_MAPS, LIMITS[:2]) if pace.brief else ({**MAPS, **_game_maps()}, LIMITS)
    kinds = list(itertools.product(maps, limits, ss.solvers()))
    most = MOST_WHEN_BRIEF if pace.brief else MOST
    found: dict[tuple[str, float, str], list[float]] = {}
    failures = []
    for number in pace:
        where, limit, solver = kinds[number % len(kinds)]
        late = overrun(problem_on(where), solver, limit)
        found.setdefault((solver, limit, where), []).append(late)
        pace.beat(checks=1)
        if late > most:
            failures.append(f"{solver} on {where}: {1000 * late:.0f} ms beyond {1000 * limit:.0f} ms")
    every = np.concatenate([np.zeros(1), *map(np.array, found.values())])
    if not pace.brief:
        FOLDER.mkdir(parents=True, exist_ok=True)
        (FOLDER / "limits.md").write_text(table(found), encoding="utf-8")
    of_99 = np.percentile(every, 99)
    if of_99 > MOST_OF_99 and not pace.brief:
        failures.append(f"1 of 100 is more than {1000 * of_99:.1f} ms late")
    notes = f"p99 {1000 * of_99:.1f} ms, at most {1000 * every.max():.1f} ms"
    return Tally(failures=failures, notes=notes)


def table(found: dict[tuple[str, float, str], list[float]]) -> str:
    """The overruns in milliseconds, as Markdown: a line per solver and map, a column per limit."""
    limits = sorted({limit for _, limit, _ in found})
    heads = [f"{1000 * limit:.0f} ms" for limit in limits]
    lines = [f"| solver | map | {' | '.join(heads)} |", "|---|---|" + "---:|" * len(heads)]
    for solver, where in sorted({(solver, where) for solver, _, where in found}):
        cells = [_cell(found.get((solver, limit, where), [])) for limit in limits]
        lines.append(f"| {solver} | {where} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(late: list[float]) -> str:
    """Median, 99th percentile and worst; from how many runs."""
    if not late:
        return ""
    return ", ".join(f"{1000 * np.percentile(late, part):.1f}" for part in (50, 99, 100)) + f" ({len(late)})"


ROW = Row(
    name="limits",
    what="a solve on a compiled map ends at its limit of time",
    full=RUNS * len(LIMITS) * len(MAPS) * len(ss.solvers()),
    weight=9,
    unit="solves",
    run=run,
)
