"""What D. Liu, Research of the Path Finding Algorithm A* in Video Games, claims, put to the test.

The review reports no experiments of its own. It states that a binary heap instead of a list makes A* 2 to 3
times faster on small inputs and orders of magnitude on large ones, that heuristics with preprocessing know
more than geometry, and that a search may be interrupted and joined together again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from time import process_time
from typing import Any

import numpy as np

from ..budget import Budget
from ..instances import cave_grid, maze_grid, random_grid, room_grid
from ..model.arrays import IntArray
from ..model.grid import Cell, Grid
from ..search import Finder
from .claims import Claim, Comparison, Estimate, jackknife, ratio
from .plots import Plot, require_matplotlib
from .report import Report, Table
from .trials import Progress, run_trials

NAME = "astar-review"
MAPS, FEWER_MAPS = 10, 2  # of each kind and size
DENSITY = 0.3
LIST, HEAP, BUCKETS = "list", "heap", "buckets"
QUEUES = (LIST, HEAP, BUCKETS)
SIDES = (16, 32, 64, 128, 256, 512, 1024)  # of the maps on which queues are compared
SMALLEST, MIDDLE, LARGE = 32, 128, 1024
LEAST_SECONDS = 0.01  # of searching that a time is taken from

MAZES = (64, 128, 256)  # the sides of the mazes; caves and rooms have the second
MAZE_SIDE = MAZES[1]
QUERIES = 50  # per map
INFORMED = ("alt", "altbestp", "dead-end", "gateway", "true")
MAZE, ROOMS, CAVE = "maze", "rooms", "cave"
LANDSCAPES: dict[str, Callable[[int, int], Grid]] = {
    MAZE: lambda side, seed: maze_grid(side, side, 3, seed),
    ROOMS: lambda side, seed: room_grid(side, side, 7, seed),
    CAVE: lambda side, seed: cave_grid(side, side, seed),
}
FRAME = 200  # expansions


# One trial


@dataclass(frozen=True)
class Trial:
    """Everything on the maps of one number."""

    number: int
    seed: int
    sides: tuple[int, ...] = SIDES
    mazes: tuple[int, ...] = MAZES
    queries: int = QUERIES


@dataclass(frozen=True)
class Effort:
    """What a query costs on average, and what had to be prepared."""

    expanded: float
    milliseconds: float
    preparation: float = 0.0  # milliseconds
    memory: int = 0  # bytes


@dataclass(frozen=True)
class Outcome:
    """By names that say what was measured: see `queue_name` and `landscape_name`."""

    number: int
    queues: Mapping[str, Effort]
    heuristics: Mapping[str, Effort]
    interrupted: int  # searches that were run frame by frame
    frames: float  # that they took on average
    different: int  # costs that differed from those of searches that were not interrupted


def queue_name(queue: str, side: int, connectivity: int) -> str:
    """The key of a queue on maps of a size."""
    return f"{queue} {side} {connectivity}"


def landscape_name(kind: str, side: int, connectivity: int, heuristic: str) -> str:
    """The key of a heuristic on a kind of maps."""
    return f"{kind} {side} {connectivity} {heuristic}"


def run_trial(trial: Trial) -> Outcome:
    """Queues on scattered obstacles, heuristics on mazes, rooms and caves, and searches frame by frame."""
    seed = trial.seed + trial.number
    queues: dict[str, Effort] = {}
    for side in trial.sides:
        for connectivity in (4, 8):
            queues |= compare_queues(side, connectivity, seed)
    heuristics: dict[str, Effort] = {}
    landscapes = [(MAZE, side) for side in trial.mazes]
    landscapes += [(kind, trial.mazes[len(trial.mazes) // 2]) for kind in (ROOMS, CAVE)]
    for kind, side in landscapes:
        for connectivity in (4, 8):
            grid = Grid(LANDSCAPES[kind](side, seed).passable, 8 if connectivity == 8 else 4)
            efforts = compare_heuristics(grid, trial.queries, seed)
            heuristics |= {landscape_name(kind, side, connectivity, name): e for name, e in efforts.items()}
    return Outcome(trial.number, queues, heuristics, *interrupt(trial, seed))


def compare_queues(side: int, connectivity: int, seed: int) -> dict[str, Effort]:
    """The same way, from one corner to the other, with every open list."""
    passable = random_grid(side, side, DENSITY, seed).passable
    grid = Grid(passable, 8 if connectivity == 8 else 4)
    cells = np.argwhere(passable)
    start, goal = _cell(cells[0]), _cell(cells[-1])
    return {
        queue_name(queue, side, connectivity): _timed(Finder(grid, queue=queue), start, goal)
        for queue in QUEUES
    }


def _timed(finder: Finder, start: Cell, goal: Cell) -> Effort:
    """The CPU time of one query, repeated while it is too short to be measured."""
    times, spent = 0, 0.0
    while spent < LEAST_SECONDS:
        begin = process_time()
        route = finder.path(start, goal)
        spent += process_time() - begin
        times += 1
    return Effort(route.expanded, 1000 * spent / times)


def compare_heuristics(grid: Grid, queries: int, seed: int) -> dict[str, Effort]:
    """The same random queries with every heuristic; geometry is the first."""
    starts, goals = _random_cells(grid, queries, seed)
    return {name: _effort(grid, name, starts, goals) for name in (geometry(grid.connectivity), *INFORMED)}


def geometry(connectivity: int) -> str:
    """The heuristic that the informed ones are compared with."""
    return "manhattan" if connectivity == 4 else "octile"


def _effort(grid: Grid, heuristic: str, starts: IntArray, goals: IntArray) -> Effort:
    begin = process_time()
    finder = Finder(grid, heuristic=heuristic)
    prepared = process_time()
    budget = Budget()
    finder.paths(starts, goals, budget=budget)
    spent = process_time() - prepared
    queries = len(starts)
    return Effort(budget.nodes / queries, 1000 * spent / queries, 1000 * (prepared - begin), finder.memory)


def interrupt(trial: Trial, seed: int) -> tuple[int, float, int]:
    """Searches of a few nodes per frame: how many, their frames, how many found another cost in the end."""
    side = trial.mazes[len(trial.mazes) // 2]
    frames, different = [], 0
    for make in LANDSCAPES.values():
        grid = Grid(make(side, seed).passable, 8)
        finder = Finder(grid)
        for start, goal in zip(*_random_cells(grid, trial.queries, seed), strict=True):
            search, count = finder.search(_cell(start), _cell(goal)), 0
            while not search.done:
                search.run(nodes=FRAME)
                count += 1
            whole = finder.path(_cell(start), _cell(goal))
            found = search.route
            different += (found.straight, found.diagonal) != (whole.straight, whole.diagonal)
            frames.append(count)
    return len(frames), fmean(frames), different


def _random_cells(grid: Grid, count: int, seed: int) -> tuple[IntArray, IntArray]:
    cells = np.argwhere(grid.passable).astype(np.int32)
    ends = cells[np.random.default_rng(seed).integers(0, len(cells), (2, count))]
    return ends[0], ends[1]


def _cell(cell: Any) -> Cell:
    row, col = cell
    return int(row), int(col)


# All trials


@dataclass(frozen=True)
class Findings:
    """The outcomes; every mean is over maps."""

    outcomes: Sequence[Outcome]
    sides: tuple[int, ...]
    mazes: tuple[int, ...]

    def estimate(self, measure: Callable[[Findings], float]) -> Estimate:
        """A number with its error over maps."""
        return jackknife(lambda some: measure(Findings(some, self.sides, self.mazes)), self.outcomes)

    def time(self, queue: str, side: int, connectivity: int = 4) -> float:
        """Milliseconds of a query."""
        name = queue_name(queue, side, connectivity)
        return fmean(outcome.queues[name].milliseconds for outcome in self.outcomes)

    def mean(self, quantity: str, kind: str, side: int, connectivity: int, heuristic: str) -> float:
        """A quantity of `Effort`."""
        name = landscape_name(kind, side, connectivity, heuristic)
        return fmean(getattr(outcome.heuristics[name], quantity) for outcome in self.outcomes)

    def slower(self, queue: str, than: str, side: int, connectivity: int = 4) -> float:
        """How many times as long a queue takes; not a number on sizes that were not run."""
        if side not in self.sides:
            return math.nan
        return ratio(self.time(queue, side, connectivity), self.time(than, side, connectivity))

    def most_expanded(self, heuristic: str) -> float:
        """Expansions over those of geometry in mazes: the larger of 4- and 8-connected, of all sizes."""
        return max(
            ratio(
                self.mean("expanded", MAZE, side, connectivity, heuristic),
                self.mean("expanded", MAZE, side, connectivity, geometry(connectivity)),
            )
            for side in self.mazes
            for connectivity in (4, 8)
        )

    def total(self, quantity: str) -> int:
        """A count over all maps."""
        return sum(getattr(outcome, quantity) for outcome in self.outcomes)


def find(trials: Sequence[Trial], *, jobs: int, progress: Progress) -> tuple[Findings, list[dict[str, Any]]]:
    """Runs the trials; also returns the raw numbers."""
    outcomes = run_trials(run_trial, trials, jobs=jobs, progress=progress, at_once=1)
    return Findings(outcomes, trials[0].sides, trials[0].mazes), [asdict(outcome) for outcome in outcomes]


def run(
    *, full: bool, seed: int, jobs: int, out: Path, progress: Progress, instances: int | None = None
) -> Report:
    """Runs the experiments on ten maps of each kind, or fewer in the short version; writes the report."""
    require_matplotlib()  # what may be missing is asked for before the work, not after it
    out.mkdir(parents=True, exist_ok=True)
    maps = instances or (MAPS if full else FEWER_MAPS)
    found, rows = find([Trial(number, seed) for number in range(maps)], jobs=jobs, progress=progress)
    report = make_report(found, rows, out)
    report.write()
    return report


# What the review states

_HEAP = "section 4, Binary Heap Optimization"
_HEURISTICS = "section 5, Alternative Heuristics"
_GAMES = "section 6, Application"
_QUEUE_TOPIC, _HEURISTIC_TOPIC, _FRAME_TOPIC = "time, list / heap", "expansions / geometry", "interruption"
_SHORT_LIST = (
    "A short open list is searched in less time than a heap is kept in order: a compiled scan of memory that "
    "lies side by side is quick. The heap wins once there are a few hundred entries."
)
_MORE_PER_ENTRY = (
    "Octile costs leave fewer ties, so that the open list is shorter, and a step looks at eight neighbours "
    "whatever the queue."
)


def _list_over_heap(side: int, connectivity: int = 4) -> Callable[[Findings], float]:
    return partial(Findings.slower, queue=LIST, than=HEAP, side=side, connectivity=connectivity)


def _queue_claims() -> list[Claim]:
    claim = partial(Claim, _QUEUE_TOPIC, source=_HEAP, unit="x", places=1)
    small = partial(claim, published="2 to 3x", stated=2, low=2, reason=_SHORT_LIST)
    large = partial(claim, published="orders of magnitude", stated=50, low=50)
    return [
        small(f"{SMALLEST}x{SMALLEST}", measure=_list_over_heap(SMALLEST), high=3),
        small(f"{MIDDLE}x{MIDDLE}", measure=_list_over_heap(MIDDLE)),
        large(f"{LARGE}x{LARGE}", measure=_list_over_heap(LARGE)),
        large(
            f"{LARGE}x{LARGE}, 8-connected",
            measure=_list_over_heap(LARGE, 8),
            stated=10,
            low=10,
            reason=_MORE_PER_ENTRY,
        ),
    ]


def _heuristic_claims() -> list[Claim]:
    return [
        Claim(
            _HEURISTIC_TOPIC,
            f"{heuristic}, mazes",
            published="more informative",
            source=_HEURISTICS,
            stated=1,
            measure=partial(Findings.most_expanded, heuristic=heuristic),
            high=0.999,
            unit="x",
        )
        for heuristic in INFORMED
    ]


CLAIMS = (
    *_queue_claims(),
    *_heuristic_claims(),
    Claim(
        _FRAME_TOPIC,
        "other costs than uninterrupted",
        published="sections can be joined",
        source=_GAMES,
        stated=0,
        measure=partial(Findings.total, quantity="different"),
        high=0,
        places=0,
    ),
)


# The report


def make_report(found: Findings, rows: Sequence[Mapping[str, Any]], folder: Path) -> Report:
    """Published beside measured."""
    return Report(
        name=NAME,
        title="Research of the Path Finding Algorithm A* in Video Games (Liu)",
        notes=_notes(found),
        comparisons=[Comparison(claim, found.estimate(claim.measure)) for claim in CLAIMS],
        tables=[_queue_table(found, 4), _queue_table(found, 8), *_heuristic_tables(found)],
        plots=[_queue_plot(found), _expansion_plot(found)],
        rows=rows,
        folder=folder,
    )


def _notes(found: Findings) -> list[str]:
    count = len(found.outcomes)
    frames = fmean(outcome.frames for outcome in found.outcomes)
    return [
        f"{count} {'map' if count == 1 else 'maps'} of each kind and size. Queues: one way from corner to "
        f"corner, {DENSITY:.0%} of the cells blocked, 4-connected unless stated. Heuristics: random queries "
        "on mazes with corridors of 3 cells, on rooms and in caves, 4- and 8-connected (octile costs, no "
        "corners cut).",
        f"{found.total('interrupted')} searches were interrupted after every {FRAME} expansions and took "
        f"{frames:.1f} such frames on average. CPU times depend on the machine; only ratios are compared.",
    ]


def _queue_table(found: Findings, connectivity: int) -> Table:
    columns = ("map", *(f"{queue}, ms" for queue in QUEUES), "list / heap", "heap / buckets")
    rows = []
    for side in found.sides:
        where: dict[str, Any] = {"side": side, "connectivity": connectivity}
        ratios = [
            found.estimate(partial(Findings.slower, queue=queue, than=than, **where)).show(1, "x")
            for queue, than in ((LIST, HEAP), (HEAP, BUCKETS))
        ]
        times = [f"{found.time(queue, **where):.3f}" for queue in QUEUES]
        rows.append((f"{side}x{side}", *times, *ratios))
    return Table(f"Open lists, {connectivity}-connected: CPU time of a query", columns, rows)


def _heuristic_tables(found: Findings) -> list[Table]:
    middle = found.mazes[len(found.mazes) // 2]
    places = [(MAZE, side) for side in found.mazes] + [(kind, middle) for kind in (ROOMS, CAVE)]
    return [
        _heuristic_table(found, kind, side, connectivity) for kind, side in places for connectivity in (4, 8)
    ]


def _heuristic_table(found: Findings, kind: str, side: int, connectivity: int) -> Table:
    mean = partial(found.mean, kind=kind, side=side, connectivity=connectivity)
    rows = [
        (
            heuristic,
            f"{mean('expanded', heuristic=heuristic):,.0f}",
            f"{mean('milliseconds', heuristic=heuristic):.3f}",
            f"{mean('preparation', heuristic=heuristic):.1f}",
            f"{mean('memory', heuristic=heuristic) / 1024:,.0f}",
        )
        for heuristic in (geometry(connectivity), *INFORMED)
    ]
    columns = ("heuristic", "expanded", "ms", "prepared, ms", "KiB")
    return Table(f"{kind} {side}x{side}, {connectivity}-connected: a query", columns, rows)


def _queue_plot(found: Findings) -> Plot:
    curves: dict[str, dict[float, Estimate]] = {
        queue: {side: found.estimate(partial(Findings.time, queue=queue, side=side)) for side in found.sides}
        for queue in QUEUES
    }
    title = "A* with several open lists, 4-connected"
    return Plot("queues", title, "side of the map", "ms", curves, logarithmic=True)


def _expansion_plot(found: Findings) -> Plot:
    def at(side: int, heuristic: str) -> Estimate:
        where: dict[str, Any] = {"kind": MAZE, "side": side, "connectivity": 8, "heuristic": heuristic}
        return found.estimate(partial(Findings.mean, quantity="expanded", **where))

    curves: dict[str, dict[float, Estimate]] = {
        heuristic: {side: at(side, heuristic) for side in found.mazes}
        for heuristic in (geometry(8), *INFORMED)
    }
    return Plot("expansions", "Mazes, 8-connected", "side of the map", "expansions", curves, logarithmic=True)
