"""A problem drawn with one character per cell, for the terminal."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from rich.text import Text

from ..grid import Grid
from ..problem import Problem

WALL, FREE, START, GOAL = "█", " ", "o", "x"
STYLES = {WALL: "bright_black", START: "bold cyan", GOAL: "green"}


def picture(problem: Problem) -> Text:
    """Walls (also around the map), where the agents start and where they want to be."""
    assert isinstance(problem.space, Grid)
    drawn = np.where(problem.space.passable, FREE, WALL)
    flat = drawn.reshape(-1)
    flat[problem.goals[problem.goals >= 0]] = GOAL
    flat[problem.starts] = START
    text = Text(no_wrap=True, overflow="crop")
    for row in np.pad(drawn, 1, constant_values=WALL):
        for char, run in groupby(row.tolist()):
            text.append("".join(run), STYLES.get(char))
        text.append("\n")
    text.right_crop(1)
    return text
