"""Judges plans: starts, steps, goals and the claimed cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..model.agents import IDLE, NO_FACING
from ..model.errors import InputError
from ..model.grid import Grid
from ..model.plan import Plan
from ..model.problem import Problem
from .body_steps import BodyStepJudge
from .ground import ABSENT, Positions
from .presence import judge_who_is_there
from .turning import judge_turning
from .unit_steps import UnitStepJudge
from .violation import Report, ViolationKind, ViolationLog


def validate(problem: Problem, plan: Plan | None, *, limit: int = 1000) -> Report:
    """Judges a plan.

    Args:
        problem: What the plan has to solve, and by which rules.
        plan: The plan; None is a violation. It may come from another problem object: its vertices are what
            counts. A cost is compared where one is claimed for this problem: `plan.claimed_cost`, or else
            what `plan.cost` says.
        limit: How many violations to list; all are counted.

    Returns:
        The report: truthy if nothing is wrong.

    Raises:
        InputError: An argument is of another type.
    """
    if not isinstance(problem, Problem):
        raise InputError(f"problem must be a Problem, not {type(problem).__name__}")
    log = ViolationLog(problem.space, limit)
    if plan is None:
        log.add_one(ViolationKind.NO_PLAN)
        return log.report()
    if not isinstance(plan, Plan):
        raise InputError(f"a plan is a Plan or None, not {type(plan).__name__}")
    vertices = np.asarray(plan.vertices)
    if fault := _plan_shape_fault(vertices, problem.n_agents):
        log.add_one(ViolationKind.SHAPE, detail=fault)
        return log.report()
    _judge_starts_of_plan(problem, vertices[0], log)
    if problem.all_unit:
        steps = UnitStepJudge(problem.space, problem.rules, vertices.shape, log)
        steps.judge_first_row(vertices[0])
        steps.judge(vertices, problem.space.open)
    else:
        walls = [(0, len(vertices) - 1, problem.space.open)]
        bodies = BodyStepJudge(problem.space, problem.rules, problem.sizes, problem.periods, log)
        bodies.judge(vertices, walls)
    _judge_facings(problem, plan, log)
    _judge_goals(problem, vertices, log)
    cost = _cost(problem, vertices)
    _judge_cost(problem, plan, cost, log)
    return log.report(cost)


def _plan_shape_fault(vertices: npt.NDArray[Any], n_agents: int) -> str:
    if vertices.ndim != 2 or len(vertices) == 0 or vertices.dtype.kind not in "iu":
        return "a plan is an array of vertex ids with a row per time, from time 0 on"
    if vertices.shape[1] != n_agents:
        return f"the plan moves {vertices.shape[1]} agents, but the problem has {n_agents}"
    return ""


def _judge_starts_of_plan(problem: Problem, row: Positions, log: ViolationLog) -> None:
    strayed = np.flatnonzero(row != problem.starts)
    log.add(ViolationKind.START, np.zeros_like(strayed), (strayed,), row[strayed])
    inside = np.flatnonzero((row >= 0) & (row < problem.space.n))
    walled = inside[~problem.space.open[row[inside]]]
    log.add(ViolationKind.WALL, np.zeros_like(walled), (walled,), row[walled])


def _judge_facings(problem: Problem, plan: Plan, log: ViolationLog) -> None:
    """Whether those who have to turn begin as they are, and turn in time."""
    if not np.any(problem.facings != NO_FACING):
        return
    facings = None if plan.facings is None else np.asarray(plan.facings).astype(np.int64)
    if facings is None or facings.shape != plan.vertices.shape or not isinstance(problem.space, Grid):
        log.add_one(
            ViolationKind.SHAPE, detail="the plan does not say which way agents look that have to turn"
        )
        return
    strayed = np.flatnonzero(facings[0] != problem.facings)
    detail = "does not look as it should at first"
    log.add(ViolationKind.FACING, np.zeros_like(strayed), (strayed,), plan.vertices[0, strayed], detail)
    facings[0] = problem.facings
    judge_turning(problem.space, plan.vertices, facings, log)


def _judge_goals(problem: Problem, vertices: Positions, log: ViolationLog) -> None:
    """Who is there when it should be, who is gone when it should be gone, and where everybody ends."""
    gone = np.zeros(vertices.shape, dtype=np.bool_)
    if problem.rules.at_goal == "disappear":
        on_goal = (vertices == problem.goals) & (problem.goals != IDLE)
        np.logical_or.accumulate(on_goal[:-1], axis=0, out=gone[1:])
    judge_who_is_there(vertices, ~gone, 0, log)
    last = vertices[-1]
    home = (last == problem.goals) | (gone[-1] & (last == ABSENT)) | (problem.goals == IDLE)
    lost = np.flatnonzero(~home)
    log.add(ViolationKind.GOAL, np.full_like(lost, len(vertices) - 1), (lost,), last[lost])


def _cost(problem: Problem, vertices: Positions) -> int:
    """The sum over the agents that have goals; an agent that is gone is at rest like one at its goal."""
    at_rest = (vertices == problem.goals) | (vertices == ABSENT)
    if problem.rules.cost == "sum_of_costs":
        # What counts is the rest at the end that is never broken again: it begins with the last arrival.
        free = np.logical_and.accumulate(at_rest[::-1], axis=0)
        costs = len(vertices) - np.count_nonzero(free, axis=0)
    else:
        free = at_rest[:-1] & at_rest[1:]
        costs = len(free) - np.count_nonzero(free, axis=0)
    return int(costs[problem.goals != IDLE].sum())


def _judge_cost(problem: Problem, plan: Plan, cost: int, log: ViolationLog) -> None:
    claimed = plan.claimed_cost
    if claimed is None and (plan.problem is problem or plan.problem == problem):
        claimed = plan.cost
    if claimed is not None and claimed != cost:
        detail = f"the plan claims a cost of {claimed}, but it costs {cost}"
        log.add_one(ViolationKind.COST, time=plan.makespan, detail=detail)


# ---------------------------------------------------------------------------------- one step after another
