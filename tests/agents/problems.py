"""Small problems on which agents get in each other's way."""

from __future__ import annotations

import sidestep as ss
from sidestep.instances import random_grid, random_problem


def crowd(seed: int, *, most: int = 12, rules: ss.Rules = ss.Rules()) -> ss.Problem:
    """4 to `most` agents on 8x8 cells, a fifth of them walls; four or eight directions in turn."""
    grid = random_grid(8, 8, 0.2, seed, connectivity=4 if seed % 2 else 8)
    return random_problem(grid, 4 + seed % (most - 3), seed, rules=rules)
