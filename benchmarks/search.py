"""One way at a time: queries per second of sidestep and of libraries that do the same, side by side.

Every pathfinder answers the same queries on the same maps, in turns of a few queries each, so that a machine
that is busy for a while disturbs all of them alike. One that is slow answers fewer, until its share of CPU
time is used up. Every path is walked, and its cost held against that of exact distances.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import process_time

import numpy as np

from sidestep import Finder, Grid
from sidestep.instances import cave_grid
from sidestep.io import read_map
from sidestep.model.grid import Cell

from .core import region_cells
from .measurements import Column, Measurements, Row, Say, Table, Target, Verdict
from .movingai import map_files
from .pathfinders import OURS, RIVALS, SQRT2, Make, Pathfinder

SOURCE = "the targets that single-agent search was given"
OVER_RIVALS = "our rate over the fastest rival's"
ON_LARGEST = f"largest map, preprocessed: {OVER_RIVALS}"
FASTER_ON_FOUR = Target(f"4-connected: {OVER_RIVALS}", 5, "times", True, SOURCE)
FASTER_ON_EIGHT = Target(f"8-connected: {OVER_RIVALS}", 3, "times", True, SOURCE)
PREPARED_ON_FOUR = Target(f"4-connected, {ON_LARGEST}", 10, "times", True, SOURCE)
PREPARED_ON_EIGHT = Target(f"8-connected, {ON_LARGEST}", 4, "times", True, SOURCE)
WRONG = Target("paths that are no shortest ways, ours", 0, "paths", source=SOURCE)
CONNECTIVITIES = (4, 8)
TOLERANCE = 1e-6
STAND_IN = "cave 256x256"  # the map where there are no game maps


@dataclass(frozen=True)
class Settings:
    """What is measured: `seconds` of CPU time is the most that one pathfinder may use per map."""

    maps: tuple[str, ...] = ("brc202d", "ost003d", "lak303d")
    queries: int = 2000  # of the plain loop 12,000 in all
    seconds: float = 10.0
    at_once: int = 100  # queries per turn: enough to make up for caches that others have filled


FULL = Settings()
QUICK = Settings(queries=200, seconds=2.0, at_once=50)


@dataclass
class Tally:
    """A pathfinder at work: what it has answered so far and the CPU time that took."""

    name: str
    finder: Pathfinder
    answers: list[object] = field(default_factory=list)
    seconds: float = 0.0

    def answer(self, queries: Sequence[tuple[Cell, Cell]]) -> None:
        begin = process_time()
        self.answers += [self.finder.ask(*query) for query in queries]
        self.seconds += process_time() - begin

    @property
    def rate(self) -> float:
        return len(self.answers) / self.seconds


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All maps, both connectivities, and every pathfinder that is there."""
    return compare(OURS, RIVALS, settings, seed, say)


def compare(
    ours: Mapping[str, Make], rivals: Mapping[str, Make], settings: Settings, seed: int, say: Say
) -> Measurements:
    """Our pathfinders and the others on the same queries."""
    rows: list[Row] = []
    missing: set[str] = set()
    for name, passable in maps(settings, seed):
        for connectivity in CONNECTIVITIES:
            grid = Grid(passable, 4 if connectivity == 4 else 8)
            tallies, absent = make_tallies({**ours, **rivals}, grid)
            missing.update(absent)
            say(f"{name}, {connectivity}-connected")
            rows += measured(name, grid, tallies, settings, seed)
    return Measurements((_table(rows, missing),), tuple(verdicts(rows, set(ours), set(rivals))))


def maps(
    settings: Settings, seed: int
) -> Iterator[tuple[str, np.ndarray[tuple[int, int], np.dtype[np.bool_]]]]:
    """The game maps in the folder that the environment names, or a cave in their place."""
    found = [(path.stem, read_map(path).passable) for path in map_files(settings.maps)]
    yield from found or [(STAND_IN, cave_grid(256, 256, seed).passable)]


def make_tallies(makers: Mapping[str, Make], grid: Grid) -> tuple[list[Tally], list[str]]:
    """The pathfinders that can be had here, and the names of those that are not installed."""
    tallies, absent = [], []
    for name, make in makers.items():
        try:
            tallies.append(Tally(name, make(grid)))
        except ImportError:
            absent.append(name)
    return tallies, absent


