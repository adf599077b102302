"""Where the vertices of a space are drawn: x to the right, y downwards, about one unit between neighbours."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .. import _core
from ..model.arrays import IntArray
from ..model.graph import Graph
from ..model.grid import Grid
from ..model.space import Space

Points = npt.NDArray[np.float64]

PIVOTS = 24  # vertices from which distances are taken; more change the picture little
RELAXED, ROUNDS = 500, 100  # the largest graph that is refined, and the rounds of that


def places(space: Space) -> Points:
    """Per vertex its (x, y)."""
    if isinstance(space, Grid):
        rows, cols = np.divmod(np.arange(space.n), space.width)
        return np.stack([cols + 0.5, rows + 0.5], axis=1)
    points = _own_layout(space) if space.positions is None else space.positions
    points = points / (np.abs(points).max() or 1.0)  # however far out, lengths do not overflow
    points -= points.min(axis=0)
    return points / _usual_length(space, points)


def _usual_length(graph: Graph, points: Points) -> float:
    """The median length of an edge, so that agents are drawn as large as on a grid."""
    lengths = np.linalg.norm(points[graph.edges[:, 0]] - points[graph.edges[:, 1]], axis=1)
    lengths = lengths[lengths > 0]
    if lengths.size:
        return float(np.median(lengths))
    return float(np.ptp(points)) / max(np.sqrt(len(points)), 1) or 1.0


def _own_layout(graph: Graph) -> Points:
    """A picture of a graph that brings none: distances on the screen like steps in the graph."""
    if graph.n == 1:
        return np.zeros((1, 2))
    points = _apart(_pivot_layout(_distances(graph, PIVOTS)))
    return _relaxed(points, _distances(graph, graph.n)) if graph.n <= RELAXED else points


def _pivot_layout(distances: Points) -> Points:
    """Pivot multidimensional scaling (Brandes and Pich 2006), which is fast on graphs of any size."""
    squares = distances**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1, keepdims=True) + squares.mean()
    _, vectors = np.linalg.eigh(centred.T @ centred)
    points = centred @ vectors[:, ::-1][:, :2]
    return points if points.shape[1] == 2 else np.pad(points, ((0, 0), (0, 1)))


def _relaxed(points: Points, distances: Points) -> Points:
    """Stress majorisation (Gansner, Koren and North 2004), which pulls apart what pivots fold together."""
    order = np.argsort(np.argmax(distances == 0, axis=0))
    steps = distances[:, order]  # column k is now the distances from vertex k
    with np.errstate(divide="ignore"):
        weights = np.where(steps > 0, steps**-2.0, 0.0)
    points = points * steps.sum() / _lengths(points).sum()
    for _ in range(ROUNDS):
        lengths = np.maximum(_lengths(points), 1e-9)
        pull = weights * steps / lengths
        moved = weights @ points + pull.sum(axis=1)[:, None] * points - pull @ points
        points = moved / weights.sum(axis=1)[:, None]
    return points


def _lengths(points: Points) -> Points:
    x, y = points.T
    return np.asarray(np.hypot(x[:, None] - x, y[:, None] - y))


def _apart(points: Points) -> Points:
    """Vertices that look alike from every pivot would hide each other: they get a little circle."""
    rounded = np.round(points / (np.ptp(points) or 1.0), 6)
    _, group, counts = np.unique(rounded, axis=0, return_inverse=True, return_counts=True)
    group = group.reshape(-1)
    order = np.argsort(group, kind="stable")
    rank = np.empty(len(points), dtype=np.int64)
    rank[order] = np.arange(len(points)) - np.repeat(np.cumsum(counts) - counts, counts)
    angle = 2 * np.pi * rank / counts[group]
    radius = np.where(counts[group] > 1, 0.3 * (np.ptp(points) or 1.0) / np.sqrt(len(points)), 0.0)
    return np.asarray(points + radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1))


def _distances(graph: Graph, pivots: int) -> Points:
    """(n, pivots) steps, directions ignored; each pivot is as far as can be from those before it."""
    both_ways = _core.Space.graph(graph.n, graph.edges, False, graph.edge_conflicts)
    columns: list[IntArray] = []
    nearest = np.full(graph.n, np.iinfo(np.int32).max, dtype=np.int32)
    for _ in range(min(pivots, graph.n)):
        steps = _core.distance_table(both_ways, int(nearest.argmax()), _core.Budget())
        steps[steps < 0] = steps.max() + 1  # in another part of the graph: beyond all that is in this one
        columns.append(steps)
        np.minimum(nearest, steps, out=nearest)
    return np.stack(columns, axis=1).astype(np.float64)
