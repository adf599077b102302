"""One trial: queues, heuristics and interruptions on maps of every kind; what `games` and `troops` try."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np

from ...budget import Budget
from ...instances import cave_grid, maze_grid, random_grid, room_grid
from ...model.arrays import IntArray
from ...model.grid import Cell, Grid
from ...search import Finder
from ..design import Row, Size, design_of_outcomes
from ..timing import timed
from . import games, troops

MAPS, FEWER_MAPS = 10, 2  # of each kind and size
DENSITY = 0.3
LIST, HEAP, BUCKETS = "list", "heap", "buckets"
QUEUES = (LIST, HEAP, BUCKETS)
MAP_SIDES = (16, 32, 64, 128, 256, 512, 1024)  # of the maps on which queues are compared
LEAST_SECONDS = 0.01  # of searching that a time is taken from

MAZES = (64, 128, 256)  # the sides of the mazes; caves and rooms have the middle one
QUERIES = 50  # per map
INFORMED = ("alt", "altbestp", "dead-end", "gateway", "true")
MAZE, ROOMS, CAVE = "maze", "rooms", "cave"
LANDSCAPES: dict[str, Callable[[int, int], Grid]] = {
    MAZE: lambda side, seed: maze_grid(side, side, 3, seed),
    ROOMS: lambda side, seed: room_grid(side, side, 7, seed),
    CAVE: lambda side, seed: cave_grid(side, side, seed),
}
FRAME = 200  # expansions


@dataclass(frozen=True)
class Trial:
    """Everything on the maps of one number."""

    number: int
    seed: int
    map_sides: tuple[int, ...] = MAP_SIDES
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
class Interruption:
    """Searches that were run frame by frame."""

    searches: int
    frames: float  # that they took on average
    different: int  # costs that differed from those of searches that were not interrupted


@dataclass(frozen=True)
class Outcome:
    """By names that say what was measured: see `queue_name` and `landscape_name`.

    The review's open list is a heap; ours are buckets. `ours`, `our_interruption` and `our_games` are with
    these. `games` and `our_games` are numbers by the names that the functions of `games` and `troops` give.
    """

    number: int
    queues: Mapping[str, Effort]
    heuristics: Mapping[str, Effort]
    interruption: Interruption
    ours: Mapping[str, Effort]
    our_interruption: Interruption
    games: Mapping[str, float]
    our_games: Mapping[str, float]

    @classmethod
    def of(cls, row: Row) -> Outcome:
        """The outcome that a row of raw numbers was made from."""
        efforts = {
            part: {name: Effort(**effort) for name, effort in row[part].items()}
            for part in ("queues", "heuristics", "ours")
        }
        interruptions = {part: Interruption(**row[part]) for part in ("interruption", "our_interruption")}
        return cls(**{**row, **efforts, **interruptions})

    @property
    def in_our_form(self) -> Outcome:
        """The same with buckets in the place of the heap."""
        queues = {name: self.queues[name.replace(HEAP, BUCKETS)] for name in self.queues}
        mine = replace(self, queues=queues, heuristics=self.ours, interruption=self.our_interruption)
        return replace(mine, games=self.our_games)


def in_our_form(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Outcomes with our open list in the place of the review's."""
    return [outcome.in_our_form for outcome in outcomes]


def queue_name(queue: str, side: int, connectivity: int) -> str:
    """The key of a queue on maps of a size."""
    return f"{queue} {side} {connectivity}"


def landscape_name(kind: str, side: int, connectivity: int, heuristic: str) -> str:
    """The key of a heuristic on a kind of maps."""
    return f"{kind} {side} {connectivity} {heuristic}"


Outcomes = Sequence[Outcome]  # every mean is over maps


def trials(size: Size, seed: int) -> list[Trial]:
    """The maps of all numbers."""
    return [Trial(number, seed) for number in range(size.of(MAPS, FEWER_MAPS))]


