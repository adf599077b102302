"""Increasing Cost Tree Search (Sharon, Stern, Goldenberg and Felner 2013).

The question "what is the cheapest plan?" becomes many questions of the form "are there paths of exactly
these costs, one per agent, that do not collide?". Nodes of the increasing cost tree are such vectors of
costs, visited in the order of their sums; the first that has paths is optimal. All paths of one agent and
one cost are a decision diagram, so a node is answered by a joint search over diagrams, and most nodes
sooner, by a look at pairs.

All of it runs in the core: `cpp/src/solvers/icts.cpp` is the tree, and in the folder `icts` beside it
`cost_diagram.cpp` has the diagrams, `walk.cpp` the joint search, `pairs.cpp` the pruning by pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from .. import _core
from ..budget import Budget
from ..model.agents import IDLE
from ..model.arrays import IntArray
from ..model.problem import Problem
from ..model.result import Result
from ..model.support import Support
from ..model.to_core import compile_rules, compiled_space
from .group_planning import NO_TERMS, Terms, is_puzzle, marked_gone, solved_as_one_group
from .joint import OD, taking_over
from .parameters import check_parameters, parameter
from .printed import PrintedForm
from .solver import SolverInfo, path_matrix, unit_agents_only

INCREASE_OF_PUZZLES = 8  # beyond it the joint states of a small problem are searched


@dataclass(frozen=True)
class ICTS:
    """Increasing Cost Tree Search: optimal, by joint search among all paths of given costs."""

    pruning: Literal["none", "simple", "enhanced"] = parameter(
        "enhanced", help="what pairs are asked before a joint search"
    )
    independence: bool = parameter(
        True, help="search agents apart until their paths conflict; `False` is the paper's algorithm"
    )
    joint_takeover: bool = taking_over(
        f"a plan costs more than {INCREASE_OF_PUZZLES} steps beyond the root of the tree"
    )

    name: ClassVar[str] = "icts"
    info: ClassVar[SolverInfo] = SolverInfo(paper="icts2013", category="coupled, optimal", optimal=True)

    def __post_init__(self) -> None:
        check_parameters(self)

    as_printed = PrintedForm()

    def supports(self, problem: Problem) -> Support:
        """The sum of costs, and agents that all have goals."""
        if problem.rules.cost != "sum_of_costs":
            return Support("its diagrams of equal cost exist only for the sum of costs")
        if np.any(problem.goals == IDLE):
            return Support("every agent needs a goal, because an idle one may be anywhere at any cost")
        return unit_agents_only(self, problem)

    def groups(self, problem: Problem) -> ICTSGroups:
        """What plans groups of agents the way this solver plans all of them."""
        return ICTSGroups(problem, self)

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Visits vectors of costs by their sums until one has paths; the seed changes nothing."""
        return solved_as_one_group(self, problem, budget, seed)


class ICTSGroups:
    """Plans groups of a problem's agents, each by a tree of its own; diagrams are kept for the next.

    A puzzle that needs far more than its agents' own ways is settled by its joint states instead, unless that
    is switched off; `stats["answered_by"]` says by whom the last group was answered.
    """

    why_none = "there is no plan: some goal cannot be reached, or all joint states were searched"

    def __init__(self, problem: Problem, solver: ICTS) -> None:
        self._problem = problem
        self._may_hand_over = solver.joint_takeover
        self._answered_by = ICTS.name
        self._tree = _core.Icts(
            compiled_space(problem),
            compile_rules(problem.rules),
            problem.starts,
            problem.goals,
            pruning=getattr(_core.Pruning, solver.pruning),
            independence=solver.independence,
        )
        self._jointly = OD().groups(problem)
        self.expanded = self.cost = 0
        self.ended_early = False

    def plan(self, agents: IntArray, budget: Budget, terms: Terms = NO_TERMS) -> IntArray | None:
        """See GroupPlanner."""
        most = self._most_worth_trying(agents, budget, terms.cost_limit)
        before = budget.nodes
        outcome = self._tree.solve(agents, cost_limit=most, **terms.of_others, budget=budget.core)
        self.expanded += budget.nodes - before
        self.cost = self._tree.lower_bound
        self.ended_early = outcome is _core.Outcome.out_of_budget
        self._answered_by = ICTS.name
        if outcome is _core.Outcome.found:
            each = [self._tree.path(int(agent)) for agent in agents]
            return marked_gone(self._problem, agents, path_matrix(self._problem, each, agents))
        if self.ended_early or most == terms.cost_limit:
            return None
        paths = self._jointly.plan(agents, budget, terms)
        self._answered_by = OD.name
        self.ended_early = self._jointly.ended_early
        self.cost = self._jointly.cost
        return paths

    def _most_worth_trying(self, agents: IntArray, budget: Budget, cost_limit: int | None) -> int | None:
        """The cost up to which the tree is searched."""
        if not self._may_hand_over or not is_puzzle(self._problem, agents):
            return cost_limit
        self._tree.solve(agents, cost_limit=-1, budget=budget.core)  # only to hear what the root costs
        most = self._tree.lower_bound + INCREASE_OF_PUZZLES
        return most if cost_limit is None else min(most, cost_limit)

    @property
    def lower_bound(self) -> int:
        """What the last group costs at least."""
        jointly = self._jointly.lower_bound if self._answered_by == OD.name else 0
        return max(self._tree.lower_bound, jointly)

    @property
    def generated(self) -> int:
        """Nodes of all trees so far."""
        return self._tree.tree_nodes

    @property
    def stats(self) -> dict[str, Any]:
        """What was counted over all groups so far."""
        return {
            "expansions": self.expanded + self._jointly.expanded,
            "tree_nodes": self._tree.tree_nodes,
            "diagrams": self._tree.diagrams,
            "pairs": self._tree.pairs,
            "joint_searches": self._tree.joint_searches,
            "joint_expansions": self._jointly.expanded,
            "answered_by": self._answered_by,
            "largest_group": self._tree.largest_group,
            "megabytes": round(self._tree.most_bytes / 2**20, 1),
        }