def measured(name: str, grid: Grid, tallies: Sequence[Tally], settings: Settings, seed: int) -> list[Row]:
    """Every pathfinder on the same queries, turn by turn."""
    queries = random_queries(grid, settings.queries, seed)
    for first in range(0, len(queries), settings.at_once):
        for tally in tallies:
            if len(tally.answers) == first and tally.seconds < settings.seconds:
                tally.answer(queries[first : first + settings.at_once])
    exact = Finder(grid, heuristic="none", queue="heap").paths(*map(list, zip(*queries, strict=True))).costs
    return [
        {
            "map": name,
            "cells": int(grid.passable.sum()),
            "connectivity": grid.connectivity,
            "pathfinder": tally.name,
            "queries": len(tally.answers),
            "rate": tally.rate,
            "wrong": wrong_paths(grid, tally, queries, exact),
        }
        for tally in tallies
    ]


def random_queries(grid: Grid, count: int, seed: int) -> list[tuple[Cell, Cell]]:
    """Pairs of cells of the largest region."""
    cells = region_cells(Grid(grid.passable), seed)
    random = np.random.default_rng(seed)
    ends = grid.cells(cells[random.integers(0, len(cells), (count, 2))]).tolist()
    return [((a[0], a[1]), (b[0], b[1])) for a, b in ends]


def wrong_paths(
    grid: Grid,
    tally: Tally,
    queries: Sequence[tuple[Cell, Cell]],
    exact: np.ndarray[tuple[int], np.dtype[np.float64]],
) -> int:
    """How many of a pathfinder's answers are no ways, or not the shortest."""
    wrong = 0
    for answer, query, cost in zip(tally.answers, queries, exact.tolist(), strict=False):
        found = walked(grid, np.array(tally.finder.read(answer), dtype=np.int64).reshape(-1, 2), query)
        wrong += found is None or abs(found - cost) > TOLERANCE
    return wrong


def walked(
    grid: Grid, path: np.ndarray[tuple[int, int], np.dtype[np.int64]], query: tuple[Cell, Cell]
) -> float | None:
    """What a path costs; None if it does not lead from the start to the goal over free cells."""
    if len(path) == 0 or (tuple(path[0]), tuple(path[-1])) != query or not grid.passable[tuple(path.T)].all():
        return None
    steps = np.abs(np.diff(path, axis=0))
    is_diagonal = steps.sum(axis=1) == 2
    if (steps.max(axis=1, initial=1) != 1).any() or (is_diagonal.any() and grid.connectivity == 4):
        return None
    here, there = path[:-1][is_diagonal], path[1:][is_diagonal]
    beside = grid.passable[here[:, 0], there[:, 1]] & grid.passable[there[:, 0], here[:, 1]]
    return float((~is_diagonal).sum() + is_diagonal.sum() * SQRT2) if beside.all() else None


def verdicts(rows: Sequence[Row], ours: set[str], rivals: set[str]) -> list[Verdict]:
    """The targets: on every map, and with preprocessing on the largest game map."""
    largest = max((row["cells"] for row in rows), default=0)
    plain, *prepared = (name for name in OURS if name in ours)
    found = []
    for connectivity, target, best in (
        (4, FASTER_ON_FOUR, PREPARED_ON_FOUR),
        (8, FASTER_ON_EIGHT, PREPARED_ON_EIGHT),
    ):
        there = [row for row in rows if row["connectivity"] == connectivity]
        ratios = [
            _ratio([row for row in there if row["cells"] == cells], {plain}, rivals)
            for cells in {row["cells"] for row in there}
        ]
        known = [ratio for ratio in ratios if ratio is not None]
        found.append(target.judge(min(known, default=None)))
        on_largest = [row for row in there if row["cells"] == largest and row["map"] != STAND_IN]
        found.append(best.judge(_ratio(on_largest, set(prepared), rivals)))
    return [*found, WRONG.judge(sum(row["wrong"] for row in rows if row["pathfinder"] in ours))]


def _ratio(rows: Sequence[Row], ours: set[str], rivals: set[str]) -> float | None:
    """Our best rate over the best of those rivals that find shortest ways."""
    mine = [row["rate"] for row in rows if row["pathfinder"] in ours]
    theirs = [row["rate"] for row in rows if row["pathfinder"] in rivals and row["wrong"] == 0]
    return max(mine) / max(theirs) if mine and theirs else None


def _table(rows: Sequence[Row], missing: set[str]) -> Table:
    notes = [
        "rate: queries per second of CPU time, one call per query; making a pathfinder is not timed.",
        "A pathfinder with fewer queries than the others had used up its CPU time for this map.",
        "wrong: paths that are no ways, or not the shortest.",
    ]
    if missing:
        notes.append(f"not installed here: {', '.join(sorted(missing))}; `make bench` has them.")
    return Table(
        "One way at a time",
        (
            Column("map"),
            Column("cells", "free cells", ","),
            Column("connectivity"),
            Column("pathfinder"),
            Column("queries", form=","),
            Column("rate", form=",.0f"),
            Column("wrong"),
        ),
        tuple(rows),
        tuple(notes),
    )
