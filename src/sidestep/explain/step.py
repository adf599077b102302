"""What an agent does in one step of a plan, compared with what it would have liked."""

from __future__ import annotations

from enum import StrEnum

from .. import _core
from ..budget import Budget
from ..model.agents import IDLE
from ..model.plan import Plan
from ..model.problem import Problem
from ..model.to_core import compiled_space

ABSENT = -1  # the vertex of an agent that is not there


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
    ABSENT = "absent"  # is not there any more

    @property
    def needs_a_reason(self) -> bool:
        """Would the agent rather have done something else?"""
        return self in (Doing.WAITS, Doing.DETOURS, Doing.STEPS_OFF, Doing.MAKES_ROOM)


class Ways:
    """How far every place is from an agent's goal, found when first asked for."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._distances = _core.Distances(compiled_space(problem))

    def left(self, agent: int, vertex: int) -> int:
        """The steps from a vertex to the agent's goal by itself."""
        goal, start = int(self._problem.goals[agent]), int(self._problem.starts[agent])
        return self._distances.at(goal, start, vertex, Budget().core)


def doing_at(plan: Plan, agent: int, time: int, ways: Ways) -> Doing:
    """What the agent does in the step that begins at a time; after the plan's end everybody stays."""
    here, goal = int(plan.vertices[time, agent]), int(plan.problem.goals[agent])
    after = int(plan.vertices[min(time + 1, plan.makespan), agent])
    if here == ABSENT:
        return Doing.ABSENT
    if after == ABSENT:
        return Doing.VANISHES
    if goal == IDLE:
        return Doing.STANDS if after == here else Doing.MAKES_ROOM
    if here == goal:
        return Doing.RESTS if after == here else Doing.STEPS_OFF
    if after == here:
        return Doing.WAITS
    return Doing.GOES_ON if ways.left(agent, after) < ways.left(agent, here) else Doing.DETOURS
