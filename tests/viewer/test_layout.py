"""Where graphs are drawn: neighbours near each other, nobody on top of another, and in good time."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt
import pytest

import sidestep as ss
from sidestep.viewer.layout import places

Points = npt.NDArray[np.float64]


def lattice(side: int) -> ss.Graph:
    ids = np.arange(side * side).reshape(side, side)
    across = np.stack([ids[:, :-1].ravel(), ids[:, 1:].ravel()], axis=1)
    down = np.stack([ids[:-1].ravel(), ids[1:].ravel()], axis=1)
    return ss.Graph(side * side, np.vstack([across, down]))


def tree(n: int) -> ss.Graph:
    return ss.Graph(n, [((child - 1) // 2, child) for child in range(1, n)])


def star(n: int) -> ss.Graph:
    return ss.Graph(n, [(0, leaf) for leaf in range(1, n)])


def ring(n: int) -> ss.Graph:
    return ss.Graph(n, [(i, (i + 1) % n) for i in range(n)], directed=True)


GRAPHS = {
    "lattice": lattice(8),
    "tree": tree(31),
    "star": star(12),
    "ring": ring(20),
    "path": ss.Graph(30, [(i, i + 1) for i in range(29)]),
    "complete": ss.Graph(10, [(i, j) for i in range(10) for j in range(i)]),
    "two parts": ss.Graph(12, [(i, i + 1) for i in range(11) if i != 5]),
    "no edges": ss.Graph(9, []),
    "two vertices": ss.Graph(2, [(0, 1)]),
    "two alone": ss.Graph(2, []),
    "bipartite": ss.Graph(10, [(i, j) for i in range(5) for j in range(5, 10)]),
    "many leaves": ss.Graph(300, [(i // 30 * 30, i) for i in range(300) if i % 30]),
}


def nearest(points: Points) -> float:
    apart = np.linalg.norm(points[:, None] - points[None, :], axis=2)
    return float(apart[~np.eye(len(points), dtype=bool)].min())


@pytest.mark.parametrize("name", GRAPHS)
def test_no_two_vertices_are_on_one_spot(name: str) -> None:
    points = places(GRAPHS[name])
    assert points.shape == (GRAPHS[name].n, 2)
    assert np.isfinite(points).all()
    assert (points >= 0).all()
    assert nearest(points) > 0.01
    assert np.ptp(points, axis=0).max() < 10 * GRAPHS[name].n


@pytest.mark.parametrize("name", ["lattice", "tree", "star", "ring", "path", "two parts", "many leaves"])
def test_neighbours_are_nearer_than_others(name: str) -> None:
    graph = GRAPHS[name]
    points = places(graph)
    apart = np.linalg.norm(points[:, None] - points[None, :], axis=2)
    linked = np.zeros((graph.n, graph.n), dtype=bool)
    linked[graph.edges[:, 0], graph.edges[:, 1]] = True
    linked |= linked.T
    others = ~linked & ~np.eye(graph.n, dtype=bool)
    assert apart[linked].mean() < apart[others].mean()
    assert np.median(apart[linked]) == pytest.approx(1, rel=0.5)


def test_one_vertex_has_a_place() -> None:
    assert places(ss.Graph(1, [])).tolist() == [[0, 0]]


def test_given_positions_are_kept_but_for_their_scale() -> None:
    given = np.array([(10.0, 10.0), (30.0, 10.0), (30.0, 50.0), (10.0, 50.0)])
    points = places(ss.Graph(4, [(0, 1), (1, 2), (2, 3)], positions=given))
    assert points.min() == 0
    scale = (given - given.min(axis=0))[1:] / np.where(points[1:] == 0, 1, points[1:])
    assert scale[points[1:] > 0] == pytest.approx(20.0)


def test_positions_far_out_do_not_overflow() -> None:
    points = places(ss.Graph(3, [(0, 1), (1, 2)], positions=[(-1e300, 0), (0, 0), (1e300, 0)]))
    assert points == pytest.approx(np.array([(0, 0), (1, 0), (2, 0)]))


def test_given_positions_are_not_changed() -> None:
    graph = ss.Graph(2, [(0, 1)], positions=[(5, 5), (9, 5)])
    places(graph)
    assert graph.positions is not None
    assert graph.positions.tolist() == [[5, 5], [9, 5]]


def test_given_positions_on_one_spot_do_no_harm() -> None:
    points = places(ss.Graph(3, [(0, 1), (1, 2)], positions=[(7, 7)] * 3))
    assert points.tolist() == [[0, 0]] * 3


def test_cells_have_their_middles() -> None:
    grid = ss.Grid(np.ones((2, 3), dtype=np.bool_))
    assert places(grid)[[0, 1, 3, 5]].tolist() == [[0.5, 0.5], [1.5, 0.5], [0.5, 1.5], [2.5, 1.5]]


def test_the_same_graph_is_drawn_the_same() -> None:
    assert np.array_equal(places(lattice(6)), places(lattice(6)))


def test_a_long_path_is_laid_out_in_seconds() -> None:
    n = 100_000
    graph = ss.Graph(n, np.stack([np.arange(n - 1), np.arange(1, n)], axis=1))
    begin = time.process_time()
    points = places(graph)
    assert time.process_time() - begin < 10
    assert len(np.unique(points, axis=0)) == n
