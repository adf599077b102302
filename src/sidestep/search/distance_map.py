"""The distances of all places to a goal: found once, for any number of units that head there."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from ..model.arrays import BoolArray, IntArray, read_only
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.result import Status
from ..model.saving import reduced
from .checks import checked_open, checked_space, open_vertex, open_vertices
from .lengths import FloatArray, LongArray, cost_of, costs_of, split
from .route import Route
from .terrain import Terrain, checked_terrain


class DistanceMap:
    """The distances of all places to the nearest goal, made by `Finder.distances_to` or `distance_map`.

    They are those of the walls as they were then.

    Args:
        terrain: The space with the costs of its steps.
        core: The core's map.
        is_open: Per vertex whether it was open.
        goals: The vertices of the goals.
        lengths: Per vertex the length of its way, -1 if there is none.

    Attributes:
        space: Where the places are.
        goals: As given.
    """

    def __init__(
        self,
        terrain: Terrain,
        core: _core.PathFinder,
        is_open: BoolArray,
        goals: IntArray,
        lengths: LongArray,
    ) -> None:
        self.space = terrain.space
        self._terrain = terrain
        self.goals = goals
        self._core = core
        self._open = is_open
        self._lengths = lengths
        self._octile = terrain.octile

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self)

    def _saved_state(self) -> dict[str, Any]:
        """Lists what makes such a map again; `pickle` asks for it."""
        terrain = self._terrain
        return {
            "space": self.space,
            "costs": (terrain.steps, terrain.factors, terrain.corner_cost, terrain.edge_costs),
            "open": self._open,
            "goals": self.goals,
            "lengths": self._lengths,
        }

    @classmethod
    def _from_saved(cls, state: dict[str, Any]) -> DistanceMap:
        """Makes a map of what was saved."""
        space = checked_space(state["space"])
        is_open, goals, lengths = checked_open(state["open"], space), state["goals"], state["lengths"]
        fits = lengths.dtype == np.int64 and lengths.shape == (space.n,) and goals.dtype == np.int32
        if not fits or lengths.min() < -1 or lengths.max() > _core.LONGEST_WAY:
            raise InputError("there is a length per vertex")
        terrain = checked_terrain(space, *state["costs"])
        core = terrain.compiled(terrain.best_geometry, is_open)
        return cls(terrain, core, read_only(is_open), read_only(goals), read_only(lengths))

    @property
    def array(self) -> FloatArray:
        """The distances in the shape of the grid, or per vertex of a graph; infinite: no way."""
        costs = costs_of(self._lengths, self._octile)
        return costs.reshape(self.space.passable.shape) if isinstance(self.space, Grid) else costs

    @property
    def memory(self) -> int:
        """Bytes that it takes."""
        return int(self._lengths.nbytes)

    def at(self, place: Any) -> float:
        """Looks one distance up.

        Args:
            place: A cell `(row, col)` on a grid, a vertex on a graph.

        Returns:
            The distance in straight steps; infinite if there is no way.

        Raises:
            InputError: There is no such place.
        """
        return cost_of(int(self._lengths[self.space.vertex(place)]), self._octile)

    def step(self, places: Any) -> IntArray:
        """Moves many units one step along their shortest ways.

        Args:
            places: An (n, 2) array of cells on a grid, (n,) of vertices on a graph.

        Returns:
            Their next places, as such an array. One that has arrived, or has no way, stays.

        Raises:
            InputError: A place is blocked or not on the map.
        """
        vertices = open_vertices(self.space, self._open, places, "places")
        following = self._core.downhill(self._lengths, vertices)
        return self.space.cells(following) if isinstance(self.space, Grid) else following

    def path(self, place: Any) -> Route:
        """Finds the shortest way from one place.

        Args:
            place: A cell `(row, col)` on a grid, a vertex on a graph.

        Returns:
            The way; falsy if there is none.

        Raises:
            InputError: The place is blocked or not on the map.
        """
        start = open_vertex(self.space, self._open, place, "place")
        length = int(self._lengths[start])
        straight, diagonal = split(max(length, 0), self._octile)
        if length < 0:
            nothing = read_only(np.empty(0, dtype=np.int32))
            return Route(self.space, Status.INFEASIBLE, nothing, np.inf, 0, 0, 0, "there is no way")
        vertices = read_only(self._core.downhill_path(self._lengths, start))
        cost = cost_of(length, self._octile)
        return Route(self.space, Status.OPTIMAL, vertices, cost, straight, diagonal, 0)
