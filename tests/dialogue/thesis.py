"""The worked example of the dialogue thesis (figures 3, 4 and 5): three agents on a 4x4 grid.

The drawings are lost; the layout is the one that fits the text. Several paths are optimal at each step and
the thesis shows one, so the paths are fed to the dialogues as it has them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import sidestep as ss

MOVES = {
    **{"north": (-1, 0), "south": (1, 0), "west": (0, -1), "east": (0, 1)},
    **{"north east": (-1, 1), "south east": (1, 1), "south west": (1, -1)},
}

# By agent and those above it.
PATHS = {
    ("a1", ""): "south, south, south",
    ("a1", "a2"): "south east, south, south west",
    ("a1", "a2 a3"): "south west, south, south east",
    ("a2", ""): "east, east, east",
    ("a2", "a1"): "south east, east, north east",
    ("a2", "a1 a3"): "north east, east, south east",
    ("a3", ""): "east, east, east",
    ("a3", "a1"): "south east, east, north east",
    ("a3", "a2"): "south east, east, north east",
}


def example() -> ss.Problem:
    grid = ss.Grid(np.ones((4, 4), dtype=bool), connectivity=8, corners="free")
    return ss.Problem(
        grid,
        starts=[(0, 1), (1, 0), (2, 0)],
        goals=[(3, 1), (1, 3), (2, 3)],
        names=["a1", "a2", "a3"],
        rules=ss.Rules(cost="time_off_goal"),
    )


def thesis_planner(problem: ss.Problem):
    """What finds the thesis's paths."""
    return lambda request: thesis_path(problem, request.agent, request.superiors)


def thesis_path(problem: ss.Problem, agent: int, superiors: Sequence[int], steps: int = 3):
    """The path that the thesis shows for an agent below these others."""
    above = " ".join(problem.names[other] for other in superiors)
    row, col = divmod(int(problem.starts[agent]), 4)
    path = [row * 4 + col]
    for move in PATHS[problem.names[agent], above].split(", ")[:steps]:
        row, col = row + MOVES[move][0], col + MOVES[move][1]
        path.append(row * 4 + col)
    return np.array(path, dtype=np.int32)
