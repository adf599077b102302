"""Generated maps, problems and streams of tasks: the same seed gives the same instance on every machine."""

from .generators import GENERATORS, Generator
from .maps import cave_grid, maze_grid, random_grid, room_grid, warehouse_grid
from .problems import MOST_IN_DIALOGUE, dialogue_problem, random_problem
from .streams import Stream

__all__ = [
    "GENERATORS",
    "MOST_IN_DIALOGUE",
    "Generator",
    "Stream",
    "cave_grid",
    "dialogue_problem",
    "maze_grid",
    "random_grid",
    "random_problem",
    "room_grid",
    "warehouse_grid",
]
