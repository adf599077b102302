"""What people want to know about a plan first."""

from __future__ import annotations

import numpy as np

from ..model.agents import IDLE
from ..model.plan import Plan


def cost_against_bound(plan: Plan, bound: int | None) -> str:
    """`1234 (1.07 times the lower bound 1153)`."""
    return f"{plan.cost} ({plan.cost / bound:.2f} times the lower bound {bound})" if bound else str(plan.cost)


def waits(plan: Plan) -> int:
    """How often an agent stood still although it was not on its goal, nor in the middle of a long move."""
    vertices, goals = plan.vertices, plan.problem.goals
    still = (vertices[1:] == vertices[:-1]) & (vertices[1:] >= 0)
    waiting = int(np.count_nonzero(still & (vertices[1:] != goals) & (goals != IDLE)))
    moved = (vertices[1:] != vertices[:-1]) & (vertices[1:] >= 0) & (goals != IDLE)
    # The turns of a move before its last look like waits, but for those on the goal that it leaves.
    moved &= vertices[:-1] != goals
    return waiting - int(np.sum(moved * (plan.problem.periods - 1)))
