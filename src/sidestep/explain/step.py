"""What an agent does in one step of a run, compared with what it would have liked."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.agents import IDLE
from ..model.arrays import BoolArray
from ..model.grid import Grid
from .claims import Does
from .run import ABSENT, Run


class Doing(StrEnum):
    """What an agent does from one time to the next."""

    GOES_ON = "goes_on"  # nearer to its goal: what it likes
    WAITS = "waits"  # stands still away from its goal
    DETOURS = "detours"  # moves, but no nearer to its goal
    STEPS_OFF = "steps_off"  # leaves its goal
    MAKES_ROOM = "makes_room"  # moves although it has no goal
    RESTS = "rests"  # stays at its goal
    STANDS = "stands"  # stays, and has no goal
    VANISHES = "vanishes"  # has arrived where agents disappear
    UNSEEN = "unseen"  # slow, and the trace ends before one could see whether it waits or moves
    ABSENT = "absent"  # is not there (any more, or yet)

    @property
    def needs_a_reason(self) -> bool:
        """Would the agent rather have done something else?"""
        return self in (Doing.WAITS, Doing.DETOURS, Doing.STEPS_OFF, Doing.MAKES_ROOM)


class Ways:
    """How far every place is from an agent's goal, found when first asked for."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._distances: dict[tuple[int, int], tuple[_core.Space, _core.Distances]] = {}

    def left(self, agent: int, vertex: int, time: int = 0) -> int | None:
        """The moves from a vertex to the agent's goal by itself, as the world is at a time; None: no way."""
        space, goals = self._run.state(time)
        size = int(self._run.problem.sizes[agent])
        key = id(space), size
        if key not in self._distances:
            fitting = space if size == 1 else space.with_open(fitting_places(self._run, time, size))
            self._distances[key] = space, _core.Distances(fitting)
        goal, start = int(goals[agent]), int(self._run.problem.starts[agent])
        if vertex == goal:
            return 0  # also if it was closed under the agent
        origin = vertex if start == ABSENT else start
        steps = self._distances[key][1].at(goal, origin, vertex, Budget().core)
        return steps if steps >= 0 and self.fits(agent, goal, time) else None

    def steps_to(self, agent: int, here: int, there: int, time: int) -> int | None:
        """The moves of the agent from one place to another; None: no way."""
        size = int(self._run.problem.sizes[agent])
        if size == 1:
            near = self._run.state(time)[0].successors(here).tolist()
            return 1 if there in near else None
        space = self._run.state(time)[0].with_open(fitting_places(self._run, time, size))
        return 1 if there in space.successors(here).tolist() else None

    def fits(self, agent: int, vertex: int, time: int) -> bool:
        """May the agent be in this place at this time?"""
        size = int(self._run.problem.sizes[agent])
        if size == 1:
            return self._run.is_open(vertex, time)
        return bool(fitting_places(self._run, time, size)[vertex])


def fitting_places(run: Run, time: int, size: int) -> BoolArray:
    """Where the top left cell of a large agent may be."""
    grid, space = run.space, run.state(time)[0]
    assert isinstance(grid, Grid)
    cells = np.array([space.is_open(vertex) for vertex in range(grid.n)]).reshape(grid.height, grid.width)
    fits = np.zeros_like(cells)
    for row in range(grid.height - size + 1):
        for col in range(grid.width - size + 1):
            fits[row, col] = cells[row : row + size, col : col + size].all()
    return fits.ravel()


def does_at(run: Run, agent: int, time: int, ways: Ways) -> Does:
    """What the agent does in the step that begins at a time; after the end of the run everybody stays."""
    here, there = run.at(agent, time), next_place(run, agent, time)
    goal = int(run.state(time)[1][agent])
    if ABSENT in (here, there):
        doing = Doing.ABSENT if here == ABSENT else Doing.VANISHES
        return Does(agent, time, str(doing), here, there)
    if goal == IDLE:
        doing = Doing.STANDS if there == here else Doing.MAKES_ROOM
        return Does(agent, time, str(doing), here, there)
    left = ways.left(agent, there, time)
    if here == goal:
        doing = Doing.RESTS if there == here else Doing.STEPS_OFF
    elif there == here:
        doing = Doing.UNSEEN if is_cut_off(run, agent, time) else Doing.WAITS
    else:
        before = ways.left(agent, here, time)
        nearer = left is not None and (before is None or left < before)
        doing = Doing.GOES_ON if nearer else Doing.DETOURS
    return Does(agent, time, str(doing), here, there, left)


def is_cut_off(run: Run, agent: int, time: int) -> bool:
    """Does the trace end before a move of the agent would have ended that began by this time?"""
    period = int(run.problem.periods[agent])
    return run.trace is not None and period > 1 and time + period > run.last


def next_place(run: Run, agent: int, time: int) -> int:
    """Where the move ends that the agent is making; a slow one makes it for several turns."""
    here = run.at(agent, time)
    for later in range(time + 1, min(time + int(run.problem.periods[agent]), run.last) + 1):
        if run.at(agent, later) != here:
            return run.at(agent, later)
    return here
