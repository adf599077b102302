"""Generated maps and problems: published tables stand on these draws."""

from __future__ import annotations

from functools import partial
from typing import Any

import sidestep as ss

from . import parts, surface
from .parts import Cases, Parts

MAPS: dict[str, Any] = {
    "random": lambda seed, **shape: surface.random_grid(20, 30, 0.1 + seed / 20, seed, **shape),
    "with pockets": lambda seed, **_: surface.random_grid(12, 9, 0.4, seed, fill_pockets=False),
    "cave": lambda seed, **shape: surface.cave_grid(24, 20, seed, **shape),
    "rooms": lambda seed, **shape: surface.room_grid(20, 23, 3 + seed, seed, **shape),
    "maze": lambda seed, **shape: surface.maze_grid(17, 22, 1 + seed % 3, seed, **shape),
    "warehouse": lambda seed, **shape: surface.warehouse_grid(3 + seed, 4, 5, 2, 1 + seed % 2, **shape),
}
SHAPES: tuple[dict[str, Any], ...] = ({}, {"connectivity": 8}, {"connectivity": 8, "corners": "free"})


def cases() -> Cases:
    """Maps of all kinds, the generators that have names, and problems."""
    for kind in MAPS:
        for seed in range(5):
            yield f"{kind} {seed}", partial(made, kind, seed)
    for kind in surface.generator_names():
        yield f"by name {kind}", partial(by_name, kind)
    for seed in range(8):
        yield f"dialogue {seed}", partial(of_the_thesis, seed)


def made(kind: str, seed: int) -> Parts:
    """A map, and agents on it."""
    grid = MAPS[kind](seed, **SHAPES[seed % len(SHAPES)])
    return parts.of_problem(surface.random_problem(grid, 9, seed, rules=ss.Rules(following=False)))


def by_name(kind: str) -> Parts:
    """The defaults of a generator."""
    return parts.of_space(surface.generated_grid(kind, 7))


def of_the_thesis(seed: int) -> Parts:
    """Instances of the dialogue thesis."""
    return parts.of_problem(surface.dialogue_problem(seed))
