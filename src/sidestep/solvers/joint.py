"""The standard algorithm and operator decomposition (Standley 2010): A* over joint states.

A state is where all agents are at once. The standard algorithm moves all of them in one step of the
search, so that a state has exponentially many successors. Operator decomposition (OD) moves one agent
after another: a node then has as many successors as an agent has moves, and many that would be dear are
never made. Both are optimal and complete; that is their only difference, so they share this file.

What they prove they prove: a search that ends without a plan has looked at every joint state.
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
from .group_planning import NO_TERMS, Terms, marked_gone, places, solved_as_one_group
from .parameters import improvement, parameter
from .solver import SolverInfo
from .unit_agents import UnitAgentSolver

DUPLICATES = {"post-move": _core.Duplicates.post_move, "standard": _core.Duplicates.standard}


class JointGroups:
    """Plans groups of a problem's agents, each by a search over their joint states."""

    def __init__(self, problem: Problem, od: OD | None = None) -> None:
        """By operator decomposition with the parameters of `od`, or else by the standard algorithm."""
        self._problem = problem
        self._core = _core.JointPlanner(compiled_space(problem), compile_rules(problem.rules))
        self._options: dict[str, Any] = {
            "decompose": od is not None,
            "duplicates": DUPLICATES["post-move" if od is None else od.duplicates],
            "pairs": od is not None and od.pairs,
            "partial": od is not None and od.partial,
        }
        self.expanded = self.expanded_standard = self.generated = 0

    def plan(self, agents: IntArray, budget: Budget, terms: Terms = NO_TERMS) -> IntArray | None:
        """See GroupPlanner."""
        starts, goals = places(self._problem, agents)
        paths: Any = self._core.plan(
            starts,
            goals,
            **self._options,
            at_least=terms.at_least,
            cost_limit=terms.cost_limit,
            **terms.of_others,
            budget=budget.core,
        )
        self.expanded += self._core.expanded
        self.expanded_standard += self._core.expanded_standard
        self.generated += self._core.generated
        return None if paths is None else marked_gone(self._problem, agents, paths)

    @property
    def lower_bound(self) -> int:
        """What paths of the last group cost at least: the least f of what was left to search."""
        return self._core.lower_bound

    @property
    def ended_early(self) -> bool:
        """Did the last call reach a limit before it knew?"""
        return self._core.outcome is _core.Outcome.out_of_budget

    @property
    def cost(self) -> int:
        """What the last paths cost."""
        return self._core.cost

    @property
    def why_none(self) -> str:
        """The sentence about a group without paths."""
        return f"there is no plan: all {self._core.expanded:,} joint states that can be reached were searched"

    @property
    def stats(self) -> dict[str, Any]:
        """What was counted over all calls so far."""
        return {
            "expansions": self.expanded,
            "standard_expansions": self.expanded_standard,
            "generated": self.generated,
        }


@dataclass(frozen=True)
class Standard(UnitAgentSolver):
    """A* over joint states: optimal, and exponential in the number of agents."""

    name: ClassVar[str] = "standard"
    info: ClassVar[SolverInfo] = SolverInfo(
        paper="standley2010", category="coupled", complete=True, optimal=True
    )

    def groups(self, problem: Problem) -> JointGroups:
        """What plans groups of agents the way this solver plans all of them."""
        return JointGroups(problem)

    def solve(self, problem: Problem, *, budget: Budget, seed: int = 0) -> Result:
        """Searches until the cheapest plan is found, or all joint states have been seen."""
        return solved_as_one_group(self, problem, budget, seed)


def taking_over(when: str) -> bool:
    """The parameter `joint_takeover` of solvers that leave small problems to a joint search."""
    return parameter(
        True, help=f"where the joint states of the agents are few and {when}, search those instead"
    )


@dataclass(frozen=True)
class OD(Standard):
    """Operator decomposition: A* over joint states, one agent at a time."""

    duplicates: Literal["post-move", "standard"] = parameter(
        "post-move",
        help='which nodes count as the same: `"post-move"` also compares nodes within a step; '
        '`"standard"` only those between steps, which needs less memory',
    )
    pairs: bool = improvement(
        help="move two agents that are in each other's way as one; `False` moves one agent per node",
        why="what two agents cannot avoid to pay because of each other is part of the estimate",
    )
    partial: bool = improvement(
        help="make the moves of a node by ascending f, as they are needed; `False` makes all of them at once",
        why="most of the dearer moves are never needed (Felner et al. 2012)",
    )

    name: ClassVar[str] = "od"

    def groups(self, problem: Problem) -> JointGroups:
        """What plans groups of agents the way this solver plans all of them."""
        return JointGroups(problem, self)
