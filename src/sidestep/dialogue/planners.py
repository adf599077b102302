"""Any path planner in the place of the core's search: orders say whom to go around, not how (section 6.2).

A planner is asked for one path at a time. What it returns is checked before anybody hears of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from ..model.arrays import IntArray
from ..model.errors import InputError
from ..model.space import Space
from .utterance import Action


@dataclass(frozen=True, slots=True)
class PathRequest:
    """What a planner is asked for: the path of one agent around others.

    Attributes:
        agent: Its number.
        start: The vertex where it is.
        goal: The vertex of its goal; -1 if it has none.
        superiors: The numbers of those whose paths it must not collide with.
        paths: What these have told: vertices from now on. At the end of a path its agent stays or, where
            agents disappear, is gone; in a window it ends with that.
        gives_up: Actions that it must not do.
        window: How many steps the path has; 0: up to the goal, or wherever an agent without a goal stays.
        time: The time now.
    """

    agent: int
    start: int
    goal: int
    superiors: tuple[int, ...]
    paths: Mapping[int, tuple[int, ...]]
    gives_up: tuple[Action, ...]
    window: int
    time: int


PathPlanner = Callable[[PathRequest], Sequence[int] | IntArray | None]
FindPath = Callable[[int, list[int], list[tuple[int, int, int]]], IntArray | None]  # as the core calls it


def asking(
    planner: PathPlanner,
    space: Space,
    told_paths: _core.ToldPaths,
    positions: IntArray,
    goals: IntArray,
    *,
    window: int = 0,
    time: int = 0,
) -> FindPath:
    """The planner as the core calls it, in a round that begins at a time with everybody there."""

    def find(agent: int, superiors: list[int], gives_up: list[tuple[int, int, int]]) -> IntArray | None:
        request = PathRequest(
            agent,
            int(positions[agent]),
            int(goals[agent]),
            tuple(superiors),
            {other: tuple(told_paths.path(other).tolist()) for other in superiors},
            tuple(Action(agent, *action) for action in gives_up),
            window,
            time,
        )
        path = planner(request)
        return None if path is None else checked_path(request, path, space, told_paths)

    return find


def checked_path(request: PathRequest, path: Any, space: Space, told_paths: _core.ToldPaths) -> IntArray:
    """The path as an array; an InputError if it is none of that agent."""
    try:
        vertices = np.array(path, dtype=np.int32)
        is_path = vertices.ndim == 1 and np.array_equal(vertices, np.asarray(path))
    except (TypeError, ValueError, OverflowError):
        is_path = False
    if not is_path:
        raise InputError(f"a planner must return vertices or None, not {path!r}")
    who = f"the planner's path of agent {request.agent}"
    if not len(vertices) or vertices[0] != request.start:
        raise InputError(f"{who} must begin where it is, at {space.place(request.start)}")
    if vertices.min() < 0 or vertices.max() >= space.n:
        raise InputError(f"{who} must be of vertices from 0 to {space.n - 1}")
    if request.window and len(vertices) != request.window + 1:
        raise InputError(f"{who} must have {request.window} steps, not {len(vertices) - 1}")
    if not request.window and request.goal != -1 and vertices[-1] != request.goal:
        raise InputError(f"{who} must end on its goal, {space.place(request.goal)}")
    for here, there in zip(vertices[:-1].tolist(), vertices[1:].tolist(), strict=True):
        if here != there and not told_paths.connects(here, there):
            raise InputError(f"{who} goes from {space.place(here)} to {space.place(there)}, which is no step")
    return vertices
