"""Positions over time as one path per agent: an agent stays where its path ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..model.arrays import IntArray
from .jsonfile import Record

MOST_WRITTEN = 2**28  # positions in a file of ours


def padded(paths: Sequence[Any], makespan: int) -> IntArray:
    """The (makespan + 1, n) array of n non-empty paths, each extended by its last vertex."""
    vertices = np.empty((makespan + 1, len(paths)), dtype=np.int32)
    for agent, path in enumerate(paths):
        vertices[: len(path), agent] = path
        vertices[len(path) :, agent] = path[-1]
    return vertices


def trimmed(vertices: IntArray) -> list[list[int]]:
    """The paths of an array, each without the stay at its end."""
    moving = vertices[1:] != vertices[:-1]
    last = len(moving) - np.argmax(moving[::-1], axis=0) if len(moving) else np.zeros(vertices.shape[1], int)
    ends = np.where(moving.any(axis=0), last, 0)
    return [vertices[: end + 1, agent].tolist() for agent, end in enumerate(ends.tolist())]


def paths_from(record: Record, agents: int, makespan: int, n: int, name: str = "paths") -> list[list[int]]:
    """The field `paths`, checked: one path per agent, of vertices of the space, none too long."""
    paths = record.items(name)
    if len(paths) != agents:
        raise record.error(name, f"must have one path per agent, {agents}, not {len(paths)}")
    for index, path in enumerate(paths):
        of_one = f"{name}[{index}]"
        length = len(record.integers_in(path, of_one, low=-1, high=n - 1))
        if not 1 <= length <= makespan + 1:
            what = "vertices" if name == "paths" else name
            raise record.error(of_one, f"must have from 1 to {makespan + 1} {what}, not {length}")
    return paths


def too_many(makespan: int, agents: int) -> bool:
    """Is the array of this many steps and agents larger than our files may be?"""
    return (makespan + 1) * max(agents, 1) > MOST_WRITTEN