def landscapes(mazes: Sequence[int]) -> list[tuple[str, int]]:
    """Kinds of maps with their sides: mazes of all sizes, rooms and caves of the middle one."""
    middle = mazes[len(mazes) // 2]
    return [*((MAZE, side) for side in mazes), (ROOMS, middle), (CAVE, middle)]


def run_trial(trial: Trial) -> Outcome:
    """Queues on scattered obstacles, heuristics on mazes, rooms and caves, and searches frame by frame."""
    seed = trial.seed + trial.number
    queues: dict[str, Effort] = {}
    for side in trial.map_sides:
        for connectivity in (4, 8):
            queues |= compare_queues(side, connectivity, seed)
    printed, ours = (heuristics(trial, seed, queue) for queue in (HEAP, BUCKETS))
    stopped, ours_stopped = (interrupt(trial, seed, queue) for queue in (HEAP, BUCKETS))
    played, ours_played = (play(trial, seed, queue) for queue in (HEAP, BUCKETS))
    played |= troops.shared(seed, HEAP)
    # Ours has a distance map where the review turns A* upside down, and groups that do not collide.
    ours_played |= {"converging reverse": ours_played["converging whole"], **troops.marched(seed)}
    return Outcome(trial.number, queues, printed, stopped, ours, ours_stopped, played, ours_played)


def play(trial: Trial, seed: int, queue: str) -> dict[str, float]:
    """All experiments of `games`, with one open list."""
    numbers: dict[str, float] = {}
    for experiment in games.EXPERIMENTS:
        numbers |= experiment(trial.queries, seed, queue)
    return numbers


def heuristics(trial: Trial, seed: int, queue: str) -> dict[str, Effort]:
    """All heuristics on all landscapes, with one open list."""
    found: dict[str, Effort] = {}
    for kind, side in landscapes(trial.mazes):
        for connectivity in (4, 8):
            grid = Grid(LANDSCAPES[kind](side, seed).passable, 8 if connectivity == 8 else 4)
            efforts = compare_heuristics(grid, trial.queries, seed, queue)
            found |= {landscape_name(kind, side, connectivity, name): e for name, e in efforts.items()}
    return found


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
        route, one = timed(partial(finder.path, start, goal))
        spent += one.cpu
        times += 1
    return Effort(route.expanded, 1000 * spent / times)


def compare_heuristics(grid: Grid, queries: int, seed: int, queue: str) -> dict[str, Effort]:
    """The same random queries with every heuristic; geometry is the first."""
    starts, goals = _random_cells(grid, queries, seed)
    names = (geometry(grid.connectivity), *INFORMED)
    return {name: _effort(grid, name, queue, starts, goals) for name in names}


def geometry(connectivity: int) -> str:
    """The heuristic that the informed ones are compared with."""
    return "manhattan" if connectivity == 4 else "octile"


def _effort(grid: Grid, heuristic: str, queue: str, starts: IntArray, goals: IntArray) -> Effort:
    finder, prepared = timed(partial(Finder, grid, heuristic=heuristic, queue=queue))
    budget = Budget()
    _, asked = timed(partial(finder.paths, starts, goals, budget=budget))
    queries = len(starts)
    return Effort(budget.nodes / queries, 1000 * asked.cpu / queries, 1000 * prepared.cpu, finder.memory)


def interrupt(trial: Trial, seed: int, queue: str) -> Interruption:
    """Searches of a few nodes per frame, and whether they found another cost in the end."""
    side = trial.mazes[len(trial.mazes) // 2]
    frames, different = [], 0
    for make in LANDSCAPES.values():
        grid = Grid(make(side, seed).passable, 8)
        finder = Finder(grid, queue=queue)
        for start, goal in zip(*_random_cells(grid, trial.queries, seed), strict=True):
            search, count = finder.search(_cell(start), _cell(goal)), 0
            while not search.done:
                search.run(nodes=FRAME)
                count += 1
            whole = finder.path(_cell(start), _cell(goal))
            found = search.route
            different += (found.straight, found.diagonal) != (whole.straight, whole.diagonal)
            frames.append(count)
    return Interruption(len(frames), fmean(frames), different)


def _random_cells(grid: Grid, count: int, seed: int) -> tuple[IntArray, IntArray]:
    cells = np.argwhere(grid.passable).astype(np.int32)
    ends = cells[np.random.default_rng(seed).integers(0, len(cells), (2, count))]
    return ends[0], ends[1]


def _cell(cell: Any) -> Cell:
    row, col = cell
    return int(row), int(col)


DESIGN = design_of_outcomes(trials, run_trial, Outcome.of)
