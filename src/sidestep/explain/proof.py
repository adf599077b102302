"""Proofs that somebody has no way left."""

from __future__ import annotations

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.plan import Plan
from ..model.to_core import compile_rules, compiled_space
from ..solvers.group_planning import marked_gone
from ..solvers.pca import told_paths_of

NODES, JOINT_NODES = 2_000_000, 100_000  # of a proof about one agent, and about several: well under a second


def has_no_way(plan: Plan, time: int, agents: tuple[int, ...], insistent: int, wish: IntArray) -> bool:
    """Can these agents, from where they are at a time, not all get to their goals around another's wish?

    All that they could do is searched, so that True is certain. False may also mean that it is too much.
    """
    return _alone(plan, time, agents[0], insistent, wish) or (
        len(agents) > 1 and _together(plan, time, agents, insistent, wish)
    )


def _alone(plan: Plan, time: int, agent: int, insistent: int, wish: IntArray) -> bool:
    told_paths, budget = told_paths_of(plan.problem, cache=False), Budget(nodes=NODES)
    told_paths.begin(np.ascontiguousarray(plan.vertices[time]))
    told_paths.tell(insistent, wish)
    return told_paths.find(agent, [insistent], budget.core) is None and not budget.exhausted


def _together(plan: Plan, time: int, agents: tuple[int, ...], insistent: int, wish: IntArray) -> bool:
    problem, group = plan.problem, np.array(agents, dtype=np.int32)
    planner = _core.JointPlanner(compiled_space(problem), compile_rules(problem.rules))
    planner.plan(
        np.ascontiguousarray(plan.vertices[time, group]),
        np.ascontiguousarray(problem.goals[group]),
        decompose=True,
        duplicates=_core.Duplicates.post_move,
        pairs=False,
        at_least=0,
        cost_limit=None,
        illegal=marked_gone(problem, np.array([insistent], dtype=np.int32), wish[:, None]),
        avoid=None,
        budget=Budget(nodes=JOINT_NODES).core,
    )
    return planner.outcome is _core.Outcome.no_path
