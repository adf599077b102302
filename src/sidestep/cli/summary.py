"""What people want to know about a plan first."""

from __future__ import annotations

import numpy as np

from .. import _core
from ..budget import Budget
from ..compiled import compile_space
from ..plan import Plan
from ..problem import IDLE, Problem


def cost_against_bound(plan: Plan, bound: int | None) -> str:
    """`1234 (1.07 times the lower bound 1153)`."""
    return f"{plan.cost} ({plan.cost / bound:.2f} times the lower bound {bound})" if bound else str(plan.cost)


def waits(plan: Plan) -> int:
    """How often an agent stood still although it was not on its goal."""
    vertices, goals = plan.vertices, plan.problem.goals
    still = (vertices[1:] == vertices[:-1]) & (vertices[1:] >= 0)
    return int(np.count_nonzero(still & (vertices[1:] != goals) & (goals != IDLE)))


def sum_of_distances(problem: Problem) -> int:
    """What the agents would cost if they were alone: no plan can cost less."""
    distances, unlimited = _core.Distances(compile_space(problem.space)), Budget().core
    return sum(
        distances.at(goal, start, start, unlimited)
        for start, goal in zip(problem.starts.tolist(), problem.goals.tolist(), strict=True)
        if goal != IDLE
    )
