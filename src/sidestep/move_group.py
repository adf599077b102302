"""Sends a group of units to one goal, in a world or for a whole problem."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypedDict, Unpack, overload

from .budget import Budget
from .model.agents import IDLE, NOWHERE, agent_index
from .model.arrays import listed
from .model.errors import InputError, UnsupportedError
from .model.problem import Problem
from .model.result import Result
from .model.space import covered_cells
from .model.to_core import compiled_space
from .solvers.offline import run_to_the_end
from .solvers.solver import OnlineSolver
from .solvers.whca import WHCA
from .world.group import Group, GroupOrder, GroupSession
from .world.session import SessionHolder
from .world.world import World


class GroupOptions(TypedDict, total=False):
    """How a group moves, wherever it does: as `move_group` describes it."""

    leader: int | str | None
    detours: float
    own_steps: int
    seed: int


@overload
def move_group(
    where: World, units: Iterable[int | str], goal: Any, **options: Unpack[GroupOptions]
) -> Group: ...


@overload
def move_group(
    where: Problem,
    units: Iterable[int | str],
    goal: Any,
    *,
    solver: OnlineSolver | None = None,
    time_limit: float | None = None,
    **options: Unpack[GroupOptions],
) -> Result: ...


def move_group(
    where: World | Problem,
    units: Iterable[int | str],
    goal: Any,
    *,
    leader: int | str | None = None,
    detours: float = 0.0,
    own_steps: int = 10,
    seed: int = 0,
    solver: OnlineSolver | None = None,
    time_limit: float | None = None,
) -> Group | Result:
    """Sends units to places around a goal, together and in formation.

    In a world they set out with its next turn. A problem is solved as a whole; the goals that it has for
    these units do not count.

    Args:
        where: A `World` or a `Problem`, on a grid.
        units: The agents, by index or name.
        goal: The cell `(row, col)` that they gather around.
        leader: One of the units, behind which the others keep; None: nobody leads.
        detours: The share of the units, from 0 to 1, that passes beside each waypoint, so that they do not
            walk in single file.
        own_steps: How many steps at the beginning and at the end of the shared path each unit has to itself.
        seed: Draws the units that pass beside a waypoint.
        solver: For a problem: the online solver; `WHCA()` if None.
        time_limit: For a problem: seconds; None is no limit.

    Returns:
        In a world the group, for a problem the result.

    Raises:
        InputError: An argument is not valid, a unit cannot get to the goal, there is no room around it, or a
            world is given a solver or a time limit.
        UnsupportedError: The space is a graph, a unit is larger than a cell, agents disappear at their goals,
            or the solver refuses the problem.
    """
    if not isinstance(where, (World, Problem)):
        raise InputError(f"a group moves in a World or a Problem, not in {where!r}")
    if where.rules.at_goal == "disappear":  # a planner takes a waypoint for a goal, and who is there for gone
        raise UnsupportedError("a group gathers at its goal: it needs Rules(at_goal='stay'), not 'disappear'")
    chosen = _chosen(where, units)
    order = GroupOrder(chosen, goal, _leader(where, leader, chosen), detours, own_steps, seed)
    if isinstance(where, Problem):
        return _solved(where, order, WHCA() if solver is None else solver, time_limit)
    if solver is not None or time_limit is not None:
        raise InputError("a world has its own planner, and each turn its own time")
    with where._lock:
        return _set_out(where, order)


def _set_out(world: World, order: GroupOrder) -> Group:
    taken = _goals_of_others(world, order.units)
    group = Group(order, world.space, world._core.space, world.positions, taken)
    session = world.session
    if not isinstance(session, GroupSession):
        session = world.session = GroupSession(session, world.opener)
    for unit in order.units:  # first nowhere: what another unit of the group was bound for is free
        world.send(unit, None)
    for unit, place in group.goals.items():
        world.send(unit, world.space.place(place))
    session.join(group)
    return group


def _solved(problem: Problem, order: GroupOrder, solver: OnlineSolver, time_limit: float | None) -> Result:
    taken = _goals_of_others(problem, order.units)
    group = Group(order, problem.space, compiled_space(problem), problem.starts, taken)
    agents = list(problem.agents)
    for unit, place in group.goals.items():
        agents[unit] = replace(agents[unit], goal=problem.space.place(place))
    problem = Problem.from_agents(problem.space, agents, rules=problem.rules)
    holder = SessionHolder()
    holder.hold(solver, problem, order.seed)
    session = GroupSession(holder.session, holder.opener)
    session.join(group)
    limit: int | None = getattr(solver, "max_turns", None)
    budget = Budget(time_limit)
    return run_to_the_end(solver, problem, budget=budget, seed=order.seed, max_turns=limit, session=session)


def _chosen(where: World | Problem, units: Any) -> list[int]:
    agents = where.agents
    named = listed(units, "units must be agents by index or name")
    chosen = [agent_index(unit, agents.names) for unit in named]
    if not chosen:
        raise InputError("a group has at least one unit")
    if len(set(chosen)) < len(chosen):
        raise InputError("a unit is in a group only once")
    for unit in chosen:
        if agents.starts[unit] == NOWHERE:
            raise InputError(f"agent {agents.names[unit]} is no longer there")
        if agents.sizes[unit] > 1:
            raise UnsupportedError(f"a group takes units of one cell, not {agents.names[unit]}")
    return chosen


def _leader(where: World | Problem, leader: int | str | None, units: list[int]) -> int | None:
    if leader is None:
        return None
    index = agent_index(leader, where.names)
    if index not in units:
        raise InputError(f"the leader {where.names[index]} is none of the units")
    return index


def _goals_of_others(where: World | Problem, units: list[int]) -> list[int]:
    """Vertices that others will cover on their goals, if no two may be bound for the same."""
    if where.rules.shared_goals:
        return []
    agents, chosen = where.agents, set(units)
    columns = zip(agents.starts.tolist(), agents.goals.tolist(), agents.sizes.tolist(), strict=True)
    return [
        cell
        for agent, (position, goal, size) in enumerate(columns)
        if position != NOWHERE and goal != IDLE and agent not in chosen
        for cell in covered_cells(where.space, goal, size)
    ]
