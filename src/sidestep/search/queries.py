"""The front door of search: one query on a space. What was compiled for the space serves the next one."""

from __future__ import annotations

from typing import Any

from ..budget import Budget
from ..model.space import Space
from .distance_map import DistanceMap
from .kept import finder_for
from .route import Route


def shortest_path(
    space: Space,
    start: Any,
    goal: Any,
    *,
    algorithm: str = "astar",
    time_limit: float | None = None,
    node_limit: int | None = None,
    **options: Any,
) -> Route:
    """Finds one way. What was compiled and prepared for the space is kept as long as the space is.

    For walls that come and go, and for searches that are run bit by bit, make a `Finder`.

    Args:
        space: A `Grid` or a `Graph`.
        start: Where the way begins.
        goal: Where it ends.
        algorithm: As for `Finder.path`.
        time_limit: Seconds, preprocessing included; None is no limit.
        node_limit: How many nodes may be expanded; None is no limit.
        **options: Those of `Finder`.

    Returns:
        The way; falsy if none was found, with the status and the reason.

    Raises:
        InputError: An argument is not valid.
        LimitError: The limit was reached before the heuristic was ready.
    """
    if time_limit is None and node_limit is None:
        return finder_for(space, options)._find(space, start, goal, algorithm, None)
    budget = Budget(time_limit, node_limit)
    finder = finder_for(space, {"budget": budget, **options})
    return finder._find(space, start, goal, algorithm, budget)


def distance_map(space: Space, *goals: Any, **options: Any) -> DistanceMap:
    """Finds the distances of all places to the nearest goal.

    Args:
        space: A `Grid` or a `Graph`.
        *goals: One place or more.
        **options: Those of `Finder`.

    Returns:
        The distances.

    Raises:
        InputError: An argument is not valid.
        LimitError: The budget among the options ran out before the heuristic was ready.
    """
    return finder_for(space, options)._distances(space, goals, None)
