"""A lower bound as a certificate: a number that no plan can cost less than, and the facts that show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .arrays import IntArray
from .errors import InputError
from .plan import Plan
from .problem import Problem


@dataclass(frozen=True)
class Passage:
    """An agent that can arrive for good only after another one has passed its goal.

    Attributes:
        agent: The index of the agent.
        other: The index of the one that cannot avoid the goal of the agent: the map falls apart without it.
        cost: What the agent costs at least.
    """

    agent: int
    other: int
    cost: int


@dataclass(frozen=True)
class BoundedGroup:
    """Agents that cost at least so much together, even if nobody else were there.

    Attributes:
        agents: Their indices, in ascending order.
        cost: What they cost at least.
    """

    agents: tuple[int, ...]
    cost: int


@dataclass(frozen=True, eq=False)
class Bound:
    """What any plan of a problem costs at least, and what shows it.

    The value is the sum of the costs of the groups and of what all other agents cost at least alone. Each of
    these facts is about few agents, so that it can be checked without trusting the one who found it.

    Attributes:
        problem: The problem.
        value: No plan costs less.
        alone: Per agent what it costs at least by itself: its distance, or the cost of its passage.
        passages: The agents that cost more than their distance because of others that pass their goals.
        groups: Disjoint groups of agents that cost more together than alone.
        complete: Whether everything was tried; else a limit ended the work, and more may be found.
        stats: What was counted, by name.
    """

    problem: Problem
    value: int
    alone: IntArray
    passages: tuple[Passage, ...] = ()
    groups: tuple[BoundedGroup, ...] = ()
    complete: bool = True
    stats: Mapping[str, Any] = field(default_factory=dict)

    def factor(self, plan: Plan) -> float:
        """Says how far a plan can be from the best at most.

        Args:
            plan: A plan of the same problem, from anywhere. It must be valid.

        Returns:
            The cost of the plan over the bound, at least 1: no plan is cheaper by more than this factor.

        Raises:
            InputError: The plan is for other agents or has another cost.
        """
        if plan.problem.n_agents != self.problem.n_agents or plan.problem.rules != self.problem.rules:
            raise InputError(
                "the plan is for another problem than the bound: both need the same agents and rules"
            )
        if plan.cost <= self.value:
            return 1.0
        return plan.cost / self.value if self.value else float("inf")

    @property
    def shown_by(self) -> str:
        """What shows the value, in words: "distances, 2 passages and 5 groups of up to 3 agents"."""
        facts = ["distances"]
        if self.passages:
            facts.append(f"{len(self.passages)} passages" if len(self.passages) > 1 else "1 passage")
        if self.groups:
            largest = max(len(group.agents) for group in self.groups)
            count = f"{len(self.groups)} groups" if len(self.groups) > 1 else "1 group"
            facts.append(f"{count} of up to {largest} agents")
        return " and ".join([", ".join(facts[:-1]), facts[-1]]) if len(facts) > 1 else facts[0]

    def __repr__(self) -> str:
        return f"Bound({self.value}: {self.shown_by})"
