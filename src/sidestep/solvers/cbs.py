"""Conflict-Based Search (Sharon, Stern, Felner and Sturtevant 2015), with what was added to it since.

Everybody plans alone. Where two paths collide, the plan is split in two: in one branch the first agent
keeps away from the place of the collision at that time, in the other the second does, and only the agent
concerned plans again. Branches are searched in order of their cost, so the first set of paths without a
collision is optimal, for whichever cost the problem asks for.

The default is what its authors call CBSH2-RTC (Li et al. 2019 and 2021): cardinal conflicts first,
bypasses, a heuristic from pairs of agents that cost more together than alone, and one split for what
would otherwise come up again in ever new guises: rectangles, corridors, targets. Every addition is a
parameter; all combinations give plans of the same cost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from .. import _core
from ..budget import Budget
from ..model.arrays import IntArray
from ..model.problem import Problem
from ..model.result import Result
from ..model.to_core import compile_rules, compiled_space
from .group_planning import NO_TERMS, Terms, is_puzzle, marked_gone, places, solved_as_one_group
from .joint import OD, taking_over
from .parameters import parameter
from .solver import SolverInfo, path_matrix
from .unit_agents import UnitAgentSolver

TREE_OF_PUZZLES = 200  # nodes, after which a problem of few joint states is searched jointly
REASONS = ("vertex", "swap", "crossing", "following", "stop", "target", "corridor", "rectangle")


@dataclass(frozen=True)
class CBS(UnitAgentSolver):
    """Conflict-Based Search: optimal plans; where there is no plan it runs until its limit."""

    prioritise: bool = parameter(True, help="cardinal conflicts first")
    bypass: bool = parameter(True, help="take over paths of a child that cost the same and collide less")
    disjoint: bool = parameter(
        False, help="disjoint splitting: one child makes an agent do what the other forbids"
    )
    heuristic: Literal["none", "cg", "dg", "wdg"] = parameter(
        "wdg", help="what pairs of agents add to the estimate of a node"
    )
    rectangle: bool = parameter(True, help="one split for two agents that meet all over a rectangle")
    corridor: bool = parameter(True, help="one split for two agents that meet in a corridor")
    target: bool = parameter(True, help="one split for an agent that passes the goal of another")
    joint_takeover: bool = taking_over(f"the tree grows beyond {TREE_OF_PUZZLES} nodes")

    name: ClassVar[str] = "cbs"
    info: ClassVar[SolverInfo] = SolverInfo(
        paper="sharon2015", category="coupled, optimal", complete=False, optimal=True
    )

    def groups(self, problem: Problem) -> CBSGroups:
        """What plans groups of agents the way this solver plans all of them."""
        return CBSGroups(problem, self.options(), joint_takeover=self.joint_takeover)

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Searches until a plan of least cost is found or a limit is reached; the seed plays no part."""
        return solved_as_one_group(self, problem, budget, seed)

    def options(self) -> _core.CbsOptions:
        """Makes the parameters as the core knows them.

        Returns:
            The options.
        """
        return _core.CbsOptions(
            prioritise=self.prioritise,
            bypass=self.bypass,
            disjoint=self.disjoint,
            heuristic=getattr(_core.CbsHeuristic, self.heuristic),
            rectangle=self.rectangle,
            corridor=self.corridor,
            target=self.target,
        )


class CBSGroups:
    """Plans groups of a problem's agents, each by a constraint tree of its own.

    If the tree of a puzzle grows large, the joint states of the group are searched instead, unless that is
    switched off; `stats["answered_by"]` says by whom the last group was answered.
    """

    why_none = "there is no plan: every way to settle the conflicts leaves some agent without a path"

    def __init__(self, problem: Problem, options: _core.CbsOptions, *, joint_takeover: bool) -> None:
        self._problem = problem
        self._may_hand_over = joint_takeover
        self._options = options
        self._jointly = OD().groups(problem)
        self.expanded = self.generated = self.cost = self.lower_bound = 0
        self.ended_early = False
        self.stats: dict[str, Any] = {}  # of the last group

    def plan(self, agents: IntArray, budget: Budget, terms: Terms = NO_TERMS) -> IntArray | None:
        """See GroupPlanner."""
        answer = _core.cbs(
            compiled_space(self._problem),
            compile_rules(self._problem.rules),
            *places(self._problem, agents),
            self._options,
            tree_limit=TREE_OF_PUZZLES if self._may_hand_over and is_puzzle(self._problem, agents) else None,
            cost_limit=terms.cost_limit,
            **terms.of_others,
            budget=budget.core,
        )
        self.lower_bound = self.cost = answer.lower_bound
        self.stats = _statistics(answer)
        self.expanded += answer.low_level_expanded
        self.generated += answer.generated
        if answer.outcome is _core.Outcome.found:
            return marked_gone(self._problem, agents, path_matrix(self._problem, answer.paths, agents))
        self.ended_early = answer.outcome is _core.Outcome.out_of_budget
        if not self.ended_early or budget.exhausted:
            return None
        return self._plan_jointly(agents, budget, terms)

    def _plan_jointly(self, agents: IntArray, budget: Budget, terms: Terms) -> IntArray | None:
        before = self._jointly.expanded
        paths = self._jointly.plan(agents, budget, terms)
        self.ended_early = self._jointly.ended_early
        self.stats["joint_expansions"] = self._jointly.expanded - before
        self.stats["answered_by"] = OD.name
        self.expanded += self.stats["joint_expansions"]
        self.cost = self._jointly.cost
        self.lower_bound = max(self.lower_bound, self._jointly.lower_bound)
        return paths


def _statistics(answer: _core.CbsAnswer) -> dict[str, Any]:
    return {
        "expanded": answer.expanded,
        "generated": answer.generated,
        "bypassed": answer.bypassed,
        "expansions": answer.low_level_expanded,
        "conflicts": dict(zip(REASONS, answer.conflicts, strict=True)),
        "joint_expansions": 0,
        "answered_by": CBS.name,
    }
