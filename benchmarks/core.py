"""Expansions per second of the core's searches, beside what a tight program of that search reaches.

A rate counts search alone as far as it can be had from outside: searches are large or many, distances
are known before space-time searches are timed, and the CPU time of the quickest repetition counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from sidestep import Grid, Problem, _core
from sidestep.instances import random_grid
from sidestep.io import read_map
from sidestep.model.arrays import IntArray
from sidestep.model.random import shuffled
from sidestep.model.to_core import compile_space
from sidestep.papers.timing import least_of
from sidestep.solvers.cooperative import cooperating_agents

from .measurements import Column, Measurements, Row, Say, Table, Target, Verdict
from .movingai import NO_MAPS, map_files

SOURCE = "one thread of a small C++ program that does nothing else, measured on the development machine"


@dataclass(frozen=True)
class Reference:
    """A range that somebody else reached, in millions per second, to be printed beside ours."""

    low: float
    high: float
    source: str


BREADTH_FIRST = Reference(80, 230, SOURCE)
A_STAR = Reference(35, 87, f"4-connected A* with two buckets: {SOURCE}")
SPACE_TIME_SMALL = Reference(9, 13, f"maps that fit the cache: {SOURCE}")
SPACE_TIME_GAME = Reference(5, 8, f"game maps: {SOURCE}")

DESIGN = "the design: the core stays within a factor of two of the reference"
WITHIN = 0.5


@dataclass(frozen=True)
class Settings:
    """What is measured: `work` is the least number of expansions that one measurement consists of."""

    sides: tuple[int, ...] = (32, 128)
    game_maps: tuple[str, ...] = ("den312d", "ht_chantry", "ost003d", "lak303d", "brc202d")
    density: float = 0.2
    most_agents: int = 400
    work: int = 3_000_000
    repeats: int = 5


FULL = Settings()
QUICK = Settings(game_maps=("den312d", "ost003d"), work=1_000_000, repeats=3)


@dataclass(frozen=True)
class Map:
    """A grid, its largest region in random order, and what space-time A* is compared with there."""

    name: str
    grid: Grid
    cells: IntArray
    space_time: Reference


@dataclass(frozen=True)
class Work:
    """A batch of searches, and how much there is in it."""

    call: Callable[[], object]
    expansions: int
    searches: int


@dataclass(frozen=True)
class Search:
    """A kind of search: how to make work for it on a map, and what it is compared with there."""

    title: str
    work: Callable[[Map, Settings], Work]
    reference: Callable[[Map], Reference | None]


def measure(settings: Settings, seed: int, say: Say) -> Measurements:
    """All searches on all maps."""
    rows: list[Row] = []
    for place in maps(settings, seed):
        for search in SEARCHES:
            say(f"{search.title}, {place.name}")
            rows.append(measured(search, place, settings))
    return Measurements((_table(rows, settings),), tuple(verdicts(rows)))


def measured(search: Search, place: Map, settings: Settings) -> Row:
    """Millions of expansions per second of CPU time."""
    work = search.work(place, settings)
    ours = work.expansions / least_of(settings.repeats, work.call).cpu / 1e6
    per_search = work.expansions / work.searches
    row = {"search": search.title, "map": place.name, "per search": per_search, "ours": ours}
    reference = search.reference(place)
    if reference is None:
        return row
    return row | {
        "low": reference.low,
        "high": reference.high,
        "ratio": ours / reference.low,
        "high ratio": ours / reference.high,
        "source": reference.source,
    }


def maps(settings: Settings, seed: int) -> Iterator[Map]:
    """Random maps, and the game maps that there are."""
    for side in settings.sides:
        grid = random_grid(side, side, settings.density, seed)
        yield Map(f"random {side}x{side}", grid, region_cells(grid, seed), SPACE_TIME_SMALL)
    for path in game_map_files(settings):
        grid = read_map(path)
        yield Map(path.stem, grid, region_cells(grid, seed), SPACE_TIME_GAME)


def game_map_files(settings: Settings) -> list[Path]:
    """The game maps below the folder that the environment names; none if it names none."""
    return map_files(settings.game_maps)


def region_cells(grid: Grid, seed: int) -> IntArray:
    """The cells of the largest region in random order."""
    component = compile_space(grid).components()
    cells = np.flatnonzero(component == np.bincount(component[component >= 0]).argmax()).astype(np.int32)
    return cells[shuffled(len(cells), seed)]


def tables(place: Map, settings: Settings) -> Work:
    """Complete distances to goals, handed out as arrays."""
    goals = _goals(place, settings)
    space = compile_space(place.grid)

    def call() -> None:
        for goal in goals:
            _core.distance_table(space, goal, _core.Budget())

    return Work(call, len(goals) * len(place.cells), len(goals))


def whole_maps(place: Map, settings: Settings) -> Work:
    """RRA* asked for a cell that it cannot reach: it expands the whole region, so the number is known."""
    goals = _goals(place, settings)
    passable = np.pad(place.grid.passable, ((0, 2), (0, 0)))
    passable[-1, 0] = True
    space, pocket = compile_space(Grid(passable)), (passable.shape[0] - 1) * passable.shape[1]

    def call() -> None:
        distances = _core.Distances(space)
        for goal, origin in zip(goals, reversed(goals), strict=True):
            distances.at(goal, origin, pocket, _core.Budget())

    return Work(call, len(goals) * len(place.cells), len(goals))


def _goals(place: Map, settings: Settings) -> list[int]:
    wanted = max(-(-settings.work // len(place.cells)), 2)
    goals: list[int] = place.cells[:wanted].tolist()
    return goals


def space_time(place: Map, settings: Settings, *, window: int = 0, exact: bool = True) -> Work:
    """Agents planned one after another around each other, with distances that are known."""
    count = min(len(place.cells) // 8, settings.most_agents)
    places = [place.grid.place(cell) for cell in place.cells[: 2 * count].tolist()]
    problem = Problem(place.grid, places[:count], places[count:])
    agents = cooperating_agents(problem, window=window, exact=exact)

    def one_pass() -> tuple[int, int]:
        """Expansions and searches. A map that is too hard is left when the work is done."""
        budget = _core.Budget(nodes=settings.work)
        agents.clear()
        for agent in range(count):
            if agents.plan(agent, budget) is _core.Outcome.out_of_budget:
                return budget.nodes, agent + 1
        return budget.nodes, count

    one_pass()  # finds the distances, and the reservation table grows to its size
    expansions, searches = one_pass()
    passes = max(settings.work // max(expansions, 1), 1)

    def call() -> None:
        for _ in range(passes):
            one_pass()

    return Work(call, expansions * passes, searches * passes)


SEARCHES = (
    Search("distance tables", tables, lambda _: BREADTH_FIRST),
    Search("RRA* over the whole map", whole_maps, lambda _: A_STAR),
    Search("space-time A*, exact distances", space_time, lambda place: place.space_time),
    Search("space-time A*, geometry", partial(space_time, exact=False), lambda place: place.space_time),
    # A search of a few steps is as much reserving and releasing as search: nothing to compare with.
    Search("space-time A*, window 16", partial(space_time, window=16), lambda _: None),
)


def verdicts(rows: Sequence[Row]) -> Iterator[Verdict]:
    """Of every kind of search the map where it does worst."""
    for search in SEARCHES:
        ratios = [row["ratio"] for row in rows if row["search"] == search.title and "ratio" in row]
        if ratios:
            what = f"{search.title}: share of the reference's low end, worst map"
            yield Target(what, WITHIN, "times", at_least=True, source=DESIGN).judge(min(ratios))


def _table(rows: Sequence[Row], settings: Settings) -> Table:
    columns = (
        Column("search"),
        Column("map"),
        Column("per search", "expansions\nper search", ",.0f"),
        Column("ours", form=".1f"),
        Column("low", "reference\nfrom", "g"),
        Column("high", "reference\nto", "g"),
        Column("ratio", "ours / from", ".2f"),
        Column("high ratio", "ours / to", ".2f"),
    )
    notes = [f"reference: {SOURCE}."]
    if settings.game_maps and not game_map_files(settings):
        notes.append(f"No game maps: {NO_MAPS}")
    title = "The core's searches, millions of expansions per second of CPU time"
    return Table(title, columns, tuple(rows), tuple(notes))
