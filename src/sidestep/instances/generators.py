"""The kinds of maps that can be asked for by name, and what can be said about each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..model.grid import Grid
from .maps import cave_grid, maze_grid, random_grid, room_grid, warehouse_grid


@dataclass(frozen=True)
class Generator:
    """A generator of maps.

    Attributes:
        summary: What its maps are like.
        make: The function that makes a map.
        defaults: Those of its arguments that people choose, with their defaults.
        seeded: Whether it takes a seed: not if all its maps are alike.
    """

    summary: str
    make: Callable[..., Grid]
    defaults: Mapping[str, int | float]
    seeded: bool = True

    def grid(self, seed: int, **given: Any) -> Grid:
        """Makes a map.

        Args:
            seed: The same seed gives the same map.
            **given: Arguments of `make`; what is not given is as in `defaults`.

        Returns:
            The map.

        Raises:
            InputError: An argument is not valid.
        """
        return self.make(**{**self.defaults, **given}, **({"seed": seed} if self.seeded else {}))


def _empty_grid(height: int, width: int, **shape: Any) -> Grid:
    return random_grid(height, width, 0.0, 0, **shape)


_SIZE = {"height": 32, "width": 32}
_SHELVES = {"columns": 5, "rows": 10, "shelf_width": 5, "shelf_height": 2, "aisle": 1}

GENERATORS: dict[str, Generator] = {
    "random": Generator("Obstacles in random cells", random_grid, _SIZE | {"density": 0.2}),
    "rooms": Generator("Rooms with doors one cell wide", room_grid, _SIZE | {"room": 7}),
    "maze": Generator("A maze with one way between any two places", maze_grid, _SIZE | {"corridor": 1}),
    "warehouse": Generator("Shelves with aisles between them", warehouse_grid, _SHELVES, seeded=False),
    "cave": Generator("A cave with one large hall", cave_grid, _SIZE),
    "empty": Generator("No walls at all", _empty_grid, _SIZE, seeded=False),
}
