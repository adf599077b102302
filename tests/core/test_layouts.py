"""Arrays reach the core whatever their layout in memory: rows, columns, slices, other integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sidestep as ss
from sidestep import _core
from sidestep.model.to_core import compile_rules, compile_space

SOURCES, TARGETS = [0, 1, 2, 3], [1, 2, 3, 0]
PAIRS = np.array([SOURCES, TARGETS]).T  # two columns side by side: the usual way to make edges

layouts = pytest.mark.parametrize(
    "layout",
    [
        np.ascontiguousarray,
        np.asfortranarray,
        lambda array: np.repeat(array, 2, axis=0)[::2],
        lambda array: array.astype(">i4"),
        lambda array: array.astype(np.uint8),
        lambda array: array.tolist(),
    ],
    ids=["rows", "columns", "slices", "big endian", "bytes", "lists"],
)


@layouts
def test_edges_in_any_layout(layout: Any) -> None:
    graph = ss.Graph(4, layout(PAIRS), edge_conflicts=layout(np.array([[0, 2], [1, 3]])))
    result = ss.solve(ss.Problem(graph, [0], [2]))
    assert result.plan is not None
    assert result.plan.cost == 2


@layouts
def test_walls_in_any_layout(layout: Any) -> None:
    passable = layout(np.array([[1, 1, 1], [0, 0, 1]]))
    grid = ss.Grid(np.asarray(passable).astype(bool, order="K"))
    result = ss.solve(ss.Problem(grid, [(0, 0)], [(1, 2)]))
    assert result.plan is not None
    assert result.plan.cost == 3


@layouts
def test_plans_in_any_layout(layout: Any) -> None:
    grid = ss.Grid(np.ones((1, 3), dtype=bool))
    problem = ss.Problem(grid, [(0, 0), (0, 2)], [(0, 1), (0, 1)], rules=ss.Rules(shared_goals=True))
    plan = ss.Plan(problem, layout(np.array([[0, 2], [1, 1]])))
    found = _core.find_conflicts(compile_space(grid), compile_rules(problem.rules), plan.vertices)
    assert found.tolist() == [[1, 0, 0, 1, 1]]
