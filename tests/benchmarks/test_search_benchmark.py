"""The benchmark of single-agent search: fair turns, every path walked, and what is missing is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sidestep as ss
from benchmarks import search
from benchmarks.pathfinders import OURS, RIVALS, Pathfinder, sidestep_with
from benchmarks.search import Settings, Tally, compare, maps, random_queries, verdicts, walked, wrong_paths

TINY = Settings(queries=6, seconds=5.0, at_once=4)
GRID = ss.Grid.from_text(". . .\n. # .\n. . .", 8)


def absent(grid: ss.Grid) -> Pathfinder:
    raise ImportError("not here")


def detour(grid: ss.Grid) -> Pathfinder:
    """Finds ways, but not the shortest ones."""
    finder = ss.Finder(grid)
    return Pathfinder(
        lambda start, goal: finder.path(start, goal, algorithm="dfs"), lambda route: route.places
    )


@pytest.fixture
def small_map(monkeypatch: pytest.MonkeyPatch) -> None:
    cave = search.cave_grid(24, 24, 1).passable
    monkeypatch.setattr(search, "maps", lambda settings, seed: [("cave", cave)])


def test_pathfinders_are_compared_on_the_same_queries(small_map: None) -> None:
    said: list[str] = []
    rivals = {"itself": sidestep_with(queue="heap"), "detour": detour, "absent": absent}
    measurements = compare(OURS, rivals, TINY, 0, said.append)
    rows = measurements.tables[0].rows
    assert [row["pathfinder"] for row in rows[:5]] == [*OURS, "itself", "detour"]
    assert len(rows) == 10
    assert {row["queries"] for row in rows} == {6}
    assert all(row["rate"] > 0 for row in rows)
    assert all(row["wrong"] == 0 for row in rows if row["pathfinder"] != "detour")
    assert all(row["wrong"] > 0 for row in rows if row["pathfinder"] == "detour")
    assert any("absent" in note for note in measurements.tables[0].notes)
    assert [verdict.measured is not None for verdict in measurements.verdicts] == [True] * 5
    assert measurements.verdicts[-1].measured == 0
    assert said == ["cave, 4-connected", "cave, 8-connected"]


def test_without_rivals_there_are_rates_but_no_ratios(small_map: None) -> None:
    measurements = compare(OURS, {"absent": absent}, TINY, 0, lambda text: None)
    assert len(measurements.tables[0].rows) == 2 * len(OURS)
    assert [verdict.met for verdict in measurements.verdicts] == [None, None, None, None, True]


def test_a_rival_that_is_wrong_is_no_measure() -> None:
    row = {"map": "m", "cells": 5, "connectivity": 4, "queries": 1}
    rows = [
        {**row, "pathfinder": "sidestep", "rate": 100.0, "wrong": 0},
        {**row, "pathfinder": "sidestep, ALT", "rate": 300.0, "wrong": 0},
        {**row, "pathfinder": "slow", "rate": 10.0, "wrong": 0},
        {**row, "pathfinder": "quick", "rate": 1000.0, "wrong": 3},
    ]
    found = verdicts(rows, set(OURS), {"slow", "quick"})
    assert [verdict.measured for verdict in found] == [10, 30, None, None, 0]
    on_a_cave = verdicts([{**one, "map": search.STAND_IN} for one in rows], set(OURS), {"slow", "quick"})
    assert [verdict.measured for verdict in on_a_cave] == [10, None, None, None, 0]


def test_a_slow_pathfinder_stops_when_its_time_is_up() -> None:
    tallies = [Tally("ours", sidestep_with()(GRID))]
    rows = search.measured("small", GRID, tallies, Settings(queries=50, seconds=1e-9, at_once=10), 0)
    assert rows[0]["queries"] == 10


@pytest.mark.parametrize(
    ("path", "cost"),
    [
        ([(0, 0), (0, 1), (0, 2)], 2),
        ([(0, 0), (0, 2)], None),  # a jump
        ([(0, 0), (1, 1), (0, 2)], None),  # through a wall
        ([(0, 1), (0, 2)], None),  # from elsewhere
        ([(0, 0), (0, 1)], None),  # to elsewhere
        ([], None),
    ],
)
def test_a_path_is_walked(path: list[tuple[int, int]], cost: float | None) -> None:
    assert walked(GRID, np.array(path, dtype=np.int64).reshape(-1, 2), ((0, 0), (0, 2))) == cost


def test_a_corner_may_not_be_cut() -> None:
    path = np.array([(0, 1), (1, 2)])
    assert walked(GRID, path, ((0, 1), (1, 2))) is None
    free = ss.Grid(np.ones((3, 3), dtype=bool), 8)
    assert walked(free, path, ((0, 1), (1, 2))) == pytest.approx(2**0.5)
    assert walked(ss.Grid(free.passable), path, ((0, 1), (1, 2))) is None


def test_queries_are_the_same_for_the_same_seed() -> None:
    assert random_queries(GRID, 5, 3) == random_queries(GRID, 5, 3)
    assert random_queries(GRID, 20, 3) != random_queries(GRID, 20, 4)


def test_without_game_maps_there_is_a_cave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SIDESTEP_DATA", raising=False)
    assert [name for name, _ in maps(Settings(), 0)] == ["cave 256x256"]


@pytest.mark.parametrize("name", RIVALS)
@pytest.mark.parametrize("connectivity", [4, 8])
def test_every_rival_that_is_installed_finds_shortest_ways(name: str, connectivity: Any) -> None:
    grid = ss.Grid(search.cave_grid(24, 24, 2).passable, connectivity)
    try:
        tally = Tally(name, RIVALS[name](grid))
    except ImportError:
        pytest.skip(f"{name} is not installed")
    queries = random_queries(grid, 10, 0)
    tally.answer(queries)
    exact = ss.Finder(grid).paths([a for a, _ in queries], [b for _, b in queries]).costs
    assert wrong_paths(grid, tally, queries, exact) == 0
