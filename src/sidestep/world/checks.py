"""What may come into a world: places that fit, newcomers that the planner takes, goals that nobody has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core
from ..model.agents import FOR_GOOD, NO_FACING, Agent, sticks_out
from ..model.arrays import whole_number
from ..model.errors import InputError, UnsupportedError
from ..model.grid import Grid
from ..model.problem import Problem
from ..model.space import Space, covered_cells
from .session import SessionHolder


def fitting_vertex(space: Space, place: Any, size: int) -> int:
    """The vertex of a place where an agent of this size does not stick out of the grid."""
    vertex = space.vertex(place)
    if sticks_out(space, vertex, size):
        raise InputError(f"at {space.place(vertex)} the {size} x {size} cells of an agent leave the grid")
    return vertex


def free_vertex(core: _core.World, space: Space, names: Sequence[str], place: Any, size: int) -> int:
    """The vertex of a place that is open, and where nobody stands."""
    vertex = fitting_vertex(space, place, size)
    for cell in covered_cells(space, vertex, size):
        if not core.is_open(cell):
            raise InputError(f"{space.place(cell)} is blocked")
    occupant = core.occupant(vertex, size)
    if occupant != -1:
        on = f"on {place}" if size == 1 else f"in the {size} x {size} cells at {place}"
        raise InputError(f"agent {names[occupant]} stands {on}")
    return vertex


def checked_body(holder: SessionHolder, space: Space, agent: Agent) -> tuple[int, ...]:
    """What a newcomer has for good, its size first, if the space and the planner can have such an agent."""
    values = tuple(whole_number(one.number(getattr(agent, one.field)), f"a {one.field}") for one in FOR_GOOD)
    if values == tuple(one.usual for one in FOR_GOOD):
        return values
    # Alone in a small place: what the planner says to that it says to all such agents.
    small = np.ones((2, 2), dtype=np.bool_)
    room = Grid(small, space.connectivity, space.corners) if isinstance(space, Grid) else space
    start = (0, 0) if isinstance(room, Grid) else 0
    body: dict[str, Any] = {
        one.field: one.written(value) for one, value in zip(FOR_GOOD, values, strict=True)
    }
    alone = Problem.from_agents(room, [Agent(start, **body | {"size": min(body["size"], 2)})])
    if not (support := holder.supports(alone)):
        planner = holder.session if holder.opener is None else holder.opener.planner
        raise UnsupportedError(f"{planner!r} does not take such an agent: {support.reason}")
    return values


def refuse_mixed_turning(core: _core.World, names: Sequence[str], agent: Agent) -> None:
    """An InputError if the newcomer has to turn and those in the world need not, or the other way round."""
    # Of the first alone: a column of all who ever were there would make thousands of newcomers slow.
    first = core.facings_of(np.zeros(min(len(names), 1), dtype=np.int32))
    if len(first) and (first[0] == NO_FACING) != (agent.facing is None):
        raise InputError("either all agents of a world have a facing, or none has one")


def refuse_shared_goal(
    core: _core.World, space: Space, names: Sequence[str], vertex: int, *, size: int, but: int
) -> None:
    """An InputError if the goal of a present agent, other than `but`, overlaps this one."""
    other = core.bound_for(vertex, size, but)
    if other != -1:
        same = size == core.sizes[other] == 1
        raise InputError(
            f"agent {names[other]} already has "
            + ("the goal " if same else "a goal that overlaps ")
            + f"{space.place(vertex)}; Rules(shared_goals=True) allows it"
        )


def refuse_overlaps(space: Space, vertices: Sequence[int], sizes: Sequence[int]) -> None:
    """An InputError if two agents would be in the same place."""
    covered = [
        cell
        for vertex, size in zip(vertices, sizes, strict=True)
        if vertex != -1
        for cell in covered_cells(space, vertex, size)
    ]
    if len(set(covered)) < len(covered):
        raise InputError("two agents cannot be in the same place")
