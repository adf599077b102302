"""Reverse Resumable A* against breadth-first search, while walls come and go."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from spaces_for_core import PROFILE, Ground, graphs, grids

import sidestep as ss
from sidestep import _core
from tests.sizing import examples

BUDGET = _core.Budget()
spaces = st.one_of(grids(max_side=7), graphs(max_size=20))
numbers = st.integers(0, 10**6)
questions = st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=12)
changes = st.lists(st.tuples(numbers, st.booleans()), max_size=6)


@settings(PROFILE, max_examples=examples(150))
@given(space=spaces, questions=questions, changes=changes)
def test_the_distance_is_that_of_breadth_first_search(
    space: ss.Grid | ss.Graph, questions: list[tuple[int, int, int]], changes: list[tuple[int, bool]]
) -> None:
    ground = Ground.of(space)
    distances = _core.Distances(ground.compiled())
    for change in [None, *changes]:
        if change is not None:
            vertex, is_open = change[0] % space.n, change[1]
            ground.is_open[vertex] = is_open
            distances.set_open(vertex, is_open)
        for goal, origin, vertex in ((a % space.n, b % space.n, c % space.n) for a, b, c in questions):
            assert distances.at(goal, origin, vertex, BUDGET) == ground.distances_to(goal)[vertex]


@settings(PROFILE, max_examples=examples(100))
@given(space=spaces, goal=numbers, closed=st.lists(numbers, max_size=4))
def test_a_table_has_the_distances_of_all_open_vertices(
    space: ss.Grid | ss.Graph, goal: int, closed: list[int]
) -> None:
    ground, goal = Ground.of(space), goal % space.n
    for vertex in closed:
        ground.is_open[vertex % space.n] = False
    table = _core.distance_table(ground.compiled(), goal, BUDGET)
    expected = ground.distances_to(goal)
    for vertex in range(space.n):
        if ground.is_open[goal] and ground.is_open[vertex]:
            assert table[vertex] == expected[vertex]


def test_a_long_corridor_needs_more_than_16_bits() -> None:
    n = 70_000
    corridor = _core.Space.grid(np.ones((1, n), dtype=bool), 4, 0)
    distances = _core.Distances(corridor)
    assert distances.at(0, 10, 10, BUDGET) == 10
    assert distances.at(0, 10, 32_766, BUDGET) == 32_766
    assert distances.at(0, 10, 32_767, BUDGET) == 32_767
    assert distances.at(0, 10, n - 1, BUDGET) == n - 1
    assert distances.at(0, 10, 3, BUDGET) == 3


def test_a_budget_that_runs_out_is_an_error_and_not_an_answer() -> None:
    corridor = _core.Space.grid(np.ones((1, 5000), dtype=bool), 4, 0)
    distances = _core.Distances(corridor)
    with pytest.raises(RuntimeError, match="budget"):
        distances.at(0, 4999, 4999, _core.Budget(seconds=0.0))
    assert distances.at(0, 4999, 4999, BUDGET) == 4999


def test_the_memory_of_unused_tables_is_bounded() -> None:
    space = _core.Space.grid(np.ones((64, 64), dtype=bool), 4, 0)
    distances = _core.Distances(space, 40_000)
    for goal in range(0, 4096, 100):
        assert distances.at(goal, 0, 4095, BUDGET) == (63 - goal // 64) + (63 - goal % 64)
        distances.at(goal, 0, 0, BUDGET)
    assert distances.bytes < 40_000 + 2 * 4096 * 2 + 512


def test_a_table_in_use_is_kept_even_if_there_is_room_for_none() -> None:
    distances = _core.Distances(_core.Space.grid(np.ones((40, 40), dtype=bool), 4, 0), 0)
    vertices = np.array([1599, 39, 0], dtype=np.int32)
    for _ in range(50):
        assert distances.all(0, 1599, vertices, BUDGET).tolist() == [78, 39, 0]
        assert len(distances.path(0, 1599, 1599, BUDGET)) == 79


@pytest.mark.parametrize("bad", [-1, 4, 2**31 - 1])
def test_a_vertex_that_does_not_exist_is_refused(bad: int) -> None:
    distances = _core.Distances(_core.Space.grid(np.ones((2, 2), dtype=bool), 4, 0))
    for question in [(bad, 0, 0), (0, bad, 0), (0, 0, bad)]:
        with pytest.raises(ValueError, match="no vertex"):
            distances.at(*question, BUDGET)
