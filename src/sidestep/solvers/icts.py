"""Increasing Cost Tree Search (Sharon, Stern, Goldenberg and Felner 2013).

The question "what is the cheapest plan?" becomes many questions of the form "are there paths of exactly
these costs, one per agent, that do not collide?". Nodes of the increasing cost tree are such vectors of
costs, visited in the order of their sums; the first that has paths is optimal. All paths of one agent and
one cost are a decision diagram, so a node is answered by a joint search over diagrams, and most nodes
sooner, by a look at pairs.

All of it runs in the core: `cpp/src/icts.cpp` is the tree, `mdd.cpp` the diagrams, `joint.cpp` the joint
search, `pairs.cpp` the pruning by pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from .. import _core
from ..budget import Budget
from ..compiled import compile_rules, compiled_space
from ..errors import InputError
from ..plan import Plan
from ..problem import IDLE, Problem
from ..result import Result, Status
from .solver import SolverInfo, Support, check_whole, path_matrix, unit_agents_only

PRUNINGS = {
    "none": _core.Pruning.none,
    "simple": _core.Pruning.simple,
    "enhanced": _core.Pruning.enhanced,
}


@dataclass(frozen=True)
class ICTS:
    """Increasing Cost Tree Search: optimal for the sum of costs."""

    pruning: Literal["none", "simple", "enhanced"] = "enhanced"
    independence: bool = True
    memory: int = 2048

    name: ClassVar[str] = "icts"
    info: ClassVar[SolverInfo] = SolverInfo(
        summary="Increasing Cost Tree Search: optimal, by joint search among all paths of given costs",
        paper="icts2013",
        category="coupled, optimal",
        complete=False,
        optimal=True,
        needs_priorities=False,
        communication="all",
        online=False,
        dialogues=False,
    )

    def __post_init__(self) -> None:
        if self.pruning not in PRUNINGS:
            raise InputError(f"pruning must be one of {', '.join(PRUNINGS)}, not {self.pruning!r}")
        if not isinstance(self.independence, bool):
            raise InputError(f"independence must be True or False, not {self.independence!r}")
        check_whole(self, "memory", 1, 10**6)

    def supports(self, problem: Problem) -> Support:
        """The sum of costs, and agents that all have goals."""
        if problem.rules.cost != "sum_of_costs":
            return Support("its diagrams of equal cost exist only for the sum of costs")
        if np.any(problem.goals == IDLE):
            return Support("every agent needs a goal, because an idle one may be anywhere at any cost")
        return unit_agents_only(problem)

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Visits vectors of costs by their sums until one has paths; the seed changes nothing."""
        tree = _core.Icts(
            compiled_space(problem),
            compile_rules(problem.rules),
            problem.starts,
            problem.goals,
            pruning=PRUNINGS[self.pruning],
            independence=self.independence,
            max_bytes=self.memory * 2**20,
        )
        agents = np.arange(problem.n_agents, dtype=np.int32)
        outcome = tree.solve(agents, budget=budget.core)
        stats = statistics(tree, budget)
        if outcome is _core.Outcome.found:
            paths = [tree.path(agent) for agent in range(problem.n_agents)]
            plan = Plan(problem, path_matrix(problem, paths))
            return Result(problem, self, seed, Status.OPTIMAL, plan, lower_bound=plan.cost, stats=stats)
        if outcome is _core.Outcome.no_path:
            reason = "some agent cannot reach its goal, whatever it costs"
            return Result(problem, self, seed, Status.GAVE_UP, reason=reason, stats=stats)
        reason = budget.why() or f"it would need more than {self.memory} MB of memory"
        bound = tree.lower_bound
        return Result(problem, self, seed, Status.TIMEOUT, reason=reason, lower_bound=bound, stats=stats)


def statistics(tree: _core.Icts, budget: Budget) -> dict[str, Any]:
    """What the core has counted."""
    return {
        "expansions": budget.nodes,
        "tree_nodes": tree.tree_nodes,
        "diagrams": tree.diagrams,
        "pairs": tree.pairs,
        "joint_searches": tree.joint_searches,
        "largest_group": tree.largest_group,
        "megabytes": round(tree.most_bytes / 2**20, 1),
    }
