"""Reverse Resumable A* (Silver 2005, algorithm 1): exact distances to one goal, found on demand."""

from __future__ import annotations

from typing import Any

from .. import _core
from ..budget import Budget, limit_error
from ..model.space import Space
from ..model.to_core import compile_space
from .checks import checked_budget, checked_space


class RRA:
    """A search backwards from a goal that is resumed whenever a distance is asked for that it does not know.

    Every step costs 1, as in cooperative search. Memory is taken only where the search has been.

    Args:
        space: A `Grid` or a `Graph`.
        goal: The place to which distances are.
        origin: The place that the search heads for: where the agent stands that asks first.

    Raises:
        InputError: A place is not on the map.
    """

    def __init__(self, space: Space, goal: Any, origin: Any) -> None:
        self._space = checked_space(space)
        self._goal, self._origin = space.vertex(goal), space.vertex(origin)
        self._distances = _core.Distances(compile_space(space))

    @property
    def goal(self) -> Any:
        """The place to which distances are."""
        return self._space.place(self._goal)

    @property
    def memory(self) -> int:
        """Bytes that its distances take."""
        return self._distances.bytes

    def distance(self, place: Any, *, budget: Budget | None = None) -> int | None:
        """Finds one distance.

        Args:
            place: A cell `(row, col)` on a grid, a vertex on a graph.
            budget: What the search may use.

        Returns:
            The number of steps to the goal; None if there is no way.

        Raises:
            InputError: There is no such place.
            LimitError: The budget ran out first; asked again, the search goes on from there.
        """
        vertex = self._space.vertex(place)
        limits = checked_budget(budget)
        try:
            steps = self._distances.at(self._goal, self._origin, vertex, limits.core)
        except RuntimeError as error:
            raise limit_error(limits, error) from None
        return None if steps < 0 else steps

    def block(self, place: Any) -> None:
        """Closes a place; what this affects is forgotten.

        Args:
            place: A cell `(row, col)` on a grid, a vertex on a graph.

        Raises:
            InputError: There is no such place.
        """
        self._distances.set_open(self._space.vertex(place), False)

    def free(self, place: Any) -> None:
        """Opens a place that was closed, or a wall; what this affects is forgotten.

        Args:
            place: As for `block`.

        Raises:
            InputError: As for `block`.
        """
        self._distances.set_open(self._space.vertex(place), True)
